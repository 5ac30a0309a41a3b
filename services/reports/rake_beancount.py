"""A rake report as beancount text: what players bear becomes the house's income, day by day.

Beancount adds it up by itself: the last lines assert what the house took altogether.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import date, timedelta
from uuid import UUID

from services.reports.cells import decimal, harmless
from services.reports.rake import RakeReport
from services.reports.rake_cells import key
from services.reports.rake_lines import RakeLine
from services.reports.rake_wanted import BadRakeQuestion, RakeWanted

HOUSE = "Income:House:Rake"
PLAYERS = "Liabilities:Players"

DAY = timedelta(days=1)
_COMMODITY = re.compile(r"[A-Z][A-Z0-9'._-]{0,22}[A-Z0-9]")


def rake_beancount(report: RakeReport, wanted: RakeWanted) -> str:
    """The report's lines, a transaction each. Raises BadRakeQuestion where a line has no date.

    Names of players are not told: an account has the player's id.
    """
    _require_dates(wanted)
    lines = [line for line in report.lines if line.rake]
    for line in lines:
        _require_commodity(line.currency)
    text = [f'option "title" "Rake, complete up to event {report.complete_to}"']
    if lines:
        days = [_day(line, wanted) for line in lines]
        text += _opened(lines, min(days))
        text += [_transaction(line, wanted) for line in lines]
        text += _balances(lines, max(days) + DAY)
    return "\n\n".join(text) + "\n"


def _require_dates(wanted: RakeWanted) -> None:
    """A transaction has a day: its own, the first of its week or month, or the last asked."""
    if {"day", "week", "month"}.isdisjoint(wanted.by) and wanted.to_day is None:
        possible = ("by day", "by week", "by month", "a last day")
        raise BadRakeQuestion("by", ",".join(wanted.by), "a transaction has a day", possible)


def _require_commodity(currency: str) -> None:
    if not _COMMODITY.fullmatch(currency):
        possible = ("two to 24 capitals and digits",)
        raise BadRakeQuestion("currency", currency, "beancount knows no such commodity", possible)


def _day(line: RakeLine, wanted: RakeWanted) -> date:
    if line.day is not None:
        return line.day
    if line.week is not None:
        return date.fromisoformat(line.week)
    if line.month is not None:
        return date.fromisoformat(f"{line.month}-01")
    assert wanted.to_day is not None
    return wanted.to_day


def _opened(lines: list[RakeLine], day: date) -> Iterator[str]:
    accounts = sorted({HOUSE, *(_account(line) for line in lines)})
    yield "\n".join(f"{day} open {account}" for account in accounts)


def _account(line: RakeLine) -> str:
    """Whose money it was: a player's account where the report tells players apart."""
    return PLAYERS if line.player is None else f"{PLAYERS}:{_component(line.player)}"


def _component(player: str) -> str:
    """A player's id as a part of an account; ids of another kind by their digest."""
    try:
        return f"P{UUID(player)}"
    except ValueError:
        return f"X{hashlib.sha256(player.encode()).hexdigest()[:32]}"


def _transaction(line: RakeLine, wanted: RakeWanted) -> str:
    rake = decimal(line.rake, line.exponent)
    back = decimal(-line.rake, line.exponent)
    return "\n".join(
        (
            f"{_day(line, wanted)} * {_quoted('Rake')} {_quoted(_about(line, wanted))}",
            f"  hands: {line.hands}",
            f"  pot: {decimal(line.pot, line.exponent)} {line.currency}",
            f"  {_account(line)}  {rake} {line.currency}",
            f"  {HOUSE}  {back} {line.currency}",
        )
    )


def _about(line: RakeLine, wanted: RakeWanted) -> str:
    told = (name for name in wanted.by if name not in {"day", "player", "currency"})
    return ", ".join(str(key(line, name, {})) for name in told)


def _quoted(text: str) -> str:
    escaped = harmless(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def _balances(lines: list[RakeLine], day: date) -> Iterator[str]:
    """What the house has taken when the last day is over, in each currency."""
    totals: dict[str, dict[int, int]] = {}
    for line in lines:
        of_currency = totals.setdefault(line.currency, {})
        of_currency[line.exponent] = of_currency.get(line.exponent, 0) + line.rake
    for currency, amounts in sorted(totals.items()):
        finest = max(amounts)
        total = sum(amount * 10 ** (finest - exponent) for exponent, amount in amounts.items())
        yield f"{day} balance {HOUSE}  {decimal(-total, finest)} {currency}"
