"""What the rules object to in a player's act: one fact of a clean hand is changed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from domain import events as e
from domain.house_rules import POKERSTARS
from domain.verdict import judge
from tests.support.bdd import DOLLARS, Table, doors, started
from tests.support.records import Record, assert_only
from tests.support.told import timed_out

HANDS = {
    1: "Ah As Kd 9c 8h 3c 2d",
    2: "Kh Ks 2c 9d 8c 4c Th",
    3: "Qc Qs 9h Td 7s 5c 2s",
}
NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


def played(**about: object) -> Record:
    """$2/$4, ante .25: raises on third, checks and a bet on fourth, seat 3 folds on fifth."""
    about = {"small": 200, "ante": 25, "bring_in": 100, "money": DOLLARS} | about
    table = Table(started(dict.fromkeys(HANDS, 100_00), **about), HANDS)  # type: ignore[arg-type]
    table.street("2 bring_in", "3 call", "1 complete", "2 call", "3 call")
    table.street("1 check", "2 bet", "3 raise", "1 call", "2 call")
    table.street("1 bet", "2 call", "3 fold")
    return Record(table.street("1 check", "2 check").street("1 bet", "2 call"))


def short(**about: object) -> Record:
    """20/40: seat 3 is all-in for 28 on fourth street over a bet of 20."""
    stacks = {1: 1000, 2: 1000, 3: 38}
    table = Table(started(stacks, **about), HANDS)  # type: ignore[arg-type]
    table.passively(4).street("1 bet", "2 call", "3 raise 28", "1 call", "2 call")
    return Record(table.passively())


# -- whose turn ----------------------------------------------------------------------------------


def test_somebody_else_than_the_lowest_door_card_brings_it_in() -> None:
    record = played()
    n = record.find(e.BringInPosted)
    finding = assert_only(record.changed(n, seat=3), n, "S3")
    assert finding.expected == "seat 2 to act"
    assert finding.recorded == "seat 3 brings in for $1.00"


def test_somebody_else_than_the_highest_board_opens() -> None:
    record = played()
    n = record.find(e.Checked)
    finding = assert_only(record.changed(n, seat=3), n, "B1")
    assert finding.expected == "seat 1 to act"


def test_somebody_acts_out_of_turn() -> None:
    record = played()
    n = record.find(e.Called, seat=3)
    assert_only(record.changed(n, seat=1), n, "B1")


def test_a_folded_player_acts() -> None:
    record = played()
    n = record.find(e.Checked, nth=1)
    assert_only(record.changed(n, seat=3), n, "B2")


def test_an_all_in_player_checks() -> None:
    record = short()
    n = record.find(e.Checked)
    assert_only(record.changed(n, seat=3), n, "B1")


def test_a_duty_that_passed_is_posted_by_the_wrong_seat() -> None:
    stacks = {1: 1000, 2: 5, 3: 1000}
    table = Table(started(stacks, ante=5), HANDS)
    record = Record(table.street("3 bring_in", "1 call").passively())
    n = record.find(e.BringInPosted)
    assert_only(record.changed(n, seat=1), n, "S5")


def test_somebody_acts_when_the_street_is_over() -> None:
    record = played()
    n = record.find(e.CardsDealt, street=5)
    assert_only(record.before(n, e.Checked(seat=1)), n, "B5")


def test_somebody_acts_before_the_cards() -> None:
    record = played()
    n = record.find(e.CardsDealt)
    (finding,) = [f for f in record.before(n, e.Folded(seat=1)) if f.rule == "G5"]
    assert finding.step == n + 1


def test_a_lone_player_is_asked_though_he_owes_nothing() -> None:
    table = Table(started({1: 1000, 2: 30, 3: 30}), HANDS).passively(4)
    record = Record(table.street("1 bet", "2 call", "3 call").passively())
    n = record.find(e.CardsDealt, street=6)
    assert_only(record.before(n, e.Checked(seat=1)), n, "B10")


# -- what may be done ----------------------------------------------------------------------------


def test_the_opener_checks() -> None:
    record = played()
    n = record.find(e.BringInPosted)
    assert_only(record.instead(n, e.Checked(seat=2)), n, "S4")
    assert_only(record.instead(n, e.Folded(seat=2)), n, "S4")


def test_a_bring_in_of_another_amount() -> None:
    record = played()
    n = record.find(e.BringInPosted)
    finding = assert_only(record.changed(n, amount=50), n, "S4")
    assert "bring in $1.00" in finding.expected


def test_a_second_bring_in() -> None:
    record = played()
    n = record.find(e.Called)
    bring_in = e.BringInPosted(seat=3, amount=100, all_in=False)
    assert_only(record.instead(n, bring_in), n, "S4")


def test_a_check_by_somebody_who_owes() -> None:
    record = played()
    n = record.find(e.Called)
    finding = assert_only(record.instead(n, e.Checked(seat=3)), n, "B5")
    assert finding.expected == "fold, call $1.00 or complete to $2.00"


def test_a_call_by_somebody_who_owes_nothing() -> None:
    record = played()
    n = record.find(e.Checked)
    assert_only(record.instead(n, e.Called(seat=1, amount=0, all_in=False)), n, "B5")


@pytest.mark.parametrize("amount", [50, 199, 250])
def test_a_call_of_another_amount_than_is_owed(amount: int) -> None:
    record = played()
    n = record.find(e.Called, amount=200)
    finding = assert_only(record.changed(n, amount=amount), n, "B5")
    assert finding.expected.startswith("call $2.00") or "$1.00" in finding.expected


@pytest.mark.parametrize("to", [300, 450, 600])
def test_a_raise_to_an_illegal_amount(to: int) -> None:
    record = played()
    n = record.find(e.Raised)
    finding = assert_only(record.changed(n, to=to), n, "B4" if to == 600 else "S6")
    assert finding.expected == "raise to $4.00"


def test_a_raise_over_the_cap() -> None:
    table = Table(started(dict.fromkeys(HANDS, 1000)), HANDS).passively(4)
    table.street("1 bet", "2 raise", "3 raise", "1 raise", "2 call", "3 call")
    record = Record(table.passively())
    n = record.find(e.Called, nth=-2)
    raised = e.Raised(seat=2, to=100, size="small", all_in=False)
    assert_only(record.instead(n, raised), n, "B3")


def test_a_double_bet_without_an_open_pair() -> None:
    record = played()
    n = record.find(e.BetPlaced)
    finding = assert_only(record.changed(n, to=400, size="big"), n, "B4")
    assert finding.expected == "bet to $2.00"


def test_with_an_open_pair_an_amount_between_the_bets() -> None:
    hands = HANDS | {1: "Ah As 9s 9c 8h 3c 2d"}
    table = Table(started(dict.fromkeys(hands, 1000)), hands).passively(4)
    record = Record(table.street("1 bet 40", "2 call", "3 call").passively())
    n = record.find(e.BetPlaced)
    assert_only(record.changed(n, to=30, size="big"), n, "B4")


def test_a_raise_that_a_short_all_in_did_not_reopen() -> None:
    record = short()
    n = record.find(e.Raised) + 1
    raised = e.Raised(seat=1, to=40, size="small", all_in=False)
    assert_only(record.instead(n, raised), n, "B7")


def test_a_raise_when_nobody_else_can_act() -> None:
    table = Table(started({1: 1000, 2: 30}), {1: HANDS[1], 2: HANDS[2]}).passively(4)
    record = Record(table.street("1 check", "2 bet", "1 call").passively())
    n = record.find(e.Called, nth=-1)
    raised = e.Raised(seat=1, to=40, size="small", all_in=False)
    assert_only(record.instead(n, raised), n, "B10")


def test_a_raise_by_somebody_who_has_no_more_than_the_call() -> None:
    table = Table(started({1: 1000, 2: 1000, 3: 25}), HANDS).passively(4)
    record = Record(table.street("1 bet", "2 call", "3 call").passively())
    n = record.find(e.Called, amount=15)
    raised = e.Raised(seat=3, to=15, size="small", all_in=True)
    assert_only(record.instead(n, raised), n, "B5")


@pytest.mark.parametrize("kind", [e.BetPlaced, e.Completed])
def test_what_a_wager_is_called_is_the_sites_business(
    kind: type[e.BetPlaced | e.Completed],
) -> None:
    record = played()
    n = record.find(e.Raised)
    assert not record.instead(n, kind(seat=3, to=400, size="small", all_in=False))


# -- what is said of it --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [e.BringInPosted, e.Called, e.BetPlaced, e.Raised])
def test_somebody_is_called_all_in_who_has_chips(kind: type[e.Event]) -> None:
    record = played()
    n = record.find(kind)
    assert_only(record.changed(n, all_in=True), n, "B5")


def test_somebody_is_all_in_and_it_is_not_said() -> None:
    record = short()
    n = record.find(e.Raised)
    assert_only(record.changed(n, all_in=False), n, "B5")


def test_a_wager_of_the_wrong_size() -> None:
    record = played()
    n = record.find(e.Raised)
    assert_only(record.changed(n, size="big"), n, "S6")
    hands = HANDS | {1: "Ah As 9s 9c 8h 3c 2d"}
    table = Table(started(dict.fromkeys(hands, 1000)), hands).passively(4)
    record = Record(table.street("1 bet 40", "2 call", "3 call").passively())
    n = record.find(e.BetPlaced)
    assert_only(record.changed(n, size="small"), n, "B4")


# -- time-outs -----------------------------------------------------------------------------------


def timed(policy: str = "all_in") -> Record:
    """Seat 3's turn on third street runs out; he has anted."""
    start = started(dict.fromkeys(HANDS, 1000), ante=5, timeout_outcome=policy)  # type: ignore[arg-type]
    table = Table(start, HANDS)
    return Record(table.street("2 bring_in", "3 time_out", "1 call").passively())


