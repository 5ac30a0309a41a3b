"""Replaying a hand: what a view may see, the table at every step, and how it is drawn."""

from services.replaying.drawing import draw
from services.replaying.frames import (
    NoSuchStep,
    ReplayFrame,
    SeatNow,
    replay_frames,
    replay_step,
    require_step,
)
from services.replaying.views import (
    ALL,
    PUBLIC,
    BadView,
    Eyes,
    View,
    is_over,
    parse_view,
    require_allowed,
    seen_by,
)

__all__ = [
    "ALL",
    "PUBLIC",
    "BadView",
    "Eyes",
    "NoSuchStep",
    "ReplayFrame",
    "SeatNow",
    "View",
    "draw",
    "is_over",
    "parse_view",
    "replay_frames",
    "replay_step",
    "require_allowed",
    "require_step",
    "seen_by",
]
