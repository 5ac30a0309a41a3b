"""Hands that others deal, posted fact by fact as they happen: stored as told, legal or not."""

from services.witness.aside import Aside, Suspended
from services.witness.lines import LineAnswer, MisreadLine, Posted, posted_line
from services.witness.taking import NotSuspended, Sender, Witness

__all__ = [
    "Aside",
    "LineAnswer",
    "MisreadLine",
    "NotSuspended",
    "Posted",
    "Sender",
    "Suspended",
    "Witness",
    "posted_line",
]
