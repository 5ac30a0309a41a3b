"""`play`: bots at tables of a running service, and what came of it."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Annotated

import typer

from domain.house_rules import ALL_GAMES, Clock
from services.cli.exits import DIFFERS, FAILURE, USAGE, Stop
from services.cli.output import Format, FormatOption, counting, emit_csv, emit_json, emit_lines
from services.cli.play_showing import COLUMNS, as_json, cells, row, tell
from services.cli.serving import HOST, PORT
from services.playing import Played, PlayWanted, Staff, play
from services.playing.hosting import hosted, staff_of
from services.settings import load_settings

MOST_TABLES, MOST_PLAYERS = 5_000, 8

Tables = Annotated[int, typer.Option(min=1, max=MOST_TABLES)]
Players = Annotated[int, typer.Option(min=2, max=MOST_PLAYERS, help="at each table")]
GamePlayed = Annotated[str, typer.Option("--game", help="stud, stud8 or stud_hilo")]
Hands = Annotated[
    int | None, typer.Option(min=1, help="in all; 20 if neither this nor --for is said")
]
Seconds = Annotated[
    float | None, typer.Option("--for", min=0.1, metavar="SECONDS", help="begin hands so long")
]
Rate = Annotated[
    float | None,
    typer.Option(min=0.01, metavar="ACTIONS/S", help="of all tables; as fast as it goes if not"),
]
TimeOuts = Annotated[
    float, typer.Option(min=0, max=1, metavar="RATE", help="how many turns of one run out")
]
Disconnects = Annotated[
    float, typer.Option(min=0, max=1, metavar="RATE", help="in how many a connection is lost")
]
ClockOption = Annotated[
    str | None, typer.Option(metavar="T+C+D", help="seconds of a turn; 10+20+20 by the rules")
]
Seed = Annotated[str | None, typer.Option(help="the same play, and the same decks, once more")]
Urls = Annotated[list[str] | None, typer.Option(help="a server of the room; may be repeated")]
Key = Annotated[
    str | None, typer.Option(help="a dealer's or admin's; without one keys are made here")
]
FloorKey = Annotated[str | None, typer.Option(help="opens and closes the tables, if --key may not")]
Serve = Annotated[bool, typer.Option("--serve", help="run the service too, as long as it takes")]


def play_(
    tables: Tables = 1,
    players: Players = 6,
    game: GamePlayed = "stud8",
    hands: Hands = None,
    seconds: Seconds = None,
    pace: Rate = None,
    time_outs: TimeOuts = 0.0,
    disconnects: Disconnects = 0.0,
    clock: ClockOption = None,
    seed: Seed = None,
    url: Urls = None,
    key: Key = None,
    floor_key: FloorKey = None,
    serve: Serve = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Bots play at tables of a running service: anything legal, at random. For tests and load.

    All goes over HTTP, as from a game server. Without --key it runs where the room is kept.
    """
    if game not in ALL_GAMES:
        raise Stop(f"there is no game {game}; there are {', '.join(ALL_GAMES)}", USAGE)
    if serve and url:
        raise Stop("--serve runs a service of its own: leave out --url", USAGE)
    wanted = PlayWanted(
        tables=tables,
        players=players,
        game=game,
        hands=20 if hands is None and seconds is None else hands,
        seconds=seconds,
        pace=pace,
        time_outs=time_outs,
        disconnects=disconnects,
        seed=seed,
        clock=_clock(clock),
    )
    given = None if key is None else Staff(floor=floor_key or key, dealers=(key,))
    _show(_played(wanted, url or [f"http://{HOST}:{PORT}"], given, serve=serve), form)


def _clock(text: str | None) -> Clock | None:
    """A clock as it is written, such as 10+20+20."""
    if text is None:
        return None
    parts = text.split("+")
    if len(parts) != 3 or not all(part.isdecimal() and len(part) < 6 for part in parts):
        raise Stop("a clock is three numbers of seconds, such as 10+20+20", USAGE)
    turn, countdown, disconnected = map(int, parts)
    return Clock(turn=turn, countdown=countdown, disconnected=disconnected)


def _played(wanted: PlayWanted, urls: list[str], given: Staff | None, *, serve: bool) -> Played:
    settings = load_settings()
    over = count(1)
    with (
        hosted(settings, urls, serve=serve) as addresses,
        staff_of(settings, wanted.tables, given) as staff,
        counting("hands") as tell_count,
    ):
        counted = play(wanted, addresses, staff, after_hand=lambda: tell_count(next(over)))
        return asyncio.run(counted)


def _show(played: Played, form: Format) -> None:
    """All forms say the same; the exit code says whether all is well."""
    if form is Format.JSON:
        emit_json(as_json(played))
    elif form is Format.JSONL:
        emit_lines(map(row, played.tables))
    elif form is Format.CSV:
        emit_csv(COLUMNS, map(cells, played.tables))
    else:
        tell(played)
    if not played.conserved:
        raise Stop("chips are missing, or too many", DIFFERS)
    if played.total("errors"):
        raise Stop("the service gave answers that it never should", FAILURE)
