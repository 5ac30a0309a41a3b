"""What each route of posted hands is asked where any question will do."""

from __future__ import annotations

OF_WITNESS: dict[str, dict[str, object]] = {
    "POST /v1/witness/hands": {"hand": "G-7", "n": 2, "event": {"type": "folded.v1", "seat": 1}},
    "POST /v1/witness/suspended/{hand}": {},
}
