"""Facts about the log itself, in past tense. Stored for ever: add fields with defaults.

They lie in two streams of the room: what became of the signing key in `KEYS`, new epochs in `LOG`.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID, uuid5

import msgspec

from services.store.port import Fact

_STREAMS = UUID("0d1b0ad2-6a52-5b3c-8f0e-2f6c9d0f4b7e")
"""The namespace of the log's own streams; changing it would begin them anew."""

KEYS = uuid5(_STREAMS, "keys")
LOG = uuid5(_STREAMS, "log")


class LogEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Base of every stored fact about the log. The tag is the stored name."""

    at: datetime | None = None


class LogKeyMade(LogEvent, frozen=True, tag="log_key_made.v1"):
    """The first key the log signs with; `key` is its verifier key."""

    key: str


class LogKeyRotated(LogEvent, frozen=True, tag="log_key_rotated.v1"):
    """The log signs with another key from here on.

    `note` is a signed note that names both verifier keys, signed by the old key and the new.
    """

    old: str
    new: str
    note: str


class LogEpochOpened(LogEvent, frozen=True, tag="log_epoch_opened.v1"):
    """A new tree begins, because the database does not go on from what was published.

    `last` is the last published checkpoint as it was signed, null if none is known; `key` the
    verifier key that signs from here on, and `why` what happened.
    """

    epoch: int
    why: str
    last: str | None
    key: str


LogFact = LogKeyMade | LogKeyRotated | LogEpochOpened

encode = msgspec.json.Encoder().encode
"""Event to its stored JSON bytes."""

decode = msgspec.json.Decoder(LogFact).decode
"""Stored JSON bytes to the event; unknown fields are tolerated, wrong values are not."""


def tag_of(event: LogFact) -> str:
    """The stored type of an event, such as `log_key_made.v1`."""
    return str(event.__struct_config__.tag)


def fact(event: LogFact) -> Fact:
    """An event as it is stored."""
    return Fact(tag_of(event), encode(event))
