"""Fields read as the parameters of the API are; what is wrong is noted beside each."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from services.api import asking
from services.pages.forms import Form

STAKES = re.compile(r"[$€£]?(\d{1,9}(?:\.\d{1,4})?)\s*/\s*[$€£]?(\d{1,9}(?:\.\d{1,4})?)")
CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")


def asked(form: Form, field: str, kind: Any) -> Any:
    """A field read as a parameter of the API of this kind; None if empty, or wrong and noted."""
    text = form.value(field).strip()
    if not text:
        return None
    try:
        return _reader(kind).validate_python(text)
    except ValidationError as wrong:
        error = wrong.errors()[0]
        possible = error.get("ctx", {}).get("possible", ())
        told = all(one in error["msg"] for one in possible)
        form.errors[field] = error["msg"] if told else f"{error['msg']}: {', '.join(possible)}"
        return None


def stakes(form: Form, field: str) -> tuple[Decimal, Decimal] | None:
    """Small and big bet in whole units, written as `1/2` or `$0.50/$1`."""
    text = form.value(field).strip()
    if not text:
        return None
    if found := STAKES.fullmatch(text):
        return Decimal(found[1]), Decimal(found[2])
    form.errors[field] = "write small and big bet as 1/2 or 0.50/1"
    return None


def moment(form: Form, day: str, clock: str, *, after: bool = False) -> datetime | None:
    """A day and the time in it, UTC: where it begins or, with `after`, the first moment after it.

    Without a time it is the whole day.
    """
    on: date | None = asked(form, day, asking.FirstDay)
    at = form.value(clock).strip()
    if at and not CLOCK.fullmatch(at):
        form.errors[clock] = "write a time as 21:30"
        return None
    if on is None:
        if at and day not in form.errors:
            form.errors[day] = "say which day, too"
        return None
    begins = datetime.combine(on, time.fromisoformat(at) if at else time(), UTC)
    if not after:
        return begins
    lasts = timedelta(minutes=1) if at else timedelta(days=1)
    return begins + lasts if begins < datetime.max.replace(tzinfo=UTC) - lasts else None


@cache
def _reader(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
