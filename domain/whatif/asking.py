"""What is asked of a hand that was played, and what can be said about it."""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.discreet import Discreet
from domain.errors import StudError
from domain.events import HandEvent, ScheduleRef
from domain.hand import Hand
from domain.house_rules import HouseRules
from domain.legal import Action, LegalAction
from domain.units import Chips, ChipsMoved, Seat, TimeoutOutcome


class NotADecision(StudError):
    """At this step nobody decided anything; `decisions` are the steps at which somebody did."""

    def __init__(self, message: str, decisions: tuple[int, ...]) -> None:
        super().__init__(message)
        self.decisions = decisions


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody does instead: an action, or his time running out.

    `to` is the street total after a bet or raise, and may be left out where only one is legal.
    `outcome` is what a time-out makes of the turn; without it the house rules say. `seat` is only
    needed where another seat than the recorded one is to act.
    """

    action: Action | Literal["time_out"]
    to: Chips | None = None
    outcome: TimeoutOutcome | None = None
    seat: Seat | None = None


class Instead(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be different: a decision, the house rules, the rake schedule, or several."""

    decision: Decision | None = None
    house_rules: HouseRules | None = None
    rake_schedule: ScheduleRef | None = None


Outcome = Literal["certain", "if_repeated", "open"]
"""`certain`: the rules alone say how it ends. `if_repeated`: it ends like this if everybody decides
again as he did, though things stood otherwise. `open`: something that is not on record decides.
"""

About = Literal["decision", "cards", "pot", "odd_chip", "rake"]


class Open(Discreet, frozen=True, kw_only=True):
    """Something the record does not tell: about what, whose, by which rule, in a sentence.

    `legal` is what the seat to act may do, where a decision is open.
    """

    about: About
    seats: tuple[Seat, ...]
    rule: str
    text: str
    legal: tuple[LegalAction, ...] = ()


class PlayerMoney(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat won or lost in minor units, as played and instead; null where it is open."""

    seat: Seat
    played: ChipsMoved | None
    instead: ChipsMoved | None

    @property
    def difference(self) -> ChipsMoved | None:
        """What the change is worth to him."""
        if self.played is None or self.instead is None:
            return None
        return self.instead - self.played


class WhatIf(Discreet, frozen=True, kw_only=True):
    """How a hand would have gone.

    `events` is the course it takes as far as it can be told, `sources[i]` the step of the record
    that `events[i]` repeats, or None for what is new. `since` is the place of the first new fact.
    `repeated` are the steps whose decisions are assumed to be made again though things stand
    otherwise. `hand` is the state at the end of `events`, `played` that of the record when it was
    paid out (None if it was not).
    """

    step: int | None
    instead: Instead
    events: tuple[HandEvent, ...]
    sources: tuple[int | None, ...]
    since: int
    repeated: tuple[int, ...]
    outcome: Outcome
    open: tuple[Open, ...]
    hand: Hand
    played: Hand | None
    players: tuple[PlayerMoney, ...]

    @property
    def rake(self) -> tuple[ChipsMoved | None, ChipsMoved | None]:
        """The rake as played and instead; None where it is not known."""
        before_rake = any(question.about == "rake" for question in self.open)
        known = self.hand.completed and not before_rake
        return (
            None if self.played is None else self.played.rake,
            self.hand.rake if known else None,
        )
