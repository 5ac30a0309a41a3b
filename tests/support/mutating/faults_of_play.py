"""Faults of dealing and betting: who, when, how much, which cards."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain import events as e
from domain.cards import DECK
from domain.hand import Hand
from domain.rules.betting import MOST_BETS, why_no_raise
from domain.rules.turn import hand_over, street_over, turn
from tests.support.mutating.clean import Clean
from tests.support.mutating.fault import (
    ACTS,
    WAGERS,
    Facts,
    Fault,
    Makes,
    each,
    others,
    resized,
    unit,
)

Made = Iterator[tuple[int, Facts]]


def wrong_bring_in(hand: Clean) -> Made:
    """Another seat posts it, or is named as the one with the lowest door card."""
    for at, event, before, rest in each(hand, e.BringInPosted):
        for seat in (s for s in others(before, event.seat) if s not in turn(before)):
            yield at, (replace(event, seat=seat), *rest)
    yield from _other_opener(hand, third=True)


def wrong_opener(hand: Clean) -> Made:
    """Another seat acts first on fourth street or later, or is named as the highest board."""
    for at, event, before, rest in each(hand, *ACTS, e.TimedOut):
        if before.betting.last is None and before.betting.street > 3:
            for seat in (s for s in others(before, event.seat) if s not in turn(before)):
                yield at, (replace(event, seat=seat), *rest)
    yield from _other_opener(hand, third=False)


def _other_opener(hand: Clean, *, third: bool) -> Made:
    for at, event, before, rest in each(hand, e.BettingOpened):
        if (event.street == 3) is third:
            for seat in others(before, event.opener):
                yield at, (replace(event, opener=seat), *rest)


def out_of_turn(hand: Clean) -> Made:
    """Another seat acts, or two act in the wrong order."""
    for at, event, before, rest in each(hand, *ACTS, e.TimedOut):
        if before.betting.last is None or before.ran_out is not None:
            continue
        for seat in others(before, event.seat):
            yield at, (replace(event, seat=seat), *rest)
        if rest and isinstance(rest[0], ACTS):
            yield at, (rest[0], event, *rest[1:])


def illegal_amount(hand: Clean) -> Made:
    """A chip more or less, or twice as much, than a wager, call, ante or forced bet has to be."""
    for at, event, before, rest in each(hand, *WAGERS, e.Called, e.BringInPosted, e.AntePosted):
        amount = event.to if isinstance(event, WAGERS) else event.amount
        for by in {unit(before), -unit(before), amount}:
            yield at, (resized(event, by), *rest)


def not_allowed(hand: Clean) -> Made:
    """A check where chips are owed, a fold or check instead of the bring-in, an idle call."""
    for at, event, before, rest in each(hand, e.Called, e.BringInPosted, e.Checked):
        if before.ran_out is not None:
            continue
        if isinstance(event, e.Checked):
            yield at, (e.Called(seat=event.seat, amount=unit(before), all_in=False), *rest)
            continue
        yield at, (e.Checked(seat=event.seat), *rest)
        if isinstance(event, e.BringInPosted) and before.betting.last is None:
            yield at, (e.Folded(seat=event.seat), *rest)


def _raised_instead(hand: Clean, wanted: str) -> Made:
    """A full raise in place of a call, where a rule forbids it."""
    for at, event, before, rest in each(hand, e.Called):
        player = before.player(event.seat)
        forbidden = why_no_raise(before, player)
        if before.ran_out is not None or forbidden is None or forbidden[0] != wanted:
            continue
        bet = before.started.stakes.big_bet if before.betting.street > 4 else _small(before)
        to = before.betting.price + bet
        if to < player.street_total + player.stack:
            yield at, (e.Raised(seat=event.seat, to=to, size="small", all_in=False), *rest)


def _small(hand: Hand) -> int:
    return hand.started.stakes.small_bet


def over_the_cap(hand: Clean) -> Made:
    """A fourth raise (B3)."""
    for at, tail in _raised_instead(hand, "B3"):
        assert hand.at(at).betting.bets >= MOST_BETS
        yield at, tail


def reopened(hand: Clean) -> Made:
    """A raise by somebody who has acted since the last wager that counted (B7)."""
    yield from _raised_instead(hand, "B7")


def double_bet(hand: Clean) -> Made:
    """The big bet on fourth street where no open pair allows it (B4)."""
    for at, event, before, rest in each(hand, e.BetPlaced, e.Raised):
        betting = before.betting
        if betting.street == 4 and not betting.double_bet and not event.all_in:
            to = betting.base + before.started.stakes.big_bet
            player = before.player(event.seat)
            if event.to != to < player.street_total + player.stack:
                yield at, (replace(event, to=to, size="big"), *rest)


def no_return(hand: Clean) -> Made:
    """An uncalled bet that never goes back."""
    for at, _, _, rest in each(hand, e.UncalledReturned):
        yield at, rest


def wrong_return(hand: Clean) -> Made:
    """Twice, too much, too little, to somebody else, or while somebody may still call."""
    for at, event, before, rest in each(hand, e.UncalledReturned):
        yield at, (event, event, *rest)
        yield at, (event, replace(event, amount=unit(before)), *rest)
        for by in (unit(before), -unit(before)):
            yield at, (replace(event, amount=event.amount + by), *rest)
        for seat in others(before, event.seat):
            yield at, (replace(event, seat=seat), *rest)
        last = hand.events[at - 1]
        if isinstance(last, ACTS):
            yield at - 1, (event, last, *rest)


def wrong_number_of_cards(hand: Clean) -> Made:
    """A card too many, too few, face up for face down, for nobody, or twice on a street."""
    for at, event, before, rest in each(hand, e.CardsDealt):
        fresh = tuple(card for card in DECK if card not in hand.end.seen)
        yield at, (replace(event, up=(*event.up, fresh[0])), *rest)
        yield at, (replace(event, down=(*event.down, fresh[0])), *rest)
        turned = (event.up, event.down) if event.street != 3 else ((), (*event.down, *event.up))
        yield at, (replace(event, down=turned[0], up=turned[1]), *rest)
        yield at, rest
        again = replace(
            event, down=fresh[: len(event.down)], up=fresh[2 : 2 + len(event.up)], positions=None
        )
        yield at, (event, again, *rest)
        for seat in (p.seat for p in before.seats if not p.still_in):
            yield at, (replace(again, seat=seat), event, *rest)


def community_not_due(hand: Clean) -> Made:
    """One card for all though the deck had enough, or down cards though it had not."""
    fresh = next(card for card in DECK if card not in hand.end.seen)
    for at, event, before, rest in each(hand, e.CardsDealt):
        if event.street > before.betting.street:
            left = [x for x in rest if not isinstance(x, e.CardsDealt) or x.street != event.street]
            yield at, (e.CommunityCardDealt(card=fresh, position=None), *left)
    for at, event, before, rest in each(hand, e.CommunityCardDealt):
        seat = before.still_in[0].seat
        down = e.CardsDealt(seat=seat, street=7, down=(event.card,), up=(), positions=None)
        yield at, (down, *rest)


def cards_at_the_wrong_time(hand: Clean) -> Made:
    """The next street before the betting is over, or after the hand is."""
    for at, event, before, rest in each(hand, *ACTS):
        street = before.betting.street + 1
        if street <= 7 and not street_over(before) and before.ran_out is None:
            yield at, (_one_card(hand, before, street), event, *rest)
    for at, event, before, rest in each(hand, e.HandCompleted):
        if hand_over(before) and before.betting.street < 7:
            yield at, (_one_card(hand, before, before.betting.street + 1), event, *rest)


def _one_card(hand: Clean, before: Hand, street: int) -> e.CardsDealt:
    fresh = next(card for card in DECK if card not in hand.end.seen)
    down, up = ((fresh,), ()) if street == 7 else ((), (fresh,))
    seat = before.still_in[0].seat
    return e.CardsDealt(seat=seat, street=street, down=down, up=up, positions=None)


def antes(hand: Clean) -> Made:
    """No ante, one too many, or after the cards."""
    for at, event, _, rest in each(hand, e.AntePosted):
        yield at, rest
        yield at, (event, event, *rest)
        late = next((i for i, x in enumerate(rest) if isinstance(x, ACTS)), None)
        if late is not None:
            yield at, (*rest[:late], event, *rest[late:])


def clock(hand: Clean) -> Made:
    """A time-out that makes something else of it, or comes before its time."""
    for at, event, before, rest in each(hand, e.TimedOut):
        for outcome in ("all_in", "fold", "check", "bring_in"):
            if outcome != event.outcome:
                yield at, (replace(event, outcome=outcome), *rest)
        if event.deadline is not None and before.started.house_rules.clock is not None:
            early = replace(event, deadline=event.turn_started_at)
            yield at, (early, *rest)


def all_in_flag(hand: Clean) -> Made:
    """All-in who is not, or not all-in who is."""
    for at, event, _, rest in each(hand, *WAGERS, e.Called, e.BringInPosted, e.AntePosted):
        yield at, (replace(event, all_in=not event.all_in), *rest)


def _fault(name: str, rules: str, make: Makes) -> Fault:
    return Fault(name, frozenset(rules.split()), make)


TURN = "S3 S4 S5 B1 B2 B5 B10 C4 G5"
FAULTS_OF_PLAY = (
    _fault("ante missing, doubled or late", "S1 S2", antes),
    _fault("wrong bring-in", "S3 S5 B1 B2", wrong_bring_in),
    _fault("wrong opener", "B1 B2 B10 C4", wrong_opener),
    _fault("out of turn", TURN, out_of_turn),
    _fault("action that is not allowed", "S4 B5", not_allowed),
    _fault("illegal amount", "S1 S2 S4 S6 S7 B4 B5 B7 C4", illegal_amount),
    _fault("all-in wrongly marked", "S2 B5", all_in_flag),
    _fault("over the cap", "B3", over_the_cap),
    _fault("double bet without a pair", "B4", double_bet),
    _fault("betting reopened by a short all-in", "B7", reopened),
    _fault("uncalled bet not returned", "B8", no_return),
    _fault("uncalled bet returned twice or wrongly", "B8", wrong_return),
    _fault("wrong number of cards", "G5 G6", wrong_number_of_cards),
    _fault("cards before or after their time", "G5", cards_at_the_wrong_time),
    _fault("community card when not due, or missing", "G5 G6", community_not_due),
    _fault("time-out with the wrong outcome or too soon", "C1 C2 C4", clock),
)
