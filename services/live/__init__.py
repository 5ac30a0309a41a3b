"""Live play: hands dealt here, command by command, each answered exactly once."""

from services.live.acted import Acted, Happened
from services.live.beginning import begin_hand
from services.live.errors import KeyReused, NotDealtHere, NotYourSeat, TooLate, TurnMoved
from services.live.handling import handle
from services.live.kept import KeptHands
from services.live.live import By, Idempotency, Live, Now, utc_now
from services.live.standing import Standing
from services.live.turns import turn_of

__all__ = [
    "Acted",
    "By",
    "Happened",
    "Idempotency",
    "KeptHands",
    "KeyReused",
    "Live",
    "NotDealtHere",
    "NotYourSeat",
    "Now",
    "Standing",
    "TooLate",
    "TurnMoved",
    "begin_hand",
    "handle",
    "turn_of",
    "utc_now",
]
