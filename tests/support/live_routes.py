"""A valid question for each route of a live hand, for whoever walks all routes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from domain.cards import DECK
from services.dealing import EXTERNAL, supplied
from services.live import Live
from tests.support.live import TableInPlay

BODIES: dict[str, dict[str, Any]] = {
    "POST /v1/hands/{hand}/actions": {"seat": 2, "action": "bring_in"},
    "POST /v1/hands/{hand}/connection": {"seat": 2, "state": "lost"},
    "POST /v1/hands/{hand}/cards": {"cards": list(DECK[:9])},
    "POST /v1/hands/{hand}/incidents": {"kind": "spill", "text": "coffee on seat 4"},
    "POST /v1/hands/{hand}/void": {"reason": "fouled deck"},
    "POST /v1/hands/{hand}/clock": {"state": "paused", "reason": "fire alarm"},
}
"""What is sent by route. Seat 2 brings it in, where the deck is as it comes from the maker."""


def live_hand(live: Live, route: str, who: UUID) -> tuple[UUID, dict[str, str]]:
    """A new hand that waits for what the route is for, with `who` at seat 2; and its turn."""
    table = TableInPlay(live, players={2: who})
    table.begin(EXTERNAL if route.endswith("/cards") else supplied(DECK))
    return table.hand, {"If-Match": f'"{table.last.turn}"'}
