"""What is asked and answered about posted hands, beside the lines themselves."""

from __future__ import annotations

from uuid import UUID

import msgspec

from domain.events import HandEvent
from services.witness import LineAnswer, Suspended


class SuspendedHands(msgspec.Struct, frozen=True, kw_only=True):
    """Posted hands that wait for somebody, the one that waits longest first."""

    hands: tuple[Suspended, ...]


class ReleaseWanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The event that stands for the line that could not be applied; null: it is sent again."""

    event: HandEvent | None = None


class ReleaseAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the corrected event and of the lines kept aside after it.

    `suspended` if another of them could not be applied.
    """

    hand: UUID
    suspended: bool
    lines: tuple[LineAnswer, ...]
