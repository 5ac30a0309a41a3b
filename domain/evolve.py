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
from domain.cards import DECK, known
from domain.errors import CorruptHistory
from domain.hand import Awarded, Betting, Hand, Player
from domain.rules import betting as rules
from domain.seating import place_of, seated, with_player
from domain.units import MOST_CHIPS, MOST_DECIMALS, POTS, UNKNOWN, Card, Chips, ChipsMoved


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
        if hand.voided and type(event) in _OF_PLAY:
            raise CorruptHistory(f"{e.tag_of(event)} in a hand that is void")
        return _APPLY[type(event)](hand, event)
    except CorruptHistory as wrong:
        raise CorruptHistory(f"step {hand.step + 1}: {wrong}") from None


def _start(event: e.HandStarted) -> Hand:
    taken = sorted(event.seats, key=lambda s: s.seat)
    if len({s.seat for s in taken}) < len(taken):
        raise CorruptHistory("step 1: two players in one seat")
    if len(taken) < 2:
        raise CorruptHistory("step 1: fewer than two players dealt in")
    if sum(s.stack for s in taken) > MOST_CHIPS:
        raise CorruptHistory("step 1: more chips at the table than can be counted")
    if not 0 <= event.money.exponent <= MOST_DECIMALS:
        raise CorruptHistory("step 1: an amount has no such number of decimals")
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
    place = place_of(hand, event.seat)
    was = hand.seats[place]
    player = _pay(was, event.amount)
    # An ante is of no street: what he has in on this one stays as it was.
    ante, total = was.ante + event.amount, was.street_total
    return with_player(hand, place, replace(player, anted=True, ante=ante, street_total=total))


def _bring_in_posted(hand: Hand, event: e.BringInPosted) -> Hand:
    place = place_of(hand, event.seat)
    betting = rules.after_bring_in(hand, event.seat, event.amount)
    return _acted(hand, place, _pay(hand.seats[place], event.amount), betting)


def _called(hand: Hand, event: e.Called) -> Hand:
    place = place_of(hand, event.seat)
    betting = rules.after_passive(hand.betting, event.seat)
    return _acted(hand, place, _pay(hand.seats[place], event.amount), betting)


def _wagered(hand: Hand, event: e.Completed | e.BetPlaced | e.Raised) -> Hand:
    place = place_of(hand, event.seat)
    player = hand.seats[place]
    if event.to < player.street_total:
        raise CorruptHistory(
            f"seat {event.seat} wagers to {event.to} with {player.street_total} in already"
        )
    paid = _pay(player, event.to - player.street_total)
    betting = rules.after_wager(hand, event.seat, event.to, all_in=paid.stack == 0)
    return _acted(hand, place, paid, betting)


def _checked(hand: Hand, event: e.Checked) -> Hand:
    place = place_of(hand, event.seat)
    return _acted(hand, place, hand.seats[place], rules.after_passive(hand.betting, event.seat))


def _folded(hand: Hand, event: e.Folded) -> Hand:
    place = place_of(hand, event.seat)
    player = replace(hand.seats[place], status="folded")
    return _acted(hand, place, player, rules.after_passive(hand.betting, event.seat))


def _timed_out(hand: Hand, event: e.TimedOut) -> Hand:
    place = place_of(hand, event.seat)
    player = hand.seats[place]
    if event.outcome != "all_in":
        return replace(hand, step=hand.step + 1, ran_out=event)
    if player.status == "active":
        player = replace(player, status="timed_out")
    return _acted(hand, place, player, rules.after_passive(hand.betting, event.seat))


def _uncalled_returned(hand: Hand, event: e.UncalledReturned) -> Hand:
    place, amount = place_of(hand, event.seat), event.amount
    player = hand.seats[place]
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
    return _nothing_missing(with_player(hand, place, player))


# -- cards ---------------------------------------------------------------------------------------


