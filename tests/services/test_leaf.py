"""The public form of an event: canonical, and telling nothing about face-down cards."""

from __future__ import annotations

import hmac
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from domain.cards import DECK
from domain.units import MOST_CHIPS
from services.log.leaf import (
    Place,
    UnfitForLeaf,
    card_digest,
    card_salt,
    leaf_hash,
    public_form,
)
from services.store.port import Recorded

GOLDEN = Path(__file__).parents[1] / "golden"
SECRET = bytes(range(32))
HAND = UUID("0b9f6f52-0d4a-5c1e-9a44-6f6a3f0c8d11")
CHECKED = b'{"type":"checked.v1","seat":3}'


def stored(state: bytes, **other: Any) -> Recorded:
    recorded = Recorded(
        position=41,
        stream=HAND,
        n=7,
        type="",
        state=state,
        recorded_at=datetime(2024, 3, 9, 20, 15, 2, 301_450, tzinfo=UTC),
        actor="dealer",
        request_id="r-1",
        causation=None,
        command_id=None,
    )
    return msgspec.structs.replace(recorded, **other)


def cards_dealt(*down: str, positions: list[int] | None = None) -> bytes:
    event = {"type": "cards_dealt.v1", "seat": 2, "street": 3, "down": down, "up": ["9h"]}
    return msgspec.json.encode({**event, "positions": positions})


def form(state: bytes, secret: bytes | None = SECRET, **other: Any) -> Any:
    return msgspec.json.decode(public_form("main", stored(state, **other), secret))


def down_of(state: bytes, **other: Any) -> Any:
    return form(state, **other)["event"]["down"]


# Canonical bytes


def test_the_form_has_the_six_public_facts_and_no_other() -> None:
    assert public_form("main", stored(CHECKED), None) == (
        b'{"actor":"dealer","event":{"seat":3,"type":"checked.v1"},"n":7,'
        b'"recorded_at":"2024-03-09T20:15:02.301450Z","room":"main",'
        b'"stream":"0b9f6f52-0d4a-5c1e-9a44-6f6a3f0c8d11"}'
    )


def test_an_instant_has_one_spelling_in_utc_with_microseconds() -> None:
    whole_second = datetime(2024, 3, 9, 21, 15, 2, tzinfo=timezone(timedelta(hours=1)))
    told = form(CHECKED, recorded_at=whole_second)
    assert told["recorded_at"] == "2024-03-09T20:15:02.000000Z"


def test_what_was_stored_is_told_even_where_no_struct_knows_it() -> None:
    state = (
        b'{"type":"checked.v9","seat":3,"mood":"na\xc3\xafve \\u0007","more":{"b":[1],"a":null}}'
    )
    assert form(state)["event"] == msgspec.json.decode(state)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MOST_CHIPS, MOST_CHIPS)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), values, max_size=5))
def test_the_form_is_rfc_8785_for_whatever_was_stored(fields: dict[str, object]) -> None:
    event = {**fields, "type": "checked.v1"}
    expected: dict[str, Any] = {
        "room": "main",
        "stream": str(HAND),
        "n": 7,
        "recorded_at": "2024-03-09T20:15:02.301450Z",
        "actor": "dealer",
        "event": event,
    }
    assert public_form("main", stored(msgspec.json.encode(event)), None) == rfc8785.dumps(expected)


def test_keys_are_ordered_by_utf_16_code_units() -> None:
    state = '{"type":"checked.v1","\uffff":1,"\U0001f600":2}'.encode()
    told = public_form("main", stored(state), None)
    assert told.index("\U0001f600".encode()) < told.index("\uffff".encode())


@pytest.mark.parametrize("number", ["1.5", "1e3", "9007199254740992", "-9007199254740992"])
def test_a_number_that_readers_may_round_has_no_public_form(number: str) -> None:
    state = b'{"type":"checked.v1","seat":[%b]}' % number.encode()
    with pytest.raises(UnfitForLeaf):
        public_form("main", stored(state), None)


