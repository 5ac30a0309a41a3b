"""What-if results kept with a case, and the amounts a ruling takes from one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from domain.events import SeatMove
from services.disputes.errors import NoAmounts
from services.disputes.files import file_of, keep_evidence
from services.disputes.handling import InCase
from services.disputes.loading import load_case, load_hand
from services.live import By
from services.replaying import PUBLIC, View
from services.store.room import Room
from services.whatif import instead_of, what_if


class _Change(msgspec.Struct):
    """The part of a kept answer that amounts are taken from."""

    difference: int | None


class _OfSeat(_Change):
    seat: int


class _Answer(msgspec.Struct):
    view: str
    players: tuple[_OfSeat, ...]
    rake: _Change


class KeptAmounts(msgspec.Struct, frozen=True):
    """What each seat and the rake would have had more or less, as worked out from a view."""

    view: str
    moves: tuple[SeatMove, ...]
    rake: int


class Supposed(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be different, as a person writes it: see `services.whatif.asking`."""

    step: int | None = None
    instead: str | None = None
    policies: Sequence[str] = ()
    schedule: str | None = None

    def in_words(self) -> str:
        """What is asked, without cards or names."""
        at = None if self.step is None else f"step {self.step}"
        rake = None if self.schedule is None else f"rake schedule {self.schedule}"
        parts = (at, self.instead, *self.policies, rake)
        return ", ".join(part for part in parts if part)


def keep_what_if(
    room: Room,
    case: UUID,
    supposed: Supposed,
    by: By,
    view: View = PUBLIC,
    *,
    at: datetime | None = None,
) -> InCase:
    """Work out what would have followed and keep the answer with the case.

    A view of hidden cards has to be on record before. Raises `BadAsk`, `BadPolicy`, `BadView`,
    what `domain.whatif` and `handle` raise.
    """
    hand = load_hand(room.store, load_case(room.store, case).case.opened.hand)
    instead = instead_of(hand.hand.started, supposed.instead, supposed.policies, supposed.schedule)
    answer = what_if(str(hand.id), hand.events, supposed.step, instead, view)
    body = msgspec.json.encode(answer)
    return keep_evidence(room, case, body, "what_if", supposed.in_words(), by, at=at)


def amounts_of(room: Room, case: UUID, evidence: UUID) -> tuple[tuple[SeatMove, ...], int]:
    """What each seat and the rake would have had more or less by a kept what-if.

    Raises `UnknownFile`, or `NoAmounts` if it leaves somebody's money open.
    """
    kept = kept_amounts(room, case, evidence)
    return kept.moves, kept.rake


def kept_amounts(room: Room, case: UUID, evidence: UUID) -> KeptAmounts:
    """The same, and from which view it was worked out. Raises `UnknownFile`, `NoAmounts`."""
    try:
        answer = msgspec.json.decode(file_of(room, case, evidence).body, type=_Answer)
    except msgspec.DecodeError:
        raise NoAmounts("this evidence is no what-if") from None
    open_to = [one for one in (*answer.players, answer.rake) if one.difference is None]
    if open_to:
        raise NoAmounts("the what-if leaves open what somebody would have won")
    moves = tuple(
        SeatMove(seat=one.seat, amount=one.difference) for one in answer.players if one.difference
    )
    return KeptAmounts(answer.view, moves, answer.rake.difference or 0)
