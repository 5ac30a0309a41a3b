"""Parameters routes have: how each is written, and what is said to one that is not."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Annotated, Any

from fastapi import Query
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import PydanticCustomError

from domain.house_rules import ALL_GAMES
from domain.units import Game
from services.api import problems
from services.reports import BadRakeQuestion
from services.whatif import ACTIONS

MOST = 1_000
"""How many hands or lines one answer may have."""

# PostgreSQL has no text with a zero character in it.
PLAIN = r"^[^\x00]+$"


def said(message: str, *possible: str) -> WrapValidator:
    """Say this of a value that is refused, and what is possible; never the value itself."""

    def checked(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
        try:
            return check(value)
        except ValidationError:
            raise _wrong(message, possible) from None

    return WrapValidator(checked)


def readable(read: Callable[[str], object]) -> AfterValidator:
    """Refuse what `read` cannot read, in the words of its BadRakeQuestion."""

    def checked(text: str) -> str:
        try:
            read(text)
        except BadRakeQuestion as bad:
            raise _wrong(bad.message, bad.possible) from None
        return text

    return AfterValidator(checked)


def _wrong(message: str, possible: tuple[str, ...]) -> PydanticCustomError:
    context = {"message": message, "possible": possible}
    return PydanticCustomError("wrong", "{message}", context)


def _written(form: str) -> BeforeValidator:
    """Only what is written like this: the framework would also take seconds for a day."""

    def checked(text: str) -> str:
        if re.fullmatch(form, text, re.ASCII) is None:
            raise _wrong("this is not written as it should be", ())
        return text

    return BeforeValidator(checked)


def in_order(first: date | None, last: date | None) -> None:
    """Raise a problem for a first day after the last."""
    if first and last and first > last:
        message = f"the first day is after the last, {last}"
        raise problems.bad_parameter("from", message, (f"{date.min} to {last}",))


SHORT = said("write 1 to 200 characters, none of them a zero character", "1 to 200 characters")
Short = Annotated[str, Field(max_length=200, pattern=PLAIN), SHORT]

Day = Annotated[date, _written(r"\d{4}-\d\d-\d\d")]
DAY = said("write a day as 2026-01-31", f"{date.min} to {date.max}")
FirstDay = Annotated[
    Day | None,
    DAY,
    Query(alias="from", description="The first day, such as 2026-01-31."),
]
LastDay = Annotated[
    Day | None,
    DAY,
    Query(alias="to", description="The last day, included, such as 2026-01-31."),
]
Number = Annotated[Short | None, Query(description="The site's number of the hand.")]
Table = Annotated[Short | None, Query(description="A table, by name or id.")]
Player = Annotated[Short | None, Query(description="A player dealt in, by name or id.")]
OneGame = Annotated[
    Game | None,
    said("there is no such game", *ALL_GAMES),
    Query(description=f"One of {', '.join(ALL_GAMES)}."),
]
Findings = Annotated[
    bool | None,
    said("write true or false", "true", "false"),
    Query(description="true: only hands with findings; false: only those without."),
]
Pot = Annotated[
    Annotated[Decimal, Field(ge=0, le=10**15), _written(r"\d+(\.\d+)?")] | None,
    said("write an amount in whole units, as 20 or 20.00", "20", "20.00"),
    Query(description="The least pot, in whole units of the hand's currency: 20 is $20.00."),
]
Limit = Annotated[
    Annotated[int, Field(ge=1, le=MOST)],
    said(f"write a whole number from 1 to {MOST}", f"1 to {MOST}"),
    Query(description="How many hands a page has at most."),
]
After = Annotated[
    Annotated[str, Field(max_length=200)] | None,
    said("this is no place in a list of hands", "the `next` of a page"),
    Query(description="The `next` of the page before."),
]
Step = Annotated[
    Annotated[int, Field(ge=1, le=1_000_000)] | None,
    said("write the number of a step, a whole number", "1 to the hand's last step"),
    Query(description="1 for the first event of the hand; the last if not said."),
]
DecisionStep = Annotated[
    Annotated[int, Field(ge=1, le=1_000_000)] | None,
    said("write the number of a step, a whole number", "the step of a decision"),
    Query(description="The step of the decision to change; with `instead`."),
]
InsteadOf = Annotated[
    Short | None,
    Query(description=f"The decision to take at `step` instead: {', '.join(ACTIONS)}."),
]
Policies = Annotated[
    list[Short] | None,
    said("write each as FIELD=VALUE, 3 to 200 characters", "FIELD=VALUE"),
    Query(
        description="FIELD=VALUE for a house rule, preset=NAME for all; may be given repeatedly."
    ),
]
Schedule = Annotated[
    Short | None, Query(description="A published rake schedule, such as topspoker:1.")
]
