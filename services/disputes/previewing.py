"""What a ruling would come to, before it is proposed: nothing is stored."""

from __future__ import annotations

from uuid import UUID

from domain.disputes import commands as q
from domain.disputes.decide import decide
from domain.disputes.events import RulingProposed
from domain.disputes.rolling_back import with_amounts
from services.disputes.loading import load_case, load_hand
from services.store.port import EventStore


def preview(store: EventStore, case: UUID, command: q.ProposeRuling) -> RulingProposed:
    """The proposal with every amount in it, as it would be stored. Raises what `handle` does."""
    loaded = load_case(store, case)
    hand = load_hand(store, loaded.case.opened.hand)
    (event,) = decide(loaded.case, with_amounts(command, hand.events), hand.hand)
    assert isinstance(event, RulingProposed), "a proposal is what was asked for"
    return event
