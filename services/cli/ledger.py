"""`ledger`: what is on each account, sessions from buy-in to leaving, and gaming days."""

from __future__ import annotations

from typing import Annotated

import typer

from services.cli.amounts import money
from services.cli.exits import USAGE, Stop
from services.cli.finding import FromDay, ToDay, a_day, parse_days
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
from services.ledger import (
    Balance,
    LateEntry,
    LedgerDay,
    LedgerQuestion,
    SessionFound,
    SessionsWanted,
    ledger_day,
)
from services.ledger import accounts as balances
from services.ledger import sessions as find_sessions
from services.lookup import players_called
from services.reports import BadRakeQuestion
from services.reports.cells import decimal
from services.reports.rake_cells import Names

app = typer.Typer(no_args_is_help=True, help="Accounts, sessions and days, in double entry.")

SESSION_COLUMNS = (
    "table", "table_name", "n", "left_n", "seat", "player", "seated_at", "left_at", "hands",
    "bought_in", "won", "posted", "cashed_out", "stack", "difference", "in_hand", "money_kind",
    "currency",
)  # fmt: skip
AMOUNTS = ("bought_in", "won", "posted", "cashed_out", "stack", "difference")
TOTAL_COLUMNS = (
    "account", "money_kind", "currency", "opening", "movements", "late", "closing",
)  # fmt: skip
PHASES = ("opening", "movements", "late", "closing")

PlayerOption = Annotated[str | None, typer.Option("--player", help="a player, by name or id")]
Zone = Annotated[
    str | None, typer.Option(metavar="NAME", help="whose day; as days were closed, or UTC")
]
Start = Annotated[
    str | None, typer.Option("--gaming-day-start", metavar="HH:MM", help="when it begins there")
]
Day = Annotated[str, typer.Argument(metavar="DAY", help="a gaming day, such as 2026-01-31")]


@app.command()
def accounts(player: PlayerOption = None, form: FormatOption = Format.TABLE) -> None:
    """What is on each account, those of players and of pots taken together; or on a player's."""
    with current_room() as room:
        players = None if player is None else players_called(room, player)
        told = balances(room.connect, players)
        names = room.players.names(players or ())
    if form is Format.JSON:
        emit_json(told)
    elif form is Format.JSONL:
        emit_lines(told.accounts)
    elif form is Format.CSV:
        rows = [(a.account, a.money_kind, a.currency, _decimal(a)) for a in told.accounts]
        emit_csv(("account", "money_kind", "currency", "balance"), rows)
    else:
        shown = [(account_name(a.account, names), a.money_kind, _money(a)) for a in told.accounts]
        emit_table(("account", "money", "balance"), shown, right=("balance",))
        note(f"complete up to event {told.complete_to}")


