"""Verification: every hand judged again from its stored bytes, every read model derived again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from uuid import UUID

import msgspec
from msgspec.structs import astuple
from psycopg import Connection

from domain.errors import CorruptHistory
from domain.events import HandEvent, HandStarted, decode
from domain.rederiving import first_difference
from domain.verdict import Verdict, judge
from projections.catalogue import PROJECTIONS
from projections.rake_shares import RAKE_SHARES
from projections.rollups import ROLLUPS
from services.continuity import broken_stacks
from services.disputes.checking import rulings_that_differ
from services.hand_finding import HandFinding
from services.ledger import SessionsWanted, sessions
from services.ledger.recomputing import days_that_differ
from services.projecting.folding import HAND_TYPES, Folder
from services.projecting.writing import tables_of
from services.reports.rake_sums import LIKE, sums_that_differ
from services.store.port import EventStore, Recorded, pages
from services.store.room import Room
from services.verifying_rows import (
    Rows,
    as_plain,
    rows_without_facts,
    stored_rows,
    streams_that_differ,
)

BATCH_HANDS = 200

LEFT_ALONE = b"""
select h.hand, h.number from hands h
 where (%(hands)s::uuid[] is null or h.hand = any(%(hands)s)) and not exists (
       select from events e where e.originator_id = h.hand and e.originator_version = 1)
 order by h.number, h.hand
"""
"""Hands that a read model knows and the log does not, or not from the start."""

Progress = Callable[[int], None]
"""Called after every batch with the number of hands checked so far."""


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Something stored that is not what the facts of the hand come to; of all hands if None."""

    hand: UUID | None
    number: str
    text: str


class Verification(msgspec.Struct, kw_only=True):
    """What was checked. `findings` are faults of how a hand was played and paid; `differences`
    are stored results that are not what re-derivation gives, and facts that cannot be read.
    """

    checked: int = 0
    clean: int = 0
    clean_as_visible: int = 0
    ruled: int = 0
    findings: list[HandFinding] = []
    differences: list[Difference] = []


def verify(
    room: Room, hands: Iterable[UUID] | None = None, progress: Progress | None = None
) -> Verification:
    """Judge these hands, or every hand of the log, and compare what is stored about them.

    Tables, cases, sums over hands, sessions and closed days are compared if every hand is.
    Projections must have caught up with the log before.
    """
    found = Verification()
    chosen = None if hands is None else list(hands)
    _miss(room, chosen, found)
    ids = iter(all_hands(room.store) if chosen is None else chosen)
    while batch := tuple(islice(ids, BATCH_HANDS)):
        loaded = room.store.load_many(batch)
        with room.connect() as connection:
            broken = list(broken_stacks(room, connection, batch))
            apart = {finding.hand for finding in broken}
            sound = {
                hand: facts
                for hand, facts in loaded.items()
                if _judge(facts, found, goes_on=hand not in apart)
            }
            found.findings.extend(broken)
            _compare(connection, sound, found)
        _compare_rulings(room, sound, found)
        if progress is not None:
            progress(found.checked)
    if chosen is None:
        _compare_streams(room, found)
        _compare_sums(room, found)
        _compare_sessions(room, found)
        _compare_days(room, found)
    return found


def _miss(room: Room, hands: Sequence[UUID] | None, found: Verification) -> None:
    """Hands whose facts are gone, though what was derived from them is there."""
    with room.connect() as connection:
        for hand, number in connection.execute(LEFT_ALONE, {"hands": hands}):
            _differ(found, hand, number, "its facts are not in the log, or not from the first on")


def all_hands(store: EventStore) -> Iterator[UUID]:
    """Every hand of the log, in the order they began."""
    for page in pages(store):
        for fact in page:
            if fact.n == 1 and fact.type in HAND_TYPES:
                yield fact.stream


def events_of(facts: Iterable[Recorded]) -> tuple[HandEvent, ...]:
    """The events of stored facts."""
    return tuple(decode(fact.state) for fact in facts)


def _judge(facts: Sequence[Recorded], found: Verification, *, goes_on: bool) -> bool:
    """Judge one hand; whether its facts can be applied at all.

    It is clean only if its stacks also go on from the hand before.
    """
    found.checked += 1
    hand, gap = facts[0].stream, _gap(facts)
    try:
        events = events_of(facts)
        verdict = judge(events)
    except (CorruptHistory, msgspec.MsgspecError) as broken:
        # The text of a decoding error names a place, never a value.
        _differ(found, hand, _number(facts), f"its facts cannot be applied: {broken}")
        return False
    number = verdict.hand.started.number
    if gap is not None:
        _differ(found, hand, number, f"fact {gap} of its stream is missing")
    found.clean += goes_on and verdict.verdict == "clean"
    found.clean_as_visible += goes_on and verdict.verdict == "clean_as_visible"
    found.ruled += goes_on and verdict.verdict == "ruled"
    _keep_findings(hand, verdict, found)
    if verdict.hand.started.source.kind == "dealt" and not verdict.findings:
        _decide_again(hand, number, events, found)
    return True


