"""What a wager does to a street: bets that count, short all-ins, the cap, uncalled chips."""

from __future__ import annotations

from msgspec.structs import replace

from domain.hand import Betting, Hand, Player
from domain.units import UNKNOWN, Chips, Seat, Size

MOST_BETS = 4
"""One bet and three raises (B3)."""


def new_street(hand: Hand, street: int) -> Betting:
    """The betting of a street before its first card, with the cap's exemption decided (B3)."""
    exempt = hand.started.house_rules.cap_exempt_heads_up
    return Betting(street=street, uncapped=exempt and len(hand.active) == 2)


def shows_open_pair(up: tuple[str, ...]) -> bool:
    """Whether the two upcards of fourth street are a pair (B4)."""
    return len(up) == 2 and up[0][0] == up[1][0] != "?"


def hides_open_pair(hand: Hand) -> bool:
    """Whether fourth street may show an open pair that the record hides (B4)."""
    if hand.betting.street != 4 or hand.betting.double_bet:
        return False
    counts = hand.started.game in hand.started.house_rules.open_pair_double_bet
    return counts and any(UNKNOWN in player.up[:2] for player in hand.seats)


def bet_sizes(hand: Hand) -> tuple[tuple[Size, Chips], ...]:
    """The wagers this street knows, small first (S6, B4)."""
    stakes, betting = hand.started.stakes, hand.betting
    if betting.street >= 5:
        return (("big", stakes.big_bet),)
    if betting.double_bet and betting.big:
        return (("big", stakes.big_bet),)
    if betting.double_bet:
        return (("small", stakes.small_bet), ("big", stakes.big_bet))
    return (("small", stakes.small_bet),)


def size_of(hand: Hand, to: Chips) -> tuple[Size, Chips]:
    """The size a wager to `to` has: above the small bet from the base it is big (B7)."""
    sizes = bet_sizes(hand)
    if len(sizes) == 2 and to - hand.betting.base > sizes[0][1]:
        return sizes[1]
    return sizes[0]


def after_wager(hand: Hand, seat: Seat, to: Chips, *, all_in: bool) -> Betting:
    """The street after `seat` wagered to `to`; a short all-in may not count as a bet (B7)."""
    betting = hand.betting
    size, bet = size_of(hand, to)
    above = to - betting.base
    counts = to > betting.price and (not all_in or 2 * above >= bet)
    return replace(
        betting,
        price=max(betting.price, to),
        base=to if counts else betting.base,
        bets=betting.bets + counts,
        big=betting.big or (size == "big" and betting.double_bet),
        spoken=betting.spoken | {seat},
        acted=frozenset((seat,)) if counts else betting.acted | {seat},
        last=seat,
    )


def after_bring_in(hand: Hand, seat: Seat, amount: Chips) -> Betting:
    """The street after the bring-in: everyone else owes all of it, even if it was short (S5)."""
    betting = hand.betting
    return replace(
        after_passive(betting, seat),
        price=max(betting.price, amount, hand.started.stakes.bring_in),
        brought_in=True,
    )


def after_passive(betting: Betting, seat: Seat) -> Betting:
    """The street after a check, call, fold or time-out: the price stays."""
    spoken = acted = betting.spoken | {seat}
    if betting.acted is not betting.spoken:
        acted = betting.acted | {seat}
    return replace(betting, spoken=spoken, acted=acted, last=seat)


def why_no_raise(hand: Hand, player: Player) -> tuple[str, str] | None:
    """The rule that forbids this player any wager now, and its sentence; None if he may.

    What his chips allow is a question of amounts, not of this function.
    """
    betting = hand.betting
    if hand.another_active(player) is None:
        return "B10", "nobody else can act, so there is nobody to raise"
    if betting.bets >= MOST_BETS and not betting.uncapped:
        return "B3", "the betting is capped at one bet and three raises"
    if player.seat in betting.acted:
        return "B7", "he has acted since the last wager that counted, so betting is not reopened"
    return None


def wager_targets(hand: Hand, player: Player) -> tuple[tuple[Chips, Size], ...]:
    """Every street total this player may wager to, ascending, with its size (B3, B4, B7, B10).

    A target below the full wager is all he has.
    """
    if why_no_raise(hand, player):
        return ()
    betting, have = hand.betting, player.street_total + player.stack
    targets: dict[Chips, Size] = {}
    for size, bet in bet_sizes(hand):
        full = betting.base + bet
        # A bring-in as large as the small bet would leave nothing to complete to.
        to = min(have, full if full > betting.price else betting.price + bet)
        if to > betting.price:
            targets.setdefault(to, size)
    return tuple(targets.items())


def uncalled(hand: Hand) -> tuple[Seat, Chips] | None:
    """Who gets back what nobody matched on this street, once its action is over (B8).

    Folded players' chips count as matched. Antes count too where the house returns them.
    """
    antes = hand.betting.street <= 3 and hand.started.house_rules.unmatched_ante == "returned"
    totals = [p.street_total + (p.ante if antes else 0) for p in hand.seats]
    highest = max(totals)
    place = totals.index(highest)
    totals[place] = 0
    second = max(totals)
    return (hand.seats[place].seat, highest - second) if highest > second else None
