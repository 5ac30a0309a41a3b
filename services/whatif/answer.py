"""The answer to a what-if, for people and programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from domain import events as e
from domain.discreet import Discreet
from domain.events import ScheduleRef
from domain.house_rules import Clock, HouseRules
from domain.legal import LegalAction
from domain.units import ChipsMoved, Seat
from domain.whatif import Instead, Open, Outcome, WhatIf, whatif
from services.explaining.explanation import WIDTH, Section, sections_text
from services.replaying.pots import PotNow, pots_now
from services.replaying.seating import Seating, printable, seating
from services.replaying.views import PUBLIC, View, require_allowed, seen_by
from services.whatif.telling import tell

Choice = bool | int | str | tuple[str, ...] | Clock | None
"""What a field of the house rules may say."""


class PolicyChange(msgspec.Struct, frozen=True, kw_only=True):
    """A policy of the house and what it is instead."""

    field: str
    was: Choice
    instead: Choice


class MoneyChange(Discreet, frozen=True, kw_only=True):
    """What a player won or lost in minor units; null where the record or the course is open."""

    seat: Seat
    player: str
    played: ChipsMoved | None
    instead: ChipsMoved | None
    difference: ChipsMoved | None


class RakeChange(msgspec.Struct, frozen=True, kw_only=True):
    """The rake in minor units; null where it is not known."""

    played: ChipsMoved | None
    instead: ChipsMoved | None
    difference: ChipsMoved | None


class OpenQuestion(Discreet, frozen=True, kw_only=True):
    """Something the record does not tell; `legal` is what may be done where somebody is to act."""

    about: str
    seats: tuple[Seat, ...]
    rule: str
    text: str
    legal: tuple[LegalAction, ...]


class WhatIfAnswer(Discreet, frozen=True, kw_only=True):
    """What follows from a change with certainty, what is assumed, and what stays open.

    `step` is null where no decision is changed. `repeated` are the steps whose decisions are
    assumed to be made again though things stand otherwise. `pots` are those in the middle at the
    end of what can be told; empty once they are paid out. Amounts in minor units.
    """

    hand: str
    number: str
    step: int | None
    steps: int
    view: str
    title: str
    currency: str
    exponent: int
    policies: tuple[PolicyChange, ...]
    rake_schedule: ScheduleRef | None
    outcome: Outcome
    repeated: tuple[int, ...]
    pots: tuple[PotNow, ...]
    open: tuple[OpenQuestion, ...]
    players: tuple[MoneyChange, ...]
    rake: RakeChange
    sections: tuple[Section, ...]


def what_if(
    hand: str,
    events: Sequence[e.HandEvent],
    step: int | None,
    instead: Instead,
    view: View = PUBLIC,
    names: Mapping[str, str] | None = None,
) -> WhatIfAnswer:
    """Answer from what `view` may see; writes nothing. Raises what `domain.whatif` does, `BadView`.

    `hand` is the hand's id, `names` maps player ids to names.
    """
    require_allowed(view, events)
    seen = tuple(seen_by(view, events))
    found = whatif(seen, step, instead)
    started = found.hand.started
    words = seating(started, names or {})
    return WhatIfAnswer(
        hand=hand,
        number=started.number,
        step=step,
        steps=len(events),
        view=str(view),
        title=_title(started, step, len(events)),
        currency=started.money.currency,
        exponent=started.money.exponent,
        policies=_policies(seen[0], instead.house_rules),
        rake_schedule=instead.rake_schedule,
        outcome=found.outcome,
        repeated=found.repeated,
        pots=() if found.hand.completed else pots_now(found.hand),
        open=tuple(map(_question, found.open)),
        players=_players(found, words),
        rake=_rake(found),
        sections=tuple(tell(found, seen, words)),
    )


def as_text(answer: WhatIfAnswer, width: int = WIDTH) -> str:
    """The answer to be read, wrapped to `width` columns, rule ids in brackets."""
    return sections_text(answer.title, answer.sections, width)


def _title(started: e.HandStarted, step: int | None, steps: int) -> str:
    where = f"Hand {printable(started.number)}"
    return f"What if: {where}" if step is None else f"What if: {where}, step {step} of {steps}"


def _policies(first: e.HandEvent, house: HouseRules | None) -> tuple[PolicyChange, ...]:
    assert isinstance(first, e.HandStarted), "every hand begins with its start"
    was = first.house_rules
    if house is None:
        return ()
    return tuple(
        PolicyChange(field=field, was=getattr(was, field), instead=getattr(house, field))
        for field in was.__struct_fields__
        if getattr(was, field) != getattr(house, field)
    )


def _question(question: Open) -> OpenQuestion:
    return OpenQuestion(
        about=question.about,
        seats=question.seats,
        rule=question.rule,
        text=question.text,
        legal=question.legal,
    )


def _players(found: WhatIf, words: Seating) -> tuple[MoneyChange, ...]:
    return tuple(
        MoneyChange(
            seat=one.seat,
            player=words.player(one.seat),
            played=one.played,
            instead=one.instead,
            difference=one.difference,
        )
        for one in found.players
    )


def _rake(found: WhatIf) -> RakeChange:
    played, instead = found.rake
    difference = None if played is None or instead is None else instead - played
    return RakeChange(played=played, instead=instead, difference=difference)
