"""A replay frame as a picture: the table from above, up to eight seats, as SVG.

Pure, and the same bytes for the same frame. Nothing in it relies on colour alone: suits have
glyphs, cards that lie face down a dashed edge and a darker face, whoever acts says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from domain.amounts import amount_words
from domain.events import Money
from domain.units import UNKNOWN, Card, Chips, Seat
from services.replaying.faces import GLYPHS
from services.replaying.frames import ReplayFrame, SeatNow
from services.replaying.notes import STATUS_WORDS, street_name
from services.replaying.seating import listed, printable

WIDTH, HEIGHT = 1000, 640
PANEL_WIDTH, PANEL_HEIGHT = 228, 128
PLACES = (
    (386, 502), (16, 502), (16, 256), (16, 10), (386, 10), (756, 10), (756, 256), (756, 502),
)  # fmt: skip
"""Where panels lie, clockwise from the middle of the lower edge."""

TEN_PLACES = tuple(
    [(x, 502) for x in (508, 262, 16)] + [(16, 256)]
    + [(x, 10) for x in (16, 262, 508, 754)] + [(754, 256), (754, 502)]
)  # fmt: skip
"""For records of nine or ten, which no stud table has (G4)."""

CARD_WIDTH, CARD_HEIGHT, CARD_STEP = 26, 36, 29
ROW_WIDTH = 7 * CARD_STEP
LONGEST_NAME = 19
SUIT_COLOURS = {"c": "#116329", "d": "#0550ae", "h": "#b3001b", "s": "#111111"}
"""The four-colour deck, each readable on white and on grey."""

FONT = "DejaVu Sans Mono, monospace"
INK, FELT, PAPER, FACE_DOWN, BACK, LINE = (
    "#111111", "#e3efe6", "#ffffff", "#d5d5d5", "#4a5568", "#555555"
)  # fmt: skip


def draw_svg(frame: ReplayFrame) -> str:
    """The table of a frame, as its view sees it; amounts with their currency.

    Names are text: whatever is in them is only shown.
    """
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' width="{WIDTH}" height="{HEIGHT}" role="img" font-family="{FONT}">',
        f"<title>{_text(described(frame))}</title>",
        _rectangle(0, 0, WIDTH, HEIGHT, fill=PAPER, edge=PAPER),
        f'<ellipse cx="500" cy="320" rx="400" ry="240" fill="{FELT}" stroke="{LINE}"/>',
        *_middle(frame),
        *(part for seat, place in _placed(frame.seats) for part in _panel(frame, seat, place)),
        "</svg>",
    )
    return "\n".join(parts) + "\n"


def described(frame: ReplayFrame) -> str:
    """The picture in words, for whoever does not see it."""
    seats = "; ".join(_seat_words(frame, seat) for seat in frame.seats)
    acting = "" if frame.to_act is None else f" Seat {frame.to_act} is to act."
    pots = listed(f"{pot.name} {_money(frame, pot.amount)}" for pot in frame.pots)
    middle = pots if frame.pots else "nothing in the middle"
    where = f"{street_name(frame.street).capitalize()}, step {frame.step} of {frame.steps}"
    return f"{where}, view {frame.view}. {seats}. In the pots: {middle}.{acting}"


def _seat_words(frame: ReplayFrame, seat: SeatNow) -> str:
    down, up = " ".join(seat.down) or "none", " ".join(seat.up) or "none"
    state = _state(frame, seat)
    disc = ", has the disc" if seat.seat == frame.dealer else ""
    cards = f"face down {down}, face up {up}"
    money = f"stack {_money(frame, seat.stack)}, in the pot {_money(frame, seat.committed)}"
    return f"seat {seat.seat}: {cards}, {money}{disc}" + (f", {state}" if state else "")


# -- seats -----------------------------------------------------------------------------------------


def _placed(seats: Sequence[SeatNow]) -> Iterator[tuple[SeatNow, tuple[int, int]]]:
    """Seats clockwise around the table, with room between few of them."""
    places = PLACES if len(seats) <= len(PLACES) else TEN_PLACES
    for index, seat in enumerate(seats):
        yield seat, places[index * len(places) // len(seats)]


def _panel(frame: ReplayFrame, seat: SeatNow, place: tuple[int, int]) -> Iterator[str]:
    x, y = place
    acts, folded = seat.seat == frame.to_act, seat.status == "folded"
    yield f'<g opacity="{"0.6" if folded else "1"}">'
    yield _rectangle(
        x, y, PANEL_WIDTH, PANEL_HEIGHT, fill=PAPER, edge="#b35900" if acts else LINE,
        width=4 if acts else 1, round_by=8,
    )  # fmt: skip
    yield _words(x + 10, y + 20, f"{seat.seat} {_name(seat)}", size=14, bold=True)
    yield _words(x + 10, y + 38, _money(frame, seat.stack), size=14)
    if acts:
        yield _words(x + 218, y + 38, "to act", size=13, anchor="end", bold=True, fill="#8a4500")
    yield from _cards(seat, x + 12, y + 48)
    yield _words(x + 10, y + 109, _chips_in(frame, seat), size=10)
    yield _words(x + 10, y + 123, _state(frame, seat), size=11, bold=True)
    if seat.seat == frame.dealer:
        yield _disc(x + PANEL_WIDTH - 18, y + 16)
    yield "</g>"


def _chips_in(frame: ReplayFrame, seat: SeatNow) -> str:
    """What the seat has in the pot, and how much of it since the street began."""
    if not seat.committed:
        return ""
    street = f", street {_money(frame, seat.street_total)}" if seat.street_total else ""
    return f"in pot {_money(frame, seat.committed)}{street}"


def _name(seat: SeatNow) -> str:
    name = printable(seat.player)
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _state(frame: ReplayFrame, seat: SeatNow) -> str:
    words = [STATUS_WORDS[seat.status], "mucked" if seat.mucked else ""]
    if seat.won:
        words.append(f"won {_money(frame, seat.won)}")
    return ", ".join(word for word in words if word)


def _cards(seat: SeatNow, x: int, y: int) -> Iterator[str]:
    """Two down, up to four up, one down: as they were dealt, those face down lie lower."""
    row = [(card, True) for card in seat.down[:2]]
    row += [(card, False) for card in seat.up]
    row += [(card, True) for card in seat.down[2:]]
    # A record may have dealt somebody too many.
    step = min(CARD_STEP, ROW_WIDTH // max(len(row), 1))
    for index, (card, is_down) in enumerate(row):
        yield _card(card, x + index * step, y + (12 if is_down else 0), is_down)


def _card(card: Card, x: int, y: int, is_down: bool) -> str:
    if card == UNKNOWN:
        edge = _rectangle(
            x, y, CARD_WIDTH, CARD_HEIGHT, fill=BACK, edge=INK, dashed=is_down, round_by=3
        )
        return edge + _words(x + 13, y + 24, "?", size=16, anchor="middle", fill=PAPER)
    fill = FACE_DOWN if is_down else PAPER
    edge = _rectangle(
        x, y, CARD_WIDTH, CARD_HEIGHT, fill=fill, edge=INK, dashed=is_down, round_by=3
    )
    face, colour = card[0] + GLYPHS[card[1]], SUIT_COLOURS[card[1]]
    return edge + _words(x + 13, y + 23, face, size=15, anchor="middle", bold=True, fill=colour)


# -- the middle ------------------------------------------------------------------------------------


def _middle(frame: ReplayFrame) -> Iterator[str]:
    lines = [f"Pot {_money(frame, frame.pot)}"]
    if len(frame.pots) > 1:
        lines += [f"{pot.name} {_money(frame, pot.amount)}" for pot in frame.pots]
    if frame.rake:
        lines.append(f"rake {_money(frame, frame.rake)}")
    lines += _absent_dealer(frame)
    top = 320 - len(lines) * 10 - (20 if frame.community else 0)
    for index, line in enumerate(lines):
        yield _words(500, top + index * 20, line, size=15, anchor="middle", bold=index == 0)
    if frame.community is not None:
        below = top + len(lines) * 20
        yield _words(500, below, "community card", size=12, anchor="middle")
        yield _card(frame.community, 487, below + 8, is_down=False)


def _absent_dealer(frame: ReplayFrame) -> list[str]:
    if frame.dealer is None:
        return ["dealer not recorded"]
    if _is_seated(frame, frame.dealer):
        return []
    return [f"disc at seat {frame.dealer}, not dealt in"]


def _is_seated(frame: ReplayFrame, seat: Seat) -> bool:
    return any(taken.seat == seat for taken in frame.seats)


# -- shapes ----------------------------------------------------------------------------------------


def _rectangle(
    x: int, y: int, width_: int, height: int, *, fill: str, edge: str,
    width: int = 1, dashed: bool = False, round_by: int = 0,
) -> str:  # fmt: skip
    dashes = ' stroke-dasharray="4 2"' if dashed else ""
    return (
        f'<rect x="{x}" y="{y}" width="{width_}" height="{height}" rx="{round_by}"'
        f' fill="{fill}" stroke="{edge}" stroke-width="{width}"{dashes}/>'
    )


def _disc(x: int, y: int) -> str:
    ring = f'<circle cx="{x}" cy="{y}" r="10" fill="{PAPER}" stroke="{INK}" stroke-width="2"/>'
    return ring + _words(x, y + 5, "D", size=13, anchor="middle", bold=True)


def _words(
    x: int, y: int, words: str, *, size: int, anchor: str = "start", bold: bool = False,
    fill: str = INK,
) -> str:  # fmt: skip
    if not words:
        return ""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{fill}"{weight}>'
        f"{_text(words)}</text>"
    )


def _text(words: str) -> str:
    """Text between tags: nothing in it opens one, and nothing is there that XML forbids."""
    return escape(printable(words))


def _money(frame: ReplayFrame, amount: Chips) -> str:
    # What kind of money it is does not matter to how an amount is written.
    return amount_words(
        amount, Money(kind="play", currency=frame.currency, exponent=frame.exponent)
    )
