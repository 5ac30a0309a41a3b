"""The tree a bundle is proven under: its checkpoint, who signed it, and what it goes on from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO, Any, NamedTuple

from services.proof import manifest as m
from services.proof.archive import BundleFile
from services.proof.canonical import read_canonical
from services.proof.checkpoint import Checkpoint, parse_checkpoint, verify_checkpoint
from services.proof.errors import NotConsistent, NotIncluded, NotSigned, Tampered, Unreadable
from services.proof.manifest import Manifest
from services.proof.notes import VerifierKey, from_base64, verify_note
from services.proof.report import Report
from services.proof.tree import (
    HASH_BYTES,
    RightEdge,
    check_consistency,
    check_inclusion,
    leaf_hash,
)

STRIDE = 4_096  # Leaf hashes taken at once.


class Earlier(NamedTuple):
    """What an auditor has from before: a checkpoint, and the bundle it came in, if in one.

    `number` and `manifest` are that bundle's number and the SHA-256 of its manifest.
    """

    note: str
    number: int | None = None
    manifest: str | None = None


class BundleTree:
    """Whether a form is a leaf of the signed tree. `leaves` is a file for the hashes of all."""

    def __init__(
        self,
        bundle: BundleFile,
        manifest: Manifest,
        keys: Sequence[VerifierKey],
        report: Report,
        leaves: IO[bytes],
    ) -> None:
        self._bundle, self._whole, self._keys = bundle, manifest.whole, keys
        self._report, self._leaves = report, leaves
        self.checkpoint = self._read_checkpoint()
        report.origin, report.leaves = self.checkpoint.origin, self.checkpoint.size

    def check(self, earlier: Earlier | None) -> None:
        """The root over the leaves, and that the tree goes on from an earlier one."""
        before = None if earlier is None else self._earlier(earlier.note)
        self._require_only_proofs()
        if self._whole:
            self._check_leaves(before)
        elif before is not None:
            self._check_growth(before)

    def _require_only_proofs(self) -> None:
        """Proofs from sizes nobody asked about are not looked into, but nothing else lies there."""
        if self._whole:
            if self._bundle.size(m.CONSISTENCY):
                self._report.bad(f"{m.CONSISTENCY} is not empty, and all leaves are here")
            return
        for number, line in enumerate(self._bundle.lines(m.CONSISTENCY), 1):
            told = read_canonical(line, f"its {m.CONSISTENCY}, line {number},")
            if not _is_growth(told):
                self._report.bad(f"{m.CONSISTENCY}, line {number}, is no proof")

    def why_not(self, form: bytes, leaf: int, proof: Any) -> str | None:
        """What is wrong with a form as leaf number `leaf`; None if it is that."""
        return self.why_not_hash(leaf_hash(form), leaf, proof)

    def why_not_hash(self, hashed: bytes, leaf: int, proof: Any) -> str | None:
        """As `why_not`, for a leaf of which only the hash is told."""
        if self._whole:
            if self._sealed(leaf) != hashed:
                return f"it is not what the log sealed as leaf {leaf}"
            return None
        try:
            hashes = [from_base64(one, "a hash of its proof") for one in proof]
            tree = self.checkpoint
            check_inclusion(hashed, leaf, tree.size, tree.root, hashes)
        except (NotIncluded, Unreadable) as wrong:
            return f"it is not proven to be leaf {leaf} of the log: {wrong}"
        except (TypeError, AttributeError):
            return f"it is not proven to be leaf {leaf} of the log: it has no proof"
        return None

    def _sealed(self, leaf: int) -> bytes:
        self._leaves.seek(leaf * HASH_BYTES)
        return self._leaves.read(HASH_BYTES)

    def _read_checkpoint(self) -> Checkpoint:
        note = as_text(self._bundle.content(m.CHECKPOINT), f"its {m.CHECKPOINT}")
        told = parse_checkpoint(note)
        if not self._keys:
            self._report.open(
                "the signature: no verifier key was given (--vkey), so nobody is known to stand"
                " behind this log: whoever made the bundle may have made all of it"
            )
            return told
        try:
            verify_checkpoint(note, self._keys)
        except Tampered as wrong:
            self._report.bad(f"the checkpoint: {wrong}")
        except NotSigned as wrong:
            self._report.open(f"the signature: {wrong}. It is another log's bundle, or another key")
        else:
            self._report.signed_by = str(verify_note(note, self._keys)[1])
        return told

    def _check_leaves(self, before: Checkpoint | None) -> None:
        """The root from all leaves, and from as many as the earlier checkpoint is over."""
        if m.LEAVES not in self._bundle:
            raise Unreadable(f"it says it is of the whole log and has no {m.LEAVES}")
        edge = RightEdge()
        for hashes in self._strides():
            at = before.size - edge.size if before is not None else 0
            if before is not None and 0 < at <= len(hashes):
                _grow(edge, hashes[:at])
                self._require_same(before, edge.root())
                hashes = hashes[at:]
            _grow(edge, hashes)
        size = self.checkpoint.size
        if edge.size != size:
            self._report.bad(
                f"{m.LEAVES} has {edge.size} leaves, and the checkpoint is over {size}"
            )
        elif edge.root() != self.checkpoint.root:
            self._report.bad(
                f"{m.LEAVES} does not lead to the root of the checkpoint: leaves of the log were"
                " changed, added, dropped or put in another order"
            )

    def _strides(self) -> Iterator[list[bytes]]:
        """The leaf hashes, a few thousand at a time; each is kept on disk on the way."""
        left = b""
        for piece in self._bundle.pieces(m.LEAVES):
            self._leaves.write(piece)
            left += piece
            whole = len(left) - len(left) % (STRIDE * HASH_BYTES)
            if whole:
                yield _split(left[:whole])
                left = left[whole:]
        if len(left) % HASH_BYTES:
            self._report.bad(f"{m.LEAVES} ends within a hash")
        yield _split(left[: len(left) - len(left) % HASH_BYTES])

    def _earlier(self, note: str) -> Checkpoint | None:
        """The earlier checkpoint, if more than itself has to be compared with it."""
        told = parse_checkpoint(note)
        if self._keys:
            try:
                verify_checkpoint(note, self._keys)
            except Tampered as wrong:
                self._report.bad(f"the previous checkpoint: {wrong}")
            except NotSigned as wrong:
                self._report.open(f"the previous checkpoint: {wrong}")
                return None
        return told if self._comparable(told) else None

    def _comparable(self, told: Checkpoint) -> bool:
        now = self.checkpoint
        if told.log != now.log:
            self._report.open(
                f"the previous checkpoint is of the log {told.log}, the bundle of {now.log}"
            )
        elif told.epoch < now.epoch:
            self._report.open(
                f"the log began anew since: the bundle is of epoch {now.epoch}, the previous"
                f" checkpoint of {told.epoch}. Ask for the proof of leaf 0, which says why"
            )
        elif (told.epoch, told.size) > (now.epoch, now.size):
            self._report.bad(
                f"the bundle is older than what you have: its checkpoint is over {now.size} leaves"
                f" of epoch {now.epoch}, the previous one over {told.size} of epoch {told.epoch}."
                " What came after was withheld, or the log was set back"
            )
        elif told.size == now.size:
            self._require_same(told, now.root)
        else:
            return True
        return False

    def _require_same(self, before: Checkpoint, root: bytes) -> None:
        if before.root != root:
            self._report.bad(_other_log(before))

    def _check_growth(self, before: Checkpoint) -> None:
        """By a proof in the bundle, where it has not all leaves."""
        told = self._growth_from(before.size)
        if told is None:
            self._report.open(
                f"that the log goes on from {before.size} leaves: the bundle has no proof of it."
                " Ask for one exported with `--since` that checkpoint"
            )
            return
        try:
            hashes = [from_base64(one, "a hash") for one in told["hashes"]]
            now = self.checkpoint
            check_consistency(before.size, before.root, now.size, now.root, hashes)
        except (NotConsistent, Unreadable, KeyError, TypeError, AttributeError):
            self._report.bad(_other_log(before))

    def _growth_from(self, size: int) -> dict[str, Any] | None:
        for line in self._bundle.lines(m.CONSISTENCY):
            told = read_canonical(line, f"its {m.CONSISTENCY}")
            if told.get("from") == size:
                return told
        return None


def _is_growth(told: dict[str, Any]) -> bool:
    """Whether a line can be a proof: a size and hashes, and nothing else."""
    if told.keys() != {"from", "hashes"} or type(told["from"]) is not int:
        return False
    try:
        return all(len(from_base64(one, "a hash")) == HASH_BYTES for one in told["hashes"])
    except (Unreadable, TypeError, AttributeError):
        return False


def as_text(content: bytes, what: str) -> str:
    """Bytes that should be UTF-8. Raises Unreadable."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise Unreadable(f"{what} is not text") from None


def _other_log(before: Checkpoint) -> str:
    return (
        f"the log does not go on from the previous checkpoint: its first {before.size} leaves are"
        " others. It was rewritten and signed again, or two auditors are shown two logs"
    )


def _split(hashes: bytes) -> list[bytes]:
    return [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]


def _grow(edge: RightEdge, hashes: Sequence[bytes]) -> None:
    for _ in edge.grow(hashes):
        pass
