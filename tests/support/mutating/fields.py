"""One field of one fact changed, in every way its kind allows.

The changes follow from the fields themselves, so a field that is added is changed as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from domain import events as e
from domain.cards import DECK
from domain.hand import Hand

Event = Any


class Table(NamedTuple):
    """What is needed to change a fact plausibly: who sits there, a chip, a card nobody has."""

    seats: tuple[int, ...]
    unit: int
    fresh: str


def table_of(hand: Hand) -> Table:
    """`hand` is the hand at its end."""
    started = hand.started
    fresh = next(card for card in DECK if card not in hand.seen)
    return Table(tuple(p.seat for p in hand.seats), started.stakes.chip_unit or 1, fresh)


def changed(event: Event, table: Table) -> Iterator[tuple[str, Event]]:
    """Every changed form of a fact, with the field that was changed: `called.amount`."""
    yield from _struct(e.tag_of(event).removesuffix(".v1"), event, table)


def _struct(path: str, value: Any, table: Table) -> Iterator[tuple[str, Any]]:
    for name in value.__struct_fields__:
        if name not in UNCHANGED:
            for where, other in _value(f"{path}.{name}", name, getattr(value, name), table):
                yield where, replace(value, **{name: other})


def _value(path: str, name: str, value: Any, table: Table) -> Iterator[tuple[str, Any]]:
    if isinstance(value, msgspec.Struct):
        yield from _struct(path, value, table)
    elif isinstance(value, tuple):
        yield from _tuple(path, name, value, table)
    else:
        for other in dict.fromkeys(_leaf(name, value, table)):
            if other != value:
                yield path, other


def _tuple(path: str, name: str, values: tuple[Any, ...], table: Table) -> Iterator[Any]:
    for place, value in enumerate(values):
        before, after = values[:place], values[place + 1 :]
        for where, other in _value(path, name, value, table):
            yield where, (*before, other, *after)
        yield f"{path} dropped", (*before, *after)
        yield f"{path} doubled", (*before, value, value, *after)


def _leaf(name: str, value: Any, table: Table) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif name in TIMES:
        yield from _times(value)
    elif name in CHOICES:
        yield from CHOICES[name]
    elif name in SEATS:
        yield from table.seats
    elif name in CARDS:
        yield table.fresh
    elif isinstance(value, int):
        yield from NUMBERS.get(name, _chips)(value, table)
    elif name not in POSITIONS:
        yield "another"


def _times(value: datetime | None) -> Iterator[datetime | None]:
    if value is None:
        yield datetime(2020, 1, 1, tzinfo=UTC)
    else:
        yield from (value + timedelta(seconds=20), value - timedelta(seconds=20), None)


def _chips(value: int, table: Table) -> Iterator[int]:
    ways = (value + table.unit, value - table.unit, 2 * value, 0)
    yield from (way for way in ways if way >= 0 or value < 0)


def _small(value: int, table: Table) -> Iterator[int]:
    yield from (value + 1, *([value - 1] if value else ()))


def _street(value: int, table: Table) -> Iterator[int]:
    yield from (street for street in (value - 1, value + 1) if 3 <= street <= 7)


UNCHANGED = {"at", "house_rules"}
"""When something is said to have happened, and the rules it is measured by."""

SEATS = {"seat", "opener", "dealer"}
TIMES = {"turn_started_at", "deadline", "disconnected_at", "played_at"}
POSITIONS = {"position", "positions"}
CARDS = {"card", "cards", "down", "up"}
CHOICES: dict[str, tuple[Any, ...]] = {
    "game": ("stud", "stud8", "stud_hilo"),
    "kind": ("real", "play", "tournament"),
    "size": ("small", "big"),
    "half": ("whole", "high", "low"),
    "outcome": ("all_in", "fold", "check", "bring_in"),
    "method": ("dealt", "contributed", "weighted", "winner"),
}
NUMBERS: dict[str, Callable[[int, Table], Iterator[int]]] = {
    "pot": _small,
    "positions": _small,
    "version": _small,
    "exponent": _small,
    "max_seats": _small,
    "street": _street,
}
