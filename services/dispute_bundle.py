"""A case to take away and check: its facts, its hand, and what was refused there, with proofs."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

from services.bundles.contents import Manifest
from services.bundles.exporting import Onlooker, export_bundle
from services.disputes import load_case
from services.live.standing import attempts_stream
from services.replaying import PUBLIC, View
from services.store.room import Room


def export_case(
    room: Room,
    target: Path,
    case: UUID,
    *,
    view: View = PUBLIC,
    why: str | None = None,
    onlooker: Onlooker | None = None,
) -> Manifest:
    """Write a case as one archive, its hand as `view` may see it; notes and files stay here.

    The facts of a case have digests of those, opaque ids and amounts, but no card and no name.
    Raises `UnknownCase` and what `export_bundle` raises.
    """
    hand = load_case(room.store, case).case.opened.hand
    streams = (hand, case, attempts_stream(hand))
    return export_bundle(room, target, view=view, why=why, hands=streams, onlooker=onlooker)
