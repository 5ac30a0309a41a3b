"""The shapes a picture of the table is made of; each the same bytes for the same place."""

from __future__ import annotations

from xml.sax.saxutils import escape

from domain.units import UNKNOWN, Card
from services.replaying.faces import GLYPHS
from services.replaying.seating import printable

CARD_WIDTH, CARD_HEIGHT = 28, 38
SUIT_COLOURS = {"c": "#116329", "d": "#0550ae", "h": "#b3001b", "s": "#111111"}
"""The four-colour deck, each readable on white and on grey."""

INK, PAPER, FACE_DOWN, BACK, LINE = "#111111", "#ffffff", "#d5d5d5", "#3d5a73", "#555555"
CHIP = "#b35900"


def rectangle(
    x: int, y: int, width_: int, height: int, *, fill: str, edge: str, width: int = 1,
    dashed: bool = False, round_by: int = 0, look: str = "",
) -> str:  # fmt: skip
    """A box; `look` is what style sheets know it by."""
    dashes = ' stroke-dasharray="4 2"' if dashed else ""
    return (
        f'<rect{_class(look)} x="{x}" y="{y}" width="{width_}" height="{height}" rx="{round_by}"'
        f' fill="{fill}" stroke="{edge}" stroke-width="{width}"{dashes}/>'
    )


def words(
    x: int, y: int, said: str, *, size: int, anchor: str = "start", bold: bool = False,
    fill: str = INK, look: str = "",
) -> str:  # fmt: skip
    """A line of words, none where there is nothing to say."""
    if not said:
        return ""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text{_class(look)} x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}"'
        f' fill="{fill}"{weight}>{text(said)}</text>'
    )


def text(said: str) -> str:
    """Text between tags: nothing in it opens one, and nothing is there that XML forbids."""
    return escape(printable(said))


def card(face: Card, x: int, y: int, *, is_down: bool) -> str:
    """A card: dashed and darker where it lies face down; its back where nobody may see it."""
    fill = BACK if face == UNKNOWN else FACE_DOWN if is_down else PAPER
    edge = rectangle(x, y, CARD_WIDTH, CARD_HEIGHT, fill=fill, edge=INK, dashed=is_down, round_by=3)
    middle = x + CARD_WIDTH // 2
    if face == UNKNOWN:
        return edge + words(middle, y + 25, "?", size=16, anchor="middle", fill=PAPER, look="face")
    colour = SUIT_COLOURS[face[1]]
    return edge + words(
        middle, y + 25, face[0] + GLYPHS[face[1]], size=16, anchor="middle", bold=True,
        fill=colour, look="face",
    )  # fmt: skip


def disc(x: int, y: int) -> str:
    """The dealer's disc."""
    ring = f'<circle cx="{x}" cy="{y}" r="10" fill="{PAPER}" stroke="{INK}" stroke-width="2"/>'
    return ring + words(x, y + 5, "D", size=13, anchor="middle", bold=True, look="face")


def chips(x: int, y: int) -> str:
    """A small stack of chips, standing on (x, y)."""
    return "".join(
        f'<ellipse cx="{x}" cy="{y - 4 * layer}" rx="9" ry="5" fill="{CHIP}" stroke="{PAPER}"/>'
        for layer in range(3)
    )


def _class(look: str) -> str:
    return f' class="{look}"' if look else ""
