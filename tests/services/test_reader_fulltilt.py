"""Full Tilt text, one trap at a time."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from domain import events as e
from domain.house_rules import FULLTILT as HOUSE
from domain.verdict import judge
from services.readers.reading import read_file
from services.readers.record import HandRead, Skipped
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
from tests.support.site_texts import FULLTILT, FULLTILT_HEADER, FULLTILT_HIGH_LOW


def with_header(*changes: tuple[str, str]) -> str:
    return changed(FULLTILT, (FULLTILT_HEADER, changed(FULLTILT_HEADER, *changes)))


@pytest.mark.parametrize("text", [FULLTILT, FULLTILT_HIGH_LOW])
def test_the_base_hands_are_without_a_finding(text: str) -> None:
    assert judge(read(text).events).findings == ()
    assert state(read(text)).pot == 0


def test_the_start_says_what_the_header_and_the_seat_list_say() -> None:
    start = started(read(FULLTILT))
    assert (start.game, start.site, start.number) == ("stud", "Full Tilt", "8001")
    assert start.stakes == e.Stakes(small_bet=200, big_bet=400, ante=20, bring_in=50, chip_unit=1)
    assert start.money == e.Money(kind="real", currency="USD", exponent=2)
    assert start.table == e.TableRef(id="Lyra", name="Lyra", max_seats=6)
    assert (start.dealer, start.house_rules) == (None, HOUSE)
    assert [(s.seat, s.player, s.stack) for s in start.seats] == [
        (1, "anna", 4000),
        (2, "bert", 4000),
        (4, "cleo", 4000),
    ]


def test_the_eastern_time_in_brackets_is_preferred_to_the_players_own() -> None:
    assert started(read(FULLTILT)).played_at == datetime(2011, 3, 1, 18, 30, tzinfo=UTC)
    alone = with_header((" [13:30:00 ET - 2011/03/01]", ""))
    assert started(read(alone)).played_at == datetime(2011, 3, 1, 18, 30, tzinfo=UTC)


def test_cards_are_put_into_the_deals_they_came_with() -> None:
    assert dealt(read(FULLTILT), 1) == ["Ah", "Kd", "9c", "8h", "4c", "3d", "As"]
    assert dealt(read(FULLTILT), 4) == ["Js", "Tc", "Qs", "7s", "2h", "5d", "6c"]
    assert dealt(read(FULLTILT), 2) == ["??", "??", "2d"]


def test_completing_betting_and_calling_keep_their_words_and_amounts() -> None:
    hand = read(FULLTILT)
    assert kinds(hand, e.Completed) == [e.Completed(seat=4, to=200, size="small", all_in=False)]
    assert [bet.to for bet in kinds(hand, e.BetPlaced)] == [200, 400, 400]
    assert [call.amount for call in kinds(hand, e.Called)] == [200, 200, 400, 400]


def test_pots_in_the_summary_are_gross_and_the_rake_lies_between_them_and_the_awards() -> None:
    hand = read(FULLTILT_HIGH_LOW)
    assert [(a.pot, a.half, a.amount) for a in kinds(hand, e.PotAwarded)] == [
        (0, "high", 880),
        (0, "low", 880),
        (1, "whole", 400),
    ]
    [rake] = kinds(hand, e.RakeTaken)
    assert (rake.total, rake.pots) == (100, (100, 0))


def test_a_half_won_is_the_half_the_line_names() -> None:
    wrong = changed(
        FULLTILT_HIGH_LOW,
        ("anna wins the high main pot", "anna wins the low main pot"),
        ("bert wins the low main pot", "bert wins the high main pot"),
    )
    halves = {a.half: a.shares[0].seat for a in kinds(read(wrong), e.PotAwarded) if a.pot == 0}
    assert halves == {"low": 1, "high": 2}
    assert judge(read(wrong).events).findings


def test_an_all_in_is_one_where_it_is_printed() -> None:
    [raised, last] = kinds(read(FULLTILT_HIGH_LOW), e.Raised)
    assert (raised.to, raised.all_in) == (400, False)
    assert (last.seat, last.to, last.all_in) == (2, 600, True)


def test_a_tie_is_shared() -> None:
    tie = changed(
        FULLTILT,
        ("anna shows [Ah Kd 9c 8h 4c 3d As] a pair", "anna shows [Ah Kd 9c 8h 4c 3d As] a tie"),
        ("cleo mucks", "cleo shows [Js Tc Qs 7s 2h 5d 6c] a tie"),
        (
            "anna wins the pot ($24.10) with a pair of Aces",
            "anna ties for the pot ($12.05) with it\ncleo ties for the pot ($12.05) with it",
        ),
        ("cleo mucked [Js", "cleo showed [Js"),
    )
    assert won(read(tie)) == {1: 1205, 4: 1205}


# -- the bring-in ----------------------------------------------------------------------------------

LONE_BRING_IN = (
    FULLTILT[: FULLTILT.index("cleo completes")]
    + """\
