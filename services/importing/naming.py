"""Under which id a hand is stored whose record names one: ids of other things are not for hands."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from domain.closing import DAYS
from domain.events import HandStarted
from domain.publishing import schedule_stream
from domain.schedules import SCHEDULES
from services.identity import conflicting_id, hand_id
from services.log.events import KEYS, LOG
from services.privacy.events import RETENTION
from services.readers.record import HandRead

FOLLOWS = 5
"""The version of an id that follows from something; others are made up, and name nothing yet."""

OF_THE_ROOM = frozenset((DAYS, KEYS, LOG, RETENTION, *(schedule_stream(s) for s, _ in SCHEDULES)))
"""Streams every room has or is to have: a hand in one would be in the way for ever."""


def id_of(read: HandRead, started: HandStarted, digest: str, there: Collection[UUID]) -> UUID:
    """The id a record names, if it may keep it, else the one that follows from what it tells.

    What is `there` already is judged by what it is. An id that follows from something must be this
    hand's; where the players have other ids that cannot be seen of a hand without number, and then
    it must be none of the room's own streams.
    """
    own, named = hand_id(started, read.identity, digest), read.hand
    if named is None or named in there:
        return named or own
    if named.version != FOLLOWS or named == conflicting_id(own, digest):
        return named
    return named if not read.identity and named not in OF_THE_ROOM else own
