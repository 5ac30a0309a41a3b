"""The rules, run again over the hands of a bundle, against the verdicts that came with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec

from domain.decoding import decoder
from domain.errors import CorruptHistory
from domain.events import HandEvent, HandStarted, decode
from domain.publishing import BadSchedule, require_sound
from domain.schedules import SCHEDULES, Published, Schedule
from domain.verdict import RULES_VERSION, Verdict, judge
from services.bundles import contents as c
from services.bundles.found import BundleCheck
from services.bundles.summaries import verdict_of
from services.hand_finding import HandFinding
from services.proof.archive import BundleFile
from services.proof.errors import Unreadable

SCHEDULES_SHAPE = decoder(c.Schedules)


class Judged(NamedTuple):
    """A hand as the bundle shows it, and what the rules say of it here."""

    events: tuple[HandEvent, ...]
    verdict: Verdict


def judge_hand(
    hand: UUID, states: Sequence[bytes], told: c.VerdictLine | None, found: BundleCheck
) -> Judged | None:
    """Judge one hand from the JSON of its events, and compare with the verdict exported.

    None if its events cannot be applied, or were judged by other rules than here.
    """
    try:
        events = tuple(map(decode, states))
        judged = judge(events)
    except (CorruptHistory, msgspec.MsgspecError) as wrong:
        found.bad(f"hand {hand}: its facts cannot be applied: {wrong}")
        return None
    found.clean += judged.verdict == "clean"
    found.clean_as_visible += judged.verdict == "clean_as_visible"
    found.ruled += judged.verdict == "ruled"
    number = _number(events)
    found.findings += [
        HandFinding(hand=hand, number=number, **msgspec.structs.asdict(finding))
        for finding in judged.findings
    ]
    _compare_verdict(hand, told, Judged(events, judged), found)
    other_rules = told is not None and told.rules_version != RULES_VERSION
    return None if other_rules else Judged(events, judged)


def _compare_verdict(
    hand: UUID, told: c.VerdictLine | None, judged: Judged, found: BundleCheck
) -> None:
    """The exported verdict against the one the rules give now."""
    if told is None or told.hand != hand:
        found.bad(f"hand {hand}: {c.VERDICTS} has no verdict for it in its place")
    elif told.rules_version != RULES_VERSION:
        found.open(
            f"hand {hand}: judged by rules version {told.rules_version}, here {RULES_VERSION}"
        )
    elif told != verdict_of(hand, judged.events, judged.verdict):
        found.bad(f"hand {hand}: the rules give another verdict than was exported")


def _number(events: tuple[HandEvent, ...]) -> str:
    started = events[0]
    return started.number if isinstance(started, HandStarted) else ""


def schedules_of(bundle: BundleFile, found: BundleCheck) -> Published:
    """The schedules in the bundle, which its hands are judged by.

    Those this program has itself must be the same, and the others fit to be raked by.
    """
    try:
        schedules = SCHEDULES_SHAPE(bundle.content(c.SCHEDULES))
    except (msgspec.DecodeError, Unreadable) as wrong:
        found.bad(f"{c.SCHEDULES} cannot be read: {wrong}")
        return {}
    return {(s.id, s.version): s for s in schedules if _is_sound(s, found)}


def _is_sound(schedule: Schedule, found: BundleCheck) -> bool:
    """Whether hands can be judged by it at all."""
    if SCHEDULES.get((schedule.id, schedule.version), schedule) != schedule:
        found.bad(f"rake schedule {schedule.id} {schedule.version} is not the published one")
    try:
        require_sound(schedule)
    except BadSchedule as wrong:
        found.bad(f"{c.SCHEDULES}: {schedule.id} {schedule.version}: {wrong}")
        return False
    return True
