"""What the check of a bundle gives: of either form."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from services.errors import ServiceError
from services.hand_finding import HandFinding
from services.proof.report import keep

Progress = Callable[[int], None]
"""Called now and then with the number of hands checked so far."""

EVERY = 200


class CannotCheck(ServiceError):
    """This bundle cannot be checked; the sentence says what stands in the way."""


class BundleCheck(msgspec.Struct, kw_only=True):
    """What was checked of a bundle. `tampering` names everything that is not as it must be.

    `number` is that of its manifest, `origin` and `leaves` are those of its checkpoint, `live`
    counts the hands that went on, `hidden` the leaves it tells only hashes of, `signed_by` is the
    verifier key that signed. A bundle of the first form has none of them.
    """

    file: str
    room: str
    view: str
    version: int
    checked: int = 0
    events: int = 0
    clean: int = 0
    clean_as_visible: int = 0
    ruled: int = 0
    findings: list[HandFinding] = []
    tampering: list[str] = []
    unchecked: list[str] = []
    number: int | None = None
    origin: str | None = None
    leaves: int = 0
    live: int = 0
    hidden: int = 0
    signed_by: str | None = None

    def bad(self, text: str) -> None:
        """A check was made, and failed. Of very many only so many are kept."""
        keep(self.tampering, text)

    def open(self, text: str) -> None:
        """A check could not be made."""
        keep(self.unchecked, text)
