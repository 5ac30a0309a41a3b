"""Hands are kept between two commands, and yet only what the log has decides."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from domain import commands as c
from domain import events as e
from services.embedded import Server
from services.live import KeptHands, TurnMoved, handle
from services.live.standing import standing
from services.store.room import Room, open_room
from tests.conftest import fresh_settings
from tests.support.live import DEALER, TableInPlay, live_in


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


def test_a_kept_hand_goes_on_with_what_another_server_stored(table: TableInPlay) -> None:
    other = live_in(table.live.room)
    for server in (table.live, other, table.live, other):
        cheap = next(
            a.action for a in table.last.legal if a.action in ("bring_in", "check", "call")
        )
        table.do(table.choice(cheap), live=server)
        assert table.last.hand == standing(server.store, table.hand).hand


def test_a_server_that_kept_an_older_hand_does_not_decide_by_it(table: TableInPlay) -> None:
    other, turn, chosen = live_in(table.live.room), table.last.turn, table.choice("bring_in")
    table.do(chosen, live=other)
    with pytest.raises(TurnMoved) as moved:
        handle(table.live, table.hand, chosen, DEALER, turn)
    assert moved.value.turn == table.last.turn


def test_a_hand_that_the_log_does_not_have_as_it_is_kept_is_read_whole(table: TableInPlay) -> None:
    """As after a backup was restored under a running service."""
    store, kept = table.live.store, KeptHands()
    real = standing(store, table.hand)
    noted = e.IncidentNoted(kind="misdeal", text="never stored")
    ahead = real.gone_on([noted])
    for hand, last in ((ahead, b"{}"), (real, b"{}")):
        kept.keep(hand, last)
        assert kept.read(store, table.hand, None).events == real.events


def test_a_hand_that_is_over_is_kept_no_longer(table: TableInPlay) -> None:
    store, kept = table.live.store, KeptHands()
    before, last = standing(store, table.hand), store.states(table.hand)[-1]
    table.do(c.Void(reason="fouled deck"))
    over = standing(store, table.hand)
    kept.keep(before, last)
    kept.keep(over, store.states(table.hand)[-1])
    assert kept.read(store, table.hand, None).over
