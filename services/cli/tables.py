"""`tables`: which tables there are, and one of them with everybody at it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from domain.amounts import decimal_words
from domain.house_rules import ALL_GAMES
from services.cli.amounts import money
from services.cli.exits import USAGE, Stop
from services.cli.finding import GameOption
from services.cli.output import (
    Format,
    FormatOption,
    counted,
    emit_csv,
    emit_json,
    emit_lines,
    emit_table,
    note,
    say,
)
from services.cli.rooms import current_room
from services.reports import TableFound, TablesPage, TablesWanted, find_tables
from services.store.room import Room
from services.tables import SeatAtTable, TableSheet, UnknownTable, load_table, table_sheet

COLUMNS = (
    "id", "name", "game", "small_bet", "big_bet", "money_kind", "currency", "exponent", "max_seats",
    "seats", "hand", "hands", "is_open", "opened_at", "closed_at",
)  # fmt: skip
SEAT_COLUMNS = ("seat", "player", "name", "stack", "added", "in_hand", "sitting_out", "leaving")
MOST = 1_000


def tables(
    table: Annotated[str | None, typer.Argument(help="a table, by name or id")] = None,
    game: GameOption = None,
    is_open: Annotated[
        bool | None, typer.Option("--open/--closed", help="only open or only closed ones")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=MOST)] = 50,
    after: Annotated[str | None, typer.Option(help="`next` of the page before")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Tables, open ones first, each by name; or one of them with everybody at it."""
    if game is not None and game not in ALL_GAMES:
        raise Stop(f"there is no game {game}; there are {', '.join(ALL_GAMES)}", USAGE)
    with current_room() as room:
        if table is not None:
            _show(_called(room, table), form)
            return
        wanted = TablesWanted(game=game, is_open=is_open, limit=limit, after=after)
        _list(find_tables(room.connect, wanted), form)


def _called(room: Room, called: str) -> TableSheet:
    """The table of this name or id. Raises `UnknownTable`, or `Stop` for a name of several."""
    found = find_tables(room.connect, TablesWanted(called=called, limit=MOST)).tables
    if not found:
        raise UnknownTable(f"there is no table {called} in room {room.settings.room}")
    if len(found) > 1:
        named = "\n".join(f"  {one.id}  {_stakes(one)} {one.game}, {_state(one)}" for one in found)
        raise Stop(f"{len(found)} tables are called {called}; name one by its id:\n{named}", USAGE)
    loaded = load_table(room.store, found[0].id)
    return table_sheet(loaded, room.players.names([s.player for s in loaded.table.seats]))


# -- several ---------------------------------------------------------------------------------------


def _list(page: TablesPage, form: Format) -> None:
    if form is Format.JSON:
        emit_json(page)
    elif form is Format.JSONL:
        emit_lines(page.tables)
    elif form is Format.CSV:
        emit_csv(COLUMNS, [[getattr(one, name) for name in COLUMNS] for one in page.tables])
    else:
        _tell(page)


def _tell(page: TablesPage) -> None:
    if not page.tables:
        note("no table is like that")
        return
    columns = ("name", "game", "stakes", "seats", "hands", "now", "id")
    rows = [
        (
            one.name,
            one.game,
            _stakes(one),
            f"{one.seats}/{one.max_seats}",
            str(one.hands),
            _state(one),
            str(one.id),
        )
        for one in page.tables
    ]
    emit_table(columns, rows, right=("seats", "hands"), short=("name",), spare=("id", "game"))
    note(f"complete up to event {page.complete_to}")
    if page.next is not None:
        note(f"more with --after '{page.next}'")


def _stakes(one: TableFound) -> str:
    bets = (one.small_bet, one.big_bet)
    return "/".join(decimal_words(bet, one.exponent) for bet in bets)


def _state(one: TableFound) -> str:
    if not one.is_open:
        return "closed"
    return "open" if one.hand is None else "in a hand"


# -- one -------------------------------------------------------------------------------------------


def _show(sheet: TableSheet, form: Format) -> None:
    if form in (Format.JSON, Format.JSONL):
        emit_json(sheet)
    elif form is Format.CSV:
        cells: list[list[Any]] = [[getattr(s, name) for name in SEAT_COLUMNS] for s in sheet.seats]
        emit_csv(SEAT_COLUMNS, cells)
    else:
        _draw(sheet)


def _draw(sheet: TableSheet) -> None:
    stakes = "/".join(_amount(sheet, bet) for bet in (sheet.stakes.small_bet, sheet.stakes.big_bet))
    say(f"{sheet.name}: {sheet.game} {stakes}, {sheet.house_rules.name} rules, table {sheet.table}")
    rows = [
        (str(s.seat), s.name or s.player, _amount(sheet, s.stack), _standing(sheet, s))
        for s in sheet.seats
    ]
    if rows:
        emit_table(
            ("seat", "player", "stack", ""), rows, right=("seat", "stack"), short=("player",)
        )
    else:
        say("nobody sits there")
    hand = f"hand {sheet.hand.number}" if sheet.hand else "no hand"
    now = f"{hand} is being played" if sheet.is_open else "closed"
    say(f"{now}; {counted(sheet.hands, 'hand')} begun here")


def _amount(sheet: TableSheet, amount: int) -> str:
    return money(amount, sheet.money.currency, sheet.money.exponent)


def _standing(sheet: TableSheet, seat: SeatAtTable) -> str:
    """What is to be said of a seat beside its stack."""
    said = {
        "disc": seat.seat == sheet.disc,
        "in the hand": seat.in_hand,
        f"{_amount(sheet, seat.added)} added": seat.added > 0,
        "sitting out": seat.sitting_out,
        "leaving": seat.leaving,
    }
    return ", ".join(words for words, holds in said.items() if holds)
