"""Hands in play as they last stood, so that of each only what is new is read and worked out.

Nothing is decided by what is kept here: whoever acts first reads what the log has since, of
whichever server, and with it the last fact that is kept. If the log has not exactly that one in
its place, as after a restored backup, the whole hand is read.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple
from uuid import UUID

from services.live.standing import Standing, decoded, standing
from services.store.port import EventStore

MOST_KEPT = 1_000
"""Hands; the one longest not looked at goes first. One takes some tens of kilobytes."""


class _Kept(NamedTuple):
    hand: Standing
    last: bytes
    """The last fact as it is stored."""


class KeptHands:
    """The hands of one process; any threads may share them."""

    def __init__(self) -> None:
        self._hands: OrderedDict[UUID, _Kept] = OrderedDict()
        self._lock = Lock()

    def read(self, store: EventStore, hand_id: UUID, command_id: UUID | None) -> Standing:
        """The hand as the log has it now. Raises `UnknownHand` or `CorruptHistory`."""
        kept = self._of(hand_id)
        if kept is not None and (hand := _gone_on(store, kept, command_id)) is not None:
            return hand
        self.forget(hand_id)
        return standing(store, hand_id, command_id)

    def keep(self, hand: Standing, last: bytes) -> None:
        """Keep a hand all of whose events are in the log; `last` is the last one there."""
        if hand.over:
            self.forget(hand.hand_id)
            return
        with self._lock:
            self._hands[hand.hand_id] = _Kept(hand, last)
            self._hands.move_to_end(hand.hand_id)
            if len(self._hands) > MOST_KEPT:
                self._hands.popitem(last=False)

    def forget(self, hand_id: UUID) -> None:
        """The next look reads it all."""
        with self._lock:
            self._hands.pop(hand_id, None)

    def _of(self, hand_id: UUID) -> _Kept | None:
        with self._lock:
            return self._hands.get(hand_id)


def _gone_on(store: EventStore, kept: _Kept, command_id: UUID | None) -> Standing | None:
    """The kept hand with what came since; None if it is not what the log has."""
    hand = kept.hand
    states, known = store.states_for(
        hand.hand_id, command_id, hand.attempts, after=len(hand.events) - 1
    )
    if not states or states[0] != kept.last:
        return None
    return hand.gone_on(decoded(store, hand.hand_id, states[1:]), known)
