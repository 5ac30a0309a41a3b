"""The face-down cards of one hand of a bundle, opened one by one."""

from __future__ import annotations

from typing import Any

from services.proof.bundle_lines import EventLine, Opening
from services.proof.openings import DECK_PREFIX, card_digest, card_place, is_committed

UNKNOWN = "??"
DEALT, COMMUNITY = "cards_dealt.v1", "community_card_dealt.v1"


class HandCards:
    """The events of a hand with the opened cards put in, and `??` for those that stay closed."""

    def __init__(self, hand: str, lines: list[EventLine]) -> None:
        self.hand, self._started = hand, lines[0].event
        self._closed: dict[tuple[int, int], str] = {}
        self.events = [self._closed_event(line) for line in lines]
        # By their numbers, not their places: an event may be missing, or there twice.
        self._numbered = {line.n: event for line, event in zip(lines, self.events, strict=True)}

    def put_in(self, opening: Opening) -> str | None:
        """Put an opened card in its place; what is wrong with it, if it is not the dealt one."""
        where = f"card {opening.at + 1} of event {opening.n}"
        digest = self._closed.pop((opening.n, opening.at), None)
        if digest is None:
            return f"{where} is opened, and no face-down card lies there, or it is opened twice"
        event = self._numbered[opening.n]
        positions = event["positions"]
        position = positions[opening.at] if positions else None
        place = card_place(self.hand, opening.n, opening.at, position)
        if card_digest(place, opening.salt, opening.card) != digest:
            return f"{where} is not the card that was dealt: it does not fit its digest in the log"
        event["down"][opening.at] = opening.card
        return None

    def first_closed(self) -> str | None:
        """A face-down card that nobody opened, in words."""
        n, index = min(self._closed, default=(0, 0))
        return f"card {index + 1} of event {n}" if n else None

    def commitment(self) -> str | None:
        """What the deck committed to, if the hand was dealt here and did."""
        deck, source = self._started.get("deck"), self._started.get("source")
        if not isinstance(deck, dict) or not isinstance(source, dict):
            return None
        commitment = deck.get("commitment")
        ours = isinstance(commitment, str) and commitment.startswith(DECK_PREFIX)
        return str(commitment) if ours and source.get("kind") == "dealt" else None

    def places(self) -> dict[int, str]:
        """Every card that is known, by its place in the deck, where that is known."""
        found: dict[int, str] = {}
        for event in self.events:
            if event["type"] == DEALT and event["positions"]:
                cards = [*event["down"], *event["up"]]
                found.update(zip(event["positions"], cards, strict=True))
            elif event["type"] == COMMUNITY and isinstance(event.get("position"), int):
                found[event["position"]] = str(event.get("card"))
        return {place: card for place, card in found.items() if card != UNKNOWN}

    def _closed_event(self, line: EventLine) -> dict[str, Any]:
        event = dict(line.event)
        if event["type"] == DEALT:
            if line.form is not None:
                self._closed.update(((line.n, i), d) for i, d in enumerate(event["down"]))
            event["down"] = [UNKNOWN] * len(event["down"])
        return event


def lies(commitment: str, opening: Opening) -> bool:
    """Whether the opened card lies in the committed deck where it is said to."""
    path = opening.path or ()
    return is_committed(commitment, opening.hand, opening.at, opening.salt, opening.card, path)
