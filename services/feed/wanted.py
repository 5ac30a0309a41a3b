"""What a reader wants of the feed, and how it is read from the database where that is past."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

import msgspec

from domain.tables.events import HandBegun, decode
from services.feed.shown import FEED_TYPES, Shown
from services.store.port import Recorded
from services.store.postgres import PostgresEventStore

PAGE = 200  # Facts read at a time: all a reader of the past holds in memory.
BEGUN = str(HandBegun.__struct_config__.tag)


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """One hand, one table with the hands it began, or everything; facts after a position.

    `after` is None for what comes from now on, `limit` how many facts are wanted at most.
    """

    hand: UUID | None = None
    table: UUID | None = None
    after: int | None = None
    limit: int | None = None

    def has(self, shown: Shown) -> bool:
        """Whether this fact is wanted."""
        if self.hand is not None:
            return shown.stream == self.hand
        return self.table is None or shown.table == self.table


def past(
    store: PostgresEventStore, wanted: Wanted, after: int, until: int
) -> Iterator[Sequence[Recorded]]:
    """What is wanted of the log after one position up to another, page by page."""
    streams = _streams(store, wanted)
    types = [] if streams else sorted(FEED_TYPES)
    while page := store.page(after, PAGE, stop=until, types=types, streams=streams):
        yield page
        after = page[-1].position


def _streams(store: PostgresEventStore, wanted: Wanted) -> list[UUID]:
    """The streams it is about; none for all."""
    if wanted.hand is not None:
        return [wanted.hand]
    if wanted.table is None:
        return []
    told = [decode(fact.state) for fact in store.load(wanted.table) if fact.type == BEGUN]
    return [wanted.table, *(begun.hand for begun in told if isinstance(begun, HandBegun))]
