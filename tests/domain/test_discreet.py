"""Cards and people never appear where a struct is printed."""

from __future__ import annotations

import pytest

from domain import commands as c
from domain import events as e
from domain.cards import DECK
from domain.ranking import judge_high
from tests.support.bdd import Table, started


def printed(value: object) -> str:
    return repr(value)


def test_a_hand_prints_neither_cards_nor_players() -> None:
    table = Table(started({1: 1000, 2: 1000}))
    table.deal()
    text = printed(table.now) + printed(table.log)
    assert "stack=1000" in text
    assert not [card for card in DECK if f"'{card}'" in text]
    assert "player-1" not in text


@pytest.mark.parametrize(
    "value",
    [
        e.CardsShown(seat=1, cards=("Ah", "Kd")),
        e.CommunityCardDealt(card="Ah", position=None),
        c.Deal(cards=("Ah", "Kd")),
        e.Compared(seat=1, rule="G1", cards=("Ah",), words="ace of hearts"),
        judge_high(("Ah", "Kd", "7c", "5s", "2h")),
    ],
    ids=lambda value: type(value).__name__,
)
def test_cards_are_left_out(value: object) -> None:
    assert "Ah" not in printed(value)
    assert "ace" not in printed(value)
