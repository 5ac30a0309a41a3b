"""What can go wrong with a case beside the rules. A refusal by the rules is a `Refused`."""

from __future__ import annotations

from services.errors import ServiceError


class UnknownCase(ServiceError):
    """The room has no case of this id."""


class UnknownFile(ServiceError):
    """Nothing of this id is kept with the case, or it was erased."""


class OnHold(ServiceError):
    """The case is on legal hold: nothing about it is erased."""


class NoAmounts(ServiceError):
    """The kept what-if leaves open what somebody would have won: it gives no amounts."""
