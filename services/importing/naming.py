"""Under which id a hand is stored whose record names one: the room's own streams hold no hands."""

from __future__ import annotations

from uuid import UUID

from domain.closing import DAYS
from domain.events import HandStarted
from domain.publishing import schedule_stream
from domain.schedules import SCHEDULES
from services.identity import hand_id
from services.log.events import KEYS, LOG
from services.privacy.events import RETENTION
from services.readers.record import HandRead

OF_THE_ROOM = frozenset((DAYS, KEYS, LOG, RETENTION, *(schedule_stream(s) for s, _ in SCHEDULES)))
"""Streams every room has or is to have: a hand that began one would be in the way for ever."""


def id_of(read: HandRead, started: HandStarted, digest: str) -> UUID:
    """The id a record names, if that may be a hand's, else what follows from what it tells."""
    if read.hand is not None and read.hand not in OF_THE_ROOM:
        return read.hand
    return hand_id(started, read.identity, digest)
