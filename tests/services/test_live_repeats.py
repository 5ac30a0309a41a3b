"""The same request again, after lost answers and restarts: done once, answered as at first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from domain import commands as c
from domain.errors import Refused
from services.dealing import EXTERNAL, SHUFFLED
from services.embedded import Server
from services.errors import DatabaseUnreachable
from services.live import Acted, By, KeyReused, TurnMoved, begin_hand, handle
from services.store.room import Room, open_room
from tests.conftest import fresh_settings
from tests.support.live import (
    DEALER,
    FLOOR,
    TableInPlay,
    keyed,
    live_in,
    opened,
    table_with,
)
from tests.support.live_faults import losing_answers

OTHER = By(actor=str(UUID(int=9)), role="dealer")


@pytest.fixture(scope="module")
def place(server: Server) -> Iterator[Room]:
    """One room for the whole file: tables do not meet."""
    with open_room(fresh_settings(server)) as room:
        yield room


@pytest.fixture
def table(place: Room) -> TableInPlay:
    table = TableInPlay(live_in(place))
    table.begin()
    return table


def told(acted: Acted) -> Acted:
    """An answer as its receiver has it, who cannot see whether it was given before."""
    return replace(acted, repeated=False)


# -- acting ----------------------------------------------------------------------------------------


def test_an_action_sent_again_is_answered_as_the_first_time(table: TableInPlay) -> None:
    by, command, turn = keyed(DEALER, "k"), table.choice("bring_in"), table.last.turn
    first = handle(table.live, table.hand, command, by, turn)
    stored = table.stored()
    again = handle(table.live, table.hand, command, by, turn)
    assert again.repeated
    assert told(again) == first
    assert table.stored() == stored


def test_the_first_answer_is_given_when_the_hand_has_long_gone_on(table: TableInPlay) -> None:
    by, command, turn = keyed(DEALER, "k"), table.choice("bring_in"), table.last.turn
    first = table.do(command, by, turn)
    table.to_the_end()
    after_a_restart = live_in(table.live.room)
    again = handle(after_a_restart, table.hand, command, by, turn)
    assert told(again) == first
    assert again.turn != table.last.turn


def test_after_a_lost_answer_the_action_is_told_and_not_done_again(table: TableInPlay) -> None:
    by, command, turn = keyed(DEALER, "k"), table.choice("bring_in"), table.last.turn
    before = len(table.stored())
    with pytest.raises(DatabaseUnreachable):
        handle(losing_answers(table.live), table.hand, command, by, turn)
    again = handle(table.live, table.hand, command, by, turn)
    assert again.repeated
    assert len(table.stored()) == before + len(again.events)


def test_a_lost_answer_at_the_end_of_a_hand_leaves_the_table_paid_once(table: TableInPlay) -> None:
    table.act("bring_in")
    table.act("fold")
    by, command, turn = keyed(DEALER, "last"), table.choice("fold"), table.last.turn
    with pytest.raises(DatabaseUnreachable):
        handle(losing_answers(table.live), table.hand, command, by, turn)
    again = handle(table.live, table.hand, command, by, turn)
    assert again.hand.completed
    assert table.stacks() == {p.seat: p.stack for p in again.hand.seats}
    assert table.table().table.playing is None


def test_without_a_key_the_same_action_again_is_told_that_the_turn_moved(
    table: TableInPlay,
) -> None:
    command, turn = table.choice("bring_in"), table.last.turn
    table.do(command, turn=turn)
    with pytest.raises(TurnMoved):
        handle(table.live, table.hand, command, DEALER, turn)


@pytest.mark.parametrize(
    "command",
    [
        c.Disconnect(seat=1),
        c.NoteIncident(kind="spill", text="coffee"),
        c.PauseClock(reason="fire alarm"),
        c.Void(reason="fouled deck"),
    ],
    ids=lambda command: type(command).__name__,
)
def test_whatever_is_sent_again_is_done_once(table: TableInPlay, command: c.HandCommand) -> None:
    by = keyed(FLOOR, "k")
    first = handle(table.live, table.hand, command, by)
    stored = table.stored()
    assert told(handle(table.live, table.hand, command, by)) == first
    assert table.stored() == stored


def test_the_same_key_twice_at_once_is_one_action_and_one_answer(place: Room) -> None:
    servers = [live_in(place), live_in(place)]
    table = TableInPlay(servers[0])
    table.begin()
    by, turn = keyed(DEALER, "k"), table.last.turn
    command = replace(table.choice("bring_in"), at=servers[0].now())
    with ThreadPoolExecutor(4) as all_at_once:
        answers = list(
            all_at_once.map(lambda s: handle(s, table.hand, command, by, turn), servers * 4)
        )
    assert all(told(answer) == told(answers[0]) for answer in answers)
    assert sum(not answer.repeated for answer in answers) == 1
    assert len(table.stored()) == len(answers[0].history)


# -- refusals --------------------------------------------------------------------------------------


def refusal(ask: Callable[[], object]) -> tuple[str, str, object]:
    with pytest.raises(Refused) as no:
        ask()
    return str(no.value), no.value.rule, no.value.legal


def test_what_was_refused_is_refused_the_same_though_it_were_legal_now(table: TableInPlay) -> None:
    by = keyed(DEALER, "k")
    seat = table.last.legal[0].seat
    check = c.Check(seat=seat)

    def ask() -> object:
        return handle(table.live, table.hand, check, by)

    first = refusal(ask)
    while not any(x.action == "check" and x.seat == seat for x in table.last.legal):
        table.act_somehow()
    assert refusal(ask) == first
    assert len(table.attempts()) == 1
    assert table.act("check").events


def test_a_late_action_sent_again_is_late_again(table: TableInPlay) -> None:
    clock, by = table.last.clock, keyed(DEALER, "k")
    assert clock is not None
    late = replace(table.choice("bring_in"), at=clock.deadline.replace(year=2027))
    first = refusal(lambda: handle(table.live, table.hand, late, by, table.last.turn))
    in_time = table.choice("bring_in")  # As if the deadline had been moved on meanwhile.
    assert refusal(lambda: handle(table.live, table.hand, in_time, by, table.last.turn)) == first
    assert first[1:] == ("C1", ())


def test_whose_turn_had_moved_may_ask_again_under_the_same_key(table: TableInPlay) -> None:
    stale = table.last.turn
    table.act("bring_in")
    by, command = keyed(DEALER, "k"), table.choice("fold")
    for _ in range(2):
        with pytest.raises(TurnMoved):
            handle(table.live, table.hand, command, by, stale)
    assert len(table.attempts()) == 1
    assert table.do(command, by, table.last.turn).events


def test_a_key_of_another_request_is_not_used_again(table: TableInPlay) -> None:
    turn = table.last.turn
    with pytest.raises(Refused):
        handle(table.live, table.hand, c.Check(seat=1), keyed(DEALER, "no", "a" * 64), turn)
    table.act("bring_in", keyed(DEALER, "yes", "a" * 64))
    stored = table.stored()
    for key in ("no", "yes"):
        with pytest.raises(KeyReused):
            handle(table.live, table.hand, table.choice("fold"), keyed(DEALER, key, "b" * 64))
    assert table.stored() == stored


def test_another_subject_with_the_same_key_asks_something_else(table: TableInPlay) -> None:
    table.act("bring_in", keyed(DEALER, "k"))
    answer = table.do(table.choice("fold"), keyed(OTHER, "k", "f" * 64))
    assert not answer.repeated


def test_a_key_that_began_a_hand_does_not_keep_a_later_one_from_ending(place: Room) -> None:
    table, by = TableInPlay(live_in(place)), keyed(DEALER, "k")
    table.begin(by=by)
    table.do(c.Void(reason="misdeal"), FLOOR)
    table.begin()
    table.act("bring_in")
    table.act("fold")
    over = table.do(table.choice("fold"), by)
    assert over.hand.completed
    assert table.table().table.playing is None


# -- beginning -------------------------------------------------------------------------------------


def test_a_hand_that_is_begun_again_under_its_key_is_the_same_hand(place: Room) -> None:
    live, by = live_in(place), keyed(DEALER, "k")
    table = table_with(live, {1: 1000, 2: 1000}, opened())
    first = begin_hand(live, table, None, SHUFFLED, by)
    handle(live, first.hand_id, c.Void(reason="misdeal"), FLOOR)
    again = begin_hand(live_in(place), table, None, SHUFFLED, by)
    assert told(again) == first
    assert not begin_hand(live, table, None, EXTERNAL, DEALER).repeated
    with pytest.raises(KeyReused):
        begin_hand(live, table, 2, SHUFFLED, keyed(DEALER, "k", "f" * 64))


def test_a_lost_answer_to_a_beginning_leaves_one_hand_and_its_deck(place: Room) -> None:
    live, by = live_in(place), keyed(DEALER, "k")
    table = TableInPlay(live)
    with pytest.raises(DatabaseUnreachable):
        begin_hand(losing_answers(live), table.id, None, SHUFFLED, by)
    again = table.begin(by=by)
    assert again.repeated
    assert table.to_the_end().hand.completed
    assert table.table().table.hands_begun == 1


def test_a_hand_begun_by_many_at_once_under_one_key_is_begun_once(place: Room) -> None:
    live, by = live_in(place), keyed(DEALER, str(uuid4()))
    table = table_with(live, {1: 1000, 2: 1000}, opened())
    with ThreadPoolExecutor(4) as all_at_once:
        answers = list(
            all_at_once.map(lambda _: begin_hand(live, table, None, SHUFFLED, by), range(6))
        )
    assert len({answer.hand_id for answer in answers}) == 1
    assert all(told(answer) == told(answers[0]) for answer in answers)
