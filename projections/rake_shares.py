"""Rake by the schedule it was taken under, and what each player would bear by every method (R6).

What is stored with a hand says who bears its rake by one method. Here the same rake is spread by
all four, so that a report can put them side by side; nothing of the hand changes. By the hour, so
that days may begin on any.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, ClassVar, get_args

from domain.events import HandStarted
from domain.hand import Hand
from domain.rules.rake import borne_by, rake_possible
from domain.units import AttributionMethod
from projections.rollups import AMOUNTS, NOBODY, ROLLUPS, Row, parts
from projections.shape import Projection, SumRow, TableRow, Told

METHODS: tuple[AttributionMethod, ...] = get_args(AttributionMethod)

Shares = dict[AttributionMethod, int]
NOTHING: Shares = dict.fromkeys(METHODS, 0)

AS_RECORDED = "as recorded"
"""In place of a schedule: the record says what was taken, and no schedule decides it."""


class UnrakedRow(TableRow, frozen=True, kw_only=True, gc=False):
    """A hand for real money that bears no rake whatever its pots: it ended too early (R4)."""

    table: ClassVar[str] = "unraked_hands"


class TableScheduleRow(SumRow, frozen=True, kw_only=True, gc=False):
    """An hour at a table under one schedule: finished hands, what was matched in them, rake."""

    table: ClassVar[str] = "rake_schedule_hours"
    amounts: ClassVar[tuple[str, ...]] = AMOUNTS

    hour: datetime
    table_id: str
    table_name: str
    game: str
    small_bet: int
    big_bet: int
    schedule: str
    currency: str
    exponent: int
    hands: int
    pot: int
    rake: int


class PlayerShareRow(SumRow, frozen=True, kw_only=True, gc=False):
    """A player's hour at a table: his hands, what he put in, the rake he bears, and would bear."""

    table: ClassVar[str] = "rake_player_shares"
    amounts: ClassVar[tuple[str, ...]] = (*AMOUNTS, *METHODS)

    hour: datetime
    player: str
    table_id: str
    table_name: str
    game: str
    small_bet: int
    big_bet: int
    schedule: str
    currency: str
    exponent: int
    hands: int
    pot: int
    rake: int
    dealt: int
    contributed: int
    weighted: int
    winner: int


def adds(row: Row, told: Told) -> tuple[SumRow, ...]:
    """What the hand adds to each sum; nothing unless it was for real money."""
    started = row.hand.started
    if started.money.kind != "real":
        return ()
    about = _about(started, told)
    table = TableScheduleRow(
        **about,
        hands=int(row.completed),
        pot=sum(player.paid for player in row.hand.seats) if row.completed else 0,
        rake=sum(row.borne.values()),
    )
    return (table, *_of_players(row, about))


def rows(row: Row, told: Told) -> tuple[UnrakedRow, ...]:
    """The hand, if it is over and no schedule could take anything of it."""
    over = row.completed and row.hand.started.money.kind == "real"
    return (UnrakedRow(hand=told.stream),) if over and not rake_possible(row.hand) else ()


def _about(started: HandStarted, told: Told) -> dict[str, Any]:
    """When, where and under which schedule."""
    at = told.happened_at(started)
    return {
        "hour": at.replace(minute=0, second=0, microsecond=0),
        "table_id": started.table.id,
        "table_name": started.table.name,
        "game": started.game,
        "small_bet": started.stakes.small_bet,
        "big_bet": started.stakes.big_bet,
        "schedule": schedule_name(started),
        "currency": started.money.currency,
        "exponent": started.money.exponent,
    }


def schedule_name(started: HandStarted) -> str:
    """The schedule that decides the rake, as `ID:VERSION`."""
    ref = started.rake_schedule
    if ref is None or started.house_rules.rake == "as_recorded":
        return AS_RECORDED
    return f"{ref.id}:{ref.version}"


def _of_players(row: Row, about: dict[str, Any]) -> Iterator[PlayerShareRow]:
    shares = spread(row.hand, sum(row.borne.values()))
    of_each = parts(row)
    for player in dict.fromkeys((*of_each, *shares)):
        hands, pot, rake = of_each.get(player, (0, 0, 0))
        by_method = shares.get(player, NOTHING)
        yield PlayerShareRow(
            **about,
            player=player,
            hands=hands,
            pot=pot,
            rake=rake,
            dealt=by_method["dealt"],
            contributed=by_method["contributed"],
            weighted=by_method["weighted"],
            winner=by_method["winner"],
        )


def spread(hand: Hand, rake: int) -> dict[str, Shares]:
    """What each player bears of the rake that stands, by each method; sums are exact (R6).

    A ruling moves rake without saying whose it is: that part is nobody's by any method.
    """
    taken = hand.rake_taken
    total = 0 if taken is None or hand.voided else taken.total
    shares: dict[str, Shares] = {}
    if rake != total:
        shares[NOBODY] = dict.fromkeys(METHODS, rake - total)
    if total:
        won: dict[int, int] = {}
        for awarded in hand.awards:
            for share in awarded.award.shares:
                won[share.seat] = won.get(share.seat, 0) + share.amount
        # Two seats may be one player's.
        of_each = [(p.seat, shares.setdefault(p.player, dict(NOTHING))) for p in hand.seats]
        for method in METHODS:
            borne = borne_by(hand, total, method, won)
            for seat, of_his in of_each:
                of_his[method] += borne[seat]
    return shares


RAKE_SHARES = Projection(
    name="rake_shares",
    project=ROLLUPS.project,
    heeds=ROLLUPS.heeds,
    tables=(UnrakedRow,),
    rows=rows,
    sums=(TableScheduleRow, PlayerShareRow),
    adds=adds,
)
