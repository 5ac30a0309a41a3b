"""Whose turn it is and why, what may be done, and what limits each choice."""

from __future__ import annotations

from collections.abc import Iterator

from domain.consequences import cards_due
from domain.hand import Hand
from domain.legal import LegalAction, legal_actions, limits
from domain.rules.betting import MOST_BETS, bet_sizes, shows_open_pair, uncalled
from domain.rules.turn import bring_in_owed, duty_passed, hand_over, street_over, turn
from domain.units import Seat
from domain.words import action
from services.explaining.explanation import Line, say
from services.replaying.notes import COUNTS, street_name
from services.replaying.seating import Seating, listed


def whose_turn(hand: Hand, words: Seating) -> Iterator[Line]:
    """Who is to act now and why, or why nobody is."""
    seats = turn(hand)
    if not seats:
        yield from _nobody(hand, words)
    elif len(seats) > 1:
        who = listed((words.who(seat) for seat in seats), "or")
        yield say(f"The record leaves open whose turn it is: {who}.", "B1")
    else:
        yield _his_turn(hand, words, seats[0])


def _his_turn(hand: Hand, words: Seating, seat: Seat) -> Line:
    who, last = words.subject(seat), hand.betting.last
    if bring_in_owed(hand):
        if duty_passed(hand):
            return say(f"{who} is to act: the duty to bring it in has passed on.", "S5")
        return say(f"{who} is to act: the lowest door card brings it in.", "S3", "S4")
    if len(hand.active) == 1:
        return say(f"{who} is to act: nobody else can, but there is a bet to match.", "B10")
    if last is None:
        return say(f"{who} is to act and opens {street_name(hand.betting.street)}.", "B1")
    return say(f"{who} is to act: next clockwise after {words.who(last)} who may.", "B1")


def _nobody(hand: Hand, words: Seating) -> Iterator[Line]:
    if hand.voided:
        yield say("Nobody is to act: the hand is void.", "P9")
    elif hand.completed:
        yield say("Nobody is to act: the hand is over.")
    elif len(hand.still_in) < 2:
        yield say(f"Nobody is to act: only {words.all_of(_still_in(hand))} is still in.", "B9")
    else:
        yield from _between_rounds(hand, words)


def _still_in(hand: Hand) -> tuple[Seat, ...]:
    return tuple(player.seat for player in hand.still_in)


def _between_rounds(hand: Hand, words: Seating) -> Iterator[Line]:
    if hand.betting.street == 0:
        yield say("Nobody is to act: antes first, then the cards.", "S1", "G5")
        return
    if not street_over(hand):
        yield say("Nobody is to act: cards are still being dealt.", "G5")
        return
    if hand.collected:
        yield say("Nobody is to act: the pots are being paid out.", "P3")
        return
    if len(hand.active) < 2:
        yield say("Nobody is to act: fewer than two players can still bet.", "B10")
    else:
        yield say(f"The betting of {street_name(hand.betting.street)} is over.", "B5")
    back = uncalled(hand)
    if back is not None:
        seat, amount = back
        yield say(f"{words.amount(amount)} goes back to {words.who(seat)}: unmatched.", "B8")
    if hand_over(hand):
        yield say("The hands still in are turned up and judged.", "P0")
        return
    yield from _cards_next(hand)


def _cards_next(hand: Hand) -> Iterator[Line]:
    due = cards_due(hand)
    if due is None:
        return
    if due.community:
        yield say("One community card is next: fewer cards are left than players still in.", "G6")
        return
    what = "card face down" if due.down else "card face up"
    yield say(f"{street_name(due.street).capitalize()} is next: one {what} each.", "G5")


def choices(hand: Hand, words: Seating) -> Iterator[Line]:
    """Everything the seat to act may do, each with what fixes its amount, and what it may not."""
    for seat in turn(hand):
        name = "" if len(turn(hand)) == 1 else f"{words.subject(seat)}: "
        for choice in legal_actions(hand, seat):
            phrase = name + action(words.money, choice)
            yield say(phrase + _measure(hand, words, choice), choice.rule)
        for rule, why in limits(hand, seat):
            yield say(f"Limit: {why}.", rule)


def _measure(hand: Hand, words: Seating, choice: LegalAction) -> str:
    """How the amount of a choice comes about."""
    if choice.action == "bring_in":
        return ": the forced bet"
    if choice.action == "call":
        return _call_measure(hand, words, choice)
    return "" if choice.size is None else _wager_measure(hand, words, choice)


def _call_measure(hand: Hand, words: Seating, choice: LegalAction) -> str:
    price = words.amount(hand.betting.price)
    if choice.to < hand.betting.price:
        return f": all the chips left; the price is {price}"
    already = hand.player(choice.seat).street_total
    return f": the price is {price}, {words.amount(already)} is in" if already else ""


def _wager_measure(hand: Hand, words: Seating, choice: LegalAction) -> str:
    sizes = dict(bet_sizes(hand))
    assert choice.size is not None, "only wagers are measured"
    bet, base = sizes[choice.size], hand.betting.base
    full = base + bet
    if choice.to < full:
        return f": all the chips left; the full wager is to {words.amount(full)}"
    on_top = f" on top of {words.amount(base)}" if base else ""
    return f": the {choice.size} bet of {words.amount(bet)}{on_top}"


def standing(hand: Hand, words: Seating) -> Iterator[Line]:
    """How the betting of this street stands: price, bets made, short all-ins, open pair."""
    betting, money = hand.betting, words.amount
    if not turn(hand):
        return
    if betting.price:
        yield say(f"The price to stay in is {money(betting.price)} on this street.", "B5")
    if betting.bets:
        yield _bets_made(hand)
    yield from _short_wagers(hand, words)
    yield from open_pair(hand, words)


def _bets_made(hand: Hand) -> Line:
    bets = hand.betting.bets
    raises = f" and {COUNTS[bets - 1]} {'raise' if bets == 2 else 'raises'}" if bets > 1 else ""
    if hand.betting.uncapped:
        return say(f"One bet{raises} so far; two players began the round, so it is uncapped.", "B3")
    left = max(MOST_BETS - bets, 0)
    more = f"{COUNTS[left]} more {'raise is' if left == 1 else 'raises are'} possible"
    return say(f"One bet{raises} so far: {more}.", "B3")


def _short_wagers(hand: Hand, words: Seating) -> Iterator[Line]:
    """All-ins that raised the price without counting as a bet (B7)."""
    betting, money = hand.betting, words.amount
    measured_from = betting.base or (hand.started.stakes.bring_in if betting.brought_in else 0)
    if betting.price > measured_from:
        yield say(
            f"A short all-in raised the price to {money(betting.price)} without counting as a "
            f"bet: a full wager is still measured from {money(betting.base)}.",
            "B7",
        )


def open_pair(hand: Hand, words: Seating) -> Iterator[Line]:
    """What a pair showing on fourth street means in this game and house (B4)."""
    betting = hand.betting
    pairs = [player.seat for player in hand.seats if shows_open_pair(player.up[:2])]
    if betting.street != 4 or not pairs:
        return
    shows = f"{words.subjects(pairs)} {'shows' if len(pairs) == 1 else 'show'} an open pair"
    if betting.double_bet:
        small, big = hand.started.stakes.small_bet, hand.started.stakes.big_bet
        sizes = f"{words.amount(small)} or {words.amount(big)}"
        yield say(f"{shows}: bets of {sizes} for everybody, the whole street.", "B4")
    else:
        yield say(f"{shows}; the house rules allow no big bet for it in this game.", "B4")
