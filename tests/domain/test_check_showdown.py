"""What the rules object to in showing, comparing, calling chips odd and saying nothing of rake."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain import events as e
from tests.support.bdd import DOLLARS, Table, started
from tests.support.records import Record, assert_only, objections

HANDS = {1: "2c 6c 4d Ah 7h 9c Td", 2: "Kh Ks 2d 9d 8c 4c Kd", 3: "Qc Js 9h Tc 7s 5c 2s"}


def table() -> Table:
    """Stud 8 for dollars."""
    start = started(
        dict.fromkeys(HANDS, 100_00), game="stud8", small=200, ante=25, bring_in=100, money=DOLLARS
    )
    return Table(start, HANDS)


def played() -> Record:
    """All three see the showdown, two of them win a half each."""
    return Record(table().passively())


# -- P0: showing and giving up -------------------------------------------------------------------


def test_p0_a_hand_is_shown_while_somebody_is_to_act() -> None:
    record = played()
    n = record.find(e.Checked)
    early = record.log[record.find(e.CardsShown, seat=3)]
    cards = tuple(card for card in early.cards if card in {"Qc", "Js", "9h", "Tc"})
    found = assert_only(record.before(n, replace(early, cards=cards)), n, "P0")
    assert found.expected.endswith("to act")


def test_p0_a_hand_is_given_up_twice() -> None:
    record = played()
    n = record.find(e.CardsShown, seat=3)
    muck = e.Mucked(seat=3)
    assert_only(record.instead(n, muck, muck), n + 1, "P0")


# -- S3, B1, G1 to G3: what was compared ---------------------------------------------------------


@pytest.mark.parametrize(("street", "rule"), [(3, "S3"), (4, "B1")])
def test_an_opening_compares_cards_the_seat_does_not_show(street: int, rule: str) -> None:
    record = played()
    n = record.find(e.BettingOpened, street=street)
    found = assert_only(record.changed(n, reason=_other_cards(record.log[n].reason)), n, rule)
    assert "3c" in found.recorded


@pytest.mark.parametrize(("nth", "rule"), [(0, "G1"), (1, "G2")])
def test_an_award_compares_cards_the_seat_does_not_hold(nth: int, rule: str) -> None:
    record = played()
    n = record.find(e.PotAwarded, nth)
    found = assert_only(record.changed(n, reason=_other_cards(record.log[n].reason)), n, rule)
    assert "3c" in found.recorded


def _other_cards(reason: e.Reason) -> e.Reason:
    """The same words about a card nobody has."""
    first, *others = reason.compared
    return replace(reason, compared=(replace(first, cards=("3c", *first.cards[1:])), *others))


# -- P5, P6: odd chips ---------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "rule"), [("stud", "P5"), ("stud8", "P6")])
def test_p5_p6_chips_that_divide_are_called_odd(game: str, rule: str) -> None:
    start = started(dict.fromkeys(HANDS, 1000), game=game)  # type: ignore[arg-type]
    record = Record(Table(start, HANDS).passively())
    n = record.find(e.PotAwarded)
    share = record.log[n].shares[0]
    assert_only(record.changed(n, shares=(replace(share, odd=1),)), n, rule)


# -- R1, P3: no word about rake, or too late -----------------------------------------------------


def test_r1_a_real_hand_has_no_word_about_rake() -> None:
    record = Record(table().passively(4).street("1 bet", "2 fold", "3 fold"))
    n = record.find(e.RakeTaken)
    assert record.log[n].total == 0
    without = [*record.log[:n], *record.log[n + 1 :]]
    assert {finding.rule for finding in objections(without)} == {"R1"}


def test_p3_rake_is_taken_after_a_pot_was_paid_out() -> None:
    record = played()
    n = record.find(e.RakeTaken)
    rake, award = record.log[n], record.log[n + 1]
    assert "P3" in {finding.rule for finding in objections([*record.log[:n], award, rake])}
