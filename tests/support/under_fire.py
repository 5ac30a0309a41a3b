"""Bots at tables while all under them is killed, and what they were told meanwhile."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import groupby
from multiprocessing.connection import Connection
from threading import Condition, Event, Thread
from typing import NamedTuple
from uuid import UUID

import msgspec

from domain import events as e
from domain.evolve import replay
from domain.tables import events as t
from domain.tables import table as tables
from domain.verdict import judge
from services.api.answers import encode
from services.api.live_answers import live_answer
from services.cli.serving import serve_room
from services.embedded import Server
from services.live import Happened, Standing
from services.playing import Heard, Played, PlayWanted, play
from services.playing.running import Staff
from services.replaying import PUBLIC
from services.settings import Settings
from services.store.port import Recorded
from services.store.room import Room
from services.tables import LoadedTable, table_sheet
from tests.support.faults import FORKS, PATIENCE, cut, stop

NO_LIMIT = {"STUDLEDGER_RATE_PER_KEY": "1000000/second"}
ADDRESS = re.compile(rb"http://127\.0\.0\.1:(\d+)")
HANDS = re.compile(r"/v1/hands/[^/]+/(actions|connection|turn)|/v1/tables/[^/]+/hands")
ACTS = {
    f"{act}.v1" for act in ("folded", "checked", "called", "bet_placed", "raised", "completed")
} | {"bring_in_posted.v1"}
UNFORESEEN = ("request.failed", "clock.stopped", "projections.stopped", "log.stopped")


class Serving:
    """The service as a process of its own, always at one address however often it dies."""

    def __init__(self, settings: Settings) -> None:
        FORKS.set_forkserver_preload(["tests.support.doomed", "services.serving"])
        self._settings = settings
        self._port = 0
        self.said: list[bytes] = []
        self._launch()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def die_and_rise(self) -> None:
        """Killed without a word, and another one started there."""
        self.kill()
        self._launch()

    def listens(self) -> None:
        """Wait until it does."""
        found = ADDRESS.search(self._words.readline())
        assert found, "it serves"
        self._port = int(found[1])
        self._hearing = Thread(target=self.said.extend, args=(self._words,), daemon=True)
        self._hearing.start()

    def kill(self) -> None:
        self._process.kill()
        self._process.join(PATIENCE)
        self._hearing.join()
        self._words.close()

    def _launch(self) -> None:
        hearing, saying = FORKS.Pipe(duplex=False)
        given = (saying, self._settings, self._port)
        self._process = FORKS.Process(target=_serve, args=given, daemon=True)
        self._process.start()
        saying.close()
        self._words = os.fdopen(os.dup(hearing.fileno()), "rb")
        hearing.close()

    def unforeseen(self) -> list[bytes]:
        """What it said of mistakes of its own."""
        return [line for line in self.said if any(w.encode() in line for w in UNFORESEEN)]


def _serve(saying: Connection, settings: Settings, port: int) -> None:
    """In the new process: `studledger serve`, which tells us what it tells its operator."""
    os.dup2(saying.fileno(), sys.stderr.fileno())
    os.environ |= NO_LIMIT
    serve_room(settings, "127.0.0.1", port)


class Bots(Thread):
    """Bots who play until they are told that it is enough; what they heard, and how it ended."""

    def __init__(self, wanted: PlayWanted, addresses: Sequence[str], staff: Staff) -> None:
        super().__init__(daemon=True)
        self._given = (wanted, addresses, staff)
        self._enough = Event()
        self._moved = Condition()
        self._acted = 0
        self.heard: list[Heard] = []
        self.played: Played | None = None

    def run(self) -> None:
        try:
            self.played = asyncio.run(self._play(*self._given))
        finally:
            with self._moved:
                self._moved.notify()

    async def _play(self, wanted: PlayWanted, addresses: Sequence[str], staff: Staff) -> Played:
        return await play(wanted, addresses, staff, listener=self._hear, enough=self._enough.is_set)

    def _hear(self, heard: Heard) -> None:
        self.heard.append(heard)
        if heard.status == 200 and heard.path.endswith("/actions"):
            with self._moved:
                self._acted += 1
                self._moved.notify()

    def go_on(self, actions: int) -> None:
        """Wait until so many more actions are done."""
        with self._moved:
            wanted = self._acted + actions
            assert self._moved.wait_for(lambda: self._acted >= wanted, PATIENCE), "they play on"

    def to_the_end(self) -> Played:
        """No further hand; those that are being played are finished."""
        self._enough.set()
        self.join(2 * PATIENCE)
        assert self.played is not None, "every hand comes to an end"
        return self.played


# -- what goes wrong -------------------------------------------------------------------------------

Fault = Callable[[Server, Sequence[Serving]], None]


def one_server(database: Server, servers: Sequence[Serving]) -> None:
    """A server dies while the other goes on."""
    servers[0].die_and_rise()
    servers[0].listens()


def both_servers(database: Server, servers: Sequence[Serving]) -> None:
    """For a while there is nobody."""
    for server in servers:
        server.die_and_rise()
    for server in servers:
        server.listens()


def connections(database: Server, servers: Sequence[Serving]) -> None:
    """All connections to the database are cut."""
    assert cut(database) > 0


def the_database(database: Server, servers: Sequence[Serving]) -> None:
    """PostgreSQL dies without a word; the servers start it again, and the bots go on."""
    stop(database, signal.SIGKILL)


FAULTS: tuple[Fault, ...] = (one_server, connections, the_database, both_servers)


# -- what must hold --------------------------------------------------------------------------------


class TheHand:
    """A hand as it is stored."""

    def __init__(self, id_: UUID, facts: Sequence[Recorded]) -> None:
        self.id = id_
        self.facts = facts
        self.events = tuple(e.decode(fact.state) for fact in facts)

    @cached_property
    def choices(self) -> dict[str, set[tuple[str, ...]]]:
        """What could be done, by the token of the turn."""
        choices: dict[str, set[tuple[str, ...]]] = {}
        for n in range(1, len(self.events) + 1):
            then = Standing(self.id, self.events[:n])
            choices.setdefault(then.turn, set()).add(tuple(one.action for one in then.legal))
        return choices

    def told(self, steps: int, new: int, names: dict[str, str]) -> bytes:
        """The answer after so many events, of which so many were new."""
        then = Standing(self.id, self.events[:steps])
        happened = [
            Happened(fact.n, fact.position, event)
            for fact, event in zip(self.facts, self.events, strict=True)
        ][steps - new : steps]
        answer = live_answer(self.id, then.events, happened, then.turn, then.clock, PUBLIC, names)
        return encode(answer)


class _Frame(msgspec.Struct):
    step: int


class _Told(msgspec.Struct):
    """As much of an answer as says which one it is."""

    hand: UUID
    events: tuple[msgspec.Raw, ...]
    state: _Frame


class _Sheet(msgspec.Struct):
    table: UUID
    version: int


class _Moved(msgspec.Struct):
    turn: str
    legal: tuple[dict[str, object], ...]


class Record(NamedTuple):
    """All that is in the log of tables and hands."""

    hands: dict[UUID, TheHand]
    tables: dict[UUID, list[t.TableEvent]]


def record_of(room: Room, streams: Iterable[UUID]) -> Record:
    """The tables of these ids and all hands that were begun there, as they are stored."""
    of_tables = {
        table: [t.decode(fact.state) for fact in facts]
        for table, facts in room.store.load_many(list(streams)).items()
    }
    begun = [
        event.hand for events in of_tables.values() for event in events
        if isinstance(event, t.HandBegun)
    ]  # fmt: skip
    stored = room.store.load_many(begun)
    assert stored.keys() == set(begun)
    for facts in stored.values():
        assert [fact.n for fact in facts] == [*range(1, len(facts) + 1)]
    return Record({id_: TheHand(id_, facts) for id_, facts in stored.items()}, of_tables)


def require_once(record: Record, actions: int) -> None:
    """What was acknowledged was done once: as many acts as answers, each in one piece."""
    acts = 0
    for hand in record.hands.values():
        by_command = groupby(hand.facts, lambda fact: fact.command_id)
        told = [(command, [*facts]) for command, facts in by_command if command is not None]
        assert len({command for command, _ in told}) == len(told)
        acts += sum(facts[0].type in ACTS for _, facts in told)
    assert acts == actions


def require_as_told(room: Room, record: Record, heard: Sequence[Heard]) -> None:
    """Every answer anybody got is, to the byte, the one that follows from what is stored."""
    players = {s.player for hand in record.hands.values() for s in hand.events[0].seats}
    names = room.players.names(sorted(players))
    for one in heard:
        if one.status == 412:
            moved = msgspec.json.decode(one.content, type=_Moved)
            hand = record.hands[UUID(one.path.split("/")[3])]
            assert tuple(str(c["action"]) for c in moved.legal) in hand.choices[moved.turn]
        elif one.status == 200 and HANDS.fullmatch(one.path):
            told = msgspec.json.decode(one.content, type=_Told)
            hand = record.hands[told.hand]
            assert one.content == hand.told(told.state.step, len(told.events), names)
        elif one.status == 200:
            sheet = msgspec.json.decode(one.content, type=_Sheet)
            then = tables.replay(record.tables[sheet.table][: sheet.version])
            loaded = LoadedTable(id=sheet.table, table=then, version=sheet.version)
            assert one.content == encode(table_sheet(loaded, names))


def require_finished(record: Record) -> None:
    """Every hand came to its end, by the rules, and told its table."""
    ended = {
        event.hand: event.voided
        for events in record.tables.values() for event in events
        if isinstance(event, t.HandEnded)
    }  # fmt: skip
    assert ended.keys() == record.hands.keys()
    for id_, hand in record.hands.items():
        verdict = judge(hand.events)
        assert verdict.verdict == "clean"
        assert verdict.hand.completed or verdict.hand.voided
        assert verdict.hand.voided == ended[id_]


def require_conserved(record: Record) -> None:
    """What was brought to each table is there, was taken home, or is rake."""
    for events in record.tables.values():
        table = tables.replay(events)
        brought = taken = rake = 0
        for event in events:
            match event:
                case t.PlayerSeated(stack=stack):
                    brought += stack
                case t.ChipsAdded(amount=amount):
                    brought += amount
                case t.PlayerLeft(stack=stack):
                    taken += stack
                case t.HandEnded(hand=hand):
                    rake += replay(record.hands[hand].events).rake
        assert sum(sitting.chips for sitting in table.seats) + taken == brought - rake
