"""A replay frame drawn for a terminal: eighty columns, readable without colour or glyphs."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from domain.amounts import amount_words, decimal_words
from domain.events import Money
from domain.games import GAMES
from domain.units import Chips, ChipsMoved
from domain.words import actions
from services.replaying.faces import FOLDED, face, faces
from services.replaying.frames import ReplayFrame, SeatNow
from services.replaying.notes import STATUS_WORDS, street_name
from services.replaying.pots import PotNow
from services.replaying.seating import printable

WIDEST_HAND = len("[K♦][??] 7♣ 2♥ 9♠ J♦ [A♠]")


def draw(frame: ReplayFrame) -> RenderableType:
    """The table of a frame, for `Console.print`; suits are letters where the terminal is ASCII."""
    return _Drawing(frame)


class _Drawing:
    """Asks the terminal what it can show only when it is printed."""

    def __init__(self, frame: ReplayFrame) -> None:
        self._frame = frame

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        frame, ascii_only = self._frame, options.ascii_only
        yield _title(frame)
        yield _about(frame)
        yield Padding(_table(frame, ascii_only), (1, 0))
        yield from _middle(frame, ascii_only)
        yield from _to_act(frame)
        yield Text(frame.note)


def _title(frame: ReplayFrame) -> RenderableType:
    bets = "/".join(_money(frame, bet) for bet in (frame.small_bet, frame.big_bet))
    head = f"{GAMES[frame.game].title} {bets}, hand {printable(frame.number)}"
    return Rule(Text(head, style="bold"), style=FOLDED)


def _about(frame: ReplayFrame) -> RenderableType:
    about = Table.grid(expand=True)
    about.add_column()
    about.add_column(justify="right")
    place = f"{street_name(frame.street).capitalize()}, step {frame.step} of {frame.steps}"
    site = f", {printable(frame.site)}" if frame.site else ""
    when = frame.played_at.strftime(", %Y-%m-%d %H:%M UTC") if frame.played_at else ""
    about.add_row(Text(place, style="bold"), f"view: {frame.view}")
    about.add_row(Text(f"Table {printable(frame.table)}{site}{when}", style=FOLDED))
    return about


def _table(frame: ReplayFrame, ascii_only: bool) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="underline")
    table.add_column("", min_width=1)
    table.add_column("seat", justify="right", no_wrap=True)
    table.add_column("player", overflow="ellipsis", no_wrap=True, max_width=16)
    table.add_column("cards", no_wrap=True, min_width=WIDEST_HAND)
    table.add_column("stack", justify="right", no_wrap=True)
    table.add_column("street", justify="right", no_wrap=True)
    table.add_column("in pot", justify="right", no_wrap=True)
    table.add_column("")
    for seat in frame.seats:
        table.add_row(*_row(frame, seat, ascii_only), style=_style(frame, seat))
    return table


def _row(frame: ReplayFrame, seat: SeatNow, ascii_only: bool) -> tuple[RenderableType, ...]:
    folded = seat.status == "folded"
    return (
        _marker(frame, seat, ascii_only),
        f"{'D ' if seat.seat == frame.dealer else ''}{seat.seat}",
        Text(printable(seat.player)),
        faces(seat.down, seat.up, ascii_only=ascii_only, folded=folded),
        _figure(frame, seat.stack),
        _figure(frame, seat.street_total) if seat.street_total else "",
        _figure(frame, seat.committed) if seat.committed else "",
        _state(frame, seat),
    )


def _style(frame: ReplayFrame, seat: SeatNow) -> str:
    if seat.status == "folded":
        return FOLDED
    return "bold" if seat.seat == frame.to_act else ""


def _marker(frame: ReplayFrame, seat: SeatNow, ascii_only: bool) -> str:
    if seat.seat != frame.to_act:
        return ""
    return ">" if ascii_only else "▶"


def _state(frame: ReplayFrame, seat: SeatNow) -> str:
    words = [STATUS_WORDS[seat.status]] if STATUS_WORDS[seat.status] else []
    if seat.mucked:
        words.append("mucked")
    if seat.won:
        words.append(f"won {_figure(frame, seat.won)}")
    return ", ".join(words)


def _middle(frame: ReplayFrame, ascii_only: bool) -> Iterator[RenderableType]:
    """What lies in the middle of the table: pots, rake, a community card, a dealer without seat."""
    if frame.community is not None:
        yield Text.assemble("Community card ", face(frame.community, ascii_only=ascii_only))
    if frame.dealer is None:
        yield Text("Dealer's seat not recorded", style=FOLDED)
    elif all(seat.seat != frame.dealer for seat in frame.seats):
        yield Text(f"Dealer at seat {frame.dealer}, which was not dealt in", style=FOLDED)
    rake = f"   rake {_money(frame, frame.rake)}" if frame.rake else ""
    pot = Text.assemble((f"Pot {_money(frame, frame.pot)}", "bold"))
    if len(frame.pots) > 1:
        pot.append(" = " + " + ".join(_pot(frame, pot) for pot in frame.pots))
    yield pot.append(rake)


def _pot(frame: ReplayFrame, pot: PotNow) -> str:
    seats = ", ".join(str(seat) for seat in sorted(pot.claimants))
    who = "seats" if len(pot.claimants) > 1 else "seat"
    return f"{pot.name} {_money(frame, pot.amount)} ({who} {seats})"


def _to_act(frame: ReplayFrame) -> Iterator[Text]:
    if frame.to_act is None:
        return
    player = next(seat.player for seat in frame.seats if seat.seat == frame.to_act)
    unnamed = player == f"seat {frame.to_act}"
    who = f"Seat {frame.to_act}" if unnamed else f"{printable(player)} (seat {frame.to_act})"
    may = actions(_of(frame), frame.legal)
    yield Text.assemble((f"{who} is to act", "bold"), f": {may}.")


def _of(frame: ReplayFrame) -> Money:
    # What kind of money it is matters to the rake, not to how an amount is written.
    return Money(kind="play", currency=frame.currency, exponent=frame.exponent)


def _money(frame: ReplayFrame, amount: ChipsMoved) -> str:
    return amount_words(amount, _of(frame))


def _figure(frame: ReplayFrame, amount: Chips) -> str:
    return decimal_words(amount, frame.exponent)
