"""What a room may choose about its clocks beside the house rules, and who acts for them."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import Literal

import msgspec

from services.live import By, Idempotency

OutagePolicy = Literal["extend", "void"]

ACTOR = "clock"
"""The actor of what is done because time ran out or nobody kept it."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """How clocks are kept.

    After a deadline `grace` is waited for an action that was in time and is still on its way. Who
    was away for longer than `outage_after` was away from the turns too; `outage_policy` says
    whether these get that time back or their hands are void.
    """

    grace: timedelta = timedelta(seconds=0.5)
    outage_after: timedelta = timedelta(seconds=5)
    outage_policy: OutagePolicy = "extend"


def by_the_clock(what: str) -> By:
    """The clock as the one who asks, for one thing, once: whoever else does the same repeats it."""
    key = Idempotency(what, sha256(what.encode()).hexdigest())
    return By(actor=ACTOR, role="admin", key=key)
