"""What if, asked on the page of a result: the form, what was legal, and the answer beside it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from fastapi_problem.error import Problem

from domain.errors import Refused
from domain.legal import LegalAction
from domain.schedules import published
from domain.whatif.record import Record
from domain.words import action, actions
from services.api import asking
from services.api.whatif import answered
from services.pages.fields import asked
from services.pages.forms import Form
from services.pages.looking import Look
from services.replaying import replay_step
from services.whatif import WhatIfAnswer

FIELDS = ("step", "instead", "policy", "schedule")
LABELS = {
    "step": "Step",
    "instead": "Instead",
    "policy": "House rules",
    "schedule": "Rake schedule",
}


class Alternative(msgspec.Struct, frozen=True):
    """Something that could have been done: as it is asked for, and in words."""

    instead: str
    words: str


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """The form with what is wrong beside its fields, and the answer if there is one."""

    form: Form
    answer: WhatIfAnswer | None
    alternatives: tuple[Alternative, ...]
    schedules: tuple[tuple[str, str], ...]


def asked_what_if(look: Look, typed: dict[str, str]) -> Asked:
    """What was asked of a hand, answered where it can be."""
    form = Form({name: text for name, text in typed.items() if name in FIELDS})
    step = asked(form, "step", asking.DecisionStep)
    answer = None
    if any(form.value(name) for name in FIELDS[1:]) and not form.errors:
        answer = _answer(look, form, step)
    return Asked(
        form=form,
        answer=answer,
        alternatives=tuple(_alternatives(look, step)),
        schedules=(("", "as it was"), *((name, name) for name in _schedules())),
    )


def _answer(look: Look, form: Form, step: int | None) -> WhatIfAnswer | None:
    policies = tuple(part.strip() for part in form.value("policy").split(";") if part.strip())
    change = (form.value("instead") or None, policies, form.value("schedule") or None)
    try:
        return answered(look.file, look.view, step, change)
    except Problem as wrong:
        form.refuse(wrong, FIELDS, "instead")
    except Refused as no:
        may = actions(look.file.started.money, no.legal) if no.legal else "nothing"
        form.errors["instead"] = f"{no} ({no.rule}); he may {may}"
    return None


def _alternatives(look: Look, step: int | None) -> Iterator[Alternative]:
    """What the seat could have done at a decision."""
    file = look.file
    if step is None or step - 1 not in Record(file.events).decisions():
        return
    before = replay_step(str(file.hand), file.events, step - 1, look.view, file.names)
    for choice in before.legal:
        yield Alternative(_written(choice), action(file.started.money, choice))


def _written(choice: LegalAction) -> str:
    """A choice as a what-if is asked: amounts in minor units."""
    wager = choice.action in ("bet", "raise")
    return f"{choice.action} {choice.to}" if wager else choice.action.replace("_", " ")


def _schedules() -> list[str]:
    return [f"{name}:{version}" for name, version in sorted(published())]
