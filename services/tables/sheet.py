"""A table as people look at it: what is played, who sits where by name, which hand is on."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from domain.discreet import Discreet
from domain.events import Money, ScheduleRef, Stakes
from domain.house_rules import HouseRules
from domain.tables.table import Sitting, Table
from domain.units import Chips, Game, Seat
from services.tables.loading import LoadedTable


class SeatAtTable(Discreet, frozen=True, kw_only=True):
    """One taken seat. `stack` is what he has, or had when the hand he is in began.

    `added` are chips that count from the next hand. `name` is null where it is not known.
    """

    seat: Seat
    player: str
    name: str | None
    stack: Chips
    added: Chips
    in_hand: bool
    sitting_out: bool
    leaving: bool


class HandAtTable(Discreet, frozen=True, kw_only=True):
    """The hand being played."""

    hand: UUID
    number: str


class TableSheet(Discreet, frozen=True, kw_only=True):
    """A table as it stands: what is played there, who sits where, which hand is on.

    `disc` is where the dealer's disc lay in the last hand, `hands` how many have begun, `version`
    how many facts the table has.
    """

    table: UUID
    name: str
    game: Game
    site: str
    stakes: Stakes
    money: Money
    house_rules: HouseRules
    rake_schedule: ScheduleRef | None
    max_seats: int
    is_open: bool
    seats: tuple[SeatAtTable, ...]
    disc: Seat | None
    hand: HandAtTable | None
    hands: int
    version: int


def table_sheet(loaded: LoadedTable, names: Mapping[str, str]) -> TableSheet:
    """The table with the names of those who sit there."""
    table, opened = loaded.table, loaded.table.opened
    playing = table.playing
    return TableSheet(
        table=loaded.id,
        name=opened.name,
        game=opened.game,
        site=opened.site,
        stakes=opened.stakes,
        money=opened.money,
        house_rules=opened.house_rules,
        rake_schedule=opened.rake_schedule,
        max_seats=opened.max_seats,
        is_open=not table.closed,
        seats=tuple(_seat(table, sitting, names) for sitting in table.seats),
        disc=table.disc,
        hand=HandAtTable(hand=playing.hand, number=playing.number) if playing else None,
        hands=table.hands_begun,
        version=loaded.version,
    )


def _seat(table: Table, sitting: Sitting, names: Mapping[str, str]) -> SeatAtTable:
    return SeatAtTable(
        seat=sitting.seat,
        player=sitting.player,
        name=names.get(sitting.player),
        stack=sitting.stack,
        added=sitting.added,
        in_hand=table.in_hand(sitting.seat),
        sitting_out=sitting.sitting_out,
        leaving=sitting.leaving,
    )
