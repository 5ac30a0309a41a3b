"""The lines one hand has in the files of a bundle."""

from __future__ import annotations

import json
from typing import NamedTuple
from uuid import UUID

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


class HandToTell(NamedTuple):
    """A sealed hand, and the view it is told in."""

    stream: SealedStream
    events: tuple[e.HandEvent, ...]
    view: View


class HandLines(NamedTuple):
    """The lines of one hand in each file, what it was played under, and whether it goes on."""

    started: e.HandStarted
    live: bool
    events: list[bytes]
    disclosures: list[bytes]
    verdict: bytes
    listed: bytes


def hand_to_tell(stream: SealedStream, view: View, *, among_all: bool) -> HandToTell:
    """A sealed hand in the view that is asked for. Raises BadView where it may not be taken of it.

    `among_all` hands of the log, those are told as everybody saw them: a room that never sleeps
    has some that go on, and seats stay empty.
    """
    events = tuple(e.decode(one.fact.state) for one in stream.facts)
    try:
        _require_allowed(view, stream.stream, events)
    except BadView:
        if not among_all:
            raise
        view = PUBLIC
    return HandToTell(stream, events, view)


def _require_allowed(view: View, hand: UUID, events: tuple[e.HandEvent, ...]) -> None:
    require_allowed(view, events)
    if view != PUBLIC and not is_over(events):
        raise BadView(f"hand {hand} is still being played: it has the view public")


def lines_of_hand(hand_to_tell: HandToTell, decks: Decks) -> HandLines:
    """The hand as its view may see it.

    Its events are judged as whoever checks the bundle will judge them: with the cards that are
    opened, and `??` for the others.
    """
    stream, events, view = hand_to_tell
    hand, sight = stream.stream, Sight(view, events)
    told = [_told(*each) for each in zip(stream.facts, events, seen_by(view, events), strict=True)]
    judged = judge(tuple(sight.of(event) for event, _ in told))
    opened = opened_cards(hand, events, sight, stream.secret) if stream.secret else ()
    return HandLines(
        started=started_of(events),
        live=not is_over(events),
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
