"""Disputes in a room: rulings happen whole or not at all, by two people, never to later chips."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from msgspec.structs import replace

from domain import events as e
from domain.disputes import adjustments as a
from domain.disputes import commands as q
from domain.disputes.decide import decide
from domain.errors import Refused
from services.access import Sighting, record_sighting
from services.disputes import (
    CasesWanted,
    OnHold,
    UnknownCase,
    UnknownFile,
    add_attachment,
    add_note,
    amounts_of,
    case_sheet,
    erase,
    file_of,
    find_cases,
    gather,
    handle,
    hands_on_hold,
    keep_what_if,
    load_case,
    open_case,
)
from services.disputes.loading import facts_of
from services.disputes.supposing import Supposed
from services.live import By, KeyReused
from services.lookup import UnknownHand
from services.projecting import projector_of
from services.replaying import parse_view
from services.store.port import Append, facts
from services.store.room import Room
from services.verifying import verify
from tests.support import disputes as s
from tests.support.bdd import Table
from tests.support.live import keyed

FLORA = By(actor=str(UUID(int=2)), role="floor")
APPIA = By(actor=str(UUID(int=3)), role="approver")


def told(room: Room, table: Table | None = None, kind: Any = "dealt") -> UUID:
    """A raked hand in the log, as dealt here or as it came."""
    first, *rest = (table or s.RAKED).log
    assert isinstance(first, e.HandStarted)
    started = replace(first, source=e.Source(kind=kind, format=None, text_sha256=None))
    append = Append(
        stream=uuid4(), expected=0, facts=facts([started, *rest]), actor="test", secret=True
    )
    room.store.append([append])
    return append.stream


def complaint(hand: UUID, **changes: Any) -> q.OpenCase:
    return s.opening(hand=hand, by=FLORA.actor, **changes)


def opened(room: Room, hand: UUID) -> UUID:
    return open_case(room.store, complaint(hand), FLORA).loaded.id


def proposed(room: Room, case: UUID, **changes: Any) -> UUID:
    wanted = s.proposing(by=FLORA.actor, ruling=uuid4(), **changes)
    handle(room.store, case, wanted, FLORA)
    return wanted.ruling


def approve(room: Room, case: UUID, ruling: UUID, by: By = APPIA) -> Any:
    return handle(room.store, case, s.approving(ruling=ruling, by=by.actor), by)


def last_of(room: Room, hand: UUID) -> e.HandEvent:
    return e.decode(room.store.states(hand)[-1])


# -- what a ruling does --------------------------------------------------------------------------


def test_an_approved_correction_is_in_the_case_and_the_hand_in_one_commit(room: Room) -> None:
    hand = told(room)
    case = opened(room, hand)
    before = len(room.store.states(hand))
    ruling = proposed(room, case)
    assert len(room.store.states(hand)) == before
    approve(room, case, ruling)
    corrected = last_of(room, hand)
    assert isinstance(corrected, e.AwardCorrected)
    assert corrected.ruling == str(ruling)
    (of_hand,), (of_case,) = room.store.load(hand)[before:], room.store.load(case)[2:]
    assert of_hand.recorded_at == of_case.recorded_at
    assert of_hand.causation == f"ruling {ruling}"


def test_goodwill_goes_to_a_ledger_of_the_players_with_the_day_of_the_hand(room: Room) -> None:
    hand = told(room)
    case = opened(room, hand)
    before = room.store.states(hand)
    ruling = proposed(room, case, kind="goodwill", moves=s.moves(s2=300, s3=200))
    approve(room, case, ruling)
    assert room.store.states(hand) == before
    (posted,) = map(a.decode, room.store.states(a.ledger_stream("player-2")))
    assert (posted.ruling, posted.hand, posted.case) == (ruling, hand, case)
    assert posted.value_date == room.store.load(hand)[0].recorded_at.date()
    projector_of(room).catch_up()
    with room.connect() as connection:
        total = connection.execute("select account, sum(amount) from adjustments group by 1")
        assert dict(total.fetchall()) == {
            "House:Goodwill": -500,
            "Player:player-2:Adjustment": 300,
            "Player:player-3:Adjustment": 200,
        }


def test_a_ruling_moves_no_chips_at_a_table(room: Room) -> None:
    hand = told(room)
    case = opened(room, hand)
    projector_of(room).catch_up()
    at_table = (
        "select account, sum(amount) from rake_ledger where account like '%:Table' group by 1"
    )
    with room.connect() as connection:
        before = dict(connection.execute(at_table).fetchall())
    approve(room, case, proposed(room, case, kind="void"))
    projector_of(room).catch_up()
    with room.connect() as connection:
        assert dict(connection.execute(at_table).fetchall()) == before
        aside = "select sum(amount) from rake_ledger where account like '%:Adjustment'"
        assert connection.execute(aside).fetchone() == (100,)


@pytest.mark.parametrize("kind", ["imported", "posted"])
def test_a_witnessed_hand_is_ruled_on_behind_its_record(room: Room, kind: str) -> None:
    hand = told(room, kind=kind)
    record = room.store.states(hand)
    case = opened(room, hand)
    approve(room, case, proposed(room, case, kind="void"))
    assert room.store.states(hand)[:-1] == record
    assert isinstance(last_of(room, hand), e.HandVoided)


def test_a_hand_in_play_may_be_disputed_but_not_ruled_on(room: Room) -> None:
    table = Table(s.RAKED.log[0])  # type: ignore[arg-type]
    hand = told(room, table)
    case = opened(room, hand)
    with pytest.raises(Refused) as no:
        proposed(room, case)
    assert no.value.rule == "D1"


def test_a_ruling_long_after_is_posted_now_with_the_days_of_the_hand_as_value_date(
    room: Room,
) -> None:
    hand = told(room)
    case = opened(room, hand)
    ruling = proposed(room, case, kind="goodwill")
    later = s.NOON + timedelta(weeks=7)
    handle(room.store, case, s.approving(ruling=ruling, by=APPIA.actor, at=later), APPIA)
    (posted,) = map(a.decode, room.store.states(a.ledger_stream("player-3")))
    assert posted.at == later
    assert posted.value_date == room.store.load(hand)[0].recorded_at.date()


# -- two people, at once -------------------------------------------------------------------------


def test_of_two_approvals_at_once_one_is_stored(room: Room) -> None:
    hand = told(room)
    case = opened(room, hand)
    ruling, before = proposed(room, case), len(room.store.states(hand))
    people = [By(actor=str(UUID(int=n)), role="approver") for n in range(10, 14)]
    came: list[str] = []
    start = threading.Barrier(len(people))

    def approving(by: By) -> None:
        start.wait()
        try:
            approve(room, case, ruling, by)
        except Refused as no:
            came.append(no.rule)
        else:
            came.append("approved")

    threads = [threading.Thread(target=approving, args=(by,)) for by in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(came) == ["D2", "D2", "D2", "approved"]
    assert len(room.store.states(hand)) == before + 1


def test_the_same_person_is_refused_whatever_key_he_holds(room: Room) -> None:
    case = opened(room, told(room))
    ruling = proposed(room, case)
    with pytest.raises(Refused) as no:
        approve(room, case, ruling, By(actor=FLORA.actor, role="admin"))
    assert no.value.rule == "D2"


def test_what_was_withdrawn_is_not_approved(room: Room) -> None:
    hand = told(room)
    case = opened(room, hand)
    ruling, before = proposed(room, case), room.store.states(hand)
    handle(room.store, case, q.WithdrawRuling(ruling=ruling, by=FLORA.actor), FLORA)
    with pytest.raises(Refused) as no:
        approve(room, case, ruling)
    assert (no.value.rule, room.store.states(hand)) == ("D2", before)


def test_a_ruling_overtaken_by_another_case_is_refused_and_nothing_is_stored(room: Room) -> None:
    hand = told(room)
    one, other = opened(room, hand), opened(room, hand)
    voiding = proposed(room, one, kind="void")
    approve(room, other, proposed(room, other))
    before = room.store.head()
    with pytest.raises(Refused) as no:
        approve(room, one, voiding)
    assert (no.value.rule, room.store.head()) == ("D3", before)


# -- once ----------------------------------------------------------------------------------------


def test_the_same_request_again_is_answered_as_it_was_and_done_once(room: Room) -> None:
    hand = told(room)
    by, other = keyed(FLORA, "k1"), keyed(APPIA, "k2")
    first = open_case(room.store, complaint(hand), by)
    again = open_case(room.store, complaint(hand), by)
    assert (again.loaded, again.repeated) == (first.loaded, True)
    with pytest.raises(KeyReused):
        open_case(room.store, complaint(hand, category="rake"), by)
    case = first.loaded.id
    ruling = proposed(room, case)
    done = approve(room, case, ruling, other)
    before = room.store.head()
    assert approve(room, case, ruling, other).loaded == done.loaded
    assert room.store.head() == before


def test_a_note_sent_twice_is_kept_once(room: Room) -> None:
    case = opened(room, told(room))
    by = keyed(FLORA, "note")
    assert not add_note(room, case, "he showed the hand", by).repeated
    assert add_note(room, case, "he showed the hand", by).repeated
    with pytest.raises(KeyReused):
        add_note(room, case, "he mucked the hand", by)
    assert len(load_case(room.store, case).case.kept) == 1


def test_a_case_is_about_a_hand_there_is(room: Room) -> None:
    with pytest.raises(UnknownHand):
        opened(room, uuid4())
    hand = told(room)
    for nothing in (uuid4(), hand):
        with pytest.raises(UnknownCase):
            handle(room.store, nothing, q.Acknowledge(by=FLORA.actor), FLORA)


# -- what is kept outside ------------------------------------------------------------------------


def test_notes_and_files_lie_outside_and_the_log_can_tell_whether_they_are_the_same(
    room: Room,
) -> None:
    case = opened(room, told(room))
    add_note(room, case, "Anna says she had the low", FLORA)
    add_attachment(room, case, b"\x89PNG...", "image/png", FLORA, name="anna.png")
    note, picture = load_case(room.store, case).case.kept
    assert file_of(room, case, note.id).digest == note.digest
    assert file_of(room, case, picture.id).digest == picture.digest
    log = b"".join(room.store.states(case))
    assert b"Anna" not in log
    assert b"anna.png" not in log
    erase(room, case, picture.id)
    with pytest.raises(UnknownFile):
        file_of(room, case, picture.id)
    sheet = case_sheet(room, load_case(room.store, case))
    assert [one.text for one in sheet.kept] == ["Anna says she had the low", None]


def test_a_legal_hold_stops_erasure_until_it_is_lifted(room: Room) -> None:
    hand = told(room)
    case = opened(room, hand)
    add_note(room, case, "a note", FLORA)
    (note,) = load_case(room.store, case).case.kept
    handle(room.store, case, q.SetHold(by=FLORA.actor, reason="asked by a court"), FLORA)
    assert hands_on_hold(room) == {hand}
    with pytest.raises(OnHold):
        erase(room, case, note.id)
    handle(room.store, case, q.LiftHold(by=FLORA.actor), FLORA)
    assert hands_on_hold(room) == frozenset()
    erase(room, case, note.id)


def test_what_is_refused_leaves_no_bytes_behind(room: Room) -> None:
    case = opened(room, told(room))
    handle(room.store, case, q.AnswerCase(by=FLORA.actor), FLORA)
    handle(room.store, case, q.CloseCase(by=FLORA.actor), FLORA)
    with pytest.raises(Refused):
        add_note(room, case, "too late", FLORA)
    with room.connect() as connection:
        assert connection.execute("select count(*) from case_files").fetchone() == (0,)


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
