"""A case's stream and its hand's, read as states, written as appends nobody can overtake."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from uuid import UUID

from domain import events as e
from domain.discreet import Discreet
from domain.disputes.case import Case, replay
from domain.disputes.events import TYPES, CaseEvent, decode, encode, tag_of
from domain.evolve import replay as replay_hand
from domain.hand import Hand
from projections.shape import Told
from services.disputes.errors import UnknownCase
from services.lookup import UnknownHand
from services.projecting.folding import HAND_TYPES
from services.store.port import EventStore, Fact, Recorded


class LoadedCase(Discreet, frozen=True, kw_only=True):
    """A case as it stood when it was read; `events` are all its facts so far."""

    id: UUID
    case: Case
    events: tuple[CaseEvent, ...]

    @property
    def version(self) -> int:
        """How many facts that takes in."""
        return len(self.events)


class LoadedHand(Discreet, frozen=True, kw_only=True):
    """The hand of a case as it stood when it was read; `day` is the one it counts for."""

    id: UUID
    hand: Hand
    events: tuple[e.HandEvent, ...]
    recorded_at: datetime

    @property
    def version(self) -> int:
        """How many facts it has."""
        return len(self.events)

    @property
    def day(self) -> date:
        """The value date of everything that is ruled about it."""
        return Told(self.id, self.recorded_at).day(self.hand.started)


def load_case(store: EventStore, case: UUID) -> LoadedCase:
    """The case as it stands. Raises `UnknownCase`, also for the id of something else."""
    return case_of(case, store.load(case))


def case_of(case: UUID, facts: Sequence[Recorded]) -> LoadedCase:
    """The case of these facts. Raises `UnknownCase` if there are none, or none of a case."""
    if not facts or facts[0].type not in TYPES:
        raise UnknownCase(f"there is no case {case}")
    events = tuple(decode(fact.state) for fact in facts)
    return LoadedCase(id=case, case=replay(events), events=events)


def load_hand(store: EventStore, hand: UUID) -> LoadedHand:
    """The hand as it stands. Raises `UnknownHand` or `CorruptHistory`."""
    facts = store.load(hand)
    if not facts or facts[0].type not in HAND_TYPES:
        raise UnknownHand(f"there is no hand {hand}")
    events = tuple(e.decode(fact.state) for fact in facts)
    return LoadedHand(
        id=hand, hand=replay_hand(events), events=events, recorded_at=facts[0].recorded_at
    )


def facts_of(events: Sequence[CaseEvent]) -> tuple[Fact, ...]:
    """Events of a case as they are stored."""
    return tuple(Fact(tag_of(event), encode(event)) for event in events)
