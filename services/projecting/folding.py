"""A page of the log, stream by stream: decoded, folded, ready to be written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from uuid import UUID

import msgspec

from projections.shape import StoredRow, SumRow, Told
from services.projecting.kinds import HAND_ENDS as ENDS
from services.projecting.kinds import HAND_TYPES, AnyProjection, Kind, Rows, kinds_of
from services.store.port import Recorded

__all__ = ["ENDS", "HAND_TYPES", "Fold", "Folder"]

CARRIED = 1_024  # Streams in play kept in memory; beyond that the oldest is read again.

LoadMany = Callable[[Collection[UUID]], Mapping[UUID, tuple[Recorded, ...]]]


class Fold(msgspec.Struct, frozen=True, gc=False):
    """One stream after `n` facts: `rows[i]` is the row of projection `i` of its kind.

    `since` is the first of its facts that is new in this page; `before` are the rows as they were
    until then, none if the stream is new.
    """

    kind: Kind
    told: Told
    since: int
    n: int
    rows: Rows
    before: Rows = ()


class Folder:
    """Folds pages for some projections, all of them in one pass over the facts.

    A stream that began before the page is folded from its first fact; one that was folded for the
    page before goes on from there. That memory is checked against the stream's numbering, so it
    saves work and decides nothing.
    """

    def __init__(self, projections: Sequence[AnyProjection], load_many: LoadMany) -> None:
        self.projections = tuple(projections)
        self._kinds = {type_: kind for kind in kinds_of(projections) for type_ in kind.types}
        self._load_many = load_many
        self._carried: dict[UUID, Fold] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The projections it folds for."""
        return tuple([projection.name for projection in self.projections])

    def without(self, names: Collection[str]) -> Folder:
        """A folder for the other projections only."""
        others = [projection for projection in self.projections if projection.name not in names]
        return Folder(others, self._load_many)

    def before(self, fact: Recorded) -> Fold:
        """A stream as it stood before a fact that is not its first."""
        self._carried.pop(fact.stream, None)
        return self._fold(self._load_many([fact.stream])[fact.stream][: fact.n - 1], since=1)

    def fold(self, page: Sequence[Recorded]) -> list[Fold]:
        """Every stream the page tells of, as it stands at the page's end."""
        return self.fold_streams(self.by_stream(page))

    def by_stream(self, page: Sequence[Recorded]) -> dict[UUID, list[Recorded]]:
        """The facts of a page by their streams; what no projection here is made of is left out."""
        told: dict[UUID, list[Recorded]] = {}
        # Mostly a hand is told at once; and numbers are compared faster than ids.
        for _, run in groupby(page, attrgetter("stream.int")):
            if facts := [fact for fact in run if fact.type in self._kinds]:
                told.setdefault(facts[0].stream, []).extend(facts)
        return told

    def fold_streams(self, told: Mapping[UUID, Sequence[Recorded]]) -> list[Fold]:
        """As `fold`, of a page that is sorted by streams already."""
        begun = [stream for stream, facts in told.items() if not self._goes_on(facts[0])]
        history = self._load_many(begun) if begun else {}
        folds = []
        for stream, facts in told.items():
            # What came after the page is a later page's.
            whole = history[stream][: facts[-1].n] if stream in history else facts
            fold = self._fold(whole, since=facts[0].n)
            self._carry(fold, ended=facts[-1].type in fold.kind.ends)
            folds.append(fold)
        return folds

    def rows(self, fold: Fold) -> Iterable[StoredRow]:
        """The table rows of every projection for one stream."""
        for projection, row in zip(fold.kind.projections, fold.rows, strict=True):
            yield from projection.rows(row, fold.told)

    def adds(self, fold: Fold) -> Iterable[SumRow]:
        """What the stream adds to the sums of every projection, all in all."""
        for projection, row in zip(fold.kind.projections, fold.rows, strict=True):
            yield from projection.adds(row, fold.told)

    def added_before(self, fold: Fold) -> Iterable[SumRow]:
        """What of it was added before this page."""
        if fold.before:
            for projection, row in zip(fold.kind.projections, fold.before, strict=True):
                yield from projection.adds(row, fold.told)

    def _goes_on(self, first: Recorded) -> bool:
        """Whether the stream begins with this fact, or was folded up to the one before."""
        before = self._carried.get(first.stream)
        return first.n == 1 or (before is not None and before.n == first.n - 1)

    def _fold(self, facts: Sequence[Recorded], since: int) -> Fold:
        first, last = facts[0], facts[-1]
        kind = self._kinds[first.type]
        if first.n == 1:
            begun_at, rows = first.recorded_at, ()
        else:
            carried = self._carried[first.stream]
            begun_at, rows = carried.told.recorded_at, carried.rows
        old, new = _parted(facts, since)
        before = kind.go_on(rows, old) if since > 1 else ()
        rows = kind.go_on(before, new)
        return Fold(kind, Told(first.stream, begun_at, last.position), since, last.n, rows, before)

    def _carry(self, fold: Fold, *, ended: bool) -> None:
        self._carried.pop(fold.told.stream, None)
        if ended:
            return
        self._carried[fold.told.stream] = fold
        if len(self._carried) > CARRIED:
            del self._carried[next(iter(self._carried))]


def _parted(facts: Sequence[Recorded], since: int) -> tuple[Sequence[Recorded], ...]:
    """The facts of a stream before and from its fact number `since` on."""
    if since <= facts[0].n:
        return (), facts
    return [f for f in facts if f.n < since], [f for f in facts if f.n >= since]
