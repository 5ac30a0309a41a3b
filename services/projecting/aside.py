"""Hands that a projection cannot take in, named so that somebody looks at them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

import msgspec
from psycopg import Connection
from psycopg.rows import class_row

NOTE = (
    "insert into projection_set_aside (projection, hand, position, reason)"
    " select unnest(%s::text[]), %s, %s, %s"
    " on conflict (projection, hand) do update set position = excluded.position,"
    " reason = excluded.reason"
)
AMONG = (
    "select hand, array_agg(projection), min(reason) from projection_set_aside"
    " where projection = any(%s) and hand = any(%s) group by hand"
)
FORGET = "delete from projection_set_aside where projection = any(%s)"
ALL = (
    "select hand, max(position) as position, min(reason) as reason,"
    " array_agg(projection order by projection) as projections"
    " from projection_set_aside group by hand order by 2, 1"
)


class SetAside(msgspec.Struct, frozen=True):
    """A hand that is in no row of some projections.

    `position` is the event with which it could not be taken in any more, `reason` the kind of
    the error.
    """

    hand: UUID
    position: int
    reason: str
    projections: list[str]


def set_aside(connection: Connection) -> tuple[SetAside, ...]:
    """Every hand set aside, in the order it happened; none where everything is well."""
    with connection.cursor(row_factory=class_row(SetAside)) as cursor:
        return tuple(cursor.execute(ALL))


def note(
    connection: Connection, names: Sequence[str], hand: UUID, position: int, reason: str
) -> None:
    """Remember that these projections could not take in a hand."""
    connection.execute(NOTE, (list(names), hand, position, reason))


def among(
    connection: Connection, names: Sequence[str], hands: Collection[UUID]
) -> dict[UUID, tuple[frozenset[str], str]]:
    """Which of these hands are set aside, by which of these projections, and why."""
    found = connection.execute(AMONG, (list(names), list(hands)))
    return {hand: (frozenset(by), reason) for hand, by, reason in found}


def forget(connection: Connection, names: Sequence[str]) -> None:
    """What these projections set aside is tried again."""
    connection.execute(FORGET, (list(names),))