def _cards_dealt(hand: Hand, event: e.CardsDealt) -> Hand:
    place, cards = place_of(hand, event.seat), event.down + event.up
    seats, betting = _on_street(hand, event.street)
    player = seats[place]
    player = replace(player, down=player.down + event.down, up=player.up + event.up)
    if event.street == 4 and rules.shows_open_pair(player.up):
        game, house = hand.started.game, hand.started.house_rules
        betting = replace(betting, double_bet=game in house.open_pair_double_bet)
    return replace(
        hand,
        step=hand.step + 1,
        seats=seated(seats, place, player),
        betting=betting,
        dealt=_dealt(hand, cards),
        seen=_seen(hand, cards),
    )


def _community_card_dealt(hand: Hand, event: e.CommunityCardDealt) -> Hand:
    if hand.community is not None:
        raise CorruptHistory("a second community card")
    seats, betting = _on_street(hand, 7)
    return replace(
        hand,
        step=hand.step + 1,
        seats=seats,
        betting=betting,
        dealt=_dealt(hand, (event.card,)),
        seen=_seen(hand, (event.card,)),
        community=event.card,
    )


def _dealt(hand: Hand, cards: tuple[Card, ...]) -> int:
    """How many cards are dealt with these; those nobody saw are of the same 52 (G4)."""
    dealt = hand.dealt + len(cards)
    if dealt > len(DECK):
        raise CorruptHistory("more cards are dealt than a deck has")
    return dealt


def _seen(hand: Hand, cards: tuple[Card, ...]) -> frozenset[Card]:
    """All known cards once these are seen as well."""
    new = known(cards) if UNKNOWN in cards else cards
    seen = hand.seen.union(new)
    if len(seen) < len(hand.seen) + len(new):
        raise CorruptHistory("a card is dealt twice")
    return seen


def _on_street(hand: Hand, street: int) -> tuple[tuple[Player, ...], Betting]:
    """Seats and betting once a card of `street` comes: the first ends the street before."""
    if street <= hand.betting.street:
        return hand.seats, hand.betting
    seats = tuple([replace(p, street_total=0) if p.street_total else p for p in hand.seats])
    return seats, rules.new_street(hand, street)


def _betting_opened(hand: Hand, event: e.BettingOpened) -> Hand:
    place_of(hand, event.opener)
    betting = replace(hand.betting, opened=event, double_bet=event.double_bet)
    return replace(hand, step=hand.step + 1, betting=betting)


def _cards_shown(hand: Hand, event: e.CardsShown) -> Hand:
    place, cards = place_of(hand, event.seat), event.cards
    player = hand.seats[place]
    if cards == player.cards and UNKNOWN not in cards:
        return with_player(hand, place, replace(player, shown=cards))
    held, shown = known(player.cards), known(cards)
    fresh = [card for card in shown if card not in held]
    if len(set(shown)) < len(shown) or len(fresh) > player.cards.count(UNKNOWN):
        raise CorruptHistory(f"seat {event.seat} shows cards he was not dealt")
    unshown = len(held) - (len(shown) - len(fresh))
    if len(cards) == len(player.cards) and unshown > cards.count(UNKNOWN):
        raise CorruptHistory(f"seat {event.seat} shows other cards than he was dealt")
    hand = replace(hand, seen=_seen(hand, tuple(fresh)))
    down = tuple(fresh.pop(0) if card == UNKNOWN and fresh else card for card in player.down)
    return with_player(hand, place, replace(player, down=down, shown=shown))


def _mucked(hand: Hand, event: e.Mucked) -> Hand:
    place = place_of(hand, event.seat)
    return with_player(hand, place, replace(hand.seats[place], mucked=True))


# -- payouts -------------------------------------------------------------------------------------


def _rake_taken(hand: Hand, event: e.RakeTaken) -> Hand:
    if hand.rake_taken is not None:
        raise CorruptHistory("rake taken twice")
    for share in event.attribution.shares:
        place_of(hand, share.seat)
    return _nothing_missing(
        replace(
            hand,
            step=hand.step + 1,
            rake=hand.rake + event.total,
            rake_taken=event,
            rake_step=hand.step + 1,
            collected=hand.collected + event.total,
        )
    )


