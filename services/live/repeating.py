"""The same request again: its first answer is made anew from what is stored, nothing is done."""

from __future__ import annotations

from domain.errors import Refused
from domain.legal import LegalAction
from services.live.acted import Acted, acted
from services.live.attempts import AttemptRefused, decode
from services.live.errors import KeyReused
from services.live.live import By
from services.live.standing import Standing
from services.store.port import EventStore, Recorded


def again(store: EventStore, hand: Standing, by: By) -> Acted | None:
    """The first answer to a command that is known; None where it may still be done.

    Raises the first refusal, or KeyReused if the key stood for another request. Whoever was told
    only that the turn had moved may ask again under the same key.
    """
    known = hand.known
    if known is None:
        return None
    facts = store.load(known.stream)[known.first - 1 : known.last]
    require_same(facts[0], by)
    if known.stream != hand.hand_id:
        raise_again(hand, decode(facts[0].state))
        return None
    positions = [fact.position for fact in facts]
    return acted(hand.after(known.last), positions, repeated=True)


def require_same(first: Recorded, by: By) -> None:
    """Raise KeyReused unless this fact came of the same request."""
    if first.causation != by.causation:
        raise KeyReused("this idempotency key stood for another request before")


def raise_again(hand: Standing, refused: AttemptRefused) -> None:
    """Raise what was said then, unless it was only that the turn had moved."""
    if refused.rule is not None:
        legal = alternatives(refused, hand.after(refused.step))
        raise Refused(refused.text, rule=refused.rule, legal=legal)


def alternatives(refused: AttemptRefused, then: Standing) -> tuple[LegalAction, ...]:
    """What could have been done instead; nothing by him who came too late."""
    return () if refused.kind == "late" else then.legal
