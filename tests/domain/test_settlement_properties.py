"""Whatever the money, the cards and the room's policies: a settlement adds up (P1-P7, R5, R6)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from pokerkit import (
    Automation,
    FixedLimitSevenCardStud,
    FixedLimitSevenCardStudHighLowSplitEightOrBetter,
)

from domain.cards import DECK
from domain.hand import Awarded, Hand, Player
from domain.ranking import high_score, low8_score, low_any_score
from domain.rules.objections import object_to_awards
from domain.rules.payouts import payouts, won
from domain.rules.rake import attribute
from domain.rules.settlement import settle
from domain.units import UNKNOWN, AttributionMethod, Chips, Game, Seat
from tests.support.tables import DOLLARS, PLAY, paid_to, player, rules, table

METHODS: tuple[AttributionMethod, ...] = ("dealt", "contributed", "weighted", "winner")
GAMES: tuple[Game, ...] = ("stud", "stud8", "stud_hilo")
# Six ranks of low and high cards: ties, lows and split pots are then frequent.
FEW_RANKS = tuple(card for card in DECK if card[0] in "A258TJQK")


@st.composite
def hands(draw: st.DrawFn, deck: tuple[str, ...] = FEW_RANKS) -> Hand:
    """Two to four seats with all their cards, whatever they paid and whoever folded."""
    count = draw(st.integers(2, 4))
    held = draw(st.permutations(deck))
    seats = sorted(draw(st.lists(st.integers(1, 8), min_size=count, max_size=count, unique=True)))
    amount = st.one_of(st.integers(0, 12_000), st.sampled_from((300, 900, 1001, 2500)))
    players = [
        player(
            seat,
            draw(amount),
            " ".join(held[7 * n : 7 * n + 7]),
            status=draw(st.sampled_from(("active", "all_in", "timed_out", "folded"))),
        )
        for n, seat in enumerate(seats)
    ]
    if not any(p.still_in for p in players):
        players[0] = replace(players[0], status="active")
    return table(*players, **draw(rooms(seats)))


def rooms(seats: list[Seat]) -> st.SearchStrategy[dict[str, Any]]:
    """Every policy that touches a settlement."""
    house = st.builds(
        rules,
        stud_odd_chip=st.sampled_from(("left_of_dealer", "card", "any")),
        hi_lo_odd_chip=st.sampled_from(("card", "any")),
        odd_chip_cards=st.sampled_from(("all_seven", "five")),
        odd_chip_tie=st.sampled_from(("left_of_dealer", "suit")),
        rake_attribution=st.sampled_from(METHODS),
    )
    return st.fixed_dictionaries(
        {
            "game": st.sampled_from(GAMES),
            "dealer": st.sampled_from((None, *seats)),
            "chip": st.sampled_from((1, 5, 25, 50)),
            "money": st.sampled_from((PLAY, DOLLARS)),
            "bets": st.sampled_from(((100, 200), (500, 1000), (1500, 3000))),
            "house": house,
        }
    )


@given(hands())
def test_awards_and_rake_are_the_matched_pot(hand: Hand) -> None:
    settled = settle(hand)
    rake = settled.rake.total if settled.rake else 0
    assert sum(pot.amount for pot in settled.pots) == hand.pot
    assert sum(award.amount for award in settled.awards) + rake == hand.pot
    for award in settled.awards:
        assert sum(share.amount for share in award.shares) == award.amount
        assert all(0 <= share.odd <= share.amount for share in award.shares)


@given(hands())
def test_nobody_wins_what_he_has_no_claim_to(hand: Hand) -> None:
    settled = settle(hand)
    for award in settled.awards:
        assert {share.seat for share in award.shares} <= set(settled.pots[award.pot].claimants)


@given(hands())
def test_what_is_settled_is_never_objected_to(hand: Hand) -> None:
    settled = settle(hand)
    awards = tuple(Awarded(step=1, award=award) for award in settled.awards)
    assert object_to_awards(replace(hand, rake_taken=settled.rake, awards=awards)) == ()


@given(hands(), st.sampled_from(METHODS), st.integers(0, 400))
def test_every_method_attributes_a_rake_exactly(
    hand: Hand, method: AttributionMethod, total: Chips
) -> None:
    shares = attribute(hand, total, method, won(payouts(hand))).shares
    assert sum(share.amount for share in shares) == total
    assert [share.seat for share in shares] == [p.seat for p in hand.seats]


@given(hands(), st.data())
def test_seeing_fewer_cards_never_turns_a_right_award_into_a_fault(
    hand: Hand, data: st.DataObject
) -> None:
    settled = settle(hand)
    awards = tuple(Awarded(step=1, award=award) for award in settled.awards)
    seats = tuple(
        replace(p, down=(UNKNOWN, UNKNOWN, *p.down[2:])) if data.draw(st.booleans()) else p
        for p in hand.seats
    )
    seen = replace(hand, seats=seats, rake_taken=settled.rake, awards=awards)
    assert object_to_awards(seen) == ()


def by_hand(hand: Hand) -> dict[Seat, Fraction]:
    """What each seat wins, in exact fractions and chip by chip: no odd chips, no pots, no rake."""
    live = {p.seat: p for p in hand.still_in}
    paid = {p.seat: p.paid for p in hand.seats}
    got = dict.fromkeys(paid, Fraction(0))
    claim = set(live)
    for level in range(max(paid.values())):
        claim = {seat for seat in live if paid[seat] > level} or claim
        chips = sum(1 for amount in paid.values() if amount > level)
        for winners, part in parts(hand.started.game, {seat: live[seat] for seat in claim}):
            for seat in winners:
                got[seat] += chips * part / len(winners)
    return got


def parts(game: Game, claim: dict[Seat, Player]) -> list[tuple[list[Seat], Fraction]]:
    """Who wins which part of a chip."""
    high = best({seat: high_score(p.cards) for seat, p in claim.items()})
    if game == "stud":
        return [(high, Fraction(1))]
    score = low8_score if game == "stud8" else low_any_score
    lows = {seat: score(p.cards) for seat, p in claim.items()}
    low = best({seat: value for seat, value in lows.items() if value is not None})
    return [(high, Fraction(1, 2)), (low, Fraction(1, 2))] if low else [(high, Fraction(1))]


def best(scores: dict[Seat, int]) -> list[Seat]:
    return [seat for seat, score in scores.items() if score == max(scores.values())]


@settings(max_examples=60)
@given(hands(), st.lists(st.integers(1, 40), min_size=4, max_size=4))
def test_everybody_gets_his_exact_part_but_for_the_chips_that_do_not_divide(
    hand: Hand, amounts: list[Chips]
) -> None:
    small = replace(
        hand,
        started=replace(hand.started, money=PLAY),
        seats=tuple(replace(p, paid=n) for p, n in zip(hand.seats, amounts, strict=False)),
    )
    chip, exact = small.started.stakes.chip_unit, by_hand(small)
    settled = settle(small)
    got = paid_to(settled.awards)
    # Each award may be a chip and its dust away from an exact part, halves another.
    most = 4 * chip * max(len(settled.awards), 1)
    assert all(abs(got.get(seat, 0) - part) <= most for seat, part in exact.items())
    assert sum(got.values()) == sum(exact.values())


AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def stacks_by_pokerkit(game: Game, paid: list[Chips], held: list[tuple[str, ...]]) -> list[Chips]:
    """The stacks after everybody went all-in for his ante, by another engine."""
    kind = (
        FixedLimitSevenCardStud
        if game == "stud"
        else FixedLimitSevenCardStudHighLowSplitEightOrBetter
    )
    state = kind.create_state(AUTOMATIC, True, tuple(paid), 1, 2, 4, tuple(paid), len(paid))
    for own in held:
        state.deal_hole("".join(own[:3]))
    for street in (3, 4, 5, 6):
        state.burn_card("??")
        for own in held:
            state.deal_hole(own[street])
    return list(state.stacks)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(("stud", "stud8")),
    st.lists(st.integers(1, 5), min_size=2, max_size=4),
    st.permutations(FEW_RANKS),
)
def test_payouts_are_those_of_another_engine_where_nothing_is_odd(
    game: Game, units: list[int], deck: list[str]
) -> None:
    # 24 divides into halves and ties of two to four; the deepest stack is matched by another.
    paid = [24 * unit for unit in sorted(units)]
    paid[-1] = paid[-2]
    held = [tuple(deck[7 * n : 7 * n + 7]) for n in range(len(paid))]
    players = [player(n + 1, paid[n], " ".join(own)) for n, own in enumerate(held)]
    got = paid_to(settle(table(*players, game=game)).awards)
    assert [got.get(n + 1, 0) for n in range(len(paid))] == stacks_by_pokerkit(game, paid, held)
