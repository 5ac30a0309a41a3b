"""`hands`: finding hands."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

import typer

from domain.house_rules import ALL_GAMES
from services.cli.amounts import decimal, money
from services.cli.exits import USAGE, Stop
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
from services.lookup import players_called
from services.reports import HandFound, HandsPage, HandsWanted, find_hands
from services.store.room import Room

COLUMNS = (
    "hand", "number", "site", "game", "table", "played_at", "players", "pot", "rake", "verdict",
    "currency",
)  # fmt: skip
MOST = 1_000

FromDay = Annotated[str | None, typer.Option("--from", metavar="DAY", help="first UTC day")]
ToDay = Annotated[str | None, typer.Option("--to", metavar="DAY", help="last UTC day")]


def hands(
    table: Annotated[str | None, typer.Option(help="the table's name")] = None,
    player: Annotated[str | None, typer.Option(help="name or id of a player dealt in")] = None,
    game: Annotated[str | None, typer.Option(help="stud, stud8 or stud_hilo")] = None,
    from_: FromDay = None,
    to: ToDay = None,
    min_pot: Annotated[str | None, typer.Option(help="smallest pot, such as 20.00")] = None,
    findings: Annotated[bool, typer.Option("--findings", help="only hands with findings")] = False,
    limit: Annotated[int, typer.Option(min=1, max=MOST)] = 50,
    after: Annotated[str | None, typer.Option(help="`next` of the page before")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Find hands, newest first."""
    if game is not None and game not in ALL_GAMES:
        raise Stop(f"there is no game {game}; there are {', '.join(ALL_GAMES)}", USAGE)
    first, last = parse_days(from_, to)
    wanted = HandsWanted(
        table=table,
        game=game,
        from_day=first,
        to_day=last,
        min_pot=_pot(min_pot),
        findings=True if findings else None,
        limit=limit,
        after=after,
    )
    with current_room() as room:
        _show(find_hands(room.connect, _of_player(room, wanted, player)), form)


def parse_days(from_: str | None, to: str | None) -> tuple[date | None, date | None]:
    """The first and the last day wanted. Raises `Stop` if there is nothing between them."""
    first, last = _day(from_), _day(to)
    if first and last and first > last:
        raise Stop(f"the first day, {first}, is after the last, {last}", USAGE)
    return first, last


def _day(text: str | None) -> date | None:
    """A day as it is written, `2026-01-31`. Raises `Stop` with how to write one."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Stop(f"{text} is no day; write it as 2026-01-31", USAGE) from None


def _pot(text: str | None) -> Decimal | None:
    if text is None:
        return None
    try:
        pot = Decimal(text)
    except InvalidOperation:
        pot = Decimal("NaN")
    if not pot.is_finite() or pot < 0:
        raise Stop(f"{text} is no amount; write it as 20 or 20.00", USAGE)
    return pot


def _of_player(room: Room, wanted: HandsWanted, player: str | None) -> HandsWanted:
    if player is None:
        return wanted
    return HandsWanted(
        **{name: getattr(wanted, name) for name in wanted.__struct_fields__ if name != "players"},
        players=players_called(room, player),
    )


def _show(page: HandsPage, form: Format) -> None:
    if form is Format.JSON:
        emit_json({"hands": page.hands, "next": page.next, "complete_to": page.complete_to})
    elif form is Format.JSONL:
        emit_lines(page.hands)
    elif form is Format.CSV:
        emit_csv(COLUMNS, [_cells(hand) for hand in page.hands])
    else:
        _tell(page)


def _cells(hand: HandFound) -> list[Any]:
    cells = {name: getattr(hand, name) for name in COLUMNS}
    cells |= {name: decimal(cells[name], hand.exponent) for name in ("pot", "rake")}
    played_at: datetime | None = cells["played_at"]
    cells["played_at"] = played_at and played_at.isoformat().replace("+00:00", "Z")
    return [*cells.values()]


def _tell(page: HandsPage) -> None:
    if not page.hands:
        note("no hand is like that")
        return
    columns = ("number", "site", "game", "table", "played (UTC)", "players", "pot", "rake")
    rows = [
        (
            hand.number,
            hand.site,
            hand.game,
            hand.table,
            f"{hand.happened_at:%Y-%m-%d %H:%M}",
            str(hand.players),
            money(hand.pot, hand.currency, hand.exponent),
            money(hand.rake, hand.currency, hand.exponent),
            hand.verdict or hand.status,
        )
        for hand in page.hands
    ]
    emit_table(
        (*columns, "verdict"),
        rows,
        right=("players", "pot", "rake"),
        short=("table",),
        spare=("site", "players", "table", "game"),
    )
    note(f"complete up to event {page.complete_to}")
    if page.next is not None:
        note(f"more with --after '{page.next}'")
