"""Evidence of refused attempts is for ever too: one golden line and one leaf hash per version.

Nothing rewrites these files. A new version gets a new line; an old line stays and still decodes.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import msgspec

from services.live.attempts import AttemptRefused, decode, encode, tag_of
from services.live.standing import attempts_stream
from services.log.leaf import leaf_hash, public_form
from services.projecting.folding import HAND_TYPES
from services.store.port import Recorded

GOLDEN = Path(__file__).parents[1] / "golden"
TAG = "attempt_refused.v1"
FROZEN = "seat command to kind rule text turn step arrived_at deadline subject"


def golden() -> bytes:
    return (GOLDEN / "attempts" / f"{TAG}.json").read_bytes().removesuffix(b"\n")


def stored() -> Recorded:
    return Recorded(
        position=7,
        stream=UUID(int=7),
        n=1,
        type=TAG,
        state=golden(),
        recorded_at=datetime(2026, 3, 9, 20, 17, 3, tzinfo=UTC),
        actor="dealer",
        request_id=None,
        causation=None,
        command_id=None,
    )


def test_the_golden_line_decodes_and_encodes_to_the_same_bytes() -> None:
    event = decode(golden())
    assert tag_of(event) == TAG
    assert encode(event) == golden()


def test_the_golden_line_spells_out_every_frozen_field() -> None:
    required = {field.name for field in msgspec.structs.fields(AttemptRefused) if field.required}
    assert required == set(FROZEN.split())
    assert msgspec.json.decode(golden()).keys() == {"type", *required}


def test_a_field_a_later_version_adds_is_tolerated_when_reading() -> None:
    later = golden().removesuffix(b"}") + b',"added_later":{"x":[1]}}'
    assert decode(later) == decode(golden())


def test_the_leaf_hash_stays_and_needs_no_secret() -> None:
    leaves = msgspec.json.decode((GOLDEN / "attempt_leaves.json").read_bytes())
    assert leaves == {TAG: leaf_hash(public_form("main", stored(), None)).hex()}


def test_the_stream_of_a_hands_attempts_stays_where_it_is() -> None:
    assert attempts_stream(UUID(int=7)) == UUID("15c8dd89-f04d-5049-82a1-e9d896e09c79")


def test_the_projections_of_hands_pass_over_attempts() -> None:
    assert TAG not in HAND_TYPES