cleo folds
anna folds
Uncalled bet of $0.50 returned to bert
bert mucks
bert wins the pot ($0.60)
*** SUMMARY ***
Total pot $0.60 | Rake $0
Seat 1: anna folded on 3rd St.
Seat 2: bert collected ($0.60), mucked
Seat 4: cleo folded on 3rd St.
Seat 6: dora is sitting out
"""
)


def test_a_lone_bring_in_comes_back() -> None:
    hand = read(LONE_BRING_IN)
    assert kinds(hand, e.UncalledReturned) == [e.UncalledReturned(seat=2, amount=50)]
    assert won(hand) == {2: 60}
    assert judge(hand.events).findings == ()


def test_a_time_out_folds() -> None:
    hand = read(
        LONE_BRING_IN,
        (
            "anna folds\nUncalled",
            "anna has 15 seconds left to act\nanna has timed out\nanna folds\n"
            "anna is sitting out\nUncalled",
        ),
    )
    [timed_out] = kinds(hand, e.TimedOut)
    assert (timed_out.seat, timed_out.outcome) == (1, "fold")
    assert [folded.seat for folded in kinds(hand, e.Folded)] == [4, 1]
    assert judge(hand.events).findings == ()


def test_an_ante_nobody_could_match_comes_back_before_the_cards() -> None:
    short = changed(
        LONE_BRING_IN,
        ("Seat 4: cleo ($40)", "Seat 4: cleo ($0.05)"),
        ("Seat 1: anna ($40)", "Seat 1: anna ($0.05)"),
        ("cleo antes $0.20", "cleo antes $0.05, and is all in"),
        ("anna antes $0.20", "anna antes $0.05, and is all in"),
        ("bert antes $0.20", "bert antes $0.20\nUncalled bet of $0.15 returned to bert"),
    )
    short = short[: short.index("bert is low")] + (
        "*** 4TH STREET *** (Total Pot: $0.15, 3 Players, 2 All-In)\n"
        "Dealt to anna [Ah Kd 9c] [8h]\n"
        "*** 5TH STREET *** (Total Pot: $0.15, 3 Players, 2 All-In)\n"
        "*** 6TH STREET *** (Total Pot: $0.15, 3 Players, 2 All-In)\n"
        "*** 7TH STREET *** (Total Pot: $0.15, 3 Players, 2 All-In)\n"
        "anna wins the pot ($0.15) with something\n"
        "*** SUMMARY ***\nTotal pot $0.15 | Rake $0\n"
    )
    hand = read(short)
    assert kinds(hand, e.UncalledReturned) == [e.UncalledReturned(seat=2, amount=15)]
    assert [(a.amount, a.all_in) for a in kinds(hand, e.AntePosted)] == [
        (5, True),
        (5, True),
        (20, False),
    ]
    assert started(hand).stakes.ante == 20, "the header's"
    assert judge(hand.events).findings == ()


# -- around the table ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "noise",
    [
        "anna: bert folds, he calls $2",
        "eddi: cleo bets $2",
        "anna: *** 7TH STREET ***",
        "dora sits down",
        "eddi stands up",
        "dora has 15 seconds left to act",
        "bert has returned",
        "cleo has requested TIME",
        "eddi adds $40",
        "5 seconds left to act",
        "eddi wins the tournament",
    ],
)
def test_chat_and_what_happens_around_the_table_moves_nothing(noise: str) -> None:
    hand = read(FULLTILT, ("bert folds\n***", f"bert folds\n{noise}\n***"))
    assert hand.events[1:] == read(FULLTILT).events[1:]


def test_chips_added_during_a_hand_are_noted_and_play_from_the_next_on() -> None:
    hand = read(FULLTILT, ("bert folds\n***", "bert folds\nbert adds $0.70\n***"))
    [note] = kinds(hand, e.IncidentNoted)
    assert (note.kind, "seat 2" in note.text.lower(), "$0.70" in note.text) == (
        "record",
        True,
        True,
    )
    assert state(hand).player(2).stack == 4000 - 70


def test_lost_and_restored_connections_are_evidence() -> None:
    hand = read(
        FULLTILT,
        ("bert folds", "bert has been disconnected\nbert has reconnected\nbert folds"),
    )
    assert [lost.seat for lost in kinds(hand, e.PlayerDisconnected)] == [2]
    assert [back.seat for back in kinds(hand, e.PlayerReconnected)] == [2]


@pytest.mark.parametrize(
    "name", ["PC [Mittel]", "a: b", "x folds", "(5) [5c]", "an", "cleo bets $2"]
)
def test_a_name_may_hold_anything(name: str) -> None:
    hand = read(FULLTILT.replace("bert", name))
    assert started(hand).seats[1].player == name
    assert dealt(hand, 2) == ["??", "??", "2d"]
    assert judge(hand.events).findings == ()


# -- the header ------------------------------------------------------------------------------------


def test_a_table_may_have_a_dash_in_its_name() -> None:
    assert started(read(with_header(("Lyra (6 max)", "CR - x - 5/6")))).table.name == "CR - x - 5/6"


def test_play_money_is_counted_in_chips() -> None:
    text = in_chips(changed(FULLTILT, ("Total pot $25.10 | Rake $1", "Total pot $25.10 | Rake $0")))
    hand = read(text.replace("(2410)", "(2510)"))
    assert started(hand).money == e.Money(kind="play", currency="chips", exponent=0)
    assert kinds(hand, e.RakeTaken) == []
    assert judge(hand.events).findings == ()


def test_a_tournament_is_named_by_its_number_and_plays_for_chips() -> None:
    text = with_header(
        ("Table Lyra (6 max)", "$20 + $2 Sit & Go (777), Table 3"),
        ("Poker Game", "Poker.fr Game"),
    )
    text = changed(text, ("Total pot $25.10 | Rake $1", "Total pot $25.10 | Rake 0"))
    text = in_chips(text.replace("$20 + $2", "USD20")).replace("(2410)", "(2,510)")
    start = started(read(text))
    assert (start.money.kind, start.stakes.big_bet, start.stakes.ante) == ("tournament", 400, 20)
    assert "(777), Table 3" in start.table.name
    assert kinds(read(text), e.RakeTaken) == []


@pytest.mark.parametrize("game", ["Limit Razz", "No Limit Hold'em", "Limit 5 Card Stud"])
def test_other_games_are_skipped_by_name(game: str) -> None:
    [skipped] = outcomes(with_header(("Limit Stud Hi", game)))
    assert isinstance(skipped, Skipped)
    assert skipped.game == game


def test_no_limit_stud_is_refused() -> None:
    wrong = rejected(with_header(("Limit Stud Hi", "No Limit Stud Hi")))
    assert (wrong.line, "limit stud" in wrong.reason) == (1, True)


def test_a_record_marked_as_partial_is_refused() -> None:
    assert "partial" in rejected(with_header(("2011/03/01]", "2011/03/01] (partial)"))).reason


def test_a_cancelled_hand_is_void() -> None:
    broken = FULLTILT[: FULLTILT.index("*** 5TH")] + "Hand #8001 has been canceled\n"
    [void] = kinds(read(broken), e.HandVoided)
    assert {move.seat: move.amount for move in void.moves} == {1: 420, 2: 70, 4: 420}
    assert (void.rake, void.ruling, "cancelled" in void.reason) == (0, None, True)
    assert judge(read(broken).events).findings == ()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("cleo bets $2\n", "cleo bets two\n", "not an amount"),
        ("cleo bets $2\n", "cleo bets\n", "not understood"),
        ("bert folds\n", "eddi folds\n", "not in the seat list"),
        ("*** 6TH STREET", "*** FLOP", "not known"),
        ("Dealt to cleo [Qs] [7s]", "Dealt to eddi [Qs] [7s]", "nobody in the seat list"),
        ("Seat 4: cleo mucked [Js Tc Qs 7s 2h 5d 6c] - Queen Jack high", "Seat 4: cleo mu", ""),
    ],
)
def test_what_is_not_understood_rejects_the_hand(old: str, new: str, reason: str) -> None:
    if reason:
        assert reason in rejected(FULLTILT, (old, new)).reason
    else:
        cut = FULLTILT[: FULLTILT.index(old)]
        assert "breaks off" in rejected(cut).reason


def test_utf16_with_a_stray_last_byte_is_read(tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_bytes(FULLTILT.replace("bert", "Bjørn").encode("utf-16") + b"\n")
    [hand] = read_file(file)
    assert isinstance(hand, HandRead)
    assert started(hand).seats[1].player == "Bjørn"
