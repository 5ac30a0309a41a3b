"""Charts of amounts as SVG: bars for what there are kinds of, columns or a line for times.

Pure, and the same bytes for the same chart. Places are percentages of whatever width there is and
heights are fixed, so words are never scaled. Nothing is told by colour alone: every bar has its
words and amount, those of another period are hatched, and a description says what is to be seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

import msgspec

from domain.amounts import amount_words
from domain.events import Money
from domain.units import ChipsMoved
from services.pages.chart_scale import WHOLE, Scale, percent, scale_for
from services.replaying.seating import printable

FEWEST_COLUMNS, MOST_COLUMNS = 8, 40
"""Of fewer moments each column is as wide as one of so many; more are joined to a line."""

LONGEST_LABEL = 26
ROW, BAR, BESIDE = 40, 12, 10
"""Pixels: what a bar takes with the words above it, the bar itself, one of another period."""
PLOT, ABOVE, BELOW = 200, 24, 22
"""Pixels: the height of what is drawn over time, and what is left for words above and below."""


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """One thing and its amount, in minor units; `before` is that of another period."""

    label: str
    amount: ChipsMoved
    before: ChipsMoved | None = None


class Chart(msgspec.Struct, frozen=True, kw_only=True):
    """What is drawn. `name` is the picture's own on its page; `now` and `then` are what amounts
    are of where each is beside another.
    """

    name: str
    title: str
    marks: tuple[Mark, ...]
    money: Money
    now: str = "now"
    then: str = "before"

    @property
    def compares(self) -> bool:
        """Whether two periods stand beside each other."""
        return any(mark.before is not None for mark in self.marks)


def bars(chart: Chart) -> str:
    """A bar for each mark, one below the other, its words above it."""
    scale, row = scale_for(_amounts(chart)), ROW + (BESIDE + 2 if chart.compares else 0)
    bottom = row * len(chart.marks)
    body = (
        *_upright_lines(chart, scale, bottom),
        *(
            part
            for at, mark in enumerate(chart.marks)
            for part in _bar(chart, scale, mark, at * row)
        ),
    )
    return _picture(chart, bottom + BELOW, body)


def over_time(chart: Chart) -> str:
    """A column for each mark or, of many, a line; marks are in the order of time."""
    scale = scale_for(_amounts(chart))
    drawn = _columns if len(chart.marks) <= MOST_COLUMNS else _line
    height = ABOVE + PLOT + BELOW
    body = (
        *_level_lines(chart, scale),
        *drawn(chart, scale),
        *_highest(chart, scale),
        *_moments(chart),
    )
    return _picture(chart, height, body, "chart times")


def described(chart: Chart) -> str:
    """What is to be seen, in words."""
    if not chart.marks:
        return "There is nothing to draw."
    most = max(chart.marks, key=lambda mark: mark.amount)
    least = min(chart.marks, key=lambda mark: mark.amount)
    words = f"{len(chart.marks)} in all" if len(chart.marks) > 1 else "One alone"
    text = f"{words}. Most: {most.label}, {_money(chart, most.amount)}."
    if len(chart.marks) > 1:
        text += f" Least: {least.label}, {_money(chart, least.amount)}."
    if chart.compares:
        text += f" Plain bars are {chart.now}, hatched ones {chart.then}."
    return f"{text} The table below has every figure."


# -- bars ------------------------------------------------------------------------------------------


def _bar(chart: Chart, scale: Scale, mark: Mark, y: int) -> Iterator[str]:
    amount = _money(chart, mark.amount)
    told = amount if mark.before is None else f"{amount} ({_money(chart, mark.before)})"
    yield f"<g><title>{_text(f'{mark.label}: {told}')}</title>"
    yield f'<text class="label" x="0" y="{y + 13}">{_text(_short(mark.label))}</text>'
    yield f'<text class="amount" x="100%" y="{y + 13}" text-anchor="end">{_text(told)}</text>'
    yield _lying(scale, mark.amount, y + 18, BAR, 'class="bar"')
    if mark.before is not None:
        hatched = f'class="bar then" fill="url(#{chart.name}-hatch)"'
        yield _lying(scale, mark.before, y + 18 + BAR + 1, BESIDE, hatched)
    yield "</g>"


def _lying(scale: Scale, amount: ChipsMoved, y: int, height: int, look: str) -> str:
    """A bar from nothing to an amount, whichever side of it that is."""
    zero, end = scale.place(0), scale.place(amount)
    x, width = min(zero, end), abs(end - zero)
    return f'<rect {look} x="{percent(x)}" y="{y}" width="{percent(width)}" height="{height}"/>'


def _upright_lines(chart: Chart, scale: Scale, bottom: int) -> Iterator[str]:
    for amount in scale.marks:
        x = scale.place(amount)
        look = "zero" if amount == 0 else "grid"
        yield f'<line class="{look}" x1="{percent(x)}" x2="{percent(x)}" y1="0" y2="{bottom}"/>'
        yield _axis(x, bottom + 16, _round_money(chart, scale, amount))


# -- over time -------------------------------------------------------------------------------------


def _columns(chart: Chart, scale: Scale) -> Iterator[str]:
    width = 2 * WHOLE // (3 * max(len(chart.marks), FEWEST_COLUMNS))
    for at, mark in enumerate(chart.marks):
        middle = sum(_slot(chart, at)) // 2
        zero, end = _height(scale, 0), _height(scale, mark.amount)
        yield (
            f'<rect class="bar" x="{percent(middle - width // 2)}" y="{min(zero, end)}"'
            f' width="{percent(width)}" height="{abs(end - zero)}">'
            f"<title>{_text(f'{mark.label}: {_money(chart, mark.amount)}')}</title></rect>"
        )


def _line(chart: Chart, scale: Scale) -> Iterator[str]:
    """Stretched to the width there is; only the stroke is not."""
    points = " ".join(
        f"{sum(_slot(chart, at)) // 2},{_height(scale, mark.amount)}"
        for at, mark in enumerate(chart.marks)
    )
    height = ABOVE + PLOT
    yield (
        f'<svg width="100%" height="{height}" viewBox="0 0 {WHOLE} {height}"'
        f' preserveAspectRatio="none"><polyline class="line" points="{points}" fill="none"'
        ' vector-effect="non-scaling-stroke"/></svg>'
    )


def _level_lines(chart: Chart, scale: Scale) -> Iterator[str]:
    for amount in scale.marks:
        y, look = _height(scale, amount), "zero" if amount == 0 else "grid"
        yield f'<line class="{look}" x1="0" x2="100%" y1="{y}" y2="{y}"/>'
        words = _text(_round_money(chart, scale, amount))
        # The style sheet leaves room for it at the left of the picture.
        yield f'<text class="axis" x="-8" y="{y + 4}" text-anchor="end">{words}</text>'


def _highest(chart: Chart, scale: Scale) -> Iterator[str]:
    """The amount of the highest mark, written above it."""
    if chart.marks:
        at, mark = max(enumerate(chart.marks), key=lambda one: one[1].amount)
        x, y = sum(_slot(chart, at)) // 2, _height(scale, mark.amount) - 5
        words, anchor = _text(_money(chart, mark.amount)), _anchor(x)
        yield f'<text class="amount" x="{percent(x)}" y="{y}" text-anchor="{anchor}">{words}</text>'


def _moments(chart: Chart) -> Iterator[str]:
    """The first and the last moment, below: more would run into each other on a phone."""
    for at in sorted({0, len(chart.marks) - 1} if chart.marks else ()):
        yield _axis(sum(_slot(chart, at)) // 2, ABOVE + PLOT + 16, chart.marks[at].label)


def _slot(chart: Chart, at: int) -> tuple[int, int]:
    """From where to where a mark has its place."""
    count = len(chart.marks)
    return WHOLE * at // count, WHOLE * (at + 1) // count


def _height(scale: Scale, amount: ChipsMoved) -> int:
    return ABOVE + PLOT - scale.place(amount, PLOT)


# -- small things ----------------------------------------------------------------------------------


def _picture(chart: Chart, height: int, body: tuple[str, ...], look: str = "chart") -> str:
    name = chart.name
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{look}" width="100%" height="{height}"'
            f' role="img" aria-labelledby="{name}-title {name}-desc">',
            f'<title id="{name}-title">{_text(chart.title)}</title>',
            f'<desc id="{name}-desc">{_text(described(chart))}</desc>',
            _hatching(name),
            *body,
            "</svg>\n",
        )
    )


def _hatching(name: str) -> str:
    """How bars of another period are filled."""
    return (
        f'<defs><pattern id="{name}-hatch" width="6" height="6" patternUnits="userSpaceOnUse"'
        ' patternTransform="rotate(45)"><rect class="hatch" width="3" height="6"/></pattern></defs>'
    )


def _axis(x: int, y: int, words: str) -> str:
    anchor = _anchor(x)
    return (
        f'<text class="axis" x="{percent(x)}" y="{y}" text-anchor="{anchor}">{_text(words)}</text>'
    )


def _anchor(x: int) -> str:
    """Words near an edge stay inside."""
    if x < WHOLE // 6:
        return "start"
    return "end" if x > 5 * WHOLE // 6 else "middle"


def _amounts(chart: Chart) -> Iterator[ChipsMoved]:
    for mark in chart.marks:
        yield mark.amount
        yield mark.before or 0


def _money(chart: Chart, amount: ChipsMoved) -> str:
    return amount_words(amount, chart.money)


def _round_money(chart: Chart, scale: Scale, amount: ChipsMoved) -> str:
    """An amount of the axis, without decimals where all of them are whole."""
    unit = 10**chart.money.exponent
    if scale.step % unit:
        return _money(chart, amount)
    return amount_words(amount // unit, msgspec.structs.replace(chart.money, exponent=0))


def _short(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"


def _text(words: str) -> str:
    """Names are text: whatever is in them is only shown."""
    return escape(printable(words))
