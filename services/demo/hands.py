"""The demonstration's hands: three tables played at random from a seed, six hands arranged."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count as count_up
from typing import Protocol

import msgspec

from domain import commands as c
from domain import events as e
from domain.decide import decide
from domain.evolve import evolve
from domain.hand import Hand
from domain.house_rules import DEFAULT_BY_GAME
from domain.units import Chips, Game, Seat
from services.demo.bot import Dealer

SITE = "demo"
OPENED = datetime(2026, 1, 9, 18, 0, tzinfo=UTC)
BETWEEN_HANDS = timedelta(minutes=20)
BUY_IN_BIG_BETS = 20

PLAYERS = ("Ada", "Bruno", "Chiara", "Dmitri", "Esther", "Farid", "Greta", "Hugo")
"""Names of the demonstration's players, by seat."""


class DemoTable(msgspec.Struct, frozen=True, kw_only=True):
    """One table: its game, small bet and ante in cents, and how many sit there."""

    name: str
    game: Game
    small_bet: Chips
    ante: Chips
    players: int


TABLES = (
    DemoTable(name="Amber", game="stud", small_bet=200, ante=25, players=7),
    DemoTable(name="Birch", game="stud8", small_bet=500, ante=50, players=6),
    DemoTable(name="Cedar", game="stud_hilo", small_bet=100, ante=25, players=5),
)


class DealtHand(msgspec.Struct, frozen=True, kw_only=True):
    """A finished hand of the demonstration; `title` where it was arranged to show something."""

    number: str
    events: tuple[e.HandEvent, ...]
    title: str | None = None


def table_hands(count: int) -> Iterator[DealtHand]:
    """`count` hands, the three tables in turn; always the same."""
    rooms = [_sessions(table) for table in TABLES]
    for index in range(count):
        yield next(rooms[index % len(rooms)])


def _sessions(table: DemoTable) -> Iterator[DealtHand]:
    """Hand after hand at one table; stacks carry over, and who is broke buys in again."""
    buy_in = BUY_IN_BIG_BETS * 2 * table.small_bet
    stacks = dict.fromkeys(range(1, table.players + 1), buy_in)
    for index in count_up():
        number = f"{table.name[0]}{index + 1:05d}"
        start = OPENED + index * BETWEEN_HANDS
        dealer = index % table.players + 1
        started = start_of(table, number, dealer, stacks, start)
        events, hand = play_out(started, Dealer(number, start))
        yield DealtHand(number=number, events=events)
        stacks = {p.seat: p.stack or buy_in for p in hand.seats}


def start_of(
    table: DemoTable, number: str, dealer: Seat, stacks: dict[Seat, Chips], start: datetime
) -> e.HandStarted:
    """The first fact of a real-money hand at this table."""
    return e.HandStarted(
        game=table.game,
        stakes=e.Stakes(
            small_bet=table.small_bet,
            big_bet=2 * table.small_bet,
            ante=table.ante,
            bring_in=table.small_bet // 2,
            chip_unit=1,
        ),
        money=e.Money(kind="real", currency="USD", exponent=2),
        house_rules=DEFAULT_BY_GAME[table.game],
        rake_schedule=e.ScheduleRef(id="topspoker", version=1),
        site=SITE,
        number=number,
        table=e.TableRef(id=table.name.lower(), name=table.name, max_seats=8),
        dealer=dealer,
        seats=tuple(
            e.SeatTaken(seat=seat, player=PLAYERS[seat - 1], stack=stack)
            for seat, stack in stacks.items()
        ),
        played_at=start,
        deck=e.Deck(source="supplied", commitment=None),
        source=e.Source(kind="dealt", format=None, text_sha256=None),
        at=start,
    )


class Plays(Protocol):
    """Whoever gives the next command of a hand."""

    def next_command(self, hand: Hand) -> c.HandCommand:
        """The next command, legal in this state."""


def play_out(started: e.HandStarted, dealer: Plays) -> tuple[tuple[e.HandEvent, ...], Hand]:
    """Play a hand to its end, every command the dealer's choice."""
    return carry_on(decide(None, c.StartHand(hand=started, at=started.at)), dealer)


def carry_on(
    events: tuple[e.HandEvent, ...], dealer: Plays
) -> tuple[tuple[e.HandEvent, ...], Hand]:
    """Play a begun hand to its end."""
    log, hand = list(events), fold(events)
    while not hand.completed:
        happened = decide(hand, dealer.next_command(hand))
        for event in happened:
            hand = evolve(hand, event)
        log.extend(happened)
    return tuple(log), hand


def fold(events: tuple[e.HandEvent, ...]) -> Hand:
    """The state after these events, of which there is at least one."""
    hand: Hand | None = None
    for event in events:
        hand = evolve(hand, event)
    assert hand is not None
    return hand
