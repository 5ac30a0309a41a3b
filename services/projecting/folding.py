"""A page of the log, hand by hand: decoded, folded, ready to be written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, get_args
from uuid import UUID

import msgspec

from domain.events import HandEvent, decode
from projections.shape import EVERY_KIND, Followed, Projection, SumRow, TableRow, Told, follow
from services.store.port import Recorded

HAND_TYPES = frozenset(kind.__struct_config__.tag for kind in get_args(HandEvent))
"""The stored types of a hand's facts; the log holds other streams too."""

ENDS = frozenset({"hand_completed.v1", "hand_voided.v1"})
CARRIED = 1_024  # Hands in play kept in memory; beyond that the oldest is read again.

Rows = tuple[Followed, ...]
"""The fold of each projection, none before the first fact."""

LoadMany = Callable[[Collection[UUID]], Mapping[UUID, tuple[Recorded, ...]]]


class Fold(msgspec.Struct, frozen=True):
    """One hand after `n` facts: `rows[i]` is the row of projection `i`.

    `since` is the first of its facts that is new in this page; `before` are the rows as they were
    until then, none if the hand is new.
    """

    told: Told
    since: int
    n: int
    rows: Rows
    before: Rows = ()


class Folder:
    """Folds pages for some projections, all of them in one pass over the facts.

    A hand that began before the page is folded from its first fact; one that was folded for the
    page before goes on from there. That memory is checked against the stream's numbering, so it
    saves work and decides nothing.
    """

    def __init__(self, projections: Sequence[Projection[Any]], load_many: LoadMany) -> None:
        self.projections = tuple(projections)
        self._heeding = {
            kind: [(i, p) for i, p in enumerate(self.projections) if kind in p.heeds]
            for kind in EVERY_KIND
        }
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
        """A hand as it stood before a fact that is not its first."""
        self._carried.pop(fact.stream, None)
        return self._fold(self._load_many([fact.stream])[fact.stream][: fact.n - 1], since=1)

    def fold(self, page: Sequence[Recorded]) -> list[Fold]:
        """Every hand the page tells of, as it stands at the page's end."""
        return self.fold_hands(by_hand(page))

    def fold_hands(self, told: Mapping[UUID, Sequence[Recorded]]) -> list[Fold]:
        """As `fold`, of a page that is sorted by hands already."""
        begun = [hand for hand, facts in told.items() if not self._goes_on(facts[0])]
        history = self._load_many(begun) if begun else {}
        folds = []
        for hand, facts in told.items():
            # What came after the page is a later page's.
            whole = history[hand][: facts[-1].n] if hand in history else facts
            fold = self._fold(whole, since=facts[0].n)
            self._carry(fold, ended=facts[-1].type in ENDS)
            folds.append(fold)
        return folds

    def rows(self, fold: Fold) -> Iterable[TableRow]:
        """The table rows of every projection for one hand."""
        for projection, row in zip(self.projections, fold.rows, strict=True):
            yield from projection.rows(row, fold.told)

    def adds(self, fold: Fold) -> Iterable[SumRow]:
        """What the hand adds to the sums of every projection, all in all."""
        for projection, row in zip(self.projections, fold.rows, strict=True):
            yield from projection.adds(row, fold.told)

    def added_before(self, fold: Fold) -> Iterable[SumRow]:
        """What of it was added before this page."""
        if fold.before:
            for projection, row in zip(self.projections, fold.before, strict=True):
                yield from projection.adds(row, fold.told)

    def _goes_on(self, first: Recorded) -> bool:
        """Whether the hand begins with this fact, or was folded up to the one before."""
        before = self._carried.get(first.stream)
        return first.n == 1 or (before is not None and before.n == first.n - 1)

    def _fold(self, facts: Sequence[Recorded], since: int) -> Fold:
        first = facts[0]
        if first.n == 1:
            told = Told(first.stream, first.recorded_at)
            rows: Rows = ()
        else:
            carried = self._carried[first.stream]
            told, rows = carried.told, carried.rows
        old, new = _parted(facts, since)
        before = self._go_on(rows, old) if since > 1 else ()
        rows = self._go_on(before, new)
        return Fold(told, since, facts[-1].n, rows, before)

    def _go_on(self, rows: Rows, facts: Sequence[Recorded]) -> Rows:
        """The rows after these facts: a projection is asked only of those it heeds."""
        events = [decode(fact.state) for fact in facts]
        if events and not rows:
            first = events.pop(0)
            rows = tuple([projection.project(None, first) for projection in self.projections])
        now, hand = list(rows), rows[0].hand
        for event in events:
            # What cannot be applied is not for anybody to heed, so it is applied first.
            after = follow(hand, event)
            for i, projection in self._heeding[type(event)]:
                if not projection.passes_over(hand, event):
                    now[i] = projection.project(now[i].at(hand), event)
            hand = after
        return tuple([row.at(hand) for row in now])

    def _carry(self, fold: Fold, *, ended: bool) -> None:
        self._carried.pop(fold.told.hand, None)
        if ended:
            return
        self._carried[fold.told.hand] = fold
        if len(self._carried) > CARRIED:
            del self._carried[next(iter(self._carried))]


def _parted(facts: Sequence[Recorded], since: int) -> tuple[Sequence[Recorded], ...]:
    """The facts of a hand before and from its fact number `since` on."""
    if since <= facts[0].n:
        return (), facts
    return [f for f in facts if f.n < since], [f for f in facts if f.n >= since]


def by_hand(page: Sequence[Recorded]) -> dict[UUID, list[Recorded]]:
    """The facts of a page by the hands they tell of; what else is in the log is left out."""
    told: dict[UUID, list[Recorded]] = {}
    # Mostly a hand is told at once; and numbers are compared faster than ids.
    for _, run in groupby(page, attrgetter("stream.int")):
        if facts := [fact for fact in run if fact.type in HAND_TYPES]:
            told.setdefault(facts[0].stream, []).extend(facts)
    return told
