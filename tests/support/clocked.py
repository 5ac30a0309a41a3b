"""A table in play whose clock somebody keeps, in simulated time."""

from __future__ import annotations

from datetime import datetime, timedelta

from domain import events as e
from domain.timing import TurnClock
from services.dealing import SHUFFLED, DeckWish
from services.live import Acted
from services.live.acted import acted
from services.live.standing import standing
from services.live_clock import Scheduler, Terms
from services.settings import Settings
from services.store.room import Room, open_room
from tests.support.faults import Report
from tests.support.live import SimulatedClock, TableInPlay, live_in, opened

TERMS = Terms()


class StillClock(SimulatedClock):
    """A clock that moves only when it is told to."""

    def __call__(self) -> datetime:
        return self.time


class Clocked(TableInPlay):
    """A table with a hand in play, and a server that keeps its clock."""

    def __init__(
        self,
        room: Room,
        stacks: dict[int, int] | None = None,
        *,
        terms: Terms = TERMS,
        deck: DeckWish = SHUFFLED,
        time: StillClock | None = None,
        **policies: object,
    ) -> None:
        self.time = time or StillClock()
        opening = opened(**policies)  # type: ignore[arg-type]
        super().__init__(live_in(room, self.time), stacks, opening)
        self.server = Scheduler(self.live, terms)
        self.begin(deck)

    @property
    def clock(self) -> TurnClock:
        """The clock of the turn as of the last answer."""
        clock = self.last.clock
        assert clock is not None, "somebody is to act, by the clock"
        return clock

    def let_pass(self, seconds: float, *servers: Scheduler) -> None:
        """Time passes, and the servers tick all the while: each second, and at the end."""
        end = self.time.time + timedelta(seconds=seconds)
        while self.time.time < end:
            self.time.time = min(end, self.time.time + timedelta(seconds=1))
            for server in servers or (self.server,):
                server.tick()

    def at(self, seconds: float) -> None:
        """Let time pass until so many seconds after the turn of the last answer began."""
        until = self.clock.started_at + timedelta(seconds=seconds)
        self.let_pass((until - self.time.time).total_seconds())

    def stand_still(self, seconds: float) -> None:
        """Time passes, and nobody is there."""
        self.time.pass_by(seconds)

    def reload(self) -> Acted:
        """The hand as it is stored now is the last answer."""
        self.last = acted(standing(self.live.store, self.hand), ())
        return self.last

    def timed_out(self) -> list[e.TimedOut]:
        """Every time-out of the hand."""
        return [event for event in self.stored() if isinstance(event, e.TimedOut)]

    def pauses(self) -> list[e.ClockPaused | e.ClockResumed]:
        """Every stop of its clock and every end of one."""
        return [x for x in self.stored() if isinstance(x, e.ClockPaused | e.ClockResumed)]


def keep_absently(report: Report, settings: Settings) -> None:
    """Keep the clocks of a room in simulated time, away from every tick to the next."""
    with open_room(settings) as room:
        time = StillClock(last_sign_of_life(room))
        server = Scheduler(live_in(room, time), TERMS)
        while True:
            time.pass_by(60)
            server.tick()
            report("ticked")


def last_sign_of_life(room: Room) -> datetime:
    """When anybody last kept the clocks."""
    with room.connect() as connection:
        row = connection.execute("select beat_at from live_beats").fetchone()
    assert row is not None, "somebody has kept them"
    beat: datetime = row[0]
    return beat
