"""Which parts of a tree make up a proof, told by leaves; RFC 9162, 2.1.3.1 and 2.1.4.1."""

from __future__ import annotations

from typing import NamedTuple

from services.proof.tree import edge_levels


class Span(NamedTuple):
    """The leaves from `first` up to `end`, without it: one hash of a proof is over them."""

    first: int
    end: int


class Place(NamedTuple):
    """Where a complete subtree is stored."""

    level: int
    number: int


def inclusion_path(leaf: int, size: int) -> tuple[Span, ...]:
    """What is beside the way from a leaf to the root of a tree, from the leaf on."""
    assert 0 <= leaf < size
    path, first, end = [], 0, size
    while end - first > 1:
        middle = _middle(first, end)
        if leaf < middle:
            path.append(Span(middle, end))
            end = middle
        else:
            path.append(Span(first, middle))
            first = middle
    return tuple(reversed(path))


def consistency_path(size: int, later: int) -> tuple[Span, ...]:
    """What shows that a tree goes on from its first `size` leaves."""
    assert 0 < size <= later
    path, first, end, whole = [], 0, later, True
    while size != end:
        middle = _middle(first, end)
        if size <= middle:
            path.append(Span(middle, end))
            end = middle
        else:
            path.append(Span(first, middle))
            first, whole = middle, False
    if not whole:
        path.append(Span(first, end))
    return tuple(reversed(path))


def subtrees(span: Span) -> tuple[Place, ...]:
    """The complete subtrees a span of a path consists of, the largest first.

    Such a span begins where a complete subtree of at least its length does.

    >>> subtrees(Span(8, 13))
    (Place(level=2, number=2), Place(level=0, number=12))
    """
    places, first = [], span.first
    for level in edge_levels(span.end - span.first):
        assert first % (1 << level) == 0
        places.append(Place(level, first >> level))
        first += 1 << level
    return tuple(places)


def _middle(first: int, end: int) -> int:
    """Where a tree parts: its left side has the most leaves a complete one can have."""
    return first + (1 << (end - first - 1).bit_length() - 1)
