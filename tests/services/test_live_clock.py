"""Turns run out at live tables by simulated time, once, whoever keeps the clock."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from domain import commands as c
from domain import events as e
from domain.decide import decide
from services.dealing import EXTERNAL, Decks
from services.live import KeptHands, Live, TooLate
from services.live_clock import Scheduler, Terms
from services.live_clock.agenda import Agenda
from services.projecting import projector_of
from services.store.hand_secrets import Sealer
from services.store.port import Append, Fact, facts
from services.store.room import Room
from tests.support.clocked import TERMS, Clocked
from tests.support.live import FLOOR, NOON, live_in


@pytest.fixture
def table(room: Room) -> Clocked:
    return Clocked(room)


# -- a turn that runs out --------------------------------------------------------------------------


def test_a_turn_runs_out_after_its_deadline_and_the_grace(table: Clocked) -> None:
    clock = table.clock
    table.at(30.499999)
    assert table.timed_out() == []
    table.at(30.5)
    (timed_out,) = table.timed_out()
    assert (timed_out.seat, timed_out.outcome) == (clock.seat, "all_in")
    assert (timed_out.turn_started_at, timed_out.deadline) == (clock.started_at, clock.deadline)
    assert timed_out.at == clock.deadline + TERMS.grace


def test_without_grace_the_deadline_itself_is_still_in_time(room: Room) -> None:
    table = Clocked(room, terms=Terms(grace=timedelta()))
    table.at(30)
    assert table.timed_out() == []
    table.at(30.000001)
    assert len(table.timed_out()) == 1


def test_every_turn_of_a_deserted_table_runs_out_and_the_hand_ends_by_itself(
    table: Clocked,
) -> None:
    """The last one left with anything to say has nobody to say it to (B10)."""
    table.let_pass(2 * 31)
    assert [timed_out.outcome for timed_out in table.timed_out()] == ["all_in"] * 2
    assert isinstance(table.stored()[-1], e.HandCompleted), "the rest is dealt and shown"
    assert table.table().table.playing is None
    assert sum(table.stacks().values()) == 30_000
    table.let_pass(1)
    assert table.server.watched == 0


def test_with_nothing_in_the_pot_he_is_folded_and_the_bring_in_passes_on(room: Room) -> None:
    table = Clocked(room, ante=0)
    opener = table.clock.seat
    table.at(31)
    assert [type(event) for event in table.stored()[-2:]] == [e.TimedOut, e.Folded]
    assert table.timed_out()[0].outcome == "fold"
    table.reload()
    assert table.clock.seat != opener
    assert {choice.action for choice in table.last.legal} == {"fold", "bring_in", "bet"}


def test_a_house_that_checks_or_folds_does_so(room: Room) -> None:
    table = Clocked(room, timeout_outcome="check_or_fold")
    table.at(31)
    assert table.timed_out()[-1].outcome == "bring_in"
    table.reload()
    table.at(31)
    assert table.timed_out()[-1].outcome == "fold"
    table.reload()
    table.act("call")
    table.at(31)
    assert table.timed_out()[-1].outcome == "check"


def test_a_house_without_a_clock_waits_for_ever(room: Room) -> None:
    table = Clocked(room, clock=None)
    before = table.stored()
    table.let_pass(20)
    table.stand_still(3600)
    table.let_pass(20)
    assert table.stored() == before
    assert table.server.watched == 0


# -- connections and pauses ------------------------------------------------------------------------


def test_who_is_disconnected_has_twenty_seconds_more_once(table: Clocked) -> None:
    seat = table.clock.seat
    table.at(12)
    table.do(c.Disconnect(seat=seat))
    table.at(31)
    table.do(c.Reconnect(seat=seat))
    table.do(c.Disconnect(seat=seat))
    table.at(50.4)
    assert table.timed_out() == []
    table.at(50.5)
    (timed_out,) = table.timed_out()
    assert timed_out.disconnected_at == table.clock.started_at + timedelta(seconds=12)


def test_who_comes_back_in_time_has_not(table: Clocked) -> None:
    table.at(12)
    table.do(c.Disconnect(seat=table.clock.seat))
    table.at(29)
    table.do(c.Reconnect(seat=table.clock.seat))
    table.at(30.5)
    assert len(table.timed_out()) == 1


def test_the_floor_stops_the_clock_and_lets_it_run_again(table: Clocked) -> None:
    table.at(20)
    table.do(c.PauseClock(reason="a card fell"), FLOOR)
    table.let_pass(100)
    assert table.timed_out() == []
    table.do(c.ResumeClock(reason="play on"), FLOOR)
    table.at(130.4)
    assert table.timed_out() == []
    table.at(130.5)
    assert table.timed_out()[0].deadline == table.clock.started_at + timedelta(seconds=130)


# -- whoever is first ------------------------------------------------------------------------------


def test_an_action_that_arrived_in_time_wins_over_the_clock(table: Clocked) -> None:
    deadline = table.clock.deadline
    table.at(30.4)
    table.do(c.PostBringIn(seat=table.clock.seat, at=deadline))
    table.let_pass(10)
    assert table.timed_out() == []
    assert table.stored()[-1].at == deadline


def test_what_came_a_moment_ago_is_looked_for_before_a_turn_is_ended(table: Clocked) -> None:
    """No notification has been heard, and time is up."""
    table.at(30)
    table.do(c.PostBringIn(seat=table.clock.seat))
    table.time.pass_by(0.9)
    table.server.tick(look=False)
    assert table.timed_out() == []


def test_an_action_after_the_deadline_is_too_late_even_before_the_clock_says_so(
    table: Clocked,
) -> None:
    table.at(30.3)
    with pytest.raises(TooLate):
        table.do(c.PostBringIn(seat=table.clock.seat))
    table.at(30.5)
    assert len(table.timed_out()) == 1


def test_several_servers_end_a_turn_once(room: Room) -> None:
    tables = [Clocked(room) for _ in range(4)]
    time = tables[0].time
    servers = [Scheduler(live_in(room, time), TERMS) for _ in range(4)]
    for server in servers:
        server.tick()
    time.pass_by(3)
    for server in servers:
        server.tick()
    for _ in range(7):
        time.pass_by(4)
        with ThreadPoolExecutor(4) as at_once:
            list(at_once.map(lambda server: server.tick(), servers))
    assert [len(table.timed_out()) for table in tables] == [1] * 4
    assert [table.attempts() for table in tables] == [()] * 4


def test_who_is_overtaken_leaves_it_at_that(table: Clocked) -> None:
    """The second server has read the hand, and the first one ends the turn."""
    second = Scheduler(live_in(table.live.room, table.time), TERMS)
    table.let_pass(30, table.server, second)
    table.time.pass_by(0.5)
    table.server.tick()
    second.tick(look=False)
    assert len(table.timed_out()) == 1


def test_a_server_that_starts_in_the_middle_of_a_turn_keeps_its_deadline(table: Clocked) -> None:
    table.at(20)
    again = Scheduler(live_in(table.live.room, table.time), TERMS)
    table.time.pass_by(4)
    table.let_pass(6.4, again)
    assert table.timed_out() == []
    table.let_pass(0.1, again)
    assert table.timed_out()[0].deadline == table.clock.deadline


# -- finding the hands -----------------------------------------------------------------------------


def test_hands_are_found_where_the_tables_say_and_in_what_the_log_brought_since(
    room: Room,
) -> None:
    known = Clocked(room)
    ended = Clocked(room)
    projector_of(room).catch_up()
    ended.to_the_end()
    new = Clocked(room)
    late = Scheduler(live_in(room, new.time), TERMS)
    late.tick()
    assert late.watched == 2
    later = Clocked(room)
    later.time = new.time
    late.tick()
    assert late.watched == 3
    new.let_pass(31, late)
    assert [len(table.timed_out()) for table in (known, new, later)] == [1, 1, 1]
    assert ended.timed_out() == []


def test_a_hand_nobody_can_read_stops_no_other_clock(room: Room) -> None:
    broken, sound = Clocked(room), Clocked(room)
    sound.server.tick()
    garbage = Append(
        stream=broken.hand,
        expected=len(broken.stored()),
        facts=(Fact("called.v1", b'{"type":"called.v1","seat":9,"amount":1,"all_in":false}'),),
        actor="test",
    )
    room.store.append([garbage])
    sound.let_pass(31)
    assert len(sound.timed_out()) == 1
    assert sound.server.watched == 1


def test_what_one_server_cannot_do_another_does(room: Room, tmp_path: Path) -> None:
    """Without the room's key no cards are dealt, so no turn is ended that leads to them."""
    table = Clocked(room)
    keyless = Decks(room.pool, Sealer(tmp_path / "other.key", room.settings.room))
    wrong = Scheduler(Live(room, keyless, table.time, KeptHands()), TERMS)
    table.act("bring_in")
    table.act("call")
    table.let_pass(45, wrong)
    assert table.timed_out() == []
    table.let_pass(1, wrong, table.server)
    assert len(table.timed_out()) == 1
    assert table.reload().hand.betting.street == 4


