"""Why, in a floor person's words: openers, turns, choices, the clock, each with its rule."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from domain import events as e
from domain.verdict import judge
from services.explaining import as_text, explain
from services.readers.reading import read_file
from services.readers.record import HandRead
from services.replaying import ALL, NoSuchStep
from tests.support.bdd import Table, doors, started
from tests.support.explained import THREE, checked_down, now, said, step_of, third_street
from tests.support.hand_texts import CORPUS, STUD, needs_corpus, read
from tests.support.played import played_hands

# -- openers and turns -------------------------------------------------------------------------


def test_the_opener_of_third_street_with_every_door_card() -> None:
    assert now(third_street(), "event") == {
        "Seat 1 opens third street with the lowest door card.": (),
        "Seat 1 has the lowest door card: 2c. The bring-in is 10.": ("S3", "S4"),
        "Door cards compared: seat 1 2c; seat 3 9h; seat 2 Kd.": (),
    }


@pytest.mark.parametrize(
    ("policy", "how"),
    [
        ("left_of_dealer", "as first clockwise from the dealer"),
        ("suit", "by suit, clubs lowest"),
    ],
)
def test_a_tie_for_the_bring_in_is_told_with_what_broke_it(policy: str, how: str) -> None:
    table = Table(started(THREE, bring_in_tie=policy))
    table.deal(doors(s1="2c", s2="2d", s3="9h"))
    assert (
        f"Seat 1 has the lowest door card: 2c, tied with seat 2; it is decided {how}. "
        "The bring-in is 10." in now(table, "event")
    )


def test_the_opener_of_a_later_street_with_every_board_in_words() -> None:
    table = third_street("1 bring_in", "2 call", "3 call")
    table.deal({1: "2d", 2: "Ks", 3: "Ah"})
    told = now(table, "event")
    assert "Seat 2 has the highest exposed hand: pair of kings [Kd Ks]." in told
    assert (
        "Boards compared: seat 2 pair of kings [Kd Ks]; seat 1 pair of twos [2c 2d]; "
        "seat 3 ace high, nine kicker [9h Ah]." in told
    )


def test_a_leader_who_is_all_in_is_passed_over() -> None:
    table = third_street("1 bring_in", "2 call", "3 call", stacks={1: 2000, 2: 10, 3: 2000})
    table.deal({1: "3d", 2: "Ks", 3: "4h"})
    told = now(table, "event")
    assert told[
        "Seat 2 is all-in and cannot act: the next active player clockwise starts, seat 3."
    ] == ("B2",)


def test_the_next_player_is_named_with_whom_he_follows() -> None:
    told = now(third_street("1 bring_in"), "turn")
    assert told["Seat 2 is to act: next clockwise after seat 1 who may."] == ("B1",)


def test_a_passed_on_bring_in_and_a_bet_that_only_one_can_match() -> None:
    passed_on = third_street(stacks={1: 5, 2: 2000, 3: 2000}, ante=5)
    assert ("S5",) in now(passed_on, "turn").values()
    alone = third_street("1 bring_in", "2 complete", "3 fold", stacks={1: 2000, 2: 20, 3: 2000})
    assert ("B10",) in now(alone, "turn").values()


def test_what_comes_next_when_nobody_is_to_act() -> None:
    table = third_street("1 bring_in", "2 call", "3 call")
    assert now(table, "turn") == {
        "The betting of third street is over.": ("B5",),
        "Fourth street is next: one card face up each.": ("G5",),
    }


# -- choices and their limits -------------------------------------------------------------------


def test_the_opener_may_post_or_open_and_is_told_why_not_more() -> None:
    assert now(third_street(), "choices") == {
        "bring in 10: the forced bet": ("S4",),
        "bet to 20: the small bet of 20": ("S6",),
        "Limit: the bring-in is owed: nobody checks on third street, and the opener may not "
        "fold.": ("S4",),
    }


def test_a_choice_says_how_its_amount_comes_about() -> None:
    told = now(third_street("1 bring_in", "2 complete", "3 raise 40"), "choices")
    assert told == {
        "fold": ("B5",),
        "call 30: the price is 40, 10 is in": ("B5",),
        "raise to 60: the small bet of 20 on top of 40": ("S6",),
    }


def test_a_capped_round_leaves_call_and_fold() -> None:
    table = third_street("1 bring_in", "2 complete", "3 raise 40", "1 raise 60", "2 raise 80")
    assert now(table, "event")["That is one bet and three raises: the round is capped."] == ("B3",)
    assert [*now(table, "choices").values()] == [("B5",), ("B5",), ("B3",)]
    assert now(table, "turn")["One bet and three raises so far: no more raises are possible."] == (
        "B3",
    )


def test_an_open_pair_allows_the_big_bet_and_a_big_bet_forbids_the_small_one() -> None:
    table = third_street("1 bring_in", "2 call", "3 call")
    table.deal({1: "3d", 2: "Ks", 3: "4h"})
    assert now(table, "turn")["Seat 2 shows an open pair: bets of 20 or 40 for everybody, the "
                              "whole street."] == ("B4",)  # fmt: skip
    assert "bet to 40: the big bet of 40" in now(table, "choices")
    table.act("2 bet 40")
    assert now(table, "event")[
        "A big wager is made: every raise on this street is big from now on."
    ] == ("B4",)


def test_an_open_pair_that_allows_nothing_here_is_not_passed_over_in_silence() -> None:
    table = third_street("1 bring_in", "2 call", "3 call", open_pair_double_bet=())
    table.deal({1: "3d", 2: "Ks", 3: "4h"})
    assert now(table, "turn")[
        "Seat 2 shows an open pair; the house rules allow no big bet for it in this game."
    ] == ("B4",)


def test_a_short_all_in_raises_the_price_and_reopens_nothing() -> None:
    table = third_street("1 bring_in", "2 complete", "3 raise 26", stacks={1: 900, 2: 900, 3: 26})
    assert now(table, "event")[
        "The all-in is 6 above 20, less than half of the 20 bet: it raises only the price, and "
        "whoever has acted may only call or fold."
    ] == ("B7",)
    assert now(table, "turn")[
        "A short all-in raised the price to 26 without counting as a bet: a full wager is still "
        "measured from 20."
    ] == ("B7",)
    table.act("1 call")
    assert now(table, "choices") == {
        "fold": ("B5",),
        "call 6: the price is 26, 20 is in": ("B5",),
        "Limit: he has acted since the last wager that counted, so betting is not reopened.": (
            "B7",
        ),
    }


def test_an_all_in_of_half_a_bet_counts_as_a_full_one() -> None:
    table = third_street("1 bring_in", "2 complete", "3 raise 30", stacks={1: 900, 2: 900, 3: 30})
    assert now(table, "event")[
        "The all-in is 10 above 20, at least half of the 20 bet: it counts as a full one."
    ] == ("B7",)


# -- chips that go back, clock, community card ---------------------------------------------------


def test_a_bet_nobody_matched_goes_back_with_both_street_totals() -> None:
    table = third_street("1 bring_in", "2 complete", "3 fold", "1 fold")
    step = step_of(table, e.UncalledReturned)
    assert said(explain("h", table.log, step), "event") == {
        "10 that nobody matched goes back to seat 2.": (),
        "Seat 2 has 20 in on this street, the next is 10 by seat 1: what nobody matched is "
        "neither pot nor rake.": ("B8",),
    }


def test_a_turn_that_ran_out_is_told_with_the_rule_that_makes_it_an_all_in() -> None:
    table = third_street("1 bring_in", "2 complete", "3 call", "1 time_out")
    told = said(explain("h", table.log), "street_3")
    assert told["There was money in this pot, so the house rules make it an all-in."] == ("C2",)
    assert told["The 1990 behind stay with seat 1."] == ("C2",)


def test_a_community_card_is_told_with_the_count_of_the_deck() -> None:
    table = checked_down(Table(started(dict.fromkeys(range(1, 9), 2000))))
    step = step_of(table, e.CommunityCardDealt)
    assert said(explain("h", table.log, step), "event")[
        "4 cards are left for 8 players still in: one card face up counts for all of them."
    ] == ("G6",)


# -- form ----------------------------------------------------------------------------------------


def test_the_text_has_rule_ids_in_brackets_and_fits_the_width() -> None:
    text = as_text(explain("h", read(STUD).events), width=72)
    assert max(map(len, text.splitlines())) <= 72
    assert "- Seat 2 has the lowest door card: 2d. The bring-in is $0.50. (S3, S4)" in text


def test_the_json_form_has_the_same_sentences_and_rules() -> None:
    told = explain("h1", read(STUD).events, 9)
    form = msgspec.json.decode(msgspec.json.encode(told))
    assert [form[key] for key in ("hand", "number", "step", "steps", "view")] == [
        "h1", "7001", 9, 34, "public",
    ]  # fmt: skip
    assert [part["about"] for part in form["sections"]] == ["event", "turn", "choices"]
    assert form["sections"][2]["lines"][0] == {"text": "fold", "rules": ["B5"], "level": 0}
    assert form["findings"] == form["open_questions"] == []


def test_there_is_no_step_beyond_the_last() -> None:
    with pytest.raises(NoSuchStep):
        explain("h", read(STUD).events, 35)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(played_hands())
def test_every_hand_and_every_step_can_be_explained(events: tuple[e.HandEvent, ...]) -> None:
    for step in (None, *range(1, len(events) + 1, 7)):
        told = explain("h", events, step, ALL)
        assert told.sections
        assert told.verdict == "clean"
        assert all(line.text for part in told.sections for line in part.lines)


@needs_corpus
def test_every_real_hand_is_explained_with_its_own_verdict() -> None:
    files = sorted((CORPUS / "pokerstars").glob("*.txt")) + sorted((CORPUS / "phh").glob("*.phh"))
    told = 0
    for hand in (hand for path in files for hand in read_file(path) if isinstance(hand, HandRead)):
        whole = explain("h", hand.events)
        assert whole.verdict == judge(hand.events).verdict
        assert {"pots", "rake"} <= {part.about for part in whole.sections}
        told += 1
    assert told == 30