def _pot_awarded(hand: Hand, event: e.PotAwarded) -> Hand:
    if event.pot not in POTS:
        raise CorruptHistory("a pot of a number no hand can have")
    if sum([share.amount for share in event.shares]) != event.amount:
        raise CorruptHistory(f"the shares of pot {event.pot} do not add up to {event.amount}")
    return _nothing_missing(
        replace(
            hand,
            step=hand.step + 1,
            seats=_given(hand, event.shares),
            awards=(*hand.awards, Awarded(hand.step + 1, event)),
            collected=hand.collected + event.amount,
        )
    )


def _given(hand: Hand, parts: tuple[e.Share | e.SeatMove, ...]) -> tuple[Player, ...]:
    """The seats once each has got its amount, or given it where that is negative."""
    seats = hand.seats
    for part in parts:
        place = place_of(hand, part.seat)
        stack = seats[place].stack + part.amount
        if stack < 0:
            raise CorruptHistory(f"seat {part.seat} would give more than he has")
        seats = seated(seats, place, replace(seats[place], stack=stack))
    return seats


def _nothing_missing(hand: Hand) -> Hand:
    paid = sum([player.paid for player in hand.seats])
    if hand.collected > paid:
        raise CorruptHistory(f"{hand.collected} paid out of a pot of {paid}: the pot is paid twice")
    return hand


def _hand_completed(hand: Hand, event: e.HandCompleted) -> Hand:
    for stack in event.stacks:
        place_of(hand, stack.seat)
    return replace(hand, step=hand.step + 1, completed=True)


def _hand_voided(hand: Hand, event: e.HandVoided) -> Hand:
    _balanced(event.moves, event.rake, pot=hand.pot)
    return replace(_moved(hand, event), voided=True)


def _award_corrected(hand: Hand, event: e.AwardCorrected) -> Hand:
    _balanced(event.moves, event.rake, pot=0)
    return _moved(hand, event)


def _balanced(moves: tuple[e.SeatMove, ...], rake: ChipsMoved, *, pot: Chips) -> None:
    if sum(move.amount for move in moves) + rake != pot:
        raise CorruptHistory("the moves do not balance: chips would be made or lost")


def _moved(hand: Hand, event: e.HandVoided | e.AwardCorrected) -> Hand:
    rake = hand.rake + event.rake
    if rake < 0:
        raise CorruptHistory("more rake is given back than was taken")
    ruled = hand.ruled or (hand.completed and event.ruling is not None)
    seats = _given(hand, event.moves)
    return replace(hand, step=hand.step + 1, seats=seats, rake=rake, ruled=ruled)


# -- small things --------------------------------------------------------------------------------


def _connection(hand: Hand, event: e.PlayerDisconnected | e.PlayerReconnected) -> Hand:
    place, connected = place_of(hand, event.seat), isinstance(event, e.PlayerReconnected)
    return with_player(hand, place, replace(hand.seats[place], connected=connected))


def _noted(hand: Hand, event: e.ClockPaused | e.ClockResumed | e.IncidentNoted) -> Hand:
    return replace(hand, step=hand.step + 1)


def _started_twice(hand: Hand, event: e.HandStarted) -> Hand:
    raise CorruptHistory("the hand starts twice")


def _acted(hand: Hand, place: int, player: Player, betting: Betting) -> Hand:
    """The next state, after a player's act: a time-out that led to it has had its effect."""
    seats = seated(hand.seats, place, player)
    return replace(hand, step=hand.step + 1, seats=seats, betting=betting, ran_out=None)


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
        e.Checked: _checked,
        e.Folded: _folded,
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
_OF_PLAY = frozenset((
    e.AntePosted, e.BringInPosted, e.Called, e.Completed, e.BetPlaced, e.Raised,
    e.UncalledReturned, e.RakeTaken, e.PotAwarded))  # fmt: skip
"""What moves chips of the pot, of which a void hand has none left (P9)."""
