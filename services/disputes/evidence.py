"""What the record has to say about a case, as one view may see it.

Whoever shows it to somebody has recorded the sighting before, as for every view of hidden cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from psycopg.rows import class_row

from domain import events as e
from domain.check import Finding
from domain.discreet import Discreet
from domain.disputes.events import EvidenceKept
from domain.legal import LegalAction
from domain.ruled import Ruled, as_ruled
from services.access.events import CardsSeen, hand_stream
from services.access.events import decode as decode_access
from services.disputes.clock import ClockFacts, clock_facts
from services.disputes.loading import LoadedCase, load_hand
from services.explaining import explain
from services.explaining.explanation import Section
from services.replaying import PUBLIC, ReplayFrame, View, replay_step
from services.store.port import EventStore
from services.store.room import Room

# Side by side with the hand itself, so that only its own two days are looked through.
NEIGHBOURS = b"""
select n.hand, n.number, n.happened_at, n.place from hands own cross join lateral (
    (select h.hand, h.number, h.happened_at, 'before' as place from hands h
      where (h.site, h.table_id) = (own.site, own.table_id)
        and (h.happened_at, h.number) < (own.happened_at, own.number)
        and h.happened_at >= own.happened_at - interval '1 day'
      order by h.happened_at desc, h.number desc limit 3)
    union all
    (select h.hand, h.number, h.happened_at, 'after' from hands h
      where (h.site, h.table_id) = (own.site, own.table_id)
        and (h.happened_at, h.number) > (own.happened_at, own.number)
        and h.happened_at <= own.happened_at + interval '1 day'
      order by h.happened_at, h.number limit 3)
) as n
 where own.hand = %(hand)s
 order by 3, 2
"""


class Neighbour(msgspec.Struct, frozen=True, kw_only=True):
    """A hand at the same table within a day, before or after the one in dispute."""

    hand: UUID
    number: str
    happened_at: datetime
    place: str


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """Who saw or exported hidden cards of the hand, in which view, and what for."""

    at: datetime | None
    actor: str
    role: str | None
    view: str
    purpose: str


class KeptEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """Something worked out before and kept with the case."""

    id: UUID
    kind: str
    asked: str
    sha256: str
    size: int


class CaseEvidence(Discreet, frozen=True, kw_only=True):
    """Everything about one step of the hand in dispute.

    `frame` is the table then; `legal` what the seat to act could have done just before it;
    `decided` the rules that decided the step, in words; `findings` what is wrong with it. `ruled`
    is the money as played and as ruled, null where nothing was ruled.
    """

    dispute: UUID
    step: int
    view: str
    frame: ReplayFrame
    legal: tuple[LegalAction, ...]
    decided: tuple[Section, ...]
    findings: tuple[Finding, ...]
    clock: ClockFacts
    kept: tuple[KeptEvidence, ...]
    neighbours: tuple[Neighbour, ...]
    looked: tuple[Looked, ...]
    ruled: Ruled | None


def gather(
    room: Room, loaded: LoadedCase, view: View = PUBLIC, step: int | None = None
) -> CaseEvidence:
    """The evidence for a case at `step`: that of the complaint, or the hand's last.

    Raises `NoSuchStep`, `BadView`, `CorruptHistory`.
    """
    opened = loaded.case.opened
    hand = load_hand(room.store, opened.hand)
    events = hand.events
    wanted = step or opened.step or _played(events)
    names = room.players.names([taken.player for taken in hand.hand.started.seats])
    frame = replay_step(str(hand.id), events, wanted, view, names)
    before = replay_step(str(hand.id), events, wanted - 1, view) if wanted > 1 else None
    explained = explain(str(hand.id), events, wanted, view, names)
    return CaseEvidence(
        dispute=loaded.id,
        step=wanted,
        view=str(view),
        frame=frame,
        legal=before.legal if before else (),
        decided=explained.sections,
        findings=explained.findings,
        clock=clock_facts(room.store, hand.id, events, wanted),
        kept=tuple(kept_evidence(loaded)),
        neighbours=_neighbours(room, hand.id),
        looked=tuple(looked_at(room.store, hand.id)),
        ruled=as_ruled(events),
    )


def _played(events: Sequence[e.HandEvent]) -> int:
    """The last step of the hand as it was played: what was ruled since is told beside it."""
    ruled = as_ruled(events)
    return ruled.steps[0] - 1 if ruled else len(events)


def kept_evidence(loaded: LoadedCase) -> Iterator[KeptEvidence]:
    """What was worked out before, in the order it was kept."""
    for event in loaded.events:
        if isinstance(event, EvidenceKept):
            yield KeptEvidence(
                id=event.kept,
                kind=event.kind,
                asked=event.asked,
                sha256=event.salted_sha256,
                size=event.size,
            )


def looked_at(store: EventStore, hand: UUID) -> Iterator[Looked]:
    """Who saw hidden cards of a hand, from its access stream."""
    for state in store.states(hand_stream(hand)):
        seen = decode_access(state)
        if isinstance(seen, CardsSeen):
            yield Looked(
                at=seen.at, actor=seen.actor, role=seen.role, view=seen.view, purpose=seen.purpose
            )


def _neighbours(room: Room, hand: UUID) -> tuple[Neighbour, ...]:
    asked: dict[str, Any] = {"hand": hand}
    with room.connect() as connection, connection.cursor(row_factory=class_row(Neighbour)) as rows:
        return tuple(rows.execute(NEIGHBOURS, asked))
