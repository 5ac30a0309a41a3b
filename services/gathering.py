"""How long those who follow the log let events gather, so that they leave time to who plays."""

from __future__ import annotations

LEAST, LONGEST = 0.1, 0.6
"""Seconds: what comes meanwhile shares the next round's few statements."""
SHARE = 5
"""A round is followed by a pause so many times as long: under load at most a sixth of the time."""


def pause_after(took: float) -> float:
    """Seconds until the next round, after one that took so many.

    Most of a round does not depend on how much it takes in; and the busier the machine, the
    longer a round takes, and the more it is worth to make fewer of them.
    """
    return min(max(LEAST, SHARE * took), LONGEST)
