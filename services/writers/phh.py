"""PHH: a hand in the notation of the Poker Hand History standard, or why it cannot be said.

Whatever is written was read back and told the same hand: nothing is approximated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain import events as e
from domain.evolve import evolve, replay
from domain.hand import Hand
from domain.house_rules import PRESETS
from domain.units import UNKNOWN, Card, Chips, Seat
from services.writers.hand import CannotSay, SeenHand
from services.writers.phh_proof import refuse_another_hand
from services.writers.toml import decimal, listed, quoted

VARIANTS = {"stud": "F7S", "stud8": "F7S/8"}

_WITHOUT_WORDS: dict[type[e.HandEvent], str] = {
    e.TimedOut: "a time-out",
    e.HandVoided: "a hand that was voided",
    e.AwardCorrected: "an award that was corrected",
}


def phh_of(hand: SeenHand) -> str:
    """The hand as TOML. Raises `CannotSay`."""
    _refuse_unsayable(hand)
    text = "".join(f"{name} = {value}\n" for name, value in _fields(hand))
    refuse_another_hand(hand, text)
    return text


def _refuse_unsayable(hand: SeenHand) -> None:
    """Everything the notation has no word for, by its name."""
    started = hand.started
    if started.game not in VARIANTS:
        raise CannotSay("PHH has no variant of seven card stud hi/lo without a qualifier")
    if not any(isinstance(event, e.HandCompleted) for event in hand.events):
        raise CannotSay("the hand is not over")
    if PRESETS.get(started.house_rules.name) != started.house_rules:
        raise CannotSay("PHH has no word for house rules that are no preset")
    for event in hand.events:
        without = _without_word(event)
        if without:
            raise CannotSay(f"PHH has no word for {without}")


def _without_word(event: e.HandEvent) -> str | None:
    match event:
        case e.RakeTaken(total=total) if total:
            return "rake"
        case e.PotAwarded(shares=shares) if any(share.odd for share in shares):
            return "an odd chip"
    return _WITHOUT_WORDS.get(type(event))


def _fields(hand: SeenHand) -> Iterator[tuple[str, str]]:
    """The fields in the order of the standard, each with its value in TOML."""
    started, state = hand.started, replay(hand.events)
    exponent, players = started.money.exponent, state.clockwise()
    order = [player.seat for player in players]
    yield "variant", quoted(VARIANTS[started.game])
    yield "antes", listed(decimal(ante, exponent) for ante in _antes(hand, order))
    for name in ("bring_in", "small_bet", "big_bet"):
        yield name, decimal(getattr(started.stakes, name), exponent)
    stacks = [player.started_with for player in players]
    yield "starting_stacks", listed(decimal(stack, exponent) for stack in stacks)
    yield "actions", listed(map(quoted, _actions(hand, order)), a_line_each=True)
    yield from _about(started)
    yield "seats", listed(map(str, order))
    yield "seat_count", str(started.table.max_seats)
    yield "table", quoted(started.table.name)
    yield "players", listed(quoted(player.player) for player in players)
    finishing = _finishing(hand, state)
    yield "finishing_stacks", listed(decimal(finishing[seat], exponent) for seat in order)
    if started.money.kind == "real":
        yield "currency", quoted(started.money.currency)
    yield "_studledger", _known_as(hand, last=order[-1])


def _about(started: e.HandStarted) -> Iterator[tuple[str, str]]:
    """Where and when; only a tournament has an event."""
    if started.money.kind == "tournament":
        yield "event", quoted(started.table.name or started.site)
    at = started.played_at
    if at is not None:
        yield "time", at.time().isoformat()
        yield "time_zone", quoted("UTC")
        for part in ("day", "month", "year"):
            yield part, str(getattr(at, part))
    yield "hand", quoted(started.number)


def _known_as(hand: SeenHand, last: Seat) -> str:
    """What only this program reads: the hand's id here, and what the notation leaves open."""
    started = hand.started
    known = {
        "hand": str(hand.hand),
        "site": started.site,
        "house_rules": started.house_rules.name,
    }
    pairs = [f"{name} = {quoted(value)}" for name, value in known.items()]
    if started.dealer != last:
        pairs.append(f"dealer = {started.dealer or 0}")
    return "{ " + ", ".join(pairs) + " }"


def _antes(hand: SeenHand, order: Sequence[Seat]) -> list[Chips]:
    """What each player owed: a short stack owes the whole ante."""
    posted = {event.seat: event for event in hand.events if isinstance(event, e.AntePosted)}
    due: list[Chips] = []
    for seat in order:
        ante = posted.get(seat)
        whole = hand.started.stakes.ante
        due.append(0 if ante is None else max(whole, ante.amount) if ante.all_in else ante.amount)
    return due


def _finishing(hand: SeenHand, state: Hand) -> dict[Seat, Chips]:
    stacks = {player.seat: player.stack for player in state.seats}
    for event in hand.events:
        if isinstance(event, e.HandCompleted):
            stacks |= {one.seat: one.stack for one in event.stacks}
    return stacks


def _actions(hand: SeenHand, order: Sequence[Seat]) -> Iterator[str]:
    """What is called by the player, and what is dealt; the rest is left to be understood."""
    players = {seat: f"p{place}" for place, seat in enumerate(order, 1)}
    state: Hand | None = None
    for event in hand.events:
        match event:
            case e.CardsDealt(seat=seat, down=down, up=up):
                yield f"d dh {players[seat]} {''.join((*down, *up))}"
            case e.CommunityCardDealt(card=card):
                yield f"d db {card}"
        act = _act(state, event, hand.started.money.exponent) if state else None
        if act:
            seat, word = act
            yield f"{players[seat]} {word}"
        state = evolve(state, event)


def _act(state: Hand, event: e.HandEvent, exponent: int) -> tuple[Seat, str] | None:
    """Whose act it is and the word for it."""
    match event:
        case e.BringInPosted(seat=seat):
            return seat, "pb"
        case (
            e.Completed(seat=seat, to=to)
            | e.BetPlaced(seat=seat, to=to)
            | e.Raised(seat=seat, to=to)
        ):
            return seat, f"cbr {decimal(to, exponent)}"
        case e.Called(seat=seat) | e.Checked(seat=seat):
            return seat, "cc"
        case e.Folded(seat=seat):
            return seat, "f"
        case e.CardsShown(seat=seat, cards=cards):
            return seat, f"sm {_whole(state, seat, cards)}"
        case e.Mucked(seat=seat) if len(state.still_in) > 1:
            return seat, "sm"
    return None


def _whole(state: Hand, seat: Seat, cards: Sequence[Card]) -> str:
    if UNKNOWN in cards or len(cards) != len(state.player(seat).cards):
        raise CannotSay("PHH has no word for a hand shown in part")
    return "".join(cards)
