"""Hands told fact by fact, short enough to check every figure by hand. Amounts in cents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

from domain import events as e
from domain.house_rules import TOPSPOKER
from projections.shape import Projection, TableRow, Told

HAND = UUID("00000000-0000-5000-8000-000000000001")
RECORDED_AT = datetime(2024, 3, 2, 0, 10, tzinfo=UTC)
PLAYED_AT = datetime(2024, 3, 1, 23, 50, tzinfo=UTC)
TOLD = Told(HAND, RECORDED_AT)

R = TypeVar("R")


def started(stacks: Mapping[int, int], **other: Any) -> e.HandStarted:
    """A $5/$10 Stud 8 hand; seat 3's player is `p3`."""
    facts: dict[str, Any] = {
        "game": "stud8",
        "stakes": e.Stakes(small_bet=500, big_bet=1000, ante=50, bring_in=250, chip_unit=1),
        "money": e.Money(kind="real", currency="USD", exponent=2),
        "house_rules": TOPSPOKER,
        "rake_schedule": e.ScheduleRef(id="topspoker", version=1),
        "site": "here",
        "number": "1",
        "table": e.TableRef(id="t1", name="Aquila", max_seats=8),
        "dealer": 4,
        "seats": tuple(e.SeatTaken(seat=s, player=f"p{s}", stack=c) for s, c in stacks.items()),
        "played_at": PLAYED_AT,
        "deck": e.Deck(source="recorded", commitment=None),
        "source": e.Source(kind="imported", format="test", text_sha256=None),
    }
    return e.HandStarted(**(facts | other))


def award(pot: int, half: Any, shares: Mapping[int, int], **other: Any) -> e.PotAwarded:
    """An award of all `shares` hold; `odd` by seat, `compared` as in the reason."""
    odd: Mapping[int, int] = other.get("odd", {})
    return e.PotAwarded(
        pot=pot,
        half=half,
        amount=sum(shares.values()),
        shares=tuple(
            e.Share(seat=s, amount=amount, odd=odd.get(s, 0)) for s, amount in shares.items()
        ),
        reason=e.Reason(rule=other.get("rule", "G2"), compared=other.get("compared", ())),
    )


def rake(pots: Sequence[int], shares: Mapping[int, int]) -> e.RakeTaken:
    return e.RakeTaken(
        total=sum(pots),
        pots=tuple(pots),
        row="$2/$4 to $10/$20, 4-5 players",
        step="pot of $40.00 or more: $2.00",
        attribution=e.Attribution(
            method="weighted",
            version=1,
            shares=tuple(e.SeatAmount(seat=s, amount=c) for s, c in shares.items()),
        ),
    )


def side_pot_hand() -> tuple[e.HandEvent, ...]:
    """Main pot and side pot, both halved, both lows tied, $2.00 rake (rulebook example 9).

    Seat 4 folds with 301 in, seat 2 is all-in for 1003, seats 1 and 3 are in for 2010 after 90
    came back to seat 3. Matched 5324; main 3310, side 2014; rake 150 + 50; net 3160 and 1964.
    """
    position = (
        e.Compared(seat=1, rule="P6", cards=("Ah",), words="ace of hearts"),
        e.Compared(seat=3, rule="P6", cards=("Ac",), words="ace of clubs"),
        e.Compared(seat=1, rule="P6", cards=(), words="number 1 clockwise from the dealer"),
        e.Compared(seat=3, rule="P6", cards=(), words="number 3 clockwise from the dealer"),
    )
    return (
        started({1: 5000, 2: 1003, 3: 5000, 4: 5000}),
        e.BetPlaced(seat=4, to=301, size="small", all_in=False),
        e.Called(seat=2, amount=1003, all_in=True),
        e.Folded(seat=4),
        e.Called(seat=1, amount=2010, all_in=False),
        e.Raised(seat=3, to=2100, size="big", all_in=False),
        e.UncalledReturned(seat=3, amount=90),
        rake((150, 50), {1: 76, 2: 38, 3: 75, 4: 11}),
        award(0, "high", {2: 1580}, rule="G1"),
        award(0, "low", {1: 790, 3: 790}, compared=position),
        award(1, "high", {3: 982}, rule="G1"),
        award(1, "low", {1: 491, 3: 491}, compared=position),
        e.HandCompleted(stacks=()),
    )


