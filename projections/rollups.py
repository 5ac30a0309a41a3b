"""Rake added up as finance asks for it, so that a report reads days and not hands.

Every sum is one of the ledger's: hands and matched pots of finished hands, and what was posted to
the house's account. Real money only, and never two currencies in one row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any, ClassVar

from msgspec import field

from domain import events as e
from domain.hand import Hand
from projections.shape import Followed, Projection, SumRow, Told, follow

NOBODY = ""
"""In place of a player: rake that a ruling moved without saying whose it was."""

AMOUNTS = ("hands", "pot", "rake")

Borne = Mapping[str, int]


class Row(Followed, frozen=True, gc=False):
    """The hand so far, whether it counts as played, and who bears how much of its rake."""

    completed: bool = False
    borne: Borne = field(default_factory=dict)


class TableDayRow(SumRow, frozen=True, kw_only=True, gc=False):
    """A UTC day at a table: finished hands, what was matched in them, rake, in minor units."""

    table: ClassVar[str] = "rake_table_days"
    amounts: ClassVar[tuple[str, ...]] = AMOUNTS

    day: date
    table_id: str
    table_name: str
    game: str
    small_bet: int
    big_bet: int
    currency: str
    exponent: int
    hands: int
    pot: int
    rake: int


class TableHourRow(SumRow, frozen=True, kw_only=True, gc=False):
    """The same by hour, for days that begin elsewhere or at another hour than UTC's."""

    table: ClassVar[str] = "rake_table_hours"
    amounts: ClassVar[tuple[str, ...]] = AMOUNTS

    hour: datetime
    table_id: str
    table_name: str
    game: str
    small_bet: int
    big_bet: int
    currency: str
    exponent: int
    hands: int
    pot: int
    rake: int


class PlayerDayRow(SumRow, frozen=True, kw_only=True, gc=False):
    """A player's UTC day: hands he was dealt in, what he put in, what he bears of the rake."""

    table: ClassVar[str] = "rake_player_days"
    amounts: ClassVar[tuple[str, ...]] = AMOUNTS

    day: date
    player: str
    small_bet: int
    big_bet: int
    currency: str
    exponent: int
    hands: int
    pot: int
    rake: int


class PlayerMonthRow(SumRow, frozen=True, kw_only=True, gc=False):
    """A player's month, which is named by its first day."""

    table: ClassVar[str] = "rake_player_months"
    amounts: ClassVar[tuple[str, ...]] = AMOUNTS

    month: date
    player: str
    currency: str
    exponent: int
    hands: int
    pot: int
    rake: int


def project(row: Row | None, event: e.HandEvent) -> Row:
    """Fold one fact. Pure."""
    if row is None:
        return Row(follow(None, event))
    hand = follow(row.hand, event)
    match event:
        case e.HandCompleted():
            return Row(hand, True, row.borne)
        case e.RakeTaken():
            return Row(hand, row.completed, _taken(row.borne, hand, event))
        case e.AwardCorrected(rake=moved):
            return Row(hand, row.completed, _moved(row.borne, moved))
        case e.HandVoided(rake=moved):
            # All goes back to who bore it; what the ruling says beyond that is nobody's.
            return Row(hand, False, _moved({}, sum(row.borne.values()) + moved))
        case (
            e.CardsDealt() | e.Checked() | e.Called() | e.Folded() | e.BettingOpened()
            | e.AntePosted() | e.Raised() | e.BetPlaced() | e.Completed() | e.BringInPosted()
            | e.CardsShown() | e.Mucked() | e.CommunityCardDealt() | e.UncalledReturned()
            | e.TimedOut() | e.PlayerDisconnected() | e.PlayerReconnected() | e.ClockPaused()
            | e.ClockResumed() | e.IncidentNoted() | e.HandStarted() | e.PotAwarded()
        ):  # fmt: skip
            return Row(hand, row.completed, row.borne)


def _taken(borne: Borne, hand: Hand, event: e.RakeTaken) -> Borne:
    """Each player's part (R6); what a record does not attribute is nobody's."""
    total, unsaid = dict(borne), event.total
    for part in event.attribution.shares:
        player = hand.player(part.seat).player
        total[player] = total.get(player, 0) + part.amount
        unsaid -= part.amount
    return _moved(total, unsaid)


def _moved(borne: Borne, rake: int) -> Borne:
    """`borne` with rake that nobody is said to bear."""
    return {**borne, NOBODY: borne.get(NOBODY, 0) + rake} if rake else borne


def adds(row: Row, told: Told) -> tuple[SumRow, ...]:
    """What the hand adds to each sum; nothing unless it was for real money."""
    if row.hand.started.money.kind != "real":
        return ()
    return (*_of_tables(row, told), *_of_players(row, told))


def _of_tables(row: Row, told: Told) -> Iterator[SumRow]:
    started = row.hand.started
    happened_at = told.happened_at(started)
    sums: dict[str, Any] = {
        "table_id": started.table.id,
        "table_name": started.table.name,
        "game": started.game,
        "small_bet": started.stakes.small_bet,
        "big_bet": started.stakes.big_bet,
        "currency": started.money.currency,
        "exponent": started.money.exponent,
        "hands": int(row.completed),
        "pot": sum(player.paid for player in row.hand.seats) if row.completed else 0,
        "rake": sum(row.borne.values()),
    }
    yield TableDayRow(day=happened_at.date(), **sums)
    yield TableHourRow(hour=happened_at.replace(minute=0, second=0, microsecond=0), **sums)


def _of_players(row: Row, told: Told) -> Iterator[SumRow]:
    started = row.hand.started
    day, money = told.day(started), started.money
    first = day.replace(day=1)
    for player, (hands, pot, rake) in parts(row).items():
        sums: dict[str, Any] = {
            "player": player,
            "currency": money.currency,
            "exponent": money.exponent,
            "hands": hands,
            "pot": pot,
            "rake": rake,
        }
        small, big = started.stakes.small_bet, started.stakes.big_bet
        yield PlayerDayRow(day=day, small_bet=small, big_bet=big, **sums)
        yield PlayerMonthRow(month=first, **sums)


def parts(row: Row) -> dict[str, tuple[int, int, int]]:
    """Hands, matched chips and rake of everybody who was dealt in or bears any of the rake."""
    counts = row.completed and not row.hand.voided
    of_each = {player: (0, 0, rake) for player, rake in row.borne.items()}
    for seat in row.hand.seats:
        hands, pot, rake = of_each.get(seat.player, (0, 0, 0))
        paid = seat.paid if counts else 0
        of_each[seat.player] = hands + row.completed, pot + paid, rake
    return of_each


ROLLUPS = Projection(
    name="rollups",
    project=project,
    heeds=frozenset({e.HandCompleted, e.RakeTaken, e.AwardCorrected, e.HandVoided}),
    sums=(TableDayRow, TableHourRow, PlayerDayRow, PlayerMonthRow),
    adds=adds,
)
