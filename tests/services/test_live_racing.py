"""Several servers at one hand: of two that answer a turn one does, and nothing is done twice."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from domain import commands as c
from domain import events as e
from domain.errors import Refused
from domain.tables import events as t
from domain.verdict import judge
from services.dealing import EXTERNAL
from services.embedded import Server
from services.live import Acted, Live, TurnMoved, begin_hand, handle
from services.store.port import Append
from services.store.room import Room, open_room
from services.tables.loading import facts as table_facts
from tests.conftest import fresh_settings
from tests.support.live import (
    DEALER,
    NOON,
    SimulatedClock,
    TableInPlay,
    chips_at,
    keyed,
    live_in,
    opened,
    player,
    table_with,
)
from tests.support.live_faults import interrupted, interrupted_reading


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


def test_a_disconnection_between_does_not_cost_a_player_his_turn(table: TableInPlay) -> None:
    other = next(s for s in table.stacks() if s != table.last.legal[0].seat)
    slow = interrupted(
        table.live, lambda: handle(table.live, table.hand, c.Disconnect(seat=other), DEALER)
    )
    table.do(table.choice("bring_in"), turn=table.last.turn, live=slow)
    kinds = [type(event) for event in table.stored()]
    assert kinds[-2:] == [e.PlayerDisconnected, e.BringInPosted]
    assert not table.attempts()


@pytest.mark.parametrize("named", [True, False])
def test_of_two_servers_that_answer_one_turn_the_slower_is_told_it_moved(
    table: TableInPlay, named: bool
) -> None:
    command, turn = table.choice("bring_in"), table.last.turn
    slow = interrupted(table.live, lambda: handle(table.live, table.hand, command, DEALER, turn))
    with pytest.raises(TurnMoved):
        handle(slow, table.hand, command, DEALER, turn if named else None)
    assert [type(event) for event in table.stored()].count(e.BringInPosted) == 1


def test_a_table_that_changed_while_its_hand_ended_is_read_again(table: TableInPlay) -> None:
    table.act("bring_in")
    table.act("fold")
    late = t.PlayerSeated(seat=8, player=str(player(8)), stack=700, at=NOON)

    def sit_down() -> None:
        table.live.store.append(
            [
                Append(
                    stream=table.id,
                    expected=table.table().version,
                    facts=table_facts([late]),
                    actor="f",
                )
            ]
        )

    over = table.do(table.choice("fold"), live=interrupted(table.live, sit_down))
    assert over.hand.completed
    assert table.stacks()[8] == 700
    assert table.table().table.playing is None


def test_two_servers_race_for_each_turn_of_a_hand_and_one_of_them_wins_it(place: Room) -> None:
    clock = SimulatedClock()
    servers = [live_in(place, clock), live_in(place, clock)]
    table = TableInPlay(servers[0])
    table.begin()
    with ThreadPoolExecutor(2) as both:
        while table.last.legal:
            names = [choice.action for choice in table.last.legal]
            name = next(n for n in ("bring_in", "check", "call") if n in names)
            command, turn = table.choice(name), table.last.turn

            def answer(server: Live, command: c.HandCommand = command, turn: str = turn) -> object:
                try:
                    return handle(server, table.hand, command, DEALER, turn)
                except (TurnMoved, Refused) as no:
                    return no

            answers = list(both.map(answer, servers))
            (table.last,) = [one for one in answers if not isinstance(one, Exception)]
            (lost,) = [one for one in answers if isinstance(one, Exception)]
            assert isinstance(lost, TurnMoved) or table.last.hand.completed
    assert judge(table.stored()).verdict == "clean"
    assert chips_at(table.last) == 30_000


def test_of_two_servers_that_begin_a_hand_one_does(place: Room) -> None:
    servers = [live_in(place), live_in(place)]
    table = table_with(servers[0], {1: 1000, 2: 1000}, opened())

    def begin(server: Live) -> object:
        try:
            return begin_hand(server, table, None, EXTERNAL, DEALER)
        except Refused as no:
            return no

    with ThreadPoolExecutor(2) as both:
        answers = list(both.map(begin, servers))
    assert sorted(isinstance(one, Refused) for one in answers) == [False, True]


def test_who_is_overtaken_at_the_end_of_a_hand_gets_the_answer_of_his_own_request(
    table: TableInPlay,
) -> None:
    table.act("bring_in")
    table.act("fold")
    command, turn, by = table.choice("fold"), table.last.turn, keyed(DEALER, "k")
    first: list[Acted] = []

    def ask() -> None:
        first.append(handle(table.live, table.hand, command, by, turn))

    slow = interrupted_reading(table.live, table.id, ask)
    again = handle(slow, table.hand, command, by, turn)
    assert again.repeated
    assert again.events == first[0].events
    assert again.hand.completed


def test_who_is_overtaken_by_another_at_the_end_of_a_hand_is_told_it_is_over(
    table: TableInPlay,
) -> None:
    table.act("bring_in")
    table.act("fold")
    command, turn = table.choice("fold"), table.last.turn
    slow = interrupted_reading(
        table.live, table.id, lambda: handle(table.live, table.hand, command, DEALER, turn)
    )
    with pytest.raises(Refused, match="the hand is over"):
        handle(slow, table.hand, command, DEALER, turn)
    assert table.table().table.playing is None


def test_who_is_overtaken_at_a_beginning_gets_the_hand_of_his_own_request(place: Room) -> None:
    live, by = live_in(place), keyed(DEALER, "k")
    table = table_with(live, {1: 1000, 2: 1000}, opened())
    first: list[Acted] = []
    slow = interrupted_reading(
        live, table, lambda: first.append(begin_hand(live, table, None, EXTERNAL, by))
    )
    again = begin_hand(slow, table, None, EXTERNAL, by)
    assert again.repeated
    assert again.events == first[0].events
