"""`rake`: what was taken, on what, from whom, and why so much."""

from __future__ import annotations

import typer
from msgspec.structs import replace

from services.cli import closing, schedules
from services.cli.amounts import money
from services.cli.exits import USAGE, Stop
from services.cli.output import (
    Format,
    FormatOption,
    emit_json,
    emit_table,
    say,
)
from services.cli.rake_report import report
from services.cli.rake_whatif import whatif
from services.cli.reconciling import reconcile
from services.cli.rooms import current_room
from services.cli.viewing import HandArgument
from services.explaining import as_text
from services.explaining import explain as explain_hand
from services.hand_file import open_hand
from services.replaying.pots import pot_name
from services.reports import PostingFound, postings_of_hand

app = typer.Typer(no_args_is_help=True, help="What rake was taken, on what, from whom, and why.")

app.command()(report)
app.command()(whatif)
app.command()(reconcile)
app.command()(closing.close)
app.command()(closing.closes)
app.add_typer(schedules.app, name="schedule")


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
        flow=("account", "what for"),
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