@pytest.mark.parametrize(("policy", "rule"), [("all_in", "C2"), ("check_or_fold", "C4")])
def test_a_time_out_with_another_outcome_than_the_rooms(policy: str, rule: str) -> None:
    record = timed(policy)
    n = record.find(e.TimedOut)
    other = "fold" if policy == "all_in" else "all_in"
    assert_only(record.changed(n, outcome=other), n, rule)


def test_a_time_out_that_was_to_fold_and_did_something_else() -> None:
    record = timed("check_or_fold")
    n = record.find(e.Folded)
    assert_only(record.instead(n, e.Called(seat=3, amount=10, all_in=False)), n, "C4")
    assert_only(record.instead(n, e.Folded(seat=1)), n, "C4")
    assert_only(record.instead(n, timed_out(3, "fold")), n, "C4")


def test_a_time_out_of_somebody_else() -> None:
    record = timed()
    n = record.find(e.TimedOut)
    assert_only(record.changed(n, seat=1), n, "B1")


@pytest.mark.parametrize(
    ("given", "lost", "at", "clean"),
    [
        (30, None, 30.1, True),
        (29, None, 30.1, False),
        (30, None, 30, False),
        (30, 10, 30.1, False),
        (50, 10, 50.1, True),
        (30, 31, 32, True),
    ],
)
def test_a_time_out_before_its_time(given: int, lost: int | None, at: float, clean: bool) -> None:
    record = timed()
    n = record.find(e.TimedOut)
    findings = record.changed(
        n,
        turn_started_at=NOON,
        deadline=NOON + timedelta(seconds=given),
        disconnected_at=None if lost is None else NOON + timedelta(seconds=lost),
        at=NOON + timedelta(seconds=at),
    )
    if clean:
        assert not findings
    else:
        assert_only(findings, n, "C1")


