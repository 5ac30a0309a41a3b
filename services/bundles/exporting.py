"""Exporting a bundle: hand after hand from the log into the archive, in constant memory."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from uuid import UUID

import msgspec

from domain.errors import BadTable
from domain.events import HandEvent, HandStarted, decode, encode
from domain.house_rules import HouseRules
from domain.schedules import Schedule, schedule_for
from domain.verdict import RULES_VERSION, judge
from services.access import COMMAND_LINE, Role, Sighting, record_sightings
from services.bundles import contents as c
from services.bundles.archive import Archive
from services.errors import ServiceError
from services.replaying import PUBLIC, View, require_allowed, seen_by
from services.store.port import Recorded
from services.store.room import Room
from services.verifying import all_hands
from services.writers.files import appearing_whole

BATCH_HANDS = 200


class Onlooker(msgspec.Struct, frozen=True, kw_only=True):
    """Who a bundle is made for, as the record of seen cards names him."""

    actor: str = COMMAND_LINE
    key: str | None = None
    role: Role | None = None


Progress = Callable[[int], None]
"""Called after every batch with the number of hands written so far."""


class NoHands(ServiceError):
    """There is nothing to export."""


class _Tally(msgspec.Struct):
    """What has been written so far, and what the hands were played under."""

    hands: int = 0
    events: int = 0
    schedules: dict[tuple[str, int], Schedule] = {}
    house_rules: dict[bytes, HouseRules] = {}


def export_bundle(
    room: Room,
    target: Path,
    *,
    view: View,
    why: str | None = None,
    hands: Iterable[UUID] | None = None,
    progress: Progress | None = None,
    onlooker: Onlooker | None = None,
) -> c.Manifest:
    """Write these hands, or all of the log, as one archive; the file appears when it is whole.

    Where the view shows hidden cards, that `onlooker` sees them is on record before, hand by
    hand. Raises `BadView` for a view that cannot be taken of one of the hands, `NoHands`.
    """
    with appearing_whole(target) as out, closing(Archive(out)) as archive:
        complete_to = room.store.head()
        seen = _recorded_hands(room, hands, view, why, onlooker or Onlooker())
        tally = _write_hands(archive, view, seen, progress)
        if tally.hands == 0:
            raise NoHands(f"room {room.settings.room} has no hand to export")
        manifest = c.Manifest(
            format=c.FORMAT,
            version=c.VERSION,
            room=room.settings.room,
            view=str(view),
            why=why,
            made_at=datetime.now(UTC),
            complete_to=complete_to,
            hands=tally.hands,
            events=tally.events,
            files=tuple(archive.digests),
        )
        archive.put(c.MANIFEST, _pretty(manifest))
    return manifest


def _write_hands(
    archive: Archive,
    view: View,
    hands: Iterable[Sequence[Recorded]],
    progress: Progress | None,
) -> _Tally:
    """All files but the manifest. Verdicts wait in a file of their own: a zip is one stream."""
    tally = _Tally()
    with tempfile.TemporaryFile() as verdicts:
        with archive.file(c.EVENTS) as write:
            for facts in hands:
                lines, verdict = _hand(facts, view, tally)
                for line in lines:
                    write(line)
                verdicts.write(verdict)
                if progress is not None and tally.hands % BATCH_HANDS == 0:
                    progress(tally.hands)
        verdicts.seek(0)
        with archive.file(c.VERDICTS) as write:
            while piece := verdicts.read(1 << 16):
                write(piece)
    archive.put(c.SCHEDULES, _pretty([*tally.schedules.values()]))
    archive.put(c.HOUSE_RULES, _pretty([*tally.house_rules.values()]))
    archive.put(c.README, c.ABOUT.encode())
    return tally


def _recorded_hands(
    room: Room, hands: Iterable[UUID] | None, view: View, why: str | None, onlooker: Onlooker
) -> Iterator[Sequence[Recorded]]:
    """The facts of each hand; that hidden cards are about to be seen is on record before."""
    ids = iter(all_hands(room.store) if hands is None else hands)
    while batch := tuple(islice(ids, BATCH_HANDS)):
        if view != PUBLIC:
            who = msgspec.structs.asdict(onlooker)
            purpose = why or ""
            record_sightings(
                room.store,
                [Sighting(hand=hand, view=str(view), purpose=purpose, **who) for hand in batch],
            )
        loaded = room.store.load_many(batch)
        for hand in batch:
            yield loaded[hand]


def _hand(facts: Sequence[Recorded], view: View, tally: _Tally) -> tuple[list[bytes], bytes]:
    """The lines of one hand as the view may see it, and its verdict's line."""
    events = tuple(decode(fact.state) for fact in facts)
    require_allowed(view, events)
    seen = events if view.kind == "all" else tuple(seen_by(view, events))
    started = events[0]
    assert isinstance(started, HandStarted), "every hand begins with its start"
    _remember_rules(started, tally)
    tally.hands += 1
    tally.events += len(events)
    lines = [
        _line(fact, before, after) for fact, before, after in zip(facts, events, seen, strict=True)
    ]
    judged = judge(seen)
    verdict = c.VerdictLine(
        hand=facts[0].stream,
        number=started.number,
        events=len(events),
        verdict=judged.verdict,
        findings=judged.findings,
        rules_version=RULES_VERSION,
    )
    return lines, msgspec.json.encode(verdict) + b"\n"


def _line(fact: Recorded, stored: HandEvent, seen: HandEvent) -> bytes:
    """A fact's line; its stored bytes where the view sees all of it."""
    state = fact.state if seen == stored else encode(seen)
    line = c.EventLine(
        position=fact.position,
        stream=fact.stream,
        n=fact.n,
        recorded_at=fact.recorded_at,
        actor=fact.actor,
        request_id=fact.request_id,
        causation=fact.causation,
        command_id=fact.command_id,
        event=msgspec.Raw(state),
    )
    return msgspec.json.encode(line) + b"\n"


def _remember_rules(started: HandStarted, tally: _Tally) -> None:
    rules = started.house_rules
    tally.house_rules.setdefault(msgspec.json.encode(rules, order="sorted"), rules)
    try:
        schedule = schedule_for(started)
    except BadTable:
        return  # It names one that nobody published, which is a finding.
    if schedule is not None:
        tally.schedules.setdefault((schedule.id, schedule.version), schedule)


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
