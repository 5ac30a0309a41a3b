"""The register of disputes: which there are, how far they have come, and which are overdue."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from fastapi import APIRouter, Query, Request, Response

from services.api import asking
from services.api.arriving import arrived
from services.api.disputes import OfCategory, OfStatus
from services.api.files import on_file
from services.api.parts import InService, Parts
from services.disputes import CaseFound, CasesPage, CasesWanted, find_cases
from services.lookup import AmbiguousHand, UnknownHand
from services.pages.case_names import names_of_people, numbers_of_hands
from services.pages.case_words import CATEGORIES, STATUSES, WORDS
from services.pages.deadlines import Deadline, deadline
from services.pages.fields import asked
from services.pages.forms import Form, FormError
from services.pages.rendering import complete, page, see_other
from services.pages.search import Paged
from services.reports import BadCursor

router = APIRouter(include_in_schema=False)

ON_A_PAGE = 50
CHOICES = {
    "by_status": (("", "any"), *STATUSES.items()),
    "by_category": (("", "anything"), *CATEGORIES.items()),
    "by_deadline": (("", "any"), ("true", "overdue only")),
}
LABELS = {
    "status": "Status",
    "category": "About",
    "hand": "Hand",
    "from": "Complained from",
    "to": "Complained to",
    "overdue": "Deadline",
    "after": "Place in the list",
}
Typed = Annotated[str | None, Query()]


class CaseRow(msgspec.Struct, frozen=True):
    """A case of the register, its hand's number and how it stands against its time."""

    case: CaseFound
    number: str
    deadline: Deadline


@router.get("/cases")
def register(
    request: Request,
    parts: InService,
    status: Typed = None,
    category: Typed = None,
    hand: Typed = None,
    from_: Annotated[str | None, Query(alias="from")] = None,
    to: Typed = None,
    overdue: Typed = None,
    after: Typed = None,
) -> Response:
    """Cases as they were asked for, the latest complaint first."""
    typed = dict(request.query_params)
    if not all(typed.values()):
        return see_other(_address({name: text for name, text in typed.items() if text}))
    form = Form(typed)
    try:
        found = _found(parts, form, arrived(request))
    except FormError:
        return _shown(request, form, None, status=422)
    except BadCursor as wrong:
        form.errors["after"] = str(wrong)
        return _shown(request, form, None, status=422)
    late = find_cases(parts.room.connect, CasesWanted(overdue=True), arrived(request))
    rows = _rows(parts, found, arrived(request))
    return _shown(
        request,
        form,
        found,
        rows=rows,
        late=late,
        people=_people(parts, found),
        complete=complete(parts.room, found.complete_to),
    )


def _shown(
    request: Request, form: Form, found: CasesPage | None, status: int = 200, **more: object
) -> Response:
    typed = dict(request.query_params)
    first = {name: text for name, text in typed.items() if name != "after"}
    paged = Paged(
        next=_address(first | {"after": found.next}) if found and found.next else None,
        first=_address(first) if "after" in typed else None,
    )
    return page(
        request,
        "cases.html",
        status,
        form=form,
        found=found,
        paged=paged,
        asked_for=first,
        labels=LABELS,
        **CHOICES,
        **WORDS,
        **more,
    )


def _found(parts: Parts, form: Form, now: datetime) -> CasesPage:
    """The cases the form asks for. Raises FormError once all fields are looked at."""
    first, last = asked(form, "from", asking.FirstDay), asked(form, "to", asking.LastDay)
    if first and last and first > last:
        form.errors["from"] = "the first day is after the last"
    wanted = CasesWanted(
        status=asked(form, "status", OfStatus),
        category=asked(form, "category", OfCategory),
        hand=_hand(parts, form),
        first=first,
        last=last,
        overdue=bool(asked(form, "overdue", asking.Findings)),
        limit=ON_A_PAGE,
        after=asked(form, "after", asking.After),
    )
    form.require_no_mistake()
    return find_cases(parts.room.connect, wanted, now)


def _hand(parts: Parts, form: Form) -> UUID | None:
    called = asked(form, "hand", asking.Number)
    if called is None:
        return None
    try:
        return on_file(parts.room, called).hand
    except UnknownHand:
        form.errors["hand"] = "no hand has this number or id"
    except AmbiguousHand:
        form.errors["hand"] = "several hands have this number: name it by its id"
    return None


def _rows(parts: Parts, found: CasesPage, now: datetime) -> list[CaseRow]:
    numbers = numbers_of_hands(parts.room, (case.hand for case in found.disputes))
    return [
        CaseRow(
            case=case,
            number=numbers.get(case.hand, str(case.hand)),
            deadline=deadline(
                case.due_at, case.answered_at, now, closed=case.closed_at is not None
            ),
        )
        for case in found.disputes
    ]


def _people(parts: Parts, found: CasesPage) -> Mapping[str, str]:
    return names_of_people(parts.room, (case.complainant for case in found.disputes))


def _address(query: Mapping[str, str]) -> str:
    return f"/cases?{urlencode(query)}" if query else "/cases"
