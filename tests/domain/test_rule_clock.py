"""The rulebook's chapter on the clock (C1 to C5), made to run under both policies."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from domain import commands as c
from domain import events as e
from domain.errors import BadTable, NotAllowedNow, OutOfTurn
from domain.house_rules import PRESETS, Clock
from tests.support.bdd import Table, doors, started

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)
THREE = {1: 1000, 2: 1000, 3: 1000}


def third(stacks: dict[int, int] | None = None, **about: object) -> Table:
    """Third street is dealt and seat 2 owes the bring-in of 10."""
    table = Table(started(stacks or THREE, **about))  # type: ignore[arg-type]
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    return table


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def time_out(
    seat: int, given: float, *, at: float | None = None, lost: float | None = None
) -> c.TimeOut:
    """A turn that began at noon and was given so many seconds; the connection lost since."""
    return c.TimeOut(
        seat=seat,
        turn_started_at=NOON,
        deadline=after(given),
        disconnected_at=None if lost is None else after(lost),
        at=after(given + 0.001 if at is None else at),
    )


def timed_out(seat: int, outcome: str) -> e.TimedOut:
    """The event of a time-out that came without evidence."""
    return e.TimedOut(
        seat=seat,
        turn_started_at=None,
        deadline=None,
        disconnected_at=None,
        outcome=outcome,  # type: ignore[arg-type]
    )


# -- C1: how long a turn is ----------------------------------------------------------------------


def test_c1_a_turn_is_ten_seconds_and_a_countdown_of_twenty() -> None:
    assert PRESETS["topspoker"].clock == Clock(turn=10, countdown=20, disconnected=20)
    table = third(ante=5)
    table.refused(time_out(2, 29.9), NotAllowedNow, "C1")
    assert table.issue(time_out(2, 30))


def test_c1_who_is_disconnected_at_the_end_of_it_gets_twenty_more() -> None:
    table = third(ante=5)
    table.refused(time_out(2, 30, lost=12), NotAllowedNow, "C1")
    table.refused(time_out(2, 49, lost=30), NotAllowedNow, "C1")
    assert table.issue(time_out(2, 50, lost=12))


def test_c1_who_loses_his_connection_after_it_gets_no_more() -> None:
    assert third(ante=5).issue(time_out(2, 30, lost=30.001))


def test_c1_an_action_at_the_deadline_still_counts() -> None:
    table = third(ante=5)
    table.refused(time_out(2, 30, at=30), NotAllowedNow, "C1")
    assert table.issue(time_out(2, 30, at=30.000001))


def test_c1_the_times_are_a_policy() -> None:
    table = third(ante=5, clock=Clock(turn=5, countdown=5, disconnected=60))
    assert table.issue(time_out(2, 10))
    assert third(ante=5, clock=None).issue(time_out(2, 1))


def test_c1_times_without_a_zone_are_utc() -> None:
    late = time_out(2, 30)
    bare = c.TimeOut(seat=2, turn_started_at=NOON.replace(tzinfo=None), deadline=late.deadline)
    assert third(ante=5).issue(bare)


# -- C2: with money in the pot -------------------------------------------------------------------


def test_c2_with_money_in_the_pot_he_is_all_in_by_time_out() -> None:
    table = third().act("2 bring_in", "3 complete", "1 call")
    table.when("2 time_out").then(timed_out(2, "all_in"))
    assert table.now.player(2).status == "timed_out"
    assert table.now.player(2).stack == 990, "he keeps the chips behind"


def test_c2_the_ante_is_money_in_the_pot() -> None:
    table = third(ante=5).act("2 bring_in")
    table.when("3 time_out").then(timed_out(3, "all_in"))


def test_c2_he_is_dealt_his_cards_and_shows_down() -> None:
    table = third(ante=5).act("2 bring_in", "3 time_out", "1 call").passively()
    assert [d.street for d in table.of(e.CardsDealt) if d.seat == 3] == [3, 4, 5, 6, 7]
    assert 3 in {shown.seat for shown in table.of(e.CardsShown)}


def test_c2_he_plays_for_what_he_has_matched_and_no_more() -> None:
    hands = {1: "4s 5s Kd Jc 8c 9c Qd", 2: "Js Jd 2c 3c 7s 8d Qh", 3: "Ah As 9h Ad Ac Td Th"}
    table = Table(started(THREE, ante=5), hands)
    table.street("2 bring_in", "3 time_out", "1 complete", "2 call").passively()
    main, side = table.of(e.PotAwarded)
    assert (main.amount, main.shares) == (15, (e.Share(seat=3, amount=15, odd=0),))
    assert (side.amount, side.shares) == (40, (e.Share(seat=2, amount=40, odd=0),))
    assert table.stacks() == {1: 975, 2: 1015, 3: 1010}


def test_c2_he_acts_no_more_in_this_hand_even_if_he_returns() -> None:
    table = third(ante=5).act("2 bring_in", "3 disconnect", "3 time_out", "3 reconnect", "1 call")
    table.passively(4).deal()
    for _ in range(2):
        seat = table.legal()[0]
        assert seat != "3"
        table.refused("3 check", OutOfTurn, "B1")
        table.act(f"{seat} check")


# -- C3: with nothing in -------------------------------------------------------------------------


def test_c3_with_nothing_in_the_pot_he_is_folded() -> None:
    table = third().act("2 bring_in")
    table.when("3 time_out").then(timed_out(3, "fold"), e.Folded(seat=3))


def test_c3_the_bring_in_he_owed_passes_on() -> None:
    table = third()
    table.when("2 time_out").then(timed_out(2, "fold"), e.Folded(seat=2))
    assert table.legal() == "3: fold, bring_in 10, bet 20"


# -- C4: the two policies ------------------------------------------------------------------------


def test_c4_a_free_check_does_not_save_him() -> None:
    table = third().passively(4)
    table.deal()
    seat = int(table.legal()[0])
    table.when(f"{seat} time_out").then(timed_out(seat, "all_in"))


def test_c4_nothing_of_his_goes_back_but_what_others_have_unmatched_does() -> None:
    table = third({1: 1000, 2: 1000}, ante=5).act("2 bring_in", "1 complete")
    table.when("2 time_out").then(timed_out(2, "all_in"), e.UncalledReturned(seat=1, amount=10))
    assert [p.paid for p in table.now.seats] == [15, 15]


@pytest.mark.parametrize(
    ("acts", "seat", "does"),
    [
        ((), 2, e.BringInPosted(seat=2, amount=10, all_in=False)),
        (("2 bring_in",), 3, e.Folded(seat=3)),
        (("2 bet", "3 call"), 1, e.Folded(seat=1)),
    ],
)
def test_c4_check_or_fold_posts_an_owed_bring_in_and_folds_to_a_bet(
    acts: tuple[str, ...], seat: int, does: e.HandEvent
) -> None:
    table = third(ante=5, timeout_outcome="check_or_fold").act(*acts)
    outcome = "bring_in" if isinstance(does, e.BringInPosted) else "fold"
    table.when(f"{seat} time_out").then(timed_out(seat, outcome), does)


def test_c4_check_or_fold_checks_when_nothing_is_owed() -> None:
    table = third(timeout_outcome="check_or_fold").passively(4)
    table.deal()
    seat = int(table.legal()[0])
    table.when(f"{seat} time_out").then(timed_out(seat, "check"), e.Checked(seat=seat))
    assert table.now.player(seat).status == "active"


def test_c4_check_or_fold_brings_in_a_passed_duty_too() -> None:
    table = third({1: 1000, 2: 5, 3: 1000}, ante=5, timeout_outcome="check_or_fold")
    table.when("3 time_out").then(
        timed_out(3, "bring_in"), e.BringInPosted(seat=3, amount=10, all_in=False)
    )


def test_c4_the_presets_say_which_policy_holds() -> None:
    all_in = {name for name, house in PRESETS.items() if house.timeout_outcome == "all_in"}
    assert all_in == {"topspoker", "cardroom"}


# -- C5: evidence --------------------------------------------------------------------------------


def test_c5_a_time_out_is_recorded_with_its_evidence() -> None:
    table = third(ante=5)
    (event,) = table.issue(time_out(2, 50, lost=12))
    assert event == e.TimedOut(
        seat=2,
        turn_started_at=NOON,
        deadline=after(50),
        disconnected_at=after(12),
        outcome="all_in",
        at=after(50.001),
    )


def test_c5_connections_and_clocks_are_recorded_and_move_nothing() -> None:
    table = third(ante=5)
    betting, chips = table.now.betting, table.stacks()
    table.when("3 disconnect").then(e.PlayerDisconnected(seat=3))
    assert not table.now.player(3).connected
    table.when("3 reconnect").then(e.PlayerReconnected(seat=3))
    table.when(c.PauseClock(reason="floor")).then(e.ClockPaused(reason="floor"))
    table.when(c.ResumeClock(reason="go on")).then(e.ClockResumed(reason="go on"))
    table.when(c.NoteIncident(kind="noise", text="alarm")).then(
        e.IncidentNoted(kind="noise", text="alarm")
    )
    assert table.now.player(3).connected
    assert (table.now.betting, table.stacks()) == (betting, chips)


def test_c5_a_stranger_has_no_connection() -> None:
    third().refused("7 disconnect", NotAllowedNow, "B2")


def test_c5_only_the_turn_of_the_seat_to_act_runs_out() -> None:
    third().refused("3 time_out", OutOfTurn, "S3")


def test_c5_every_event_of_a_command_carries_its_time() -> None:
    table = third({1: 1000, 2: 1000}).act("2 bring_in")
    events = table.issue(c.Fold(seat=1, at=NOON))
    assert [event.at for event in events] == [NOON] * len(events)


@pytest.mark.parametrize("clock", [(10, -1, 20), (-1, 20, 20), (10, 20, -1), (10, 20, 10**14)])
def test_c1_no_part_of_a_turn_is_shorter_than_nothing_and_no_turn_longer_than_a_day(
    clock: tuple[int, int, int],
) -> None:
    turn, countdown, disconnected = clock
    asked = Clock(turn=turn, countdown=countdown, disconnected=disconnected)
    with pytest.raises(BadTable) as refusal:
        Table(started(clock=asked))
    assert refusal.value.rule == "C1"
