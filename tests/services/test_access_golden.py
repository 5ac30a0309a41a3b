"""Facts about access are for ever too: one golden line and one leaf hash per version.

Nothing rewrites these files. A new version gets a new line; an old line stays and still decodes.
"""

from __future__ import annotations

import typing
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from services.access.events import AccessFact, decode, encode, tag_of
from services.log.leaf import leaf_hash, public_form
from services.projecting.folding import HAND_TYPES
from services.store.port import Recorded

GOLDEN = Path(__file__).parents[1] / "golden"

FROZEN = {
    "cards_seen.v1": "actor key role hand view purpose quarter",
    "key_issued.v1": "actor key subject role player expires_at",
    "key_revoked.v1": "actor key",
    "signed_in.v1": "actor key by",
    "signed_out.v1": "actor key",
}
TAGS = sorted(str(kind.__struct_config__.tag) for kind in typing.get_args(AccessFact))


def golden(tag: str) -> bytes:
    return (GOLDEN / "access" / f"{tag}.json").read_bytes().removesuffix(b"\n")


def stored(tag: str) -> Recorded:
    return Recorded(
        position=7,
        stream=UUID(int=7),
        n=1,
        type=tag,
        state=golden(tag),
        recorded_at=datetime(2026, 3, 9, 20, 17, 3, tzinfo=UTC),
        actor="command line",
        request_id=None,
        causation=None,
        command_id=None,
    )


def test_every_version_has_a_golden_line_and_a_leaf() -> None:
    leaves = msgspec.json.decode((GOLDEN / "access_leaves.json").read_bytes())
    assert sorted(path.stem for path in (GOLDEN / "access").glob("*.json")) == TAGS
    assert sorted(leaves) == sorted(FROZEN) == TAGS


@pytest.mark.parametrize("tag", TAGS)
def test_a_golden_line_decodes_and_encodes_to_the_same_bytes(tag: str) -> None:
    event = decode(golden(tag))
    assert tag_of(event) == tag
    assert encode(event) == golden(tag)


@pytest.mark.parametrize("tag", TAGS)
def test_a_golden_line_spells_out_every_frozen_field(tag: str) -> None:
    kind = type(decode(golden(tag)))
    required = {field.name for field in msgspec.structs.fields(kind) if field.required}
    assert required == set(FROZEN[tag].split())
    assert msgspec.json.decode(golden(tag)).keys() == {"type", "at", *required}


@pytest.mark.parametrize("tag", TAGS)
def test_a_field_a_later_version_adds_is_tolerated_when_reading(tag: str) -> None:
    later = golden(tag).removesuffix(b"}") + b',"added_later":{"x":[1]}}'
    assert decode(later) == decode(golden(tag))


@pytest.mark.parametrize("tag", TAGS)
def test_the_leaf_hash_stays_and_needs_no_secret(tag: str) -> None:
    leaves = msgspec.json.decode((GOLDEN / "access_leaves.json").read_bytes())
    assert leaf_hash(public_form("main", stored(tag), None)).hex() == leaves[tag]


def test_the_projections_of_hands_pass_over_access() -> None:
    assert HAND_TYPES.isdisjoint(TAGS)
