"""Bundles without a room: made of events, and made again with their files changed."""

from __future__ import annotations

import hashlib
import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from uuid import UUID

import msgspec

from domain import events as e
from domain.schedules import schedule_for
from domain.verdict import RULES_VERSION, judge
from services.bundles import contents as c
from services.bundles.archive import Archive

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)
Log = tuple[e.HandEvent, ...]


@cache
def bundle_of(logs: tuple[Log, ...]) -> bytes:
    """A sound bundle of these hands, of the first form."""
    out = io.BytesIO()
    archive = Archive(out)
    archive.put(c.EVENTS, b"".join(_facts(logs)))
    archive.put(c.VERDICTS, b"".join(_verdict(n, log) for n, log in enumerate(logs, 1)))
    schedules = [schedule_for(log[0]) for log in logs if isinstance(log[0], e.HandStarted)]
    archive.put(c.SCHEDULES, msgspec.json.encode([s for s in schedules if s]))
    archive.put(c.HOUSE_RULES, b"[]")
    manifest = c.FirstManifest(
        format=c.FORMAT,
        version=1,
        room="room",
        view="all",
        why=None,
        made_at=NOON,
        complete_to=sum(map(len, logs)),
        hands=len(logs),
        events=sum(map(len, logs)),
        files=tuple(archive.digests),
    )
    archive.put(c.MANIFEST, msgspec.json.encode(manifest))
    archive.close()
    return out.getvalue()


def _facts(logs: Sequence[Log]) -> Iterator[bytes]:
    position = 0
    for hand, log in enumerate(logs, 1):
        for n, event in enumerate(log, 1):
            position += 1
            line = c.FirstEventLine(
                position=position,
                stream=UUID(int=hand),
                n=n,
                recorded_at=NOON,
                actor="test",
                request_id=None,
                causation=None,
                command_id=None,
                event=msgspec.Raw(e.encode(event)),
            )
            yield msgspec.json.encode(line) + b"\n"


def _verdict(hand: int, log: Log) -> bytes:
    judged = judge(log)
    line = c.VerdictLine(
        hand=UUID(int=hand),
        number="1",
        events=len(log),
        verdict=judged.verdict,
        findings=judged.findings,
        rules_version=RULES_VERSION,
    )
    return msgspec.json.encode(line) + b"\n"


def repacked(bundle: bytes, change: Callable[[bytes], bytes], dice: random.Random) -> bytes:
    """The bundle with one file changed, mostly with a manifest that agrees to it."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as whole:
        files = {name: whole.read(name) for name in whole.namelist()}
    name = dice.choice(sorted(files))
    files[name] = change(files[name])
    if name != c.MANIFEST and dice.random() < 0.8:
        manifest = json.loads(files[c.MANIFEST])
        for file in manifest["files"]:
            content = files[file["name"]]
            file |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        files[c.MANIFEST] = json.dumps(manifest).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as again:
        for name, content in files.items():
            again.writestr(name, content)
    return out.getvalue()
