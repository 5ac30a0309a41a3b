"""A deck is fair, whole, and committed to before its first card; one card can be opened alone."""

from __future__ import annotations

import hmac
from collections import Counter
from hashlib import sha256
from itertools import permutations, product
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from domain.cards import DECK
from domain.errors import WrongCards
from services.dealing import shuffle, supplied
from services.dealing.commitment import DeckOrder, commit, is_of, open_card

HAND = UUID("0b0f7d0e-5a43-4d0e-9a0b-3c1f5a2f7a11")
ORDER = DeckOrder(DECK, b"\x07" * 32)
COMMITMENT = commit(HAND, ORDER)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_every_order_of_a_deck_comes_from_exactly_one_sequence_of_throws(size: int) -> None:
    deck = DECK[:size]
    bounds = range(size, 1, -1)
    orders = []
    for throws in product(*map(range, bounds)):
        asked: list[int] = []

        def throw(bound: int, throws: tuple[int, ...] = throws, asked: list[int] = asked) -> int:
            asked.append(bound)
            return throws[len(asked) - 1]

        orders.append(shuffle(throw, deck))
        assert asked == [*bounds], "each throw is among the cards that are left"
    assert Counter(orders) == Counter(permutations(deck))


def test_a_shuffled_deck_has_every_card_once_and_another_order_each_time() -> None:
    decks = {shuffle() for _ in range(20)}
    assert len(decks) == 20
    assert all(sorted(deck) == sorted(DECK) for deck in decks)


def test_each_card_comes_to_each_place_equally_often() -> None:
    """Over all throws for the first two places of a whole deck, the rest left as it is."""
    tops: Counter[str] = Counter()
    for last, next_to_last in product(range(52), range(51)):
        throws = iter([last, next_to_last, *range(49, 0, -1)])
        deck = shuffle(lambda _, throws=throws: next(throws))
        tops[deck[51]] += 1
        tops[deck[50]] += 1
    assert set(tops.values()) == {2 * 51}
    assert len(tops) == 52


@pytest.mark.parametrize(
    "cards", [(), DECK[:51], (*DECK[:51], DECK[0]), (*DECK, "??"), (*DECK[:51], "??")]
)
def test_a_supplied_deck_has_each_card_once(cards: tuple[str, ...]) -> None:
    with pytest.raises(WrongCards) as refused:
        supplied(cards)
    assert refused.value.rule == "G4"


def test_the_commitment_to_a_known_deck_is_this_for_ever() -> None:
    assert COMMITMENT == (
        "deck.v1:1f0cb50fc0104d21236eb52f793caff5adfa2457120cfdc50c34f24ced6495e6"
    )


def test_the_commitment_is_what_the_page_says() -> None:
    level = []
    for position, card in enumerate(DECK):
        place = f"studledger deck v1\n{HAND}\n{position}\n".encode()
        salt = hmac.new(ORDER.secret, place, "sha256").digest()
        level.append(sha256(b"\x00" + place + salt + card.encode()).digest())
    while len(level) > 1:
        pairs = [level[i : i + 2] for i in range(0, len(level), 2)]
        level = [sha256(b"\x01" + b"".join(p)).digest() if len(p) == 2 else p[0] for p in pairs]
    assert f"deck.v1:{level[0].hex()}" == COMMITMENT


@pytest.mark.parametrize("position", range(52))
def test_a_card_of_a_committed_deck_is_opened_by_itself(position: int) -> None:
    opened = open_card(HAND, ORDER, position)
    assert opened.card == DECK[position]
    assert is_of(COMMITMENT, HAND, opened)


def test_nothing_else_opens() -> None:
    opened = open_card(HAND, ORDER, 17)
    others = [
        replace(opened, card="As"),
        replace(opened, position=16),
        replace(opened, position=52),
        replace(opened, position=-1),
        replace(opened, salt=open_card(HAND, ORDER, 18).salt),
        replace(opened, path=opened.path[::-1]),
        replace(opened, path=opened.path[1:]),
        replace(opened, path=(*opened.path, opened.path[0])),
    ]
    assert not any(is_of(COMMITMENT, HAND, other) for other in others)
    assert not is_of(COMMITMENT, uuid4(), opened)
    for other in ("", "deck.v1:", COMMITMENT.upper(), COMMITMENT[8:], COMMITMENT[:-2] + "zz"):
        assert not is_of(other, HAND, opened)
    assert not is_of(commit(HAND, replace(ORDER, secret=b"\x08" * 32)), HAND, opened)


def test_every_place_has_a_salt_of_its_own_in_every_hand() -> None:
    salts = {
        open_card(hand, ORDER, position).salt
        for hand in (HAND, uuid4())
        for position in range(len(DECK))
    }
    assert len(salts) == 2 * len(DECK)


def test_no_card_secret_or_salt_is_printed() -> None:
    assert repr(ORDER) == "DeckOrder(cards=…, secret=…)"
    assert "card=…, salt=…" in repr(open_card(HAND, ORDER, 1))
