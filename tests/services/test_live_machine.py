"""Whole hands at a table through two servers, whoever asks for whatever, however often."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

from domain import commands as c
from domain import events as e
from domain.consequences import cards_due
from domain.errors import Refused
from domain.verdict import judge
from services.dealing import EXTERNAL, DeckWish, shuffle, supplied
from services.demo.bot import command_for
from services.embedded import Server
from services.errors import DatabaseUnreachable
from services.live import Acted, KeyReused, TurnMoved, begin_hand, handle
from services.store.room import Room, open_room
from tests.conftest import fresh_settings
from tests.support.live import DEALER, SimulatedClock, TableInPlay, chips_at, keyed, live_in
from tests.support.live import opened as opening
from tests.support.live_faults import interrupted, losing_answers
from tests.support.strategies import wild_commands

PATIENT = settings(
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
QUICK = settings(PATIENT, max_examples=10, stateful_step_count=30, phases=[Phase.generate])
LONG = settings(PATIENT, max_examples=150, stateful_step_count=80)
MOST_COMMANDS = 300

Asked = tuple[Callable[[], Acted], object]
"""A request under a key, and what was answered at first: an answer, or a refusal in words."""


@pytest.fixture(scope="module")
def place(server: Server) -> Iterator[Room]:
    """One room for all examples: tables do not meet."""
    with open_room(fresh_settings(server)) as room:
        yield room


class TableMachine(RuleBasedStateMachine):
    """A table, two servers, and people who ask for anything, twice, too late and at once."""

    room: Room

    @initialize(
        game=st.sampled_from(("stud", "stud8", "stud_hilo")),
        real=st.booleans(),
        stacks=st.lists(st.integers(20, 6000), min_size=2, max_size=6),
    )
    def open(self, game: Any, real: bool, stacks: list[int]) -> None:
        clock = SimulatedClock()
        self.clock = clock
        self.servers = [live_in(self.room, clock), live_in(self.room, clock)]
        taken = dict(enumerate(stacks, 1))
        self.table = TableInPlay(self.servers[0], taken, opening(real=real, game=game))
        self.log: list[e.HandEvent] = []
        self.turns: list[str] = []
        self.requests: list[Asked] = []
        self.asked = 0

    # -- what anybody may do ------------------------------------------------------------------

    @precondition(lambda self: not self.in_play and self.can_begin)
    @rule(seed=st.integers(0, 10**6), external=st.booleans(), at=st.integers(0, 1))
    def begin(self, seed: int, external: bool, at: int) -> None:
        self.dice = random.Random(seed)
        self.deck = list(shuffle(self.dice.randrange))
        self.chips = sum(self.table.stacks().values())
        wish: DeckWish = EXTERNAL if external else supplied(tuple(self.deck))
        by, live, table = keyed(DEALER, self.key()), self.servers[at], self.table.id
        self.log, self.turns, self.requests = [], [], []
        self.request(lambda: begin_hand(live, table, None, wish, by))

    @precondition(lambda self: self.in_play)
    @rule(at=st.integers(0, 1), lost=st.booleans())
    def legal(self, at: int, lost: bool) -> None:
        self.ask(self.next_legal(), self.table.last.turn, at, lost=lost)

    @precondition(lambda self: self.begun)
    @rule(data=st.data(), at=st.integers(0, 1))
    def anything(self, data: st.DataObject, at: int) -> None:
        started = self.table.last.hand.started
        command = replace(data.draw(wild_commands(started)), at=None)
        turn = data.draw(st.none() | st.sampled_from(self.turns))
        if not isinstance(command, c.TimeOut):  # Nobody but the clock asks for that.
            self.ask(command, turn, at)

    @precondition(lambda self: self.begun and self.requests)
    @rule(data=st.data())
    def again(self, data: st.DataObject) -> None:
        ask, first = data.draw(st.sampled_from(self.requests))
        assert answered(ask) == first

    @precondition(lambda self: self.in_play)
    @rule(at=st.integers(0, 1))
    def race(self, at: int) -> None:
        """Both servers answer one turn; the one asked first is a moment slower."""
        command, turn, hand = self.next_legal(), self.table.last.turn, self.table.hand
        won: list[Acted] = []
        fast, slow = (
            self.servers[at],
            interrupted(
                self.servers[1 - at],
                lambda: won.append(handle(fast, hand, command, DEALER, turn)),
            ),
        )
        with pytest.raises((TurnMoved, Refused)):
            handle(slow, hand, command, DEALER, turn)
        self.take(won[0])

    @precondition(lambda self: self.in_play)
    @rule(at=st.integers(0, 1), data=st.data())
    def meanwhile(self, at: int, data: st.DataObject) -> None:
        """Somebody's connection is lost while another's action is on its way."""
        seat = data.draw(st.sampled_from([p.seat for p in self.table.last.hand.seats]))
        command, turn, hand = self.next_legal(), self.table.last.turn, self.table.hand
        first: list[Acted] = []
        slow = interrupted(
            self.servers[at],
            lambda: first.append(handle(self.servers[0], hand, c.Disconnect(seat=seat), DEALER)),
        )
        answer = handle(slow, hand, command, DEALER, turn)
        self.take(first[0])
        self.take(answer)

    @precondition(lambda self: self.in_play)
    @rule(at=st.integers(0, 1))
    def run_out(self, at: int) -> None:
        """Whoever is to act lets his time pass."""
        clock = self.table.last.clock
        if clock is None or clock.paused:
            return
        self.clock.time = max(self.clock.time, clock.deadline)
        late = self.next_legal()
        with pytest.raises(Refused) as no:
            handle(self.servers[at], self.table.hand, late, DEALER, self.table.last.turn)
        assert no.value.rule == "C1"
        self.take(handle(self.servers[at], self.table.hand, c.TimeOut(seat=clock.seat), DEALER))

    @precondition(lambda self: self.in_play and len(self.log) > 30)
    @rule(at=st.integers(0, 1))
    def call_off(self, at: int) -> None:
        self.ask(c.Void(reason="fouled deck"), None, at)

    def teardown(self) -> None:
        if not hasattr(self, "table"):
            return
        for _ in range(MOST_COMMANDS):
            if not self.in_play:
                break
            self.take(handle(self.servers[0], self.table.hand, self.next_legal(), DEALER))
        assert not self.in_play, "every hand ends"
        self.look()

    # -- what must hold -----------------------------------------------------------------------

    @property
    def begun(self) -> bool:
        return bool(self.log)

    @property
    def in_play(self) -> bool:
        return self.begun and not self.over

    @property
    def over(self) -> bool:
        hand = self.table.last.hand
        return hand.completed or hand.voided

    @property
    def can_begin(self) -> bool:
        return sum(stack > 0 for stack in self.table.stacks().values()) > 1

    def key(self) -> str:
        self.asked += 1
        return str(self.asked)

    def next_legal(self) -> c.HandCommand:
        """The cards that are due, or something the seat to act may do in time."""
        last = self.table.last
        due = cards_due(last.hand)
        if due is not None:
            left = [card for card in self.deck if card not in last.hand.seen]
            return c.Deal(cards=tuple(left[: due.cards]))
        choices = [one for one in last.legal if one.action != "fold" or self.dice.random() < 0.2]
        return command_for(self.dice.choice(choices or last.legal))

    def ask(self, command: c.HandCommand, turn: str | None, at: int, *, lost: bool = False) -> None:
        """A request under a key of its own; its answer may be lost, then it is sent again."""
        by, live, hand = keyed(DEALER, self.key()), self.servers[at], self.table.hand
        if lost:
            with pytest.raises(DatabaseUnreachable):
                handle(losing_answers(live), hand, command, by, turn)
        self.request(lambda: handle(live, hand, command, by, turn), lost=lost)
        with pytest.raises(KeyReused):
            handle(live, hand, command, keyed(DEALER, str(self.asked), "f" * 64), turn)

    def request(self, ask: Callable[[], Acted], *, lost: bool = False) -> None:
        first = answered(ask, take=lambda answer: self.take(answer, lost=lost))
        if first != "the turn had moved":
            self.requests.append((ask, first))

    def take(self, answer: Acted, *, lost: bool = False) -> None:
        """Acknowledged: these events are in the log once, after all before them."""
        assert answer.repeated == lost
        self.log += [happened.event for happened in answer.events]
        assert answer.history == tuple(self.log)
        self.table.last = answer
        self.turns.append(answer.turn)

    @invariant()
    def look(self) -> None:
        """The log holds what was acknowledged and nothing else, and no chip is lost or made."""
        if not self.begun:
            return
        assert self.table.stored() == tuple(self.log)
        last, stacks = self.table.last, self.table.stacks()
        brought = sum(p.started_with for p in last.hand.seats)
        assert chips_at(last) == brought
        playing = self.table.table().table.playing
        if not self.over:
            assert playing is not None
            assert playing.hand == self.table.hand
            assert sum(stacks.values()) == self.chips
            return
        assert playing is None
        assert sum(stacks.values()) == self.chips - last.hand.rake
        assert judge(self.log).verdict == "clean"


def answered(ask: Callable[[], Acted], take: Callable[[Acted], None] | None = None) -> object:
    """An answer as its receiver has it, or a refusal in words."""
    try:
        answer = ask()
    except TurnMoved:
        return "the turn had moved"
    except Refused as no:
        return str(no), no.rule, no.legal
    if take is not None:
        take(answer)
    return replace(answer, repeated=False)


def test_whatever_anybody_asks_at_a_table_its_chips_and_its_log_hold(place: Room) -> None:
    TableMachine.room = place
    run_state_machine_as_test(TableMachine, settings=QUICK)


@pytest.mark.slow
def test_whatever_anybody_asks_for_long_the_chips_and_the_log_hold(place: Room) -> None:
    TableMachine.room = place
    run_state_machine_as_test(TableMachine, settings=LONG)
