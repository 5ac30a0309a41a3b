"""What another schedule would have taken of what was played: a published one, or a draft."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request, Response
from markupsafe import Markup

from domain.amounts import amount_words
from domain.events import Money
from domain.publishing import BadSchedule
from domain.schedules import Schedule
from services.api import asking
from services.api.parts import InService, Parts
from services.pages.charts import Chart, Mark, bars
from services.pages.fields import asked
from services.pages.forms import Form, FormError, SentForm
from services.pages.rake_asked import address
from services.pages.rake_shown import MOST_BARS
from services.pages.rendering import Complete, page, see_other
from services.reports import BadRakeQuestion
from services.reports.rake_whatif import RakeWhatIf, Rated, rate_anew
from services.schedules import BadScheduleFile, UnknownSchedule, named
from services.schedules.reading import schedule_of

router = APIRouter(include_in_schema=False)

Typed = Annotated[str | None, Query()]
LABELS = {"schedule": "Schedule", "draft": "Your schedule", "from": "From", "to": "To"}
MOST_TYPED = 50_000


class Line(msgspec.Struct, frozen=True):
    """Hands of one kind of table, as a row."""

    stakes: str
    rated: Rated


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
    return _whatif(request, parts, form, _rated(parts, form, _published) if query else None)


@router.post("/rake/whatif")
def whatif_of_a_draft(request: Request, parts: InService, form: SentForm) -> Response:
    """What a schedule would have taken that nobody has published; it is kept nowhere."""
    return _whatif(request, parts, form, _rated(parts, form, _draft))


def _whatif(request: Request, parts: Parts, form: Form, found: RakeWhatIf | None) -> Response:
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


def _names(parts: Parts) -> list[str]:
    return [f"{name}:{version}" for name, version in sorted(parts.room.schedules)]


def _rated(
    parts: Parts, form: Form, schedule_of_form: Callable[[Parts, Form], Schedule | None]
) -> RakeWhatIf | None:
    """History under a schedule; None where the form is wrong, which is noted beside the field."""
    schedule = schedule_of_form(parts, form)
    first, last = (asked(form, name, asking.FirstDay) for name in ("from", "to"))
    if first and last and first > last:
        form.errors["from"] = f"the first day is after the last, {last}"
    if form.errors or schedule is None:
        return None
    try:
        return rate_anew(parts.room.connect, schedule, first, last)
    except BadRakeQuestion as wrong:
        form.errors["schedule"] = str(wrong)
        return None


def _published(parts: Parts, form: Form) -> Schedule | None:
    called = asked(form, "schedule", asking.Schedule)
    if called is None:
        form.errors.setdefault("schedule", "choose a schedule")
        return None
    try:
        return named(called, parts.room.schedules)
    except UnknownSchedule as wrong:
        form.errors["schedule"] = str(wrong)
        return None


def _draft(_: Parts, form: Form) -> Schedule | None:
    """The schedule that was typed, sound enough to be published."""
    try:
        return schedule_of(form.text("draft", most=MOST_TYPED, required=True))
    except FormError:
        return None  # It is noted beside the field.
    except RecursionError:
        form.errors["draft"] = "this is no text in TOML"
    except (BadScheduleFile, BadSchedule) as wrong:
        form.errors["draft"] = str(wrong)
    return None


def _pictures(found: RakeWhatIf) -> Iterator[Markup]:
    """By currency: what the schedule would have taken beside what was taken."""
    for number, total in enumerate(found.totals):
        money = _money(total)
        lines = [line for line in found.lines if _money(line) == money][:MOST_BARS]
        chart = Chart(
            name=f"rated-{number}",
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
