"""A replay frame as a picture: the table from above, up to eight seats, as SVG.

Pure, and the same bytes for the same frame. Nothing in it relies on colour alone: suits have
glyphs, cards that lie face down a dashed edge and a darker face, whoever acts says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from xml.sax.saxutils import quoteattr

from domain import events as e
from domain.amounts import amount_words
from domain.events import Money
from domain.units import Chips, Seat
from services.replaying.clock import clock_words, short_words
from services.replaying.frames import ReplayFrame, SeatNow
from services.replaying.notes import STATUS_WORDS, street_name
from services.replaying.seating import listed, printable
from services.replaying.svg_places import PANEL_HEIGHT, PANEL_WIDTH, Layout, tall, wide
from services.replaying.svg_shapes import (
    CHIP,
    FACE_DOWN,
    LINE,
    PAPER,
    SUIT_COLOURS,
    card,
    chips,
    disc,
    rectangle,
    words,
)

__all__ = [
    "FACE_DOWN", "HEIGHT", "PANEL_HEIGHT", "PANEL_WIDTH", "PAPER", "SUIT_COLOURS", "WIDTH",
    "described", "draw_svg", "tall", "wide",
]  # fmt: skip

WIDTH, HEIGHT = wide(8).width, wide(8).height
CARD_STEP = 30
ROW_WIDTH = 7 * CARD_STEP
LONGEST_NAME = 19
FONT = "DejaVu Sans Mono, monospace"
ENDS = e.CardsShown | e.Mucked | e.RakeTaken | e.PotAwarded | e.HandCompleted | e.AwardCorrected
FELT, ACTS = "#e3efe6", "#8a4500"


def draw_svg(frame: ReplayFrame, layout: Callable[[int], Layout] = wide) -> str:
    """The table of a frame, as its view sees it; amounts with their currency.

    Names are text: whatever is in them is only shown.
    """
    lie = layout(len(frame.seats))
    (across, down), width, height = lie.middle, lie.width, lie.height
    places = [lie.place(index, len(frame.seats)) for index in range(len(frame.seats))]
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" role="img"'
        # As a title it would hang over the picture wherever somebody points at it.
        f' aria-label={quoteattr(printable(described(frame)))} font-family="{FONT}">',
        rectangle(0, 0, width, height, fill=PAPER, edge=PAPER, look="ground"),
        rectangle(
            14, 14, width - 28, height - 28, fill=FELT, edge=LINE, round_by=width // 4, look="felt"
        ),
        *_middle(frame, across, down),
        *(
            part
            for seat, place in zip(frame.seats, places, strict=True)
            for part in (*_panel(frame, seat, place), _before(frame, seat, lie.before(place)))
        ),
        "</svg>",
    )
    return "\n".join(part for part in parts if part) + "\n"


def described(frame: ReplayFrame) -> str:
    """The picture in words, for whoever does not see it."""
    seats = "; ".join(_seat_words(frame, seat) for seat in frame.seats)
    acting = "" if frame.to_act is None else f" Seat {frame.to_act} is to act."
    clock = f" Its clock: {clock_words(frame.clock)}." if frame.clock else ""
    pots = listed(f"{pot.name} {_money(frame, pot.amount)}" for pot in frame.pots)
    middle = pots if frame.pots else "nothing in the middle"
    where = f"{street_name(frame.street).capitalize()}, step {frame.step} of {frame.steps}"
    return f"{where}, view {frame.view}. {seats}. In the pots: {middle}.{acting}{clock}"


def _seat_words(frame: ReplayFrame, seat: SeatNow) -> str:
    down, up = " ".join(seat.down) or "none", " ".join(seat.up) or "none"
    state = state_words(frame, seat)
    disc_here = ", has the disc" if seat.seat == frame.dealer else ""
    cards = f"face down {down}, face up {up}"
    money = f"stack {_money(frame, seat.stack)}, in the pot {_money(frame, seat.committed)}"
    if seat.street_total:
        money += f", {_money(frame, seat.street_total)} of it on this street"
    return f"seat {seat.seat}: {cards}, {money}{disc_here}" + (f", {state}" if state else "")


# -- seats -----------------------------------------------------------------------------------------


def _panel(frame: ReplayFrame, seat: SeatNow, place: tuple[int, int]) -> Iterator[str]:
    x, y = place
    acts, folded = seat.seat == frame.to_act, seat.status == "folded"
    yield rectangle(
        x, y, PANEL_WIDTH, PANEL_HEIGHT, fill=PAPER, edge=CHIP if acts else LINE,
        width=4 if acts else 1, round_by=8, look="seat acts" if acts else "seat",
    )  # fmt: skip
    yield f'<g opacity="{"0.6" if folded else "1"}">'
    yield words(x + 10, y + 20, f"{seat.seat} {_name(seat)}", size=14, bold=True)
    yield words(x + 10, y + 38, _money(frame, seat.stack), size=14)
    if acts:
        yield words(
            x + 218, y + 38, "to act", size=13, anchor="end", bold=True, fill=ACTS, look="acting"
        )
    yield from _cards(seat, x + 10, y + 46)
    yield words(x + 10, y + 109, _in_pot(frame, seat), size=11)
    yield words(x + 10, y + 123, state_words(frame, seat), size=11, bold=True)
    if frame.clock is not None and frame.clock.seat == seat.seat:
        yield words(x + 10, y + 123, short_words(frame.clock), size=11)
    if seat.seat == frame.dealer:
        yield disc(x + PANEL_WIDTH - 18, y + 16)
    yield "</g>"


def _before(frame: ReplayFrame, seat: SeatNow, spot: tuple[int, int, str]) -> str:
    """The chips a seat has put in on this street, before it; in the end they are in the pots."""
    if not seat.street_total or isinstance(frame.event, ENDS):
        return ""
    x, y, side = spot
    beside = x + 15 if side == "start" else x - 15
    amount = _money(frame, seat.street_total)
    return chips(x, y) + words(beside, y + 3, amount, size=14, anchor=side, bold=True)


def _in_pot(frame: ReplayFrame, seat: SeatNow) -> str:
    """What the seat has in the pot."""
    return f"in pot {_money(frame, seat.committed)}" if seat.committed else ""


def _name(seat: SeatNow) -> str:
    name = printable(seat.player)
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def state_words(frame: ReplayFrame, seat: SeatNow) -> str:
    """What became of a seat: `timed out`, `won $12.00`; nothing while it simply plays."""
    said = [STATUS_WORDS[seat.status], "mucked" if seat.mucked else ""]
    if seat.won:
        said.append(f"won {_money(frame, seat.won)}")
    return ", ".join(word for word in said if word)


def _cards(seat: SeatNow, x: int, y: int) -> Iterator[str]:
    """Two down, up to four up, one down: as they were dealt, those face down lie lower."""
    row = [(face, True) for face in seat.down[:2]]
    row += [(face, False) for face in seat.up]
    row += [(face, True) for face in seat.down[2:]]
    # A record may have dealt somebody too many.
    step = min(CARD_STEP, ROW_WIDTH // max(len(row), 1))
    for index, (face, is_down) in enumerate(row):
        yield card(face, x + index * step, y + (12 if is_down else 0), is_down=is_down)


# -- the middle ------------------------------------------------------------------------------------


def _middle(frame: ReplayFrame, across: int, down: int) -> Iterator[str]:
    lines = [f"Pot {_money(frame, frame.pot)}"]
    if len(frame.pots) > 1:
        lines += [f"{pot.name} {_money(frame, pot.amount)}" for pot in frame.pots]
    if frame.rake:
        lines.append(f"rake {_money(frame, frame.rake)}")
    lines += _absent_dealer(frame)
    top = down - len(lines) * 10 - (20 if frame.community else 0)
    for index, line in enumerate(lines):
        yield words(across, top + index * 20, line, size=15, anchor="middle", bold=index == 0)
    if frame.community is not None:
        below = top + len(lines) * 20
        yield words(across, below, "community card", size=12, anchor="middle")
        yield card(frame.community, across - 14, below + 8, is_down=False)


def _absent_dealer(frame: ReplayFrame) -> list[str]:
    if frame.dealer is None:
        return ["dealer not recorded"]
    if _is_seated(frame, frame.dealer):
        return []
    return [f"disc at seat {frame.dealer}, not dealt in"]


def _is_seated(frame: ReplayFrame, seat: Seat) -> bool:
    return any(taken.seat == seat for taken in frame.seats)


def _money(frame: ReplayFrame, amount: Chips) -> str:
    # What kind of money it is does not matter to how an amount is written.
    return amount_words(
        amount, Money(kind="play", currency=frame.currency, exponent=frame.exponent)
    )
