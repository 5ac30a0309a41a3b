"""Disputes in a room: rulings happen whole or not at all, by two people, never to later chips."""

from __future__ import annotations

import threading
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from domain import events as e
from domain.disputes import adjustments as a
from domain.disputes import commands as q
from domain.errors import Refused
from services.disputes import (
    OnHold,
    UnknownCase,
    UnknownFile,
    add_attachment,
    add_note,
    case_sheet,
    erase,
    file_of,
    handle,
    hands_on_hold,
    load_case,
    open_case,
)
from services.live import By, KeyReused
from services.lookup import UnknownHand
from services.projecting import projector_of
from services.store.room import Room
from tests.support import disputes as s
from tests.support.bdd import Table
from tests.support.cases import APPIA, FLORA, approve, complaint, last_of, opened, proposed, told
from tests.support.live import keyed

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
    erase(room, case, picture.id, "a stranger's letter", APPIA)
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
        erase(room, case, note.id, "asked for", APPIA)
    handle(room.store, case, q.LiftHold(by=FLORA.actor), FLORA)
    assert hands_on_hold(room) == frozenset()
    erase(room, case, note.id, "asked for", APPIA)


def test_what_is_refused_leaves_no_bytes_behind(room: Room) -> None:
    case = opened(room, told(room))
    handle(room.store, case, q.AnswerCase(by=FLORA.actor), FLORA)
    handle(room.store, case, q.CloseCase(by=FLORA.actor), FLORA)
    with pytest.raises(Refused):
        add_note(room, case, "too late", FLORA)
    with room.connect() as connection:
        assert connection.execute("select count(*) from case_files").fetchone() == (0,)
