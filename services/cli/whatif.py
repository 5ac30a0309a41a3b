"""`whatif`: what another decision, policy or rake schedule would have led to; writes nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from domain.errors import Refused
from domain.events import HandStarted
from domain.whatif import NotADecision
from domain.whatif.policies import BadPolicy
from domain.words import actions
from services.cli.exits import FAILURE, USAGE, Stop
from services.cli.output import Format, FormatOption, emit_json, say
from services.cli.rooms import current_room
from services.cli.viewing import HandArgument, ViewOption, WhyOption, open_seen, view_of
from services.hand_file import HandFile
from services.replaying import View
from services.whatif import BadAsk, WhatIfAnswer, as_text, instead_of, what_if

Step = Annotated[int | None, typer.Option("--step", help="the step of the decision to change")]
InsteadOption = Annotated[
    str | None,
    typer.Option(
        "--instead",
        metavar="ACTION",
        help="fold, check, call, complete, bring in, bet 400, raise $4.00, time out [fold]",
    ),
]
Policy = Annotated[
    list[str] | None,
    typer.Option("--policy", metavar="FIELD=VALUE", help="a house rule; preset=NAME for all"),
]
Schedule = Annotated[
    str | None, typer.Option("--schedule", metavar="ID:VERSION", help="a published rake schedule")
]


def whatif(
    hand: HandArgument,
    step: Step = None,
    instead: InsteadOption = None,
    policy: Policy = None,
    schedule: Schedule = None,
    view: ViewOption = "public",
    why: WhyOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Say what would have followed: for certain, if everybody decides again, and what stays open.

    The hand stays as it is. A decision nobody may take is refused with the rule and what is legal.
    """
    if form not in {Format.TABLE, Format.JSON}:
        raise Stop("a what-if has the formats table and json", USAGE)
    if (step is None) != (instead is None):
        raise Stop("a decision needs both --step and --instead", USAGE)
    seen = view_of(view, why)
    with current_room() as room:
        file = open_seen(room, hand, seen, why)
        answer = _answer(file, step, seen, (instead, tuple(policy or ()), schedule))
    if form is Format.JSON:
        emit_json(answer)
    else:
        say(as_text(answer).rstrip())


def _answer(
    file: HandFile,
    step: int | None,
    view: View,
    asked: tuple[str | None, tuple[str, ...], str | None],
) -> WhatIfAnswer:
    started = file.events[0]
    assert isinstance(started, HandStarted), "every hand begins with its start"
    try:
        change = instead_of(started, *asked)
        return what_if(str(file.hand), file.events, step, change, view, file.names)
    except (BadAsk, BadPolicy) as wrong:
        raise Stop(str(wrong), USAGE) from None
    except NotADecision as wrong:
        steps = ", ".join(map(str, wrong.decisions)) or "none"
        raise Stop(f"{wrong}; decisions are at steps {steps}", USAGE) from None
    except Refused as refused:
        may = f": he may {actions(started.money, refused.legal)}" if refused.legal else ""
        raise Stop(f"{refused} ({refused.rule}){may}", FAILURE) from None
