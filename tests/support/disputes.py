"""Cases in tests: a raked hand to quarrel about, people, and commands with little to say."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from domain import events as e
from domain.disputes import commands as q
from domain.disputes import events as d
from domain.disputes.case import Case, evolve, replay
from domain.disputes.decide import decide
from domain.errors import Refused
from domain.hand import Hand
from tests.support.bdd import DOLLARS, Table, started

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HAND = UUID(int=1)
RULING, OTHER_RULING = UUID(int=21), UUID(int=22)
KEPT = UUID(int=31)
FLORA, APPIA, AUDREY = "flora", "appia", "audrey"
DIGEST = "ab" * 32


def raked_hand(**policies: Any) -> Table:
    """A finished $2/$4 hand of three: 27.75 in the pot, 1.00 rake, all of it won by seat 1."""
    hands = {1: "Ah As Ad 9c 8h 3c 2d", 2: "Kh Ks Kd 9d 8c 4c 2h", 3: "Qh Qs 7d 9h 8s 5c Jc"}
    stacks = dict.fromkeys(hands, 10000)
    start = started(stacks, small=200, ante=25, bring_in=100, money=DOLLARS, **policies)
    table = Table(start, hands).passively(4).street("1 bet", "2 call", "3 call")
    return table.street("1 bet", "2 call", "3 call").passively()


RAKED = raked_hand()


def moves(**of_seat: int) -> tuple[e.SeatMove, ...]:
    """`moves(s1=-5, s2=5)`: five from seat 1 to seat 2."""
    return tuple(e.SeatMove(seat=int(seat[1:]), amount=of_seat[seat]) for seat in of_seat)


def opening(**changes: Any) -> q.OpenCase:
    """Anna complains at the table about an award."""
    values: dict[str, Any] = {
        "by": FLORA,
        "hand": HAND,
        "category": "award",
        "complainant": "anna",
        "channel": "table",
        "submitted_at": NOON,
        "at": NOON,
    }
    return q.OpenCase(**values | changes)


def proposing(kind: d.RulingKind = "corrected_award", **changes: Any) -> q.ProposeRuling:
    """Flora proposes to give five dollars of seat 1's to seat 2."""
    values: dict[str, Any] = {
        "by": FLORA,
        "ruling": RULING,
        "kind": kind,
        "reason": "the hand was misread",
        "rule": "P2",
        "at": NOON,
    }
    if kind == "corrected_award":
        values["moves"] = moves(s1=-500, s2=500)
    if kind == "goodwill":
        values["moves"] = moves(s3=500)
    return q.ProposeRuling(**values | changes)


def approving(**changes: Any) -> q.ApproveRuling:
    """Appia approves of it."""
    return q.ApproveRuling(**{"by": APPIA, "ruling": RULING, "at": NOON, **changes})


class Quarrel:
    """A case in progress about one hand."""

    def __init__(self, hand: Hand = RAKED.now) -> None:
        self.hand = hand
        self.case: Case | None = None
        self.log: list[d.CaseEvent] = []

    @property
    def now(self) -> Case:
        assert self.case is not None
        return self.case

    def ask(self, *commands: q.CaseCommand) -> Quarrel:
        """All of them are accepted."""
        for command in commands:
            for event in decide(self.case, command, self.hand):
                self.case = evolve(self.case, event)
                assert d.decode(d.encode(event)) == event
                self.log.append(event)
            assert replay(self.log) == self.case
        return self

    def refused(self, command: q.CaseCommand) -> str:
        """It is refused and changes nothing; the rule by which."""
        before = self.case
        try:
            decide(self.case, command, self.hand)
        except Refused as no:
            assert self.case == before
            return no.rule
        raise AssertionError("it was accepted")


def opened(hand: Hand = RAKED.now) -> Quarrel:
    """A case just opened."""
    return Quarrel(hand).ask(opening())
