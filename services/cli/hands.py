"""`hands`: finding hands."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import typer
from msgspec.structs import replace

from services.cli.amounts import money
from services.cli.finding import (
    FindingsOption,
    FromDay,
    GameOption,
    MinPot,
    PlayerOption,
    TableOption,
    ToDay,
    of_player,
    wanted_hands,
)
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
from services.reports import HandFound, HandsPage, find_hands
from services.reports.cells import decimal

COLUMNS = (
    "hand", "number", "site", "game", "table", "played_at", "players", "pot", "rake", "verdict",
    "currency",
)  # fmt: skip
MOST = 1_000


def hands(
    table: TableOption = None,
    player: PlayerOption = None,
    game: GameOption = None,
    from_: FromDay = None,
    to: ToDay = None,
    min_pot: MinPot = None,
    findings: FindingsOption = False,
    limit: Annotated[int, typer.Option(min=1, max=MOST)] = 50,
    after: Annotated[str | None, typer.Option(help="`next` of the page before")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Find hands, newest first."""
    wanted = wanted_hands(table, game, from_, to, min_pot, findings)
    wanted = replace(wanted, limit=limit, after=after)
    with current_room() as room:
        _show(find_hands(room.connect, of_player(room, wanted, player)), form)


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
        empty = page.complete_to == 0
        note("this room holds no hand yet" if empty else "no hand is like that")
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
