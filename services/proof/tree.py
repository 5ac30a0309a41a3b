"""The Merkle tree of RFC 9162: hashing, growing, and checking inclusion and consistency.

The leaves of a tree are counted from 0. Node `index` of `level` covers the leaves from
`index << level` on, `1 << level` of them; level 0 are the leaves themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

from services.proof.errors import NotConsistent, NotIncluded

HASH_BYTES = 32


def leaf_hash(entry: bytes) -> bytes:
    """The hash of a leaf: SHA-256 over a zero byte and the entry."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node: SHA-256 over a one byte and both children."""
    return sha256(b"\x01" + left + right).digest()


class Row(NamedTuple):
    """Neighbouring nodes of one level; `first` is the index of the first."""

    level: int
    first: int
    hashes: Sequence[bytes]


class RightEdge:
    """The complete subtrees a growing tree consists of: all that is needed to go on.

    A tree of 13 leaves is one of 8, one of 4 and one of 1. `subtrees` holds the hash of each
    under its level, for an edge taken up at `size`.
    """

    def __init__(self, size: int = 0, subtrees: dict[int, bytes] | None = None) -> None:
        self.size = size
        self._subtrees = dict(subtrees or {})
        assert self._subtrees.keys() == set(edge_levels(size)), "one subtree for each bit of size"

    def grow(self, leaves: Sequence[bytes]) -> Iterator[Row]:
        """Add leaf hashes; every node that is complete by them, level by level from the leaves.

        The tree has grown once the last row was taken.
        """
        level, first, hashes = 0, self.size, leaves
        while hashes:
            yield Row(level, first, hashes)
            waiting = self._subtrees.pop(level, None)
            if waiting is not None:
                hashes, first = (waiting, *hashes), first - 1
            pairs, odd = divmod(len(hashes), 2)
            if odd:
                self._subtrees[level] = hashes[-1]
            lefts, rights = hashes[0 : 2 * pairs : 2], hashes[1 : 2 * pairs : 2]
            hashes = [
                sha256(b"\x01" + left + right).digest()
                for left, right in zip(lefts, rights, strict=True)
            ]
            level, first = level + 1, first >> 1
        self.size += len(leaves)

    def root(self) -> bytes:
        """The root of the tree as it is. Raises ValueError while it is empty."""
        return fold([self._subtrees[level] for level in edge_levels(self.size)])


def edge_levels(size: int) -> list[int]:
    """The levels of the complete subtrees of a tree, the largest first."""
    return [level for level in reversed(range(size.bit_length())) if size >> level & 1]


def fold(subtrees: Sequence[bytes]) -> bytes:
    """The hash over neighbouring subtrees, the largest first. Raises ValueError for none."""
    if not subtrees:
        raise ValueError("an empty tree has no root that anybody signs")
    *others, hashed = subtrees
    for subtree in reversed(others):
        hashed = node_hash(subtree, hashed)
    return hashed


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over these leaf hashes. Raises ValueError for none."""
    edge = RightEdge()
    for _ in edge.grow(leaves):
        pass
    return edge.root()


def check_inclusion(
    leaf: bytes, index: int, size: int, root: bytes, proof: Sequence[bytes]
) -> None:
    """Whether `leaf` is leaf `index` of the tree (RFC 9162, 2.1.3.2). Raises NotIncluded."""
    if not root:
        raise NotIncluded("the root is empty")
    if not 0 <= index < size:
        raise NotIncluded(f"there is no leaf {index} in a tree of {size}")
    climbed = climb(leaf, index, size, proof)
    if (climbed[-1].hashed if climbed else leaf) != root:
        raise NotIncluded(f"leaf {index} does not lead to the root of the tree of {size}")


class Climb(NamedTuple):
    """One step from a leaf up: what stands beside the way, and the hash over both."""

    left: bool
    beside: bytes
    hashed: bytes


def climb(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> tuple[Climb, ...]:
    """The way from leaf `index` up to what a proof says is the root of the tree.

    `left` where what stands beside the way is left of it. Raises NotIncluded for a proof that has
    not as many hashes as the way has steps.
    """
    sides, hashed = _sides(index, size - 1), leaf
    if len(proof) != len(sides):
        raise NotIncluded(f"the proof has {len(proof)} hashes where the tree needs {len(sides)}")
    steps = []
    for left, beside in zip(sides, proof, strict=True):
        hashed = node_hash(beside, hashed) if left else node_hash(hashed, beside)
        steps.append(Climb(left, beside, hashed))
    return tuple(steps)


def check_consistency(
    size: int, root: bytes, later_size: int, later_root: bytes, proof: Sequence[bytes]
) -> None:
    """Whether the later tree begins with the earlier (RFC 9162, 2.1.4.2). Raises NotConsistent.

    Nothing goes on from an empty tree, because everything would: sizes begin at 1.
    """
    if not root or not later_root:
        raise NotConsistent("a root is empty")
    if size < 1 or later_size < size:
        raise NotConsistent(f"a tree of {later_size} does not go on from one of {size}")
    if size == later_size:
        if proof or root != later_root:
            raise NotConsistent(f"two different trees of {size} leaves")
        return
    if not proof:
        raise NotConsistent("the proof is empty")
    _check_growth(size, root, later_size, later_root, proof)


def _check_growth(
    size: int, root: bytes, later_size: int, later_root: bytes, proof: Sequence[bytes]
) -> None:
    place, last = size - 1, later_size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    # An earlier tree that is a complete subtree of the later one is where the proof begins.
    first, *steps = [root, *proof] if size & (size - 1) == 0 else proof
    sides, earlier, later = _sides(place, last), first, first
    if len(steps) != len(sides):
        raise NotConsistent(f"the proof has {len(proof)} hashes, which is not what it needs")
    for left, step in zip(sides, steps, strict=True):
        if left:
            earlier, later = node_hash(step, earlier), node_hash(step, later)
        else:
            later = node_hash(later, step)
    if earlier != root:
        raise NotConsistent(f"the proof does not lead to the root of the tree of {size}")
    if later != later_root:
        raise NotConsistent(f"the tree of {later_size} does not go on from the tree of {size}")


def _sides(place: int, last: int) -> list[bool]:
    """From node `place` of a level that ends with `last` up to the root: whether what stands
    beside the way stands left of it.

    >>> _sides(4, 6)
    [False, False, True]
    """
    sides = []
    while last:
        left = bool(place & 1) or place == last
        # The last node of a level has nobody beside it until it is a right child.
        while left and place and not place & 1:
            place, last = place >> 1, last >> 1
        sides.append(left)
        place, last = place >> 1, last >> 1
    return sides
