"""What a record does not show is never a finding: cards and the dealer's seat are taken away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain import events as e
from domain.units import UNKNOWN
from domain.verdict import judge
from tests.support.hand_texts import needs_corpus
from tests.support.mutating.clean import Clean, dealt_hands, real_hands
from tests.support.played import played_hands

Facts = tuple[Any, ...]
Hides = Callable[[str], bool]

PATIENT = settings(
    deadline=None,
    derandomize=True,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def hidden(events: Facts, hides: Hides, *, dealer: bool) -> Facts:
    """The record without the cards that are hidden and, if asked, without the dealer's seat."""
    return tuple(_hidden(event, hides, dealer=dealer) for event in events)


def _hidden(event: Any, hides: Hides, *, dealer: bool) -> Any:
    match event:
        case e.HandStarted():
            return replace(event, dealer=None) if dealer else event
        case e.CardsDealt():
            return replace(event, down=_cards(event.down, hides), up=_cards(event.up, hides))
        case e.CommunityCardDealt():
            return replace(event, card=_cards((event.card,), hides)[0])
        case e.CardsShown():
            return replace(event, cards=_cards(event.cards, hides))
        case e.PotAwarded() | e.BettingOpened():
            return replace(event, reason=replace(event.reason, compared=()))
    return event


def _cards(cards: tuple[str, ...], hides: Hides) -> tuple[str, ...]:
    return tuple(UNKNOWN if hides(card) else card for card in cards)


def some(share: float, seed: str) -> Hides:
    """Hides that share of the deck, the same cards wherever they appear."""
    dice = Random(seed)
    chosen: dict[str, bool] = {}
    return lambda card: chosen.setdefault(card, dice.random() < share)


def maskings(hand: Clean) -> Iterator[Facts]:
    down = {card for x in hand.events if isinstance(x, e.CardsDealt) for card in x.down}
    for dealer in (False, True):
        yield hidden(hand.events, lambda card: False, dealer=dealer)
        yield hidden(hand.events, lambda card: True, dealer=dealer)
        yield hidden(hand.events, lambda card: card in down, dealer=dealer)
        for share in (0.1, 0.5):
            yield hidden(hand.events, some(share, hand.name), dealer=dealer)


def findings(hands: Iterator[Clean]) -> list[tuple[str, Any]]:
    return [
        (hand.name, judge(facts).findings)
        for hand in hands
        for facts in maskings(hand)
        if judge(facts).verdict not in {"clean", "clean_as_visible"}
    ]


def test_hiding_cards_or_the_dealer_makes_no_finding_in_dealt_hands() -> None:
    assert findings(dealt_hands()) == []


@needs_corpus
def test_hiding_cards_or_the_dealer_makes_no_finding_in_real_hands() -> None:
    assert findings(real_hands()) == []


@PATIENT
@given(played_hands(), st.floats(0, 1), st.booleans(), st.randoms(use_true_random=False))
def test_hiding_anything_makes_no_finding(
    events: Facts, share: float, dealer: bool, dice: Random
) -> None:
    facts = hidden(events, some(share, str(dice.random())), dealer=dealer)
    assert judge(facts).verdict in {"clean", "clean_as_visible"}


@pytest.mark.slow
@settings(PATIENT, max_examples=3000)
@given(played_hands(), st.floats(0, 1), st.booleans(), st.randoms(use_true_random=False))
def test_hiding_anything_in_very_many_hands_makes_no_finding(
    events: Facts, share: float, dealer: bool, dice: Random
) -> None:
    facts = hidden(events, some(share, str(dice.random())), dealer=dealer)
    assert judge(facts).verdict in {"clean", "clean_as_visible"}


def test_a_showdown_whose_cards_are_hidden_leaves_a_question_open() -> None:
    hand = next(hand for hand in dealt_hands() if hand.name == "D00001")
    verdict = judge(hidden(hand.events, lambda card: True, dealer=False))
    assert verdict.verdict == "clean_as_visible"
    assert verdict.open_questions


def test_a_tie_without_a_dealer_leaves_the_odd_chip_open() -> None:
    hand = next(hand for hand in dealt_hands() if hand.name == "D00001")
    verdict = judge(hidden(hand.events, lambda card: False, dealer=True))
    assert verdict.verdict == "clean_as_visible"
    assert "what decides the odd chip between these seats is not recorded" in verdict.open_questions


def test_an_open_pair_that_is_hidden_leaves_the_big_bet_open() -> None:
    hand = next(hand for hand in dealt_hands() if hand.name == "D00005")
    pair = {"9s", "9d"}
    facts = [x for x in hand.events if not isinstance(x, e.BettingOpened)]
    verdict = judge(hidden(tuple(facts), lambda card: card in pair, dealer=False))
    assert verdict.verdict == "clean_as_visible"
    assert "whether an open pair allows the big bet" in verdict.open_questions
