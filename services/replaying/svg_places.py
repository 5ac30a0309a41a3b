"""Where things lie in a picture of the table: wide for a screen or paper, tall for a phone."""

from __future__ import annotations

import msgspec

PANEL_WIDTH, PANEL_HEIGHT = 228, 128

EIGHT = (
    (386, 502), (16, 502), (16, 256), (16, 10), (386, 10), (756, 10), (756, 256), (756, 502),
)  # fmt: skip
"""Where panels lie, clockwise from the middle of the lower edge."""

FOUR = ((336, 362), (16, 186), (336, 10), (656, 186))
"""The same for few: one at each side of a smaller table."""

TEN = tuple(
    [(x, 502) for x in (508, 262, 16)] + [(16, 256)]
    + [(x, 10) for x in (16, 262, 508, 754)] + [(754, 256), (754, 502)]
)  # fmt: skip
"""For records of nine or ten, which no stud table has (G4)."""

ROW, STRIP, MIDDLE, EDGE = 158, 30, 150, 8
"""Of a tall picture: a row of panels with its chips, the chips alone, the pots, the margin."""


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """A picture's size, the corners of its panels clockwise, and the middle of the table."""

    width: int
    height: int
    places: tuple[tuple[int, int], ...]
    middle: tuple[int, int]

    def place(self, index: int, of: int) -> tuple[int, int]:
        """The panel of one of so many seats, with room between few of them."""
        return self.places[index * len(self.places) // of]

    def before(self, place: tuple[int, int]) -> tuple[int, int, str]:
        """Where the chips before a panel lie, and to which side their amount is written."""
        (x, y), (across, down) = place, self.middle
        if abs(y + PANEL_HEIGHT // 2 - down) < PANEL_HEIGHT // 2:
            return (
                (x + PANEL_WIDTH + 18, y + 68, "start") if x < across else (x - 18, y + 68, "end")
            )
        inward = (x < across - PANEL_WIDTH) - (x > across)
        return (
            x + PANEL_WIDTH // 2 - 20 + 50 * inward,
            y - 12 if y > down else y + PANEL_HEIGHT + 22,
            "start",
        )


def wide(seats: int) -> Layout:
    """A table seen from above, with the pots in the middle."""
    if seats <= len(FOUR):
        return Layout(width=900, height=500, places=FOUR, middle=(450, 250))
    places = EIGHT if seats <= len(EIGHT) else TEN
    return Layout(width=1000, height=640, places=places, middle=(500, 320))


def tall(seats: int) -> Layout:
    """Two columns of seats with the pots between the upper and the lower ones."""
    rows = 2 * -(-seats // 4)  # Rows of two, as many above the middle as below.
    upper = [EDGE + ROW * row for row in range(rows // 2)]
    below = EDGE + ROW * (rows // 2) + MIDDLE
    lower = [below + STRIP + ROW * row for row in range(rows // 2)]
    column = (*upper, *lower)
    left, right = EDGE, 2 * EDGE + PANEL_WIDTH
    places = (*((left, y) for y in reversed(column)), *((right, y) for y in column))
    return Layout(
        width=3 * EDGE + 2 * PANEL_WIDTH,
        height=below + ROW * (rows // 2) + EDGE,
        places=places,
        middle=((3 * EDGE + 2 * PANEL_WIDTH) // 2, below - MIDDLE // 2),
    )
