"""A table at this moment as everybody at it sees it: seats, the hand, who acts and until when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

import msgspec
from markupsafe import Markup
from msgspec.structs import replace

from domain.discreet import Discreet
from domain.timing import TurnClock
from domain.units import Card, Chips, Seat
from services.api.parts import Parts
from services.live.standing import Standing, standing
from services.replaying import PUBLIC, ReplayFrame, SeatNow, replay_step
from services.replaying.notes import STATUS_WORDS, street_name
from services.replaying.svg import draw_svg, tall
from services.tables import SeatAtTable, TableSheet, load_table, table_sheet


class SeatShown(Discreet, frozen=True, kw_only=True):
    """A seat as it is read aloud; `committed` is null of who is not in the hand."""

    seat: Seat
    player: str
    stack: Chips
    committed: Chips | None
    up: tuple[Card, ...]
    state: str


class HandNow(msgspec.Struct, frozen=True, kw_only=True):
    """The hand being played, in the view of the table: nobody's face-down cards."""

    frame: ReplayFrame
    street: str
    acting: str | None
    clock: TurnClock | None
    wide: Markup
    tall: Markup


class TableNow(msgspec.Struct, frozen=True, kw_only=True):
    """A table at `at`; every fact after `position` of the log may not be in it yet."""

    position: int
    at: datetime
    sheet: TableSheet
    seats: tuple[SeatShown, ...]
    hand: HandNow | None

    @property
    def said(self) -> str:
        """What happened last, in a sentence."""
        return self.hand.frame.note if self.hand else "No hand is being played."


def table_now(parts: Parts, table: UUID) -> TableNow:
    """The table as it is stored now. Raises UnknownTable."""
    # Asked first: what comes meanwhile is told by the feed once more, and nothing is missed.
    position = parts.room.store.head()
    loaded = load_table(parts.room.store, table)
    players = [sitting.player for sitting in loaded.table.seats]
    names = parts.room.players.names(players) if players else {}
    sheet = table_sheet(loaded, names)
    hand = None if sheet.hand is None else _hand(standing(parts.room.store, sheet.hand.hand), names)
    return TableNow(
        position=position,
        at=parts.live.now(),
        sheet=sheet,
        seats=tuple(_seat(seat, hand.frame if hand else None) for seat in sheet.seats),
        hand=hand,
    )


def _hand(hand: Standing, names: Mapping[str, str]) -> HandNow:
    frame = replay_step(str(hand.hand_id), hand.events, None, PUBLIC, names)
    # The picture says how it stood; what is left of the time runs on beside it.
    drawn = replace(frame, clock=None)
    return HandNow(
        frame=frame,
        street=street_name(frame.street),
        acting=next((seat.player for seat in frame.seats if seat.seat == frame.to_act), None),
        clock=hand.clock,
        wide=Markup(draw_svg(drawn)),
        tall=Markup(draw_svg(drawn, tall)),
    )


def _seat(sitting: SeatAtTable, frame: ReplayFrame | None) -> SeatShown:
    name = sitting.name or f"seat {sitting.seat}"
    playing = (
        next((seat for seat in frame.seats if seat.seat == sitting.seat), None) if frame else None
    )
    return SeatShown(
        seat=sitting.seat,
        player=name,
        stack=sitting.stack if playing is None else playing.stack,
        committed=None if playing is None else playing.committed,
        up=() if playing is None else playing.up,
        state=_state(sitting, playing, frame),
    )


def _state(sitting: SeatAtTable, playing: SeatNow | None, frame: ReplayFrame | None) -> str:
    """Everything there is to say of a seat: `to act`, `folded, leaving`."""
    words = [
        "to act" if playing and frame and frame.to_act == playing.seat else "",
        STATUS_WORDS[playing.status] if playing else "",
        "not in this hand" if frame and playing is None else "",
        "sitting out" if sitting.sitting_out else "",
        "leaving" if sitting.leaving else "",
    ]
    return ", ".join(filter(None, words))
