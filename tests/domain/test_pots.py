"""Main pot and side pots (P1)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from domain.rules.pots import build_pots
from domain.units import Chips, Seat

A, B, C, D = 1, 2, 3, 4


def layers(paid: dict[Seat, Chips], *live: Seat) -> list[tuple[Chips, tuple[Seat, ...]]]:
    return [(pot.amount, pot.claimants) for pot in build_pots(paid, live)]


def test_an_all_in_player_has_a_claim_to_the_main_pot_only() -> None:
    # Example 1, after C's 200 went back: A all-in 100, B and C 300, D folded after 60.
    paid = {A: 100, B: 300, C: 300, D: 60}
    assert layers(paid, A, B, C) == [(360, (A, B, C)), (400, (B, C))]


def test_a_layer_whose_contributors_all_folded_joins_the_one_below() -> None:
    # Example 5: C and D folded at 180, above everybody still in.
    assert layers({A: 100, B: 100, C: 180, D: 180}, A, B) == [(560, (A, B))]


def test_a_player_who_times_out_keeps_his_claim_to_what_he_matched() -> None:
    # Example 11, after 60 went back to B: A all-in 100, C 60 in.
    assert layers({A: 100, B: 100, C: 60}, A, B, C) == [(180, (A, B, C)), (80, (A, B))]


def test_three_totals_make_three_pots() -> None:
    # Example 12: A timed out at 20, B all-in 12, C and D 40.
    paid = {A: 20, B: 12, C: 40, D: 40}
    assert layers(paid, A, B, C, D) == [(48, (A, B, C, D)), (24, (A, C, D)), (40, (C, D))]


def test_a_returned_bet_leaves_no_third_pot() -> None:
    # Example 12 had D folded with nothing in: 20 back to C.
    paid = {A: 20, B: 12, C: 20, D: 0}
    assert layers(paid, A, B, C) == [(36, (A, B, C)), (16, (A, C))]


def test_a_pot_with_one_claimant_is_a_pot() -> None:
    # Example 21: A all-in 100, C bet to 180, D called and folded on the next street.
    assert layers({A: 100, C: 180, D: 180}, A, C) == [(300, (A, C)), (160, (C,))]


def test_an_all_in_player_is_not_folded_and_a_folded_one_never_has_a_claim() -> None:
    assert layers({A: 500, B: 500, C: 20}, B, C) == [(60, (B, C)), (960, (B,))]


def test_an_earlier_all_in_stays_eligible_when_later_streets_have_no_bets() -> None:
    assert layers({A: 75, B: 75, C: 75}, A, B, C) == [(225, (A, B, C))]


def test_a_returned_bet_is_not_a_contribution() -> None:
    # Bet 254, called all-in for 220: 34 went back, the bettor contributed 220.
    assert layers({A: 220, B: 220}, A, B) == [(440, (A, B))]


def test_folded_money_falls_into_the_layers_it_reaches() -> None:
    pots = build_pots({A: 100, B: 300, C: 300, D: 160}, (A, B, C))
    assert [pot.paid for pot in pots] == [
        {A: 100, B: 100, C: 100, D: 100},
        {B: 200, C: 200, D: 60},
    ]


def test_claimants_stand_in_the_order_the_live_seats_were_given() -> None:
    assert layers({A: 10, B: 10, C: 10}, C, A, B) == [(30, (C, A, B))]


def test_nothing_put_in_makes_no_pot() -> None:
    assert layers({A: 0, B: 0}, A, B) == []


def test_a_live_player_who_put_in_nothing_has_no_claim_to_what_others_did() -> None:
    assert layers({A: 0, B: 10, C: 10}, A, B, C) == [(20, (B, C))]


def test_the_last_player_takes_what_others_put_in_even_with_nothing_of_his_own() -> None:
    assert layers({A: 10, B: 10, C: 0}, C) == [(20, (C,))]


def chip_by_chip(paid: dict[Seat, Chips], live: frozenset[Seat]) -> list[tuple[Chips, set[Seat]]]:
    """The pots again, one chip of everybody at a time: slow, and obvious."""
    pots: list[tuple[Chips, set[Seat]]] = []
    for level in range(max(paid.values())):
        chips = sum(1 for amount in paid.values() if amount > level)
        claim = {seat for seat in live if paid[seat] > level}
        if pots and (not claim or claim == pots[-1][1]):
            pots[-1] = (pots[-1][0] + chips, pots[-1][1])
        else:
            pots.append((chips, claim))
    return pots


@st.composite
def money_in(draw: st.DrawFn) -> tuple[dict[Seat, Chips], frozenset[Seat]]:
    """What up to eight seats put in, and who of them is still in; somebody who paid is."""
    amounts = draw(st.lists(st.integers(0, 40), min_size=2, max_size=8))
    paid = dict(enumerate(amounts, start=1))
    live = draw(st.frozensets(st.sampled_from(sorted(paid)), min_size=1))
    if not any(paid[seat] for seat in live):
        paid[min(live)] = draw(st.integers(1, 40))
    return paid, live


@given(money_in())
def test_pots_are_those_of_a_dealer_who_counts_one_chip_at_a_time(
    money: tuple[dict[Seat, Chips], frozenset[Seat]],
) -> None:
    paid, live = money
    pots = build_pots(paid, sorted(live))
    assert [(pot.amount, set(pot.claimants)) for pot in pots] == chip_by_chip(paid, live)


@given(money_in())
def test_pots_hold_every_seats_money_and_nothing_else(
    money: tuple[dict[Seat, Chips], frozenset[Seat]],
) -> None:
    paid, live = money
    pots = build_pots(paid, sorted(live))
    assert all(sum(pot.paid.values()) == pot.amount > 0 for pot in pots)
    for seat, amount in paid.items():
        assert sum(pot.paid.get(seat, 0) for pot in pots) == amount
    assert len({pot.claimants for pot in pots}) == len(pots)
