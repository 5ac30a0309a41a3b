"""The operator's own figures beside ours, hand by hand: what differs, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import islice
from typing import Literal
from uuid import UUID

import msgspec
from psycopg import Connection
from psycopg.rows import class_row

from domain.events import RakeTaken, decode
from domain.units import ChipsMoved
from services.reports.cells import decimal
from services.reports.operator_lines import OperatorLine, Unreadable
from services.reports.queries import Connect, complete_to, named_queries
from services.reports.rake import head_of
from services.store.port import EventStore, Recorded

Kind = Literal[
    "missing_here", "missing_there", "rake_differs", "pot_differs", "currency_differs",
    "duplicate_line", "ambiguous", "not_raked_here", "unreadable_line",
]  # fmt: skip

READS = ("hands",)
RAKE_TAKEN = "rake_taken.v1"

MOST_UNREADABLE = 1_000
"""So many lines that cannot be read are told one by one, of the others how many there are."""

AT_ONCE = 200
"""So many differences at a time have their hands looked up."""

Facts = Mapping[UUID, tuple[Recorded, ...]]


class Discrepancy(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that differs: `ours` and `theirs` are decimal figures or codes, `why` a sentence.

    `line` is the place in the operator's file, None for a hand it does not name.
    """

    kind: Kind
    line: int | None
    hand: UUID | None
    number: str | None
    ours: str | None
    theirs: str | None
    why: str


class Reconciliation(msgspec.Struct, kw_only=True):
    """What was compared so far; complete when all discrepancies have been taken."""

    lines: int = 0
    compared: int = 0
    found: dict[str, int] = {}
    complete_to: int = 0
    log_at: int = 0


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    """A line, a hand, or both, that do not agree."""

    kind: Kind
    line: int | None
    first_line: int | None
    hand: UUID | None
    number: str | None
    their_rake: str | None
    their_pot: str | None
    their_currency: str | None
    rake: int | None
    pot: int | None
    currency: str | None
    exponent: int | None
    status: str | None
    money_kind: str | None


def reconcile(
    connect: Connect,
    store: EventStore,
    told: Iterable[OperatorLine | Unreadable],
    days: tuple[date | None, date | None],
    result: Reconciliation,
) -> Iterator[Discrepancy]:
    """Every discrepancy, those of lines first, in their order; `result` counts along.

    Hands the file does not name are looked for on the `days` given, or on those it speaks of. In
    constant memory: the lines lie in a table as long as they are compared, and are taken back.
    """
    queries = named_queries("reconciling.sql")
    with connect() as connection, connection.transaction(force_rollback=True):
        connection.execute("set transaction isolation level repeatable read")
        connection.execute("set local statement_timeout = 0")
        yield from _counted(_keep(connection, told, result), result)
        connection.execute(queries["ready"])
        result.compared = _one(connection, queries["compared"])
        result.complete_to, result.log_at = complete_to(connection, READS), head_of(connection)
        wanted = _days(connection, days)
        yield from _counted(_differences(connection, store, wanted), result)


def _keep(
    connection: Connection, told: Iterable[OperatorLine | Unreadable], result: Reconciliation
) -> Iterator[Discrepancy]:
    """Put the lines down; the first of those nobody can read are told at once."""
    wrong: list[Unreadable] = []
    others = 0
    with (
        connection.cursor() as cursor,
        cursor.copy(named_queries("reconciling.sql")["keep"].rstrip(b";")) as copy,
    ):
        for line in told:
            result.lines += 1
            if not isinstance(line, Unreadable):
                copy.write_row(msgspec.structs.astuple(line))
            elif len(wrong) <= MOST_UNREADABLE:
                wrong.append(line)
            else:
                others += 1
    yield from (_unreadable(line.line, line.why) for line in wrong[:MOST_UNREADABLE])
    for line in wrong[MOST_UNREADABLE:]:
        why = f"from here on {others + 1} lines cannot be read; this one: {line.why}"
        yield _unreadable(line.line, why)
    if others:
        result.found["unreadable_line"] += others


def _unreadable(line: int, why: str) -> Discrepancy:
    return Discrepancy(
        kind="unreadable_line",
        line=line,
        hand=None,
        number=None,
        ours=None,
        theirs=None,
        why=why,
    )


