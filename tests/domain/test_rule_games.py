"""The rulebook's chapter on games (G1 to G8), made to run as whole hands."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain import commands as c
from domain import events as e
from domain.cards import DECK
from domain.consequences import cards_due
from domain.errors import BadTable, CardAlreadySeen, NotAllowedNow, WrongCards
from domain.rules.disc import next_dealer
from domain.units import Game
from tests.support.bdd import Table, started

EIGHT = dict.fromkeys(range(1, 9), 1000)
WHEEL_AND_ACES = "Ah Ac 2d 3s 4h 5c Kd"
KINGS_UP = "Kh Ks Qd Qs 9h 9c 2s"


def awards(table: Table) -> list[tuple[str, dict[int, int]]]:
    """Half and shares of every award, in order."""
    return [(a.half, {s.seat: s.amount for s in a.shares}) for a in table.of(e.PotAwarded)]


def heads_up(hands: dict[int, str], game: Game = "stud", **about: object) -> Table:
    """Two players who bring in, call and check to the end; 10 each in the middle."""
    stacks = dict.fromkeys(hands, 1000)
    return Table(started(stacks, game=game, **about), hands).passively()  # type: ignore[arg-type]


# -- G1, G2, G3: who takes what ------------------------------------------------------------------


def test_g1_in_stud_the_best_five_of_seven_take_the_pot() -> None:
    table = heads_up({1: WHEEL_AND_ACES, 2: KINGS_UP})
    assert awards(table) == [("whole", {1: 20})]
    (award,) = table.of(e.PotAwarded)
    assert award.reason.rule == "G1"
    assert award.reason.compared[0].words == "straight, ace to five"


def test_g2_in_stud8_high_and_low_split_the_pot() -> None:
    table = heads_up({1: "Ah 2c 3d 5s 7h Jc Kd", 2: KINGS_UP}, "stud8")
    assert awards(table) == [("high", {2: 10}), ("low", {1: 10})]


def test_g2_the_same_cards_may_serve_both_halves() -> None:
    table = heads_up({1: WHEEL_AND_ACES, 2: KINGS_UP}, "stud8")
    assert awards(table) == [("high", {1: 10}), ("low", {1: 10})]


def test_g2_a_straight_or_flush_does_not_count_against_a_low() -> None:
    flush = "Ad 2d 3d 4d 5d 9h Kc"
    table = heads_up({1: flush, 2: "Ah 2c 3h 4s 6c Qh Qs"}, "stud8")
    assert awards(table) == [("high", {1: 10}), ("low", {1: 10})]


def test_g2_lows_compare_from_the_highest_card_down() -> None:
    table = heads_up({1: "8h 7c 3d 2s Ah Kc Kd", 2: "8s 6c 5d 4s 3h Qc Jd"}, "stud8")
    assert awards(table) == [("high", {1: 10}), ("low", {2: 10})]


def test_g2_without_a_qualifying_low_the_high_hand_takes_all() -> None:
    table = heads_up({1: "Ah 2c 3d 9s Td Jc Kd", 2: KINGS_UP}, "stud8")
    assert awards(table) == [("whole", {2: 20})]
    (award,) = table.of(e.PotAwarded)
    assert award.reason.rule == "G2"


def test_g3_in_stud_hilo_every_showdown_has_a_low() -> None:
    table = heads_up({1: "8h 8c Td Ts Jh Qc Kd", 2: KINGS_UP}, "stud_hilo")
    assert awards(table) == [("high", {2: 10}), ("low", {1: 10})]
    _, low = table.of(e.PotAwarded)
    assert low.reason.rule == "G3"


def test_g3_a_low_goes_by_category_before_cards() -> None:
    no_pair = "2h 5c 7d 9s Jh Qc Kd"
    pair_of_aces = "Ah Ac Ad 2s 2c 3h 3d"
    table = heads_up({1: no_pair, 2: pair_of_aces}, "stud_hilo")
    assert awards(table)[1] == ("low", {1: 10})


def test_g3_the_ace_is_low_and_straights_do_not_count() -> None:
    table = heads_up({1: WHEEL_AND_ACES, 2: "2h 3c 4d 5h 6s Ks Kc"}, "stud_hilo")
    assert awards(table)[1] == ("low", {1: 10})


# -- G4: who and with what -----------------------------------------------------------------------


def start(stacks: dict[int, int], **about: object) -> Table:
    return Table(started(stacks, **about))  # type: ignore[arg-type]


@pytest.mark.parametrize("players", range(2, 9))
def test_g4_two_to_eight_players_may_be_dealt_in(players: int) -> None:
    table = start(dict.fromkeys(range(1, players + 1), 1000))
    assert cards_due(table.now).cards == 3 * players  # type: ignore[union-attr]


@pytest.mark.parametrize("players", [1, 9])
def test_g4_nobody_plays_alone_and_nine_are_too_many(players: int) -> None:
    with pytest.raises(BadTable) as refusal:
        start(dict.fromkeys(range(1, players + 1), 1000))
    assert refusal.value.rule == "G4"


def test_g4_a_card_is_dealt_once() -> None:
    table = start({1: 1000, 2: 1000})
    table.refused(c.Deal(cards=("As", "Ks", "As", "2c", "3c", "4c")), CardAlreadySeen, "G4")
    table.deal("As Ks Qs 2c 3c 4c")
    table.act("1 bring_in", "2 call") if table.legal().startswith("1") else table.passively(4)
    table.refused(c.Deal(cards=("As", "5c")), CardAlreadySeen, "G4")


def test_g4_a_dealt_card_is_a_known_card_of_the_deck() -> None:
    table = start({1: 1000, 2: 1000})
    table.refused(c.Deal(cards=("As", "Ks", "??", "2c", "3c", "4c")), WrongCards, "G4")
    table.refused(c.Deal(cards=("As", "Ks", "1s", "2c", "3c", "4c")), WrongCards, "G4")


def test_g4_a_table_has_as_many_seats_as_it_says() -> None:
    with pytest.raises(BadTable) as refusal:
        start({1: 1000, 9: 1000})
    assert refusal.value.rule == "G4"


def test_g4_nobody_sits_twice_and_no_seat_is_taken_twice() -> None:
    begun = started({1: 1000, 2: 1000})
    one, two = begun.seats
    for seats in ((one, replace(two, seat=1)), (one, replace(two, player=one.player))):
        with pytest.raises(BadTable) as refusal:
            Table(replace(begun, seats=seats))
        assert refusal.value.rule == "G4"


# -- G5: streets and the order of dealing --------------------------------------------------------


def test_g5_two_cards_down_and_one_up_one_at_a_time_from_the_dealers_left() -> None:
    table = start({1: 1000, 4: 1000, 6: 1000}, dealer=4)
    table.deal("2c 3c 4c 5c 6c 7c 8c 9c Tc")
    dealt = [(d.seat, d.down, d.up) for d in table.of(e.CardsDealt)]
    assert dealt == [
        (6, ("2c", "5c"), ("8c",)),
        (1, ("3c", "6c"), ("9c",)),
        (4, ("4c", "7c"), ("Tc",)),
    ]


def test_g5_one_up_on_fourth_fifth_and_sixth_and_one_down_on_seventh() -> None:
    table = start({1: 1000, 2: 1000}).passively()
    counts = [(d.street, len(d.down), len(d.up)) for d in table.of(e.CardsDealt) if d.seat == 1]
    assert counts == [(3, 2, 1), (4, 0, 1), (5, 0, 1), (6, 0, 1), (7, 1, 0)]


def test_g5_there_are_five_betting_rounds() -> None:
    table = start({1: 1000, 2: 1000}).passively()
    assert [opened.street for opened in table.of(e.BettingOpened)] == [3, 4, 5, 6, 7]


def test_g5_cards_go_to_those_still_in_only() -> None:
    table = start({1: 1000, 2: 1000, 3: 1000})
    table.deal({1: "Kh Kd 2c", 2: "Qh Qd 9c", 3: "Jh Jd Tc"})
    table.act("1 bring_in", "2 fold", "3 call")
    assert cards_due(table.now).seats == (1, 3)  # type: ignore[union-attr]


@pytest.mark.parametrize("cards", ["As", "As Ks Qs"])
def test_g5_neither_more_nor_fewer_cards_than_are_due(cards: str) -> None:
    table = start({1: 1000, 2: 1000}).passively(4)
    table.refused(c.Deal(cards=tuple(cards.split())), WrongCards, "G5")


def test_g5_no_cards_while_somebody_is_to_act() -> None:
    table = start({1: 1000, 2: 1000})
    table.deal()
    table.refused(c.Deal(cards=("2c", "3c")), NotAllowedNow, "G5")


def test_g5_nobody_acts_while_cards_are_due() -> None:
    start({1: 1000, 2: 1000}).refused("1 fold", NotAllowedNow, "G5")


def test_g5_every_card_has_its_own_place_in_the_deck() -> None:
    table = start({1: 1000, 2: 1000})
    table.refused(c.Deal(cards=DECK[:6], positions=(1, 2, 3, 4, 5, 5)), WrongCards, "G5")
    table.refused(c.Deal(cards=DECK[:6], positions=(1, 2, 3, 4, 5, 6, 6)), WrongCards, "G5")
    first, second, *_ = table.issue(c.Deal(cards=DECK[:6], positions=(1, 2, 3, 4, 5, 6)))
    assert isinstance(first, e.CardsDealt)
    assert isinstance(second, e.CardsDealt)
    assert (first.positions, second.positions) == ((1, 3, 5), (2, 4, 6))


def test_g5_a_dealt_hand_has_a_dealer() -> None:
    with pytest.raises(BadTable) as refusal:
        start({1: 1000, 2: 1000}, dealer=None)
    assert refusal.value.rule == "G5"


@pytest.mark.parametrize(
    ("disc", "occupied", "moves_to"),
    [(1, (1, 2, 3), 2), (3, (1, 2, 3), 1), (8, (2, 5), 2), (3, (2, 5), 5), (5, (5,), 5)],
)
def test_g5_the_disc_moves_one_occupied_seat_clockwise(
    disc: int, occupied: tuple[int, ...], moves_to: int
) -> None:
    assert next_dealer(disc, occupied) == moves_to


# -- G6: the community card ----------------------------------------------------------------------


def eight_to_seventh(folds_on_seventh: int = 0, *, burn_cards: bool = False) -> Table:
    """Eight dealt in and still in on sixth street; so many fold there before cards are due."""
    table = start(EIGHT, burn_cards=burn_cards).passively(6)
    table.deal()
    first = table.now.betting.opened
    assert first is not None
    table.act(f"{first.opener} bet")
    for player in table.now.clockwise(first.opener)[:-1]:
        fold = folds_on_seventh > 0
        folds_on_seventh -= fold
        table.act(f"{player.seat} {'fold' if fold else 'call'}")
    return table


def test_g6_eight_left_get_one_card_face_up_for_all() -> None:
    table = eight_to_seventh()
    due = cards_due(table.now)
    assert due is not None
    assert (due.community, due.cards) == (True, 1)
    left = next(card for card in DECK if card not in table.now.seen)
    table.issue(c.Deal(cards=(left,)))
    assert table.of(e.CommunityCardDealt) == [e.CommunityCardDealt(card=left, position=None)]
    assert [d for d in table.of(e.CardsDealt) if d.street == 7] == []


@pytest.mark.parametrize(
    ("still_in", "burn_cards", "community"),
    [(8, False, True), (5, False, True), (4, False, False), (8, True, True), (2, True, True)],
)
def test_g6_it_is_dealt_when_fewer_cards_are_left_than_players(
    still_in: int, burn_cards: bool, community: bool
) -> None:
    # 24 + 8 + 8 + 8 = 48 cards are out, four left; with burns before three streets one is left.
    due = cards_due(eight_to_seventh(8 - still_in, burn_cards=burn_cards).now)
    assert due is not None
    assert due.community is community


def seven_of_eight_then(still_in: int) -> Table:
    """With burns: one of eight folds on fifth street, and on sixth all but `still_in`."""
    table = start(EIGHT, burn_cards=True).passively(5)
    table.deal()
    out = 1
    for street in (5, 6):
        opener = table.now.betting.opened.opener  # type: ignore[union-attr]
        table.act(f"{opener} bet")
        for player in [p for p in table.now.clockwise(opener)[:-1] if p.still_in]:
            fold = out > 0
            out -= fold
            table.act(f"{player.seat} {'fold' if fold else 'call'}")
        if street == 5:
            table.deal()
            out = 7 - still_in
    return table


@pytest.mark.parametrize(("still_in", "community"), [(3, True), (2, False)])
def test_g6_a_burn_that_alone_stands_in_the_way_is_left_out(still_in: int, community: bool) -> None:
    # 24 + 8 + 8 + 7 = 47 dealt and three burnt leave two: enough for two without a fourth burn.
    due = cards_due(seven_of_eight_then(still_in).now)
    assert due is not None
    assert due.community is community


def test_g6_down_cards_are_refused_where_the_community_card_is_due() -> None:
    table = eight_to_seventh()
    left = tuple(card for card in DECK if card not in table.now.seen)
    assert len(left) == 4
    table.refused(c.Deal(cards=left), WrongCards, "G6")


def test_g6_a_hand_is_the_best_five_of_six_own_cards_and_the_community_card() -> None:
    unused, used = "As Ad Ac 9s 9d 4c", "Ah Kh Qh Jh 2c 3d"
    table = Table(started(EIGHT), {1: used, 2: unused, 10: "Th"})
    table.passively(7).issue(c.Deal(cards=("Th",)))
    table.passively()
    (award,) = table.of(e.PotAwarded)
    played = {compared.seat: set(compared.cards) for compared in award.reason.compared}
    assert played[1] == {"Ah", "Kh", "Qh", "Jh", "Th"}
    assert played[2] == {"As", "Ad", "Ac", "9s", "9d"}
    assert award.shares == (e.Share(seat=1, amount=80, odd=0),)


# -- G7, G8: ranking -----------------------------------------------------------------------------


def test_g7_suits_never_decide_a_pot() -> None:
    spades, hearts = "As Ks Qs Js 9s 2c 3d", "Ah Kh Qh Jh 9h 2d 3c"
    assert awards(heads_up({1: hearts, 2: spades})) == [("whole", {1: 10, 2: 10})]


def test_g7_sixth_and_seventh_cards_never_matter() -> None:
    higher, lower = "As Ac Kd Qs Jh 9c 8d", "Ah Ad Ks Qc Jd 3c 2d"
    assert awards(heads_up({1: higher, 2: lower})) == [("whole", {1: 10, 2: 10})]


def test_g7_the_kickers_inside_the_five_do() -> None:
    better, worse = "As Ac Kd Qs Jh 3c 2d", "Ah Ad Ks Qc Td 9c 8d"
    assert awards(heads_up({1: worse, 2: better})) == [("whole", {2: 20})]


def test_g8_the_ace_is_high_and_low_only_in_the_wheel() -> None:
    wheel, six_high = "Ah 2c 3d 4s 5h Kc Kd", "2h 3c 4d 5s 6h Qc 9d"
    assert awards(heads_up({1: wheel, 2: six_high})) == [("whole", {2: 20})]
    broadway, around = "Ah Kc Qd Js Th 3c 3d", "Ac Kd Qs 2s 3h 4c 4d"
    assert awards(heads_up({1: around, 2: broadway})) == [("whole", {2: 20})]


def test_g8_for_the_bring_in_the_ace_is_high() -> None:
    table = start({1: 1000, 2: 1000})
    table.deal({1: "2h 3h Ac", 2: "4h 5h Kc"})
    assert table.legal().startswith("2: bring_in")
