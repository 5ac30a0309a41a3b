"""Who saw or took away what, when, as what role and why: told from the log itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

import msgspec
from msgspec.structs import replace
from psycopg import Connection

from services.access.events import (
    COMMAND_LINE,
    AccessEvent,
    AccessFact,
    CardsSeen,
    KeyIssued,
    KeyRevoked,
    SignedIn,
    SignedOut,
    hand_stream,
)
from services.errors import ServiceError
from services.privacy.events import (
    HoldReleased,
    HoldSet,
    PlayerErased,
    PlayerTold,
    PrivacyFact,
    RetentionApplied,
    stream_about,
)
from services.store.players import as_id
from services.store.room import Room

PAGE = 1_000

FIND = b"""
select notification_id, recorded_at, state from events
 where topic in ('cards_seen.v1', 'key_issued.v1', 'key_revoked.v1', 'signed_in.v1',
                 'signed_out.v1', 'player_erased.v1', 'player_told.v1',
                 'hold_set.v1', 'hold_released.v1', 'retention_applied.v1')
   and notification_id > %(after)s
   and (%(streams)s::uuid[] is null or originator_id = any(%(streams)s))
   and (%(actors)s::text[] is null or actor = any(%(actors)s)
        or convert_from(state, 'UTF8')::json ->> 'subject' = any(%(actors)s))
   and (%(since)s::timestamptz is null or recorded_at >= %(since)s)
   and (%(before)s::timestamptz is null or recorded_at < %(before)s)
 order by notification_id limit %(limit)s
"""
SUBJECT = b"select id::text from subjects where name = %s or id = %s"
NAMES = b"select id::text, name from subjects where id::text = any(%s)"
NUMBERS = b"select hand, number from hands where hand = any(%s)"

decode = msgspec.json.Decoder(AccessFact | PrivacyFact).decode


class UnknownSubject(ServiceError):
    """Nobody of this name or id ever had a key."""


class AccessWanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which entries; what is None is not asked for. `first` and `last` are UTC days.

    `actors` are subjects' ids or `command line`; `after` is the position of the entry before.
    """

    hand: UUID | None = None
    actors: tuple[str, ...] | None = None
    first: date | None = None
    last: date | None = None
    after: int = 0
    limit: int = PAGE


class AccessEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing somebody did: `what` is the event's type without its version.

    `actor` is a subject's id or `command line`, `subject` what he is called; `role` and `key` are
    those he came with, where he came with a key. `hand` and `view` say which cards, `about` which
    key or player it was. `purpose` is in his own words.
    """

    position: int
    at: datetime
    what: str
    actor: str
    subject: str | None = None
    role: str | None = None
    key: str | None = None
    hand: UUID | None = None
    number: str | None = None
    view: str | None = None
    about: str | None = None
    purpose: str | None = None


class AccessPage(msgspec.Struct, frozen=True, kw_only=True):
    """Entries in the order they happened. `next` continues the list; None at its end.

    `complete_to` is the last position of the log when it was asked.
    """

    entries: tuple[AccessEntry, ...]
    next: str | None
    complete_to: int


def access_page(room: Room, wanted: AccessWanted) -> AccessPage:
    """The first `limit` entries after a place."""
    complete_to = room.store.head()
    with room.connect() as connection:
        # One more than wanted tells whether the list goes on.
        found = _read(connection, replace(wanted, limit=wanted.limit + 1))
        entries = tuple(_told(connection, found[: wanted.limit]))
    more = len(found) > len(entries) and entries
    return AccessPage(
        entries=entries,
        next=str(entries[-1].position) if more else None,
        complete_to=complete_to,
    )


def access_entries(room: Room, wanted: AccessWanted) -> Iterator[AccessEntry]:
    """Every entry wanted, page after page."""
    while True:
        page = access_page(room, wanted)
        yield from page.entries
        if page.next is None:
            return
        wanted = replace(wanted, after=int(page.next))


def actors_called(room: Room, called: str) -> tuple[str, ...]:
    """Whose acts are meant: a subject by name or id, or `command line`. Raises UnknownSubject."""
    if called == COMMAND_LINE:
        return (COMMAND_LINE,)
    with room.connect() as connection:
        found = connection.execute(SUBJECT, (called, as_id(called))).fetchall()
    if not found:
        raise UnknownSubject(
            "nobody of this name or id ever had a key: `studledger token list` names all;"
            f" who works on the machine itself is called `{COMMAND_LINE}`"
        )
    return tuple(subject for (subject,) in found)


def _read(connection: Connection, wanted: AccessWanted) -> list[AccessEntry]:
    rows = connection.execute(FIND, _parameters(wanted), prepare=False)
    return [_entry(position, at, decode(bytes(state))) for position, at, state in rows]


def _parameters(wanted: AccessWanted) -> dict[str, Any]:
    hand = wanted.hand
    return {
        "after": wanted.after,
        "streams": None if hand is None else [hand_stream(hand), stream_about("hand", str(hand))],
        "actors": None if wanted.actors is None else list(wanted.actors),
        "since": None if wanted.first is None else _midnight(wanted.first),
        "before": None if wanted.last in (None, date.max) else _midnight(wanted.last, days=1),
        "limit": wanted.limit,
    }


def _midnight(day: date, days: int = 0) -> datetime:
    return datetime.combine(day + timedelta(days=days), time(), UTC)


def _entry(position: int, at: datetime, event: AccessFact | PrivacyFact) -> AccessEntry:
    tag = str(event.__struct_config__.tag)
    plain = AccessEntry(position=position, at=at, what=tag.partition(".")[0], actor=event.actor)
    return _of_access(plain, event) if isinstance(event, AccessEvent) else _of_people(plain, event)


def _of_access(plain: AccessEntry, event: AccessFact) -> AccessEntry:
    match event:
        case CardsSeen(role=role, key=key, hand=hand, view=view, purpose=purpose):
            return replace(plain, role=role, key=key, hand=hand, view=view, purpose=purpose)
        case KeyIssued(key=key, role=role, subject=subject):
            return replace(plain, about=f"key {key}, {role}, of subject {subject}")
        case KeyRevoked(key=key):
            return replace(plain, about=f"key {key}")
        case SignedIn(key=key) | SignedOut(key=key):
            return replace(plain, key=key)


def _of_people(plain: AccessEntry, event: PrivacyFact) -> AccessEntry:
    match event:
        case PlayerErased(player=player, why=why) | PlayerTold(player=player, why=why):
            return replace(plain, about=f"player {player}", purpose=why)
        case (
            HoldSet(sort="hand", about=held, why=why)
            | HoldReleased(sort="hand", about=held, why=why)
        ):
            return replace(plain, hand=UUID(held), about=f"hand {held}", purpose=why)
        case HoldSet(about=held, why=why) | HoldReleased(about=held, why=why):
            return replace(plain, about=f"player {held}", purpose=why)
        case RetentionApplied():
            return plain


def _told(connection: Connection, entries: Sequence[AccessEntry]) -> Iterator[AccessEntry]:
    """The entries with what people call subjects and hands."""
    subjects = _known(connection, NAMES, [one.actor for one in entries])
    numbers = _known(connection, NUMBERS, [one.hand for one in entries if one.hand])
    for one in entries:
        yield replace(one, subject=subjects.get(one.actor), number=numbers.get(one.hand))


def _known(connection: Connection, query: bytes, keys: Sequence[object]) -> Mapping[Any, str]:
    return dict(connection.execute(query, (list(set(keys)),)).fetchall())
