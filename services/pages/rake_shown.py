"""A rake report as people read it: one part for each currency, its lines, and what is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby

import msgspec
from markupsafe import Markup

from domain.amounts import amount_words
from domain.events import Money
from domain.games import GAMES
from services.pages.charts import Chart, Mark, bars, over_time
from services.pages.rake_hands import hands_of
from services.reports import METHODS, RakeLine, RakeReport, RakeWanted
from services.reports.rake_cells import COUNTS, NAME, PERCENTAGES, Names, figures, key, keys
from services.reports.rake_wanted import TIMES

MOST_BARS = 20
MOST_ROWS = 500
"""What a page shows; files have everything."""

HEADINGS = {
    "rake_per_100_hands": "Per 100 hands",
    "effective_percentage": "% of pot",
    "rake_difference": "Difference",
    **{f"rake_{method}": f"Rake ({method})" for method in METHODS},
}
DAY = timedelta(days=1)


class Row(msgspec.Struct, frozen=True):
    """A line of the table. `hands` is where its hands are, None where no address says it."""

    about: tuple[str, ...]
    figures: tuple[str, ...]
    hands: str | None


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """What was raked in one currency; `left_out` lines are not shown, only `drawn` are drawn."""

    currency: str
    house: RakeLine | None
    columns: tuple[str, ...]
    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    picture: Markup
    drawn: int
    lines: int

    @property
    def left_out(self) -> int:
        """How many lines only the files have."""
        return self.lines - len(self.rows)


def parts_of_report(found: RakeReport, wanted: RakeWanted, names: Names) -> tuple[Part, ...]:
    """The report, a part for each currency and exponent, never added up."""
    houses = {(line.currency, line.exponent): line for line in found.house}
    ordered = sorted(found.lines, key=_money_of)
    return tuple(
        _part(f"rake-{number}", tuple(same), houses.get(money), wanted, names)
        for number, (money, same) in enumerate(groupby(ordered, key=_money_of))
    )


def _part(
    name: str,
    lines: tuple[RakeLine, ...],
    house: RakeLine | None,
    wanted: RakeWanted,
    names: Names,
) -> Part:
    columns = tuple(name for name in keys(wanted) if name not in ("player", "currency"))
    if TIMES.isdisjoint(wanted.by) and {"player", "table"} & set(wanted.by):
        lines = tuple(sorted(lines, key=lambda line: -line.rake))
    chart, drawn = _drawn(name, lines, columns, wanted, names)
    return Part(
        currency=lines[0].currency,
        house=house,
        columns=tuple("Player" if name == NAME else name.capitalize() for name in columns),
        headings=tuple(map(_heading, figures(wanted))),
        rows=tuple(
            Row(
                tuple(_cell(line, name, names) for name in columns),
                tuple(_figure(line, name) for name in figures(wanted)),
                hands_of(line, wanted),
            )
            for line in _listed(lines, wanted)
        ),
        picture=Markup(chart),
        drawn=drawn,
        lines=len(lines),
    )


def _listed(lines: tuple[RakeLine, ...], wanted: RakeWanted) -> tuple[RakeLine, ...]:
    """As many as a page shows: of days, weeks and months the last."""
    return lines[:MOST_ROWS] if TIMES.isdisjoint(wanted.by) else lines[-MOST_ROWS:]


def _drawn(
    chart: str,
    lines: Sequence[RakeLine],
    columns: tuple[str, ...],
    wanted: RakeWanted,
    names: Names,
) -> tuple[str, int]:
    """The picture, and how many lines are in it."""
    marks = [
        Mark(
            label=" · ".join(_cell(line, name, names) for name in columns) or line.currency,
            amount=line.rake,
            before=line.rake_before,
        )
        for line in lines
    ]
    by = [name for name in wanted.by if name != "currency"]
    timed = len(by) == 1 and by[0] in TIMES
    if not timed and len(marks) > MOST_BARS:
        marks = sorted(marks, key=lambda mark: -mark.amount)[:MOST_BARS]
    money = _money(lines[0])
    drawn = Chart(
        name=chart,
        title=f"Rake in {money.currency} by {' and '.join(by) or 'currency'}",
        marks=tuple(_without_gaps(marks, by[0]) if timed else marks),
        money=money,
        now=_period(wanted.from_day, wanted.to_day),
        then=_period(*(wanted.compared or (None, None))),
    )
    return (over_time if timed else bars)(drawn), len(marks)


def _without_gaps(marks: Sequence[Mark], by: str) -> Iterator[Mark]:
    """Every day, week or month from the first to the last: where nothing was raked, nothing."""
    known = {mark.label: mark for mark in marks}
    for label in _moments(marks[0].label, marks[-1].label, by):
        yield known.get(label, Mark(label=label, amount=0))


def _moments(first: str, last: str, by: str) -> Iterable[str]:
    if by == "month":
        ends = [12 * int(label[:4]) + int(label[5:]) - 1 for label in (first, last)]
        months = (divmod(month, 12) for month in range(ends[0], ends[1] + 1))
        return (f"{year:04d}-{month + 1:02d}" for year, month in months)
    if by == "week":
        starts = [date.fromisoformat(f"{label}-1") for label in (first, last)]
        weeks = (starts[0] + n * 7 * DAY for n in range((starts[1] - starts[0]).days // 7 + 1))
        return (f"{day:%G-W%V}" for day in weeks)
    days = [date.fromisoformat(label) for label in (first, last)]
    return (str(days[0] + n * DAY) for n in range((days[1] - days[0]).days + 1))


def _period(first: date | None, last: date | None) -> str:
    return f"{first or 'the first day'} to {last or 'the last'}"


def _heading(figure: str) -> str:
    return HEADINGS.get(figure, figure.replace("_", " ").capitalize())


def _cell(line: RakeLine, column: str, names: Names) -> str:
    """What a line is about, in one column; a player nobody has a name of by his id."""
    if column == "stakes":
        bets = (line.small_bet or 0, line.big_bet or 0)
        return "/".join(amount_words(bet, _money(line)) for bet in bets)
    if column == "game":
        return GAMES[line.game].title if line.game in GAMES else str(line.game)
    return str(key(line, column, names)) or str(line.player)


def _figure(line: RakeLine, name: str) -> str:
    value = getattr(line, name)
    if value is None:
        return "–"
    if name in COUNTS:
        return f"{value:,}"
    return str(value) if name in PERCENTAGES else amount_words(value, _money(line))


def _money_of(line: RakeLine) -> tuple[str, int]:
    return line.currency, line.exponent


def _money(line: RakeLine) -> Money:
    return Money(kind="real", currency=line.currency, exponent=line.exponent)
