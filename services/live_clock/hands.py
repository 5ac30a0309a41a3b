"""The hands being played in a room, kept in step with the log without reading it whole."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from uuid import UUID

import msgspec
import structlog

from domain import events as e
from domain.errors import CorruptHistory
from domain.evolve import evolve, replay
from domain.hand import Hand
from domain.tables.events import HandBegun, HandEnded
from domain.tables.events import decode as decode_table
from domain.timing import TurnClock, turn_clock
from services.store.room import Room

PAGE = 2_000

PLAYED_NOW = """
select coalesce((select position from projection_positions where name = 'tables'), 0),
       array(select hand from tables where hand is not null)
"""
# Whatever else the log brings, such as a whole import, stays where it is.
NEWS = """
select notification_id, originator_id, originator_version, topic, state from events
 where notification_id > %s and notification_id <= %s
   and (topic = any(%s) or originator_id = any(%s))
 order by notification_id limit %s
"""
_log = structlog.get_logger()

BEGUN, ENDED = (str(kind.__struct_config__.tag) for kind in (HandBegun, HandEnded))


class InPlay:
    """A hand being played, after the events it has so far."""

    def __init__(self, hand_id: UUID, events: tuple[e.HandEvent, ...], hand: Hand) -> None:
        self.hand_id = hand_id
        self.events = events
        self.hand = hand

    @cached_property
    def clock(self) -> TurnClock | None:
        """The clock of the turn."""
        return turn_clock(self.events, self.hand)

    @property
    def over(self) -> bool:
        """Whether the hand is completed or void."""
        return self.hand.completed or self.hand.voided

    def after(self, event: e.HandEvent) -> InPlay:
        """The hand after one event more."""
        return InPlay(self.hand_id, (*self.events, event), evolve(self.hand, event))


class _New(msgspec.Struct, frozen=True):
    """One fact of a table, or of a hand in play."""

    position: int
    stream: UUID
    n: int
    type: str
    state: bytes


class HandsInPlay:
    """The hands of a room's tables, each as far as the log has brought it.

    The tables' own projection says where to begin; from there on the log is followed.
    """

    def __init__(self, room: Room) -> None:
        self._room = room
        self._at: int | None = None
        self._hands: dict[UUID, InPlay] = {}
        self._changed: set[UUID] = set()

    def __len__(self) -> int:
        return len(self._hands)

    def __iter__(self) -> Iterator[InPlay]:
        return iter(list(self._hands.values()))

    def get(self, hand: UUID) -> InPlay | None:
        """The hand, if it is being played."""
        return self._hands.get(hand)

    def look(self) -> frozenset[UUID]:
        """Take in what is new; the hands that changed, began or ended since the last look.

        A look that fails in the middle is gone on with by the next one.
        """
        if self._at is None:
            at, played = self._played_now()
            self._read(played)
            self._at = at
        head = self._room.store.head()
        while self._at < head:
            page = self._news(self._at, head)
            self._take(page)
            self._at = page[-1].position if len(page) == PAGE else head
        changed, self._changed = frozenset(self._changed), set()
        return changed

    def _take(self, page: Sequence[_New]) -> None:
        unread: set[UUID] = set()
        for new in page:
            if new.type in (BEGUN, ENDED):
                hand = _hand_of(new.state)
                (unread.add if new.type == BEGUN else unread.discard)(hand)
                self._drop(hand)
            elif not self._goes_on(new):
                unread.add(new.stream)
        self._read(unread)

    def _goes_on(self, new: _New) -> bool:
        """Whether this fact of a hand was taken in, or was before; else it is to be read anew."""
        hand = self._hands.get(new.stream)
        if hand is None or new.n <= len(hand.events):
            return True
        if new.n > len(hand.events) + 1:
            return False
        with self._whole(new.stream):
            self._keep(hand.after(e.decode(new.state)))
        return True

    def _read(self, hands: Collection[UUID]) -> None:
        """Read these hands from their first fact."""
        if not hands:
            return
        for hand, facts in self._room.store.load_many(hands).items():
            with self._whole(hand):
                events = tuple([e.decode(fact.state) for fact in facts])
                self._keep(InPlay(hand, events, replay(events)))

    def _keep(self, hand: InPlay) -> None:
        if hand.over:
            self._drop(hand.hand_id)
        else:
            self._hands[hand.hand_id] = hand
            self._changed.add(hand.hand_id)

    def _drop(self, hand: UUID) -> None:
        if self._hands.pop(hand, None) is not None:
            self._changed.add(hand)

    @contextlib.contextmanager
    def _whole(self, hand: UUID) -> Iterator[None]:
        """A hand that cannot be read has no clock; every other one goes on."""
        try:
            yield
        except (msgspec.MsgspecError, CorruptHistory):
            self._drop(hand)
            _log.error("clock.hand_unreadable", hand=str(hand))

    def _played_now(self) -> tuple[int, Sequence[UUID]]:
        with self._room.connect() as connection:
            row = connection.execute(PLAYED_NOW).fetchone()
        assert row is not None
        return row[0], row[1]

    def _news(self, after: int, head: int) -> Sequence[_New]:
        wanted = (after, head, [BEGUN, ENDED], list(self._hands), PAGE)
        with self._room.connect() as connection, connection.cursor(binary=True) as cursor:
            return [_New(*row) for row in cursor.execute(NEWS, wanted, prepare=True)]


def _hand_of(state: bytes) -> UUID:
    fact = decode_table(state)
    assert isinstance(fact, HandBegun | HandEnded), "its type says so"
    return fact.hand
