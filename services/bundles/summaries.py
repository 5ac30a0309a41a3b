"""What a bundle says of a hand beside its events: the verdict on it, and its line in the index."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from domain import events as e
from domain.amounts import decimal_words
from domain.verdict import RULES_VERSION, Verdict
from services.bundles import contents as c
from services.replaying import is_over
from services.replaying.seating import printable

INDEX_COLUMNS = "number\tgame\ttable\tplayed\tplayers\trake\tverdict\tleaves\thand\n"


def verdict_of(hand: UUID, events: Sequence[e.HandEvent], judged: Verdict) -> c.VerdictLine:
    """What the rules of this program say of a hand."""
    return c.VerdictLine(
        hand=hand,
        number=started_of(events).number,
        events=len(events),
        verdict=judged.verdict,
        findings=judged.findings,
        rules_version=RULES_VERSION,
    )


def index_head(room: str, view: str, origin: str, size: int) -> bytes:
    """What stands above the hands in the index."""
    return (
        f"Hands of room {room}, view {view}, as the log {origin} had them at {size} leaves.\n"
        f"Amounts in the money of the hand, times in UTC.\n\n{INDEX_COLUMNS}"
    ).encode()


def listed(
    hand: UUID, leaves: tuple[int, int], events: Sequence[e.HandEvent], judged: Verdict
) -> bytes:
    """A line for people; nothing that a record holds steers a terminal or ends the line.

    `leaves` are those of its first and last event. What is said of a hand that goes on is said so
    far.
    """
    started = started_of(events)
    rake = sum(event.total for event in events if isinstance(event, e.RakeTaken))
    money = started.money
    at = started.played_at or started.at
    cells = (
        started.number,
        started.game,
        started.table.name,
        f"{at:%Y-%m-%d %H:%M}" if at else "-",
        str(len(started.seats)),
        f"{decimal_words(rake, money.exponent)} {money.currency}",
        judged.verdict if is_over(events) else f"{judged.verdict} so far, no end yet",
        f"{leaves[0]}-{leaves[1]}",
        str(hand),
    )
    return ("\t".join(map(printable, cells)) + "\n").encode()


def started_of(events: Sequence[e.HandEvent]) -> e.HandStarted:
    """The first fact of a hand: what it is played under."""
    started = events[0]
    assert isinstance(started, e.HandStarted), "it was asked for as a hand"
    return started
