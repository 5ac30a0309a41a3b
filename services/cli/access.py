"""`access`: who saw or took away what, as the log has it."""

from __future__ import annotations

from typing import Annotated

import typer

from services.access_report import (
    AccessEntry,
    AccessWanted,
    UnknownSubject,
    access_entries,
    actors_called,
)
from services.cli.exits import NOT_FOUND, Stop
from services.cli.finding import FromDay, ToDay, parse_days
from services.cli.output import (
    Format,
    FormatOption,
    emit_csv,
    emit_json,
    emit_lines,
    emit_table,
    note,
)
from services.cli.rooms import current_room
from services.lookup import find_hand
from services.store.room import Room

app = typer.Typer(no_args_is_help=True, help="Who saw or took away what.")

OfHand = Annotated[str | None, typer.Option("--hand", help="of this hand, by id or number")]
OfSubject = Annotated[
    str | None, typer.Option("--subject", help="a subject, by name or id, or 'command line'")
]

COLUMNS = AccessEntry.__struct_fields__
SHOWN = ("at (UTC)", "who", "role", "what", "hand", "view", "about", "why")


@app.command()
def report(
    hand: Annotated[
        str | None, typer.Option("--hand", help="of this hand, by id or number")
    ] = None,
    subject: OfSubject = None,
    from_: FromDay = None,
    to: ToDay = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Who saw hidden cards, had a key made, erased or was told something; when and why."""
    first, last = parse_days(from_, to)
    with current_room() as room:
        wanted = AccessWanted(
            hand=None if hand is None else find_hand(room, hand).hand,
            actors=None if subject is None else _actors(room, subject),
            first=first,
            last=last,
        )
        head, entries = room.store.head(), access_entries(room, wanted)
        if form is Format.JSONL:
            emit_lines(entries)
        elif form is Format.CSV:
            emit_csv(COLUMNS, (_cells(one) for one in entries))
        elif form is Format.JSON:
            emit_json({"entries": list(entries), "complete_to": head})
        else:
            _show(list(entries))
            note(f"complete up to event {head}")


def _actors(room: Room, called: str) -> tuple[str, ...]:
    try:
        return actors_called(room, called)
    except UnknownSubject as unknown:
        raise Stop(str(unknown), NOT_FOUND) from None


def _cells(one: AccessEntry) -> list[object]:
    values = (getattr(one, name) for name in COLUMNS)
    return [one.at.isoformat() if value is one.at else value for value in values]


def _show(entries: list[AccessEntry]) -> None:
    if not entries:
        note("nothing of this is on record")
        return
    rows = [
        (
            f"{one.at:%Y-%m-%d %H:%M}",
            one.subject or one.actor,
            one.role or "",
            one.what.replace("_", " "),
            one.number or str(one.hand or ""),
            one.view or "",
            one.about or "",
            one.purpose or "",
        )
        for one in entries
    ]
    emit_table(SHOWN, rows, flow=("who", "about", "why"), spare=("about",))
