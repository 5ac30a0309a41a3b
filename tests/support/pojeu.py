"""POJEU in tests: hands to write, an operator, and the parts of a document."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID
from xml.etree.ElementTree import Element, fromstring

import pytest
from msgspec.structs import replace

from domain import events as e
from domain.cards import DECK
from domain.evolve import replay
from domain.units import UNKNOWN, Card
from services.writers.pojeu.document import pojeu_of
from services.writers.pojeu.operator import Operator, Person
from services.writers.pojeu.proof import refuse_unsound
from services.writers.pojeu.stored import StoredHand
from tests.support.hand_texts import SHARED

HAND = UUID(int=7)
NOON = datetime(2026, 1, 9, 12, tzinfo=UTC)
SCHEMAS = Path(os.environ.get("STUDLEDGER_SCHEMA_DIR") or SHARED / "schemas")
SAMPLE = SCHEMAS / "fr" / "POJEU.regulator-sample.xml"

needs_schema = pytest.mark.skipif(
    not (SCHEMAS / "fr" / "PO.xsd").is_file() or importlib.util.find_spec("lxml") is None,
    reason="the regulator's schemas are not in STUDLEDGER_SCHEMA_DIR or ../shared/schemas, or"
    " lxml has no wheel here",
)

OPERATOR = Operator(
    operator="0099",
    vault=1,
    everybody=Person(country="FR", address="192.0.2.7", registration="{table}/{player}"),
)


def stored(events: Sequence[e.HandEvent]) -> StoredHand:
    """These events as if the log had them, the last one at place 1360."""
    states = [e.encode(event) for event in events]
    return StoredHand(hand=HAND, position=1360, events=tuple(events), states=states)


def written(events: Sequence[e.HandEvent], operator: Operator = OPERATOR) -> bytes:
    """The document of these events."""
    return pojeu_of(stored(events), operator)


def sound(events: Sequence[e.HandEvent]) -> bytes:
    """The document of these events, read back."""
    document = written(events)
    refuse_unsound(document)
    return document


def root(document: bytes) -> Element:
    return fromstring(document)


def texts(element: Element, path: str) -> list[str | None]:
    return [found.text for found in element.findall(path)]


def finances(document: bytes) -> dict[str, list[str]]:
    """Net, Total, CaveAvant, CaveApres and Rake by seat; what is not there is left out."""
    tags = ("Net", "Total", "CaveAvant", "CaveApres", "Rake")
    return {
        one.findtext("Siege", ""): [
            text for tag in tags if (text := one.findtext(f"Finance/{tag}")) is not None
        ]
        for one in root(document).findall("Participants/Joueur")
    }


def actions(document: bytes, round_: str) -> list[str]:
    """A round as `1 call 5.00`, `2 Fold`, without its cards; last its total."""
    [tour] = root(document).findall(f"Jeu/Tour[@name='{round_}']")
    acts = [act for act in tour if act.tag in {"Bet", "Check", "Fold"}]
    said = [
        (act.findtext("Siege"), act.get("name", act.tag), act.findtext("Valeur")) for act in acts
    ]
    return [" ".join(filter(None, act)) for act in said] + [tour.findtext("Total", "")]


def of_real_money(events: Sequence[e.HandEvent]) -> tuple[e.HandEvent, ...]:
    """The hand as it would be if dollars had been played for at noon."""
    first, *rest = events
    assert isinstance(first, e.HandStarted)
    money = e.Money(kind="real", currency="USD", exponent=2)
    return replace(first, money=money, played_at=NOON), *rest


def with_all_cards(events: Sequence[e.HandEvent]) -> Iterator[e.HandEvent]:
    """A record whose unknown cards are cards nobody saw."""
    spare = iter([card for card in DECK if card not in replay(events).seen])
    shown = {seat: list(cards) for seat, cards in _held(events).items()}
    for event in events:
        if isinstance(event, e.CardsDealt):
            down, up = (
                tuple(_known(cards, places, spare))
                for cards, places in (
                    (event.down, shown[event.seat]),
                    (event.up, [UNKNOWN] * len(event.up)),
                )
            )
            del shown[event.seat][: len(down)]
            yield replace(event, down=down, up=up)
        else:
            yield event


def _held(events: Sequence[e.HandEvent]) -> dict[int, tuple[Card, ...]]:
    """Everybody's down cards as far as they were known in the end."""
    return {player.seat: player.down for player in replay(events).seats}


def _known(cards: Sequence[Card], later: Sequence[Card], spare: Iterator[Card]) -> Iterator[Card]:
    for card, known_later in zip(cards, later, strict=False):
        if card == UNKNOWN:
            card = next(spare) if known_later == UNKNOWN else known_later
        yield card
