"""One who follows the feed: from the ring as long as he keeps up, else from the database."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterator, Sequence
from datetime import UTC, datetime
from uuid import UUID

import msgspec
from anyio import to_thread

from services.errors import DatabaseBusy, DatabaseUnreachable
from services.feed.feed import Feed
from services.feed.masking import Masker, ViewOf, everybody
from services.feed.shown import Shown
from services.feed.wanted import Wanted, past
from services.store.port import Recorded

HEARTBEAT = 15.0  # Seconds without anything new after which that is said.
AGAIN = 1.0  # Seconds until a database that was away is asked again.


class Permit(msgspec.Struct, frozen=True, kw_only=True):
    """How long a key opens anything: the stream its revocation would stand in, and its end."""

    key: UUID
    expires_at: datetime

    @property
    def seconds(self) -> float:
        """How long it lasts from now; 0 or less if it has ended."""
        return (self.expires_at - datetime.now(UTC)).total_seconds()


class Reader:
    """Gives what is wanted of the feed, each fact once and in order, at its taker's own pace.

    It ends with the feed, with the permit, or when it has given as many facts as were wanted. With
    a `view_of` the facts are masked for this reader alone.
    """

    def __init__(
        self, feed: Feed, wanted: Wanted, permit: Permit, view_of: ViewOf | None = None
    ) -> None:
        self._feed = feed
        self._wanted = wanted
        self._permit = permit
        self._opening = feed.opening
        self._view_of = view_of
        self._own = None if view_of is None else Masker(feed.store.states, view_of)
        self._at = 0

    async def begin(self) -> int | None:
        """The position after which it begins; None if the feed has ended before it could."""
        await self._feed.ready()
        if self._over():
            return None
        after = self._wanted.after
        self._at = self._feed.ring.reached if after is None else after
        return self._at

    async def batches(self) -> AsyncGenerator[Sequence[Shown]]:
        """The facts after that, a few at a time; none where nothing has come for a while."""
        left = self._wanted.limit
        async with contextlib.aclosing(self._batches()) as batches:
            async for batch in batches:
                yield batch[:left]
                if left is not None:
                    left -= len(batch)
                    if left <= 0:
                        return

    async def _batches(self) -> AsyncGenerator[Sequence[Shown]]:
        while not self._over():
            rung = self._feed.rung
            facts = self._feed.ring.after(self._at)
            try:
                if facts is None:
                    async with contextlib.aclosing(self._past(self._feed.ring.reached)) as pages:
                        async for page in pages:
                            yield page
                elif facts:
                    wanted = await self._masked(facts)
                    self._at = facts[-1].position
                    if wanted:
                        yield wanted
                else:
                    self._at = max(self._at, self._feed.ring.reached)
                    if not await self._rings(rung, min(HEARTBEAT, self._permit.seconds)):
                        yield ()
            except (DatabaseUnreachable, DatabaseBusy):
                await self._rings(rung, AGAIN)

    async def _masked(self, facts: Sequence[Shown]) -> Sequence[Shown]:
        """Those of the ring's facts that are wanted, as this reader may know them."""
        wanted = [fact for fact in facts if self._wanted.has(fact)]
        if self._own is None or not wanted:
            return wanted
        return await self._in_thread(self._own, iter([[fact.recorded for fact in wanted]])) or ()

    async def _past(self, until: int) -> AsyncGenerator[Sequence[Shown]]:
        """What is wanted up to a position, from the database."""
        pages = past(self._feed.store, self._wanted, self._at, until)
        masker = self._own or Masker(self._feed.store.states, everybody)
        while (page := await self._in_thread(masker, pages)) is not None:
            if page:
                self._at = page[-1].position
                yield page
            if self._over():
                return
        self._at = until

    async def _in_thread(
        self, masker: Masker, pages: Iterator[Sequence[Recorded]]
    ) -> list[Shown] | None:
        """The next page, masked; None after the last. Few readers do this at one time."""

        def read() -> list[Shown] | None:
            page = next(pages, None)
            return None if page is None else masker.mask(page)

        return await to_thread.run_sync(read, limiter=self._feed.limiter)

    async def _rings(self, rung: asyncio.Event, seconds: float) -> bool:
        """Wait for anything new; whether there is, after so many seconds at most."""
        try:
            return await asyncio.wait_for(rung.wait(), seconds)
        except TimeoutError:
            return False

    def _over(self) -> bool:
        feed, permit = self._feed, self._permit
        return (
            feed.ended
            or feed.opening is not self._opening
            or feed.revoked(permit.key)
            or permit.seconds <= 0
        )
