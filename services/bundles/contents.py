"""What a bundle holds: the names of its files and the shape of their lines; `docs/bundles.md`."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from domain.finding import Finding
from domain.schedules import Schedule

FORMAT = "studledger-bundle"
VERSION = 1

MANIFEST = "manifest.json"
EVENTS = "events.jsonl"
VERDICTS = "verdicts.jsonl"
SCHEDULES = "rake-schedules.json"
HOUSE_RULES = "house-rules.json"
README = "README.txt"

ABOUT = """\
This archive holds the recorded facts of hands of stud poker. Anybody can check it offline:

    studledger verify --bundle FILE

manifest.json        what is in it, and the SHA-256 of every other file
events.jsonl         one fact a line: its envelope and the event as it was stored, hand by hand
verdicts.jsonl       one hand a line: the verdict and the findings at the time of export
rake-schedules.json  every rake schedule these hands name, whole
house-rules.json     every set of house rules these hands were played under, whole

Amounts are integer minor units, times are UTC, a card the view may not see is "??".
"""


class EventLine(msgspec.Struct, frozen=True, kw_only=True):
    """One fact with its envelope; `event` is the stored JSON, byte for byte, unless masked."""

    position: int
    stream: UUID
    n: int
    recorded_at: datetime
    actor: str
    request_id: str | None
    causation: str | None
    command_id: UUID | None
    event: msgspec.Raw


class VerdictLine(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict of one hand when it was exported, by the rules code of that version."""

    hand: UUID
    number: str
    events: int
    verdict: str
    findings: tuple[Finding, ...]
    rules_version: int


class FileDigest(msgspec.Struct, frozen=True, kw_only=True):
    """One file of the archive: its size and its SHA-256 in hex."""

    name: str
    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a bundle is and holds.

    `view` says whose eyes it was made for; `complete_to` is the position of the last fact of the
    log at that moment. `proof` stays null until bundles carry checkpoints and proofs.
    """

    format: str
    version: int
    room: str
    view: str
    why: str | None
    made_at: datetime
    complete_to: int
    hands: int
    events: int
    files: tuple[FileDigest, ...]
    proof: dict[str, Any] | None = None


Schedules = tuple[Schedule, ...]
