"""Live play: load a hand, decide, append, eight at a time, on our recorder and the stock one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from statistics import median
from uuid import UUID

from eventsourcing.persistence import ApplicationRecorder, StoredEvent

from benchmarks.hands import stream
from benchmarks.measuring import Measured, Size, in_pairs, significant
from benchmarks.places import scratch_rooms
from domain import commands as c
from domain import events as e
from domain.decide import decide
from domain.events import decode, encode, tag_of
from domain.evolve import replay
from services.demo.bot import Dealer
from services.demo.hands import OPENED, TABLES, start_of
from services.store.port import Append, facts
from services.store.room import Room
from services.store.stock import stock_recorder

CLIENTS = 8
COMMANDS: dict[Size, int] = {"tiny": 2, "small": 60, "large": 400}
"""Commands each client gives in a round; when a hand ends he begins the next."""
ROUNDS: dict[Size, int] = {"tiny": 1, "small": 9, "large": 9}
REACH, AIM = 2.5, 5.0

Load = Callable[[UUID], Sequence[bytes]]
Store = Callable[[UUID, int, Iterable[e.HandEvent]], None]


def run(size: Size) -> Measured:
    """The same commands of the same hands on both sides; only the recorder differs."""
    each, rounds = COMMANDS[size], ROUNDS[size]
    with scratch_rooms(2, 100 * rounds) as (ours, theirs), stock_recorder(theirs) as stock:
        own, other = _on_ours(ours), _on_stock(stock)
        pairs = in_pairs(rounds, lambda: _play(own, each), lambda: _play(other, each))
        events = ours.store.head()
        assert events == theirs.store.head(), "both sides stored the same"
    commands = CLIENTS * each
    return Measured(
        ratio=pairs.faster,
        numbers={
            "clients": CLIENTS,
            "commands per round": commands,
            "events per command": significant(events / commands / rounds),
            "ours commands/s": significant(commands / median(pairs.ours)),
            "stock commands/s": significant(commands / median(pairs.theirs)),
            **pairs.numbers,
            "reach": REACH,
            "aim": AIM,
        },
    )


class Client:
    """Plays hand after hand, knowing nothing of a hand but what the log says."""

    def __init__(self, number: int, load: Load, store: Store) -> None:
        self._number = number
        self._load = load
        self._store = store
        self._hands = count()
        self._begin()

    def play(self, commands: int) -> None:
        """Give so many commands."""
        for _ in range(commands):
            self._command()

    def _begin(self) -> None:
        self._name = f"{self._number}-{next(self._hands)}"
        self._hand = stream(f"live {self._name}", 0)
        self._dealer = Dealer(self._name, OPENED)

    def _command(self) -> None:
        stored = self._load(self._hand)
        state = replay(map(decode, stored)) if stored else None
        events = decide(state, self._dealer.next_command(state) if state else self._start())
        self._store(self._hand, len(stored), events)
        if type(events[-1]) is e.HandCompleted:
            self._begin()

    def _start(self) -> c.StartHand:
        table = TABLES[self._number % len(TABLES)]
        stacks = dict.fromkeys(range(1, table.players + 1), 100 * table.small_bet)
        return c.StartHand(hand=start_of(table, self._name, 1, stacks, OPENED), at=OPENED)


def _play(clients: Sequence[Client], commands: int) -> None:
    with ThreadPoolExecutor(len(clients)) as at_once:
        list(at_once.map(lambda client: client.play(commands), clients))


def _on_ours(room: Room) -> list[Client]:
    def load(hand: UUID) -> list[bytes]:
        return room.store.states(hand)

    def store(hand: UUID, length: int, events: Iterable[e.HandEvent]) -> None:
        append = Append(stream=hand, expected=length, facts=facts(events), actor="benchmark")
        (answer,) = room.store.append([append])
        assert answer.status == "ok", "nobody else plays this hand"

    return [Client(number, load, store) for number in range(CLIENTS)]


def _on_stock(recorder: ApplicationRecorder) -> list[Client]:
    def load(hand: UUID) -> list[bytes]:
        return [event.state for event in recorder.select_events(hand)]

    def store(hand: UUID, length: int, events: Iterable[e.HandEvent]) -> None:
        recorder.insert_events(
            [
                StoredEvent(hand, version, tag_of(event), encode(event))
                for version, event in enumerate(events, length + 1)
            ]
        )

    return [Client(number, load, store) for number in range(CLIENTS)]