# -- what the record leaves open -----------------------------------------------------------------


def test_nothing_a_site_may_choose_is_a_finding() -> None:
    hands = {1: "Ah As 2d 9c 8h 3c 2h", 2: "Kh Ks 2c 9d 8c 4c Th"}
    start = started(dict.fromkeys(hands, 1000), bring_in=3, house=POKERSTARS, dealer=1)
    table = Table(start, hands)
    assert judge(table.passively().log).verdict == "clean"
    assert table.of(e.BringInPosted)[0].seat == 2, "clubs before diamonds"


def test_where_door_cards_are_unseen_anybody_may_open() -> None:
    record = played(money=e.Money("play", "chips", 0))
    unseen = [
        replace(event, up=("??",))
        if isinstance(event, e.CardsDealt) and event.street == 3 and event.seat == 3
        else event
        for event in record.log
        if not isinstance(event, e.BettingOpened)
    ]
    n = next(n for n, event in enumerate(unseen) if isinstance(event, e.BringInPosted))
    verdict = judge(unseen[: n + 1])
    assert verdict.verdict == "clean_as_visible"
    assert verdict.open_questions == ("who opens street 3",)


def test_an_unknown_dealer_leaves_a_tie_open() -> None:
    table = Table(started({1: 1000, 2: 1000}))
    table.deal(doors(s1="2d", s2="2c"))
    start, *dealt = [event for event in table.log if not isinstance(event, e.BettingOpened)]
    assert isinstance(start, e.HandStarted)
    no_dealer = replace(start, dealer=None)
    for seat in (1, 2):
        posted = e.BringInPosted(seat=seat, amount=10, all_in=False)
        assert judge([no_dealer, *dealt, posted]).verdict == "clean_as_visible"
