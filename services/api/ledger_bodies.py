"""What is sent to the ledger. Unknown fields are refused."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import msgspec
from msgspec import Meta

from services.ledger import Accounts, Closes, CloseTold, LedgerDay, SessionsFound


class DayToClose(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which day. Zone and start are those of the days closed before, or UTC from midnight."""

    day: date
    time_zone: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    day_start: Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")] | None = None


LEDGER_BODIES = (Accounts, SessionsFound, LedgerDay, Closes, CloseTold, DayToClose)
"""What is sent to the ledger and what it answers."""
