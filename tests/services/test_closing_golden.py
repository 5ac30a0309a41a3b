"""A closed day is a fact for ever: its golden line, its leaf hash and its fields stay.

Nothing rewrites these files. A new version gets a new line; an old line stays and still decodes.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from domain.closing import DAYS, TAG, AccountTotal, DayClosed, decode, encode
from services.log.leaf import leaf_hash, public_form
from services.projecting.folding import HAND_TYPES
from services.store.port import Recorded

GOLDEN = Path(__file__).parents[1] / "golden"
LINE = (GOLDEN / "closing" / f"{TAG}.json").read_bytes().removesuffix(b"\n")
PAGE = (Path(__file__).parents[2] / "docs" / "ledger.md").read_text("utf-8")

FROZEN = {
    DayClosed: "by day time_zone day_start since until position previous hands totals"
    " report_sha256",
    AccountTotal: "account money_kind currency exponent opening movements late closing",
}


def test_the_golden_line_decodes_and_encodes_to_the_same_bytes() -> None:
    assert TAG == "day_closed.v1"
    assert encode(decode(LINE)) == LINE
    assert str(DAYS) == "5a9d2f1c-7b43-5e0a-9c1e-3d6f8b2a4c70"


def test_every_field_is_frozen_and_on_the_page() -> None:
    _, _, section = PAGE.partition(f"### {TAG}\n")
    for kind, fields in FROZEN.items():
        required = {field.name for field in msgspec.structs.fields(kind) if field.required}
        assert required == set(fields.split())
        assert required <= set(re.findall(r"`(\w+)`", section))
    assert msgspec.json.decode(LINE).keys() == {"type", "at", *FROZEN[DayClosed].split()}


def test_a_field_a_later_version_adds_is_tolerated_when_reading() -> None:
    assert decode(LINE.removesuffix(b"}") + b',"added_later":{"x":[1]}}') == decode(LINE)


def test_the_leaf_hash_stays_and_needs_no_secret() -> None:
    stored = Recorded(
        position=7,
        stream=DAYS,
        n=1,
        type=TAG,
        state=LINE,
        recorded_at=datetime(2026, 3, 9, 20, 17, 3, tzinfo=UTC),
        actor="command line",
        request_id=None,
        causation=None,
        command_id=None,
    )
    leaves = msgspec.json.decode((GOLDEN / "closing_leaves.json").read_bytes())
    assert leaf_hash(public_form("main", stored, None)).hex() == leaves[TAG]


def test_the_projections_of_hands_pass_over_closed_days() -> None:
    assert TAG not in HAND_TYPES
