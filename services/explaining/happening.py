"""What one fact did and the rule behind it: the chips, the cards, the clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, cast

from domain import events as e
from domain.hand import Hand
from domain.legal import legal_actions
from domain.rules.betting import MOST_BETS, size_of
from domain.rules.streets import cards_left
from domain.rules.turn import turn
from domain.words import actions
from services.explaining.explanation import Line, say
from services.explaining.opening import opening
from services.explaining.paying import prize_lines
from services.explaining.raking import rake_lines
from services.replaying.seating import Seating

Act = e.BringInPosted | e.Called | e.Completed | e.BetPlaced | e.Raised | e.Checked | e.Folded
Wager = e.Completed | e.BetPlaced | e.Raised


def why(before: Hand | None, event: e.HandEvent, after: Hand, words: Seating) -> Iterator[Line]:
    """The rules behind one fact, with the state before and after it."""
    explain = _WHY.get(type(event))
    if before is not None and explain is not None:
        yield from explain(before, event, after, words)


def _act(before: Hand, event: Act, after: Hand, words: Seating) -> Iterator[Line]:
    """What could have been done instead, and what the act changed."""
    if event.seat in turn(before):
        could = actions(words.money, legal_actions(before, event.seat))
        yield say(f"{words.subject(event.seat)} could {could}.")
    if isinstance(event, Wager):
        yield from wager(before, event, after, words)


def wager(before: Hand, event: Wager, after: Hand, words: Seating) -> Iterator[Line]:
    """Whether a wager counts as a bet, and whether it capped the round (B3, B7)."""
    size, bet = size_of(before, event.to)
    full = before.betting.base + bet
    counted = after.betting.bets > before.betting.bets
    if event.to < full and event.to > before.betting.price:
        yield _short(before, event, words, bet, counted=counted)
    if counted and after.betting.bets == MOST_BETS and not after.betting.uncapped:
        yield say("That is one bet and three raises: the round is capped.", "B3")
    if after.betting.double_bet and size == "big" and not before.betting.big:
        yield say("A big wager is made: every raise on this street is big from now on.", "B4")


def _short(before: Hand, event: Wager, words: Seating, bet: int, *, counted: bool) -> Line:
    above = words.amount(event.to - before.betting.base)
    measure = f"The all-in is {above} above {words.amount(before.betting.base)}"
    if counted:
        half = f"at least half of the {words.amount(bet)} bet: it counts as a full one"
        return say(f"{measure}, {half}.", "B7")
    half = f"less than half of the {words.amount(bet)} bet"
    means = "it raises only the price, and whoever has acted may only call or fold"
    return say(f"{measure}, {half}: {means}.", "B7")


def _ante(before: Hand, event: e.AntePosted, after: Hand, words: Seating) -> Iterator[Line]:
    ante = words.amount(before.started.stakes.ante)
    yield say(f"Everybody dealt in antes {ante} before the cards.", "S1")
    if event.amount < before.started.stakes.ante:
        yield say("A short stack posts all it has and is all-in.", "S2")


def returned(
    before: Hand, event: e.UncalledReturned, after: Hand, words: Seating
) -> Iterator[Line]:
    """Why chips come back: what the highest street total has above the second (B8)."""
    totals = sorted(((p.street_total, p.seat) for p in before.seats), reverse=True)
    (highest, seat), (second, next_seat) = totals[0], totals[1]
    if seat != event.seat or highest - second != event.amount:
        return
    matched = f"the next is {words.amount(second)} by {words.who(next_seat)}"
    if not second:
        matched = "nobody else has put any in"
    yield say(
        f"{words.subject(seat)} has {words.amount(highest)} in on this street, {matched}: "
        "what nobody matched is neither pot nor rake.",
        "B8",
    )


def _dealt(before: Hand, event: e.CardsDealt, after: Hand, words: Seating) -> Iterator[Line]:
    yield say("Cards go clockwise from the dealer's left to those still in.", "G5")
    if event.street == 4 and after.betting.double_bet and not before.betting.double_bet:
        yield say("That is an open pair: small or big bets on this street.", "B4")


def _community(
    before: Hand, event: e.CommunityCardDealt, after: Hand, words: Seating
) -> Iterator[Line]:
    left, players = cards_left(before), len(before.still_in)
    cards = "1 card is" if left == 1 else f"{left} cards are"
    yield say(
        f"{cards} left for {players} players still in: one card face up counts for all of them.",
        "G6",
    )


def _opened(before: Hand, event: e.BettingOpened, after: Hand, words: Seating) -> Iterator[Line]:
    yield from opening(after, words)


_CLOCK = {
    "all_in": ("There was money in this pot, so the house rules make it an all-in.", "C2"),
    "fold": ("The house rules make it a fold.", "C3"),
    "check": ("Nothing was owed, so the house rules make it a check.", "C4"),
    "bring_in": ("The bring-in was owed, so the house rules post it.", "C4"),
}


def timed_out(before: Hand, event: e.TimedOut, after: Hand, words: Seating) -> Iterator[Line]:
    """The evidence of a turn that ran out, and what the room makes of it (C1-C5)."""
    text, rule = _CLOCK[event.outcome]
    policy = before.started.house_rules.timeout_outcome
    if event.outcome == "fold" and policy == "check_or_fold":
        rule = "C4"
    yield say(text, rule)
    if event.outcome == "all_in":
        behind = words.amount(after.player(event.seat).stack)
        yield say(f"The {behind} behind stay with {words.who(event.seat)}.", "C2", level=1)
    yield from _evidence(event)


def _evidence(event: e.TimedOut) -> Iterator[Line]:
    moments = (
        ("turn began", event.turn_started_at),
        ("connection lost", event.disconnected_at),
        ("deadline", event.deadline),
    )
    seen = [f"{name} {_clock_time(at)}" for name, at in moments if at is not None]
    if seen:
        yield say(f"On record: {', '.join(seen)}.", "C5", level=1)


def _clock_time(at: datetime) -> str:
    return at.strftime("%H:%M:%S.%f")[:-3] + " UTC"


def _rake(before: Hand, event: e.RakeTaken, after: Hand, words: Seating) -> Iterator[Line]:
    yield from rake_lines(after, words)


def _awarded(before: Hand, event: e.PotAwarded, after: Hand, words: Seating) -> Iterator[Line]:
    yield from prize_lines(after, words, event.pot, event.half)


def _over(before: Hand, event: e.HandCompleted, after: Hand, words: Seating) -> Iterator[Line]:
    chips = sum(player.started_with for player in after.seats)
    stacks = sum(player.stack for player in after.seats)
    yield say(
        f"{words.amount(chips)} came to the table; {words.amount(stacks)} is in the stacks, "
        f"{words.amount(after.rake)} was raked and {words.amount(after.pot)} is left in the pot.",
        "P8",
    )


def _voided(before: Hand, event: e.HandVoided, after: Hand, words: Seating) -> Iterator[Line]:
    yield say("Everybody gets back all he put in, antes included; no rake, no award.", "P9")


def _corrected(
    before: Hand, event: e.AwardCorrected, after: Hand, words: Seating
) -> Iterator[Line]:
    yield say("Chips move between seats and rake, and what moves sums to zero.", "P9")


_WHY = cast(
    "dict[type[Any], Callable[[Hand, Any, Hand, Seating], Iterator[Line]]]",
    {
        e.AntePosted: _ante,
        e.BringInPosted: _act,
        e.Called: _act,
        e.Completed: _act,
        e.BetPlaced: _act,
        e.Raised: _act,
        e.Checked: _act,
        e.Folded: _act,
        e.CardsDealt: _dealt,
        e.CommunityCardDealt: _community,
        e.BettingOpened: _opened,
        e.TimedOut: timed_out,
        e.UncalledReturned: returned,
        e.RakeTaken: _rake,
        e.PotAwarded: _awarded,
        e.HandCompleted: _over,
        e.HandVoided: _voided,
        e.AwardCorrected: _corrected,
    },
)
"""The kinds of fact that a rule stands behind; the others speak for themselves."""
