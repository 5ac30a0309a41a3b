"""The register of disputes: cases by what they are about and how far they have come."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import msgspec

from domain.discreet import Discreet
from domain.disputes.case import Status
from domain.disputes.events import Category
from services.reports.hands import BadCursor
from services.reports.queries import Connect, ask, complete_to, named_queries, one_moment


class CasesWanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which cases; what is None is not asked for. `after` is a page's `next`.

    `first` and `last` are UTC days of the complaint. `overdue`: only those whose answer is owed
    after its time.
    """

    status: Status | None = None
    category: Category | None = None
    hand: UUID | None = None
    first: date | None = None
    last: date | None = None
    overdue: bool = False
    limit: int = 50
    after: str | None = None


class CaseFound(Discreet, frozen=True, kw_only=True):
    """One case of the register. `ruling` is the last one's kind, `stage` what became of it.

    `version` is how many facts the case has, `position` that of the last in the log.
    """

    id: UUID
    hand: UUID
    step: int | None
    category: str
    complainant: str
    channel: str
    status: str
    submitted_at: datetime
    opened_at: datetime
    acknowledged_at: datetime | None
    due_at: datetime
    answered_at: datetime | None
    closed_at: datetime | None
    on_hold: bool
    rulings: int
    ruling: str | None
    stage: str | None
    proposed_by: str | None
    approved_by: str | None
    version: int
    position: int


class CasesPage(msgspec.Struct, frozen=True, kw_only=True):
    """Cases, the latest complaint first. `next` continues the list; None at its end.

    `complete_to` is the position of the last event the list takes in.
    """

    disputes: tuple[CaseFound, ...]
    next: str | None
    complete_to: int


def find_cases(connect: Connect, wanted: CasesWanted, now: datetime | None = None) -> CasesPage:
    """The cases wanted, at most `limit`; overdue as of `now`. Raises BadCursor."""
    parameters: dict[str, Any] = msgspec.structs.asdict(wanted) | _place(wanted.after)
    parameters["now"] = now or datetime.now(UTC)
    # One more than wanted tells whether the list goes on.
    parameters["limit"] = wanted.limit + 1
    with one_moment(connect) as connection:
        query = named_queries("disputes.sql")["find_disputes"]
        found = ask(connection, query, parameters, CaseFound)
        reached = complete_to(connection, ("disputes",))
    cases = found[: wanted.limit]
    return CasesPage(
        disputes=cases,
        next=_cursor(cases[-1]) if len(found) > len(cases) and cases else None,
        complete_to=reached,
    )


def _cursor(last: CaseFound) -> str:
    return f"{last.submitted_at.isoformat()}~{last.id}"


def _place(cursor: str | None) -> dict[str, Any]:
    if cursor is None:
        return dict.fromkeys(("after_at", "after_id"))
    at, _, case = cursor.partition("~")
    try:
        return {"after_at": datetime.fromisoformat(at), "after_id": UUID(case)}
    except ValueError:
        raise BadCursor("this is no place in the register of disputes") from None
