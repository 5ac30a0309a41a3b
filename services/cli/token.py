"""`token`: the keys that open the service, made, listed and revoked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

import typer

from services.access import ROLES, Holder, Keys, KeyWanted, UnknownKey
from services.access.lifetimes import DEFAULT, BadExpiry, expiry
from services.cli.exits import NOT_FOUND, USAGE, Stop
from services.cli.output import (
    Format,
    FormatOption,
    emit_csv,
    emit_json,
    emit_lines,
    emit_table,
    note,
    say,
)
from services.cli.rooms import current_room
from services.lookup import players_called
from services.store.room import Room

app = typer.Typer(no_args_is_help=True, help="Keys that open the service over HTTP.")

COLUMNS = ("id", "subject", "role", "player", "issued", "expires", "last used", "state")


@app.command()
def create(
    role: Annotated[str, typer.Option(help=f"one of {', '.join(ROLES)}")],
    subject: Annotated[
        str | None, typer.Option(help="whose key it is; the role's name if not said")
    ] = None,
    expires: Annotated[
        str, typer.Option(metavar="WHEN", help="30m, 12h, 90d, or a day or time")
    ] = DEFAULT,
    player: Annotated[
        str | None,
        typer.Option(help="for the role player: his id or name, if it is not the subject's"),
    ] = None,
) -> None:
    """Make a key. It is the last line printed, and nobody can print it again."""
    if role not in ROLES:
        raise Stop(f"there is no role {role}; there are {', '.join(ROLES)}", USAGE)
    try:
        ends = expiry(expires, datetime.now(UTC))
    except BadExpiry as wrong:
        raise Stop(str(wrong), USAGE) from None
    name = (subject or role).strip()
    if not name or not name.isprintable():
        raise Stop("a subject's name is printable text", USAGE)
    with current_room() as room:
        wanted = KeyWanted(
            subject=name,
            role=role,
            expires_at=ends,
            player=_player(room, role, player, name),
        )
        issued = Keys(room.pool, room.store).issue(wanted)
    note(f"key {issued.id}: {role}, belongs to {name}, ends {ends:%Y-%m-%d %H:%M} UTC")
    say(issued.key)


@app.command("list")
def list_(form: FormatOption = Format.TABLE) -> None:
    """Every key there ever was, without what would open anything."""
    with current_room(projected=False) as room:
        holders = Keys(room.pool, room.store).all()
    if form is Format.JSON:
        emit_json({"keys": holders})
    elif form is Format.JSONL:
        emit_lines(holders)
    elif form is Format.CSV:
        emit_csv(COLUMNS, map(_row, holders))
    else:
        emit_table(COLUMNS, [_row(one) for one in holders], flow=("subject",), spare=("issued",))


@app.command()
def revoke(key: Annotated[str, typer.Argument(metavar="ID", help="the key's id")]) -> None:
    """End a key now, whatever time it had left."""
    with current_room(projected=False) as room:
        try:
            ended = Keys(room.pool, room.store).revoke(key)
        except UnknownKey as unknown:
            raise Stop(str(unknown), NOT_FOUND) from None
    say(f"key {ended.id} of {ended.name} opens nothing any more")


def _player(room: Room, role: str, player: str | None, subject: str) -> UUID | None:
    """Which player a key is for: him of `--player`, else him who is called like the subject."""
    if role != "player":
        if player is not None:
            raise Stop("--player is for the role player", USAGE)
        return None
    called = player or subject
    found = players_called(room, called)
    if not found:
        raise Stop(f"nobody called {called} was dealt in here: name him with --player", NOT_FOUND)
    if len(found) > 1:
        ids = ", ".join(found)
        raise Stop(f"{len(found)} players are called {called}: --player one of {ids}", USAGE)
    return UUID(found[0])


def _row(holder: Holder) -> tuple[str, ...]:
    return (
        holder.id,
        holder.name,
        holder.role,
        str(holder.player or ""),
        _when(holder.issued_at),
        _when(holder.expires_at),
        _when(holder.last_used_at),
        _state(holder),
    )


def _when(at: datetime | None) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}" if at else ""


def _state(holder: Holder) -> str:
    if holder.revoked_at is not None:
        return "revoked"
    return "expired" if holder.expires_at <= datetime.now(UTC) else "good"
