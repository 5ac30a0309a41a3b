"""What the record says of a case, what verify says of rulings, and the register."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from domain import events as e
from domain.disputes import commands as q
from domain.disputes.decide import decide
from services.access import Sighting, record_sighting
from services.disputes import (
    CasesWanted,
    amounts_of,
    case_sheet,
    find_cases,
    gather,
    handle,
    keep_what_if,
    load_case,
    load_hand,
    open_case,
)
from services.disputes.loading import facts_of
from services.disputes.supposing import Supposed
from services.explaining import explain
from services.projecting import projector_of
from services.replaying import parse_view, replay_step
from services.settings import Settings
from services.store.port import Append, facts
from services.store.room import Room, open_room
from services.verifying import verify
from tests.support import disputes as s
from tests.support.bdd import Table
from tests.support.cases import APPIA, FLORA, approve, complaint, opened, proposed, told

# -- evidence ------------------------------------------------------------------------------------


def bet_of(table: Table) -> int:
    """The step of the first bet on fourth street."""
    return next(n for n, x in enumerate(table.log, 1) if isinstance(x, e.BetPlaced))


def test_evidence_is_the_step_as_a_view_saw_it_with_rules_alternatives_and_onlookers(
    room: Room,
) -> None:
    hand, step = told(room), bet_of(s.RAKED)
    case = open_case(room.store, complaint(hand, step=step), FLORA).loaded
    projector_of(room).catch_up()
    seen = Sighting(hand=hand, view="all", purpose="a dispute", actor=APPIA.actor)
    record_sighting(room.store, seen)
    public = gather(room, case)
    assert (public.step, public.view, public.frame.step) == (step, "public", step)
    assert [choice.action for choice in public.legal] == ["fold", "check", "bet"]
    assert {part.about for part in public.decided} >= {"event", "turn"}
    assert [(one.actor, one.view) for one in public.looked] == [(APPIA.actor, "all")]
    assert {card for seat in public.frame.seats for card in seat.down} == {"??"}
    own = gather(room, case, parse_view("seat:1"))
    assert own.frame.seats[0].down == ("Ah", "As")
    assert own.frame.seats[1].down == ("??", "??")


def test_a_what_if_is_kept_with_the_case_and_gives_a_ruling_its_amounts(room: Room) -> None:
    checks = [n for n, x in enumerate(s.RAKED.log, 1) if x == e.Checked(seat=1)]
    hand, step = told(room), checks[-1]
    case = opened(room, hand)
    supposed = Supposed(step=step, instead="fold")
    kept = keep_what_if(room, case, supposed, FLORA, parse_view("all")).loaded
    (evidence,) = gather(room, kept).kept
    assert (evidence.kind, evidence.asked) == ("what_if", f"step {step}, fold")
    moves, rake = amounts_of(room, case, evidence.id)
    assert sum(move.amount for move in moves) + rake == 0
    ruling = proposed(room, case, moves=moves, rake=rake, evidence=evidence.id)
    approve(room, case, ruling)


# -- as played, as ruled -------------------------------------------------------------------------


def test_verify_judges_as_played_and_finds_the_case_of_every_ruling(room: Room) -> None:
    hand = told(room)
    case = opened(room, hand)
    approve(room, case, proposed(room, case))
    projector_of(room).catch_up()
    found = verify(room)
    assert (found.checked, found.ruled, found.clean) == (1, 1, 0)
    assert (found.findings, found.differences) == ([], [])
    ruled = case_sheet(room, load_case(room.store, case)).ruled
    assert ruled is not None
    assert [seat.difference for seat in ruled.seats] == [-500, 500, 0]
    assert all(seat.ruled == seat.played + seat.difference for seat in ruled.seats)


def test_replay_and_explanation_show_the_hand_as_played_and_as_ruled(room: Room) -> None:
    hand = told(room)
    case = opened(room, hand)
    approve(room, case, proposed(room, case))
    events = load_hand(room.store, hand).events
    assert replay_step(str(hand), events, len(events) - 1).ruled is None
    ruled = replay_step(str(hand), events).ruled
    assert ruled is not None
    assert [seat.difference for seat in ruled.seats] == [-500, 500, 0]
    sections = {part.about: part for part in explain(str(hand), events).sections}
    assert any("difference $5.00" in line.text for line in sections["ruled"].lines)


def test_a_proposal_outlives_the_program_that_took_it(settings: Settings) -> None:
    with open_room(settings) as room:
        hand = told(room)
        case = opened(room, hand)
        ruling = proposed(room, case)
        before = room.store.states(hand)
    with open_room(settings) as room:
        assert room.store.states(hand) == before
        approve(room, case, ruling)
        assert len(room.store.states(hand)) == len(before) + 1


def test_verify_finds_a_ruling_nobody_approved(room: Room) -> None:
    hand = told(room)
    forged = e.AwardCorrected(moves=s.moves(s1=-5, s2=5), rake=0, reason="so", ruling="r1")
    length = len(room.store.states(hand))
    append = Append(stream=hand, expected=length, facts=facts([forged]), actor="test")
    room.store.append([append])
    projector_of(room).catch_up()
    (difference,) = verify(room, [hand]).differences
    assert "approved in no case" in difference.text


def test_verify_finds_an_approved_ruling_that_never_happened(room: Room) -> None:
    hand = told(room)
    case = opened(room, hand)
    ruling = proposed(room, case, kind="goodwill")
    loaded = load_case(room.store, case)
    approval = decide(loaded.case, s.approving(ruling=ruling), s.RAKED.now)
    append = Append(
        stream=case, expected=loaded.version, facts=facts_of(approval), actor=APPIA.actor
    )
    room.store.append([append])
    projector_of(room).catch_up()
    (difference,) = verify(room, [hand]).differences
    assert "players' ledgers" in difference.text


# -- the register --------------------------------------------------------------------------------


def test_the_register_lists_cases_page_by_page_and_by_what_is_asked(room: Room) -> None:
    hand = told(room)
    days = [s.NOON + timedelta(days=n) for n in range(3)]
    cases = [
        open_case(room.store, complaint(hand, submitted_at=day, at=day), FLORA).loaded.id
        for day in days
    ]
    handle(room.store, cases[0], q.AnswerCase(by=FLORA.actor), FLORA)
    projector_of(room).catch_up()
    page = find_cases(room.connect, CasesWanted(limit=2))
    rest = find_cases(room.connect, CasesWanted(limit=2, after=page.next))
    assert [one.id for one in (*page.disputes, *rest.disputes)] == cases[::-1]
    assert rest.next is None
    answered = find_cases(room.connect, CasesWanted(status="answered"))
    assert [one.id for one in answered.disputes] == cases[:1]
    late = find_cases(
        room.connect, CasesWanted(overdue=True), now=s.NOON + timedelta(weeks=8, days=1, hours=1)
    )
    assert [one.id for one in late.disputes] == [cases[1]]
    last_day = days[2].date()
    on_last = find_cases(room.connect, CasesWanted(first=last_day, last=last_day, hand=hand))
    assert [one.id for one in on_last.disputes] == [cases[2]]
    assert msgspec.json.encode(on_last)
