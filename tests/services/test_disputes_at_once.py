"""Several people at one dispute at the same moment, and rulings on days that are closed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from domain import events as e
from domain.disputes import commands as q
from domain.errors import Refused
from services.disputes import (
    OnHold,
    UnknownFile,
    add_attachment,
    add_note,
    erase,
    file_of,
    files_of,
    handle,
    load_case,
    rulings_that_differ,
)
from services.importing import import_paths
from services.live import By, KeyReused
from services.lookup import UnknownHand
from services.privacy.case_files import erase_kept
from services.privacy.holds import release, set_hold
from services.projecting import projector_of
from services.store.room import Room
from services.verifying import all_hands, verify
from tests.support import disputes as s
from tests.support.cases import (
    APPIA,
    FLORA,
    approve,
    complaint,
    events_of,
    opened,
    proposed,
    told,
)
from tests.support.hand_texts import STUD
from tests.support.killed_rulings import parts_of_a_ruling
from tests.support.ledgers import DAY, FIRST, Evening, totals
from tests.support.live import keyed


def at_once(*doings: Callable[[], Any]) -> list[str]:
    """What becomes of each if all are done at once: `done`, or the rule it is refused by."""
    start, came = threading.Barrier(len(doings)), [""] * len(doings)

    def doing(place: int) -> None:
        start.wait()
        try:
            doings[place]()
        except Refused as no:
            came[place] = no.rule
        except OnHold:
            came[place] = "on hold"
        else:
            came[place] = "done"

    threads = [threading.Thread(target=doing, args=(place,)) for place in range(len(doings))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return came


def appia(number: int) -> By:
    return By(actor=str(UUID(int=100 + number)), role="approver")


def add_attached(room: Room, case: UUID, text: str, by: By) -> None:
    add_attachment(room, case, text.encode(), "text/plain", by)


# -- at once -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["corrected_award", "void", "goodwill", "uphold"])
def test_of_approvals_and_a_withdrawal_at_once_one_is_stored(room: Room, kind: str) -> None:
    case = opened(room, told(room))
    ruling = proposed(room, case, kind=kind)
    taking_back = q.WithdrawRuling(ruling=ruling, by=FLORA.actor)
    came = at_once(
        lambda: handle(room.store, case, taking_back, FLORA),
        lambda: approve(room, case, ruling, appia(1)),
        lambda: approve(room, case, ruling, appia(2)),
    )
    assert sorted(came) == ["D2", "D2", "done"]
    (one,) = load_case(room.store, case).case.rulings
    assert one.stage == ("withdrawn" if came[0] == "done" else "approved")
    parts = parts_of_a_ruling(room, case)
    moved = one.stage == "approved" and kind != "uphold"
    assert parts["hand"] + parts["ledgers"] == int(moved)


def test_of_two_corrections_of_one_hand_by_two_cases_one_is_stored(room: Room) -> None:
    hand = told(room)
    cases = [opened(room, hand) for _ in range(2)]
    rulings = [proposed(room, case) for case in cases]
    before = len(room.store.states(hand))
    pairs = zip(cases, rulings, strict=True)
    came = at_once(*[partial(approve, room, case, ruling) for case, ruling in pairs])
    assert sorted(came) == ["D3", "done"]
    assert len(room.store.states(hand)) == before + 1
    late = cases[came.index("D3")]
    (waiting,) = load_case(room.store, late).case.rulings
    handle(room.store, late, q.WithdrawRuling(ruling=waiting.id, by=FLORA.actor), FLORA)
    approve(room, late, proposed(room, late, moves=s.moves(s1=-100, s3=100)))
    projector_of(room).catch_up()
    assert list(rulings_that_differ(room, {hand: events_of(room, hand)})) == []


def test_of_a_hold_and_an_erasure_at_once_the_first_counts(room: Room) -> None:
    case = opened(room, told(room))
    add_note(room, case, "a note", FLORA)
    (note,) = load_case(room.store, case).case.kept
    hold = q.SetHold(by=FLORA.actor, reason="asked by a court")
    came = at_once(
        lambda: handle(room.store, case, hold, FLORA),
        lambda: erase(room, case, note.id, "asked for", APPIA),
    )
    assert came[0] == "done"
    assert came[1] in ("done", "D5", "on hold")
    assert bool(files_of(room, case)) == (came[1] != "done")


# -- a hand that came from elsewhere -------------------------------------------------------------


def test_an_imported_hand_that_was_ruled_on_is_the_same_hand_when_it_comes_again(
    room: Room, tmp_path: Path
) -> None:
    text = tmp_path / "hands.txt"
    text.write_text(STUD)
    assert import_paths(room, [text]).imported == 1
    (hand,) = all_hands(room.store)
    case = opened(room, hand)
    approve(room, case, proposed(room, case, kind="void"))
    again = import_paths(room, [text])
    assert (again.imported, again.duplicates, again.conflicts) == (0, 1, [])
    projector_of(room).catch_up()
    assert verify(room).differences == []


# -- a hand rolled back --------------------------------------------------------------------------


def test_a_hand_is_rolled_back_to_a_step_by_amounts_nobody_has_to_name(room: Room) -> None:
    hand = told(room)
    case = opened(room, hand)
    step = next(n for n, one in enumerate(s.RAKED.log, 1) if isinstance(one, e.BetPlaced))
    ruling = proposed(room, case, moves=(), remedy="roll_back", step=step, rule="D6")
    waiting = load_case(room.store, case).case.pending
    assert waiting is not None
    # Nobody had folded, so all have their own back: 9.25 in the pot of each, and 1.00 rake.
    assert waiting.proposed.moves == s.moves(s1=-1750 - 100 + 500, s2=925 - 200, s3=925 - 200)
    assert waiting.proposed.rake == -100
    approve(room, case, ruling)
    projector_of(room).catch_up()
    verified = verify(room, [hand])
    assert (verified.ruled, verified.findings) == (1, [])


# -- what is not there ---------------------------------------------------------------------------


def test_a_hand_or_a_case_of_another_room_is_none_of_ours(
    room: Room, another: Callable[[], Room]
) -> None:
    elsewhere = another()
    hand = told(elsewhere)
    with pytest.raises(UnknownHand):
        opened(room, hand)
    assert room.store.head() == 0


# -- erasing -------------------------------------------------------------------------------------


def test_what_is_erased_is_gone_and_the_proof_of_it_stays(room: Room) -> None:
    case = opened(room, told(room))
    add_note(room, case, "Anna says she had the low", FLORA)
    (note,) = load_case(room.store, case).case.kept
    before = room.store.states(case)
    by = keyed(APPIA, "once")
    done = erase_kept(room, case, note.id, "a name in it", by)
    assert files_of(room, case) == ()
    assert room.store.states(case)[:-1] == before
    (kept,) = done.loaded.case.kept
    assert (kept.digest, kept.erased) == (note.digest, True)
    assert erase_kept(room, case, note.id, "a name in it", by).repeated
    with pytest.raises(Refused) as no:
        erase_kept(room, case, note.id, "again", APPIA)
    assert no.value.rule == "D5"
    with pytest.raises(UnknownFile):
        erase_kept(room, case, uuid4(), "a name in it", APPIA)


@pytest.mark.parametrize("keeping", [add_note, add_attached])
def test_what_was_erased_does_not_come_back_with_the_request_that_brought_it(
    room: Room, keeping: Callable[..., Any]
) -> None:
    case, by = opened(room, told(room)), keyed(FLORA, "sent twice")
    keeping(room, case, "a name in it", by)
    (kept,) = load_case(room.store, case).case.kept
    erase(room, case, kept.id, "a name in it", APPIA)
    with pytest.raises(KeyReused):
        keeping(room, case, "a name in it", by)
    assert files_of(room, case) == ()


def test_an_erasure_that_was_interrupted_is_finished_by_asking_again(room: Room) -> None:
    case = opened(room, told(room))
    add_note(room, case, "a note", FLORA)
    (note,) = load_case(room.store, case).case.kept
    on_record = q.EraseKept(kept=note.id, reason="asked for", by=APPIA.actor)
    handle(room.store, case, on_record, APPIA)
    assert len(files_of(room, case)) == 1
    with pytest.raises(UnknownFile):
        file_of(room, case, note.id)
    version = load_case(room.store, case).version
    assert erase(room, case, note.id, "asked for", APPIA).repeated
    assert files_of(room, case) == ()
    assert load_case(room.store, case).version == version


@pytest.mark.parametrize("sort", ["hand", "player"])
def test_a_hold_on_the_hand_or_on_who_complains_stops_an_erasure_too(room: Room, sort: Any) -> None:
    hand = told(room)
    case = opened(room, hand)
    add_note(room, case, "a note", FLORA)
    (note,) = load_case(room.store, case).case.kept
    about = str(hand) if sort == "hand" else complaint(hand).complainant
    set_hold(room, sort, about, "case at court")
    with pytest.raises(OnHold):
        erase_kept(room, case, note.id, "asked for", APPIA)
    release(room, sort, about, "case closed")
    erase_kept(room, case, note.id, "asked for", APPIA)


# -- a day that is closed ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "amounts"),
    [("corrected_award", s.moves(s1=-100, s2=100)), ("void", ()), ("goodwill", s.moves(s3=500))],
)
def test_a_ruling_on_a_hand_of_a_closed_day_is_posted_to_the_open_one_and_shows_on_both(
    room: Room, kind: str, amounts: tuple[e.SeatMove, ...]
) -> None:
    evening = Evening(room)
    hand = evening.play()
    evening.days_pass()
    evening.play()
    closed = evening.close().closed
    case = opened(room, hand)
    ruling = proposed(room, case, kind=kind, moves=amounts)
    later = evening.clock() + timedelta(hours=1)
    handle(room.store, case, s.approving(ruling=ruling, by=APPIA.actor, at=later), APPIA)
    first, second = evening.day(), evening.day(FIRST + DAY)
    assert (first.closed, totals(first)) == (closed, totals(closed))
    assert first.since_closed == second.late != ()
    for entry in first.since_closed:
        assert (entry.hand, entry.happened_at.date()) == (hand, FIRST)
        assert not entry.account.endswith(":Table")
    assert sum(entry.amount for entry in first.since_closed) == 0
    evening.days_pass()
    assert evening.close(FIRST + DAY).new
    assert evening.differing() == []
