"""A live hand: begun at a table, played command by command, ended with its chips back there."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from domain import commands as c
from domain import events as e
from domain.cards import DECK
from domain.consequences import cards_due
from domain.errors import NotAllowedNow, Refused
from domain.tables import events as t
from domain.verdict import judge
from services.dealing import EXTERNAL, supplied
from services.demo.storing import store_demo
from services.embedded import Server
from services.live import (
    By,
    Live,
    NotDealtHere,
    NotYourSeat,
    TooLate,
    TurnMoved,
    begin_hand,
    handle,
)
from services.lookup import UnknownHand
from services.store.port import Append, facts
from services.store.room import Room, open_room
from services.tables import UnknownTable, hand_of
from services.tables.loading import facts as table_facts
from tests.conftest import fresh_settings
from tests.support.bdd import started
from tests.support.live import (
    DEALER,
    FLOOR,
    NOON,
    TableInPlay,
    live_in,
    player,
)


@pytest.fixture(scope="module")
def place(server: Server) -> Iterator[Room]:
    """One room for the whole file: tables do not meet."""
    with open_room(fresh_settings(server)) as room:
        yield room


@pytest.fixture
def live(place: Room) -> Live:
    return live_in(place)


@pytest.fixture
def table(live: Live) -> TableInPlay:
    table = TableInPlay(live)
    table.begin()
    return table


# -- a hand from beginning to end ------------------------------------------------------------------


def test_a_hand_begins_with_the_stacks_at_the_table_and_its_third_street(
    table: TableInPlay,
) -> None:
    first, *_ = table.stored()
    assert isinstance(first, e.HandStarted)
    assert {taken.seat: taken.stack for taken in first.seats} == table.stacks()
    assert first.deck.source == "shuffled"
    assert first.deck.commitment
    assert table.last.legal[0].action == "bring_in"
    playing = table.table().table.playing
    assert playing is not None
    assert playing.hand == table.hand


def test_a_hand_played_to_the_end_is_clean_and_leaves_its_chips_at_the_table(
    table: TableInPlay,
) -> None:
    before = sum(table.stacks().values())
    over = table.to_the_end("complete", "bet")
    assert over.hand.completed
    assert judge(table.stored()).verdict == "clean"
    assert table.stacks() == {p.seat: p.stack for p in over.hand.seats}
    assert sum(table.stacks().values()) + over.hand.rake == before
    assert table.table().table.playing is None
    assert over.hand.rake > 0


def test_the_answer_holds_the_new_events_with_their_places_in_the_log(table: TableInPlay) -> None:
    answer = table.act("bring_in")
    stored = table.live.store.load(table.hand)
    assert answer.events
    for happened in answer.events:
        fact = stored[happened.n - 1]
        assert (fact.position, e.decode(fact.state)) == (happened.position, happened.event)
    assert answer.history == table.stored()


def test_every_event_is_stamped_with_the_arrival_of_its_command(table: TableInPlay) -> None:
    at = NOON + timedelta(seconds=10)
    answer = table.do(replace(table.choice("bring_in"), at=at))
    assert {happened.event.at for happened in answer.events} == {at}


def test_cards_that_are_due_come_with_the_action_that_ended_the_street(table: TableInPlay) -> None:
    while not any(isinstance(h.event, e.CardsDealt) for h in table.last.events[1:]):
        table.act_somehow()
        assert len(table.last.events) < 20
    kinds = {type(happened.event) for happened in table.last.events}
    assert {e.CardsDealt, e.BettingOpened} <= kinds


def test_once_all_are_all_in_the_cards_run_out_to_the_end(live: Live) -> None:
    table = TableInPlay(live, {1: 25, 2: 20})
    over = table.begin()
    assert over.hand.completed
    assert sum(table.stacks().values()) + over.hand.rake == 45
    assert table.table().table.playing is None


def test_the_hands_of_a_table_follow_each_other_and_the_disc_moves(live: Live) -> None:
    table = TableInPlay(live)
    dealers = []
    for _ in range(3):
        dealers.append(table.begin().hand.started.dealer)
        table.to_the_end()
    assert dealers == [1, 2, 3]
    assert table.table().table.hands_begun == 3


def test_a_number_that_came_from_elsewhere_is_not_given_to_a_hand_that_begins(live: Live) -> None:
    table = TableInPlay(live)
    told = [hand_of(table.table(), ordinal) for ordinal in range(1, 122)]
    start = facts([started()])
    live.store.append([Append(stream=one, expected=0, facts=start, actor="t") for one in told])
    numbers = []
    for _ in range(2):
        numbers.append(table.begin().hand.started.number.rpartition("-")[2])
        table.to_the_end("fold")
    assert numbers == ["122", "123"]


def test_a_supplied_deck_is_dealt_in_its_order(live: Live) -> None:
    table = TableInPlay(live)
    table.begin(supplied(DECK))
    dealt = [h.event for h in table.last.events if isinstance(h.event, e.CardsDealt)]
    assert {card for one in dealt for card in (*one.down, *one.up)} == set(DECK[:9])
    assert sorted(place for one in dealt for place in one.positions or ()) == list(range(9))


def test_cards_of_an_external_deck_come_from_who_deals_it(live: Live) -> None:
    table = TableInPlay(live)
    table.begin(EXTERNAL)
    assert table.last.legal == ()
    left = iter(DECK)
    while not table.last.hand.completed:
        due = cards_due(table.last.hand)
        if due is not None:
            table.do(c.Deal(cards=tuple(next(left) for _ in range(due.cards))))
        else:
            table.act(next(x.action for x in table.last.legal if x.action != "fold"))
    assert judge(table.stored()).verdict == "clean"


def test_nobody_adds_cards_to_a_deck_that_is_here(table: TableInPlay) -> None:
    with pytest.raises(NotAllowedNow, match="own deck"):
        table.do(c.Deal(cards=DECK[:3]))


def test_a_void_gives_everybody_back_what_he_put_in(table: TableInPlay) -> None:
    before = table.stacks()
    table.act("bring_in")
    answer = table.do(c.Void(reason="fouled deck"), FLOOR)
    assert answer.hand.voided
    assert table.stacks() == before
    assert table.table().table.playing is None


def test_who_asked_to_leave_leaves_with_the_end_of_the_hand(table: TableInPlay) -> None:
    loaded = table.table()
    leaving = table_leaving(loaded.id, loaded.version)
    table.live.store.append([leaving])
    over = table.to_the_end()
    assert 1 not in table.stacks()
    assert sum(table.stacks().values()) == sum(p.stack for p in over.hand.seats if p.seat != 1)


def table_leaving(table: UUID, version: int) -> Append:
    return Append(
        stream=table, expected=version, facts=table_facts([t.PlayerLeaving(seat=1)]), actor="floor"
    )


# -- refusals --------------------------------------------------------------------------------------


def test_a_refused_action_changes_nothing_and_leaves_evidence(table: TableInPlay) -> None:
    before, seat = table.stored(), table.last.legal[0].seat
    with pytest.raises(Refused) as no:
        table.do(c.Check(seat=seat), turn=table.last.turn)
    assert no.value.rule == "S4"
    assert no.value.legal == table.last.legal
    assert table.stored() == before
    (attempt,) = table.attempts()
    assert (attempt.command, attempt.seat, attempt.kind, attempt.rule) == (
        "check",
        seat,
        "refused",
        "S4",
    )
    assert attempt.text == str(no.value)
    assert attempt.step == len(before)


def test_what_comes_after_the_end_is_refused_but_a_note(table: TableInPlay) -> None:
    turn = table.last.turn
    seat = table.last.legal[0].seat
    over = table.to_the_end()
    for command in (c.Fold(seat=seat), c.Void(reason="late"), c.Disconnect(seat=seat)):
        with pytest.raises(Refused) as no:
            handle(table.live, table.hand, command, DEALER, turn)
        assert no.value.rule == "B9"
    noted = table.do(c.NoteIncident(kind="spill", text="coffee"), FLOOR)
    assert noted.turn == over.turn
    assert len(table.attempts()) == 3


def test_a_hand_that_others_dealt_is_not_acted_in(place: Room, live: Live) -> None:
    posted = replace(started(), source=e.Source(kind="posted", format=None, text_sha256=None))
    ours = started()  # Dealt, at a table that is none of this room.
    for start in (posted, ours):
        hand = uuid4()
        live.store.append([Append(stream=hand, expected=0, facts=facts([start]), actor="t")])
        with pytest.raises(NotDealtHere):
            handle(live, hand, c.Fold(seat=1), DEALER)


def test_what_is_no_hand_is_unknown(table: TableInPlay) -> None:
    for stream in (uuid4(), table.id):
        with pytest.raises(UnknownHand):
            handle(table.live, stream, c.Fold(seat=1), DEALER)
    with pytest.raises(UnknownTable):
        begin_hand(table.live, table.hand, None, EXTERNAL, DEALER)


def test_an_imported_or_demonstrated_hand_is_over_or_not_dealt_here(
    another: object, live: Live
) -> None:
    room = another()
    shown = store_demo(room, 6)
    with pytest.raises(NotDealtHere):
        handle(live_in(room), shown.arranged[0].hand, c.Void(reason="why not"), FLOOR)


def test_a_player_acts_at_his_own_seat_only(table: TableInPlay) -> None:
    seat = table.last.legal[0].seat
    other = next(s for s in table.stacks() if s != seat)
    stranger = By(actor=str(uuid4()), role="player", player=player(other))
    with pytest.raises(NotYourSeat):
        table.do(c.PostBringIn(seat=seat), stranger)
    with pytest.raises(NotYourSeat):
        table.do(c.Void(reason="mine"), stranger)
    himself = By(actor=str(uuid4()), role="player", player=player(seat))
    assert table.do(c.PostBringIn(seat=seat), himself).events
    assert not table.attempts()


def test_while_a_hand_is_played_no_other_begins(table: TableInPlay) -> None:
    before = table.stored()
    with pytest.raises(Refused, match="being played"):
        begin_hand(table.live, table.id, None, EXTERNAL, DEALER)
    assert table.stored() == before


# -- turns -----------------------------------------------------------------------------------------


def test_a_turn_that_was_answered_cannot_be_answered_again(table: TableInPlay) -> None:
    turn, seat = table.last.turn, table.last.legal[0].seat
    now = table.act("bring_in")
    with pytest.raises(TurnMoved) as moved:
        handle(table.live, table.hand, c.PostBringIn(seat=seat), DEALER, turn)
    assert (moved.value.turn, moved.value.legal) == (now.turn, now.legal)
    (attempt,) = table.attempts()
    assert (attempt.kind, attempt.rule, attempt.turn) == ("turn_moved", None, turn)


def test_of_what_was_named_as_a_turn_only_turns_are_kept(table: TableInPlay) -> None:
    with pytest.raises(TurnMoved):
        table.act("bring_in", turn="W/" + "x" * 4000)
    assert table.attempts()[0].turn is None


def test_what_moves_no_bet_leaves_the_turn_as_it_is(table: TableInPlay) -> None:
    turn = table.last.turn
    for command in (
        c.Disconnect(seat=1),
        c.Reconnect(seat=1),
        c.NoteIncident(kind="spill", text="coffee"),
        c.PauseClock(reason="fire alarm"),
        c.ResumeClock(reason="false alarm"),
    ):
        assert table.do(command, FLOOR).turn == turn
    assert table.act("bring_in", turn=turn).turn != turn


def test_a_turn_of_another_hand_is_not_this_one(live: Live) -> None:
    one, other = TableInPlay(live), TableInPlay(live)
    one.begin()
    other.begin()
    assert len(one.last.history) == len(other.last.history)
    with pytest.raises(TurnMoved):
        one.act("bring_in", turn=other.last.turn)


# -- the clock -------------------------------------------------------------------------------------


def test_an_action_at_the_deadline_counts_and_one_after_it_does_not(table: TableInPlay) -> None:
    clock = table.last.clock
    assert clock is not None
    in_time, late = clock.deadline, clock.deadline + timedelta(microseconds=1)
    command = table.choice("bring_in")
    with pytest.raises(TooLate) as no:
        table.do(replace(command, at=late), turn=table.last.turn)
    assert (no.value.rule, no.value.legal) == ("C1", ())
    (attempt,) = table.attempts()
    assert (attempt.kind, attempt.arrived_at, attempt.deadline) == ("late", late, in_time)
    assert table.do(replace(command, at=in_time), turn=table.last.turn).events


def test_a_turn_runs_out_after_its_deadline_with_its_evidence(table: TableInPlay) -> None:
    clock = table.last.clock
    assert clock is not None
    out = c.TimeOut(seat=clock.seat, at=clock.deadline)
    with pytest.raises(Refused, match="before the deadline"):
        table.do(out)
    answer = table.do(replace(out, at=clock.deadline + timedelta(seconds=1)))
    timed_out = answer.events[0].event
    assert isinstance(timed_out, e.TimedOut)
    assert (timed_out.turn_started_at, timed_out.deadline) == (clock.started_at, clock.deadline)
    assert not table.attempts()


def test_while_the_clock_is_stopped_no_turn_runs_out(table: TableInPlay) -> None:
    clock = table.last.clock
    assert clock is not None
    table.do(c.PauseClock(reason="fire alarm"), FLOOR)
    much_later = clock.deadline + timedelta(hours=1)
    with pytest.raises(Refused, match="stopped"):
        table.do(c.TimeOut(seat=clock.seat, at=much_later))
    table.do(replace(table.choice("bring_in"), at=much_later))
