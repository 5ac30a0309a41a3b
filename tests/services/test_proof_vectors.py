"""The public vectors of RFC 6962 proofs, and our own, come out as they say."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

import pytest

from services.proof.errors import NotConsistent, NotIncluded
from services.proof.tree import check_consistency, check_inclusion, leaf_hash, root_of

ROOT = Path(__file__).parents[2]
PUBLIC = Path(os.environ.get("STUDLEDGER_VECTORS", ROOT.parent / "shared" / "vectors" / "rfc6962"))
OWN = json.loads((ROOT / "tests" / "golden" / "tree_vectors.json").read_text())
CASES = 196

here = pytest.mark.skipif(
    not PUBLIC.is_dir(), reason="the public proof vectors are not on this machine"
)


def public(kind: str) -> list[Path]:
    return sorted((PUBLIC / kind).rglob("*.json"))


def name(path: Path) -> str:
    return str(path.relative_to(PUBLIC))


def raw(text: str | None) -> bytes:
    return base64.b64decode(text or "")


def inclusion_holds(case: dict[str, Any]) -> bool:
    proof = [raw(step) for step in case["proof"] or ()]
    try:
        check_inclusion(
            raw(case["leafHash"]), case["leafIdx"], case["treeSize"], raw(case["root"]), proof
        )
    except NotIncluded:
        return False
    return True


def consistency_holds(case: dict[str, Any]) -> bool:
    proof = [raw(step) for step in case["proof"] or ()]
    try:
        check_consistency(
            case["size1"], raw(case["root1"]), case["size2"], raw(case["root2"]), proof
        )
    except NotConsistent:
        return False
    return True


@here
def test_there_are_196_public_vectors() -> None:
    assert len(public("inclusion")) + len(public("consistency")) == CASES


@pytest.mark.parametrize("path", public("inclusion"), ids=name)
def test_a_public_inclusion_vector_comes_out_as_it_says(path: Path) -> None:
    case = json.loads(path.read_text())
    assert inclusion_holds(case) is not case["wantErr"]


@pytest.mark.parametrize("path", public("consistency"), ids=name)
def test_a_public_consistency_vector_comes_out_as_it_says(path: Path) -> None:
    case = json.loads(path.read_text())
    assert consistency_holds(case) is not case["wantErr"]


@pytest.mark.parametrize("case", OWN["roots"], ids=lambda case: case["size"])
def test_the_root_over_the_entries_of_the_own_vectors_stays(case: dict[str, Any]) -> None:
    leaves = [leaf_hash(bytes.fromhex(entry)) for entry in OWN["entries"][: case["size"]]]
    assert root_of(leaves) == raw(case["root"])


@pytest.mark.parametrize("case", OWN["inclusion"], ids=lambda case: case["desc"])
def test_an_own_inclusion_vector_comes_out_as_it_says(case: dict[str, Any]) -> None:
    assert inclusion_holds(case) is not case["wantErr"]


@pytest.mark.parametrize("case", OWN["consistency"], ids=lambda case: case["desc"])
def test_an_own_consistency_vector_comes_out_as_it_says(case: dict[str, Any]) -> None:
    assert consistency_holds(case) is not case["wantErr"]
