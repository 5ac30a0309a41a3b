"""What the rules object to in starts, antes, cards and openings: one fact is changed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain import events as e
from domain.cards import DECK
from domain.errors import CorruptHistory
from domain.evolve import evolve, replay
from domain.verdict import judge
from tests.support.bdd import Table, started
from tests.support.records import Record, assert_only, objections

HANDS = {
    1: "Ah As Kd 9c 8h 3c 2d",
    2: "Kh Ks 2c 9d 8c 4c Th",
    3: "Qc Qs 9h Td 7s 5c 2s",
}
EIGHT = dict.fromkeys(range(1, 9), 1000)


def played(**about: object) -> Record:
    """Three players with antes of 5 call and check to the end; seat 3 folds on fifth street."""
    about = {"ante": 5} | about
    table = Table(started(dict.fromkeys(HANDS, 1000), **about), HANDS)  # type: ignore[arg-type]
    table.passively(5).street("1 bet", "2 call", "3 fold")
    return Record(table.passively())


# -- G4, S4, S6: the start -----------------------------------------------------------------------


def test_nine_players_are_too_many() -> None:
    nine = started(dict.fromkeys(range(1, 10), 1000))
    assert_only(objections([nine]), 0, "G4")


def test_a_big_bet_that_is_not_twice_the_small_one() -> None:
    stakes = e.Stakes(small_bet=20, big_bet=50, ante=0, bring_in=10, chip_unit=1)
    assert_only(objections([replace(started(), stakes=stakes)]), 0, "S6")


def test_a_bring_in_below_the_houses_floor() -> None:
    assert_only(objections([started(bring_in=9)]), 0, "S4")
    assert not objections([started(bring_in=9, bring_in_floor="none")])


# -- S1, S2: antes -------------------------------------------------------------------------------


@pytest.mark.parametrize("amount", [1, 4, 6])
def test_an_ante_of_another_amount(amount: int) -> None:
    record = played()
    n = record.find(e.AntePosted)
    finding = assert_only(record.changed(n, amount=amount), n, "S1")
    assert (finding.expected, finding.recorded) == ("5", str(amount))


def test_a_short_ante_of_less_than_he_had() -> None:
    table = Table(started({1: 1000, 2: 4}, ante=5))
    record = Record(table.passively())
    n = record.find(e.AntePosted, seat=2)
    assert_only(record.changed(n, amount=3, all_in=False), n, "S2")
    assert_only(record.changed(n, all_in=False), n, "S2")


def test_an_ante_of_just_the_stack_is_the_tables_amount() -> None:
    record = Record(Table(started({1: 1000, 2: 5}, ante=5)).passively())
    n = record.find(e.AntePosted, seat=2)
    assert_only(record.changed(n, amount=4, all_in=False), n, "S1")


def test_an_ante_is_missing() -> None:
    record = played()
    n = record.find(e.AntePosted, seat=3)
    assert_only(record.without(n), n, "S1")


def test_an_ante_too_many() -> None:
    record = played()
    n = record.find(e.CardsDealt)
    assert_only(record.before(n, record.log[record.find(e.AntePosted)]), n, "S1")
    late = record.find(e.BringInPosted)
    assert_only(record.before(late, record.log[2]), late, "S1")


# -- G5, G6: cards -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("down", "up"), [(("2h",), ("3h",)), (("2h", "3h", "4h"), ("5h",)), (("2h", "3h"), ())]
)
def test_a_wrong_number_of_cards_on_third_street(
    down: tuple[str, ...], up: tuple[str, ...]
) -> None:
    record = played()
    n = record.find(e.CardsDealt)
    assert_only(record.changed(n, down=down, up=up), n, "G5")


def test_two_cards_on_fourth_street_or_a_hidden_one() -> None:
    record = played()
    n = record.find(e.CardsDealt, street=4)
    assert_only(record.changed(n, up=("4h", "5h")), n, "G5")
    assert_only(record.changed(n, up=(), down=("4h",)), n, "G5")


def test_a_street_is_left_out() -> None:
    record = played()
    n = record.find(e.CardsDealt, street=5)
    finding = assert_only(record.changed(n, street=6), n, "G5")
    assert (finding.expected, finding.recorded) == ("street 5", "street 6")


def test_cards_come_while_somebody_is_to_act() -> None:
    record = played()
    n = record.find(e.Called)
    dealt = e.CardsDealt(seat=1, street=4, down=(), up=("4h",), positions=None)
    assert_only(record.before(n, dealt), n, "G5")


def test_a_card_to_a_folded_player() -> None:
    record = played()
    n = record.find(e.CardsDealt, street=6) + 1
    dealt = e.CardsDealt(seat=3, street=6, down=(), up=("4h",), positions=None)
    assert_only(record.before(n, dealt), n, "G5")


def test_a_second_card_to_the_same_player() -> None:
    record = played()
    n = record.find(e.CardsDealt, street=4) + 1
    dealt = e.CardsDealt(seat=1, street=4, down=(), up=("4h",), positions=None)
    assert_only(record.before(n, dealt), n, "G5")


def test_no_card_for_somebody_still_in() -> None:
    record = played()
    n = record.find(e.CardsDealt, street=4, seat=3)
    log = [event for event in record.log if not isinstance(event, e.BettingOpened)]
    log.remove(record.log[n])
    act = next(i for i, event in enumerate(log) if isinstance(event, e.Checked))
    assert_only(objections(log[: act + 1]), act, "G5")


def test_cards_after_only_one_is_left() -> None:
    table = Table(started(dict.fromkeys(HANDS, 1000), ante=5), HANDS)
    record = Record(table.street("2 bring_in", "3 fold", "1 fold"))
    n = record.find(e.PotAwarded)
    dealt = e.CardsDealt(seat=2, street=4, down=(), up=("4h",), positions=None)
    assert_only(record.before(n, dealt), n, "G5")


def test_a_community_card_though_there_are_cards_for_all() -> None:
    record = played()
    n = record.find(e.CardsDealt, street=7)
    assert_only(record.instead(n, e.CommunityCardDealt(card="4h", position=None)), n, "G6")


def test_a_down_card_where_the_community_card_is_due() -> None:
    record = Record(Table(started(EIGHT)).passively())
    n = record.find(e.CommunityCardDealt)
    dealt = e.CardsDealt(seat=1, street=7, down=(record.log[n].card,), up=(), positions=None)
    assert_only(record.instead(n, dealt), n, "G6")


@pytest.mark.parametrize("street", [4, 5])
def test_a_community_card_before_seventh_street(street: int) -> None:
    record = played()
    n = record.find(e.CardsDealt, street=street)
    assert_only(record.instead(n, e.CommunityCardDealt(card="4h", position=None)), n, "G5")


# -- S3, B1, B4: openings ------------------------------------------------------------------------


@pytest.mark.parametrize(("street", "rule"), [(3, "S3"), (4, "B1"), (7, "B1")])
def test_another_opener_than_the_cards_say(street: int, rule: str) -> None:
    record = played()
    n = record.find(e.BettingOpened, street=street)
    other = 3 if record.log[n].opener != 3 and street < 6 else 2
    finding = assert_only(record.changed(n, opener=other), n, rule)
    assert finding.expected == f"seat {record.log[n].opener}"
    assert finding.recorded == f"seat {other}"


def test_an_open_pair_that_is_none() -> None:
    record = played()
    n = record.find(e.BettingOpened, street=4)
    assert_only(record.changed(n, double_bet=True), n, "B4")


def test_a_street_opened_twice_late_early_or_under_another_name() -> None:
    record = played()
    n = record.find(e.BettingOpened, street=4)
    opened = record.log[n]
    assert_only(record.instead(n, replace(opened, street=5)), n, "B1")
    assert_only(record.before(n + 1, opened), n + 1, "B1")
    early = [*record.log[: n - 1], opened]
    assert objections(early)[0].rule == "B1"
    late = [*record.log[:n], record.log[n + 1], opened]
    assert_only(objections(late), n + 1, "B1")


def test_a_mucked_hand_before_the_showdown() -> None:
    record = played()
    n = record.find(e.Called)
    assert_only(record.before(n, e.Mucked(seat=1)), n, "P0")


# -- what cannot be applied ----------------------------------------------------------------------

IMPOSSIBLE = [
    e.CardsDealt(seat=9, street=4, down=(), up=("4h",), positions=None),
    e.CardsDealt(seat=1, street=4, down=(), up=("Kd",), positions=None),
    e.Called(seat=1, amount=1001, all_in=False),
    e.Raised(seat=2, to=5, size="small", all_in=False),
    e.UncalledReturned(seat=3, amount=500),
    e.BettingOpened(street=4, opener=9, reason=e.Reason(rule="B1", compared=()), double_bet=False),
    e.CardsShown(seat=1, cards=("Ah", "4h", "Kd")),
    e.CardsShown(seat=1, cards=("Ah", "Ah", "Kd")),
    e.HandCompleted(stacks=(e.SeatStack(seat=9, stack=5),)),
    e.AwardCorrected(moves=(e.SeatMove(seat=1, amount=5),), rake=0, reason="?", ruling=None),
    e.HandVoided(moves=(), rake=0, reason="?", ruling=None),
]


@pytest.mark.parametrize("fact", IMPOSSIBLE, ids=e.tag_of)
def test_what_cannot_be_applied_names_its_step(fact: e.HandEvent) -> None:
    record = played()
    n = record.find(e.Called)
    with pytest.raises(CorruptHistory, match=f"^step {n + 1}: "):
        judge([*record.log[:n], fact])


def test_a_history_begins_once_and_with_its_start() -> None:
    with pytest.raises(CorruptHistory, match="step 1"):
        evolve(None, e.Folded(seat=1))
    with pytest.raises(CorruptHistory, match="starts twice"):
        replay([started(), started()])
    with pytest.raises(CorruptHistory, match="without any event"):
        judge([])
    alone = replace(started(), seats=started().seats[:1])
    with pytest.raises(CorruptHistory, match="fewer than two"):
        replay([alone])
    twice = replace(started(), seats=started().seats[:1] * 2)
    with pytest.raises(CorruptHistory, match="two players in one seat"):
        replay([twice])


def test_a_second_community_card_cannot_be() -> None:
    record = Record(Table(started(EIGHT)).passively())
    n = record.find(e.CommunityCardDealt) + 1
    left = next(card for card in DECK if card not in replay(record.log).seen)
    with pytest.raises(CorruptHistory, match="second community card"):
        record.before(n, e.CommunityCardDealt(card=left, position=None))
