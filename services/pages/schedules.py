"""Rake schedules as charts to read, and what another one would have taken of what was played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request, Response
from markupsafe import Markup

from domain.amounts import amount_words
from domain.events import Money
from domain.schedules import Schedule
from services.api import asking
from services.api.parts import InService, Parts
from services.pages.charts import Chart, Mark, bars
from services.pages.fields import asked
from services.pages.forms import Form
from services.pages.rake_asked import address
from services.pages.rake_shown import MOST_BARS
from services.pages.rendering import Complete, page, see_other
from services.reports import BadRakeQuestion
from services.reports.rake_whatif import RakeWhatIf, Rated, rate_anew
from services.schedules import Difference, UnknownSchedule, differences, named
from services.schedules.differing import stakes_words

router = APIRouter(include_in_schema=False)

Typed = Annotated[str | None, Query()]
LABELS = {"schedule": "Schedule", "from": "From", "to": "To"}


class Shown(msgspec.Struct, frozen=True):
    """A schedule, the stakes of each band in words, and what its version before said else."""

    schedule: Schedule
    stakes: tuple[str, ...]
    changed: tuple[Difference, ...]


class Line(msgspec.Struct, frozen=True):
    """Hands of one kind of table, as a row."""

    stakes: str
    rated: Rated


@router.get("/schedules")
def schedules_page(request: Request, parts: InService) -> Response:
    """Every schedule there is, the newest version of each first."""
    return page(request, "schedules.html", shown=tuple(_shown(parts)))


@router.get("/rake/whatif")
def whatif_page(
    request: Request,
    parts: InService,
    schedule: Typed = None,
    from_: Annotated[str | None, Query(alias="from")] = None,
    to: Typed = None,
) -> Response:
    """What a schedule would have taken; nothing is rated before one is chosen."""
    query = dict(request.query_params)
    if not all(query.values()):
        return see_other(address("/rake/whatif", query))
    form = Form(query)
    found = _rated(parts, form) if query else None
    return page(
        request,
        "whatif_rake.html",
        422 if form.errors else 200,
        form=form,
        labels=LABELS,
        schedules=[(name, name) for name in _names(parts)],
        found=found,
        lines=tuple(Line(_stakes(line), line) for line in found.lines) if found else (),
        pictures=tuple(_pictures(found)) if found else (),
        complete=found and Complete(found.complete_to, max(0, found.log_at - found.complete_to)),
    )


def _shown(parts: Parts) -> Iterator[Shown]:
    known = dict(parts.room.schedules)
    for name, version in sorted(known, key=lambda one: (one[0], -one[1])):
        schedule, before = known[name, version], known.get((name, version - 1))
        yield Shown(
            schedule,
            tuple(", ".join(stakes_words(band, schedule)) for band in schedule.bands),
            differences(before, schedule) if before else (),
        )


def _names(parts: Parts) -> list[str]:
    return [f"{name}:{version}" for name, version in sorted(parts.room.schedules)]


def _rated(parts: Parts, form: Form) -> RakeWhatIf | None:
    """History under the schedule; None where the form is wrong, which is noted beside the field."""
    called = asked(form, "schedule", asking.Schedule)
    first, last = (asked(form, name, asking.FirstDay) for name in ("from", "to"))
    if called is None:
        form.errors.setdefault("schedule", "choose a schedule")
    if first and last and first > last:
        form.errors["from"] = f"the first day is after the last, {last}"
    if form.errors:
        return None
    try:
        return rate_anew(parts.room.connect, named(called, parts.room.schedules), first, last)
    except (UnknownSchedule, BadRakeQuestion) as wrong:
        form.errors["schedule"] = str(wrong)
        return None


def _pictures(found: RakeWhatIf) -> Iterator[Markup]:
    """By currency: what the schedule would have taken beside what was taken."""
    for total in found.totals:
        money = _money(total)
        lines = [line for line in found.lines if _money(line) == money][:MOST_BARS]
        chart = Chart(
            name=f"rated-{total.currency.lower()}-{total.exponent}",
            title=f"Rake in {total.currency} by {found.schedule}, and as it was taken",
            marks=tuple(
                Mark(
                    label=f"{_stakes(line)}, {line.players} players",
                    amount=line.instead,
                    before=line.rake,
                )
                for line in lines
            ),
            money=money,
            now=f"by {found.schedule}",
            then="as it was taken",
        )
        yield Markup(bars(chart))


def _stakes(line: Rated) -> str:
    return "/".join(amount_words(bet, _money(line)) for bet in (line.small_bet, line.big_bet))


def _money(line: Rated) -> Money:
    return Money(kind="real", currency=line.currency, exponent=line.exponent)
