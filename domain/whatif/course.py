"""The course a hand takes: facts one after the other, from the record or new."""

from __future__ import annotations

from msgspec.structs import replace

from domain import events as e
from domain.evolve import evolve
from domain.hand import Hand
from domain.legal import legal_actions
from domain.rules.betting import uncalled
from domain.rules.openers import leaders, why_opens
from domain.rules.turn import street_over, turn
from domain.units import Chips, Seat
from domain.whatif.asking import Instead, Open
from domain.whatif.record import Record
from domain.words import actions


class Course:
    """A hand as far as it has gone, beside its record.

    `apart` is whether things stand otherwise than at the same place of the record; `repeated` are
    the steps of decisions made again though they did. `open` is what ends the course.
    """

    def __init__(self, record: Record, instead: Instead) -> None:
        self.record = record
        self.started = _started(record.started, instead)
        self.hand = evolve(None, self.started)
        self.events: list[e.HandEvent] = [self.started]
        self.sources: list[int | None] = [1]
        self.repeated: list[int] = []
        self.open: list[Open] = []
        self.apart = False

    @property
    def over(self) -> bool:
        """Whether the course has come to an end, or to something that is not on record."""
        return self.hand.completed or bool(self.open)

    def take(self, event: e.HandEvent, source: int | None = None) -> None:
        """The next fact; `source` is its step in the record, None for a new one."""
        self.hand = evolve(self.hand, event)
        self.events.append(event)
        self.sources.append(source)

    def leave_open(self, question: Open) -> None:
        """End here: the record does not tell."""
        self.open.append(question)

    def leave_turn_open(self, why: str) -> None:
        """End at the decision of whoever is to act."""
        seats = turn(self.hand)
        legal = legal_actions(self.hand) if len(seats) == 1 else ()
        who = " or ".join(f"seat {seat}" for seat in seats)
        may = f" He may {actions(self.started.money, legal)}." if legal else ""
        self.leave_open(
            Open(
                about="decision",
                seats=seats,
                rule=legal[0].rule if legal else "B1",
                text=f"It is up to {who}: {why}.{may}",
                legal=legal,
            )
        )

    def standing_as(self, then: Hand) -> bool:
        """Whether the next decision is the same choice in the same play as in the state `then`."""
        now = self.hand
        return now.seats == then.seats and legal_actions(now) == legal_actions(then)


def _started(started: e.HandStarted, instead: Instead) -> e.HandStarted:
    """The start under the other rules; a schedule that is named decides the rake (R2)."""
    house = instead.house_rules or started.house_rules
    if instead.rake_schedule is None:
        return replace(started, house_rules=house)
    house = replace(house, rake="schedule")
    return replace(started, house_rules=house, rake_schedule=instead.rake_schedule)


def burns_differ(course: Course) -> bool:
    """Whether a card is burnt before each street here and not in the record, or the reverse.

    From fourth street on every card is then another one (G6).
    """
    rules = course.record.started.house_rules
    return course.started.house_rules.burn_cards != rules.burn_cards


def return_due(hand: Hand) -> tuple[Seat, Chips] | None:
    """What nobody matched, once the street is over (B8)."""
    return uncalled(hand) if street_over(hand) else None


def opening(hand: Hand) -> e.BettingOpened | None:
    """How the street opens; None if it has, or if the record leaves it open."""
    if hand.betting.opened is not None or hand.betting.last is not None or not turn(hand):
        return None
    seats = leaders(hand)
    if len(seats) > 1:
        return None
    return e.BettingOpened(
        street=hand.betting.street,
        opener=seats[0],
        reason=why_opens(hand),
        double_bet=hand.betting.double_bet,
    )
