"""Whether the money went where the rules send it (B8, P1-P9, R1-R6, B9)."""

from __future__ import annotations

from domain import commands as c
from domain import events as e
from domain.amounts import amount_words
from domain.check.finding import object_to
from domain.finding import Finding
from domain.hand import Hand, Player
from domain.rules.betting import uncalled
from domain.rules.turn import hand_over, street_over
from domain.rulings import void
from domain.units import Chips, Seat


def check_uncalled(hand: Hand, event: e.UncalledReturned) -> tuple[Finding, ...]:
    """Exactly what nobody matched goes back, to its owner, once the street is over (B8)."""
    money = hand.started.money
    due = uncalled(hand) if street_over(hand) or _antes_are_in(hand) else None
    recorded = f"{amount_words(event.amount, money)} to seat {event.seat}"
    if due == (event.seat, event.amount):
        return ()
    expected = "nothing back" if due is None else f"{amount_words(due[1], money)} to seat {due[0]}"
    text = f"{recorded} went back as uncalled; by the bets it is {expected}."
    return (object_to(hand, "B8", expected, recorded, text),)


def _antes_are_in(hand: Hand) -> bool:
    """Before the cards only an ante can be unmatched, where the house gives it back."""
    return hand.betting.street == 0 and all(player.anted for player in hand.seats)


def check_missing_return(hand: Hand) -> tuple[Finding, ...]:
    """An unmatched bet that did not go back before the next street or the payout (B8)."""
    if hand.awards or hand.rake_taken is not None or not street_over(hand):
        return ()
    due = uncalled(hand)
    if due is None:
        return ()
    amount = amount_words(due[1], hand.started.money)
    text = f"Nobody matched {amount} of seat {due[0]}, and it never went back."
    return (object_to(hand, "B8", f"{amount} to seat {due[0]}", "nothing back", text),)


def check_not_over(hand: Hand) -> tuple[Finding, ...]:
    """A payout while players are still to act or cards to come (B9, P0)."""
    if hand.awards or hand.rake_taken is not None or hand_over(hand):
        return ()
    text = "The hand is paid out while more than one player is in and streets are to come."
    return (object_to(hand, "B9", "play goes on", "a payout", text),)


def check_stacks(
    hand: Hand, event: e.HandCompleted, awards: tuple[Finding, ...]
) -> tuple[Finding, ...]:
    """The pot is empty and every recorded stack, named once, is what the chips add up to (P8).

    What `awards`, the findings about them, say is missing from a prize is not said again.
    """
    recorded = {stack.seat: stack.stack for stack in event.stacks}
    short = _falls_short(hand, recorded)
    if short:
        return () if any(found.rule in _AMOUNTS for found in awards) else short
    found = [
        _wrong_stack(hand, player, recorded.get(player.seat))
        for player in hand.seats
        if recorded.get(player.seat) != player.stack
    ]
    if len(recorded) < len(event.stacks):
        text = "The record has two stacks for the same seat after the hand."
        named = f"{len(event.stacks)} stacks of {len(recorded)} seats"
        found.append(object_to(hand, "P8", "one stack for each seat", named, text))
    return tuple(found)


_AMOUNTS = {"P2", "P3", "P4"}
"""Rules by which a prize is not paid, or not in full."""


def _falls_short(hand: Hand, recorded: dict[Seat, Chips]) -> tuple[Finding, ...]:
    """Chips that no award paid out; whether or not the stacks have them all the same (P8)."""
    if not hand.pot:
        return ()
    left = amount_words(hand.pot, hand.started.money)
    more = {p.seat: recorded.get(p.seat, 0) - p.stack for p in hand.seats}
    got = [seat for seat, chips in more.items() if chips]
    where = ""
    if sum(more.values()) == hand.pot and len(got) == 1:
        where = f"; only the stack of seat {got[0]} after the hand has it"
    text = f"The payouts fall short: {left} of the pot went to nobody{where}."
    return (object_to(hand, "P8", "an empty pot", f"{left} left", text),)


def _wrong_stack(hand: Hand, player: Player, got: Chips | None) -> Finding:
    money = hand.started.money
    want = amount_words(player.stack, money)
    have = "nothing" if got is None else amount_words(got, money)
    text = f"Seat {player.seat} is left with {have} in the record; his chips add up to {want}."
    return object_to(hand, "P8", want, have, text)


def check_void(hand: Hand, event: e.HandVoided) -> tuple[Finding, ...]:
    """Everyone gets back exactly what he put in, and the rake goes back too (P9)."""
    if hand.voided:
        return (object_to(hand, "P9", "one void", "a second void", "The hand is voided twice."),)
    due = void(hand, c.Void(reason=event.reason))
    if _moves(due) == _moves(event):
        return ()
    text = "The void does not give everyone back exactly what he put in."
    return (object_to(hand, "P9", _in_words(hand, due), _in_words(hand, event), text),)


def _moves(event: e.HandVoided) -> tuple[dict[int, int], int]:
    return {m.seat: m.amount for m in event.moves if m.amount}, event.rake


def _in_words(hand: Hand, event: e.HandVoided) -> str:
    money = hand.started.money
    moved = ", ".join(f"seat {m.seat} {amount_words(m.amount, money)}" for m in event.moves)
    return f"{moved or 'no moves'}, rake {amount_words(event.rake, money)}"
