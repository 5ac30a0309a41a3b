"""Printed times as UTC: sites name their clocks in two or three letters."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

ZONES = {
    "ET": "America/New_York",
    "EST": "America/New_York",
    "EDT": "America/New_York",
    "CT": "America/Chicago",
    "MT": "America/Denver",
    "PT": "America/Los_Angeles",
    "AT": "America/Halifax",
    "BRT": "America/Sao_Paulo",
    "ART": "America/Argentina/Buenos_Aires",
    "UTC": "UTC",
    "GMT": "UTC",
    "BST": "Europe/London",
    "WET": "Europe/Lisbon",
    "CET": "Europe/Paris",
    "CEST": "Europe/Paris",
    "EET": "Europe/Helsinki",
    "EEST": "Europe/Helsinki",
    "MSK": "Europe/Moscow",
    "IST": "Asia/Kolkata",
    "CCT": "Asia/Shanghai",
    "JST": "Asia/Tokyo",
    "AWST": "Australia/Perth",
    "AEST": "Australia/Sydney",
    "AET": "Australia/Sydney",
    "NZT": "Pacific/Auckland",
}
"""What sites print, as a place whose clocks they follow, summer time included."""


def in_utc(local: datetime, zone: str) -> datetime | None:
    """A wall clock time in `zone`, an abbreviation or an IANA name; None for an unknown zone.

    An hour that comes twice in autumn is read as its first coming.
    """
    try:
        place = ZoneInfo(ZONES.get(zone.upper(), zone))
        return local.replace(tzinfo=place).astimezone(UTC)
    except (ZoneInfoNotFoundError, ValueError, OSError, OverflowError):
        return None
