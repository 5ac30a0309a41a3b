"""Anybody asks anything of a table at any time: chips are conserved, and replay agrees."""

from __future__ import annotations

import random
from uuid import UUID

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from domain.errors import Refused
from domain.events import SeatStack
from domain.tables import commands as c
from domain.tables import events as t
from domain.tables.decide import decide
from domain.tables.table import Table, evolve, replay
from tests.domain.test_tables import FOR_FUN, OPENED
from tests.support.rule_ids import RULE_IDS

QUICK = settings(
    max_examples=40,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)

SEATS = st.integers(0, 8)
NAMES = ("anna", "beno", "carl", "dora")
PLAYERS = st.sampled_from(NAMES)
AMOUNTS = st.integers(0, 3) | st.integers(0, 5000)
AT_A_SEAT = (
    st.builds(c.TakeSeat, seat=SEATS, player=PLAYERS, stack=AMOUNTS)
    | st.builds(c.AddChips, seat=SEATS, amount=AMOUNTS)
    | st.builds(c.Leave, seat=SEATS)
    | st.builds(c.SitOut, seat=SEATS)
    | st.builds(c.SitIn, seat=SEATS)
)


def hand_id(ordinal: int) -> UUID:
    return UUID(int=ordinal)


def asks_of(seat: int, amount: int) -> tuple[c.TableCommand, ...]:
    """What somebody at that seat may want."""
    return (
        c.AddChips(seat=seat, amount=amount),
        c.SitOut(seat=seat),
        c.SitIn(seat=seat),
        c.SitIn(seat=seat),
        c.Leave(seat=seat),
    )


class TableMachine(RuleBasedStateMachine):
    """A table at which nobody is stopped from asking."""

    def __init__(self) -> None:
        super().__init__()
        self.table: Table | None = None
        self.log: list[t.TableEvent] = []
        self.brought = 0  # By everybody so far, less what was taken home and what was raked.

    @property
    def now(self) -> Table:
        assert self.table is not None
        return self.table

    @initialize(opened=st.sampled_from((OPENED, FOR_FUN)), at_first=st.integers(0, 4))
    def open(self, opened: t.TableOpened, at_first: int) -> None:
        self.ask(c.OpenTable(table=opened))
        for seat, player in enumerate(NAMES[:at_first], 1):
            self.ask(c.TakeSeat(seat=seat, player=player, stack=1000))

    @rule(command=AT_A_SEAT)
    def somebody_asks(self, command: c.TableCommand) -> None:
        self.ask(command)

    @precondition(lambda self: self.table is not None and self.table.seats)
    @rule(data=st.data(), amount=AMOUNTS)
    def somebody_at_the_table_asks(self, data: st.DataObject, amount: int) -> None:
        seat = data.draw(st.sampled_from([sitting.seat for sitting in self.now.seats]))
        self.ask(data.draw(st.sampled_from(asks_of(seat, amount))))

    @precondition(lambda self: self.table is not None and len(self.table.ready()) > 1)
    @rule(dealer=st.none() | SEATS)
    def a_hand_is_to_begin(self, dealer: int | None) -> None:
        self.begin(dealer)

    @rule(dealer=st.none() | SEATS)
    def a_hand_is_to_begin_whoever_is_there(self, dealer: int | None) -> None:
        self.begin(dealer)

    def begin(self, dealer: int | None) -> None:
        ordinal = self.now.hands_begun + 1
        self.ask(c.BeginHand(hand=hand_id(ordinal), number=f"T-{ordinal}", dealer=dealer))

    @precondition(lambda self: self.table is not None and self.table.playing is not None)
    @rule(data=st.data(), voided=st.booleans())
    def a_hand_ends(self, data: st.DataObject, voided: bool) -> None:
        self.end(data.draw(st.randoms(use_true_random=False)), voided=voided)

    def end(self, dice: random.Random, *, voided: bool) -> None:
        """One seat wins of another, less some rake, now and then less than none."""
        playing = self.now.playing
        assert playing is not None
        stacks = {taken.seat: taken.stack for taken in playing.seats}
        winner, loser = dice.sample(sorted(stacks), 2)
        lost = 0 if voided else dice.randint(0, stacks[loser])
        rake = dice.randint(-1, lost // 10) if lost else 0
        stacks[loser] -= lost
        stacks[winner] += lost - rake
        left = tuple(SeatStack(seat=seat, stack=stack) for seat, stack in stacks.items())
        self.ask(c.EndHand(hand=playing.hand, stacks=left, voided=voided))

    @rule(stacks=st.lists(st.builds(SeatStack, seat=st.integers(1, 6), stack=AMOUNTS)))
    def a_hand_ends_in_any_way(self, stacks: list[SeatStack]) -> None:
        self.ask(c.EndHand(hand=hand_id(self.now.hands_begun), stacks=tuple(stacks)))

    @precondition(lambda self: len(self.log) > 25)
    @rule()
    def the_table_is_to_close(self) -> None:
        self.ask(c.CloseTable())

    def teardown(self) -> None:
        """The evening goes on for a while, and then everybody goes home."""
        if self.table is None:
            return
        dice = random.Random(len(self.log))
        for _ in range(60):
            self.go_on(dice)
        if self.now.playing is not None:
            self.end(dice, voided=True)
        if not self.now.closed:
            self.ask(c.CloseTable())
        assert self.now.closed
        assert self.brought == 0, "all chips went home"

    def go_on(self, dice: random.Random) -> None:
        if self.now.playing is not None and dice.random() < 0.3:
            self.end(dice, voided=dice.random() < 0.1)
        elif dice.random() < 0.3:
            self.begin(dice.choice((None, dice.randint(0, 8))))
        else:
            seat = dice.randint(0, 6)
            joins = c.TakeSeat(seat=seat, player=dice.choice(NAMES), stack=dice.randint(1, 900))
            self.ask(dice.choice((joins, joins, *asks_of(seat, dice.randint(0, 500)))))

    def ask(self, command: c.TableCommand) -> None:
        """Ask; what is refused names a rule and changes nothing."""
        try:
            events = decide(self.table, command)
        except Refused as refusal:
            assert refusal.rule in RULE_IDS
            return
        assert events
        for event in events:
            self.brought += self.moved(event)
            self.table = evolve(self.table, event)
            assert t.decode(t.encode(event)) == event
            self.log.append(event)
        self.assert_sound()

    def moved(self, event: t.TableEvent) -> int:
        """How many chips come to the table by this."""
        match event:
            case t.PlayerSeated(stack=stack):
                return stack
            case t.ChipsAdded(amount=amount):
                return amount
            case t.PlayerLeft(stack=stack):
                return -stack
            case t.HandEnded(stacks=stacks):
                assert self.now.playing is not None
                begun = sum(taken.stack for taken in self.now.playing.seats)
                return sum(after.stack for after in stacks) - begun
        return 0

    def assert_sound(self) -> None:
        table = self.now
        assert replay(self.log) == table
        assert sum(sitting.chips for sitting in table.seats) == self.brought, "chips are conserved"
        assert len({sitting.player for sitting in table.seats}) == len(table.seats)
        if table.playing is not None:
            seated = {sitting.seat: sitting.player for sitting in table.seats}
            dealt_in = {taken.seat: taken.player for taken in table.playing.seats}
            assert dealt_in.items() <= seated.items(), "nobody leaves a hand"
        else:
            assert not any(sitting.leaving or sitting.added for sitting in table.seats)
        assert not (table.closed and table.seats)


def test_whatever_anybody_asks_the_table_stays_sound() -> None:
    run_state_machine_as_test(TableMachine, settings=QUICK)
