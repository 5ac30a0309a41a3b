"""Why the chips went where they went: pots, odd chips, rake, verdict, each with its rule."""

from __future__ import annotations

import msgspec

from domain import commands as c
from domain import events as e
from domain.events import SeatMove
from services.explaining import explain
from tests.support.bdd import DOLLARS, Table, doors, started
from tests.support.explained import THREE, checked_down, said, step_of, third_street
from tests.support.hand_texts import STUD, read
from tests.support.told_hands import side_pot_hand

# -- payouts -------------------------------------------------------------------------------------

TIED_LOWS = {
    1: ["Ah", "2d", "4h", "6s", "7h", "Qs", "Jd"],
    3: ["Ac", "2h", "4s", "6d", "7c", "7d", "Ks"],
    2: ["Kh", "Jc", "2c"],
}  # fmt: skip


def test_an_odd_chip_is_told_with_the_cards_and_places_compared() -> None:
    table = Table(started(THREE, game="stud8", ante=3))
    checked_down(table, TIED_LOWS, "2 bring_in", "3 complete", "1 call", "2 fold")
    told = said(explain("h", table.log), "pots")
    assert told["High half 30, low half 29; 1 does not divide and stays with the high half."] == (
        "P4",
    )
    assert told["seat 1: 7-6-4-2-A low [7h 6s 4h 2d Ah]"] == ()
    assert told["Main pot, low half, 29: seat 1 and seat 3 tie and share it."] == ("G2",)
    assert told["Tied: 29 in 2 parts is 14 each, and 1 does not divide."] == ("P7",)
    assert told[
        "The odd chip goes by the lowest of all own cards: seat 1 ace of hearts; seat 3 ace of "
        "clubs."
    ] == ("P6",)
    assert told[
        "Cards of one rank are equal here, whatever their suits, so the place decides: seat 1 "
        "first clockwise from the dealer; seat 3 third clockwise from the dealer."
    ] == ("P6",)
    assert told["The odd chip goes to seat 1 first."] == ("P6",)
    assert told["Paid: seat 1 15 and seat 3 14."] == ()


def test_the_step_of_an_award_tells_that_award_alone() -> None:
    table = Table(started(THREE, game="stud8", ante=3))
    checked_down(table, TIED_LOWS, "2 bring_in", "3 complete", "1 call", "2 fold")
    told = said(explain("h", table.log, step_of(table, e.PotAwarded)), "event")
    assert told["Main pot, high half, 30: seat 3 takes it."] == ("G1",)
    assert not any("low" in text for text in told)


def test_main_and_side_pot_are_told_by_layer_payer_and_claimant_with_their_rake() -> None:
    told = said(explain("h", side_pot_hand()), "pots")
    assert told["Main pot of $33.10: what was put in up to $10.03 each."] == ("P1",)
    assert told["Paid in by seat 1 $10.03, seat 2 $10.03 (all-in), seat 3 $10.03, seat 4 $3.01 "
                "(folded)."] == ()  # fmt: skip
    assert told["May be won by seat 1, seat 2 and seat 3."] == ("P1",)
    assert told["$1.50 rake comes out of it: $31.60 is paid out."] == ("P3", "R5")
    assert told["Side pot 1 of $20.14: what was put in from $10.03 up to $20.10 each."] == ("P1",)


def test_the_rake_is_told_with_schedule_row_step_pots_and_who_bears_it() -> None:
    stacks = {1: 1700, 2: 20000, 3: 20000}
    table = Table(started(stacks, small=500, bring_in=250, ante=50, money=DOLLARS))
    checked_down(table, {1: ["2c", "3c", "4d"]}, "1 bring_in", "2 complete", "3 raise 1000")
    told = said(explain("h", table.log), "rake")
    assert [*told.values()] == [("R1",), ("R2",), ("R6",)]
    assert (
        "Schedule topspoker, version 1: row $2/$4 to $10/$20, 2-3 players; pot of $20.00 or "
        "more: $1.00." in told
    )


def test_where_no_rake_is_due_the_rule_says_why() -> None:
    play = third_street("1 bring_in", "2 fold", "3 fold")
    assert said(explain("h", play.log), "rake") == {"No rake: this is play money.": ("R1",)}
    ended = Table(started(dict.fromkeys((1, 2), 20000), small=500, bring_in=250, money=DOLLARS))
    ended.deal(doors(s1="2c", s2="Kd"))
    ended.act("1 bring_in", "2 complete", "1 fold")
    assert said(explain("h", ended.log), "rake")[
        "Fourth street was never dealt, so no rake is due."
    ] == ("R4",)


def test_the_last_player_takes_the_pot_showing_nothing() -> None:
    table = third_street("1 bring_in", "2 fold", "3 fold", ante=5)
    told = said(explain("h", table.log), "pots")
    assert told["Main pot, 15: seat 1 is the only one still in and takes it, showing nothing."] == (
        "B9",
    )


def test_a_void_and_a_correction_are_told_with_every_chip_moved() -> None:
    table = third_street("1 bring_in", "2 fold", "3 fold", ante=5)
    moves = (SeatMove(seat=1, amount=-5), SeatMove(seat=2, amount=5))
    table.issue(c.Correct(moves=moves, rake=0, reason="misread"))
    told = said(explain("h", table.log), "corrections")
    assert told == {
        f"Step {len(table.log)}: The payout is corrected, seat 1 -5, seat 2 +5: misread.": ("P9",)
    }
    table.issue(c.Void(reason="misdeal"))
    void = explain("h", table.log)
    assert [part.about for part in void.sections][-2:] == ["void", "verdict"]


# -- records -------------------------------------------------------------------------------------


def test_a_record_that_pays_the_wrong_player_is_set_against_the_rules() -> None:
    wrong = read(STUD, ("anna collected", "cleo collected"))
    told = explain("h", wrong.events, names={"anna": "anna", "cleo": "cleo"})
    assert "By the rules: anna (seat 1) $12.20. The record pays cleo (seat 4) $12.20." in said(
        told, "pots"
    )
    assert told.verdict == "findings"
    [finding] = told.findings
    assert said(told, "verdict")[f"Step {finding.step}: {finding.text}"] == (finding.rule,)
    assert explain("h", wrong.events, finding.step).findings == (finding,)
    assert explain("h", wrong.events, finding.step - 1).findings == ()


def test_a_clean_hand_says_what_was_checked() -> None:
    told = explain("h", read(STUD).events)
    assert told.verdict == "clean"
    assert "Clean: all 34 steps were checked and agree with the rules (rules version 1)." in said(
        told, "verdict"
    )


def test_what_the_record_leaves_open_is_named() -> None:
    events = tuple(
        msgspec.structs.replace(event, up=("??",))
        if isinstance(event, e.CardsDealt) and (event.seat, event.street) == (2, 3)
        else event
        for event in read(STUD).events
    )
    told = explain("h", events)
    assert told.verdict == "clean_as_visible"
    assert "Left open by the record: who opens street 3." in said(told, "verdict")
    assert any("leaves open who has the lowest door card" in x for x in said(told, "street_3"))
