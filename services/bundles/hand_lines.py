"""The lines one hand has in the files of a bundle."""

from __future__ import annotations

import json
from typing import NamedTuple

import msgspec

from domain import events as e
from domain.verdict import judge
from services.bundles import contents as c
from services.bundles.disclosing import Sight, opened_cards, opened_in_deck
from services.bundles.sealed_facts import SealedFact, SealedStream
from services.bundles.summaries import listed, started_of, verdict_of
from services.dealing import Decks
from services.proof.canonical import canonical
from services.replaying import PUBLIC, BadView, View, is_over, require_allowed, seen_by


class HandLines(NamedTuple):
    """The lines of one hand in each file, and what it was played under."""

    started: e.HandStarted
    events: list[bytes]
    disclosures: list[bytes]
    verdict: bytes
    listed: bytes


def lines_of_hand(stream: SealedStream, view: View, decks: Decks) -> HandLines:
    """A sealed hand as the view may see it. Raises BadView where it may not be taken of it.

    Its events are judged as whoever checks the bundle will judge them: with the cards that are
    opened, and `??` for the others.
    """
    hand = stream.stream
    events = tuple(e.decode(one.fact.state) for one in stream.facts)
    require_allowed(view, events)
    if view != PUBLIC and not is_over(events):
        raise BadView(f"hand {hand} is still being played: it has the view public")
    sight = Sight(view, events)
    told = [_told(*each) for each in zip(stream.facts, events, seen_by(view, events), strict=True)]
    judged = judge(tuple(sight.of(event) for event, _ in told))
    opened = opened_cards(hand, events, sight, stream.secret) if stream.secret else ()
    return HandLines(
        started=started_of(events),
        events=[line for _, line in told],
        disclosures=[*opened, *opened_in_deck(hand, events, sight, decks)],
        verdict=msgspec.json.encode(verdict_of(hand, events, judged)) + b"\n",
        listed=listed(hand, (stream.facts[0].leaf, stream.facts[-1].leaf), events, judged),
    )


def line_of(sealed: SealedFact) -> bytes:
    """The line of an event whose public form may be told whole."""
    if sealed.form is None:
        return _withheld(sealed, sealed.fact.state)
    line = c.Located(form=msgspec.Raw(sealed.form), leaf=sealed.leaf, proof=sealed.proof)
    return msgspec.json.encode(line) + b"\n"


def _told(sealed: SealedFact, event: e.HandEvent, seen: e.HandEvent) -> tuple[e.HandEvent, bytes]:
    """What the bundle tells of an event, and its line.

    Public forms hide face-down cards and nothing else: a reason that names cards the view may not
    see is not told, nor is an event whose form cannot be made.
    """
    tells_all = seen == event or isinstance(event, e.CardsDealt)
    if sealed.form is not None and tells_all:
        return event, line_of(sealed)
    return seen, _withheld(sealed, e.encode(seen))


def _withheld(sealed: SealedFact, state: bytes) -> bytes:
    line = c.Withheld(
        hash=sealed.hashed.hex(),
        leaf=sealed.leaf,
        n=sealed.fact.n,
        proof=sealed.proof,
        stream=str(sealed.fact.stream),
        withheld=msgspec.Raw(canonical(json.loads(state))),
    )
    return msgspec.json.encode(line) + b"\n"
