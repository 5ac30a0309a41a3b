"""What commands of disputes share: which case, who asks, and hidden cards on record before."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer

from services.access import Keys, Sighting, record_sighting
from services.cli.exits import USAGE, Stop
from services.disputes import load_case, load_hand
from services.live import By
from services.replaying import PUBLIC, View, require_allowed
from services.store.players import as_id
from services.store.room import Room

Called = Annotated[
    str, typer.Argument(metavar="DISPUTE", help="the case's id, or its hand if it has one case")
]
Subject = Annotated[str, typer.Option("--subject", help="who does it: a person's name or id")]


def by_subject(room: Room, subject: str) -> By:
    """Who works at this keyboard: two people are two subjects here too."""
    if not (subject.strip() and subject.isprintable()):
        raise Stop("--subject says who does it: a name or an id, in a line", USAGE)
    known = as_id(subject) or Keys(room.pool, room.store).subject(subject)
    return By(actor=str(known), role="admin")


def require_seen(room: Room, case: UUID, view: View, why: str | None) -> None:
    """Hidden cards are shown of a hand that is over, and on record before."""
    if view == PUBLIC:
        return
    hand = load_hand(room.store, load_case(room.store, case).case.opened.hand)
    require_allowed(view, hand.events)
    if not (hand.hand.completed or hand.hand.voided):
        raise Stop("the hand is still being played: it has the view public", USAGE)
    record_sighting(room.store, Sighting(hand=hand.id, view=str(view), purpose=why or ""))
