"""How long texts and notes are kept: what is older than the room's policy, and erasing it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from services.access import COMMAND_LINE
from services.privacy.events import RetentionApplied
from services.privacy.holds import protected
from services.privacy.recording import record
from services.settings import Settings
from services.store.room import Room

_OLD = {
    "texts": ("texts", "erased_at is null and kept_at < %(before)s", "hand = any(%(hands)s)"),
    "quarantine": ("quarantine", "quarantined_at < %(before)s", "%(held)s"),
    "aside": (
        "posted_aside",
        "released_at is not null and kept_at < %(before)s",
        "hand = any(%(hands)s)",
    ),
    "notes": (
        "case_files",
        "kept_at < %(before)s and dispute in (select id from disputes where status = 'closed')",
        "dispute in (select id from disputes"
        " where hand = any(%(hands)s) or complainant = any(%(players)s))",
    ),
}
"""By kind: the table, what of it is old and over, and what of that a hold protects."""

ERASE: Mapping[str, str] = {
    "texts": "update texts set body = '', file = '', erased_at = now()",
    "quarantine": "delete from quarantine",
    "aside": "delete from posted_aside",
    "notes": "delete from case_files",
}


class Old(msgspec.Struct, frozen=True, kw_only=True):
    """What of one kind was kept since before `before`, `days` ago: how many may go or went.

    `held` of them stay, because holds protect them.
    """

    kind: str
    days: int
    before: datetime
    erased: int
    held: int


def retention(
    room: Room, *, apply: bool, now: datetime | None = None, actor: str = COMMAND_LINE
) -> tuple[Old, ...]:
    """What is older than the policy, by kind; erased if `apply`, and on record before it is."""
    at = now or datetime.now(UTC)
    days = days_kept(room.settings)
    held = protected(room)
    given: dict[str, Any] = {
        "hands": list(held.hands),
        "players": list(held.players),
        # A record in quarantine is of nobody yet: while anybody is held, all of it stays.
        "held": bool(held.players),
    }
    found = tuple(_old(room, kind, kept, at, given) for kind, kept in days.items())
    erased = {old.kind: old.erased for old in found}
    if apply and any(erased.values()):
        record(room.store, RetentionApplied(at=at, actor=actor, days=days, erased=erased))
        with room.connect() as connection, connection.transaction():
            for old in found:
                _, aged, kept = _OLD[old.kind]
                query = f"{ERASE[old.kind]} where {aged} and not ({kept})"
                connection.execute(query.encode(), given | {"before": old.before})
    return found


def days_kept(settings: Settings) -> dict[str, int]:
    """The room's policy: days by kind."""
    return {
        "texts": settings.keep_texts,
        "quarantine": settings.keep_quarantine,
        "aside": settings.keep_aside,
        "notes": settings.keep_notes,
    }


def _old(room: Room, kind: str, days: int, at: datetime, given: Mapping[str, Any]) -> Old:
    table, aged, kept = _OLD[kind]
    before = at - timedelta(days=days)
    query = (
        f"select count(*) filter (where not ({kept})), count(*) filter (where {kept})"
        f" from {table} where {aged}"
    )
    with room.connect() as connection:
        row = connection.execute(query.encode(), {**given, "before": before}).fetchone()
    assert row is not None
    return Old(kind=kind, days=days, before=before, erased=row[0], held=row[1])
