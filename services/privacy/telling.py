"""Telling a player what is kept of him: names, keys, cases, texts, and his hands as he saw them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from domain.events import HandStarted, decode
from services.access import COMMAND_LINE, CardsSeen, Sighting, record_sightings
from services.access.events import decode as decode_access
from services.access.events import hand_stream
from services.access.sightings import stated_purpose
from services.privacy.events import PlayerTold
from services.privacy.people import hands_of
from services.privacy.recording import record
from services.replaying import PUBLIC, View, is_over, seen_by
from services.store.port import Recorded
from services.store.room import Room
from services.writers.exporting import batches

ASKED = "the player asked what is kept of him"

NAMES = b"select site, name from players where id::text = %s order by site"
KEPT: dict[str, bytes] = {
    "key": b"select k.id, s.name as subject, k.issued_at, k.expires_at, k.revoked_at,"
    b" k.last_used_at from api_keys k join subjects s on s.id = k.subject where k.player::text = %s"
    b" order by k.issued_at",
    "case": b"select id, hand, category, channel, status, submitted_at, answered_at, closed_at"
    b" from disputes where complainant = %s order by submitted_at, id",
    "file": b"select f.id, f.dispute as case, f.kind as sort, f.media_type, f.name,"
    b" octet_length(f.body) as size, f.kept_at from case_files f"
    b" join disputes d on d.id = f.dispute where d.complainant = %s order by f.kept_at, f.id",
    "text": b"select hand, format, encode(sha256, 'hex') as sha256, octet_length(body) as size,"
    b" kept_at, erased_at from texts where hand = any(%s) order by kept_at, hand",
}
"""What is kept of a player beside his hands, by kind of line."""

Line = dict[str, Any]


def told(room: Room, player: str, why: str = ASKED) -> Iterator[Line]:
    """Everything that is kept of a player, a line at a time; on record before the first.

    His hands are told as he saw them: who else played has an id, and cards not shown to him are
    `??`. Raises PurposeMissing.
    """
    purpose, hands = stated_purpose(why), hands_of(room, player)
    event = PlayerTold(
        at=datetime.now(UTC), actor=COMMAND_LINE, player=player, why=purpose, hands=len(hands)
    )
    record(room.store, event)
    yield _who(room, player)
    for kind, query in KEPT.items():
        of_whom = list(hands) if kind == "text" else player
        yield from ({"kind": kind, **row} for row in _rows(room, query, of_whom))
    for batch in batches(hands):
        yield from _hands(room, player, batch, purpose)


def _who(room: Room, player: str) -> Line:
    names = _rows(room, NAMES, player)
    return {"kind": "player", "player": player, "names": names, "complete_to": room.store.head()}


def _rows(room: Room, query: bytes, of_whom: str | list[UUID]) -> list[Line]:
    with room.connect() as connection, connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(query, (of_whom,)).fetchall()


def _hands(room: Room, player: str, batch: Sequence[UUID], why: str) -> Iterator[Line]:
    """A line for each hand; that its cards leave the house is on record before."""
    loaded = room.store.load_many(batch)
    looked = room.store.load_many([hand_stream(hand) for hand in batch])
    lines = [_hand(player, hand, loaded[hand], looked.get(hand_stream(hand), ())) for hand in batch]
    shown = [line for line in lines if line["view"] != str(PUBLIC)]
    record_sightings(
        room.store,
        [Sighting(hand=line["hand"], view=line["view"], purpose=why) for line in shown],
    )
    yield from lines


def _hand(player: str, hand: UUID, facts: Sequence[Recorded], looked: Sequence[Recorded]) -> Line:
    events = tuple(decode(fact.state) for fact in facts)
    started = events[0]
    assert isinstance(started, HandStarted), "every hand begins with its start"
    seat = next(taken.seat for taken in started.seats if taken.player == player)
    view = View("seat", seat) if is_over(events) else PUBLIC
    return {
        "kind": "hand",
        "hand": hand,
        "number": started.number,
        "site": started.site,
        "seat": seat,
        "view": str(view),
        "looked": [_looked(fact) for fact in looked],
        "events": list(seen_by(view, events)),
    }


def _looked(fact: Recorded) -> Line:
    """That somebody saw hidden cards of the hand: when, as what role, which, and what for."""
    seen = decode_access(fact.state)
    assert isinstance(seen, CardsSeen), "nothing else is in the access stream of a hand"
    return {
        "at": fact.recorded_at,
        "role": seen.role or COMMAND_LINE,
        "view": seen.view,
        "purpose": seen.purpose,
    }
