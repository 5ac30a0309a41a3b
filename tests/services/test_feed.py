"""The feed over a real socket: each fact once and in order, whatever happens on the way."""

from __future__ import annotations

import contextlib
import gc
import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from domain import events as e
from domain.tables import events as t
from services.access import Keys, KeyWanted
from services.demo.hands import table_hands
from services.embedded import Server
from services.feed.ring import AT_ONCE, Ring
from services.feed.shown import FEED_TYPES, Shown
from services.feed.wanted import PAGE
from services.store.port import Append, facts
from services.tables.loading import facts as table_facts
from tests.support.faults import LISTENERS, append_unannounced, cut, parts_of, until
from tests.support.streams import Live, live, positions
from tests.support.told_hands import side_pot_hand

DEALT = [hand.events for hand in table_hands(8)]
SMALL = 48

Events = tuple[e.HandEvent, ...]


@pytest.fixture(scope="module")
def running(server: Server) -> Iterator[Live]:
    with live(server, "feeding") as running:
        yield running


# -- once and in order -----------------------------------------------------------------------------


def test_every_reader_gets_each_fact_once_and_in_order_beside_writers(running: Live) -> None:
    followers = [running.follow() for _ in range(3)]
    since = followers[0].begins
    with ThreadPoolExecutor(4) as writers:
        list(writers.map(lambda events: running.tell(events), DEALT[:4]))
    written = running.log(since)
    for follower in (*followers, running.follow(f"after={since}")):
        told = follower.take(len(written))
        assert [one.id for one in told] == positions(written)
        assert [(one.type, one.data["stream"], one.data["n"]) for one in told if one.data] == [
            (fact.type, str(fact.stream), fact.n) for fact in written
        ]


def test_a_fact_says_when_it_was_stored_and_what_it_is(running: Live) -> None:
    fact = running.log()[0]
    (told,) = running.follow("after=0&limit=1").take(2)
    assert told.data is not None
    assert list(told.data) == ["position", "stream", "n", "type", "recorded_at", "event"]
    assert datetime.fromisoformat(told.data["recorded_at"]) == fact.recorded_at
    assert told.data["event"] == json.loads(fact.state)


@pytest.mark.parametrize("seen", [0, 1, 17, 250])
def test_who_was_cut_off_goes_on_after_what_he_saw_last(running: Live, seen: int) -> None:
    first = running.follow("after=0")
    told = first.take(seen)
    first.close()
    at = told[-1].id if told else first.begins
    # The client repeats its first question: what it saw last goes before that.
    rest = running.follow("after=0", **{"Last-Event-ID": str(at)})
    assert rest.begins == at
    log = running.log()
    told += rest.take(len(log) - seen)
    assert [one.id for one in told] == positions(log)


def test_who_saw_nothing_yet_knows_where_he_began(running: Live) -> None:
    follower = running.follow()
    assert follower.begins >= running.log()[-1].position


def test_after_the_limit_the_stream_ends(running: Live) -> None:
    follower = running.follow("after=0&limit=3")
    assert [one.id for one in follower.take(10)] == positions(running.log()[:3])


# -- what goes wrong on the way --------------------------------------------------------------------


def test_a_fact_nobody_announced_is_found_by_looking(running: Live) -> None:
    follower = running.follow()
    (append,) = parts_of(uuid4(), side_pot_hand()[:3])
    head = append_unannounced(running.service.room, append)
    assert [one.id for one in follower.take(3)] == [head - 2, head - 1, head]


def test_a_listener_that_is_cut_off_listens_again(running: Live, server: Server) -> None:
    follower = running.follow()
    for events in DEALT[:2]:
        assert cut(server, LISTENERS)
        hand = running.tell(events)
        told = follower.take(len(events))
        assert [(one.data["stream"], one.data["n"]) for one in told if one.data] == [
            (str(hand), n) for n in range(1, len(events) + 1)
        ]


def test_who_stops_reading_holds_up_nobody_and_costs_no_memory(server: Server) -> None:
    others = alive(Shown)
    with live(server, "slowly", Ring(SMALL), narrow=True) as running, stalled(running) as slow:
        quick = running.follow()
        for _ in range(6):
            for events in DEALT:
                running.tell(events)
        written = running.log(quick.begins)
        assert [one.id for one in quick.take(len(written))] == positions(written)
        assert alive(Shown) - others <= SMALL + AT_ONCE + 2 * PAGE
        # He reads on in the end, and has missed nothing.
        log = running.log()
        assert numbers(slow, last=log[-1].position) == positions(log)


@contextlib.contextmanager
def stalled(running: Live) -> Iterator[socket.socket]:
    """Somebody who asks for everything and does not read."""
    with socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reader.connect(("127.0.0.1", running.port))
        key = running.service.headers("auditor")["Authorization"]
        request = f"GET /v1/feed?after=0 HTTP/1.1\r\nHost: here\r\nAuthorization: {key}\r\n\r\n"
        reader.sendall(request.encode())
        until(lambda: running.service.app.state.parts.feed.readers, "the reader to begin")
        yield reader


