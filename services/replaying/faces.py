"""Cards as a terminal shows them: four colours, and telling apart without any."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from domain.units import UNKNOWN, Card

GLYPHS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
COLOURS = {"c": "green", "d": "bright_blue", "h": "bright_red", "s": "bold"}
"""The four-colour deck; spades in whatever the terminal writes with."""

FOLDED = "dim"


def face(card: Card, *, ascii_only: bool, folded: bool = False) -> Text:
    """One card: `K♦`, or `Kd` where the terminal has no glyphs."""
    if card == UNKNOWN:
        return Text("??", style=FOLDED)
    rank, suit = card[0], card[1]
    colour = f"{COLOURS[suit]} {FOLDED}" if folded else COLOURS[suit]
    return Text(f"{rank}{suit if ascii_only else GLYPHS[suit]}", style=colour)


def faces(
    down: Iterable[Card], up: Iterable[Card], *, ascii_only: bool, folded: bool = False
) -> Text:
    """A hand in the order it was dealt, down cards in brackets: `[K♦][??] 7♣ 2♥ [A♠]`."""
    hidden = [_bracketed(card, ascii_only, folded) for card in down]
    shown = [face(card, ascii_only=ascii_only, folded=folded) for card in up]
    parts = (Text("").join(hidden[:2]), *shown, Text("").join(hidden[2:]))
    return Text(" ").join(part for part in parts if part.plain)


def _bracketed(card: Card, ascii_only: bool, folded: bool) -> Text:
    bracket = FOLDED if folded else ""
    return Text.assemble(
        ("[", bracket), face(card, ascii_only=ascii_only, folded=folded), ("]", bracket)
    )
