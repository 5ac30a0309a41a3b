"""Which hands a command is about: the filters of `hands`, which every export has too."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Annotated

import typer
from msgspec.structs import replace

from domain.house_rules import ALL_GAMES
from services.cli.exits import USAGE, Stop
from services.lookup import players_called
from services.reports import HandsWanted
from services.store.room import Room

TableOption = Annotated[str | None, typer.Option("--table", help="the table's name")]
PlayerOption = Annotated[
    str | None, typer.Option("--player", help="name or id of a player dealt in")
]
GameOption = Annotated[str | None, typer.Option("--game", help="stud, stud8 or stud_hilo")]
FromDay = Annotated[str | None, typer.Option("--from", metavar="DAY", help="first UTC day")]
ToDay = Annotated[str | None, typer.Option("--to", metavar="DAY", help="last UTC day")]
MinPot = Annotated[str | None, typer.Option("--min-pot", help="smallest pot, such as 20.00")]
FindingsOption = Annotated[bool, typer.Option("--findings", help="only hands with findings")]


_AMOUNT = re.compile(r"\d{1,16}(\.\d{1,8})?")


def wanted_hands(
    table: str | None,
    game: str | None,
    from_: str | None,
    to: str | None,
    min_pot: str | None,
    findings: bool,
) -> HandsWanted:
    """What the filters ask for; the player is added by `of_player`. Raises `Stop`."""
    if game is not None and game not in ALL_GAMES:
        raise Stop(f"there is no game {game}; there are {', '.join(ALL_GAMES)}", USAGE)
    first, last = parse_days(from_, to)
    return HandsWanted(
        table=table,
        game=game,
        from_day=first,
        to_day=last,
        min_pot=_pot(min_pot),
        findings=True if findings else None,
    )


def of_player(room: Room, wanted: HandsWanted, player: str | None) -> HandsWanted:
    """The hands among these that somebody of this name or id was dealt in to."""
    return wanted if player is None else replace(wanted, players=players_called(room, player))


def parse_days(from_: str | None, to: str | None) -> tuple[date | None, date | None]:
    """The first and the last day wanted. Raises `Stop` if there is nothing between them."""
    first, last = (None if text is None else a_day(text) for text in (from_, to))
    if first and last and first > last:
        raise Stop(f"the first day, {first}, is after the last, {last}", USAGE)
    return first, last


def a_day(text: str) -> date:
    """A day as it is written, `2026-01-31`. Raises `Stop` with how to write one."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Stop(f"{text} is no day; write it as 2026-01-31", USAGE) from None


def _pot(text: str | None) -> Decimal | None:
    if text is None:
        return None
    if not _AMOUNT.fullmatch(text):
        raise Stop(f"{text} is no amount; write it as 20 or 20.00", USAGE)
    return Decimal(text)