def _decide_again(
    hand: UUID, number: str, events: Sequence[HandEvent], found: Verification
) -> None:
    """A hand we dealt is what its cards and decisions lead to, fact for fact."""
    differs = first_difference(events)
    if differs is not None:
        _differ(found, hand, number, f"step {differs.step}, decided again: {differs.text}")


def _keep_findings(hand: UUID, verdict: Verdict, found: Verification) -> None:
    """Faults of a hand we dealt ourselves are results that re-derivation contradicts."""
    started = verdict.hand.started
    for finding in verdict.findings:
        fields = msgspec.structs.asdict(finding)
        found.findings.append(HandFinding(hand=hand, number=started.number, **fields))
        if started.source.kind == "dealt":
            _differ(found, hand, started.number, f"step {finding.step}: {finding.text}")


def _number(facts: Sequence[Recorded]) -> str:
    """The site's number of a hand, if its start can still be read."""
    try:
        started = decode(facts[0].state)
    except msgspec.MsgspecError:
        return ""
    return started.number if isinstance(started, HandStarted) else ""


def _gap(facts: Sequence[Recorded]) -> int | None:
    """The first missing number of a stream."""
    return next((n for n, fact in enumerate(facts, 1) if fact.n != n), None)


def _differ(found: Verification, hand: UUID | None, number: str, text: str) -> None:
    found.differences.append(Difference(hand=hand, number=number, text=text))


def _compare_rulings(
    room: Room, loaded: Mapping[UUID, tuple[Recorded, ...]], found: Verification
) -> None:
    """What hands say was ruled against the cases in which it was."""
    hands = {hand: events_of(facts) for hand, facts in loaded.items()}
    for differing in rulings_that_differ(room, hands):
        _differ(found, differing.hand, _number(loaded[differing.hand]), differing.text)


# -- read models ---------------------------------------------------------------------------------


def _compare(
    connection: Connection, loaded: Mapping[UUID, tuple[Recorded, ...]], found: Verification
) -> None:
    """The rows stored of these hands against the rows their facts come to."""
    folder = Folder(PROJECTIONS, lambda streams: loaded)
    derived: Rows = Counter()
    for facts in loaded.values():
        for fold in folder.fold(facts):
            derived.update(as_plain(row.table, astuple(row)) for row in folder.rows(fold))
    stored: Rows = Counter()
    for table in tables_of(folder):
        rows = stored_rows(connection, table, list(loaded))
        stored.update(as_plain(table.table, values) for values in rows)
    numbers = {hand: _number(facts) for hand, facts in loaded.items()}
    _report(found, numbers, derived, stored)


def _report(found: Verification, numbers: Mapping[UUID, str], derived: Rows, stored: Rows) -> None:
    """One sentence per hand and table that differ."""
    missing, extra = derived - stored, stored - derived
    places = dict.fromkeys((row[0], table) for table, row in (*missing, *extra))
    for hand, table in places:
        text = f"the rows of {table} are not what its facts come to; rebuild that projection"
        _differ(found, hand, numbers[hand], text)


def _compare_streams(room: Room, found: Verification) -> None:
    """Tables, cases and ledgers against their facts, and whatever there are no facts for."""
    for differing in chain(rows_without_facts(room), streams_that_differ(room)):
        _differ(found, differing.stream, "", differing.text)


def _compare_sums(room: Room, found: Verification) -> None:
    """The sums of rake against the hands and the ledger, which were compared one by one."""
    tables = sums_that_differ(room.connect)
    if tables is None:
        text = "sums of rake cannot be compared while projections stand at different events"
        _differ(found, None, "", text)
    for table in tables or ():
        projection = RAKE_SHARES.name if table in LIKE else ROLLUPS.name
        text = f"the rows of {table} are not the sums of the ledger; rebuild {projection}"
        _differ(found, None, "", text)


def _compare_sessions(room: Room, found: Verification) -> None:
    """What tables say their hands did to each stack, against the books of those hands."""
    for one in sessions(room.connect, SessionsWanted(only_wrong=True)).sessions:
        text = f"the session at fact {one.n} of table {one.table} does not reconcile"
        _differ(found, None, "", text)


def _compare_days(room: Room, found: Verification) -> None:
    """Closed days against what the log comes to as it stood when they were closed."""
    for close, text in days_that_differ(room):
        _differ(found, None, "", f"the closed day {close.day} {text}")
