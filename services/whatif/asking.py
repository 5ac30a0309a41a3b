"""What is asked of `whatif`, as a person writes it: `raise 400`, `time out fold`, `topspoker:1`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from domain.amounts import is_foreign
from domain.events import HandStarted, Money, ScheduleRef
from domain.schedules import published
from domain.units import Chips
from domain.whatif import Decision, Instead
from domain.whatif.policies import with_policies
from services.errors import ServiceError

_ASKED = re.compile(
    r"(?:seat (?P<seat>10|[1-9]) )?"
    r"(?:(?P<action>fold|check|call|complete|bring[ _-]?in)"
    r"|(?P<wager>bet|raise)(?: (?:to )?(?P<to>\S+))?"
    r"|time[ _-]?out(?: (?P<outcome>all[ _-]?in|fold|check|bring[ _-]?in))?)"
)
_AMOUNT = re.compile(r"(?P<sign>[$€£])?(?P<whole>\d{1,15})(?:\.(?P<rest>\d{1,6}))?", re.ASCII)
_SCHEDULE = re.compile(r"(?P<id>[^:]+):(?P<version>\d{1,9})")

ACTIONS = (
    "fold", "check", "call", "complete", "bring in", "bet AMOUNT", "raise AMOUNT", "time out",
    "time out OUTCOME",
)  # fmt: skip
"""Decisions as they are written."""

CHANGES = ("a decision", "a policy", "a rake schedule")


class BadAsk(ServiceError):
    """Not something that can be done instead; `possible` lists what can."""

    def __init__(self, message: str, possible: Iterable[str]) -> None:
        self.message, self.possible = message, tuple(possible)
        super().__init__(f"{message}; possible: {', '.join(self.possible)}")


def instead_of(
    started: HandStarted,
    action: str | None = None,
    policies: Sequence[str] = (),
    schedule: str | None = None,
) -> Instead:
    """The change that is asked for. Raises `BadAsk`, `BadPolicy`."""
    if action is None and not policies and schedule is None:
        raise BadAsk("say what is to be different", CHANGES)
    house = with_policies(started.house_rules, policies) if policies else None
    return Instead(
        decision=None if action is None else decision_of(action, started.money),
        house_rules=house,
        rake_schedule=None if schedule is None else schedule_of(schedule),
    )


def decision_of(text: str, money: Money) -> Decision:
    """A decision in words. A whole number is in minor units, `$4` and `4.00` are in money.

    >>> dollars = Money(kind="real", currency="USD", exponent=2)
    >>> decision_of("seat 3 raise to $4.00", dollars).to, decision_of("bet 400", dollars).to
    (400, 400)
    """
    match = _ASKED.fullmatch(" ".join(text.lower().split()))
    if match is None:
        raise BadAsk(f"'{text}' is no decision", ACTIONS)
    seat = None if match["seat"] is None else int(match["seat"])
    if match["wager"]:
        to = None if match["to"] is None else amount_of(match["to"], money)
        return Decision(action=match["wager"], to=to, seat=seat)  # type: ignore[arg-type]
    if match["action"]:
        return Decision(action=_word(match["action"]), seat=seat)  # type: ignore[arg-type]
    outcome = None if match["outcome"] is None else _word(match["outcome"])
    return Decision(action="time_out", outcome=outcome, seat=seat)  # type: ignore[arg-type]


def _word(text: str) -> str:
    """`bring in` and `bring-in` are one word."""
    joined = re.sub(r"[ -]", "_", text)
    return {"bringin": "bring_in", "allin": "all_in"}.get(joined, joined)


def amount_of(text: str, money: Money) -> Chips:
    """A whole number is in minor units, `$4` and `4.00` are in money. Raises `BadAsk`."""
    if is_foreign(text, money):
        message = f"'{text}' is of another currency: the hand's is {money.currency}"
        raise BadAsk(message, ("400", "4.00"))
    match, exponent = _AMOUNT.fullmatch(text), money.exponent
    if match is None or len(match["rest"] or "") > exponent:
        raise BadAsk(f"'{text}' is no amount here", ("400", "$4", "4.00"))
    if match["sign"] is None and match["rest"] is None:
        return int(match["whole"])
    return int(match["whole"] + (match["rest"] or "").ljust(exponent, "0"))


def schedule_of(text: str) -> ScheduleRef:
    """A published rake schedule by `ID:VERSION`. Raises `BadAsk` for one that is not."""
    match = _SCHEDULE.fullmatch(text.strip())
    schedules = published()
    found = None if match is None else schedules.get((match["id"], int(match["version"])))
    if found is None:
        known = [f"{name}:{version}" for name, version in sorted(schedules)]
        raise BadAsk(f"no rake schedule '{text}' is published", known)
    return found.ref
