"""One sentence in words for every kind of fact: what happened at this step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from domain import events as e
from domain.cards import known
from domain.games import GAMES
from domain.hand import Hand
from domain.units import Card, Half, Size
from services.replaying.pots import pot_name
from services.replaying.seating import Seating, listed, printable

STREETS = {3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh"}
STATUS_WORDS = {"active": "", "all_in": "all-in", "timed_out": "timed out", "folded": "folded"}
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_BET_SIZES: dict[Size, str] = {"small": "small bet", "big": "big bet"}
_HALF_RULES = {"low": ("G2", "G3"), "high": ("G1",), "whole": ("G1",)}


def note(seating: Seating, event: e.HandEvent, after: Hand) -> str:
    """What `event` did, in one sentence; `after` is the state it led to.

    Event and state are taken as they are: mask them first for a view that may not see all.
    """
    return _TELL[type(event)](seating, event, after)


def street_name(street: int) -> str:
    """`fourth street`; before the cards there is none."""
    return f"{STREETS[street]} street" if street in STREETS else "before the cards"


def cards_words(cards: Iterable[Card]) -> str:
    """Cards in a row: `Kd 7c`."""
    return " ".join(cards)


# -- the start and the cards -----------------------------------------------------------------------


def _started(seating: Seating, event: e.HandStarted, after: Hand) -> str:
    stakes = event.stakes
    bets = "/".join(map(seating.amount, (stakes.small_bet, stakes.big_bet)))
    players = f"{COUNTS[len(event.seats)]} players"
    dealer = "not recorded" if event.dealer is None else f"at seat {event.dealer}"
    game = GAMES[event.game].title
    return f"Hand {printable(event.number)} begins: {game} at {bets}, {players}, dealer {dealer}."


def _cards_dealt(seating: Seating, event: e.CardsDealt, after: Hand) -> str:
    down = (_face_down(event.down),) if event.down else ()
    up = (f"{cards_words(event.up)} face up",) if event.up else ()
    where = street_name(event.street).capitalize()
    return f"{where}: {seating.who(event.seat)} is dealt {listed((*down, *up))}."


def _face_down(cards: tuple[Card, ...]) -> str:
    if known(cards):
        return f"{cards_words(cards)} face down"
    return f"{COUNTS[len(cards)]} {'card' if len(cards) == 1 else 'cards'} face down"


def _community(seating: Seating, event: e.CommunityCardDealt, after: Hand) -> str:
    return f"Too few cards are left: {event.card} is dealt face up for everybody."


def _opened(seating: Seating, event: e.BettingOpened, after: Hand) -> str:
    why = "with the lowest door card" if event.street == 3 else "with the highest exposed hand"
    double = "; an open pair allows the big bet" if event.double_bet else ""
    return _does(seating, event.opener, f"opens {street_name(event.street)} {why}{double}")


def _shown(seating: Seating, event: e.CardsShown, after: Hand) -> str:
    return _does(seating, event.seat, f"shows {cards_words(event.cards)}")


# -- chips -----------------------------------------------------------------------------------------


def _ante(seating: Seating, event: e.AntePosted, after: Hand) -> str:
    return _puts_in(seating, event, f"antes {seating.amount(event.amount)}")


def _bring_in(seating: Seating, event: e.BringInPosted, after: Hand) -> str:
    return _puts_in(seating, event, f"brings it in for {seating.amount(event.amount)}")


def _called(seating: Seating, event: e.Called, after: Hand) -> str:
    return _puts_in(seating, event, f"calls {seating.amount(event.amount)}")


def _completed(seating: Seating, event: e.Completed, after: Hand) -> str:
    return _puts_in(seating, event, f"completes to {seating.amount(event.to)}")


def _bet(seating: Seating, event: e.BetPlaced, after: Hand) -> str:
    size = _sized(event.size, after)
    return _puts_in(seating, event, f"bets {seating.amount(event.to)}{size}")


def _raised(seating: Seating, event: e.Raised, after: Hand) -> str:
    size = _sized(event.size, after)
    return _puts_in(seating, event, f"raises to {seating.amount(event.to)}{size}")


def _sized(size: Size, after: Hand) -> str:
    """The size is worth a word only where there is a choice (B4)."""
    return f" ({_BET_SIZES[size]})" if after.betting.double_bet else ""


def _checked(seating: Seating, event: e.Checked, after: Hand) -> str:
    return _does(seating, event.seat, "checks")


def _folded(seating: Seating, event: e.Folded, after: Hand) -> str:
    return _does(seating, event.seat, "folds")


def _mucked(seating: Seating, event: e.Mucked, after: Hand) -> str:
    return _does(seating, event.seat, "mucks without showing")


def _returned(seating: Seating, event: e.UncalledReturned, after: Hand) -> str:
    amount = seating.amount(event.amount)
    return f"{amount} that nobody matched goes back to {seating.who(event.seat)}."


# -- the clock -------------------------------------------------------------------------------------


def _disconnected(seating: Seating, event: e.PlayerDisconnected, after: Hand) -> str:
    return _does(seating, event.seat, "loses the connection")


def _reconnected(seating: Seating, event: e.PlayerReconnected, after: Hand) -> str:
    return _does(seating, event.seat, "is connected again")


_OUTCOMES = {
    "all_in": "is all-in by time-out: still in for what is matched, no longer acting",
    "fold": "which folds the hand",
    "check": "which is a check",
    "bring_in": "which posts the bring-in",
}


def _timed_out(seating: Seating, event: e.TimedOut, after: Hand) -> str:
    joint = " and " if event.outcome == "all_in" else ", "
    return _does(seating, event.seat, f"runs out of time{joint}{_OUTCOMES[event.outcome]}")


def _paused(seating: Seating, event: e.ClockPaused, after: Hand) -> str:
    return f"The clocks stop: {printable(event.reason)}."


def _resumed(seating: Seating, event: e.ClockResumed, after: Hand) -> str:
    return f"The clocks run again: {printable(event.reason)}."


def _incident(seating: Seating, event: e.IncidentNoted, after: Hand) -> str:
    return f"On record ({printable(event.kind)}): {printable(event.text)}"


# -- payouts ---------------------------------------------------------------------------------------


def _rake(seating: Seating, event: e.RakeTaken, after: Hand) -> str:
    if event.total == 0:
        return "No rake is taken."
    parts = [
        f"{seating.amount(rake)} from {pot_name(index)}"
        for index, rake in enumerate(event.pots)
        if rake
    ]
    shares = f": {listed(parts)}" if len(event.pots) > 1 else ""
    return f"The house takes {seating.amount(event.total)} rake{shares}."


def prize_name(pot: int, half: Half) -> str:
    """A pot or half of it as a heading: `side pot 1, low half`."""
    return pot_name(pot) if half == "whole" else f"{pot_name(pot)}, {half} half"


def _awarded(seating: Seating, event: e.PotAwarded, after: Hand) -> str:
    prize = prize_name(event.pot, event.half).capitalize()
    amount = seating.amount(event.amount)
    if len(event.shares) == 1:
        winner = event.shares[0].seat
        return f"{prize}: {amount} to {seating.who(winner)}{_hand_of(event, winner)}."
    shares = listed(_share(seating, share) for share in event.shares)
    return f"{prize}: {amount} is shared, {shares}."


def _hand_of(event: e.PotAwarded, winner: int) -> str:
    rules = _HALF_RULES[event.half]
    for one in event.reason.compared:
        if one.seat == winner and one.rule in rules and one.cards:
            return f" with {one.words}"
    return ""


def _share(seating: Seating, share: e.Share) -> str:
    odd = f" ({seating.amount(share.odd)} of it odd)" if share.odd else ""
    return f"{seating.amount(share.amount)} to {seating.who(share.seat)}{odd}"


def _over(seating: Seating, event: e.HandCompleted, after: Hand) -> str:
    changes = [
        f"{seating.who(p.seat)} {seating.signed(p.stack - p.started_with)}"
        for p in after.seats
        if p.stack != p.started_with
    ]
    return f"The hand is over: {', '.join(changes) or 'nobody won or lost'}."


def _voided(seating: Seating, event: e.HandVoided, after: Hand) -> str:
    return f"The hand is void, {_moves(seating, event)}: {printable(event.reason)}."


def _corrected(seating: Seating, event: e.AwardCorrected, after: Hand) -> str:
    return f"The payout is corrected, {_moves(seating, event)}: {printable(event.reason)}."


def _moves(seating: Seating, event: e.HandVoided | e.AwardCorrected) -> str:
    moves = [f"{seating.who(m.seat)} {seating.signed(m.amount)}" for m in event.moves]
    if event.rake:
        moves.append(f"rake {seating.signed(event.rake)}")
    return ", ".join(moves) or "no chips move"


# -- small things ----------------------------------------------------------------------------------

_WithAmount = e.AntePosted | e.BringInPosted | e.Called | e.Completed | e.BetPlaced | e.Raised


def _puts_in(seating: Seating, event: _WithAmount, act: str) -> str:
    return _does(seating, event.seat, f"{act} and is all-in" if event.all_in else act)


def _does(seating: Seating, seat: int, act: str) -> str:
    return f"{seating.subject(seat)} {act}."


_TELL = cast(
    "dict[type[Any], Callable[[Seating, Any, Hand], str]]",
    {
        e.HandStarted: _started,
        e.AntePosted: _ante,
        e.BringInPosted: _bring_in,
        e.Called: _called,
        e.Completed: _completed,
        e.BetPlaced: _bet,
        e.Raised: _raised,
        e.Checked: _checked,
        e.Folded: _folded,
        e.Mucked: _mucked,
        e.PlayerDisconnected: _disconnected,
        e.PlayerReconnected: _reconnected,
        e.CardsDealt: _cards_dealt,
        e.CommunityCardDealt: _community,
        e.BettingOpened: _opened,
        e.TimedOut: _timed_out,
        e.ClockPaused: _paused,
        e.ClockResumed: _resumed,
        e.IncidentNoted: _incident,
        e.UncalledReturned: _returned,
        e.CardsShown: _shown,
        e.RakeTaken: _rake,
        e.PotAwarded: _awarded,
        e.HandCompleted: _over,
        e.HandVoided: _voided,
        e.AwardCorrected: _corrected,
    },
)
"""One sentence per kind of fact; a test checks that none is missing."""
