"""Hands played by the rules that PokerKit knows too, and their text in its notation."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from datetime import timedelta
from functools import cache
from itertools import count as count_up
from itertools import islice
from pathlib import Path

import msgspec
from msgspec.structs import replace
from pokerkit import HandHistory, State

from domain import events as e
from domain.house_rules import PHH
from domain.units import Game
from services.demo.bot import Dealer
from services.demo.hands import OPENED, play_out, start_of
from services.demo.hands import TABLES as DEMO_TABLES
from services.readers.reading import read_file
from services.readers.record import HandRead

VARIANTS: dict[Game, str] = {"stud": "F7S", "stud8": "F7S/8"}
RULES = replace(PHH, name="benchmark", open_pair_double_bet=(), rake="schedule", burn_cards=False)
"""PokerKit has no double bet for an open pair; the schedule's rake is extra work for us."""

TABLES = DEMO_TABLES[:2]
"""The demonstration's stud and stud8 tables: the notation has no game without a qualifier."""

RECORDS = Path(__file__).parents[2] / "shared" / "corpus" / "phh"
STACK = 100_000
"""Deep enough that nobody is all-in: short all-ins are not the same rule there."""


class Twin(msgspec.Struct, frozen=True):
    """One hand as our stored bytes and as the other side's text."""

    states: tuple[bytes, ...]
    text: str


@cache
def twins(count: int) -> tuple[Twin, ...]:
    """`count` finished hands, both games in turn, each checked to end alike on both sides."""
    return tuple(islice(filter(None, map(_twin, count_up())), count))


def recorded_twins() -> tuple[Twin, ...]:
    """Hands of PHH files beside the project; none where there are no such files."""
    return tuple(
        Twin(tuple(map(e.encode, hand.events)), path.read_text("utf-8"))
        for path in sorted(RECORDS.glob("*.phh"))
        for hand in read_file(path, None, None)
        if isinstance(hand, HandRead)
    )


def _twin(index: int) -> Twin | None:
    """One hand; none if a turn ran out in it, for which the notation has no word."""
    table = TABLES[index % len(TABLES)]
    stacks = dict.fromkeys(range(1, table.players + 1), STACK)
    start = OPENED + index * timedelta(minutes=5)
    started = replace(
        start_of(table, f"{table.name}{index}", table.players, stacks, start), house_rules=RULES
    )
    events, hand = play_out(started, Dealer(f"twin {index}", start))
    if any(isinstance(event, e.TimedOut) for event in events):
        return None
    twin = Twin(tuple(map(e.encode, events)), phh(events))
    ended = {player.seat: player.stack for player in hand.seats}
    there = last_state(twin.text).stacks
    assert sum(there) == sum(ended.values()) + hand.rake, "the same chips on both sides"
    assert all(abs(there[seat - 1] - ended[seat]) <= hand.rake + 1 for seat in ended), twin.text
    return twin


def last_state(text: str) -> State:
    """Parse a hand's text and play all of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # It finds a fold where a check is free unreasonable.
        *_, last = HandHistory.loads(text)
    return last


def phh(events: Iterable[e.HandEvent]) -> str:
    """A hand in PokerKit's notation, for seats that are numbered from the dealer's left."""
    started, *rest = events
    assert isinstance(started, e.HandStarted)
    stakes, seats = started.stakes, sorted(started.seats, key=lambda taken: taken.seat)
    fields: dict[str, object] = {
        "variant": VARIANTS[started.game],
        "ante_trimming_status": True,
        "antes": [stakes.ante] * len(seats),
        "bring_in": stakes.bring_in,
        "small_bet": stakes.small_bet,
        "big_bet": stakes.big_bet,
        "starting_stacks": [taken.stack for taken in seats],
        "actions": [action for event in rest for action in _actions(event)],
    }
    return "".join(f"{key} = {_toml(value)}\n" for key, value in fields.items())


def _actions(event: e.HandEvent) -> Iterator[str]:
    """The words for one fact; none where the other side finds it out by itself."""
    match event:
        case e.CardsDealt(seat=seat, down=down, up=up):
            yield f"d dh p{seat} {''.join((*down, *up))}"
        case e.BringInPosted(seat=seat):
            yield f"p{seat} pb"
        case e.Called(seat=seat) | e.Checked(seat=seat):
            yield f"p{seat} cc"
        case e.Folded(seat=seat):
            yield f"p{seat} f"
        case (
            e.Completed(seat=seat, to=to)
            | e.BetPlaced(seat=seat, to=to)
            | e.Raised(seat=seat, to=to)
        ):
            yield f"p{seat} cbr {to}"
        case e.CardsShown(seat=seat):
            yield f"p{seat} sm -"


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)
