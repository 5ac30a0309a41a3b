"""Cards of a live hand: from the deck that is here, or from whoever deals an external one."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from domain import commands as c
from domain.consequences import cards_due
from domain.decide import decide
from domain.errors import NotAllowedNow
from services.dealing import Decks
from services.live.standing import Standing


def require_dealer(hand: Standing, command: c.HandCommand) -> None:
    """Raise `NotAllowedNow` for cards from outside where the deck is here (G4)."""
    if isinstance(command, c.Deal) and hand.started.deck.source != "external":
        raise NotAllowedNow("this hand is dealt from its own deck", rule="G4")


def dealt_on(decks: Decks, hand: Standing, at: datetime) -> Standing:
    """The hand once all cards that are due have been dealt, as far as their deck is here."""
    while (due := cards_due(hand.hand)) is not None:
        deal = decks.next_cards(hand.hand_id, hand.hand, due)
        if deal is None:
            break
        happened = decide(hand.hand, replace(deal, at=at))
        hand = hand.gone_on(happened)
    return hand
