"""What if: another decision, policy or rake schedule, asked over HTTP; nothing is written."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import APIRouter, Request, Response

from domain.whatif import NotADecision
from domain.whatif.policies import BadPolicy
from domain.whatif.record import Record
from services.api import asking, problems
from services.api.answers import tagged
from services.api.describing import answers
from services.api.files import OnFile
from services.api.problems import WrongParameter, wrong
from services.api.sight import SeenHand
from services.replaying import View
from services.whatif import ACTIONS, BadAsk, WhatIfAnswer, instead_of, what_if

router = APIRouter(tags=["hands"])

Asked = tuple[str | None, tuple[str, ...], str | None]
"""A decision, policies and a rake schedule, each as it is written."""


@router.get(
    "/v1/hands/{hand}/whatif",
    summary="What would have followed from a change",
    **answers(WhatIfAnswer, refuses=True),
)
def whatif(
    request: Request,
    seen: SeenHand,
    step: asking.DecisionStep = None,
    instead: asking.InsteadOf = None,
    policy: asking.Policies = None,
    schedule: asking.Schedule = None,
) -> Response:
    """What follows for certain, what if everybody decides again as he did, and what stays open."""
    asked = (instead, tuple(policy or ()), schedule)
    return tagged(request, answered(seen.file, seen.view, step, asked))


def answered(file: OnFile, view: View, step: int | None, asked: Asked) -> WhatIfAnswer:
    """What follows from a change, in a view. Raises a problem for what cannot be asked."""
    instead = asked[0]
    all_wrong = [*_half_asked(file, step, instead), *_unreadable(file, asked)]
    if all_wrong:
        raise problems.bad_parameters(all_wrong)
    try:
        change = instead_of(file.started, *asked)
        return what_if(str(file.hand), file.events, step, change, view, file.names)
    except BadAsk as bad:  # Each part can be read by itself, so there is none.
        raise problems.bad_parameter("instead", bad.message, bad.possible) from None
    except NotADecision as no:
        raise problems.bad_parameter("step", str(no), tuple(map(str, no.decisions))) from None


def _half_asked(file: OnFile, step: int | None, instead: str | None) -> Iterator[WrongParameter]:
    """A decision without its step, or a step without its decision."""
    message = "a decision needs both step and instead"
    if step is None and instead is not None:
        steps = [str(place + 1) for place in Record(file.events).decisions()]
        yield wrong("step", message, steps)
    if step is not None and instead is None:
        yield wrong("instead", message, ACTIONS)


def _unreadable(file: OnFile, asked: Asked) -> Iterator[WrongParameter]:
    """Every part that cannot be read by itself, and what it may be."""
    action, policies, schedule = asked
    parts: dict[str, Asked] = {
        "instead": (action, (), None),
        "policy": (None, policies, None),
        "schedule": (None, (), schedule),
    }
    for name, part in parts.items():
        if any(part):
            try:
                instead_of(file.started, *part)
            except (BadAsk, BadPolicy) as bad:
                yield wrong(name, bad.message, bad.possible)
