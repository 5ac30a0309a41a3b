"""The manifest of a bundle of the second form: what is in it, and the one before it."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from services.proof.archive import BundleFile
from services.proof.canonical import read_json
from services.proof.errors import Unreadable

FORMAT = "studledger-bundle"
VERSION = 2

MANIFEST = "manifest.json"
CHECKPOINT = "checkpoint"
EVENTS = "events.jsonl"
DISCLOSURES = "disclosures.jsonl"
CONSISTENCY = "consistency.jsonl"
LEAVES = "leaves.bin"

VIEW = re.compile(r"public|all|seat:([1-9]|10)")
DIGEST = re.compile(r"[0-9a-f]{64}")


class Manifest(NamedTuple):
    """What a bundle says of itself; nothing of it is signed.

    `whole` is whether it holds a hash for every leaf of the log. `live` of its hands went on when
    it was made; bundles of before did not say. `files` has the SHA-256 of each.
    `number` counts the room's bundles from 1, `previous` is the SHA-256 of the manifest before,
    null for the first.
    """

    room: str
    view: str
    whole: bool
    leaves: int
    hands: int
    live: int | None
    events: int
    files: dict[str, str]
    number: int
    previous: str | None


def parse_manifest(text: bytes) -> Manifest:
    """The manifest. Raises Unreadable, and says so where a newer program is needed."""
    told = read_json(text, f"its {MANIFEST}")
    version = told.get("version")
    if told.get("format") != FORMAT:
        raise Unreadable(f"its format is not {FORMAT!r}")
    if version != VERSION:
        raise Unreadable(f"it is of version {version}, this program knows {VERSION}: use a newer")
    try:
        return _manifest(told)
    except (KeyError, TypeError, AttributeError, ValueError):
        raise Unreadable(f"its {MANIFEST} lacks something, or something in it is wrong") from None


def read_manifest(bundle: BundleFile) -> tuple[Manifest, bytes]:
    """The manifest of a bundle, and its bytes. Raises Unreadable."""
    text = bundle.content(MANIFEST)
    return parse_manifest(text), text


def _manifest(told: dict[str, Any]) -> Manifest:
    sequence = told["sequence"]
    number, previous = _count(sequence["number"]), sequence["previous"]
    files = {_text(file["name"]): _digest(file["sha256"]) for file in told["files"]}
    for text in (sequence["made_at"], "" if told["why"] is None else told["why"]):
        _text(text)  # For people: nothing is derived from it.
    view = _text(told["view"])
    sound = len(files) == len(told["files"]) and VIEW.fullmatch(view) and number > 0
    if not sound or (previous is None) != (number == 1):
        raise ValueError
    return Manifest(
        room=_text(told["room"]),
        view=view,
        whole=told["whole"] is True,
        leaves=_count(told["leaves"]),
        hands=_count(told["hands"]),
        live=_count(told["live"]) if "live" in told else None,
        events=_count(told["events"]),
        files=files,
        number=number,
        previous=None if previous is None else _digest(previous),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError
    return value


def _digest(value: object) -> str:
    if not DIGEST.fullmatch(_text(value)):
        raise ValueError
    return str(value)
