"""Hands as they stand after the last betting, built without playing them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from domain.cards import DECK
from domain.events import (
    Deck,
    HandStarted,
    Money,
    PotAwarded,
    RakeTaken,
    SeatTaken,
    Source,
    Stakes,
    TableRef,
)
from domain.hand import Betting, Hand, Player, Status
from domain.house_rules import TOPSPOKER, HouseRules
from domain.schedules import DEFAULT_SCHEDULE
from domain.units import Card, Chips, Game, Seat

PLAY = Money(kind="play", currency="chips", exponent=0)
DOLLARS = Money(kind="real", currency="USD", exponent=2)


def rules(**policies: Any) -> HouseRules:
    """The sources' house rules with some policies changed."""
    return replace(TOPSPOKER, **policies)


def cards(text: str) -> tuple[Card, ...]:
    """`"Ah 2d"` as cards."""
    return tuple(text.split())


def player(
    seat: Seat,
    paid: Chips,
    held: str = "",
    *,
    status: Status = "active",
    **changes: Any,
) -> Player:
    """A seat with `paid` in the pot and its cards as dealt: down, down, up …, down."""
    own = cards(held)
    return replace(
        Player(
            seat=seat,
            player=f"p{seat}",
            started_with=paid,
            stack=0,
            status=status,
            paid=paid,
            down=own[:2] + own[6:7],
            up=own[2:6],
        ),
        **changes,
    )


def folded(seat: Seat, paid: Chips) -> Player:
    """A seat that put in `paid` and gave up."""
    return player(seat, paid, status="folded")


def started(
    seats: Iterable[Player],
    *,
    game: Game = "stud",
    dealer: Seat | None = 1,
    chip: Chips = 1,
    money: Money = PLAY,
    bets: tuple[Chips, Chips] = (500, 1000),
    house: HouseRules = TOPSPOKER,
) -> HandStarted:
    """The table those seats sit at, with the sources' schedule if it is for real money."""
    return HandStarted(
        game=game,
        stakes=Stakes(small_bet=bets[0], big_bet=bets[1], ante=0, bring_in=0, chip_unit=chip),
        money=money,
        house_rules=house,
        rake_schedule=DEFAULT_SCHEDULE if money.kind == "real" else None,
        site="test",
        number="1",
        table=TableRef(id="t", name="T", max_seats=8),
        dealer=dealer,
        seats=tuple(SeatTaken(seat=p.seat, player=p.player, stack=p.started_with) for p in seats),
        played_at=None,
        deck=Deck(source="external", commitment=None),
        source=Source(kind="dealt", format=None, text_sha256=None),
    )


def table(*seats: Player, community: Card | None = None, street: int = 7, **about: Any) -> Hand:
    """A hand of those seats with its betting over; `about` goes to `started`."""
    in_order = tuple(sorted(seats, key=lambda p: p.seat))
    return Hand(
        started=started(in_order, **about),
        step=0,
        seats=in_order,
        betting=Betting(street=street),
        community=community,
    )


def any_cards(count: int) -> list[str]:
    """Seven different cards for each of `count` seats, all from one deck."""
    return [" ".join(DECK[place::count][:7]) for place in range(count)]


def amounts(award: PotAwarded) -> dict[Seat, Chips]:
    """What each seat got of an award."""
    return {share.seat: share.amount for share in award.shares}


def paid_to(awards: Iterable[PotAwarded]) -> dict[Seat, Chips]:
    """What each seat got of all awards together."""
    totals: dict[Seat, Chips] = {}
    for award in awards:
        for share in award.shares:
            totals[share.seat] = totals.get(share.seat, 0) + share.amount
    return dict(sorted(totals.items()))


def rake_shares(rake: RakeTaken | None) -> dict[Seat, Chips]:
    """Who bears how much of a rake that was taken."""
    assert rake is not None, "rake was taken"
    return {share.seat: share.amount for share in rake.attribution.shares}
