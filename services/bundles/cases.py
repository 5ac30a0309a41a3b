"""The cases in a bundle against its hands: what was ruled there, by whom and by which policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from domain.disputes.agreeing import Moved, meant_by, of_another_policy, said_of, unsound
from domain.disputes.applying import MOVES_THE_HAND
from domain.disputes.case import Case, Ruling, evolve
from domain.disputes.events import TYPES, decode
from domain.errors import CorruptHistory
from domain.events import HandEvent, HandStarted
from domain.house_rules import HouseRules
from services.proof.manifest import Manifest
from services.proof.report import Report

MOST_UNRULED = 200
"""Hands without a ruling that are kept in mind, with their policies: those of a case are few."""


class _Hand(NamedTuple):
    rules: HouseRules
    said: dict[str, Moved]


class Cases:
    """Follows the cases a bundle tells of, and compares them with the hands they are about.

    A ruling whose case, or whose hand, is not in the bundle is not compared. A bundle of the whole
    log has every hand: one that is not kept in mind here has no ruling.
    """

    def __init__(self, manifest: Manifest, report: Report) -> None:
        self._manifest, self._report = manifest, report
        self._hands: dict[UUID, _Hand] = {}
        self._unruled, self._skipped = 0, False
        self._stream, self._case = "", None
        self._approved: list[tuple[UUID, Ruling]] = []

    _case: Case | None

    def take(self, hand: UUID, events: Sequence[HandEvent]) -> None:
        """A proven hand."""
        said, started = said_of(events), events[0]
        assert isinstance(started, HandStarted), "so the hand was found"
        self._unruled += not said
        if said or self._unruled <= MOST_UNRULED:
            self._hands[hand] = _Hand(started.house_rules, said)

    def skip(self) -> None:
        """A hand that was not judged, or by other rules: that is told already."""
        self._skipped = True

    def learn(self, stream: str, event: dict[str, Any]) -> None:
        """A proven event that is of no hand: it may be a case's. Those of a case come in a row."""
        if event["type"] not in TYPES:
            return
        if stream != self._stream:
            self._close()
            self._stream, self._case = stream, None
        try:
            self._case = evolve(self._case, decode(msgspec.json.encode(event)))
        except (CorruptHistory, msgspec.MsgspecError):
            self._report.bad(f"the facts of case {stream} cannot be applied")
            self._case = None

    def finish(self) -> None:
        """All hands and cases were told."""
        self._close()
        for hand, ruling in self._approved:
            self._compare(hand, ruling)
        if self._manifest.whole and self._manifest.view == "all":
            ruled = {(hand, str(ruling.id)) for hand, ruling in self._approved}
            for hand, (_, said) in self._hands.items():
                for name in said:
                    if (hand, name) not in ruled:
                        self._bad(hand, f"ruling {name} was approved in no case about it")

    def _close(self) -> None:
        case = self._case
        if case is not None:
            approved = [one for one in case.rulings if one.stage == "approved"]
            self._approved += [(case.opened.hand, one) for one in approved]

    def _compare(self, hand: UUID, ruling: Ruling) -> None:
        wrong = unsound(ruling)
        if wrong is not None:
            self._bad(hand, wrong)
        known = self._hands.get(hand)
        if known is None:
            if self._has_every_hand and ruling.proposed.kind in MOVES_THE_HAND:
                self._lacks(hand, ruling)
            return
        policy = of_another_policy(ruling, known.rules)
        if policy is not None:
            self._bad(hand, policy)
        moved = known.said.get(str(ruling.id))
        if moved is not None and moved != meant_by(ruling):
            self._bad(hand, f"ruling {ruling.id} moved other amounts than were approved")
        if moved is None and ruling.proposed.kind in MOVES_THE_HAND:
            self._lacks(hand, ruling)

    @property
    def _has_every_hand(self) -> bool:
        return self._manifest.whole and not self._skipped

    def _lacks(self, hand: UUID, ruling: Ruling) -> None:
        self._bad(hand, f"ruling {ruling.id} was approved and the hand does not have it")

    def _bad(self, hand: UUID, text: str) -> None:
        self._report.bad(f"hand {hand}: {text}")
