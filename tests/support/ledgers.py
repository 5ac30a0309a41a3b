"""A table at which people play on simulated days, and the ledger of its room."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from uuid import UUID

from domain import events as e
from domain.closing import DayClosed
from domain.tables import events as t
from services.ledger import CloseTold, CloseWanted, LedgerDay, LedgerQuestion, close_day, ledger_day
from services.ledger.recomputing import days_that_differ
from services.projecting import projector_of
from services.store.port import Append, facts
from services.store.room import Room
from services.tables import appending, load_table
from tests.support.live import NOON, SimulatedClock, TableInPlay, live_in, player

DAY = timedelta(days=1)
FIRST = NOON.date()
BY = "finance"


class Evening:
    """A real-money table of three in a room, from noon of `FIRST` on."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.clock = SimulatedClock()
        self.table = TableInPlay(live_in(room, self.clock))

    def play(self, *liked: str) -> UUID:
        """A hand to its end; its id."""
        self.table.begin()
        self.table.to_the_end(*liked)
        return self.table.hand

    def tell(self, *events: t.TableEvent) -> None:
        """Something happens at the table, as long as nobody else says otherwise."""
        loaded = load_table(self.room.store, self.table.id)
        append = appending(loaded, list(events), "floor")
        assert self.room.store.append([append])[0].status == "ok"

    def caught_up(self) -> None:
        projector_of(self.room).catch_up()

    def days_pass(self, days: int = 1) -> None:
        self.clock.time += days * DAY

    def rule(self, hand: UUID, moved: int = 500) -> None:
        """An award is corrected by a ruling when the hand is over: from the winner to the next."""
        told = tuple(e.decode(state) for state in self.room.store.states(hand))
        moves = (e.SeatMove(seat=1, amount=-moved), e.SeatMove(seat=2, amount=moved))
        corrected = e.AwardCorrected(
            at=self.clock(), moves=moves, rake=0, reason="misread", ruling=str(UUID(int=77))
        )
        tell(self.room, hand, len(told), (corrected,))

    def close(self, day: date = FIRST, now: datetime | None = None) -> CloseTold:
        self.caught_up()
        return close_day(self.room, CloseWanted(day=day), BY, now or self.clock())

    def day(self, day: date = FIRST) -> LedgerDay:
        self.caught_up()
        return ledger_day(self.room, LedgerQuestion(day=day))

    def differing(self) -> list[tuple[date, str]]:
        self.caught_up()
        return [(close.day, text) for close, text in days_that_differ(self.room)]


def tell(room: Room, hand: UUID, expected: int, events: tuple[e.HandEvent, ...]) -> None:
    append = Append(stream=hand, expected=expected, facts=facts(events), actor="test")
    assert room.store.append([append])[0].status == "ok"


def totals(told: LedgerDay | DayClosed) -> dict[str, tuple[int, int, int, int]]:
    """Opening, movements, late, closing by kind of account, in dollars' cents."""
    lines = told.accounts if isinstance(told, LedgerDay) else told.totals
    return {one.account: (one.opening, one.movements, one.late, one.closing) for one in lines}


SEATS = {seat: str(player(seat)) for seat in (1, 2, 3)}
