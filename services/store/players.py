"""People: in the log a player is an opaque random id, his name is only here and can be erased."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from uuid import UUID

import psycopg

from services.driver_errors import in_our_words
from services.store.database import Pool

FIND = "select name, id from players where site = %s and name_key = any(%s)"
ADD = (
    "insert into players (site, name, name_key)"
    " select %s, n.name, n.key from unnest(%s::text[], %s::bytea[]) as n (name, key)"
    " on conflict (site, name_key) do nothing"
)
NAMES = "select id, name from players where id = any(%s)"


class Players:
    """The names of a room's players, per site."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def resolve(self, site: str, names: Iterable[str]) -> dict[str, str]:
        """The id of each name, as events hold it; a new random one for a name not met before.

        Whoever asks at the same moment gets the same ids.
        """
        wanted = sorted(set(names))  # In one order everywhere, so that no two wait for each other.
        with in_our_words(), self._pool.connection() as connection:
            found = _find(connection, site, wanted)
            missing = [name for name in wanted if name not in found]
            if missing:
                connection.execute(ADD, (site, missing, [_key(name) for name in missing]))
                found |= _find(connection, site, missing)
        return found

    def find(self, site: str, names: Iterable[str]) -> dict[str, str]:
        """The ids of those names that are known; adds nothing."""
        with in_our_words(), self._pool.connection() as connection:
            return _find(connection, site, list(names))

    def names(self, ids: Collection[str]) -> dict[str, str]:
        """The name of each id that has one: an erased player has none, nor has a stranger.

        Events that others posted may hold ids of their own kind.
        """
        ours = [player for player in map(as_id, ids) if player is not None]
        with in_our_words(), self._pool.connection() as connection:
            rows = connection.execute(NAMES, (ours,))
            return {str(player): name for player, name in rows}


def _find(connection: psycopg.Connection, site: str, names: list[str]) -> dict[str, str]:
    rows = connection.execute(FIND, (site, [_key(name) for name in names]))
    return {name: str(player) for name, player in rows}


def _key(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


def as_id(text: str) -> UUID | None:
    """A text as one of our ids, if it is one."""
    try:
        return UUID(text)
    except ValueError:
        return None
