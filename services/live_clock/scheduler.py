"""Does at a live hand what time does: turns run out, and what was interrupted goes on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from domain import commands as c
from domain.consequences import cards_due
from domain.errors import CorruptHistory, Refused
from services.errors import DatabaseBusy, DatabaseUnreachable, ServiceError
from services.live import Live, TurnMoved, handle
from services.live.turns import turn_of
from services.live_clock.agenda import Agenda
from services.live_clock.hands import HandsInPlay, InPlay
from services.live_clock.outages import Heartbeat, Outage
from services.live_clock.settling import extend, touched
from services.live_clock.terms import Terms, by_the_clock

BEAT = timedelta(seconds=1)
AGAIN = timedelta(seconds=10)
"""Until what could not be done at a hand is tried again, if nothing happens there before."""

AFTER = timedelta(microseconds=1)  # What is stamped at the deadline is in time (C1).

_log = structlog.get_logger()


class Scheduler:
    """Keeps the clocks of a room, beside any number of others who do the same.

    What it knows it can read again at any time: deadlines follow from the hands' facts, and the
    version of a hand decides who was first. Between two ticks it does nothing.
    """

    def __init__(self, live: Live, terms: Terms) -> None:
        self._live = live
        self._terms = terms
        self._hands = HandsInPlay(live.room)
        self._heartbeat = Heartbeat(live.room, terms)
        self._agenda = Agenda()
        self._beat_at: datetime | None = None

    @property
    def watched(self) -> int:
        """How many hands have a moment at which something is due."""
        return len(self._agenda)

    def tick(self, look: bool = True) -> None:
        """Do what is due; `look` says that the log may have brought something.

        Raises DatabaseUnreachable or DatabaseBusy, and then the next tick does it.
        """
        now = self._live.now()
        if self._beat_at is None or abs(now - self._beat_at) >= BEAT:
            self._beat(now)
            look = True
        if look:
            self._look()
        if self._is_due(now):
            self._look()  # Somebody may have acted a moment ago.
            for hand_id in self._agenda.take_due(now):
                hand = self._hands.get(hand_id)
                if hand is not None:
                    self._do(hand, now, self._go_on)

    def _look(self) -> HandsInPlay:
        """Take in what the log has brought, and note when each changed hand is due."""
        for hand_id in self._hands.look():
            hand = self._hands.get(hand_id)
            self._agenda.put(hand_id, None if hand is None else self._moment(hand))
        return self._hands

    def _is_due(self, now: datetime) -> bool:
        first = self._agenda.next
        return first is not None and first <= now

    def _moment(self, hand: InPlay) -> datetime | None:
        """When something is to be done if nothing happens before; None for never."""
        wait = max(self._terms.grace, AFTER)
        if hand.clock is not None:
            return None if hand.clock.paused else hand.clock.deadline + wait
        stands_still = hand.hand.started.deck.commitment and cards_due(hand.hand)
        return (hand.events[-1].at or self._live.now()) + wait if stands_still else None

    def _do(self, hand: InPlay, now: datetime, what: Callable[[InPlay, datetime], None]) -> None:
        """Do it, or say why not; what stands in the way at one hand is in no other's."""
        # If it is done the log will tell, and what is due then is noted instead.
        self._agenda.put(hand.hand_id, now + AGAIN)
        try:
            what(hand, now)
        except TurnMoved:
            _log.info("clock.overtaken", hand=str(hand.hand_id))
        except (DatabaseUnreachable, DatabaseBusy):
            self._agenda.put(hand.hand_id, now)
            raise
        except (ServiceError, Refused, CorruptHistory) as no:
            _log.warning("clock.not_done", hand=str(hand.hand_id), reason=str(no))

    def _go_on(self, hand: InPlay, now: datetime) -> None:
        """The turn runs out; or the cards are dealt that somebody owed when he went away."""
        turn = turn_of(hand.hand_id, hand.events)
        if hand.clock is None:
            text = "the cards that were due had not been dealt"
            asked: c.HandCommand = c.NoteIncident(kind="interruption", text=text, at=now)
            handle(self._live, hand.hand_id, asked, by_the_clock(f"cards {turn}"))
            return
        asked = hand.clock.time_out(now)
        once = by_the_clock(f"time-out {turn} {hand.clock.deadline.isoformat()}")
        handle(self._live, hand.hand_id, asked, once, turn)

    # -- outages -------------------------------------------------------------------------------

    def _beat(self, now: datetime) -> None:
        """Give a sign of life, and first of all make up for the time in which nobody gave one."""
        for outage in self._heartbeat.beat(now):
            _log.warning("clock.outage", seconds=outage.seconds, policy=outage.policy)
            if outage.policy == "extend":
                extend(self._live.store, self._look, outage)
            else:
                self._void(outage, now)
            self._heartbeat.settled(outage, now)
        self._beat_at = now

    def _void(self, outage: Outage, now: datetime) -> None:
        """Every hand it touched is void, once (P9)."""

        def void(hand: InPlay, now: datetime) -> None:
            asked = c.Void(reason=f"outage of {outage.seconds:.0f} s", at=now)
            handle(self._live, hand.hand_id, asked, by_the_clock(f"outage {outage.id}"))

        for hand in self._look():
            if touched(hand, outage):
                self._do(hand, now, void)
