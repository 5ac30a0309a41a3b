"""Who opens a street and what was compared to find him (S3, B1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.cards import RANK, all_known
from domain.events import Compared
from domain.hand import Hand
from domain.ranking import board_score
from domain.rules.openers import leaders, why_opens
from domain.rules.turn import turn
from domain.units import Seat
from services.explaining.explanation import Line, say
from services.replaying.notes import STATUS_WORDS, cards_words
from services.replaying.seating import Seating, listed


def opening(hand: Hand, words: Seating) -> Iterator[Line]:
    """Why this street's opener is who he is, with everything compared; before any card nothing."""
    if hand.betting.street == 0:
        return
    seats = leaders(hand)
    compared = why_opens(hand).compared
    if not compared:
        return
    yield _leader(hand, words, seats, compared)
    yield say(_all_compared(hand, words, seats, compared), level=1)
    yield from _stand_in(hand, words, seats)


def _leader(
    hand: Hand, words: Seating, seats: tuple[Seat, ...], compared: Sequence[Compared]
) -> Line:
    third = hand.betting.street == 3
    rules = ("S3", "S4") if third else ("B1",)
    best = "lowest door card" if third else "highest exposed hand"
    if len(seats) != 1:
        who = listed((words.who(seat) for seat in seats), "or")
        why = (
            "not all of them are seen" if _some_unknown(compared) else "the dealer is not recorded"
        )
        return say(f"The record leaves open who has the {best}: {who}; {why}.", *rules)
    (seat,) = seats
    mine = next((one for one in compared if one.seat == seat), None)
    shows = "" if mine is None else f": {_shown(mine)}"
    tie = _tie(hand, words, seat, compared)
    return say(f"{words.subject(seat)} has the {best}{shows}{tie}{_duty(hand, words)}.", *rules)


def _duty(hand: Hand, words: Seating) -> str:
    """What opening third street costs (S4)."""
    if hand.betting.street != 3 or not hand.started.stakes.bring_in:
        return ""
    return f". The bring-in is {words.amount(hand.started.stakes.bring_in)}"


def _some_unknown(compared: Sequence[Compared]) -> bool:
    return not all(all_known(one.cards) for one in compared)


def _shown(one: Compared) -> str:
    """A door card, or a board with what it makes."""
    if one.rule == "S3":
        return cards_words(one.cards)
    return f"{one.words} [{cards_words(one.cards)}]"


def _tie(hand: Hand, words: Seating, seat: Seat, compared: Sequence[Compared]) -> str:
    """How a tie for the opening was broken, if there was one."""
    mine = next((one for one in compared if one.seat == seat), None)
    if mine is None or _some_unknown(compared):
        return ""
    others = [one.seat for one in compared if one.seat != seat and _claim(one) == _claim(mine)]
    if not others:
        return ""
    by_suit = mine.rule == "S3" and hand.started.house_rules.bring_in_tie == "suit"
    how = "by suit, clubs lowest" if by_suit else "as first clockwise from the dealer"
    return f", tied with {words.all_of(others)}; it is decided {how}"


def _claim(one: Compared) -> int:
    return RANK[one.cards[0]] if one.rule == "S3" else board_score(one.cards)


def _stand_in(hand: Hand, words: Seating, seats: tuple[Seat, ...]) -> Iterator[Line]:
    """The leader cannot act: the next active player clockwise starts (B2, S5)."""
    if len(seats) != 1 or hand.betting.last is not None:
        return
    waiting, (seat,) = turn(hand), seats
    if waiting and waiting[0] != seat:
        state = status_words(hand, seat)
        yield say(
            f"{words.subject(seat)} is {state} and cannot act: the next active player clockwise "
            f"starts, {words.who(waiting[0])}.",
            "S5" if hand.betting.street == 3 else "B2",
        )


def _all_compared(
    hand: Hand, words: Seating, seats: tuple[Seat, ...], compared: Sequence[Compared]
) -> str:
    """Everything that was compared, the opener first."""
    ordered = sorted(compared, key=lambda one: one.seat not in seats)
    what = "Door cards" if hand.betting.street == 3 else "Boards"
    each = "; ".join(f"{words.who(one.seat)} {_shown(one)}" for one in ordered)
    return f"{what} compared: {each}."


def status_words(hand: Hand, seat: Seat) -> str:
    """Why a player no longer acts: `all-in`."""
    return STATUS_WORDS[hand.player(seat).status]
