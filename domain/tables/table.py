"""A table as it stands, and what each fact means for it: the pure reducer over its events.

It never chooses and never refuses; it raises `CorruptHistory` only for facts that cannot be
applied at all: nobody sits there, another hand is being played.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from msgspec.structs import replace

from domain.discreet import Discreet
from domain.errors import CorruptHistory
from domain.events import SeatTaken
from domain.tables import events as t
from domain.units import Chips, Seat


class Sitting(Discreet, frozen=True, kw_only=True):
    """Somebody at the table. `stack` is what he has, or had when the hand he is in began.

    `added` are chips that count from the next hand (B6).
    """

    seat: Seat
    player: str
    stack: Chips
    added: Chips = 0
    sitting_out: bool = False
    leaving: bool = False

    @property
    def chips(self) -> Chips:
        """All he has at the table while he is in no hand."""
        return self.stack + self.added


class Playing(Discreet, frozen=True):
    """The hand in progress and who was dealt in with what."""

    hand: UUID
    number: str
    seats: tuple[SeatTaken, ...]

    def has(self, seat: Seat) -> bool:
        """Whether this seat was dealt in."""
        return any(taken.seat == seat for taken in self.seats)


class Left(Discreet, frozen=True):
    """Somebody who left, and what he took with him."""

    player: str
    stack: Chips


class Table(Discreet, frozen=True, kw_only=True):
    """A table after some facts; `seats` are the taken ones in their order.

    `disc` is where the dealer's disc lay in the last hand, null before the first. `gone` are those
    who left since the last hand began.
    """

    opened: t.TableOpened
    seats: tuple[Sitting, ...] = ()
    disc: Seat | None = None
    playing: Playing | None = None
    hands_begun: int = 0
    gone: tuple[Left, ...] = ()
    closed: bool = False

    def at(self, seat: Seat) -> Sitting | None:
        """Who sits there."""
        return next((sitting for sitting in self.seats if sitting.seat == seat), None)

    def in_hand(self, seat: Seat) -> bool:
        """Whether this seat is in the hand that is being played."""
        return self.playing is not None and self.playing.has(seat)

    def ready(self) -> tuple[SeatTaken, ...]:
        """Who would be dealt in now, with exactly the stacks at the table (B6)."""
        return tuple(
            SeatTaken(seat=sitting.seat, player=sitting.player, stack=sitting.stack)
            for sitting in self.seats
            if sitting.stack and not sitting.sitting_out
        )


def replay(events: Iterable[t.TableEvent]) -> Table:
    """The table after all `events`. Raises `CorruptHistory`, also if none came."""
    table: Table | None = None
    for event in events:
        table = evolve(table, event)
    if table is None:
        raise CorruptHistory("a table without any event")
    return table


def evolve(table: Table | None, event: t.TableEvent) -> Table:
    """Apply one fact. Raises `CorruptHistory` if it cannot be applied at all."""
    if table is None:
        if not isinstance(event, t.TableOpened):
            raise CorruptHistory(f"{t.tag_of(event)} before table_opened.v1")
        return Table(opened=event)
    if table.closed:
        raise CorruptHistory(f"{t.tag_of(event)} at a closed table")
    match event:
        case t.TableOpened():
            raise CorruptHistory("a table is opened twice")
        case t.HandBegun():
            return _begin(table, event)
        case t.HandEnded():
            return _end(table, event)
        case t.TableClosed():
            return replace(table, closed=True)
    return replace(table, seats=_seats(table, event), gone=_gone(table, event))


AtASeat = t.PlayerSeated | t.ChipsAdded | t.PlayerLeaving | t.PlayerLeft | t.SatOut | t.SatIn


def _seats(table: Table, event: AtASeat) -> tuple[Sitting, ...]:
    others = [sitting for sitting in table.seats if sitting.seat != event.seat]
    after = _after(table, event)
    return tuple(sorted([*others, *after], key=lambda sitting: sitting.seat))


def _after(table: Table, event: AtASeat) -> tuple[Sitting, ...]:
    """Who sits at the event's seat after it: one person or nobody."""
    sitting = table.at(event.seat)
    if isinstance(event, t.PlayerSeated):
        if sitting is not None:
            raise CorruptHistory(f"seat {event.seat} is taken twice")
        return (Sitting(seat=event.seat, player=event.player, stack=event.stack),)
    if sitting is None:
        raise CorruptHistory(f"nobody sits at seat {event.seat}")
    match event:
        case t.PlayerLeft():
            return ()
        case t.ChipsAdded(amount=amount):
            return (_with_chips(sitting, amount, in_hand=table.in_hand(event.seat)),)
        case t.PlayerLeaving():
            return (replace(sitting, leaving=True),)
        case t.SatOut() | t.SatIn():
            return (replace(sitting, sitting_out=isinstance(event, t.SatOut)),)


def _with_chips(sitting: Sitting, amount: Chips, *, in_hand: bool) -> Sitting:
    """Chips count at once only for who is in no hand (B6)."""
    if in_hand:
        return replace(sitting, added=sitting.added + amount)
    return replace(sitting, stack=sitting.stack + amount)


def _gone(table: Table, event: AtASeat) -> tuple[Left, ...]:
    match event:
        case t.PlayerSeated(player=player):
            return tuple(left for left in table.gone if left.player != player)
        case t.PlayerLeft(seat=seat, stack=stack):
            return (*table.gone, *(Left(s.player, stack) for s in table.seats if s.seat == seat))
    return table.gone


def _begin(table: Table, event: t.HandBegun) -> Table:
    if table.playing is not None:
        raise CorruptHistory("a hand begins while another is being played")
    for taken in event.seats:
        if table.at(taken.seat) is None:
            raise CorruptHistory(f"nobody sits at seat {taken.seat}, which is dealt in")
    return replace(
        table,
        disc=event.dealer,
        gone=(),
        playing=Playing(event.hand, event.number, event.seats),
        hands_begun=table.hands_begun + 1,
    )


def _end(table: Table, event: t.HandEnded) -> Table:
    if table.playing is None or table.playing.hand != event.hand:
        raise CorruptHistory("a hand ends that is not being played")
    left = {after.seat: after.stack for after in event.stacks}
    if left.keys() != {taken.seat for taken in table.playing.seats}:
        raise CorruptHistory("a hand leaves stacks to other seats than were dealt in")
    seats = tuple(
        replace(sitting, stack=left[sitting.seat] + sitting.added, added=0)
        if sitting.seat in left
        else sitting
        for sitting in table.seats
    )
    return replace(table, seats=seats, playing=None)
