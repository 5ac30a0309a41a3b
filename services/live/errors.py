"""What can go wrong at a live hand beside the rules. A refusal by the rules is a `Refused`."""

from __future__ import annotations

from datetime import datetime

from domain.errors import NotAllowedNow
from domain.legal import LegalAction
from services.errors import ServiceError


class TurnMoved(ServiceError):
    """The betting has moved since the turn that was answered; `turn` is the one now."""

    def __init__(self, turn: str, legal: tuple[LegalAction, ...]) -> None:
        super().__init__("the betting has moved on since that turn")
        self.turn = turn
        self.legal = legal


class NotDealtHere(ServiceError):
    """The hand was witnessed or imported: somebody else dealt it, so nobody acts in it here."""


class NotYourSeat(ServiceError):
    """A player asked for another's seat."""


class KeyReused(ServiceError):
    """An idempotency key that stood for another request before."""


class TooLate(NotAllowedNow):
    """It arrived after the deadline of the turn (C1)."""

    def __init__(self, message: str, deadline: datetime) -> None:
        super().__init__(message, rule="C1")
        self.deadline = deadline
