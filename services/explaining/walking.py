"""A hand walked through fact by fact: the street as it was played, and what is worth a word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from domain import events as e
from domain.evolve import evolve
from domain.hand import Hand
from domain.rules.turn import turn
from services.explaining.choices import open_pair
from services.explaining.explanation import Line, Section, say, section
from services.explaining.happening import returned, timed_out, wager
from services.explaining.opening import opening
from services.replaying.notes import note, street_name
from services.replaying.seating import Seating


class Passed(msgspec.Struct, frozen=True):
    """One fact with the state before and after it."""

    before: Hand | None
    event: e.HandEvent
    after: Hand


def walk(events: Iterable[e.HandEvent]) -> Iterator[Passed]:
    """Every fact in turn. Raises `CorruptHistory` as `evolve` does."""
    hand: Hand | None = None
    for event in events:
        after = evolve(hand, event)
        yield Passed(hand, event, after)
        hand = after


def street_sections(passed: Iterable[Passed], words: Seating) -> Iterator[Section]:
    """Each street that was bet: its opener, the play in one line, what a rule decided."""
    streets: dict[int, _Street] = {}
    for step in passed:
        number = step.after.betting.street
        if number:
            streets.setdefault(number, _Street()).take(step, words)
    for number, street in streets.items():
        heading = street_name(number).capitalize()
        yield from section(f"street_{number}", heading, street.lines())


class _Street:
    """What is said about one street."""

    def __init__(self) -> None:
        self._opening: tuple[Line, ...] = ()
        self._played: list[str] = []
        self._steps: list[int] = []
        self._decided: list[Line] = []

    def take(self, step: Passed, words: Seating) -> None:
        """The next fact on this street."""
        hand = step.after
        if not self._opening and hand.betting.last is None and turn(hand):
            self._opening = (*opening(hand, words), *open_pair(hand, words))
        if isinstance(step.event, _PLAY):
            self._steps.append(hand.step)
            self._played.append(note(words, step.event, hand).removesuffix("."))
        decided = tuple(_decided(step, words))
        if decided:
            told = note(words, step.event, hand)
            self._decided.append(say(f"Step {hand.step}: {told}"))
            self._decided.extend(replace(line, level=1) for line in decided)

    def lines(self) -> Iterator[Line]:
        """Opener, play, decisions."""
        yield from self._opening
        if self._played:
            first, last = self._steps[0], self._steps[-1]
            steps = f"Steps {first} to {last}" if last > first else f"Step {first}"
            yield say(f"{steps}: {'; '.join(self._played)}.")
        yield from self._decided


_PLAY = (
    e.BringInPosted | e.Called | e.Completed | e.BetPlaced | e.Raised | e.Checked | e.Folded
    | e.TimedOut
)  # fmt: skip


def _decided(step: Passed, words: Seating) -> Iterator[Line]:
    """What a rule decided at this step, if more than the ordinary."""
    before, event, after = step.before, step.event, step.after
    if before is None:
        return
    match event:
        case e.Completed() | e.BetPlaced() | e.Raised():
            yield from wager(before, event, after, words)
        case e.TimedOut():
            yield from timed_out(before, event, after, words)
        case e.UncalledReturned():
            yield from returned(before, event, after, words)
