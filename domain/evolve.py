"""What each fact means: the pure reducer over the events of one hand.

It never chooses and never refuses: an illegal bet moves chips like a legal one. It raises
`CorruptHistory` only for facts that cannot be applied: no such seat, a card dealt twice, more
chips than he has, more paid out than was put in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from msgspec.structs import replace

from domain import events as e
from domain.cards import known
from domain.errors import CorruptHistory
from domain.hand import Awarded, Betting, Hand, Player
from domain.rules import betting as rules
from domain.units import UNKNOWN, Card, Chips, ChipsMoved, Seat


def replay(events: Iterable[e.HandEvent]) -> Hand:
    """The state after all `events`. Raises `CorruptHistory`, naming the step, or if none came."""
    hand: Hand | None = None
    for event in events:
        hand = evolve(hand, event)
    if hand is None:
        raise CorruptHistory("a hand without any event")
    return hand


def evolve(hand: Hand | None, event: e.HandEvent) -> Hand:
    """Apply one fact. Raises `CorruptHistory` if it cannot be applied at all."""
    if hand is None:
        if not isinstance(event, e.HandStarted):
            raise CorruptHistory(f"step 1: {e.tag_of(event)} before hand_started.v1")
        return _start(event)
    try:
        after = _APPLY[type(event)](hand, event)
    except CorruptHistory as wrong:
        raise CorruptHistory(f"step {hand.step + 1}: {wrong}") from None
    return replace(after, step=hand.step + 1)


def _start(event: e.HandStarted) -> Hand:
    taken = sorted(event.seats, key=lambda s: s.seat)
    if len({s.seat for s in taken}) < len(taken):
        raise CorruptHistory("step 1: two players in one seat")
    if len(taken) < 2:
        raise CorruptHistory("step 1: fewer than two players dealt in")
    seats = tuple(
        Player(seat=s.seat, player=s.player, started_with=s.stack, stack=s.stack) for s in taken
    )
    return Hand(started=event, step=1, seats=seats)


# -- chips ---------------------------------------------------------------------------------------


def _pay(player: Player, amount: Chips) -> Player:
    """Chips from the stack into the pot, on this street; the last chip makes him all-in."""
    if amount > player.stack:
        raise CorruptHistory(f"seat {player.seat} puts in {amount} but has {player.stack}")
    stack = player.stack - amount
    return replace(
        player,
        stack=stack,
        paid=player.paid + amount,
        street_total=player.street_total + amount,
        status="all_in" if stack == 0 and player.status == "active" else player.status,
    )


def _ante_posted(hand: Hand, event: e.AntePosted) -> Hand:
    player = replace(_pay(_at(hand, event.seat), event.amount), anted=True, street_total=0)
    return _with(hand, replace(player, ante=player.ante + event.amount))


def _bring_in_posted(hand: Hand, event: e.BringInPosted) -> Hand:
    betting = rules.after_bring_in(hand, event.seat, event.amount)
    return _with(hand, _pay(_at(hand, event.seat), event.amount), betting)


def _called(hand: Hand, event: e.Called) -> Hand:
    betting = rules.after_passive(hand.betting, event.seat)
    return _with(hand, _pay(_at(hand, event.seat), event.amount), betting)


def _wagered(hand: Hand, event: e.Completed | e.BetPlaced | e.Raised) -> Hand:
    player = _at(hand, event.seat)
    if event.to < player.street_total:
        raise CorruptHistory(
            f"seat {event.seat} wagers to {event.to} with {player.street_total} in already"
        )
    paid = _pay(player, event.to - player.street_total)
    all_in = paid.stack == 0
    return _with(hand, paid, rules.after_wager(hand, event.seat, event.to, all_in=all_in))


def _passed(hand: Hand, event: e.Checked | e.Folded) -> Hand:
    player = _at(hand, event.seat)
    if isinstance(event, e.Folded):
        player = replace(player, status="folded")
    return _with(hand, player, rules.after_passive(hand.betting, event.seat))


def _timed_out(hand: Hand, event: e.TimedOut) -> Hand:
    player = _at(hand, event.seat)
    if event.outcome != "all_in":
        return replace(hand, ran_out=event)
    if player.status == "active":
        player = replace(player, status="timed_out")
    return _with(hand, player, rules.after_passive(hand.betting, event.seat))


def _uncalled_returned(hand: Hand, event: e.UncalledReturned) -> Hand:
    player, amount = _at(hand, event.seat), event.amount
    if amount > player.paid:
        raise CorruptHistory(f"seat {event.seat} gets back {amount} but put in {player.paid}")
    of_the_bet = min(amount, player.street_total)
    player = replace(
        player,
        stack=player.stack + amount,
        paid=player.paid - amount,
        street_total=player.street_total - of_the_bet,
        ante=max(player.ante - (amount - of_the_bet), 0),
        status="active" if player.status == "all_in" and amount else player.status,
    )
    hand = _with(hand, player)
    return _nothing_missing(hand)


# -- cards ---------------------------------------------------------------------------------------


def _cards_dealt(hand: Hand, event: e.CardsDealt) -> Hand:
    player = _at(hand, event.seat)
    hand = _on_street(_seen(hand, (*event.down, *event.up)), event.street)
    player = replace(_at(hand, event.seat), down=player.down + event.down, up=player.up + event.up)
    betting = hand.betting
    if event.street == 4 and rules.shows_open_pair(player.up):
        game, house = hand.started.game, hand.started.house_rules
        betting = replace(betting, double_bet=game in house.open_pair_double_bet)
    return _with(hand, player, betting if betting is not hand.betting else None)


def _community_card_dealt(hand: Hand, event: e.CommunityCardDealt) -> Hand:
    if hand.community is not None:
        raise CorruptHistory("a second community card")
    return replace(_on_street(_seen(hand, (event.card,)), 7), community=event.card)


def _seen(hand: Hand, cards: tuple[Card, ...]) -> Hand:
    new = known(cards)
    seen = hand.seen.union(new)
    if len(seen) < len(hand.seen) + len(new):
        raise CorruptHistory("a card is dealt twice")
    return replace(hand, seen=seen)


def _on_street(hand: Hand, street: int) -> Hand:
    """The first card of a new street ends the betting of the one before."""
    if street <= hand.betting.street:
        return hand
    seats = tuple(replace(p, street_total=0) if p.street_total else p for p in hand.seats)
    return replace(hand, seats=seats, betting=rules.new_street(hand, street))


def _betting_opened(hand: Hand, event: e.BettingOpened) -> Hand:
    _at(hand, event.opener)
    betting = replace(hand.betting, opened=event, double_bet=event.double_bet)
    return replace(hand, betting=betting)


def _cards_shown(hand: Hand, event: e.CardsShown) -> Hand:
    player = _at(hand, event.seat)
    held = known(player.cards)
    fresh = [card for card in event.cards if card not in held and card != UNKNOWN]
    if len(set(event.cards)) < len(event.cards) or len(fresh) > player.down.count(UNKNOWN):
        raise CorruptHistory(f"seat {event.seat} shows cards he was not dealt")
    if len(event.cards) == len(player.cards) and not set(held) <= set(event.cards):
        raise CorruptHistory(f"seat {event.seat} shows other cards than he was dealt")
    hand = _seen(hand, tuple(fresh))
    down = tuple(fresh.pop(0) if card == UNKNOWN and fresh else card for card in player.down)
    return _with(hand, replace(player, down=down, shown=known(event.cards)))


def _mucked(hand: Hand, event: e.Mucked) -> Hand:
    return _with(hand, replace(_at(hand, event.seat), mucked=True))


# -- payouts -------------------------------------------------------------------------------------


def _rake_taken(hand: Hand, event: e.RakeTaken) -> Hand:
    if hand.rake_taken is not None:
        raise CorruptHistory("rake taken twice")
    collected = hand.collected + event.total
    return _nothing_missing(
        replace(
            hand,
            rake=hand.rake + event.total,
            rake_taken=event,
            rake_step=hand.step + 1,
            collected=collected,
        )
    )


def _pot_awarded(hand: Hand, event: e.PotAwarded) -> Hand:
    if sum(share.amount for share in event.shares) != event.amount:
        raise CorruptHistory(f"the shares of pot {event.pot} do not add up to {event.amount}")
    for share in event.shares:
        player = _at(hand, share.seat)
        hand = _with(hand, replace(player, stack=player.stack + share.amount))
    return _nothing_missing(
        replace(
            hand,
            awards=(*hand.awards, Awarded(hand.step + 1, event)),
            collected=hand.collected + event.amount,
        )
    )


def _nothing_missing(hand: Hand) -> Hand:
    paid = sum(p.paid for p in hand.seats)
    if hand.collected > paid:
        raise CorruptHistory(f"{hand.collected} paid out of a pot of {paid}: the pot is paid twice")
    return hand


def _hand_completed(hand: Hand, event: e.HandCompleted) -> Hand:
    for stack in event.stacks:
        _at(hand, stack.seat)
    return replace(hand, completed=True)


def _hand_voided(hand: Hand, event: e.HandVoided) -> Hand:
    _balanced(event.moves, event.rake, pot=hand.pot)
    return replace(_moved(hand, event.moves, event.rake), voided=True)


def _award_corrected(hand: Hand, event: e.AwardCorrected) -> Hand:
    _balanced(event.moves, event.rake, pot=0)
    return _moved(hand, event.moves, event.rake)


def _balanced(moves: tuple[e.SeatMove, ...], rake: ChipsMoved, *, pot: Chips) -> None:
    if sum(move.amount for move in moves) + rake != pot:
        raise CorruptHistory("the moves do not balance: chips would be made or lost")


def _moved(hand: Hand, moves: tuple[e.SeatMove, ...], rake: ChipsMoved) -> Hand:
    for move in moves:
        player = _at(hand, move.seat)
        if player.stack + move.amount < 0:
            raise CorruptHistory(f"seat {move.seat} would give more than he has")
        hand = _with(hand, replace(player, stack=player.stack + move.amount))
    return replace(hand, rake=hand.rake + rake)


# -- small things --------------------------------------------------------------------------------


def _connection(hand: Hand, event: e.PlayerDisconnected | e.PlayerReconnected) -> Hand:
    connected = isinstance(event, e.PlayerReconnected)
    return _with(hand, replace(_at(hand, event.seat), connected=connected))


def _noted(hand: Hand, event: e.ClockPaused | e.ClockResumed | e.IncidentNoted) -> Hand:
    return hand


def _started_twice(hand: Hand, event: e.HandStarted) -> Hand:
    raise CorruptHistory("the hand starts twice")


def _at(hand: Hand, seat: Seat) -> Player:
    try:
        return hand.player(seat)
    except KeyError:
        raise CorruptHistory(f"nobody was dealt in at seat {seat}") from None


def _with(hand: Hand, player: Player, betting: Betting | None = None) -> Hand:
    seats = tuple([player if p.seat == player.seat else p for p in hand.seats])
    if betting is None:
        return replace(hand, seats=seats)
    return replace(hand, seats=seats, betting=betting, ran_out=None)


_APPLY = cast(
    "dict[type[Any], Callable[[Hand, Any], Hand]]",
    {
        e.HandStarted: _started_twice,
        e.AntePosted: _ante_posted,
        e.BringInPosted: _bring_in_posted,
        e.Called: _called,
        e.Completed: _wagered,
        e.BetPlaced: _wagered,
        e.Raised: _wagered,
        e.Checked: _passed,
        e.Folded: _passed,
        e.Mucked: _mucked,
        e.PlayerDisconnected: _connection,
        e.PlayerReconnected: _connection,
        e.CardsDealt: _cards_dealt,
        e.CommunityCardDealt: _community_card_dealt,
        e.BettingOpened: _betting_opened,
        e.TimedOut: _timed_out,
        e.ClockPaused: _noted,
        e.ClockResumed: _noted,
        e.IncidentNoted: _noted,
        e.UncalledReturned: _uncalled_returned,
        e.CardsShown: _cards_shown,
        e.RakeTaken: _rake_taken,
        e.PotAwarded: _pot_awarded,
        e.HandCompleted: _hand_completed,
        e.HandVoided: _hand_voided,
        e.AwardCorrected: _award_corrected,
    },
)
"""One handler per kind of fact; a test checks that none is missing."""
