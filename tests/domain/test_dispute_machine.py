"""Anybody asks anything of a case: no ruling without two people, and money adds up to zero."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from msgspec.structs import replace

from domain.disputes import commands as q
from domain.disputes import events as d
from domain.disputes.applying import Applied, effects
from domain.disputes.case import Case, evolve, replay
from domain.disputes.decide import decide
from domain.errors import Refused
from domain.events import SeatMove
from domain.evolve import evolve as evolve_hand
from tests.support import disputes as s
from tests.support.rule_ids import RULE_IDS

QUICK = settings(
    max_examples=40,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
PEOPLE = st.sampled_from(("flora", "appia", "audrey"))
IDS = st.integers(1, 4).map(lambda n: UUID(int=n))
AMOUNTS = st.integers(-600, 600)
PAIRS = st.builds(lambda a: s.moves(s1=-a, s2=a), st.integers(0, 600))
ANY_MOVES = st.lists(st.builds(SeatMove, seat=st.integers(1, 4), amount=AMOUNTS), max_size=3)
KINDS = st.sampled_from(("uphold", "void", "corrected_award", "goodwill"))
NOTE = {"kept": IDS, "salted_sha256": st.just(s.DIGEST), "size": st.integers(0, 2)}
REASONS = st.sampled_from(("because", ""))


def proposals(moved: Any) -> Any:
    return st.builds(
        q.ProposeRuling,
        by=PEOPLE,
        ruling=IDS,
        kind=KINDS,
        reason=st.just("so it is"),
        rule=st.just("P2"),
        moves=moved.map(tuple),
        rake=st.sampled_from((0, 0, 0, -50, 50)),
        remedy=st.sampled_from((None, None, "refund_and_void", "roll_back", "check_or_fold")),
        step=st.sampled_from((None, 3)),
    )


PROPOSALS = (
    proposals(PAIRS) | proposals(ANY_MOVES) | st.builds(s.proposing, KINDS, by=PEOPLE, ruling=IDS)
)
OTHERS = (
    st.builds(q.WithdrawRuling, by=PEOPLE, ruling=IDS)
    | st.builds(q.Acknowledge, by=PEOPLE)
    | st.builds(q.AddNote, by=PEOPLE, **NOTE)
    | st.builds(q.AnswerCase, by=PEOPLE, letter=st.none() | IDS)
    | st.builds(q.CloseCase, by=PEOPLE)
    | st.builds(q.ReopenCase, by=PEOPLE, reason=REASONS)
    | st.builds(q.SetHold, by=PEOPLE, reason=REASONS)
    | st.builds(q.LiftHold, by=PEOPLE)
    | st.builds(q.EraseKept, by=PEOPLE, kept=IDS, reason=REASONS)
    | st.builds(q.NoteReport, by=PEOPLE, sha256=st.just(s.DIGEST), size=st.just(1))
)


class CaseMachine(RuleBasedStateMachine):
    """A case in which nobody is stopped from asking."""

    def __init__(self) -> None:
        super().__init__()
        self.hand = s.RAKED.now
        self.case: Case | None = None
        self.log: list[d.CaseEvent] = []
        self.accounts: dict[str, int] = {}
        self.now = s.NOON

    @initialize()
    def open(self) -> None:
        self.ask(s.opening())

    @rule(command=PROPOSALS)
    def somebody_proposes(self, command: q.CaseCommand) -> None:
        self.ask(command)

    @rule(by=PEOPLE, named=IDS)
    def somebody_approves(self, by: str, named: UUID) -> None:
        assert self.case is not None
        waiting = self.case.pending
        self.ask(q.ApproveRuling(by=by, ruling=waiting.id if waiting else named))

    @rule(command=OTHERS)
    def somebody_asks(self, command: q.CaseCommand) -> None:
        self.ask(command)

    def ask(self, command: q.CaseCommand) -> None:
        """Ask; what is refused names a rule and changes nothing."""
        self.now += timedelta(minutes=1)
        try:
            (event,) = decide(self.case, _stamped(command, self.now), self.hand)
            if isinstance(event, d.RulingApproved):
                self.apply(event.ruling)
        except Refused as refusal:
            assert refusal.rule in RULE_IDS
            return
        self.case = evolve(self.case, event)
        self.log.append(event)
        self.assert_sound()

    def apply(self, ruling: UUID) -> None:
        """What the approval moves; chips at the table stay what play made them."""
        assert self.case is not None
        proposed = self.case.rulings[-1].proposed
        assert proposed.ruling == ruling
        case = Applied(case=UUID(int=9), hand=s.HAND, value_date=date(2026, 1, 9), at=self.now)
        done = effects(self.hand, proposed, case)
        if done.of_hand is not None:
            self.hand = evolve_hand(self.hand, done.of_hand)
        for posted in done.adjustments:
            assert sum(posting.amount for posting in posted.postings) == 0
            for posting in posted.postings:
                account = posting.account
                self.accounts[account] = self.accounts.get(account, 0) + posting.amount
                assert not account.endswith(":Table")

    def assert_sound(self) -> None:
        assert self.case is not None
        assert replay([d.decode(d.encode(event)) for event in self.log]) == self.case
        for ruling in self.case.rulings:
            proposed = ruling.proposed
            moved = sum(move.amount for move in proposed.moves)
            assert moved + proposed.rake + proposed.house == 0
            if ruling.stage == "approved":
                assert ruling.approved_by not in (None, proposed.proposed_by)
        assert sum(one.stage == "proposed" for one in self.case.rulings) <= 1
        assert sum(self.accounts.values()) == 0
        chips = sum(player.stack for player in self.hand.seats) + self.hand.rake
        assert chips == sum(player.started_with for player in self.hand.seats)


def _stamped(command: q.CaseCommand, at: datetime) -> q.CaseCommand:
    return replace(command, at=at)


def test_whatever_anybody_asks_of_a_case_no_one_rules_alone_and_the_sums_are_zero() -> None:
    run_state_machine_as_test(CaseMachine, settings=QUICK)
