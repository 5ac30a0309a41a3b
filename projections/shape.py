"""What every projection is made of: a pure fold of facts, and the table rows it comes to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import ClassVar, Generic, TypeVar, get_args
from uuid import UUID

import msgspec

from domain.events import Event, HandEvent, HandStarted
from domain.evolve import evolve
from domain.hand import Hand

EVERY_KIND: frozenset[type[Event]] = frozenset(get_args(HandEvent))
"""All kinds of facts a hand is told in."""


class Told(msgspec.Struct, frozen=True, gc=False):
    """What only the envelope tells: whose facts they are, and where in the log.

    `stream` is the hand's id, or that of a table, a case, a ledger. `recorded_at` is when its
    first fact was recorded (UTC), `position` that of the last one taken in.
    """

    stream: UUID
    recorded_at: datetime
    position: int = 0

    def happened_at(self, started: HandStarted) -> datetime:
        """When the hand was played, in UTC; where the record has no time, when it was recorded."""
        return in_utc(started.played_at or self.recorded_at)

    def day(self, started: HandStarted) -> date:
        """The UTC day the hand counts for in every report."""
        return self.happened_at(started).date()


def in_utc(at: datetime) -> datetime:
    """A recorded time in UTC, which is what one without an offset is in, wherever it is read."""
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


class StoredRow(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Base of every row stored: its fields are the table's columns, in the table's order.

    When a stream goes on, the rows it had are replaced by those it comes to now; `key` is the
    column that has the stream's id.
    """

    table: ClassVar[str]
    key: ClassVar[str]


class TableRow(StoredRow, frozen=True, kw_only=True, gc=False):
    """Base of every row of a hand."""

    key: ClassVar[str] = "hand"

    hand: UUID


class EntryRow(TableRow, frozen=True, kw_only=True, gc=False):
    """Base of rows that stay for ever: a hand that goes on only adds those of its new steps."""

    step: int


class SumRow(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Base of what one hand adds to rows that are sums over many hands.

    The fields of `amounts`, of every such row alike, are added up; the others are the table's
    primary key and say which sum it is. A row whose amounts all come to zero is not kept. When a
    hand goes on, only the difference to what it had added before is added.
    """

    table: ClassVar[str]
    amounts: ClassVar[tuple[str, ...]]


class Followed(msgspec.Struct, frozen=True, gc=False):
    """Base of every fold: the hand so far, and in subclasses what the state does not keep."""

    hand: Hand

    def at(self: Row, hand: Hand) -> Row:
        """The same fold at another state of its hand."""
        return self if hand is self.hand else msgspec.structs.replace(self, hand=hand)


Row = TypeVar("Row", bound=Followed)
State = TypeVar("State")
Fact = TypeVar("Fact")


def nothing(row: object, told: Told) -> tuple[()]:
    """No rows: what a projection without tables, or without sums, comes to."""
    return ()


def never(hand: Hand, event: HandEvent) -> bool:
    """Nothing is passed over: what a projection of few kinds of facts says of each."""
    return False


class Projection(msgspec.Struct, Generic[Row], frozen=True, kw_only=True):
    """One read model of hands. `project` folds a fact.

    `heeds` are the kinds of facts that say something beyond the state: after a fact of any other
    kind the fold is the same but for its `hand`, so nobody needs to ask. Of the kinds it heeds,
    `passes_over` says the same of one fact after a state. `rows` says what a hand's fold comes to
    in `tables`, and `adds` what it adds to `sums`.
    """

    name: str
    project: Callable[[Row | None, HandEvent], Row]
    heeds: frozenset[type[Event]]
    passes_over: Callable[[Hand, HandEvent], bool] = never
    tables: tuple[type[TableRow], ...] = ()
    rows: Callable[[Row, Told], tuple[TableRow, ...]] = nothing
    sums: tuple[type[SumRow], ...] = ()
    adds: Callable[[Row, Told], tuple[SumRow, ...]] = nothing


class StreamKind(msgspec.Struct, Generic[Fact], frozen=True):
    """Streams other than hands: their facts' stored types and how one is read.

    `ends` are the types after which such a stream seldom goes on.
    """

    types: frozenset[str]
    ends: frozenset[str]
    decode: Callable[[bytes], Fact]


class StreamProjection(msgspec.Struct, Generic[State, Fact], frozen=True, kw_only=True):
    """One read model of streams other than hands, which are short: every fact is folded."""

    name: str
    of: StreamKind[Fact]
    project: Callable[[State | None, Fact], State]
    tables: tuple[type[StoredRow], ...]
    rows: Callable[[State, Told], tuple[StoredRow, ...]]
    sums: tuple[type[SumRow], ...] = ()
    adds: Callable[[State, Told], tuple[SumRow, ...]] = nothing


_last: tuple[Hand | None, HandEvent, Hand] | None = None


def follow(hand: Hand | None, event: HandEvent) -> Hand:
    """`evolve`, remembering its last answer.

    Several projections of one hand ask for the same step one after the other; it is worked out
    once. The answer is the same as `evolve`'s, so nothing depends on the memory but speed.
    """
    global _last
    last = _last
    if last is not None and last[1] is event and last[0] is hand:
        return last[2]
    after = evolve(hand, event)
    _last = (hand, event, after)
    return after


def as_json(value: object) -> str:
    """JSON text, the way a `jsonb` column takes it."""
    return msgspec.json.encode(value).decode()
