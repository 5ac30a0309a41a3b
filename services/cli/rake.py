"""`rake`: what was taken, on what, from whom, and why so much."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from msgspec.structs import replace

from services.cli.amounts import decimal, money
from services.cli.exits import USAGE, Stop
from services.cli.hands import FromDay, ToDay, parse_days
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
from services.cli.viewing import HandArgument
from services.explaining import as_text
from services.explaining import explain as explain_hand
from services.hand_file import open_hand
from services.replaying.pots import pot_name
from services.reports import (
    DIMENSIONS,
    Dimension,
    PostingFound,
    RakeLine,
    RakeReport,
    postings_of_hand,
    rake_report,
)

app = typer.Typer(no_args_is_help=True, help="What rake was taken, on what, from whom, and why.")

By = Annotated[
    str, typer.Option("--by", metavar="DIMENSION,…", help=f"any of {', '.join(DIMENSIONS)}")
]


@app.command()
def report(
    by: By = "",
    from_: FromDay = None,
    to: ToDay = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Hands, matched pot and rake of real-money hands; every sum is one of the ledger's."""
    chosen, days = parse_dimensions(by), parse_days(from_, to)
    with current_room() as room:
        answer = rake_report(room.connect, chosen, *days)
        ids = {line.player for line in answer.lines if line.player is not None}
        names = room.players.names(ids)
    show_report(answer, chosen, names, form)


def parse_dimensions(text: str) -> tuple[Dimension, ...]:
    """The dimensions named, in that order. Raises `Stop` listing what is possible."""
    chosen: dict[Dimension, None] = {}
    for name in filter(None, (part.strip() for part in text.split(","))):
        known = next((dimension for dimension in DIMENSIONS if dimension == name), None)
        if known is None:
            possible = ", ".join(DIMENSIONS)
            raise Stop(f"rake cannot be reported by {name}; it can by {possible}", USAGE)
        chosen[known] = None
    return tuple(chosen)


def show_report(
    answer: RakeReport, by: tuple[Dimension, ...], names: dict[str, str], form: Format
) -> None:
    """Print a rake report in the form asked for; `names` are players' by their ids."""
    if form is Format.JSON:
        lines = [_as_json(line, by, names) for line in answer.lines]
        emit_json({"by": by, "lines": lines, "complete_to": answer.complete_to})
    elif form is Format.JSONL:
        emit_lines(_as_json(line, by, names) for line in answer.lines)
    elif form is Format.CSV:
        _as_csv(answer, by, names)
    else:
        _tell(answer, by, names)


def _as_csv(answer: RakeReport, by: tuple[Dimension, ...], names: dict[str, str]) -> None:
    """The report for a spreadsheet; a player's name comes after his id."""
    rows = []
    for line in answer.lines:
        name = [names.get(line.player or "", "")] if "player" in by else []
        rows.append([*_keys(line, by, {}), *name, line.currency, *_figures(line)])
    name = ["name"] if "player" in by else []
    emit_csv([*_headings(by), *name, "currency", "hands", "pot", "rake"], rows)


def _headings(by: tuple[Dimension, ...]) -> tuple[str, ...]:
    return tuple(name for name in by if name != "currency")


def _keys(line: RakeLine, by: tuple[Dimension, ...], names: dict[str, str]) -> tuple[str, ...]:
    """What a line is about, one cell per dimension."""
    cells: list[str] = []
    for name in _headings(by):
        if name == "stakes":
            bets = (decimal(bet or 0, line.exponent) for bet in (line.small_bet, line.big_bet))
            cells.append("/".join(bets))
        elif name == "player":
            cells.append(names.get(line.player or "", line.player or "by ruling"))
        else:
            cells.append(str(getattr(line, name)))
    return tuple(cells)


def _figures(line: RakeLine) -> tuple[str, str, str]:
    return (
        str(line.hands),
        decimal(line.pot, line.exponent),
        decimal(line.rake, line.exponent),
    )


def _as_json(line: RakeLine, by: tuple[Dimension, ...], names: dict[str, str]) -> dict[str, Any]:
    """A line with the dimensions asked for; amounts in minor units."""
    keys: dict[str, Any] = {}
    for name in _headings(by):
        if name == "stakes":
            keys |= {"small_bet": line.small_bet, "big_bet": line.big_bet}
        else:
            keys[name] = getattr(line, name)
    if "player" in by:
        keys["name"] = names.get(line.player or "")
    figures = ("currency", "exponent", "hands", "pot", "rake")
    return keys | {name: getattr(line, name) for name in figures}


def _tell(answer: RakeReport, by: tuple[Dimension, ...], names: dict[str, str]) -> None:
    if not answer.lines:
        note("no raked hand in these days")
    rows = [
        (
            *_keys(line, by, names),
            str(line.hands),
            money(line.pot, line.currency, line.exponent),
            money(line.rake, line.currency, line.exponent),
        )
        for line in answer.lines
    ]
    emit_table((*_headings(by), "hands", "pot", "rake"), rows, right=("hands", "pot", "rake"))
    for currency in dict.fromkeys((line.currency, line.exponent) for line in answer.lines):
        same = [line for line in answer.lines if (line.currency, line.exponent) == currency]
        _total(same, "player" in by)
    note(f"complete up to event {answer.complete_to}")


def _total(lines: list[RakeLine], by_player: bool) -> None:
    rake = money(sum(line.rake for line in lines), lines[0].currency, lines[0].exponent)
    hands = "" if by_player else f" in {counted(sum(line.hands for line in lines), 'hand')}"
    say(f"Rake {rake}{hands}.")


@app.command()
def explain(hand: HandArgument, form: FormatOption = Format.TABLE) -> None:
    """Why so much rake was taken from a hand, from which pot and from whom; and its books."""
    if form not in {Format.TABLE, Format.JSON}:
        raise Stop("an explanation has the formats table and json", USAGE)
    with current_room() as room:
        file = open_hand(room, hand)
        postings = postings_of_hand(room.connect, file.hand)
    whole = explain_hand(str(file.hand), file.events, names=file.names)
    sections = tuple(part for part in whole.sections if part.about in {"pots", "rake"})
    if form is Format.JSON:
        emit_json(
            {"hand": file.hand, "number": file.number, "sections": sections, "postings": postings}
        )
        return
    say(as_text(replace(whole, sections=sections)))
    emit_table(
        ("step", "account", "amount", "what for"),
        [_posting(posting, file.names) for posting in postings],
        right=("step", "amount"),
    )


def _posting(posting: PostingFound, names: dict[str, str]) -> tuple[str, str, str, str]:
    bears = f", borne by {names.get(posting.bearer, posting.bearer)}" if posting.bearer else ""
    amount = money(posting.amount, posting.currency, posting.exponent)
    account = _account(posting.account, names)
    return str(posting.step), account, amount, f"{posting.memo}{bears}"


def _account(account: str, names: dict[str, str]) -> str:
    """An account of one hand in words."""
    match account.split(":"):
        case ["Player", player, *_]:
            return f"{names.get(player, player)} at the table"
        case ["Pot", _, pot]:
            return pot_name(int(pot))
        case _:
            return account
