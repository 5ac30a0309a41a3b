"""Facts as an onlooker may know them, one by one, from wherever in the log he begins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from uuid import UUID

import msgspec

from domain.events import HandEvent, HandStarted, decode, encode
from domain.tables.events import TYPES as TABLE_TYPES
from services.feed.shown import Shown, shown
from services.projecting.folding import ENDS, HAND_TYPES
from services.replaying import PUBLIC, Eyes, View
from services.store.players import as_id
from services.store.port import Recorded

CARRIED = 1_024  # Hands in play kept in memory; beyond that the oldest is read again.
UNREADABLE = b"null"

ViewOf = Callable[[HandStarted], View]
"""With which view a hand is seen, by how it began."""

States = Callable[[UUID], Sequence[bytes]]


def everybody(_: HandStarted) -> View:
    """What everybody at the table sees."""
    return PUBLIC


class _Followed(msgspec.Struct):
    """A hand up to its `n`-th fact: what has been seen of it, and at which table it is."""

    n: int
    eyes: Eyes
    table: UUID | None


class Masker:
    """Masks facts of hands for one onlooker.

    What a reason may tell depends on the cards seen before it, so a hand that is not followed
    from its start is read up to where it is, with `states`.
    """

    def __init__(self, states: States, view_of: ViewOf = everybody) -> None:
        self._states = states
        self._view_of = view_of
        self._hands: dict[UUID, _Followed] = {}

    def mask(self, facts: Iterable[Recorded]) -> list[Shown]:
        """Those of the facts that belong to the feed, masked."""
        return [one for one in map(self._masked, facts) if one is not None]

    def _masked(self, fact: Recorded) -> Shown | None:
        if fact.type in TABLE_TYPES:
            return shown(fact, fact.state, table=fact.stream)
        if fact.type not in HAND_TYPES:
            return None
        hand = self._hand(fact)
        event = _readable(fact.state)
        masked = UNREADABLE if event is None else encode(hand.eyes.see(event))
        return shown(fact, masked, hand.table)

    def _hand(self, fact: Recorded) -> _Followed:
        """The hand as it was before this fact, which is counted as seen."""
        hand = self._hands.pop(fact.stream, None)
        if hand is None or hand.n != fact.n - 1:
            hand = self._read_up_to(fact)
        hand.n = fact.n
        if fact.type not in ENDS:
            self._hands[fact.stream] = hand
        if len(self._hands) > CARRIED:
            del self._hands[next(iter(self._hands))]
        return hand

    def _read_up_to(self, fact: Recorded) -> _Followed:
        before = self._states(fact.stream)[: fact.n - 1] if fact.n > 1 else []
        started = _readable([*before, fact.state][0])
        if not isinstance(started, HandStarted):
            return _Followed(fact.n, Eyes(PUBLIC), None)
        eyes = Eyes(self._view_of(started))
        for event in map(_readable, before):
            if event is not None:
                eyes.see(event)
        return _Followed(fact.n, eyes, _table(started))


def _readable(state: bytes) -> HandEvent | None:
    """The event, or None for bytes that are none: what cannot be read cannot be masked."""
    try:
        return decode(state)
    except msgspec.MsgspecError:
        return None


def _table(started: HandStarted) -> UUID | None:
    """The table that began the hand; records from elsewhere may claim any."""
    return as_id(started.table.id) if started.source.kind == "dealt" else None
