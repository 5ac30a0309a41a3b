"""Cases and rulings (D1-D5): who may do what, and that the money adds up."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain import commands as c
from domain import events as e
from domain.disputes import commands as q
from domain.disputes import events as d
from domain.disputes.adjustments import HOUSE_GOODWILL, AccountMove, adjustment_account
from domain.disputes.applying import Applied, Effects, effects
from domain.disputes.case import evolve, replay
from domain.disputes.events import PolicyInForce
from domain.errors import CorruptHistory, Refused
from domain.evolve import evolve as evolve_hand
from tests.support import disputes as s
from tests.support.bdd import Table, started
from tests.support.disputes import moves, opened, opening, proposing

APPLIED = Applied(case=UUID(int=9), hand=s.HAND, value_date=date(2026, 1, 9), at=s.NOON)


def effects_of(quarrel: s.Quarrel) -> Effects:
    return effects(quarrel.hand, quarrel.now.rulings[-1].proposed, APPLIED)


# -- D1: the complaint ---------------------------------------------------------------------------


def test_d1_a_complaint_is_to_be_answered_within_eight_weeks_of_when_it_was_made() -> None:
    quarrel = s.Quarrel().ask(opening(submitted_at=s.NOON - timedelta(days=3), step=7))
    assert quarrel.now.due_at == s.NOON + timedelta(days=53)
    assert not quarrel.now.overdue(quarrel.now.due_at)
    assert quarrel.now.overdue(quarrel.now.due_at + timedelta(seconds=1))
    answered = quarrel.ask(q.AnswerCase(by=s.FLORA, at=s.NOON))
    assert not answered.now.overdue(s.NOON + timedelta(weeks=9))


@pytest.mark.parametrize(
    "changes",
    [
        {"step": 0},
        {"step": 4711},
        {"submitted_at": s.NOON + timedelta(seconds=1)},
        {"submitted_at": s.NOON.replace(tzinfo=None)},
        {"submitted_at": s.NOON.replace(year=1)},
        {"complainant": "two\nlines"},
        {"complainant": " "},
    ],
)
def test_d1_a_complaint_is_about_a_step_there_is_made_by_somebody_before_now(
    changes: dict[str, Any],
) -> None:
    assert s.Quarrel().refused(opening(**changes)) == "D1"


def test_d1_a_case_is_opened_acknowledged_and_answered_once() -> None:
    quarrel = opened()
    asked = (q.Acknowledge(by=s.FLORA, at=s.NOON), q.AnswerCase(by=s.FLORA, at=s.NOON))
    said = [quarrel.now.status, *(quarrel.ask(one).now.status for one in asked)]
    assert said == ["open", "acknowledged", "answered"]
    for command in (
        opening(),
        q.Acknowledge(by=s.APPIA, at=s.NOON),
        q.AnswerCase(by=s.APPIA, at=s.NOON),
    ):
        assert quarrel.refused(command) == "D1"
    assert s.Quarrel().refused(q.Acknowledge(by=s.FLORA)) == "D1"


def test_d1_an_answer_names_a_letter_that_was_put_with_the_case() -> None:
    quarrel = opened()
    assert quarrel.refused(q.AnswerCase(by=s.FLORA, letter=s.KEPT)) == "D1"
    note = q.AddNote(by=s.FLORA, kept=s.KEPT, salted_sha256=s.DIGEST, size=20)
    quarrel.ask(note, q.AnswerCase(by=s.FLORA, letter=s.KEPT))
    assert quarrel.now.answered


def test_d1_a_hand_in_play_is_not_ruled_on() -> None:
    playing = Table(started()).now
    for kind in ("uphold", "void", "corrected_award", "goodwill"):
        assert opened(playing).refused(proposing(kind)) == "D1"


# -- D2: two people ------------------------------------------------------------------------------


def test_d2_a_ruling_is_proposed_by_one_and_approved_by_another() -> None:
    quarrel = opened().ask(proposing())
    assert quarrel.now.status == "ruling_proposed"
    assert quarrel.refused(s.approving(by=s.FLORA)) == "D2"
    quarrel.ask(s.approving())
    (ruling,) = quarrel.now.rulings
    assert (ruling.stage, ruling.approved_by) == ("approved", s.APPIA)
    assert quarrel.now.pending is None


def test_d2_what_is_withdrawn_or_approved_is_not_approved_again() -> None:
    quarrel = opened().ask(proposing(), q.WithdrawRuling(by=s.APPIA, ruling=s.RULING))
    assert quarrel.refused(s.approving()) == "D2"
    assert quarrel.refused(proposing()) == "D2"
    quarrel.ask(proposing(ruling=s.OTHER_RULING), s.approving(ruling=s.OTHER_RULING))
    assert quarrel.refused(s.approving(by=s.AUDREY, ruling=s.OTHER_RULING)) == "D2"
    assert quarrel.refused(q.WithdrawRuling(by=s.FLORA, ruling=s.OTHER_RULING)) == "D2"


def test_d2_one_proposal_waits_at_a_time_and_only_what_was_proposed_is_approved() -> None:
    quarrel = opened()
    assert quarrel.refused(s.approving()) == "D2"
    assert quarrel.ask(proposing()).refused(proposing(ruling=s.OTHER_RULING)) == "D2"


# -- D3: every amount, and the sum is zero -------------------------------------------------------


def test_d3_upholding_moves_nothing() -> None:
    quarrel = opened().ask(proposing("uphold"))
    assert effects_of(quarrel) == Effects()
    assert opened().refused(proposing("uphold", moves=moves(s1=5))) == "D3"


def test_d3_a_void_is_proposed_with_everything_it_will_move() -> None:
    quarrel = opened().ask(proposing("void"))
    ruling = quarrel.now.rulings[0].proposed
    assert ruling.rake == -100
    assert sum(move.amount for move in ruling.moves) + ruling.rake == 0
    after = evolve_hand(quarrel.hand, effects_of(quarrel).of_hand or s.RAKED.log[0])
    assert {player.stack for player in after.seats} == {10000}
    assert opened().refused(proposing("void", rake=-100)) == "D3"


def test_d3_a_correction_moves_chips_between_seats_and_rake() -> None:
    quarrel = opened().ask(proposing(moves=moves(s1=-500, s2=450), rake=50))
    assert effects_of(quarrel) == Effects(
        of_hand=e.AwardCorrected(
            moves=moves(s1=-500, s2=450),
            rake=50,
            reason="the hand was misread",
            ruling=str(s.RULING),
            at=s.NOON,
        )
    )


@pytest.mark.parametrize(
    ("amounts", "rule"),
    [
        ({"moves": moves(s1=-500, s2=501)}, "P9"),
        ({"moves": moves(s1=-500, s2=500), "rake": 1}, "P9"),
        ({"moves": moves(s1=-50000, s2=50000)}, "P9"),
        ({"moves": moves(s1=-2776, s2=2776)}, "D3"),
        ({"moves": moves(s1=-2700, s2=2600), "rake": 100, "evidence": s.KEPT}, "D3"),
        ({"moves": moves(s1=-(2**63), s2=2**63)}, "P9"),
        ({"moves": moves(s1=2**63), "rake": -(2**63)}, "P9"),
        ({"moves": moves(s1=-(2**63)), "rake": 2**63}, "P9"),
        ({"moves": moves(s7=-5, s2=5)}, "P9"),
        ({"moves": (*moves(s1=-5), *moves(s1=5))}, "P9"),
        ({"moves": moves(s1=200), "rake": -200}, "P9"),
        ({"moves": ()}, "D3"),
        ({"moves": moves(s1=0, s2=0)}, "D3"),
        ({"reason": " "}, "D3"),
        ({"reason": "two\nlines"}, "D3"),
        ({"rule": "because"}, "D3"),
        ({"evidence": s.KEPT}, "D3"),
        ({"step": 4711}, "D1"),
    ],
)
def test_d3_a_correction_that_does_not_add_up_or_says_too_little_is_refused(
    amounts: dict[str, Any], rule: str
) -> None:
    assert opened().refused(proposing(**amounts)) == rule


def test_d3_goodwill_is_the_houses_money_for_accounts_outside_the_hand() -> None:
    quarrel = opened().ask(proposing("goodwill", moves=moves(s2=300, s3=200)))
    assert quarrel.now.rulings[0].proposed.house == -500
    done = effects_of(quarrel)
    assert done.of_hand is None
    assert [posted.player for posted in done.adjustments] == ["player-2", "player-3"]
    assert [posted.postings for posted in done.adjustments] == [
        (
            AccountMove(account=HOUSE_GOODWILL, amount=-amount),
            AccountMove(account=adjustment_account(f"player-{seat}"), amount=amount),
        )
        for seat, amount in ((2, 300), (3, 200))
    ]
    assert {posted.value_date for posted in done.adjustments} == {APPLIED.value_date}


@pytest.mark.parametrize(
    "amounts",
    [
        {"moves": ()},
        {"moves": moves(s1=-5)},
        {"moves": moves(s7=5)},
        {"moves": (*moves(s1=5), *moves(s1=5))},
        {"moves": moves(s1=0)},
        {"moves": moves(s1=2**63)},
        {"moves": moves(s1=2**52, s2=2**52)},
        {"rake": 5},
    ],
)
def test_d3_goodwill_is_something_for_somebody_who_was_dealt_in(amounts: dict[str, Any]) -> None:
    assert opened().refused(proposing("goodwill", **amounts)) == "D3"


def test_d3_a_void_whose_amounts_changed_meanwhile_is_to_be_proposed_anew() -> None:
    quarrel = opened().ask(proposing("void"))
    corrected = e.AwardCorrected(moves=moves(s1=-5, s2=5), rake=0, reason="odd", ruling="r1")
    quarrel.hand = evolve_hand(quarrel.hand, corrected)
    with pytest.raises(Refused) as no:
        effects_of(quarrel)
    assert no.value.rule == "D3"


@pytest.mark.parametrize("kind", ["void", "corrected_award"])
def test_d3_what_would_move_a_hand_that_was_ruled_on_since_is_to_be_proposed_anew(
    kind: d.RulingKind,
) -> None:
    quarrel = opened().ask(proposing(kind))
    proposed = quarrel.now.rulings[0].proposed
    assert proposed.hand_step == quarrel.hand.step
    with pytest.raises(Refused) as no:
        effects(quarrel.hand, proposed, replace(APPLIED, ruled_since=True))
    assert no.value.rule == "D3"


def test_d3_a_kept_what_if_may_move_more_than_was_in_the_pot() -> None:
    kept = q.KeepEvidence(
        by=s.FLORA, kept=s.KEPT, kind="what_if", asked="what if", salted_sha256=s.DIGEST, size=5
    )
    larger = proposing(moves=moves(s1=-5000, s2=5000), evidence=s.KEPT)
    assert opened().ask(kept, larger).now.pending is not None


def test_d3_a_void_hand_is_neither_voided_nor_corrected_again() -> None:
    table = s.raked_hand()
    table.issue(c.Void(reason="a card too many"))
    assert opened(table.now).refused(proposing("void")) == "P9"
    assert opened(table.now).refused(proposing()) == "P9"
    opened(table.now).ask(proposing("goodwill"))


# -- D4: the policy in force ---------------------------------------------------------------------


def test_d4_a_ruling_names_the_house_rules_in_force_at_the_hand() -> None:
    ruling = opened().ask(proposing()).now.rulings[0].proposed
    assert ruling.policy == PolicyInForce(name="topspoker", version=1)


@pytest.mark.parametrize(
    ("policies", "kind", "remedy", "allowed"),
    [
        ({}, "uphold", "all_in_protection", True),
        ({}, "uphold", "check_or_fold", False),
        ({"timeout_outcome": "check_or_fold"}, "corrected_award", "check_or_fold", True),
        ({"timeout_outcome": "check_or_fold"}, "uphold", "all_in_protection", False),
        ({}, "void", "refund_and_void", True),
        ({}, "goodwill", "refund_and_void", False),
        ({"incident_remedy": "refund_and_void"}, "void", "refund_and_void", True),
        ({"incident_remedy": "roll_back"}, "void", "refund_and_void", False),
        ({"incident_remedy": "roll_back"}, "corrected_award", "roll_back", True),
        ({"incident_remedy": "refund_and_void"}, "corrected_award", "roll_back", False),
        ({}, "void", "roll_back", False),
    ],
)
def test_d4_a_remedy_is_that_of_the_policy_in_force(
    policies: dict[str, Any], kind: d.RulingKind, remedy: str, allowed: bool
) -> None:
    quarrel = opened(s.raked_hand(**policies).now)
    ruling = proposing(kind, remedy=remedy, step=12)
    if allowed:
        assert quarrel.ask(ruling).now.rulings[0].proposed.remedy == remedy
    else:
        assert quarrel.refused(ruling) == "D4"


def test_d4_rolling_back_names_the_step_that_still_counts() -> None:
    assert opened().refused(proposing(remedy="roll_back")) == "D4"


# -- D5: the end of a case -----------------------------------------------------------------------


def test_d5_a_case_is_closed_when_it_is_answered_and_nothing_waits() -> None:
    quarrel = opened()
    close = q.CloseCase(by=s.FLORA, at=s.NOON)
    assert quarrel.refused(close) == "D5"
    quarrel.ask(q.AnswerCase(by=s.FLORA), proposing())
    assert quarrel.refused(close) == "D5"
    quarrel.ask(s.approving(), close)
    assert quarrel.now.status == "closed"


def test_d5_a_closed_case_takes_nothing_but_a_hold_a_report_and_being_opened_again() -> None:
    quarrel = opened().ask(q.AnswerCase(by=s.FLORA), q.CloseCase(by=s.FLORA))
    for command in (
        proposing(),
        s.approving(),
        q.AddNote(by=s.FLORA, kept=s.KEPT, salted_sha256=s.DIGEST, size=1),
        q.CloseCase(by=s.FLORA),
        q.AnswerCase(by=s.FLORA),
    ):
        assert quarrel.refused(command) == "D5"
    quarrel.ask(
        q.SetHold(by=s.AUDREY, reason="asked by a court"),
        q.NoteReport(by=s.AUDREY, sha256=s.DIGEST, size=9),
        q.ReopenCase(by=s.FLORA, reason="he sent a picture", at=s.NOON + timedelta(weeks=20)),
    )
    assert (quarrel.now.status, quarrel.now.due_at) == ("open", s.NOON + timedelta(weeks=28))
    assert quarrel.now.reports == (s.DIGEST,)
    assert quarrel.now.on_hold


def test_d5_an_open_case_is_not_opened_again_and_a_hold_is_set_and_lifted_in_turn() -> None:
    quarrel = opened()
    assert quarrel.refused(q.ReopenCase(by=s.FLORA, reason="why not", at=s.NOON)) == "D5"
    assert quarrel.refused(q.LiftHold(by=s.FLORA)) == "D5"
    assert quarrel.refused(q.SetHold(by=s.FLORA, reason="")) == "D5"
    quarrel.ask(q.SetHold(by=s.FLORA, reason="asked by a court"))
    assert quarrel.refused(q.SetHold(by=s.FLORA, reason="again")) == "D5"
    assert not quarrel.ask(q.LiftHold(by=s.FLORA)).now.on_hold


def test_d5_what_is_put_with_a_case_is_there_once_and_is_something() -> None:
    note = q.AddNote(by=s.FLORA, kept=s.KEPT, salted_sha256=s.DIGEST, size=5)
    file = q.AddAttachment(
        by=s.FLORA, kept=s.OTHER_RULING, sha256=s.DIGEST, size=5, media_type="image/png"
    )
    evidence = q.KeepEvidence(
        by=s.FLORA,
        kept=s.RULING,
        kind="what_if",
        asked="step 9: seat 2 folds",
        salted_sha256=s.DIGEST,
        size=5,
    )
    quarrel = opened().ask(note, file, evidence)
    assert [one.kind for one in quarrel.now.kept] == ["note", "attachment", "evidence"]
    assert quarrel.refused(note) == "D5"
    assert quarrel.refused(replace(note, kept=UUID(int=77), size=0)) == "D5"


def test_d5_what_was_put_with_a_case_is_erased_once_and_what_it_was_known_by_stays() -> None:
    note = q.AddNote(by=s.FLORA, kept=s.KEPT, salted_sha256=s.DIGEST, size=5)
    erasing = q.EraseKept(by=s.APPIA, kept=s.KEPT, reason="a stranger's letter")
    quarrel = opened().ask(note)
    assert quarrel.refused(replace(erasing, kept=s.RULING)) == "D5"
    assert quarrel.refused(replace(erasing, reason="two\nlines")) == "D5"
    quarrel.ask(q.AnswerCase(by=s.FLORA), q.CloseCase(by=s.FLORA), erasing)
    assert [(one.digest, one.erased) for one in quarrel.now.kept] == [(s.DIGEST, True)]
    assert quarrel.refused(erasing) == "D5"
    quarrel.ask(q.ReopenCase(by=s.FLORA, reason="a picture", at=s.NOON))
    assert quarrel.refused(note) == "D5"
    assert quarrel.refused(q.AnswerCase(by=s.FLORA, letter=s.KEPT)) == "D1"


def test_d5_nothing_on_hold_is_erased_nor_what_a_ruling_that_waits_rests_on() -> None:
    kept = q.KeepEvidence(
        by=s.FLORA, kept=s.KEPT, kind="what_if", asked="what if", salted_sha256=s.DIGEST, size=5
    )
    erasing = q.EraseKept(by=s.APPIA, kept=s.KEPT, reason="no longer needed")
    quarrel = opened().ask(kept, q.SetHold(by=s.FLORA, reason="asked by a court"))
    assert quarrel.refused(erasing) == "D5"
    quarrel.ask(q.LiftHold(by=s.FLORA), proposing(evidence=s.KEPT))
    assert quarrel.refused(erasing) == "D5"
    quarrel.ask(s.approving(), erasing)
    assert quarrel.refused(proposing(ruling=s.OTHER_RULING, evidence=s.KEPT)) == "D3"


# -- what cannot be applied ----------------------------------------------------------------------


def test_facts_that_cannot_be_applied_are_corruption() -> None:
    case = opened().now
    approved = d.RulingApproved(ruling=s.RULING, approved_by=s.APPIA)
    with pytest.raises(CorruptHistory):
        evolve(case, approved)
    with pytest.raises(CorruptHistory):
        evolve(case, case.opened)
    with pytest.raises(CorruptHistory):
        evolve(case, d.KeptErased(kept=s.KEPT, reason="so", by=s.APPIA))
    with pytest.raises(CorruptHistory):
        evolve(None, approved)
    with pytest.raises(CorruptHistory):
        replay(())


def test_a_case_prints_without_whoever_complained() -> None:
    assert "anna" not in repr(opened().now)
