"""The streams of a bundle: every event in its place, every opened card the one that was dealt."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, groupby
from typing import Any, NamedTuple

from services.proof.archive import BundleFile
from services.proof.bundle_cards import HandCards, lies
from services.proof.bundle_lines import EventLine, Opening, event_lines, openings
from services.proof.bundle_tree import BundleTree
from services.proof.manifest import Manifest
from services.proof.openings import DECK_SIZE
from services.proof.report import Report

MOST_FACTS = 10_000
MOST_BYTES = 1 << 24  # Of one hand.
STARTED = "hand_started.v1"
OVER = frozenset({"hand_completed.v1", "hand_voided.v1"})


class ProvenHand(NamedTuple):
    """The events of one hand with the cards that were opened put in, `??` for the others.

    `sound` is whether all of them are in the log and all opened cards are those that were dealt.
    """

    hand: str
    events: list[dict[str, Any]]
    sound: bool
    leaves: tuple[int, int]  # Those of its first and last event.


class ProvenFact(NamedTuple):
    """An event of the log that is of no hand, as it was sealed."""

    stream: str
    event: dict[str, Any]


class BundleStreams:
    """Goes through a bundle once, hand after hand, and reports what is not as it was sealed."""

    def __init__(
        self, bundle: BundleFile, manifest: Manifest, tree: BundleTree, report: Report
    ) -> None:
        self._bundle, self._manifest, self._tree, self._report = bundle, manifest, tree, report
        self._openings = openings(bundle)
        self._opening = next(self._openings, None)
        self._first_leaf = -1
        self._events = self._hands = self._live = 0

    def proven(self) -> Iterator[ProvenHand | ProvenFact]:
        """Every hand and every other event, checked.

        Raises Unreadable where the bundle cannot be read further.
        """
        for stream, lines in groupby(event_lines(self._bundle), key=lambda line: line.stream):
            checked = self._in_order(lines)
            first, sound = next(checked)
            if first.event["type"] == STARTED:
                yield self._hand(stream, first, sound, checked)
            else:
                for line, holds in chain([(first, sound)], checked):
                    if holds and line.form is not None:
                        yield ProvenFact(stream, line.event)
        if self._opening is not None:
            self._bad(f"hand {self._opening.hand}: a card of it is opened out of its place")
        self._check_counts()

    def _hand(
        self, hand: str, first: EventLine, sound: bool, checked: Iterator[tuple[EventLine, bool]]
    ) -> ProvenHand:
        self._hands += 1
        lines, size = [first], 0
        for line, holds in checked:
            sound &= holds
            size += len(line.form or b"")
            if len(lines) < MOST_FACTS and size < MOST_BYTES:
                lines.append(line)
            elif sound:
                sound = self._bad(f"hand {hand} is longer than any hand can be")
        cards = HandCards(hand, lines)
        live = not any(line.event["type"] in OVER for line in lines)
        self._live += live
        # Where an event is amiss its cards are, too: one thing is named once.
        before = len(self._report.tampering)
        fits = self._opened(cards, live)
        if not sound:
            del self._report.tampering[before:]
        leaves = (lines[0].leaf, lines[-1].leaf)
        return ProvenHand(hand, cards.events, sound and fits, leaves)

    def _in_order(self, lines: Iterator[EventLine]) -> Iterator[tuple[EventLine, bool]]:
        """The events of one stream, and whether each is what it should be at its place."""
        leaf = self._first_leaf
        for n, line in enumerate(lines, 1):
            self._events += 1
            wrong = self._out_of_place(line, n, leaf) or self._not_in_the_log(line)
            if wrong is not None:
                self._bad(f"{line}: {wrong}")
            if not self._opens_an_epoch(line):
                leaf = line.leaf
                self._first_leaf = leaf if n == 1 else self._first_leaf
            yield line, wrong is None

    def _out_of_place(self, line: EventLine, n: int, leaf: int) -> str | None:
        if line.n > n:
            return f"event {n} of its stream is missing before it"
        if line.n < n:
            return "it stands twice, or out of its order"
        if line.leaf <= leaf and not self._opens_an_epoch(line):
            return "it does not come after the event or the stream before it in the log"
        if line.room not in (None, self._manifest.room):
            return f"it is of another room than {self._manifest.room}"
        return None

    def _opens_an_epoch(self, line: EventLine) -> bool:
        """The first leaf of a later epoch stands before all others, wherever its event does."""
        return line.leaf == 0 and self._tree.checkpoint.epoch > 1

    def _not_in_the_log(self, line: EventLine) -> str | None:
        if line.form is not None:
            return self._tree.why_not(line.form, line.leaf, line.proof)
        self._report.open(f"{line}: it is withheld from this view, and only its place is proven")
        return self._tree.why_not_hash(line.hashed, line.leaf, line.proof)

    def _opened(self, cards: HandCards, live: bool) -> bool:
        """Whether every card that is opened is the one that was dealt.

        In the view `all` every card is. In a bundle of all leaves a hand that goes on is told as
        everybody saw it: that nobody left out its end follows from the leaves.
        """
        sound, in_deck = True, list[Opening]()
        for opening in self._of_hand(cards.hand):
            if opening.path is not None:
                if len(in_deck) == DECK_SIZE:
                    return self._bad(f"hand {cards.hand}: more cards are opened than a deck has")
                in_deck.append(opening)
            elif (wrong := cards.put_in(opening)) is not None:
                sound = self._bad(f"hand {cards.hand}: {wrong}")
        told_all = self._manifest.view == "all" and not (live and self._manifest.whole)
        closed = cards.first_closed() if told_all else None
        if sound and closed is not None:
            sound = self._bad(f"hand {cards.hand}: {closed} is not opened, and the view is all")
        return sound and self._lay_in_the_deck(cards, in_deck)

    def _of_hand(self, hand: str) -> Iterator[Opening]:
        while self._opening is not None and self._opening.hand == hand:
            yield self._opening
            self._opening = next(self._openings, None)

    def _lay_in_the_deck(self, cards: HandCards, in_deck: list[Opening]) -> bool:
        """Whether the cards lay in the deck the hand committed to before the first card."""
        sound, places, commitment = True, cards.places(), cards.commitment()
        for opening in in_deck:
            dealt = places.pop(opening.at, None)
            if commitment is None or dealt != opening.card or not lies(commitment, opening):
                sound = self._bad(
                    f"hand {cards.hand}: the card at {opening.at} of the deck is not the one"
                    " that was committed to before the first card"
                )
        if commitment is not None and places:
            self._report.open(
                f"hand {cards.hand}: its deck is committed to, and {len(places)} cards are not"
                " opened against it"
            )
        return sound

    def _check_counts(self) -> None:
        told, size = self._manifest, self._tree.checkpoint.size
        self._report.events, self._report.live = self._events, self._live
        if (self._hands, self._events) != (told.hands, told.events):
            self._bad(
                f"the manifest says {told.hands} hands and {told.events} events, there are"
                f" {self._hands} and {self._events}"
            )
        if told.live is not None and told.live != self._live:
            self._bad(
                f"the manifest says that {told.live} hands were still being played, and those"
                f" that have no end are {self._live}"
            )
        if told.leaves != size:
            self._bad(f"the manifest says {told.leaves} leaves, and the checkpoint is over {size}")
        if told.whole and told.view == "all" and self._events != size:
            self._bad(f"the log has {size} leaves, and {self._events} events are told of")
        self._report.hidden = size - self._events if told.whole else 0

    def _bad(self, text: str) -> bool:
        self._report.bad(text)
        return False
