"""Hands without a fault: dealt ones of all games and presets, and real ones where they are here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from domain import events as e
from domain.evolve import evolve
from domain.hand import Hand
from domain.house_rules import ALL_GAMES, PRESETS
from services.demo.arranged import arranged_hands
from services.demo.hands import table_hands
from services.readers.reading import read_file
from services.readers.record import HandRead
from tests.support.bdd import DOLLARS, PLAY, started
from tests.support.hand_texts import CORPUS
from tests.support.played import played

DEMO_HANDS = 12
SUFFIXES = {".txt", ".phh"}


class Clean(NamedTuple):
    """A hand nothing can be said against; `before[i]` is the state before `events[i]`."""

    name: str
    events: tuple[e.HandEvent, ...]
    before: tuple[Hand | None, ...]
    end: Hand

    @property
    def dealt(self) -> bool:
        """Whether we dealt it, so that all of it can be derived again."""
        return self.end.started.source.kind == "dealt"

    def at(self, step: int) -> Hand:
        """The state before the event at this 0-based place, which is not the first."""
        hand = self.before[step]
        assert hand is not None
        return hand


def clean(name: str, events: tuple[e.HandEvent, ...]) -> Clean:
    states: list[Hand | None] = [None]
    for event in events:
        states.append(evolve(states[-1], event))
    end = states.pop()
    assert end is not None
    return Clean(name, events, tuple(states), end)


def dealt_hands() -> Iterator[Clean]:
    """The demonstration's hands, and random ones at every preset's table in every game."""
    for hand in (*table_hands(DEMO_HANDS), *arranged_hands()):
        yield clean(hand.number, hand.events)
    for preset in sorted(PRESETS):
        for game in ALL_GAMES:
            for depth in (2, 3, 12):
                name = f"{preset} {game} {depth}"
                yield clean(name, played(_start(Random(name), preset, game, depth), Random(name)))


def _start(dice: Random, preset: str, game: str, depth: int) -> e.HandStarted:
    """A table of three to five with stacks up to `depth` big bets, so that many are all-in."""
    house = PRESETS[preset]
    seats = sorted(dice.sample(range(1, 9), dice.randint(3, 5)))
    return started(
        {seat: dice.randint(40, 400 * depth) for seat in seats},
        game=game,  # type: ignore[arg-type]  # one of ALL_GAMES
        dealer=dice.randint(1, 8),
        small=200,
        ante=25,
        bring_in=100,
        money=DOLLARS if house.rake == "schedule" else PLAY,
        house=house,
    )


def real_hands() -> Iterator[Clean]:
    """Every hand of ../shared/corpus; none where it is absent."""
    for path in sorted(Path(CORPUS).rglob("*")):
        if path.suffix in SUFFIXES:
            for hand in read_file(path):
                if isinstance(hand, HandRead):
                    yield clean(f"{path.stem}:{hand.line}", hand.events)
