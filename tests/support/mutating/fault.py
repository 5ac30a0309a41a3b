"""A kind of fault a floor person knows by name, and the rule that must be cited for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from domain import events as e
from domain.errors import CorruptHistory
from domain.evolve import evolve
from domain.finding import Finding
from domain.hand import Hand
from tests.support.mutating.clean import Clean
from tests.support.mutating.facts import Mutant

Facts = tuple[Any, ...]
Makes = Callable[[Clean], Iterator[tuple[int, Facts]]]


class Fault(NamedTuple):
    """`make` gives the place of the fault and all facts from there on; one of `rules` objects."""

    name: str
    rules: frozenset[str]
    make: Makes

    def mutants(self, hand: Clean) -> Iterator[Mutant]:
        for at, tail in self.make(hand):
            yield Mutant(self.name, hand, at, tail)

    def named(self, found: Iterable[Finding]) -> bool:
        """Whether a finding cites one of the rules."""
        return any(finding.rule in self.rules for finding in found)


ACTS = (
    e.BringInPosted, e.Called, e.Completed, e.BetPlaced, e.Raised, e.Checked, e.Folded,
)  # fmt: skip
WAGERS = (e.Completed, e.BetPlaced, e.Raised)


def each(hand: Clean, *kinds: type[e.Event]) -> Iterator[tuple[int, Any, Hand, Facts]]:
    """Place, fact, state before it and all facts after it, of every fact of these kinds."""
    for at, event in enumerate(hand.events):
        if at and isinstance(event, kinds):
            yield at, event, hand.at(at), hand.events[at + 1 :]


def others(hand: Hand, seat: int) -> list[int]:
    """The other seats dealt in."""
    return [p.seat for p in hand.seats if p.seat != seat]


def unit(hand: Hand) -> int:
    """The smallest chip of the table."""
    return hand.started.stakes.chip_unit or 1


def resized(event: Any, by: int) -> Any:
    """A wager, call or forced bet of another amount."""
    if isinstance(event, WAGERS):
        return replace(event, to=event.to + by)
    return replace(event, amount=event.amount + by)


def with_its_stacks(hand: Clean, at: int, tail: Facts) -> Facts:
    """The same facts, the stacks after the hand as these facts come to: one fault, told well."""
    after, facts = hand.at(at), []
    try:
        for event in tail:
            if isinstance(event, e.HandCompleted):
                stacks = tuple(e.SeatStack(seat=p.seat, stack=p.stack) for p in after.seats)
                event = replace(event, stacks=stacks)
            after = evolve(after, event)
            facts.append(event)
    except CorruptHistory:
        return tail
    return tuple(facts)
