"""Hands played by the rules from first to last: every projection tells the same money."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any

import msgspec
import pytest

from projections.catalogue import PROJECTIONS
from projections.hand_players import HAND_PLAYERS
from projections.hands import HANDS
from projections.odd_chips import ODD_CHIPS
from projections.pots import POTS
from projections.rake_ledger import RAKE_LEDGER
from projections.shape import follow
from services.demo.arranged import arranged_hands
from services.demo.hands import DealtHand, table_hands
from tests.support.told_hands import fold, table_rows

PLAYED = [*arranged_hands(), *table_hands(45)]

each_hand = pytest.mark.parametrize("hand", PLAYED, ids=lambda hand: hand.number)


def accounts(hand: DealtHand) -> dict[str, int]:
    total = Counter[str]()
    for row in table_rows(RAKE_LEDGER, hand.events):
        total[row.account] += row.amount
    return {account: amount for account, amount in total.items() if amount}


@each_hand
def test_the_books_end_with_players_and_house_only(hand: DealtHand) -> None:
    (row,) = table_rows(HANDS, hand.events)
    players = table_rows(HAND_PLAYERS, hand.events)
    rake = {"House:Rake": row.rake} if row.rake else {}
    nets = {f"Player:{player.player}:Table": player.net for player in players if player.net}
    assert accounts(hand) == nets | rake


@each_hand
def test_every_step_of_the_books_balances(hand: DealtHand) -> None:
    by_step = Counter[int]()
    for row in table_rows(RAKE_LEDGER, hand.events):
        by_step[row.step] += row.amount
    assert not any(by_step.values())


@each_hand
def test_pots_hold_what_was_matched_and_are_paid_out_to_the_last_chip(hand: DealtHand) -> None:
    (row,) = table_rows(HANDS, hand.events)
    pots = table_rows(POTS, hand.events)
    assert sum(pot.gross for pot in pots) == row.pot
    assert sum(pot.rake for pot in pots) == row.rake
    for pot in pots:
        assert pot.gross == pot.rake + pot.awarded
        assert sum(_read(pot.contributions).values()) == pot.gross
        assert sum(half["amount"] for half in _read(pot.halves)) == pot.awarded


def _read(text: str) -> Any:
    return msgspec.json.decode(text)


@each_hand
def test_what_each_seat_put_in_is_in_some_pot(hand: DealtHand) -> None:
    paid = Counter[int]()
    for pot in table_rows(POTS, hand.events):
        paid.update({int(seat): chips for seat, chips in _read(pot.contributions).items()})
    players = table_rows(HAND_PLAYERS, hand.events)
    assert {p.seat: p.contributed for p in players if p.contributed} == dict(paid)


@each_hand
def test_the_rake_is_borne_to_the_last_chip(hand: DealtHand) -> None:
    (row,) = table_rows(HANDS, hand.events)
    assert sum(player.rake for player in table_rows(HAND_PLAYERS, hand.events)) == row.rake


@each_hand
def test_every_odd_chip_of_an_award_is_told(hand: DealtHand) -> None:
    shares = chain.from_iterable(
        half["shares"] for pot in table_rows(POTS, hand.events) for half in _read(pot.halves)
    )
    ties = [row for row in table_rows(ODD_CHIPS, hand.events) if row.rule != "P4"]
    assert sorted((row.seat, row.amount) for row in ties) == sorted(
        (share["seat"], share["odd"]) for share in shares if share["odd"]
    )


def test_the_arranged_hands_have_odd_chips_of_both_kinds() -> None:
    rows = chain.from_iterable(table_rows(ODD_CHIPS, hand.events) for hand in PLAYED)
    assert {"P4", "P6"} <= {row.rule for row in rows}


def test_folding_several_projections_side_by_side_changes_none_of_them() -> None:
    hands = PLAYED[:2]
    alone = [[fold(p, hand.events) for p in PROJECTIONS] for hand in hands]
    # Fact by fact, two hands and six projections in turn, so that memory could mix them up.
    rows: list[list[Any]] = [[None] * len(PROJECTIONS) for _ in hands]
    for step in range(max(len(hand.events) for hand in hands)):
        for place, hand in enumerate(hands):
            for i, projection in enumerate(PROJECTIONS):
                if step < len(hand.events):
                    rows[place][i] = projection.project(rows[place][i], hand.events[step])
    assert rows == alone


def test_following_gives_the_same_state_twice_without_working_it_out_again() -> None:
    started, *_ = PLAYED[0].events
    hand = follow(None, started)
    assert follow(None, started) is hand
