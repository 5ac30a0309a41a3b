"""Facts about privacy are for ever too: one golden line and one leaf hash per version.

Nothing rewrites these files. A new version gets a new line; an old line stays and still decodes.
"""

from __future__ import annotations

import re
import typing
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from services.log.leaf import leaf_hash, public_form
from services.privacy.events import PrivacyFact, decode, encode, tag_of
from services.projecting.folding import HAND_TYPES
from services.store.port import Recorded

GOLDEN = Path(__file__).parents[1] / "golden"
PAGE = (Path(__file__).parents[2] / "docs" / "privacy.md").read_text("utf-8")

FROZEN = {
    "hold_released.v1": "actor sort about why",
    "hold_set.v1": "actor sort about why",
    "player_erased.v1": "actor player why erased",
    "player_told.v1": "actor player why hands",
    "retention_applied.v1": "actor days erased",
}
TAGS = sorted(str(kind.__struct_config__.tag) for kind in typing.get_args(PrivacyFact))


def golden(tag: str) -> bytes:
    return (GOLDEN / "privacy" / f"{tag}.json").read_bytes().removesuffix(b"\n")


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
    leaves = msgspec.json.decode((GOLDEN / "privacy_leaves.json").read_bytes())
    assert sorted(path.stem for path in (GOLDEN / "privacy").glob("*.json")) == TAGS
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
    leaves = msgspec.json.decode((GOLDEN / "privacy_leaves.json").read_bytes())
    assert leaf_hash(public_form("main", stored(tag), None)).hex() == leaves[tag]


def test_the_projections_of_hands_pass_over_privacy() -> None:
    assert HAND_TYPES.isdisjoint(TAGS)


@pytest.mark.parametrize("tag", TAGS)
def test_the_page_says_what_each_field_is(tag: str) -> None:
    _, _, section = PAGE.partition(f"### {tag}\n")
    section, _, _ = section.partition("\n#")
    assert set(FROZEN[tag].split()) <= set(re.findall(r"`(\w+)`", section))
