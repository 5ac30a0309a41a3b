"""A tree that grows page by page is the tree of the definition, and so are the ways through it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.log.paths import Span, consistency_path, inclusion_path, subtrees
from services.proof.errors import NotConsistent, NotIncluded
from services.proof.tree import (
    RightEdge,
    check_consistency,
    check_inclusion,
    fold,
    leaf_hash,
    root_of,
)
from tests.support.sealed import root_by_definition

MOST = 40
ENTRIES = [bytes([number]) for number in range(MOST)]
LEAVES = [leaf_hash(entry) for entry in ENTRIES]


def span_hash(span: Span) -> bytes:
    return root_by_definition(ENTRIES[span.first : span.end])


@pytest.mark.parametrize("size", range(1, MOST + 1))
def test_a_root_is_that_of_the_definition(size: int) -> None:
    assert root_of(LEAVES[:size]) == root_by_definition(ENTRIES[:size])


@given(st.lists(st.integers(0, 9), max_size=8))
def test_a_tree_that_grows_in_pages_is_the_same_and_completes_every_node_once(
    pages: list[int],
) -> None:
    edge, nodes, size = RightEdge(), {}, 0
    for page in pages:
        for row in edge.grow(LEAVES[size : size + page]):
            for n, hashed in enumerate(row.hashes):
                assert nodes.setdefault((row.level, row.first + n), hashed) is hashed
        size = min(size + page, MOST)
    complete = {(level, n) for level in range(7) for n in range(size >> level)}
    assert nodes.keys() == complete
    for (level, n), hashed in nodes.items():
        assert hashed == span_hash(Span(n << level, (n + 1) << level))
    if size:
        assert edge.root() == root_by_definition(ENTRIES[:size])


def test_an_empty_tree_has_no_root() -> None:
    with pytest.raises(ValueError, match="empty tree"):
        RightEdge().root()


@given(st.integers(1, MOST).flatmap(lambda n: st.tuples(st.integers(0, n - 1), st.just(n))))
def test_the_way_of_a_leaf_proves_it_and_no_other(place: tuple[int, int]) -> None:
    leaf, size = place
    root = root_by_definition(ENTRIES[:size])
    proof = [span_hash(span) for span in inclusion_path(leaf, size)]
    check_inclusion(LEAVES[leaf], leaf, size, root, proof)
    for other in {0, size - 1, leaf ^ 1} - {leaf}:
        with pytest.raises(NotIncluded):
            check_inclusion(LEAVES[leaf], other, size, root, proof)


@given(st.integers(1, MOST).flatmap(lambda n: st.tuples(st.integers(1, n), st.just(n))))
def test_the_way_between_two_trees_proves_growth_and_nothing_else(sizes: tuple[int, int]) -> None:
    earlier, later = sizes
    roots = [root_by_definition(ENTRIES[:size]) for size in sizes]
    proof = [span_hash(span) for span in consistency_path(earlier, later)]
    check_consistency(earlier, roots[0], later, roots[1], proof)
    changed = root_by_definition([b"other", *ENTRIES[1:earlier]])
    with pytest.raises(NotConsistent):
        check_consistency(earlier, changed, later, roots[1], proof)


@given(st.integers(1, 10**12), st.data())
def test_a_proof_needs_as_many_reads_as_the_tree_is_high(size: int, data: st.DataObject) -> None:
    leaf = data.draw(st.integers(0, size - 1))
    earlier = data.draw(st.integers(1, size))
    height = size.bit_length()
    for path in (inclusion_path(leaf, size), consistency_path(earlier, size)):
        assert len(path) <= height + 1
        assert sum(len(subtrees(span)) for span in path) <= 2 * height
    assert len(subtrees(Span(0, size))) <= height


def test_a_span_is_made_of_complete_subtrees() -> None:
    span = Span(32, 39)
    hashes = [
        span_hash(Span(place.number << place.level, (place.number + 1) << place.level))
        for place in subtrees(span)
    ]
    assert fold(hashes) == span_hash(span)
