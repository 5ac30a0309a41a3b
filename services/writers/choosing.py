"""Which hands go into a file: all that were asked for, the oldest first, in constant memory."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from msgspec.structs import replace

from services.reports import HandsWanted, find_hands
from services.store.room import Room

PAGE_HANDS = 1_000
_ID_BYTES = 16


def chosen_hands(room: Room, wanted: HandsWanted, most: int | None = None) -> Iterator[UUID]:
    """The hands wanted, oldest first: all of them, or the newest `most`.

    They are found newest first; their ids are kept, sixteen bytes each, and read backwards.
    """
    ids = bytearray()
    after: str | None = None
    while True:
        page = find_hands(room.connect, replace(wanted, limit=PAGE_HANDS, after=after))
        ids += b"".join(found.hand.bytes for found in page.hands)
        after = page.next
        if after is None or (most is not None and len(ids) >= most * _ID_BYTES):
            break
    if most is not None:
        del ids[most * _ID_BYTES :]
    for end in range(len(ids), 0, -_ID_BYTES):
        yield UUID(bytes=bytes(ids[end - _ID_BYTES : end]))