# -- hands that stand still ------------------------------------------------------------------------


def test_cards_that_were_due_when_somebody_went_away_are_dealt(table: Clocked) -> None:
    table.act("bring_in")
    table.act("call")
    last_call = decide(table.last.hand, c.Call(seat=table.clock.seat, at=table.time()))
    alone = Append(
        stream=table.hand, expected=len(table.stored()), facts=facts(last_call), actor="test"
    )
    table.live.store.append([alone])
    table.let_pass(3)
    noted, *dealt, opened = table.stored()[-5:]
    assert isinstance(noted, e.IncidentNoted)
    assert [event.street for event in dealt if isinstance(event, e.CardsDealt)] == [4, 4, 4]
    assert isinstance(opened, e.BettingOpened)


def test_cards_of_an_external_deck_are_waited_for(room: Room) -> None:
    table = Clocked(room, deck=EXTERNAL)
    before = table.stored()
    table.let_pass(60)
    assert table.stored() == before


# -- the agenda ------------------------------------------------------------------------------------


def test_the_agenda_has_each_hand_once_at_its_last_moment() -> None:
    agenda, hands = Agenda(), [UUID(int=n) for n in range(4)]
    for seconds, hand in enumerate(hands):
        agenda.put(hand, NOON + timedelta(seconds=seconds))
    agenda.put(hands[0], NOON + timedelta(seconds=9))
    agenda.put(hands[1], None)
    agenda.put(hands[2], NOON + timedelta(seconds=2))
    assert agenda.next == NOON + timedelta(seconds=2)
    assert list(agenda.take_due(NOON + timedelta(seconds=1))) == []
    assert list(agenda.take_due(NOON + timedelta(seconds=10))) == [hands[2], hands[3], hands[0]]
    assert (agenda.next, len(agenda)) == (None, 0)
