"""Making up for an outage: every turn that ran in it gets its time back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from uuid import uuid5

from domain import commands as c
from domain import events as e
from domain.decide import decide
from services.errors import StaleStream
from services.live_clock.hands import InPlay
from services.live_clock.outages import Outage
from services.live_clock.terms import ACTOR
from services.store.port import Append, EventStore, facts

REASON = "outage: nobody kept the clock"
MOST_TRIES = 20


def touched(hand: InPlay, outage: Outage) -> bool:
    """Whether a turn of this hand ran while nobody kept its clock.

    Where there is no clock, where it stood anyway or had run out before, nobody lost time.
    """
    clock = hand.clock
    if clock is None or clock.paused:
        return False
    return clock.started_at < outage.ended_at and outage.began_at <= clock.deadline


def extend(store: EventStore, look: Callable[[], Iterable[InPlay]], outage: Outage) -> None:
    """Stop the clock of every hand it touched for as long as it lasted, once each.

    Pause and end of the pause are one append: no hand is left standing in between. `look` gives
    the hands as they are now. Raises StaleStream if others never leave it a place.
    """
    for _ in range(MOST_TRIES):
        batch = [_made_up(hand, outage) for hand in look() if touched(hand, outage)]
        answers = store.append(batch)
        if all(answer.status != "stale" for answer in answers):
            return
    raise StaleStream("hands move on faster than their clocks can be stopped: try again")


def _made_up(hand: InPlay, outage: Outage) -> Append:
    (paused,) = decide(hand.hand, c.PauseClock(reason=REASON, at=outage.began_at))
    resume = c.ResumeClock(reason=REASON, at=outage.ended_at)
    events: Iterable[e.HandEvent] = (paused, *decide(hand.after(paused).hand, resume))
    return Append(
        stream=hand.hand_id,
        expected=len(hand.events),
        facts=facts(events),
        actor=ACTOR,
        command_id=uuid5(outage.id, "extend"),
        causation=f"outage {outage.id}",
    )
