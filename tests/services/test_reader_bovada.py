"""Bovada and Bodog text, one trap at a time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from domain import events as e
from domain.house_rules import BOVADA as HOUSE
from domain.verdict import judge
from services.readers.record import Skipped
from tests.support.hand_texts import (
    changed,
    dealt,
    in_chips,
    kinds,
    outcomes,
    read,
    rejected,
    started,
    state,
    won,
)
from tests.support.site_texts import BOVADA

HEADER = BOVADA.splitlines()[0]
WITHOUT_SECTIONS = "".join(
    line
    for line in BOVADA.splitlines(keepends=True)
    if not line.startswith("***") or "SUMMARY" in line
).replace(
    "Seat+1 : Card dealt to a spot [Ah", "*** HOLE CARDS ***\nSeat+1 : Card dealt to a spot [Ah"
)


def with_header(*changes: tuple[str, str]) -> str:
    return changed(BOVADA, (HEADER, changed(HEADER, *changes)))


def test_the_base_hand_is_clean_and_every_card_is_known() -> None:
    hand = read(BOVADA)
    assert judge(hand.events).verdict == "clean"
    assert state(hand).pot == 0
    assert dealt(hand, 1) == ["Ah", "Kd", "9c", "8h", "9d", "Tc", "5s"]
    assert dealt(hand, 5) == ["Jh", "Jd", "Qs"]


def test_the_start_says_what_the_header_and_the_seat_list_say() -> None:
    start = started(read(BOVADA))
    assert (start.game, start.site, start.number) == ("stud8", "Bovada", "9001")
    assert start.money == e.Money(kind="real", currency="USD", exponent=2)
    assert start.table == e.TableRef(id="55", name="55", max_seats=8)
    assert (start.dealer, start.house_rules) == (None, HOUSE)
    assert [(s.seat, s.player) for s in start.seats] == [
        (1, "Seat+1"),
        (3, "Seat+3"),
        (5, "Seat+5"),
    ]


def test_a_time_without_a_zone_is_read_as_utc() -> None:
    assert started(read(BOVADA)).played_at == datetime(2013, 5, 6, 7, 8, 9, tzinfo=UTC)


@pytest.mark.parametrize("site", ["Bodog Hand", "Bodog.eu Hand", "Bodog UK Hand", "Ignition Hand"])
def test_its_sister_sites_are_the_same_site(site: str) -> None:
    assert started(read(with_header(("Bovada Hand", site)))).site == "Bovada"


@pytest.mark.parametrize(
    ("what", "game"),
    [("7CARD", "stud"), ("7CARD HiLo", "stud8"), ("7CARD_HL", "stud8")],
)
def test_the_game_is_read_in_its_spellings(what: str, game: str) -> None:
    [hand] = outcomes(with_header(("7CARD HiLo", what)))
    assert not isinstance(hand, Skipped)
    assert started(hand).game == game  # type: ignore[arg-type]


def test_other_games_are_skipped_and_no_limit_stud_is_refused() -> None:
    [skipped] = outcomes(with_header(("7CARD HiLo Fixed Limit", "HOLDEM No Limit")))
    assert isinstance(skipped, Skipped)
    assert "limit stud" in rejected(with_header(("Fixed Limit", "No Limit"))).reason


# -- what the header does not say ------------------------------------------------------------------


def test_the_stakes_are_what_was_bet() -> None:
    assert started(read(BOVADA)).stakes == e.Stakes(
        small_bet=100, big_bet=200, ante=10, bring_in=50, chip_unit=1
    )


def test_where_nobody_bets_the_small_bet_is_twice_the_bring_in() -> None:
    folded = BOVADA[: BOVADA.index("Seat+1 : Raises")] + (
        "Seat+1 : Folds\n"
        "Seat+3 [ME] : Return uncalled portion of bet $0.50\n"
        "Seat+3 [ME] : Does not show [4h 6s 2d] (High Card)\n"
        "Seat+3 [ME] : Hand result $0.30\n"
        "*** SUMMARY ***\n"
        "Total Pot($0.30) | Rake ($0)\n"
    )
    hand = read(folded)
    assert (started(hand).stakes.small_bet, started(hand).stakes.big_bet) == (100, 200)
    assert kinds(hand, e.UncalledReturned) == [e.UncalledReturned(seat=3, amount=50)]
    assert won(hand) == {3: 30}
    assert judge(hand.events).findings == ()


def test_one_wrong_bet_does_not_make_the_stakes() -> None:
    text = changed(BOVADA, ("Seat+3 [ME] : Raises $4 to $4", "Seat+3 [ME] : Raises $5 to $5"))
    text = changed(
        text,
        ("Seat+1 : Calls $2\n*** 6TH", "Seat+1 : Calls $3\n*** 6TH"),
        ("Hand result $15.60", "Hand result $17.60"),
        ("Total Pot($16.30)", "Total Pot($18.30)"),
    )
    hand = read(text)
    assert started(hand).stakes.big_bet == 200
    assert [found.rule for found in judge(hand.events).findings]


@pytest.mark.parametrize("word", ["D bets", "Double bets"])
def test_a_double_bet_is_a_big_one_on_fourth_street(word: str) -> None:
    text = changed(
        with_header(("7CARD HiLo", "7CARD")),
        ("Card dealt to a spot [3c]", "Card dealt to a spot [2c]"),
        ("Seat+1 : Bets $1\nSeat+3 [ME] : Calls $1", f"Seat+3 [ME] : {word} $2\nSeat+1 : Calls $2"),
    ).replace("6s 2d 3c", "6s 2d 2c")
    text = text.replace("$15.60", "$17.60").replace("$16.30", "$18.30")
    hand = read(text)
    [bet] = [bet for bet in kinds(hand, e.BetPlaced) if bet.size == "big" and bet.seat == 3][:1]
    assert bet.to == 200
    assert (started(hand).stakes.small_bet, started(hand).stakes.big_bet) == (100, 200)


def test_streets_are_told_by_the_cards_where_no_section_tells_them() -> None:
    assert read(WITHOUT_SECTIONS).events[1:] == read(BOVADA).events[1:]


def test_a_tournament_plays_for_chips_under_its_number() -> None:
    header = "7CARD HiLo Tournament #77 TBL#3, Fixed Limit- Level 1 (0/0) - 2013-05-06 07:08:09"
    text = changed(BOVADA, (HEADER.partition("TBL")[2], ""), ("TBL", header))
    text = in_chips(text).replace("2000 in", "2,000 in")
    text = changed(text, (" | Rake (70)", ""), ("Hand result 1560", "Hand Result 1630"))
    hand = read(text)
    start = started(hand)
    assert (start.money.kind, start.money.exponent) == ("tournament", 0)
    assert start.table.name == "Tournament 77 table 3"
    assert kinds(hand, e.RakeTaken) == []
    assert won(hand) == {3: 1630}


# -- acts ------------------------------------------------------------------------------------------


def test_raises_are_printed_as_the_total_with_or_without_the_difference() -> None:
    old = changed(BOVADA, ("Raises $1 to $1", "Raises $1"), ("Raises $4 to $4", "Raises $4"))
    assert read(old).events[1:] == read(BOVADA).events[1:]
    assert [raised.to for raised in kinds(read(old), e.Raised)] == [400]


@pytest.mark.parametrize(
    ("old", "new", "outcome"),
    [
        ("Seat+5 : Folds\n", "Seat+5 : Folds(timeout)\n", "fold"),
        ("Bring_in chip $0.50", "Bring_in chip(timeout) $0.50", "bring_in"),
        (
            "Seat+1 : Checks\nSeat+3 [ME] : Bets",
            "Seat+1 : Checks (timeout)\nSeat+3 [ME] : Bets",
            "check",
        ),
    ],
)
def test_a_time_out_stands_after_the_act_it_caused(old: str, new: str, outcome: str) -> None:
    hand = read(BOVADA, (old, new))
    assert [timed_out.outcome for timed_out in kinds(hand, e.TimedOut)] == [outcome]
    assert judge(hand.events).findings == ()


@pytest.mark.parametrize("words", ["All-in", "All-in(raise)", "All-in (raise-timeout)"])
def test_an_all_in_is_what_it_comes_to(words: str) -> None:
    text = changed(
        BOVADA,
        ("Seat+1: $20 in chips", "Seat+1: $7.10 in chips"),
        (
            "Seat+3 [ME] : Bets $2\nSeat+1 : Calls $2",
            f"Seat+3 [ME] : Bets $2\nSeat+1 : {words} $1\n"
            "Seat+3 [ME] : Return uncalled portion of bet $1",
        ),
        ("Hand result $15.60", "Hand result $13.60"),
        ("Total Pot($16.30)", "Total Pot($14.30)"),
    ).replace("$7.80", "$6.80")
    hand = read(text)
    assert kinds(hand, e.Called)[-1] == e.Called(seat=1, amount=100, all_in=True)
    assert judge(hand.events).findings == ()


def test_all_in_before_anybody_acted_is_the_bring_in() -> None:
    text = BOVADA.replace("Seat+3 [ME]: $20 in chips", "Seat+3 [ME]: $0.30 in chips")
    text = changed(text, ("Bring_in chip $0.50", "All-in $0.20"))
    text = text[: text.index("Seat+3 [ME] : Calls $0.50")] + (
        "Seat+1 : Return uncalled portion of bet $0.80\n"
        + "".join(
            f"*** {street} ***\nSeat+1 : Card dealt to a spot [{one}]\n"
            f"Seat+3 [ME] : Card dealt to a spot [{other}]\n"
            for street, one, other in (
                ("4TH STREET", "8h", "3c"),
                ("5TH STREET", "9d", "7s"),
                ("6TH STREET", "Tc", "Kh"),
                ("RIVER", "5s", "Kc"),
            )
        )
        + "Seat+3 [ME] : Showdown [Kh Kc 7s 6s 4h] (One pair)\n"
        "Seat+1 : Mucks [9c 9d Ah Kd Tc] (One pair)\n"
        "Seat+3 [ME] : Hand result $0.70\n*** SUMMARY ***\nTotal Pot($0.70) | Rake ($0)\n"
    )
    hand = read(text)
    assert kinds(hand, e.BringInPosted) == [e.BringInPosted(seat=3, amount=20, all_in=True)]
    assert started(hand).stakes.bring_in == 50


def test_halves_named_in_the_summary_are_the_halves_of_the_award() -> None:
    awards = [(a.half, a.amount) for a in kinds(read(BOVADA), e.PotAwarded)]
    assert awards == [("high", 780), ("low", 780)]


def test_a_rake_that_is_not_printed_is_what_the_winners_did_not_get() -> None:
    [rake] = kinds(read(BOVADA, (" | Rake ($0.70)", "")), e.RakeTaken)
    assert rake.total == 70


def test_a_show_line_lists_the_cards_that_play_and_turns_up_all() -> None:
    [shown] = kinds(read(BOVADA), e.CardsShown)
    assert (shown.seat, len(shown.cards)) == (3, 7)


@pytest.mark.parametrize(
    "noise",
    [
        "Seat+5 : Seat sit out",
        "Seat+5 : Leave(Auto)",
        "Seat+5 : Re-join",
        "Seat+7 : Table enter user",
        "Enter(Auto)",
        "Table deposit $0.26",
    ],
)
def test_what_happens_around_the_table_moves_nothing(noise: str) -> None:
    hand = read(BOVADA, ("Seat+5 : Folds\n", f"Seat+5 : Folds\n{noise}\n"))
    assert hand.events[1:] == read(BOVADA).events[1:]


def test_positions_may_be_names() -> None:
    text = BOVADA.replace("Seat+1: $20 in chips", "Seat 1: UTG ($20 in chips)")
    text = text.replace("Seat+3 [ME]: $20 in chips", "Seat 3: UTG+1 [ME] ($20 in chips)")
    text = text.replace("Seat+1 :", "UTG :").replace("Seat+3 [ME] :", "UTG+1  [ME] :")
    hand = read(text)
    assert [taken.player for taken in started(hand).seats] == ["UTG", "UTG+1", "Seat+5"]
    assert hand.events[1:] == read(BOVADA).events[1:]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Seat+3 [ME] : Bets $2", "Seat+3 [ME] : Bets two", "not understood"),
        ("Seat+5 : Folds\n", "Seat+6 : Folds\n", "not in the seat list"),
        ("*** 6TH STREET ***", "*** FLOP ***", "not known"),
        ("Showdown [Kh Kc", "Showdown [Kh 9c", "other cards"),
        ("Card dealt to a spot [Tc]", "Card dealt to a spot [Tc 9h]", "gets 2 cards"),
        (
            "Seat+3 [ME] : Card dealt to a spot [3c]",
            "Seat+3 [ME] : Card dealt to a spot [8h]",
            "twice",
        ),
    ],
)
def test_what_is_not_understood_or_cannot_be_rejects_the_hand(
    old: str, new: str, reason: str
) -> None:
    assert reason in rejected(BOVADA, (old, new)).reason


@pytest.mark.parametrize("last", ["*** SUMMARY ***\n", "Seat+3:  HI $7.80"])
def test_a_hand_cut_off_is_rejected(last: str) -> None:
    assert "breaks off" in rejected(BOVADA[: BOVADA.index(last)]).reason
