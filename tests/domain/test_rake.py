"""The house's commission: due or not, how much, from which pot, from whom (R1-R6)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.events import Attribution, RakeTaken
from domain.hand import Hand
from domain.house_rules import POKERSTARS
from domain.rules.rake import (
    attribute,
    bear,
    expected_rake,
    fourth_street_dealt,
    largest_remainder,
    rake_due,
)
from domain.rules.settlement import settle
from domain.units import AttributionMethod, Chips
from tests.support.tables import (
    DOLLARS,
    PLAY,
    any_cards,
    folded,
    paid_to,
    player,
    rake_shares,
    rules,
    table,
)

METHODS: tuple[AttributionMethod, ...] = ("dealt", "contributed", "weighted", "winner")


def seats_of(players: int, **about: Any) -> Hand:
    return table(
        *(player(seat, 0, held) for seat, held in enumerate(any_cards(players), start=1)),
        money=DOLLARS,
        **about,
    )


def due(hand: Hand, *pots: Chips) -> tuple[Chips, ...]:
    charge = rake_due(hand, pots)
    assert charge is not None
    assert charge.total == sum(charge.pots)
    return charge.pots


@pytest.mark.parametrize(("pot", "rake"), [(5500, 150), (5499, 100), (3999, 0)])
def test_a_step_applies_from_its_size_on(pot: Chips, rake: Chips) -> None:
    # Example 6: $15/$30, five players.
    assert due(seats_of(5, bets=(1500, 3000)), pot) == (rake,)


@pytest.mark.parametrize(
    ("bets", "pots", "borne"),
    [
        ((500, 1000), (2500, 2000), (100, 100)),
        ((500, 1000), (1950, 60), (40, 60)),
        ((1000, 2000), (1800, 2400, 3000), (0, 200, 100)),
        ((500, 1000), (1500, 3000), (0, 200)),
    ],
)
def test_each_pot_bears_what_its_money_adds(
    bets: tuple[Chips, Chips], pots: tuple[Chips, ...], borne: tuple[Chips, ...]
) -> None:
    # Example 19 and rule R5, six players.
    assert due(seats_of(6, bets=bets), *pots) == borne


def test_a_site_that_books_its_rake_by_pot_does_it_the_same_way() -> None:
    # A record's gross pots of 44 and 64 with a rake of 5 are net 42 and 61.
    assert bear((44, 64), lambda pot: pot * 5 // 100) == (2, 3)


def test_rake_is_taken_of_the_matched_pot_only() -> None:
    # Example 20: $1/$2, 13 on the table, 2 of it uncalled and back with the winner.
    hand = table(player(1, 550), folded(2, 550), money=DOLLARS, bets=(100, 200))
    settled = settle(hand)
    assert settled.rake is not None
    assert settled.rake.total == 50
    assert paid_to(settled.awards) == {1: 1050}


def test_an_uncalled_bet_goes_back_before_the_rake_is_reckoned() -> None:
    # A bet to 82 came back and left 396: with it the pot would have reached the step at 400.
    hand = table(player(1, 198), folded(2, 198), money=DOLLARS, house=rules(rake="as_recorded"))
    (pot,) = settle(hand).pots
    assert pot.amount == 396
    assert bear((pot.amount,), lambda amount: 20 if amount >= 400 else 0) == (0,)


def test_a_hand_that_ends_on_third_street_is_not_raked() -> None:
    hand = table(player(1, 3000, "Ah Kh Qh"), folded(2, 3000), money=DOLLARS, street=3)
    settled = settle(hand)
    assert settled.rake is not None
    assert (settled.rake.total, settled.rake.pots) == (0, (0,))
    assert settled.rake.step == "ended before fourth street: $0.00"


def test_a_room_may_rake_third_street() -> None:
    house = rules(rake_third_street=True)
    hand = table(player(1, 3000), folded(2, 3000), money=DOLLARS, street=3, house=house)
    rake = settle(hand).rake
    assert rake is not None
    assert rake.total == 100


def test_fourth_street_is_dealt_when_anybody_has_a_second_upcard() -> None:
    third = table(player(1, 1, "Ah Kh Qh"), player(2, 1, "2h 3h 4h"), street=0)
    fourth = table(player(1, 1, "Ah Kh Qh"), player(2, 1, "2h 3h 4h ??"), street=0)
    assert not fourth_street_dealt(third)
    assert fourth_street_dealt(fourth)


@pytest.mark.parametrize("kind", ["play", "tournament"])
def test_only_real_money_is_raked(kind: str) -> None:
    hand = table(player(1, 9000), folded(2, 9000), money=replace(PLAY, kind=kind))
    settled = settle(hand)
    assert settled.rake is None
    assert paid_to(settled.awards) == {1: 18000}


def test_a_pot_below_the_first_step_records_a_rake_of_nothing() -> None:
    hand = table(player(1, 900), folded(2, 900), money=DOLLARS)
    rake = settle(hand).rake
    assert rake is not None
    assert (rake.total, rake.step) == (0, "pot under $20.00: $0.00")


def test_a_hand_without_a_pot_records_a_rake_of_nothing() -> None:
    rake = settle(table(player(1, 0), folded(2, 0), money=DOLLARS)).rake
    assert rake is not None
    assert (rake.total, rake.pots) == (0, ())


def taken(total: Chips, *pots: Chips) -> RakeTaken:
    nobody = Attribution(method="weighted", version=1, shares=())
    return RakeTaken(total=total, pots=pots, row=None, step=None, attribution=nobody)


def test_a_recorded_rake_is_a_fact() -> None:
    # Pot 53, collected 49: the rake is 4.
    hand = table(player(1, 26), folded(2, 27), money=DOLLARS, house=POKERSTARS)
    settled = settle(hand, taken(4, 4))
    assert (settled.rake, paid_to(settled.awards)) == (taken(4, 4), {1: 49})


def test_a_recorded_rake_that_does_not_fit_its_pots_comes_out_of_them_main_first() -> None:
    hand = seats_of(2)
    assert expected_rake(hand, (3, 10), taken(5)).pots == (3, 2)
    assert expected_rake(hand, (3, 10), taken(5, 4, 1)).pots == (3, 2)
    assert expected_rake(hand, (3, 10), taken(99, 99)).pots == (3, 10)


def test_a_witnessed_table_outside_every_band_takes_nothing_by_the_schedule() -> None:
    assert expected_rake(seats_of(5, bets=(4, 8)), (9000,)).pots == (0,)


def example_9(method: AttributionMethod) -> Hand:
    return table(
        player(1, 2010, "Ah 2d 4h 6s 7h Qs Jd"),
        player(2, 1003, "Ts Td Tc 5s 5d 9h 8c", status="all_in"),
        player(3, 2010, "Ac 2h 4s 6d 7c 7d Ks"),
        folded(4, 301),
        game="stud8",
        dealer=4,
        money=DOLLARS,
        house=rules(rake_attribution=method),
    )


@pytest.mark.parametrize(
    ("method", "shares"),
    [
        ("weighted", {1: 76, 2: 38, 3: 75, 4: 11}),
        ("dealt", {1: 50, 2: 50, 3: 50, 4: 50}),
        ("contributed", {1: 50, 2: 50, 3: 50, 4: 50}),
        ("winner", {1: 50, 2: 62, 3: 88, 4: 0}),
    ],
)
def test_the_rake_is_attributed_by_the_room_s_method(
    method: AttributionMethod, shares: dict[int, Chips]
) -> None:
    settled = settle(example_9(method))
    assert settled.rake is not None
    assert settled.rake.pots == (150, 50)
    assert settled.rake.attribution.method == method
    assert rake_shares(settled.rake) == shares


def test_contributed_leaves_out_who_has_nothing_in() -> None:
    hand = table(player(1, 50), player(2, 50), folded(3, 0), money=DOLLARS)
    shares = attribute(hand, 9, "contributed", {}).shares
    assert {share.seat: share.amount for share in shares} == {1: 4, 2: 5, 3: 0}


def test_equal_remainders_go_clockwise_from_the_dealer() -> None:
    hand = seats_of(4, dealer=2)
    shares = attribute(hand, 2, "dealt", {}).shares
    assert {share.seat: share.amount for share in shares} == {1: 0, 2: 0, 3: 1, 4: 1}


def test_an_attribution_never_sums_to_more_than_the_rake() -> None:
    # Real books attributed 0.20 + 0.20 + 0.20 + 0.01 for a rake of 0.60.
    shares = largest_remainder(60, [(1, 400), (2, 400), (3, 400), (4, 20)])
    assert shares == {1: 20, 2: 20, 3: 19, 4: 1}


@given(
    st.integers(0, 10**6),
    st.lists(st.integers(0, 10**6), min_size=1, max_size=8),
)
def test_shares_by_largest_remainder_sum_to_the_rake_and_stay_within_a_unit(
    total: Chips, weights: list[Chips]
) -> None:
    shares = largest_remainder(total, list(enumerate(weights, start=1)))
    whole = sum(weights)
    assert sum(shares.values()) == total
    for seat, weight in enumerate(weights, start=1):
        exact = (total * weight, whole) if whole else (total, len(weights))
        assert 0 <= shares[seat] * exact[1] - exact[0] + exact[1] <= 2 * exact[1]


@given(
    st.sampled_from([(100, 200), (500, 1000), (1500, 3000)]),
    st.integers(2, 8),
    st.lists(st.integers(1, 9000), min_size=1, max_size=4),
)
def test_the_pots_bear_the_rake_of_the_whole_and_never_more_than_they_hold(
    bets: tuple[Chips, Chips], players: int, pots: list[Chips]
) -> None:
    hand = seats_of(players, bets=bets)
    borne = due(hand, *pots)
    assert sum(borne) == due(hand, sum(pots))[0]
    assert all(0 <= rake <= pot for rake, pot in zip(borne, pots, strict=True))


@given(st.sampled_from(METHODS), st.lists(st.integers(0, 9000), min_size=2, max_size=8))
def test_every_method_attributes_exactly_the_rake(
    method: AttributionMethod, paid: list[Chips]
) -> None:
    held = any_cards(len(paid))
    players = [player(n, chips, held[n - 1]) for n, chips in enumerate(paid, start=1)]
    rake = settle(table(*players, money=DOLLARS, house=rules(rake_attribution=method))).rake
    assert rake is not None
    assert sum(rake_shares(rake).values()) == rake.total == sum(rake.pots)