def numbers(reader: socket.socket, last: int) -> list[int]:
    """The ids of what comes until the last one."""
    found: list[int] = []
    lines = reader.makefile("r", encoding="utf-8", errors="replace", newline="\n")
    while not found or found[-1] != last:
        line = lines.readline()
        assert line
        if line.startswith("id: "):
            found.append(int(line[4:]))
    return found[1:]


def alive(kind: type) -> int:
    return sum(isinstance(one, kind) for one in gc.get_objects())


def test_a_service_told_to_stop_ends_the_streams_and_stops(server: Server) -> None:
    with contextlib.ExitStack() as followers:
        with live(server, "stopping", hands=0) as running:
            three = [followers.enter_context(running.follow()) for _ in range(3)]
            running.leaving.pop_all()
        assert [follower.take(1) for follower in three] == [[], [], []]


def test_a_service_told_to_stop_waits_not_for_ever_for_who_does_not_read(server: Server) -> None:
    with contextlib.ExitStack() as reading:
        with live(server, "leaving", hands=0, narrow=True) as running:
            slow = reading.enter_context(stalled(running))
            for events in DEALT:
                running.tell(events)
            running.follow(f"after=0&limit={len(running.log())}").take(1_000_000)
        assert slow.recv(1)


def test_who_goes_away_in_the_middle_is_forgotten_and_no_error(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    with live(server, "going") as running, capture_logs() as logged:
        for _ in range(10):
            follower = running.follow("after=0")
            follower.take(3)
            follower.close()
        feed = running.service.app.state.parts.feed
        until(lambda: not feed.readers, "the readers to be forgotten")
    assert {line["event"] for line in logged} == {"request"}
    assert not caplog.records


def test_with_its_key_a_stream_ends(running: Live) -> None:
    room = running.service.room
    keys = Keys(room.pool, room.store)
    for seconds in (3600.0, 0.3):
        ends = datetime.now(UTC) + timedelta(seconds=seconds)
        key = keys.issue(KeyWanted(subject="screen", role="dealer", expires_at=ends))
        follower = running.follow_with({"Authorization": f"Bearer {key.key}"})
        if seconds > 1:
            keys.revoke(key.id)
        assert follower.take(1) == []


# -- what is in it ---------------------------------------------------------------------------------


def test_only_facts_of_hands_and_tables_are_in_it(running: Live) -> None:
    follower = running.follow()
    running.service.headers("player", uuid4())  # Puts on record that a key was issued.
    hand = running.tell(DEALT[0][:1])
    (told,) = follower.take(1)
    assert told.data is not None
    assert told.data["stream"] == str(hand)
    assert {one.type for one in running.follow(f"after=0&limit={len(running.log())}")} <= FEED_TYPES


def test_a_hand_can_be_followed_alone(running: Live) -> None:
    hand = uuid4()
    first, *rest = parts_of(hand, DEALT[1])
    running.service.room.store.append([first])
    follower = running.follow(f"hand={hand}&after=0")
    for append in rest:
        running.tell(DEALT[2][:4])
        running.service.room.store.append([append])
    told = follower.take(len(DEALT[1]))
    assert [one.data["n"] for one in told if one.data] == [*range(1, len(DEALT[1]) + 1)]
    assert {one.data["stream"] for one in told if one.data} == {str(hand)}


def at_table(table: UUID, events: Events, kind: str = "dealt") -> Events:
    """The hand as if the table had begun it."""
    started = events[0]
    assert isinstance(started, e.HandStarted)
    source = replace(started.source, kind=kind)
    return (
        replace(started, table=replace(started.table, id=str(table)), source=source),
        *events[1:],
    )


def begin(running: Live, table: UUID, events: Events) -> tuple[UUID, int]:
    """A hand of a table, with what the table says of it; the hand, and how many facts."""
    hand, store = uuid4(), running.service.room.store
    started = events[0]
    assert isinstance(started, e.HandStarted)
    opened = t.TableOpened(
        name="A",
        game=started.game,
        stakes=started.stakes,
        money=started.money,
        house_rules=started.house_rules,
        rake_schedule=None,
        max_seats=8,
        site="here",
    )
    begun = t.HandBegun(hand=hand, number="1", dealer=started.dealer or 1, seats=started.seats)
    store.append(
        [
            Append(stream=table, expected=0, facts=table_facts((opened, begun)), actor="test"),
            Append(stream=hand, expected=0, facts=facts(at_table(table, events)), actor="test"),
        ]
    )
    return hand, 2 + len(events)


def test_a_tables_feed_has_its_own_facts_and_the_hands_it_began(running: Live) -> None:
    table, other = uuid4(), uuid4()
    begin(running, other, DEALT[3])
    hand, count = begin(running, table, DEALT[4])
    # Whoever tells of a hand elsewhere may call his table as he likes.
    running.tell(at_table(table, side_pot_hand(), "posted"))
    since = running.log()[-1].position
    past = running.follow(f"table={table}&after=0&limit={count}").take(count + 1)
    assert {one.data["stream"] for one in past if one.data} == {str(table), str(hand)}
    assert len(past) == count
    live_on = running.follow(f"table={table}&after={since}")
    running.tell(at_table(table, side_pot_hand(), "imported"))
    played = running.tell(at_table(table, DEALT[5]))
    told = live_on.take(len(DEALT[5]))
    assert {one.data["stream"] for one in told if one.data} == {str(played)}
