"""A valid question for each route of disputes, for whoever walks all routes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from domain.disputes import commands as q
from services.disputes import handle, load_case, open_case
from services.disputes.files import KEEP, TEXT
from services.disputes.holds import HELD
from services.live import By
from services.store.room import Room
from tests.support.disputes import DIGEST, KEPT, NOON, opening, proposing

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
    "POST /v1/disputes/{dispute}/erasures": {"kept": str(KEPT), "reason": "a stranger's letter"},
    "POST /v1/disputes/{dispute}/bundle": None,
    "POST /v1/disputes/{dispute}/evidence": {"policy": ["timeout_outcome=check_or_fold"]},
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
    by: dict[str, Any] = {"by": FLORA.actor, "at": NOON}
    before: dict[str, tuple[q.CaseCommand, ...]] = {
        "erasures": (q.AddNote(kept=KEPT, salted_sha256=DIGEST, size=6, **by),),
        "approvals": (proposing("uphold", **by),),
        "withdrawals": (proposing("uphold", **by),),
        "close": (q.AnswerCase(by=FLORA.actor, at=NOON),),
        "reopen": (q.AnswerCase(by=FLORA.actor, at=NOON), q.CloseCase(by=FLORA.actor, at=NOON)),
    }
    for command in before.get(route.rpartition("/")[2], ()):
        handle(room.store, case, command, FLORA)
    _lift_holds(room)
    with room.connect() as connection:
        connection.execute(b"delete from case_files where id = %s", (KEPT,))
        connection.execute(KEEP, (KEPT, case, "note", TEXT, None, b"", b"a note"))
    return case


def _lift_holds(room: Room) -> None:
    """Of other cases about the hand: nothing of it could be erased."""
    with room.connect() as connection:
        held = [case for (case,) in connection.execute(HELD)]
    for case in held:
        if load_case(room.store, case).case.on_hold:
            handle(room.store, case, q.LiftHold(by=FLORA.actor, at=NOON), FLORA)
