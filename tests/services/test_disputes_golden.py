"""Facts of cases are for ever too: one golden line and one leaf hash per version.

Nothing rewrites these files. A new version gets a new line; an old line stays and still decodes.
"""

from __future__ import annotations

import typing
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from domain.disputes import adjustments
from domain.disputes.events import TYPES, CaseEvent, PolicyInForce, decode, encode, tag_of
from services.log.leaf import leaf_hash, public_form
from services.projecting.folding import HAND_TYPES
from services.store.port import Recorded

GOLDEN = Path(__file__).parents[1] / "golden"

FROZEN = {
    "case_opened.v1": "hand step category complainant channel submitted_at due_at by",
    "case_acknowledged.v1": "by",
    "note_added.v1": "kept salted_sha256 size by",
    "attachment_added.v1": "kept sha256 size media_type by",
    "evidence_kept.v1": "kept kind asked salted_sha256 size by",
    "ruling_proposed.v1": "ruling kind reason rule moves rake house policy remedy step evidence "
    "proposed_by",
    "ruling_withdrawn.v1": "ruling by",
    "ruling_approved.v1": "ruling approved_by",
    "case_answered.v1": "letter by",
    "case_closed.v1": "by",
    "case_reopened.v1": "reason due_at by",
    "legal_hold_set.v1": "reason by",
    "legal_hold_lifted.v1": "by",
    "report_made.v1": "sha256 size by",
    "kept_erased.v1": "kept reason by",
    "adjustment_posted.v1": "case ruling hand player money value_date postings",
}
FROZEN_PARTS: dict[type[msgspec.Struct], str] = {
    PolicyInForce: "name version",
    adjustments.AccountMove: "account amount",
}
OF_CASES = sorted(str(kind.__struct_config__.tag) for kind in typing.get_args(CaseEvent))
TAGS = sorted([*OF_CASES, adjustments.TAG])


def golden(tag: str) -> bytes:
    return (GOLDEN / "disputes" / f"{tag}.json").read_bytes().removesuffix(b"\n")


def read(tag: str, line: bytes) -> msgspec.Struct:
    return adjustments.decode(line) if tag == adjustments.TAG else decode(line)


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
    leaves = msgspec.json.decode((GOLDEN / "dispute_leaves.json").read_bytes())
    assert sorted(path.stem for path in (GOLDEN / "disputes").glob("*.json")) == TAGS
    assert sorted(leaves) == sorted(FROZEN) == TAGS


@pytest.mark.parametrize("tag", TAGS)
def test_a_golden_line_decodes_and_encodes_to_the_same_bytes(tag: str) -> None:
    event = read(tag, golden(tag))
    assert event.__struct_config__.tag == tag
    assert encode(event) == golden(tag)


@pytest.mark.parametrize("tag", TAGS)
def test_a_golden_line_spells_out_every_frozen_field(tag: str) -> None:
    kind = type(read(tag, golden(tag)))
    required = {field.name for field in msgspec.structs.fields(kind) if field.required}
    assert required == set(FROZEN[tag].split())
    assert msgspec.json.decode(golden(tag)).keys() == {"type", "at", *required}


@pytest.mark.parametrize("tag", TAGS)
def test_a_field_a_later_version_adds_is_tolerated_when_reading(tag: str) -> None:
    later = golden(tag).removesuffix(b"}") + b',"added_later":{"x":[1]}}'
    assert read(tag, later) == read(tag, golden(tag))


@pytest.mark.parametrize("tag", TAGS)
def test_the_leaf_hash_stays_and_needs_no_secret(tag: str) -> None:
    leaves = msgspec.json.decode((GOLDEN / "dispute_leaves.json").read_bytes())
    assert leaf_hash(public_form("main", stored(tag), None)).hex() == leaves[tag]


@pytest.mark.parametrize("tag", OF_CASES)
def test_the_tag_of_an_event_is_its_stored_type(tag: str) -> None:
    assert tag_of(decode(golden(tag))) == tag


def test_the_types_of_a_case_are_all_there_are() -> None:
    assert sorted(TYPES) == OF_CASES


@pytest.mark.parametrize("kind", FROZEN_PARTS)
def test_a_value_inside_an_event_keeps_its_fields(kind: type[msgspec.Struct]) -> None:
    required = {field.name for field in msgspec.structs.fields(kind) if field.required}
    assert required == set(FROZEN_PARTS[kind].split())


def test_the_projections_of_hands_pass_over_cases() -> None:
    assert HAND_TYPES.isdisjoint(TAGS)