def odd_chip_hand() -> tuple[e.HandEvent, ...]:
    """Rulebook example 4: a pot of 1001 cents, high 501 to seat 2, low 500 tied by three.

    One cent of it is dead money. The low's odd chips go to seat 5 and seat 1: 167, 167 and 166.
    """
    position = tuple(
        e.Compared(seat=s, rule="P6", cards=(), words=f"number {n} clockwise from the dealer")
        for n, s in enumerate((5, 1, 3), start=1)
    )
    return (
        started({1: 400, 2: 400, 3: 400, 4: 400, 5: 400}),
        e.AntePosted(seat=4, amount=1, all_in=False),
        e.Folded(seat=4),
        e.BetPlaced(seat=5, to=250, size="small", all_in=False),
        e.Called(seat=1, amount=250, all_in=False),
        e.Called(seat=2, amount=250, all_in=False),
        e.Called(seat=3, amount=250, all_in=False),
        rake((), {}),
        award(0, "high", {2: 501}, rule="G1"),
        award(0, "low", {5: 167, 1: 167, 3: 166}, odd={5: 1, 1: 1}, compared=position),
        e.HandCompleted(stacks=()),
    )


def quiet_hand() -> tuple[e.HandEvent, ...]:
    """Every kind of fact that moves no chips, after two antes and a bring-in of seat 2."""
    why = e.Reason(rule="S3", compared=())
    return (
        started({1: 1000, 2: 1000}, money=e.Money(kind="play", currency="chips", exponent=0)),
        e.AntePosted(seat=1, amount=50, all_in=False),
        e.AntePosted(seat=2, amount=50, all_in=False),
        e.CardsDealt(seat=1, street=3, down=("2c", "3c"), up=("4c",), positions=None),
        e.CardsDealt(seat=2, street=3, down=("2d", "3d"), up=("4d",), positions=None),
        e.BettingOpened(street=3, opener=2, reason=why, double_bet=False),
        e.BringInPosted(seat=2, amount=250, all_in=False),
        e.Completed(seat=1, to=500, size="small", all_in=False),
        e.PlayerDisconnected(seat=2),
        e.PlayerReconnected(seat=2),
        e.ClockPaused(reason="floor called"),
        e.ClockResumed(reason="play on"),
        e.IncidentNoted(kind="noise", text="fire alarm"),
        e.CommunityCardDealt(card="Ks", position=None),
        e.Checked(seat=1),
        e.TimedOut(
            seat=2, turn_started_at=None, deadline=None, disconnected_at=None, outcome="all_in"
        ),
        e.CardsShown(seat=1, cards=("2c", "3c", "4c")),
        e.Mucked(seat=2),
    )


def void(moves: Mapping[int, int], rake: int = 0) -> e.HandVoided:
    return e.HandVoided(moves=_moves(moves), rake=rake, reason="misdeal", ruling="r1")


def correction(moves: Mapping[int, int], rake: int = 0) -> e.AwardCorrected:
    return e.AwardCorrected(moves=_moves(moves), rake=rake, reason="misread hand", ruling="r2")


def _moves(moves: Mapping[int, int]) -> tuple[e.SeatMove, ...]:
    return tuple(e.SeatMove(seat=seat, amount=amount) for seat, amount in moves.items())


def fold(projection: Projection[R], facts: Sequence[e.HandEvent]) -> R:
    """What a projection makes of the facts in order."""
    row: R | None = None
    for fact in facts:
        row = projection.project(row, fact)
    assert row is not None
    return row


def table_rows(projection: Projection[Any], facts: Sequence[e.HandEvent]) -> list[Any]:
    """The table rows the facts come to."""
    rows: tuple[TableRow, ...] = projection.rows(fold(projection, facts), TOLD)
    return list(rows)
