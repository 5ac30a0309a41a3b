"""A POJEU file read back adds up or is none; the regulator's schema accepts it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from domain import events as e
from services.demo.arranged import arranged_hands
from services.demo.hands import table_hands
from services.readers.reading import read_file
from services.readers.record import HandRead
from services.writers import CannotSay
from services.writers.pojeu import Schema, schema_in
from services.writers.pojeu.proof import refuse_unsound
from tests.support.hand_texts import CORPUS, needs_corpus
from tests.support.played import played_hands
from tests.support.pojeu import (
    SAMPLE,
    SCHEMAS,
    needs_schema,
    of_real_money,
    root,
    sound,
    with_all_cards,
    written,
)

Events = Sequence[e.HandEvent]
ARRANGED = {hand.number: hand.events for hand in arranged_hands()}
SIDE_POTS = ARRANGED["D00006"]


EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "pojeu.xml"


def test_the_example_of_the_page_is_the_file_of_a_demonstrated_hand() -> None:
    started, *rest = ARRANGED["D00002"]
    assert isinstance(started, e.HandStarted)
    seats = tuple(replace(one, player=str(UUID(int=one.seat))) for one in started.seats)
    assert EXAMPLE.read_text("utf-8") == sound([replace(started, seats=seats), *rest]).decode()


NUMBER = r"<(Net|CaveAvant|CaveApres|Rake|Total)>(-?\d+\.\d\d)<"


def test_any_amount_that_is_changed_in_the_file_shows() -> None:
    text = sound(SIDE_POTS).decode()
    places = list(re.finditer(NUMBER, text))
    assert len(places) == 4 * 5 + 7
    for place in places:
        more = Decimal(place[2]) + Decimal("0.01")
        changed = f"{text[: place.start(2)]}{more}{text[place.end(2) :]}"
        with pytest.raises(CannotSay, match="in the file read back"):
            refuse_unsound(changed.encode())


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (r"(<Draw>\s*<Siege>1</Siege>\s*<Valeur>)\d+", r"\g<1>53", "a card is dealt twice"),
        (r"(<Reveal>\s*<Siege>)\d", r"\g<1>3", "he was not dealt face down"),
        (r"(<Bet name=\"call\">\s*<Siege>)\d", r"\g<1>9", "acts who is no player"),
        (r"(<Bet name=\"ante\">.*?<Valeur>)0.25", r"\g<1>9.25", "bet more than he had"),
        (r"sixth street", "fifth street", "two rounds have one name"),
        (r"(<Siege>)1(</Siege>\s*<Inscription>)", r"\g<1>2\2", "a seat of his own"),
        (r"</POJEU>", "", "no XML"),
    ],
)
def test_what_cannot_be_in_a_file_is_named(old: str, new: str, what: str) -> None:
    text, count = re.subn(old, new, sound(SIDE_POTS).decode(), count=1, flags=re.DOTALL)
    assert count == 1
    with pytest.raises(CannotSay, match=what):
        refuse_unsound(text.encode())


@needs_schema
def test_the_regulators_own_sample_adds_up() -> None:
    refuse_unsound(SAMPLE.read_bytes())


# -- the regulator's schema ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def schema() -> Schema:
    found = schema_in(SCHEMAS)
    assert found is not None
    return found


@needs_schema
def test_the_demonstrations_hands_are_valid(schema: Schema) -> None:
    games = Counter[str]()
    for hand in (*arranged_hands(), *table_hands(24)):
        document = sound(hand.events)
        schema.refuse_invalid(document)
        games[root(document).findtext("Regle", "")] += 1
    assert len(games) == 3


@needs_schema
@settings(max_examples=20, deadline=None)
@given(events=played_hands())
def test_any_hand_is_valid(schema: Schema, events: tuple[e.HandEvent, ...]) -> None:
    schema.refuse_invalid(sound(of_real_money(events)))


@needs_schema
def test_the_sample_lacks_a_country_and_is_valid_with_it(schema: Schema) -> None:
    sample = SAMPLE.read_text("utf-8")
    with pytest.raises(CannotSay, match=r"Joueur\[1\]/IDJoueur in line \d+ \(ELEMENT_CONTENT\)"):
        schema.refuse_invalid(sample.encode())
    whole = re.sub(r"(</IDJoueur>)(?!\s*<Pays>)", r"\1<Pays>FR</Pays>", sample)
    whole = re.sub(r"(<IDJoueur>.*?</IDJoueur>)\s*(<Pays>..</Pays>)", r"\2\1", whole)
    schema.refuse_invalid(whole.encode())


@needs_schema
def test_a_refusal_names_the_place_and_not_the_value(schema: Schema) -> None:
    wrong = written(SIDE_POTS).replace(b"192.0.2.7", b"nowhere-192", 1)
    with pytest.raises(CannotSay) as refused:
        schema.refuse_invalid(wrong)
    assert "Joueur[1]/IPJoueur" in str(refused.value)
    assert "192" not in str(refused.value)


# -- records of other rooms ------------------------------------------------------------------------


def recorded() -> Iterator[Events]:
    for path in sorted(CORPUS.glob("*/*.*")):
        for outcome in read_file(path):
            if isinstance(outcome, HandRead):
                yield outcome.events


@needs_corpus
def test_of_the_corpus_whole_real_money_hands_are_written() -> None:
    told = Counter[str]()
    for events in recorded():
        try:
            sound(events)
            told["written"] += 1
        except CannotSay as refused:
            told[re.sub(r"seat [\d, ]+", "seat N ", str(refused))] += 1
    assert told == {
        "written": 5,
        "cards of seat N are not known": 40,
        "it was played for a tournament's chips": 26,
    }


@needs_corpus
@needs_schema
def test_with_all_cards_known_every_hand_of_the_corpus_is_written(schema: Schema) -> None:
    for events in recorded():
        schema.refuse_invalid(sound([*with_all_cards(of_real_money(events))]))
