"""A table of a room with people at it, and hands played there through `handle`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from msgspec.structs import replace

from domain import commands as c
from domain import events as e
from domain.consequences import cards_due
from domain.house_rules import DEFAULT_BY_GAME
from domain.legal import LegalAction
from domain.schedules import DEFAULT_SCHEDULE
from domain.tables import events as t
from domain.units import Game
from services.dealing import SHUFFLED, DeckWish, decks_of
from services.demo.bot import command_for
from services.live import Acted, By, Idempotency, KeptHands, Live, begin_hand, handle
from services.live.attempts import AttemptRefused, decode
from services.live.standing import attempts_stream
from services.store.port import Append
from services.store.room import Room
from services.tables import LoadedTable, load_table
from services.tables.loading import facts as table_facts

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
DEALER = By(actor=str(UUID(int=1)), role="dealer")
FLOOR = By(actor=str(UUID(int=2)), role="floor")


class SimulatedClock:
    """A clock that moves when it is told to, and a little whenever it is looked at."""

    def __init__(self, start: datetime = NOON) -> None:
        self.time = start

    def __call__(self) -> datetime:
        self.time += timedelta(milliseconds=1)
        return self.time

    def pass_by(self, seconds: float) -> None:
        """Let some time pass."""
        self.time += timedelta(seconds=seconds)


def live_in(room: Room, clock: Callable[[], datetime] | None = None) -> Live:
    """Live play of a room, as one server has it."""
    return Live(room, decks_of(room), clock or SimulatedClock(), KeptHands())


def keyed(by: By, key: str, digest: str = "0" * 64) -> By:
    """The same caller, whose request may be sent again."""
    return replace(by, key=Idempotency(key, digest))


def player(seat: int) -> UUID:
    """Who sits at that seat of every table here."""
    return UUID(int=100 + seat)


def opened(
    *, real: bool = True, game: Game = "stud", ante: int = 25, **policies: object
) -> t.TableOpened:
    """A table of $2/$4, or the same in play money."""
    money = ("real", "USD", 2) if real else ("play", "chips", 0)
    return t.TableOpened(
        name="Amber",
        game=game,
        stakes=e.Stakes(small_bet=200, big_bet=400, ante=ante, bring_in=100, chip_unit=1),
        money=e.Money(kind=money[0], currency=money[1], exponent=money[2]),
        house_rules=replace(DEFAULT_BY_GAME[game], **policies),
        rake_schedule=DEFAULT_SCHEDULE if real else None,
        max_seats=8,
        site="studledger",
        at=NOON,
    )


def table_with(
    live: Live,
    stacks: dict[int, int],
    opening: t.TableOpened | None = None,
    players: dict[int, UUID] | None = None,
) -> UUID:
    """A new table with these stacks, and at each seat its usual player or the one named."""
    table, people = uuid4(), players or {}
    seated = [
        t.PlayerSeated(seat=seat, player=str(people.get(seat, player(seat))), stack=stack, at=NOON)
        for seat, stack in stacks.items()
    ]
    facts = table_facts([opening or opened(), *seated])
    live.store.append([Append(stream=table, expected=0, facts=facts, actor="floor")])
    return table


class TableInPlay:
    """A table and the hand on it: act for whoever is to act, and look at what is stored."""

    def __init__(
        self,
        live: Live,
        stacks: dict[int, int] | None = None,
        opening: t.TableOpened | None = None,
        players: dict[int, UUID] | None = None,
    ) -> None:
        self.live = live
        stacks = stacks or {1: 10_000, 2: 10_000, 3: 10_000}
        self.id = table_with(live, stacks, opening, players)

    def begin(self, deck: DeckWish = SHUFFLED, by: By = DEALER, dealer: int | None = None) -> Acted:
        """Begin a hand."""
        self.last = begin_hand(self.live, self.id, dealer, deck, by)
        return self.last

    @property
    def hand(self) -> UUID:
        return self.last.hand_id

    def do(
        self,
        command: c.HandCommand,
        by: By = DEALER,
        turn: str | None = None,
        live: Live | None = None,
    ) -> Acted:
        """Any command; what it came to is the last answer."""
        self.last = handle(live or self.live, self.hand, command, by, turn)
        return self.last

    def act(self, name: str, by: By = DEALER, turn: str | None = None) -> Acted:
        """What the seat to act does, by the name of the action."""
        return self.do(self.choice(name), by, turn or self.last.turn)

    def choice(self, name: str) -> c.HandCommand:
        """The command of a legal action."""
        return command_for(self.legal(name))

    def legal(self, name: str) -> LegalAction:
        return next(choice for choice in self.last.legal if choice.action == name)

    def act_somehow(self, *liked: str) -> Acted:
        """The first of these that is legal; if none is, staying in as cheaply as possible."""
        legal = [choice.action for choice in self.last.legal]
        return self.act(next(n for n in (*liked, "bring_in", "check", "call") if n in legal))

    def to_the_end(self, *liked: str) -> Acted:
        """Everybody does what of these is legal, or stays in as cheaply as he can."""
        while self.last.legal:
            self.act_somehow(*liked)
        return self.last

    def table(self) -> LoadedTable:
        """The table as it is stored."""
        return load_table(self.live.store, self.id)

    def stacks(self) -> dict[int, int]:
        """What everybody has at the table."""
        return {sitting.seat: sitting.stack for sitting in self.table().table.seats}

    def stored(self) -> tuple[e.HandEvent, ...]:
        """The hand's events as they are stored."""
        return tuple(e.decode(state) for state in self.live.store.states(self.hand))

    def attempts(self) -> tuple[AttemptRefused, ...]:
        """What was asked and not done."""
        return tuple(map(decode, self.live.store.states(attempts_stream(self.hand))))


def chips_at(acted: Acted) -> int:
    """All chips of a hand, wherever they are."""
    hand = acted.hand
    return sum(p.stack for p in hand.seats) + hand.pot + hand.rake


def waits_for_cards(acted: Acted) -> bool:
    """Whether the next thing to come is a card from outside."""
    return cards_due(acted.hand) is not None
