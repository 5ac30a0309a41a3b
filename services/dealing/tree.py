"""The Merkle tree of RFC 9162: one hash over an ordered list, opened leaf by leaf."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256


def leaf(data: bytes) -> bytes:
    """The hash of a leaf (RFC 9162, 2.1.1)."""
    return sha256(b"\x00" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees."""
    return sha256(b"\x01" + left + right).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """The hash over leaf hashes, of which there is at least one."""
    assert leaves, "an empty tree commits to nothing"
    if len(leaves) == 1:
        return leaves[0]
    middle = _middle(len(leaves))
    return node(root(leaves[:middle]), root(leaves[middle:]))


def path(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """What proves the leaf at `index`: the hashes beside its way up (RFC 9162, 2.1.3.1)."""
    if len(leaves) == 1:
        return ()
    middle = _middle(len(leaves))
    if index < middle:
        return (*path(leaves[:middle], index), root(leaves[middle:]))
    return (*path(leaves[middle:], index - middle), root(leaves[:middle]))


def root_from(found: bytes, *, index: int, size: int, beside: Sequence[bytes]) -> bytes | None:
    """The root that a leaf hash and its path lead to; None if no such path exists (2.1.3.2)."""
    if not 0 <= index < size:
        return None
    place, last = index, size - 1
    for hashed in beside:
        if last == 0:
            return None
        if place & 1 or place == last:
            found = node(hashed, found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = node(found, hashed)
        place, last = place >> 1, last >> 1
    return found if last == 0 else None


def _middle(size: int) -> int:
    """The largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1
