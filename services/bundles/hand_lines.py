"""The lines one hand has in the files of a bundle."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec

from domain import events as e
from domain.amounts import decimal_words
from domain.verdict import RULES_VERSION, Verdict, judge
from services.bundles import contents as c
from services.bundles.disclosing import Sight, opened_cards, opened_in_deck
from services.bundles.sealed_facts import SealedFact, SealedStream
from services.dealing import Decks
from services.proof.canonical import canonical
from services.replaying import PUBLIC, BadView, View, is_over, require_allowed, seen_by
from services.replaying.seating import printable

INDEX_HEAD = "number\tgame\ttable\tplayed\tplayers\trake\tverdict\tleaves\thand\n"


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
    started = events[0]
    assert isinstance(started, e.HandStarted), "it was asked for as a hand"
    require_allowed(view, events)
    if view != PUBLIC and not is_over(events):
        raise BadView(f"hand {hand} is still being played: it has the view public")
    sight = Sight(view, events)
    told = [_told(*each) for each in zip(stream.facts, events, seen_by(view, events), strict=True)]
    judged = judge(tuple(sight.of(event) for event, _ in told))
    opened = opened_cards(hand, events, sight, stream.secret) if stream.secret else ()
    return HandLines(
        started=started,
        events=[line for _, line in told],
        disclosures=[*opened, *opened_in_deck(hand, events, sight, decks)],
        verdict=_verdict(hand, started, len(events), judged),
        listed=_listed(stream.facts, started, events, judged),
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


def _verdict(hand: UUID, started: e.HandStarted, events: int, judged: Verdict) -> bytes:
    line = c.VerdictLine(
        hand=hand,
        number=started.number,
        events=events,
        verdict=judged.verdict,
        findings=judged.findings,
        rules_version=RULES_VERSION,
    )
    return msgspec.json.encode(line) + b"\n"


def _listed(
    facts: Sequence[SealedFact],
    started: e.HandStarted,
    events: Sequence[e.HandEvent],
    judged: Verdict,
) -> bytes:
    """A line for people; nothing that a record holds steers a terminal or ends the line."""
    rake = sum(event.total for event in events if isinstance(event, e.RakeTaken))
    money = started.money
    at = started.played_at or started.at
    cells = (
        started.number,
        started.game,
        started.table.name,
        f"{at:%Y-%m-%d %H:%M}" if at else "-",
        str(len(started.seats)),
        f"{decimal_words(rake, money.exponent)} {money.currency}",
        judged.verdict,
        f"{facts[0].leaf}-{facts[-1].leaf}",
        str(facts[0].fact.stream),
    )
    return ("\t".join(map(printable, cells)) + "\n").encode()
