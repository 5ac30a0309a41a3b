"""Reading stored bytes: what is wrong is refused, and what it was is not repeated."""

from __future__ import annotations

import msgspec
import pytest

from domain.cards import DECK
from domain.events import CardsShown, CommunityCardDealt, decode, encode
from domain.units import UNKNOWN


@pytest.mark.parametrize("card", [*DECK, UNKNOWN])
def test_every_card_of_the_deck_and_the_unknown_one_can_be_read(card: str) -> None:
    shown = CardsShown(seat=1, cards=(card,))
    assert decode(encode(shown)) == shown


@pytest.mark.parametrize("card", ["ah", "10h", "Ahh", "A", "", "?", "1c"])
def test_what_is_no_card_is_refused_and_not_repeated(card: str) -> None:
    state = encode(CommunityCardDealt(card=card, position=None))
    with pytest.raises(msgspec.ValidationError) as refused:
        decode(state)
    assert str(refused.value) == "Invalid enum value - at `$.card`"