@pytest.mark.parametrize("number", [MOST_CHIPS, -MOST_CHIPS])
def test_the_largest_exact_numbers_are_told_as_they_are(number: int) -> None:
    state = msgspec.json.encode({"type": "award_corrected.v1", "rake": number})
    assert form(state)["event"] == {"type": "award_corrected.v1", "rake": number}


# Face-down cards


def test_a_face_down_card_is_a_digest_and_an_upcard_is_not() -> None:
    event = form(cards_dealt("Ts", "Ad"))["event"]
    assert event["up"] == ["9h"]
    assert all(len(digest) == 64 and int(digest, 16) for digest in event["down"])


def test_the_digest_is_the_documented_one() -> None:
    place = b"studledger card v1\n0b9f6f52-0d4a-5c1e-9a44-6f6a3f0c8d11\n7\n1\n12\n"
    salt = hmac.new(SECRET, place, "sha256").digest()
    assert down_of(cards_dealt("Ts", "Ad", positions=[3, 12, 20]))[1] == (
        sha256(place + salt + b"Ad").hexdigest()
    )


def test_an_unknown_deck_position_is_a_dash() -> None:
    place = b"studledger card v1\n0b9f6f52-0d4a-5c1e-9a44-6f6a3f0c8d11\n7\n0\n-\n"
    salt = hmac.new(SECRET, place, "sha256").digest()
    assert down_of(cards_dealt("Ts")) == [sha256(place + salt + b"Ts").hexdigest()]


def test_a_card_nobody_saw_looks_like_any_other() -> None:
    known, unknown = down_of(cards_dealt("Ts")), down_of(cards_dealt("??"))
    assert known != unknown
    assert len(unknown[0]) == len(known[0]) == 64


def test_the_same_card_has_another_digest_at_every_place() -> None:
    hands = [HAND, UUID(int=1)]
    digests = [
        digest
        for hand, n, positions in product(hands, (1, 2), (None, [0, 1, 2], [1, 2, 3]))
        for digest in down_of(cards_dealt("Ts", "Ts", positions=positions), stream=hand, n=n)
    ]
    assert len(set(digests)) == len(digests) == 24


def test_another_secret_gives_another_digest() -> None:
    assert down_of(cards_dealt("Ts"), secret=SECRET) != down_of(cards_dealt("Ts"), secret=b"x" * 32)


def test_a_shown_salt_opens_its_own_card_and_no_other() -> None:
    first, second = down_of(cards_dealt("Ts", "Ad"))
    here, there = Place(HAND, 7, 0, None), Place(HAND, 7, 1, None)
    salt = card_salt(SECRET, here)
    assert [card for card in DECK if card_digest(salt, here, card) == first] == ["Ts"]
    assert not [card for card in DECK if card_digest(salt, there, card) == second]
    assert not [card for card in DECK if card_digest(salt, here, card) == second]


def test_face_down_cards_without_a_secret_have_no_public_form() -> None:
    with pytest.raises(UnfitForLeaf):
        public_form("main", stored(cards_dealt("Ts")), None)


def test_cards_dealt_only_face_up_need_no_secret() -> None:
    assert down_of(cards_dealt(), secret=None) == []


# Golden leaves


def tags() -> list[str]:
    return sorted(path.stem for path in (GOLDEN / "events").glob("*.json"))


@pytest.mark.parametrize("tag", tags())
def test_the_leaf_hash_of_every_event_version_stays(tag: str) -> None:
    golden = msgspec.json.decode((GOLDEN / "leaves.json").read_bytes())
    state = (GOLDEN / "events" / f"{tag}.json").read_bytes().removesuffix(b"\n")
    told = public_form("main", stored(state), SECRET)
    assert leaf_hash(told).hex() == golden[tag]


def test_every_event_version_has_a_golden_leaf() -> None:
    assert sorted(msgspec.json.decode((GOLDEN / "leaves.json").read_bytes())) == tags()


def test_a_leaf_hash_is_told_apart_from_a_node_by_its_first_byte() -> None:
    empty_leaf = "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert leaf_hash(b"").hex() == empty_leaf  # the vector of RFC 9162's test trees
