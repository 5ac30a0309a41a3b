"""What a visitor asks of rake: the parameters of the API, mistakes told beside their fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Depends, Query, Request

from services.api import asking, rake
from services.api.parts import Parts
from services.lookup import players_called
from services.pages.fields import asked
from services.pages.forms import Form, FormError
from services.reports import (
    BadRakeQuestion,
    RakeWanted,
    compared_with,
    dimensions,
    gaming_day_start,
    methods,
)
from services.reports.rake_wanted import UTC

Typed = Annotated[str | None, Query()]

BY_DAY = "day"
"""What is shown to who does not say by what."""


def rake_form(
    request: Request,
    by: Typed = None,
    from_: Annotated[str | None, Query(alias="from")] = None,
    to: Typed = None,
    time_zone: Typed = None,
    gaming_day_start: Typed = None,
    table: Typed = None,
    game: Typed = None,
    player: Typed = None,
    schedule: Typed = None,
    currency: Typed = None,
    attribution: Typed = None,
    compare: Typed = None,
    compare_from: Typed = None,
    compare_to: Typed = None,
    top: Typed = None,
) -> Form:
    """The question as it was typed."""
    return Form({"by": BY_DAY} | dict(request.query_params))


RakeForm = Annotated[Form, Depends(rake_form)]


def wanted_of(parts: Parts, form: Form) -> RakeWanted:
    """The question. Raises FormError once every field is looked at."""
    player = asked(form, "player", asking.Player)
    first, last = (asked(form, name, asking.FirstDay) for name in ("from", "to"))
    other = tuple(asked(form, name, asking.FirstDay) for name in ("compare_from", "compare_to"))
    about = {
        "time_zone": asked(form, "time_zone", rake.Zone) or UTC,
        "table": asked(form, "table", asking.Table),
        "game": asked(form, "game", asking.OneGame),
        "schedule": asked(form, "schedule", asking.Schedule),
        "currency": asked(form, "currency", rake.Currency),
        "top": asked(form, "top", rake.Top),
    }
    texts = {name: asked(form, name, kind) for name, kind in _TEXTS.items()}
    form.require_no_mistake()
    try:
        return RakeWanted(
            by=dimensions(texts["by"] or ""),
            from_day=first,
            to_day=last,
            gaming_day_start=gaming_day_start(texts["gaming_day_start"] or "00:00"),
            players=None if player is None else players_called(parts.room, player),
            attribution=methods(texts["attribution"] or ""),
            compared=compared_with((first, last), texts["compare"], (other[0], other[1])),
            **about,
        )
    except BadRakeQuestion as bad:
        raise mistake(form, bad) from None


_TEXTS = {
    "by": rake.By,
    "gaming_day_start": rake.Start,
    "attribution": rake.Attribution,
    "compare": rake.Compare,
}


def mistake(form: Form, bad: BadRakeQuestion) -> FormError:
    """What is wrong with the question, beside the field it is about."""
    possible = f"; possible: {', '.join(bad.possible)}" if bad.possible else ""
    return FormError(form, bad.parameter, f"{bad.message}{possible}")


def address(path: str, query: Mapping[str, str | None]) -> str:
    """An address with what is asked there; what is None or empty is not."""
    given = {name: text for name, text in query.items() if text}
    return f"{path}?{urlencode(given)}" if given else path
