"""What was asked at a live hand and not done: evidence, in a stream beside the hand's.

Stored for ever: add fields with defaults, never rename. No cards and no names are in it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

import msgspec

from domain import commands as c
from domain.discreet import Discreet
from domain.units import Chips, Seat
from services.errors import StaleStream
from services.live.live import By
from services.live.standing import attempts_stream
from services.live.turns import turn_or_none
from services.store.port import Append, EventStore, Fact

MOST_TRIES = 20

Kind = Literal["refused", "late", "turn_moved"]


class AttemptRefused(
    Discreet,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
    tag="attempt_refused.v1",
):
    """Somebody asked for something that was not done, and was told why.

    `command` is its type, such as `raise`, with the `seat` and the street total `to` it named.
    `step` is how many events the hand had, `turn` the turn that was answered. `rule` is null
    where the turn had moved; `deadline` is that of a turn it came too late for.
    """

    seat: Seat | None
    command: str
    to: Chips | None
    kind: Kind
    rule: str | None
    text: str
    turn: str | None
    step: int
    arrived_at: datetime
    deadline: datetime | None
    subject: str


encode = msgspec.json.Encoder().encode
"""Event to its stored JSON bytes."""

decode = msgspec.json.Decoder(AttemptRefused).decode
"""Stored JSON bytes to the event; unknown fields are tolerated, wrong values are not."""


def tag_of(event: AttemptRefused) -> str:
    """The stored type of an event."""
    return str(event.__struct_config__.tag)


def attempt(
    command: c.HandCommand, by: By, kind: Kind, *, rule: str | None, text: str,
    turn: str | None, step: int, deadline: datetime | None = None,
) -> AttemptRefused:  # fmt: skip
    """The evidence of a command, without what it says of cards or in words of its own."""
    assert command.at is not None, "every command is stamped when it arrives"
    return AttemptRefused(
        seat=getattr(command, "seat", None),
        command=str(command.__struct_config__.tag),
        to=getattr(command, "to", None),
        kind=kind,
        rule=rule,
        text=text,
        turn=turn_or_none(turn),
        step=step,
        arrived_at=command.at,
        deadline=deadline,
        subject=by.actor,
    )


def keep(store: EventStore, hand_id: UUID, refused: AttemptRefused, by: By) -> None:
    """Store it at the end of the hand's attempts; the same command once. Raises StaleStream."""
    expected = 0
    for _ in range(MOST_TRIES):
        append = Append(
            stream=attempts_stream(hand_id),
            expected=expected,
            facts=(Fact(tag_of(refused), encode(refused)),),
            actor=by.actor,
            command_id=by.command_id,
            request_id=by.request_id,
            causation=by.causation,
        )
        (answer,) = store.append([append])
        if answer.status != "stale":
            return
        expected = answer.version
    raise StaleStream("too many are writing to one stream of attempts: try again")
