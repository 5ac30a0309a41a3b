"""From a line of a rake report to its hands: the address that finds them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from domain.amounts import decimal_words
from services.pages.rake_asked import address
from services.reports import RakeLine, RakeWanted
from services.reports.rake_days import gaming_days
from services.reports.rake_wanted import zone_of

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


def hands_of(line: RakeLine, wanted: RakeWanted) -> str | None:
    """Where the hands of a line are; None for what hands cannot be found by.

    Hands are not found by their schedule, and what a ruling moved has no player.
    """
    players = (line.player,) if "player" in wanted.by else wanted.players or ()
    if wanted.by_schedule or len(players) > 1 or None in players:
        return None
    first, last = _days(line, wanted)
    query = _moments(first, last, wanted) | {
        "table": line.table or wanted.table,
        "game": line.game or wanted.game,
        "stakes": None if line.small_bet is None else _stakes(line),
        "player": players[0] if players else None,
    }
    return address("/hands", query)


def _stakes(line: RakeLine) -> str:
    bets = (line.small_bet or 0, line.big_bet or 0)
    return "/".join(decimal_words(bet, line.exponent) for bet in bets)


def _days(line: RakeLine, wanted: RakeWanted) -> tuple[date | None, date | None]:
    """The first and last gaming day of a line, within those asked for."""
    first, last = _own_days(line)
    return (
        max(filter(None, (first, wanted.from_day)), default=None),
        min(filter(None, (last, wanted.to_day)), default=None),
    )


def _own_days(line: RakeLine) -> tuple[date | None, date | None]:
    if line.day:
        return line.day, line.day
    if line.week:
        monday = date.fromisoformat(f"{line.week}-1")
        return monday, monday + 6 * DAY
    if line.month:
        first = date.fromisoformat(f"{line.month}-01")
        return first, (first + 31 * DAY).replace(day=1) - DAY
    return None, None


def _moments(first: date | None, last: date | None, wanted: RakeWanted) -> dict[str, str | None]:
    """The days as they are searched for, UTC; of other days, when they begin and end there."""
    if wanted.in_utc_days:
        return {"from": str(first or ""), "to": str(last or "")}
    return _moment("from", first, wanted) | _moment("to", last and last + DAY, wanted, -MINUTE)


def _moment(
    field: str, day: date | None, wanted: RakeWanted, later: timedelta = timedelta()
) -> dict[str, str | None]:
    """When a gaming day begins, or so much `later`, to the minute."""
    if day is None:
        return {}
    days = gaming_days(day, day, zone_of(wanted.time_zone), wanted.gaming_day_start)
    at: datetime = days.since.astimezone(UTC) + later
    return {field: f"{at:%Y-%m-%d}", f"{field}_time": f"{at:%H:%M}"}
