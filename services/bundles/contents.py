"""What a bundle holds: the names of its files and the shape of their lines; `docs/bundles.md`."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from domain.discreet import Discreet
from domain.finding import Finding
from domain.schedules import Schedule
from services.proof.manifest import (
    CHECKPOINT,
    CONSISTENCY,
    DISCLOSURES,
    EVENTS,
    FORMAT,
    LEAVES,
    MANIFEST,
    VERSION,
)

__all__ = [
    "CHECKPOINT", "CONSISTENCY", "DISCLOSURES", "EVENTS", "FORMAT", "LEAVES", "MANIFEST", "VERSION",
]  # fmt: skip

VERDICTS = "verdicts.jsonl"
SCHEDULES = "rake-schedules.json"
HOUSE_RULES = "house-rules.json"
INDEX = "index.txt"
README = "README.txt"

FILES = frozenset(
    {
        MANIFEST, CHECKPOINT, EVENTS, DISCLOSURES, CONSISTENCY, VERDICTS, SCHEDULES, HOUSE_RULES,
        INDEX, README,
    }
)  # fmt: skip
"""What every bundle has; one of the whole log has `LEAVES` as well."""

ABOUT = """\
This archive holds the recorded facts of hands of stud poker, as the room's log sealed and signed
them. Anybody can check it offline, with the verifier key the room gave out:

    studledger verify --bundle FILE --vkey KEY

index.txt            the hands, for people
manifest.json        what is in it, the SHA-256 of every other file, and of the manifest before
checkpoint           how many events the log had and the root over them, signed
events.jsonl         one event a line: its public form, and where in the log it is
disclosures.jsonl    one card a line: the face-down cards this view may see, each with its salt
leaves.bin           where the bundle is of the whole log: the hash of every event, 32 bytes each
consistency.jsonl    where it is not: that the log goes on from checkpoints of before
verdicts.jsonl       one hand a line: the verdict and the findings at the time of export
rake-schedules.json  every rake schedule these hands name, whole
house-rules.json     every set of house rules these hands were played under, whole

Amounts are integer minor units, times are UTC. docs/verifying.md of StudLedger says how to check
all this by a program of your own.
"""


class Located(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event of the log. Fields stand in the order of RFC 8785, `form` is of that spelling.

    `proof` leads to the root of the checkpoint, where the bundle has not the hash of every leaf.
    """

    form: msgspec.Raw
    leaf: int
    proof: tuple[str, ...] | None = None


class Withheld(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event whose public form names what the view may not see: its hash, and the rest of it."""

    hash: str
    leaf: int
    n: int
    proof: tuple[str, ...] | None = None
    stream: str
    withheld: msgspec.Raw


class OpenedCard(Discreet, frozen=True, kw_only=True):
    """A face-down card of event `n` with the salt that opens its digest."""

    card: str
    hand: str
    index: int
    n: int
    salt: str


class OpenedInDeck(Discreet, frozen=True, kw_only=True):
    """A card of a committed deck: its position from the top, its salt and its path to the root."""

    card: str
    deck: int
    hand: str
    path: tuple[str, ...]
    salt: str


class Growth(msgspec.Struct, frozen=True, kw_only=True, rename={"size": "from"}):
    """That the log goes on from its first `from` leaves."""

    size: int
    hashes: tuple[str, ...]


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


class InSequence(msgspec.Struct, frozen=True, kw_only=True):
    """Which of the room's bundles it is, from 1, and the SHA-256 of the manifest before."""

    number: int
    previous: str | None
    made_at: datetime


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a bundle is and holds; `view` says whose eyes it was made for.

    `whole` is whether it has a hash for every leaf of the log, `leaves` how many those are. `live`
    of its hands went on when it was made: those are told as everybody saw them.
    Everything but `sequence` follows from the facts and what was asked for.
    """

    format: str
    version: int
    room: str
    view: str
    why: str | None
    whole: bool
    leaves: int
    hands: int
    live: int
    events: int
    files: tuple[FileDigest, ...]
    sequence: InSequence


Schedules = tuple[Schedule, ...]


# -- the first form ------------------------------------------------------------------------------


class FirstEventLine(msgspec.Struct, frozen=True, kw_only=True):
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


class FirstManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a bundle of the first form said of itself, unsigned; `proof` was null in all of them."""

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
