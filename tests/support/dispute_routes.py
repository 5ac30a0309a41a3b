"""A valid question for each route of disputes, for whoever walks all routes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from domain.disputes import commands as q
from services.disputes import handle, open_case
from services.live import By
from services.store.room import Room
from tests.support.disputes import NOON, opening, proposing

FLORA = By(actor=str(UUID(int=902)), role="floor")
OF_DISPUTES: dict[str, Any] = {
    "POST /v1/disputes": {
        "hand": "D00001",
        "category": "award",
        "complainant": "anna",
        "channel": "table",
    },
    "POST /v1/disputes/{dispute}/acknowledge": {},
    "POST /v1/disputes/{dispute}/notes": {"text": "a note"},
    "POST /v1/disputes/{dispute}/attachments": {"content": "aGk=", "media_type": "text/plain"},
    "POST /v1/disputes/{dispute}/rulings": {"kind": "uphold", "reason": "so it is", "rule": "P2"},
    "POST /v1/disputes/{dispute}/approvals": {"ruling": str(UUID(int=21))},
    "POST /v1/disputes/{dispute}/withdrawals": {"ruling": str(UUID(int=21))},
    "POST /v1/disputes/{dispute}/answer": {},
    "POST /v1/disputes/{dispute}/close": {},
    "POST /v1/disputes/{dispute}/reopen": {"reason": "a picture came in"},
    "POST /v1/disputes/{dispute}/hold": {"state": "set", "reason": "asked by a court"},
}
"""What is sent by route."""


def dispute_for(room: Room, hand: UUID, route: str) -> UUID:
    """A new case about the hand in which the route has something to do."""
    case = open_case(room.store, opening(hand=hand, by=FLORA.actor), FLORA).loaded.id
    by = {"by": FLORA.actor, "at": NOON}
    before: dict[str, tuple[q.CaseCommand, ...]] = {
        "approvals": (proposing("uphold", **by),),
        "withdrawals": (proposing("uphold", **by),),
        "close": (q.AnswerCase(by=FLORA.actor, at=NOON),),
        "reopen": (q.AnswerCase(by=FLORA.actor, at=NOON), q.CloseCase(by=FLORA.actor, at=NOON)),
    }
    for command in before.get(route.rpartition("/")[2], ()):
        handle(room.store, case, command, FLORA)
    return case
