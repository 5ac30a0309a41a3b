"""What can go wrong, as a tree.

StudError
├── Refused            a player or dealer may not do this; nothing was stored
│   ├── OutOfTurn          somebody else is to act (B1, B2)
│   ├── NotAllowedNow      the action does not exist at this moment (S4, B3, B5, …)
│   ├── IllegalAmount      the action exists, its amount does not (B3, B4, B7)
│   ├── CardAlreadySeen    the card is already in this hand (G4)
│   ├── WrongCards         too few, too many or unknown cards for what is due (G5, G6)
│   └── BadTable           a hand cannot start, a table not open, like this (G4, S1, R3)
└── CorruptHistory     a fact that cannot be applied: no such seat, more chips than he has, …
"""

from __future__ import annotations

from typing import Any


class StudError(Exception):
    """Base of every error of the domain."""


class Refused(StudError):
    """A command that is against the rules. `rule` is an id of `docs/rulebook.md`.

    `legal` holds the legal alternatives at that moment (`LegalAction`s), where there are any.
    """

    def __init__(self, message: str, *, rule: str, legal: tuple[Any, ...] = ()) -> None:
        super().__init__(message)
        self.rule = rule
        self.legal = legal


class OutOfTurn(Refused):
    """Somebody else is to act."""


class NotAllowedNow(Refused):
    """This action does not exist at this moment."""


class IllegalAmount(Refused):
    """The action exists, this amount does not."""


class CardAlreadySeen(Refused):
    """The card is already in this hand."""


class WrongCards(Refused):
    """Not the cards that are due: their number, or an unknown card in a dealt hand."""


class BadTable(Refused):
    """A hand cannot start, or a table not be opened, like this."""


class CorruptHistory(StudError):
    """A fact that cannot be applied at all; in an import it rejects the hand."""
