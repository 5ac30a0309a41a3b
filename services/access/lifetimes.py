"""How long a key is good for, as a person writes it: `12h`, `90d`, or the day it ends."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from services.errors import ServiceError

DEFAULT = "90d"
_SPAN = re.compile(r"([1-9]\d{0,4})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


class BadExpiry(ServiceError):
    """This says no time at which a key could end."""


def expiry(text: str, now: datetime) -> datetime:
    """When a key made `now` ends, UTC. A time without an offset is UTC. Raises BadExpiry.

    >>> expiry("12h", datetime(2026, 1, 31, 18, tzinfo=UTC)).isoformat()
    '2026-02-01T06:00:00+00:00'
    """
    span = _SPAN.fullmatch(text)
    ends = now + timedelta(**{_UNITS[span[2]]: int(span[1])}) if span else _moment(text)
    if ends <= now:
        raise BadExpiry(f"{text} is past: a key must end later than now")
    return ends


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadExpiry(
            f"{text} says no end: write 30m, 12h, 90d, or a time such as 2027-01-31 or"
            " 2027-01-31T18:00Z"
        ) from None
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
