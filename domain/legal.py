"""What the seat to act may do now, and the rule that limits each choice."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec

from domain.hand import Hand, Player
from domain.rules.betting import wager_targets, why_no_raise
from domain.rules.turn import bring_in_owed, duty_passed, turn
from domain.units import Chips, Seat, Size

Action = Literal["fold", "check", "call", "bring_in", "complete", "bet", "raise"]


class LegalAction(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a seat may do: `amount` chips go in now, `to` is his street total after.

    `rule` is the rule that allows it or fixes its amount; `size` only for wagers.
    """

    seat: Seat
    action: Action
    amount: Chips
    to: Chips
    size: Size | None
    all_in: bool
    rule: str


def legal_actions(hand: Hand, seat: Seat | None = None) -> tuple[LegalAction, ...]:
    """Everything the seat to act may do, passive choices first; empty between rounds.

    `seat` chooses among several possible seats where the record leaves the turn open; a seat
    whose turn it cannot be gets nothing.
    """
    seats = turn(hand)
    if not seats or (seat is not None and seat not in seats):
        return ()
    return choices(hand, hand.player(seats[0] if seat is None else seat))


def choices(hand: Hand, player: Player) -> tuple[LegalAction, ...]:
    """What a player may do whose turn it is."""
    if bring_in_owed(hand):
        return _first_chips(hand, player)
    return (_folding(player), _staying(hand, player), *_wagers(hand, player))


def choices_among(
    hand: Hand, player: Player, actions: Collection[Action]
) -> tuple[LegalAction, ...]:
    """Those of his `choices` that are one of these actions, without working out the others."""
    if bring_in_owed(hand):
        return tuple([c for c in _first_chips(hand, player) if c.action in actions])
    if "raise" in actions:
        return _wagers(hand, player)
    if "fold" in actions:
        return (_folding(player),)
    staying = _staying(hand, player)
    return (staying,) if staying.action in actions else ()


def _first_chips(hand: Hand, player: Player) -> tuple[LegalAction, ...]:
    """The opener posts or opens; a seat the duty passed to may also fold (S4, S5)."""
    stakes = hand.started.stakes
    post = min(stakes.bring_in, player.stack)
    bring_in = _chips(player, "bring_in", player.street_total + post, rule="S4")
    # A bring-in as large as the small bet are the same chips, but only the bet counts as one (S7).
    least = post if post == stakes.small_bet else post + 1
    larger = tuple(w for w in _wagers(hand, player) if w.amount >= least)
    if duty_passed(hand):
        return (_folding(player, rule="S5"), bring_in, *larger)
    return (bring_in, *larger)


def _folding(player: Player, rule: str = "B5") -> LegalAction:
    return _chips(player, "fold", player.street_total, rule=rule)


def _staying(hand: Hand, player: Player) -> LegalAction:
    """Check, or call with as much as he has."""
    to = staying_in(hand, player)
    return _chips(player, "call" if to > player.street_total else "check", to, rule="B5")


def staying_in(hand: Hand, player: Player) -> Chips:
    """The street total a player has who checks or calls: the price, or all he has (B5)."""
    total, price = player.street_total, hand.betting.price
    if price <= total:
        return total
    return price if price - total < player.stack else total + player.stack


def _wagers(hand: Hand, player: Player) -> tuple[LegalAction, ...]:
    action = _wager_name(hand)
    rule = _wager_rule(hand, action)
    targets = wager_targets(hand, player)
    return tuple([_chips(player, action, to, rule=rule, size=size) for to, size in targets])


def _wager_name(hand: Hand) -> Action:
    """Complete on third street until a bet counts, bet while nobody has, else raise (S7)."""
    betting = hand.betting
    if betting.price == 0:
        return "bet"
    return "complete" if betting.street == 3 and betting.bets == 0 else "raise"


def _wager_rule(hand: Hand, action: Action) -> str:
    if hand.betting.double_bet:
        return "B4"
    return "S7" if action == "complete" else "S6"


def _chips(
    player: Player, action: Action, to: Chips, *, rule: str, size: Size | None = None
) -> LegalAction:
    amount = to - player.street_total
    return LegalAction(
        seat=player.seat,
        action=action,
        amount=amount,
        to=to,
        size=size,
        all_in=0 < amount == player.stack,
        rule=rule,
    )


def limits(hand: Hand, seat: Seat) -> tuple[tuple[str, str], ...]:
    """Why this seat has no other choice: pairs of rule id and sentence."""
    player = hand.player(seat)
    found: list[tuple[str, str]] = []
    if bring_in_owed(hand):
        duty = "the bring-in is owed: nobody checks on third street"
        found.append(("S4", duty if duty_passed(hand) else f"{duty}, and the opener may not fold"))
    forbidden = why_no_raise(hand, player)
    if forbidden:
        found.append(forbidden)
    if hand.betting.double_bet:
        words = (
            "a big wager was made, so every raise is big"
            if hand.betting.big
            else ("an open pair shows, so the small or the big bet may be wagered")
        )
        found.append(("B4", words))
    return tuple(found)
