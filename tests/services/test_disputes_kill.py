"""kill -9 of whoever rules: nothing is ruled or all of it, in case, hand and ledgers together."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest

from domain.errors import Refused
from services.disputes import load_case, rulings_that_differ
from services.projecting import projector_of
from services.store.port import facts
from services.store.room import Room
from tests.support import disputes as s
from tests.support.cases import approve, events_of, opened, proposed, told
from tests.support.faults import LOCK, Doomed, until
from tests.support.killed_rulings import (
    Asked,
    approve_all,
    parts_of_a_ruling,
    propose_and_linger,
)

SEED = 20_261_201
TIMES = [pytest.param(2, id="some"), pytest.param(20, id="many", marks=pytest.mark.slow)]
NOTHING = {"case": 0, "hand": 0, "ledgers": 0}
WHOLE: dict[str, tuple[dict[str, Any], dict[str, int]]] = {
    "corrected_award": ({}, {"case": 1, "hand": 1, "ledgers": 0}),
    "void": ({}, {"case": 1, "hand": 1, "ledgers": 0}),
    "goodwill": ({"moves": s.moves(s2=300, s3=200)}, {"case": 1, "hand": 0, "ledgers": 2}),
}
"""What a ruling of a kind is asked with, and all the facts it comes to."""

WAITING = "select from pg_locks where locktype = 'advisory' and not granted"
BUSY = (
    "select from pg_stat_activity where application_name = 'studledger'"
    " and state in ('active', 'idle in transaction') and pid <> pg_backend_pid()"
)


def asked(room: Room, kind: str) -> Asked:
    case = opened(room, told(room))
    return case, proposed(room, case, kind=kind, **WHOLE[kind][0])


@contextmanager
def log_taken(room: Room) -> Iterator[None]:
    """Whoever appends meanwhile waits in the middle of his transaction."""
    with room.connect() as connection, connection.transaction():
        connection.execute(LOCK)
        yield


def found(room: Room, query: str) -> bool:
    with room.connect() as connection:
        return connection.execute(query.encode()).rowcount > 0


def finish(room: Room, case: UUID, ruling: UUID, kind: str) -> None:
    """Whoever is told nothing asks again: it is approved then, or was; and once only."""
    try:
        approve(room, case, ruling)
    except Refused as was:
        assert was.rule == "D2"
    assert parts_of_a_ruling(room, case) == WHOLE[kind][1]


def test_who_is_killed_between_proposal_and_approval_leaves_a_ruling_that_waits(
    room: Room,
) -> None:
    hand = told(room)
    case = opened(room, hand)
    with Doomed(propose_and_linger, room.settings, case) as process:
        ((_, ruling),) = process.reports_until("proposed", 1)
        process.kill(0)
    waiting = load_case(room.store, case).case.pending
    assert waiting is not None
    assert waiting.id == ruling
    assert room.store.load(hand)[-1].type == facts(s.RAKED.log)[-1].type
    assert parts_of_a_ruling(room, case) == NOTHING
    finish(room, case, ruling, "corrected_award")


@pytest.mark.parametrize("kind", ["corrected_award", "goodwill"])
def test_who_is_killed_in_the_middle_of_an_approval_leaves_all_of_it_or_nothing(
    room: Room, kind: str
) -> None:
    case, ruling = asked(room, kind)
    with log_taken(room), Doomed(approve_all, room.settings, [(case, ruling)]) as process:
        until(lambda: found(room, WAITING), "the approval to be under way")
        process.kill(0)
        assert parts_of_a_ruling(room, case) == NOTHING
    until(lambda: not found(room, BUSY), "its transaction to end")
    assert parts_of_a_ruling(room, case) in (NOTHING, WHOLE[kind][1])
    finish(room, case, ruling, kind)


@pytest.mark.parametrize("times", TIMES)
def test_whenever_approvals_are_killed_none_is_stored_in_part(room: Room, times: int) -> None:
    dice = random.Random(SEED)
    for _ in range(times):
        kinds = [dice.choice([*WHOLE]) for _ in range(8)]
        waiting = [asked(room, kind) for kind in kinds]
        with Doomed(approve_all, room.settings, waiting) as process:
            heard = process.reports_until("approved", dice.randrange(1, 6))
            heard += process.kill(dice.uniform(0, 0.01))
        until(lambda: not found(room, BUSY), "its transaction to end")
        told_of = {ruling for word, *rest in heard if word == "approved" for ruling in rest}
        for kind, (case, ruling) in zip(kinds, waiting, strict=True):
            parts = parts_of_a_ruling(room, case)
            possible = (WHOLE[kind][1],) if ruling in told_of else (NOTHING, WHOLE[kind][1])
            assert parts in possible
            finish(room, case, ruling, kind)
    projector_of(room).catch_up()
    with room.connect() as connection:
        hands = [hand for (hand,) in connection.execute("select hand from disputes")]
    events = {hand: events_of(room, hand) for hand in hands}
    assert list(rulings_that_differ(room, events)) == []
