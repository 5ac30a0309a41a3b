"""Routes of tables: opened, looked at, sat down at, left, closed; and a hand begun there."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from msgspec.structs import replace

from domain.tables import commands as c
from services.api import asking
from services.api import table_bodies as b
from services.api.answers import answer, next_link, streamed_lines, tagged, wants_lines
from services.api.arriving import arrived
from services.api.describing import answers
from services.api.live_answers import answered
from services.api.live_bodies import LiveAnswer
from services.api.parts import InService, Parts
from services.api.wanting import Asker, body_of, describes
from services.dealing import EXTERNAL, SHUFFLED, DeckWish, supplied
from services.live import By, begin_hand
from services.reports import TableFound, TablesPage, TablesWanted, find_tables
from services.seating import TableWanted, handle, open_table, player_id, terms
from services.store.players import as_id
from services.tables import LoadedTable, TableSheet, UnknownTable, load_table, table_sheet

router = APIRouter(tags=["tables"])

IsOpen = Annotated[
    bool | None,
    asking.said("write true or false", "true", "false"),
    Query(alias="open", description="true: only open tables; false: only closed ones."),
]


def table_id(table: Annotated[asking.Short, Path(description="The table's id.")]) -> UUID:
    """The id in the path. Raises `UnknownTable` for what is none."""
    found = as_id(table)
    if found is None:
        raise UnknownTable("a table is named by its id")
    return found


TableId = Annotated[UUID, Depends(table_id)]


@router.get("/v1/tables", summary="Find tables", **answers(TablesPage, lines=TableFound))
def search(
    request: Request,
    parts: InService,
    table: asking.Table = None,
    game: asking.OneGame = None,
    is_open: IsOpen = None,
    limit: asking.Limit = 50,
    after: asking.After = None,
) -> Response:
    """Tables, open ones first, each by name. As JSON Lines, one table a line."""
    wanted = TablesWanted(called=table, game=game, is_open=is_open, limit=limit, after=after)
    page = find_tables(parts.room.connect, wanted)
    link = next_link(request, page.next)
    if wants_lines(request):
        return streamed_lines(page.tables, link=link)
    return answer(page, link=link)


@router.get("/v1/tables/{table}", summary="One table", **answers(TableSheet))
def one(request: Request, parts: InService, table: TableId) -> Response:
    """A table as it stands: what is played, who sits where, which hand is on."""
    return tagged(request, _sheet(parts, load_table(parts.room.store, table)))


@router.post(
    "/v1/tables",
    summary="Open a table",
    openapi_extra=describes(TableWanted, b.OPENING),
    **answers(TableSheet, refuses=True),
)
def opening(
    request: Request,
    parts: InService,
    by: Asker,
    wanted: Annotated[TableWanted, Depends(body_of(TableWanted))],
) -> Response:
    """What is not said is chosen by the game; nothing of it changes as long as it is open."""
    opened = replace(terms(wanted), at=arrived(request))
    return answer(_sheet(parts, open_table(parts.live, opened, by).loaded))


@router.post(
    "/v1/tables/{table}/seats",
    summary="Sit down at a table",
    openapi_extra=describes(b.SeatWanted, {"seat": 3, "player": "anna", "stack": 20000}),
    **answers(TableSheet, refuses=True),
)
def seats(
    request: Request,
    parts: InService,
    table: TableId,
    by: Asker,
    wanted: Annotated[b.SeatWanted, Depends(body_of(b.SeatWanted))],
) -> Response:
    """A player takes a seat with his chips and is dealt in from the next hand."""
    load_table(parts.room.store, table)  # Nobody becomes known for sitting nowhere.
    player = player_id(parts.room, wanted.player)
    command = c.TakeSeat(seat=wanted.seat, player=player, stack=wanted.stack)
    return _handled(request, parts, table, command, by)


@router.post(
    "/v1/tables/{table}/chips",
    summary="Add chips to a stack",
    openapi_extra=describes(b.ChipsWanted, {"seat": 3, "amount": 5000}),
    **answers(TableSheet, refuses=True),
)
def chips(
    request: Request,
    parts: InService,
    table: TableId,
    by: Asker,
    wanted: Annotated[b.ChipsWanted, Depends(body_of(b.ChipsWanted))],
) -> Response:
    """In a hand that is being played they do not count (B6)."""
    command = c.AddChips(seat=wanted.seat, amount=wanted.amount)
    return _handled(request, parts, table, command, by)


AtASeat = Annotated[b.SeatNamed, Depends(body_of(b.SeatNamed))]


@router.post(
    "/v1/tables/{table}/sit-out",
    summary="Sit out at a table",
    openapi_extra=describes(b.SeatNamed, {"seat": 3}),
    **answers(TableSheet, refuses=True),
)
def sit_out(
    request: Request, parts: InService, table: TableId, by: Asker, wanted: AtASeat
) -> Response:
    """He keeps his seat and is not dealt in from the next hand on."""
    return _handled(request, parts, table, c.SitOut(seat=wanted.seat), by)


@router.post(
    "/v1/tables/{table}/sit-in",
    summary="Play again after sitting out",
    openapi_extra=describes(b.SeatNamed, {"seat": 3}),
    **answers(TableSheet, refuses=True),
)
def sit_in(
    request: Request, parts: InService, table: TableId, by: Asker, wanted: AtASeat
) -> Response:
    """He is dealt in from the next hand on."""
    return _handled(request, parts, table, c.SitIn(seat=wanted.seat), by)


@router.post(
    "/v1/tables/{table}/leave",
    summary="Leave a table",
    openapi_extra=describes(b.SeatNamed, {"seat": 3}),
    **answers(TableSheet, refuses=True),
)
def leave(
    request: Request, parts: InService, table: TableId, by: Asker, wanted: AtASeat
) -> Response:
    """With all his chips: at once, or if he is in a hand when it ends."""
    return _handled(request, parts, table, c.Leave(seat=wanted.seat), by)


@router.post(
    "/v1/tables/{table}/close",
    summary="Close a table",
    openapi_extra=describes(b.Nothing, {}),
    **answers(TableSheet, refuses=True),
)
def close(
    request: Request,
    parts: InService,
    table: TableId,
    by: Asker,
    _: Annotated[b.Nothing, Depends(body_of(b.Nothing))],
) -> Response:
    """Everybody leaves with his chips; between hands only."""
    return _handled(request, parts, table, c.CloseTable(), by)


@router.post(
    "/v1/tables/{table}/hands",
    summary="Begin a hand at a table",
    openapi_extra=describes(b.HandWanted, {"dealer": 5}),
    **answers(LiveAnswer, refuses=True),
)
def hands(
    request: Request,
    parts: InService,
    table: TableId,
    by: Asker,
    wanted: Annotated[b.HandWanted, Depends(body_of(b.HandWanted))],
) -> Response:
    """Everybody with chips who does not sit out is dealt in; the answer is the hand's."""
    acted = begin_hand(parts.live, table, wanted.dealer, _deck(wanted), by, at=arrived(request))
    return answered(request, parts, acted)


def _deck(wanted: b.HandWanted) -> DeckWish:
    if isinstance(wanted.deck, b.SuppliedDeck):
        return supplied(wanted.deck.cards)
    return EXTERNAL if wanted.deck == "external" else SHUFFLED


def _handled(
    request: Request, parts: Parts, table: UUID, command: c.TableCommand, by: By
) -> Response:
    """Run a command, stamped with the request's arrival."""
    timed = replace(command, at=arrived(request))
    return answer(_sheet(parts, handle(parts.live, table, timed, by).loaded))


def _sheet(parts: Parts, loaded: LoadedTable) -> TableSheet:
    players = [sitting.player for sitting in loaded.table.seats]
    return table_sheet(loaded, parts.room.players.names(players) if players else {})