@app.command()
def sessions(
    table: Annotated[str | None, typer.Option("--table", help="a table, by name or id")] = None,
    player: PlayerOption = None,
    from_: FromDay = None,
    to: ToDay = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Who sat where from when to when: buy-ins, what play did, and what was taken home."""
    first, last = parse_days(from_, to)
    with current_room() as room:
        players = None if player is None else players_called(room, player)
        wanted = SessionsWanted(called=table, players=players, from_day=first, to_day=last)
        told = find_sessions(room.connect, wanted)
        names = room.players.names({one.player for one in told.sessions})
    if form is Format.JSON:
        emit_json(told)
    elif form is Format.JSONL:
        emit_lines(told.sessions)
    elif form is Format.CSV:
        emit_csv(SESSION_COLUMNS, map(_session_cells, told.sessions))
    else:
        _show_sessions(told.sessions, names)
        note(f"complete up to event {told.complete_to}")


@app.command()
def day(
    day: Day, time_zone: Zone = None, day_start: Start = None, form: FormatOption = Format.TABLE
) -> None:
    """A gaming day: what each kind of account opened with, moved and closed with."""
    asking = LedgerQuestion(day=a_day(day), time_zone=time_zone, day_start=day_start)
    with current_room() as room:
        try:
            told = ledger_day(room, asking)
        except BadRakeQuestion as bad:
            raise Stop(str(bad), USAGE) from None
    if form in (Format.JSON, Format.JSONL):
        emit_json(told)
    elif form is Format.CSV:
        rows = [
            (
                t.account,
                t.money_kind,
                t.currency,
                *(decimal(getattr(t, p), t.exponent) for p in PHASES),
            )
            for t in told.accounts
        ]
        emit_csv(TOTAL_COLUMNS, rows)
    else:
        _show_day(told)


def account_name(account: str, names: Names) -> str:
    """An account with its player's name, where that is known."""
    match account.split(":"):
        case ["Player", player, sort]:
            return f"{names.get(player, player)}: {sort}"
    return account


def _decimal(balance: Balance) -> object:
    return decimal(balance.balance, balance.exponent)


def _money(balance: Balance) -> str:
    return money(balance.balance, balance.currency, balance.exponent)


# -- sessions --------------------------------------------------------------------------------------


def _session_cells(one: SessionFound) -> list[object]:
    return [
        decimal(value, one.exponent) if name in AMOUNTS and value is not None else value
        for name in SESSION_COLUMNS
        for value in (getattr(one, name),)
    ]


def _show_sessions(found: tuple[SessionFound, ...], names: Names) -> None:
    if not found:
        note("no session is like that")
        return
    rows = [
        (
            one.table_name,
            names.get(one.player, one.player),
            f"{one.seated_at:%Y-%m-%d %H:%M}",
            "in a hand" if one.in_hand else "" if one.left_n is None else _time(one),
            str(one.hands),
            *(_amount(one, name) for name in ("bought_in", "posted")),
            _amount(one, "stack" if one.cashed_out is None else "cashed_out"),
            "yes" if one.reconciles else _amount(one, "difference"),
        )
        for one in found
    ]
    columns = (
        "table",
        "player",
        "seated (UTC)",
        "left",
        "hands",
        "in",
        "play",
        "out",
        "reconciles",
    )
    figures = ("hands", "in", "play", "out")
    emit_table(columns, rows, right=figures, short=("table", "player"), spare=("table", "left"))


def _time(one: SessionFound) -> str:
    return "left" if one.left_at is None else f"{one.left_at:%H:%M}"


def _amount(one: SessionFound, name: str) -> str:
    return money(getattr(one, name), one.currency, one.exponent)


# -- days ------------------------------------------------------------------------------------------


def _show_day(told: LedgerDay) -> None:
    closed = told.closed
    state = f"closed by {closed.by}, report {closed.report_sha256[:16]}…" if closed else "open"
    say(f"{told.day} from {told.day_start} {told.time_zone}: {state}")
    if told.accounts:
        rows = [
            (
                t.account,
                t.money_kind,
                *(money(getattr(t, p), t.currency, t.exponent) for p in PHASES),
            )
            for t in told.accounts
        ]
        emit_table(("account", "money", *PHASES), rows, right=PHASES, spare=("money",))
    else:
        say("Nothing was moved, and nothing was there.")
    for one in told.in_progress:
        say(f"Hand {one.number} is in progress.")
    _show_entries("Came late, for days that were closed:", told.late)
    _show_entries("Came since it was closed, booked to a later day:", told.since_closed)
    note(f"complete up to event {told.complete_to}")


def _show_entries(title: str, entries: tuple[LateEntry, ...]) -> None:
    if not entries:
        return
    say(title)
    rows = [
        (
            f"{one.happened_at:%Y-%m-%d}",
            one.number or str(one.stream),
            str(one.n),
            one.memo,
            one.account,
            money(one.amount, one.currency, one.exponent),
        )
        for one in entries
    ]
    columns = ("value date", "hand", "step", "what for", "account", "amount")
    emit_table(columns, rows, right=("step", "amount"), flow=("account",))
