"""Who was dealt in and how the hand left him: put in, got back, won, bore of the rake."""

from __future__ import annotations

from typing import ClassVar

from msgspec import field

from domain import events as e
from domain.hand import Player
from domain.units import Chips, Seat
from projections.shape import Followed, Projection, TableRow, Told, follow

Amounts = dict[Seat, int]


class Row(Followed, frozen=True, gc=False):
    """The hand so far and, by seat, what the state itself does not keep apart.

    After a void nothing was won, and `corrected` is what the ruling moved beyond giving back.
    """

    returned: Amounts = field(default_factory=dict)
    won: Amounts = field(default_factory=dict)
    corrected: Amounts = field(default_factory=dict)
    rake: Amounts = field(default_factory=dict)


class HandPlayerRow(TableRow, frozen=True, kw_only=True, gc=False):
    """One seat of one hand, in minor units.

    `contributed` is what stayed in the pot: what came back unmatched is in `returned`, and a void
    returns everything. net = won + corrected - contributed = stack_after - start_stack.
    """

    table: ClassVar[str] = "hand_players"

    seat: int
    player: str
    start_stack: int
    contributed: int
    returned: int
    won: int
    corrected: int
    rake: int
    net: int
    stack_after: int
    status: str


def project(row: Row | None, event: e.HandEvent) -> Row:
    """Fold one fact. Pure."""
    if row is None:
        return Row(follow(None, event))
    hand = follow(row.hand, event)
    match event:
        case e.UncalledReturned(seat=seat, amount=amount):
            returned = _plus(row.returned, (e.SeatAmount(seat=seat, amount=amount),))
            return Row(hand, returned, row.won, row.corrected, row.rake)
        case e.PotAwarded(shares=shares):
            return Row(hand, row.returned, _plus(row.won, shares), row.corrected, row.rake)
        case e.RakeTaken(attribution=attribution):
            rake = _plus(row.rake, attribution.shares)
            return Row(hand, row.returned, row.won, row.corrected, rake)
        case e.AwardCorrected(moves=moves):
            return Row(hand, row.returned, row.won, _plus(row.corrected, moves), row.rake)
        case e.HandVoided():
            paid = tuple(e.SeatAmount(seat=p.seat, amount=p.paid) for p in hand.seats)
            # Zero for all, unless the ruling gave somebody other chips than his own.
            ruled = {p.seat: p.stack - p.started_with for p in hand.seats}
            return Row(hand, _plus(row.returned, paid), corrected=ruled)
        case (
            e.CardsDealt() | e.Checked() | e.Called() | e.Folded() | e.BettingOpened()
            | e.AntePosted() | e.Raised() | e.BetPlaced() | e.Completed() | e.BringInPosted()
            | e.CardsShown() | e.Mucked() | e.CommunityCardDealt() | e.TimedOut()
            | e.PlayerDisconnected() | e.PlayerReconnected() | e.ClockPaused()
            | e.ClockResumed() | e.IncidentNoted() | e.HandStarted() | e.HandCompleted()
        ):  # fmt: skip
            return Row(hand, row.returned, row.won, row.corrected, row.rake)


def _plus(amounts: Amounts, more: tuple[e.SeatAmount | e.SeatMove | e.Share, ...]) -> Amounts:
    """`amounts` with `more` added, seat by seat."""
    total = dict(amounts)
    for part in more:
        total[part.seat] = total.get(part.seat, 0) + part.amount
    return total


def rows(row: Row, told: Told) -> tuple[HandPlayerRow, ...]:
    """One row per seat dealt in."""
    return tuple(_seat(row, told, player) for player in row.hand.seats)


def _seat(row: Row, told: Told, player: Player) -> HandPlayerRow:
    contributed: Chips = 0 if row.hand.voided else player.paid
    won = row.won.get(player.seat, 0)
    corrected = row.corrected.get(player.seat, 0)
    net = won + corrected - contributed
    assert net == player.stack - player.started_with, "chips are neither made nor lost"
    return HandPlayerRow(
        hand=told.stream,
        seat=player.seat,
        player=player.player,
        start_stack=player.started_with,
        contributed=contributed,
        returned=row.returned.get(player.seat, 0),
        won=won,
        corrected=corrected,
        rake=row.rake.get(player.seat, 0),
        net=net,
        stack_after=player.stack,
        status=player.status,
    )


HAND_PLAYERS = Projection(
    name="hand_players",
    project=project,
    heeds=frozenset(
        {e.UncalledReturned, e.PotAwarded, e.RakeTaken, e.AwardCorrected, e.HandVoided}
    ),
    tables=(HandPlayerRow,),
    rows=rows,
)
