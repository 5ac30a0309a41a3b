"""What stands beside the proven events of a bundle: made again of them, and compared.

Digests in the manifest are anybody's to make anew, so a file nobody derives could say anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import UUID

import msgspec

from domain.decoding import decoder
from domain.events import HandEvent, HandStarted
from domain.house_rules import HouseRules
from domain.publishing import TAG, decode
from domain.schedules import SCHEDULES as FROM_THE_START
from domain.schedules import Schedule
from domain.verdict import Verdict
from services.bundles import contents as c
from services.bundles.named_rules import NamedRules
from services.bundles.summaries import index_head, listed
from services.proof.archive import BundleFile
from services.proof.errors import Unreadable
from services.proof.manifest import Manifest
from services.proof.report import Report

SCHEDULES = decoder(c.Schedules)
HOUSE_RULES = decoder(tuple[HouseRules, ...])


class Beside:
    """Compares, hand by hand, what people and programs read without looking into the events."""

    def __init__(self, bundle: BundleFile, manifest: Manifest, report: Report) -> None:
        self._bundle, self._manifest, self._report = bundle, manifest, report
        self._named = NamedRules()
        self._index: Iterator[bytes] | None = None
        self._published: dict[tuple[str, int], Schedule] = {}
        self._sound = True

    def learn(self, event: dict[str, Any]) -> None:
        """A proven event that is of no hand: it may be the publication of a schedule."""
        if event["type"] != TAG:
            return
        try:
            schedule = decode(msgspec.json.encode(event)).schedule
        except msgspec.MsgspecError:
            return  # Then nothing is proven of the schedule, and that is told.
        self._published.setdefault((schedule.id, schedule.version), schedule)

    def take(
        self, hand: UUID, leaves: tuple[int, int], events: Sequence[HandEvent], judged: Verdict
    ) -> None:
        """A hand as it was judged here; `leaves` are those of its first and last event."""
        started = events[0]
        assert isinstance(started, HandStarted), "so the hand was found"
        self._named.remember(started)
        if self._next_line() + b"\n" != listed(hand, leaves, events, judged):
            self._differs(f"what {c.INDEX} says of hand {hand} is not what its events come to")

    def skip(self) -> None:
        """A hand that was not judged, or by other rules: that is told already."""
        self._next_line()
        self._sound = False

    def finish(self) -> None:
        """What is left when all hands were taken."""
        if self._next_line():
            self._differs(f"{c.INDEX} tells of hands that are not in {c.EVENTS}")
        if self._sound:
            self._same(c.SCHEDULES, SCHEDULES, self._named.schedules)
            self._same(c.HOUSE_RULES, HOUSE_RULES, self._named.house_rules)
            self._require_published()
        if self._content(c.README) != c.ABOUT.encode():
            self._report.open(f"{c.README}: it is not the one this program puts into bundles")

    def _same(
        self, name: str, shape: Callable[[bytes], tuple[object, ...]], named: Sequence[object]
    ) -> None:
        told: tuple[object, ...]
        try:
            told = shape(self._content(name))
        except msgspec.DecodeError:
            told = (None,)
        if [*told] != [*named]:
            self._differs(f"{name} is not what the hands name")

    def _require_published(self) -> None:
        """That the room published what its hands are judged by, as it is here."""
        known = {**self._published, **FROM_THE_START}
        for schedule in self._named.schedules:
            name = f"rake schedule {schedule.id} {schedule.version}"
            published = known.get((schedule.id, schedule.version))
            if published is None:
                self._report.open(f"{name}: that the room published it so is not proven here")
            elif published != schedule:
                self._differs(f"{name} is not the one that was published")

    def _next_line(self) -> bytes:
        """The next line of the index, without its end; nothing where there is none."""
        if self._index is None:
            there = c.INDEX in self._bundle  # That it is missing is told once, at the end.
            self._index = self._bundle.lines(c.INDEX) if there else iter(())
            self._check_head(self._index)
        return next(self._index, b"")

    def _check_head(self, lines: Iterator[bytes]) -> None:
        told, report = self._manifest, self._report
        head = index_head(told.room, told.view, report.origin, report.leaves).split(b"\n")[:-1]
        if [next(lines, b"") for _ in head] != head:
            self._differs(f"the head of {c.INDEX} is not that of this bundle")

    def _content(self, name: str) -> bytes:
        try:
            return self._bundle.content(name)
        except Unreadable:
            return b""

    def _differs(self, text: str) -> None:
        self._report.bad(text)


def require_known_files(bundle: BundleFile, manifest: Manifest, report: Report) -> None:
    """Name every file that no bundle of this kind has, and every one that it lacks."""
    whole = {c.LEAVES} if manifest.whole else set()
    for name in sorted(bundle.times.keys() - c.FILES - whole):
        report.bad(f"{name!r} is no file of such a bundle: somebody put it there")
    for name in sorted(c.FILES - bundle.times.keys()):
        report.bad(f"{name!r} is missing")
