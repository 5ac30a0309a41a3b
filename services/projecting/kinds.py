"""Kinds of streams projections are made of: their facts' types, and how a fold goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, get_args

from domain.events import HandEvent, decode
from projections.shape import EVERY_KIND, Projection, StreamKind, StreamProjection, follow
from services.store.port import Recorded

HAND_TYPES = frozenset(kind.__struct_config__.tag for kind in get_args(HandEvent))
"""The stored types of a hand's facts; the log holds other streams too."""

HAND_ENDS = frozenset({"hand_completed.v1", "hand_voided.v1"})

Rows = tuple[Any, ...]
"""The fold of each projection of a kind, none before the first fact."""

AnyProjection = Projection[Any] | StreamProjection[Any, Any]


class Kind(Protocol):
    """One kind of streams and the projections made of it."""

    @property
    def types(self) -> frozenset[str]:
        """The stored types of its facts."""

    @property
    def ends(self) -> frozenset[str]:
        """Those after which such a stream seldom goes on."""

    @property
    def projections(self) -> Sequence[AnyProjection]:
        """What is made of it, in the order of its rows."""

    def go_on(self, rows: Rows, facts: Sequence[Recorded]) -> Rows:
        """The rows after these facts."""


def kinds_of(projections: Iterable[AnyProjection]) -> Iterator[Kind]:
    """The kinds of streams these projections are made of."""
    hands = [one for one in projections if isinstance(one, Projection)]
    others: dict[frozenset[str], list[StreamProjection[Any, Any]]] = {}
    for one in projections:
        if isinstance(one, StreamProjection):
            others.setdefault(one.of.types, []).append(one)
    if hands:
        yield Hands(hands)
    for alike in others.values():
        yield Others(alike[0].of, alike)


class Hands:
    """Hands: a projection is asked only of the facts it heeds."""

    types = HAND_TYPES
    ends = HAND_ENDS

    def __init__(self, projections: Sequence[Projection[Any]]) -> None:
        self.projections = projections
        self._heeding = {
            kind: [
                (i, p.passes_over, p.project) for i, p in enumerate(projections) if kind in p.heeds
            ]
            for kind in EVERY_KIND
        }

    def go_on(self, rows: Rows, facts: Sequence[Recorded]) -> Rows:
        """The rows after these facts."""
        events = [decode(fact.state) for fact in facts]
        if events and not rows:
            first = events.pop(0)
            rows = tuple([projection.project(None, first) for projection in self.projections])
        now, hand = list(rows), rows[0].hand
        for event in events:
            # What cannot be applied is not for anybody to heed, so it is applied first.
            after = follow(hand, event)
            for i, passes_over, project in self._heeding[type(event)]:
                if not passes_over(hand, event):
                    now[i] = project(now[i].at(hand), event)
            hand = after
        return tuple([row.at(hand) for row in now])


class Others:
    """Tables, cases, ledgers: every fact is folded by every projection of its kind."""

    def __init__(
        self, of: StreamKind[Any], projections: Sequence[StreamProjection[Any, Any]]
    ) -> None:
        self.types = of.types
        self.ends = of.ends
        self.projections = projections
        self._decode = of.decode

    def go_on(self, rows: Rows, facts: Sequence[Recorded]) -> Rows:
        """The rows after these facts."""
        rows = rows or (None,) * len(self.projections)
        for fact in facts:
            event = self._decode(fact.state)
            folding = zip(self.projections, rows, strict=True)
            rows = tuple([projection.project(row, event) for projection, row in folding])
        return rows
