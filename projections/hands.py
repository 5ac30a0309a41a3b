"""Every hand as one row to search by: what was played, where, when, for how much."""

from __future__ import annotations

from datetime import date, datetime
from typing import ClassVar, Literal

from domain import events as e
from projections.shape import Followed, Projection, TableRow, Told, follow, in_utc

CONFLICT = "conflict"
"""Kind of the incident noted where another record of the same hand tells it differently."""

Status = Literal["in_progress", "completed", "voided"]


class Row(Followed, frozen=True, gc=False):
    """The hand so far, whether it still goes on, and whether another record contradicts it."""

    status: Status
    conflicting: bool = False


class HandRow(TableRow, frozen=True, kw_only=True, gc=False):
    """One hand. Amounts in minor units; `pot` is what was matched, 0 once the hand is void.

    `conflicting` marks a record that contradicts one stored before it under the same number.
    `steps` is how many facts the row takes in; `happened_at` is `played_at`, or where the record
    has none the time of recording, and `day` is its UTC day.
    """

    table: ClassVar[str] = "hands"

    site: str
    number: str
    game: str
    table_id: str
    table_name: str
    small_bet: int
    big_bet: int
    ante: int
    bring_in: int
    money_kind: str
    currency: str
    exponent: int
    house_rules: str
    source: str
    played_at: datetime | None
    happened_at: datetime
    day: date
    players: int
    pot: int
    rake: int
    status: str
    conflicting: bool
    steps: int


def project(row: Row | None, event: e.HandEvent) -> Row:
    """Fold one fact. Pure."""
    if row is None:
        return Row(follow(None, event), "in_progress")
    hand = follow(row.hand, event)
    match event:
        case e.IncidentNoted(kind=kind):
            return Row(hand, row.status, row.conflicting or kind == CONFLICT)
        case e.HandCompleted():
            return Row(hand, "completed", row.conflicting)
        case e.HandVoided():
            return Row(hand, "voided", row.conflicting)
        case (
            e.CardsDealt() | e.Checked() | e.Called() | e.Folded() | e.BettingOpened()
            | e.AntePosted() | e.Raised() | e.BetPlaced() | e.Completed() | e.BringInPosted()
            | e.CardsShown() | e.Mucked() | e.CommunityCardDealt() | e.UncalledReturned()
            | e.TimedOut() | e.PlayerDisconnected() | e.PlayerReconnected() | e.ClockPaused()
            | e.ClockResumed() | e.HandStarted() | e.RakeTaken()
            | e.PotAwarded() | e.AwardCorrected()
        ):  # fmt: skip
            return Row(hand, row.status, row.conflicting)


def rows(row: Row, told: Told) -> tuple[HandRow, ...]:
    """The one row of the hand."""
    hand, started = row.hand, row.hand.started
    happened_at = told.happened_at(started)
    return (
        HandRow(
            hand=told.stream,
            site=started.site,
            number=started.number,
            game=started.game,
            table_id=started.table.id,
            table_name=started.table.name,
            small_bet=started.stakes.small_bet,
            big_bet=started.stakes.big_bet,
            ante=started.stakes.ante,
            bring_in=started.stakes.bring_in,
            money_kind=started.money.kind,
            currency=started.money.currency,
            exponent=started.money.exponent,
            house_rules=f"{started.house_rules.name} {started.house_rules.version}",
            source=started.source.kind,
            played_at=in_utc(started.played_at) if started.played_at else None,
            happened_at=happened_at,
            day=happened_at.date(),
            players=len(hand.seats),
            pot=0 if row.status == "voided" else sum(player.paid for player in hand.seats),
            rake=hand.rake,
            status=row.status,
            conflicting=row.conflicting,
            steps=hand.step,
        ),
    )


HANDS = Projection(
    name="hands",
    project=project,
    heeds=frozenset({e.IncidentNoted, e.HandCompleted, e.HandVoided}),
    tables=(HandRow,),
    rows=rows,
)
