"""Every fact of a hand changed in every way: its fields, left out, told twice, told late."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from domain import events as e
from tests.support.mutating.clean import Clean
from tests.support.mutating.fields import changed, table_of


class Mutant(NamedTuple):
    """A hand that is clean up to `at` and goes on with `tail`; `kind` says what was changed."""

    kind: str
    hand: Clean
    at: int
    tail: tuple[Any, ...]

    @property
    def events(self) -> tuple[Any, ...]:
        return (*self.hand.events[: self.at], *self.tail)


def every_change(hand: Clean) -> Iterator[Mutant]:
    """All mutants of a hand that differ from it in one fact."""
    table, events = table_of(hand.end), hand.events
    for at, event in enumerate(events):
        rest = events[at + 1 :]
        for kind, other in changed(event, table):
            yield Mutant(kind, hand, at, (other, *rest))
        name = e.tag_of(event).removesuffix(".v1")
        yield Mutant(f"{name} left out", hand, at, rest)
        yield Mutant(f"{name} twice", hand, at, (event, event, *rest))
        if rest:
            yield Mutant(f"{name} late", hand, at, (rest[0], event, *rest[1:]))
