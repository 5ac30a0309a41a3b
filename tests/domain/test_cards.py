"""The deck and the orders of ranks and suits that the rules lean on."""

from domain.cards import DECK, LOW_RANK, RANK, SUIT, all_known, known


def test_the_deck_is_fifty_two_different_cards() -> None:
    assert len(DECK) == len(set(DECK)) == 52


def test_the_ace_is_the_highest_card_for_high_and_the_lowest_for_low() -> None:
    assert max(RANK.values()) == RANK["Ah"] == 14
    assert min(LOW_RANK.values()) == LOW_RANK["Ah"] == 1


def test_only_the_ace_changes_its_place_between_high_and_low() -> None:
    assert {card[0] for card in DECK if RANK[card] != LOW_RANK[card]} == {"A"}


def test_suits_go_clubs_diamonds_hearts_spades() -> None:
    assert sorted(("As", "Ad", "Ah", "Ac"), key=SUIT.__getitem__) == ["Ac", "Ad", "Ah", "As"]


def test_a_hand_with_an_unknown_card_is_not_all_known() -> None:
    assert all_known(("Ah", "2c"))
    assert not all_known(("Ah", "??"))


def test_the_known_cards_keep_their_order() -> None:
    assert known(("??", "2c", "??", "Ah")) == ("2c", "Ah")
