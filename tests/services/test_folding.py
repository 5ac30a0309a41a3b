"""Folding a page asks each projection only of the facts it heeds, and that changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from domain import commands as c
from domain import events as e
from domain.events import encode, tag_of
from domain.evolve import replay
from domain.rulings import void
from projections.catalogue import PROJECTIONS
from services.demo.arranged import arranged_hands
from services.demo.hands import table_hands
from services.projecting.folding import Folder
from services.store.port import Recorded
from tests.support.told_hands import correction, fold, odd_chip_hand, quiet_hand, side_pot_hand

Facts = tuple[e.HandEvent, ...]

NOTED = e.IncidentNoted(kind="conflict", text="another record tells it differently")
HANDS: list[Facts] = [
    *(hand.events for hand in (*arranged_hands(), *table_hands(12))),
    (*quiet_hand(), NOTED),  # Not over yet.
    (*odd_chip_hand(), correction({1: -25, 2: 25}, 0)),
    (*side_pot_hand(), void(replay(side_pot_hand()), c.Void(reason="misdeal"))),
]


def recorded(facts: Facts) -> list[Recorded]:
    hand, at = uuid4(), datetime(2026, 1, 9, tzinfo=UTC)
    return [
        Recorded(n, hand, n, tag_of(fact), encode(fact), at, "ann", None, None, None)
        for n, fact in enumerate(facts, 1)
    ]


def no_history(hands: object) -> dict[UUID, tuple[Recorded, ...]]:
    raise AssertionError("what was carried on need not be read again")


@pytest.mark.parametrize("facts", HANDS, ids=range(len(HANDS)))
@pytest.mark.parametrize("page", [1, 7, 1000])
def test_a_hand_folded_page_by_page_is_what_every_projection_makes_of_it(
    facts: Facts, page: int
) -> None:
    folder = Folder(PROJECTIONS, no_history)
    told = recorded(facts)
    ended = next((n for n, f in enumerate(facts, 1) if type(f) is e.HandCompleted), len(facts))
    last = None
    for start in range(0, ended, page):
        (last,) = folder.fold(told[start : min(start + page, ended)])
    assert last is not None
    assert list(last.rows) == [fold(p, facts[:ended]) for p in PROJECTIONS]


@pytest.mark.parametrize("facts", HANDS, ids=range(len(HANDS)))
def test_what_comes_after_the_end_is_folded_onto_the_whole_hand(facts: Facts) -> None:
    told = recorded(facts)
    folder = Folder(PROJECTIONS, lambda hands: {told[0].stream: tuple(told)})
    (last,) = folder.fold(told[-1:])
    assert list(last.rows) == [fold(p, facts) for p in PROJECTIONS]
    assert list(last.before) == [fold(p, facts[:-1]) for p in PROJECTIONS]


def heeded(facts: Sequence[e.HandEvent]) -> set[type]:
    return {type(fact) for fact in facts}


def test_the_hands_here_tell_of_every_kind_of_fact_that_is_heeded() -> None:
    kinds = set().union(*(heeded(facts) for facts in HANDS))
    some = set().union(*(p.heeds for p in PROJECTIONS if p.name != "findings"))
    assert some <= kinds
