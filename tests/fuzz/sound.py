"""What must hold of every history that was let in, whoever wrote it."""

from __future__ import annotations

import io
from collections.abc import Sequence

import msgspec
from rich.console import Console

from domain import events as e
from domain.check import check
from domain.consequences import cards_due, consequences
from domain.errors import CorruptHistory, Refused
from domain.evolve import evolve, replay
from domain.hand import Hand
from domain.legal import legal_actions
from domain.units import MOST_CHIPS
from domain.verdict import judge
from services.explaining import as_text, explain
from services.readers.reading import Outcome
from services.readers.record import HandRead, Rejected, Skipped
from services.readers.strict import event_of
from services.replaying import ALL, PUBLIC, ReplayFrame, View, draw, is_over, replay_frames

MOST_CARDS = 52
MOST_WORDS = 400_000
"""Characters that explaining a hand may come to, whatever it says."""


def let_in(events: Sequence[e.HandEvent]) -> tuple[e.HandEvent, ...]:
    """As many of the events as are a history; every state on the way is sound."""
    hand: Hand | None = None
    for n, event in enumerate(events):
        try:
            after = evolve(hand, event)
        except CorruptHistory as wrong:
            assert str(wrong).startswith("step ")
            return tuple(events[:n])
        check(hand, event)
        assert_sound(after)
        assert e.decode(e.encode(event)) == event
        hand = after
    return tuple(events)


def assert_table(start: e.HandEvent) -> None:
    """Nobody sits in two seats."""
    assert isinstance(start, e.HandStarted)
    assert len({taken.player for taken in start.seats}) == len(start.seats)


def assert_sound(hand: Hand) -> None:
    """Chips are conserved and countable, nobody owes, and no card is there twice."""
    stacks = [player.stack for player in hand.seats]
    assert min(stacks) >= 0
    assert hand.pot >= 0
    assert hand.rake >= 0
    chips = sum(player.started_with for player in hand.seats)
    assert sum(stacks) + hand.pot + hand.rake == chips <= MOST_CHIPS, "chips are conserved"
    community = [hand.community] if hand.community else []
    cards = [*community, *(card for player in hand.seats for card in player.cards)]
    assert len(cards) <= MOST_CARDS
    seen = [card for card in cards if card != "??"]
    assert len(set(seen)) == len(seen)


def assert_answers(events: Sequence[e.HandEvent]) -> None:
    """Every question can be asked of a history, and the answer has a size."""
    assert_questions(replay(events))
    verdict = judge(events)
    assert all(1 <= finding.step <= len(events) + 1 for finding in verdict.findings)
    words = sum(len(finding.text) for finding in verdict.findings)
    for view in _views(verdict.hand, events):
        explained = explain("hand", events, view=view)
        words += len(as_text(explained)) + len(msgspec.json.encode(explained))
        last = explain("hand", events, step=len(events), view=view)
        words += len(as_text(last))
        frames = list(replay_frames("hand", events, view))
        words += sum(len(frame.note) for frame in frames)
    words += len(_printed(frames[-1]))
    assert words < MOST_WORDS * len(_views(verdict.hand, events)) + 40 * _size(events)


def assert_questions(hand: Hand) -> None:
    """What is legal, what cards are due and what follows can be asked of any state."""
    legal_actions(hand)
    cards_due(hand)
    try:
        consequences(hand)
    except Refused as refusal:
        assert refusal.rule == "R3", "the stakes may be outside every band of the schedule"


def _printed(frame: ReplayFrame) -> str:
    screen = Console(width=80, file=io.StringIO())
    with screen.capture() as capture:
        screen.print(draw(frame))
    return capture.get()


def _views(hand: Hand, events: Sequence[e.HandEvent]) -> list[View]:
    views = [PUBLIC, View("seat", hand.seats[0].seat)]
    return [*views, ALL] if is_over(events) else views


def _size(events: Sequence[e.HandEvent]) -> int:
    return sum(len(e.encode(event)) for event in events)


def assert_outcome(outcome: Outcome, size: int, lines: int) -> None:
    """A file's hand is sound, or it is refused at a line of the file in words fit for a screen."""
    match outcome:
        case HandRead():
            assert let_in(outcome.events) == outcome.events, "what is read can be replayed"
            assert [event_of(e.encode(event)) for event in outcome.events] == [*outcome.events]
            assert_table(outcome.events[0])
            assert len(outcome.lines) == len(outcome.events)
            assert all(1 <= line <= lines for line in outcome.lines)
            assert _size(outcome.events) < 50_000 + 100 * size
            assert_answers(outcome.events)
        case Rejected():
            assert 1 <= outcome.line <= lines
            assert outcome.reason
            assert not outcome.reason.startswith("an unexpected"), "a bug is no reason"
            assert len(outcome.reason) < 1000
            assert all(char.isprintable() for char in outcome.reason)
        case Skipped():
            assert 1 <= outcome.line <= lines
            assert outcome.game
            assert len(outcome.game) < 1000