def _counted(discrepancies: Iterable[Discrepancy], result: Reconciliation) -> Iterator[Discrepancy]:
    for one in discrepancies:
        result.found[one.kind] = result.found.get(one.kind, 0) + 1
        yield one


def _days(connection: Connection, days: tuple[date | None, date | None]) -> dict[str, date | None]:
    """The days in which our hands must be in the file; none if it speaks of none."""
    row = connection.execute(named_queries("reconciling.sql")["span"]).fetchone()
    first, last = row or (None, None)
    if days != (None, None):
        return {"from_day": days[0] or date.min, "to_day": days[1] or date.max}
    return {"from_day": first, "to_day": last}


def _one(connection: Connection, query: bytes) -> int:
    row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0])


def _differences(
    connection: Connection, store: EventStore, days: dict[str, date | None]
) -> Iterator[Discrepancy]:
    query = named_queries("reconciling.sql")["differences"].rstrip(b";")
    with connection.cursor("differences", row_factory=class_row(_Row)) as cursor:
        cursor.itersize = 1_000
        rows = iter(cursor.execute(query, days))
        while batch := tuple(islice(rows, AT_ONCE)):
            facts = _facts_behind(batch, store)
            yield from (_told(row, facts) for row in batch)


def _facts_behind(rows: Sequence[_Row], store: EventStore) -> Facts:
    """The facts of the hands whose rake is to be explained."""
    hands = {row.hand for row in rows if row.kind == "rake_differs" and row.hand is not None}
    return store.load_many(hands) if hands else {}


def _told(row: _Row, facts: Facts) -> Discrepancy:
    ours, theirs = _figures(row)
    return Discrepancy(
        kind=row.kind,
        line=row.line,
        hand=row.hand,
        number=row.number,
        ours=ours,
        theirs=theirs,
        why=_why(row, facts),
    )


def _figures(row: _Row) -> tuple[str | None, str | None]:
    """What of ours and of theirs is not the same."""
    rake = None if row.rake is None else decimal(row.rake, row.exponent or 0)
    match row.kind:
        case "pot_differs":
            return decimal(row.pot or 0, row.exponent or 0), row.their_pot
        case "currency_differs":
            return row.currency, row.their_currency
        case "duplicate_line" | "ambiguous":
            return None, row.their_rake
    return rake, row.their_rake


def _why(row: _Row, facts: Facts) -> str:
    """The reason in a sentence; of a rake of ours, by what it was taken."""
    match row.kind:
        case "missing_here":
            return "no hand of this room has this id or number"
        case "missing_there":
            return "the file does not name this hand"
        case "duplicate_line":
            return f"the hand is on line {row.first_line} already"
        case "ambiguous":
            return "several hands have this number: name the hand or the site"
        case "not_raked_here":
            what = "goes on" if row.status == "in_progress" else f"is for {row.money_kind} money"
            return f"the hand {what} here and bears no rake"
        case "rake_differs":
            return _by_what(row, facts)
        case "pot_differs":
            return _pot(row)
    return f"the hand was played for {row.currency}"


def _pot(row: _Row) -> str:
    """What may have been counted otherwise."""
    assert row.pot is not None
    assert row.rake is not None
    if row.their_pot is not None and Decimal(row.their_pot) == _units(row, row.pot - row.rake):
        return "theirs is the pot without the rake"
    return "ours is what was matched: antes and folded money too, uncalled bets not"


def _units(row: _Row, amount: ChipsMoved) -> Decimal:
    """An amount of ours in whole units."""
    return Decimal(decimal(amount, row.exponent or 0))


def _by_what(row: _Row, behind: Facts) -> str:
    """Row and step our rake was taken by, and whether a ruling changed it since."""
    assert row.hand is not None
    if row.status == "voided":
        return "a ruling voided the hand, so no rake is left"
    states = [fact.state for fact in behind.get(row.hand, ()) if fact.type == RAKE_TAKEN]
    facts = [decode(state) for state in states]
    taken = [fact for fact in facts if isinstance(fact, RakeTaken)]
    if not taken:
        return "no rake was ever taken here"
    (last,) = taken[-1:]
    by = f"{last.row}; {last.step}" if last.row and last.step else "as the record has it"
    if last.total != row.rake:
        before = Decimal(row.their_rake or 0) == _units(row, last.total)
        by += ", changed by a ruling since" + (": theirs is what it was before" if before else "")
    return f"ours was taken by {by}" if last.row else f"ours is {by}"
