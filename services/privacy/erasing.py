"""Erasing a player: his names, his keys' holder, and every text he appears in.

The log stays as it is, so every proof holds: in it he is a random id that now means nobody.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from psycopg import Connection

from services.access import COMMAND_LINE, Keys
from services.access.sightings import PurposeMissing, stated_purpose
from services.privacy.events import Counts, PlayerErased
from services.privacy.holds import require_not_held
from services.privacy.people import hands_of
from services.privacy.recording import record
from services.store.room import Room

ENCODINGS = ("utf-8", "cp1252", "utf-16-le")
"""In which texts of card rooms come."""

_HANDS = "(select unnest(%(hands)s::uuid[]))"
_LINES = (
    f"(hand in {_HANDS} or exists (select from unnest(%(told)s::bytea[]) as n (name)"
    " where position(n.name in event) > 0))"
)
"""A line of a hand that never began is of no hand of his, and may name him all the same."""

_CASES = f"select id from disputes where (complainant = %(player)s or hand in {_HANDS})"

WHERE: Mapping[str, str] = {
    "texts": f"texts where erased_at is null and hand in {_HANDS}",
    "quarantine": "quarantine where exists (select from unnest(%(names)s::bytea[]) as n (name)"
    " where position(n.name in body) > 0)",
    "aside": f"posted_aside where released_at is not null and {_LINES}",
    "files": f"case_files where dispute in ({_CASES} and status = 'closed')",
    "subjects": "subjects s where name <> 'erased ' || s.id"
    " and exists (select from api_keys k where k.subject = s.id and k.player::text = %(player)s)"
    " and not exists (select from api_keys k where k.subject = s.id"
    " and k.player::text is distinct from %(player)s)",
    "names": "players where id::text = %(player)s",
}
"""What is kept of a player outside the log, by kind."""

LEFT: Mapping[str, str] = {
    "aside": f"posted_aside where released_at is null and {_LINES}",
    "files": f"case_files where dispute in ({_CASES} and status <> 'closed')",
}
"""What stays because something is not over: suspended hands, open cases."""

CHANGES: Mapping[str, str] = {
    "texts": "update texts set body = '', file = '', erased_at = now()"
    + WHERE["texts"].removeprefix("texts"),
    "subjects": "update subjects s set name = 'erased ' || s.id"
    + WHERE["subjects"].removeprefix("subjects s"),
}
"""Of a text its digest stays, and a subject his id: the log names them."""

KEYS = b"select id from api_keys where player::text = %s and revoked_at is null order by id"
NAMES = b"select name from players where id::text = %s"


class Erasure(msgspec.Struct, frozen=True, kw_only=True):
    """What was erased of a player, or would be, by kind; `left` stays until it is over.

    `keys` are those revoked.
    """

    player: str
    hands: int
    erased: Counts
    left: Counts
    dry_run: bool


def erase(
    room: Room, player: str, why: str, *, dry_run: bool = False, actor: str = COMMAND_LINE
) -> Erasure:
    """Erase what is kept of a player outside the log; that it is done is on record before.

    Raises OnHold, and PurposeMissing for a reason that cannot be kept for ever. What an
    interrupted erasure left is erased by the next one; projections must have caught up.
    """
    purpose, hands = stated_purpose(why), hands_of(room, player)
    names = _names(room, player)
    _require_nameless(purpose, names)
    require_not_held(room, player, hands)
    given = {
        "player": player,
        "hands": list(hands),
        "names": _spellings(names),
        "told": [msgspec.json.encode(text) for text in (player, *names)],
    }
    with room.connect() as connection:
        keys = [key for (key,) in connection.execute(KEYS, (player,))]
        found = {"keys": len(keys), **_count(connection, WHERE, given)}
        left = _count(connection, LEFT, given)
    if any(found.values()) and not dry_run:
        event = PlayerErased(
            at=datetime.now(UTC), actor=actor, player=player, why=purpose, erased=found
        )
        record(room.store, event)
        _erase(room, keys, given, actor)
    return Erasure(player=player, hands=len(hands), erased=found, left=left, dry_run=dry_run)


def _erase(room: Room, keys: list[str], given: Mapping[str, Any], actor: str) -> None:
    """All in one commit, after his keys: whoever is erased asks no more."""
    for key in keys:
        Keys(room.pool, room.store).revoke(key, actor=actor)
    with room.connect() as connection, connection.transaction():
        for kind, where in WHERE.items():
            change = CHANGES.get(kind, f"delete from {where}")
            connection.execute(change.encode(), given)


def _count(connection: Connection, places: Mapping[str, str], given: Mapping[str, Any]) -> Counts:
    return {kind: _counted(connection, where, given) for kind, where in places.items()}


def _counted(connection: Connection, where: str, given: Mapping[str, Any]) -> int:
    row = connection.execute(f"select count(*) from {where}".encode(), given).fetchone()
    assert row is not None
    return int(row[0])


def _names(room: Room, player: str) -> tuple[str, ...]:
    with room.connect() as connection:
        return tuple(name for (name,) in connection.execute(NAMES, (player,)))


def _require_nameless(why: str, names: tuple[str, ...]) -> None:
    for name in names:
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", why, re.IGNORECASE):
            raise PurposeMissing("the reason stays for ever: say it without the player's name")


def _spellings(names: tuple[str, ...]) -> list[bytes]:
    """His names as bytes, in every encoding that has letters for them."""
    return list(dict.fromkeys(spelt for name in names for spelt in _spelt(name)))


def _spelt(name: str) -> list[bytes]:
    escaped = json.dumps(name)[1:-1].encode()  # As JSON and TOML may spell it.
    plain = [
        spelt for code in ENCODINGS if (spelt := name.encode(code, "ignore")).decode(code) == name
    ]
    return [*plain, escaped]
