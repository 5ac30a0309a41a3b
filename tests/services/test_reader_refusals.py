"""What cannot be read, or cannot have happened: rejected with its line and a reason in words."""

from __future__ import annotations

import io

from msgspec.structs import replace

from services.readers import pokerstars
from services.readers.reading import read_lines
from services.readers.record import EventsTold, HandRead, OtherGame, Record, Rejected
from services.readers.splitting import HandText
from tests.support.hand_texts import HEADER, STUD, outcomes, rejected, with_header


def test_a_truncated_hand_is_rejected_at_its_last_line_and_the_next_is_read() -> None:
    first = "".join(STUD.splitlines(keepends=True)[:20])
    broken, hand = outcomes(first + "\n\n" + STUD.replace("#7001", "#7002"))
    assert isinstance(broken, Rejected)
    assert (broken.line, broken.begins) == (20, 1)
    assert "breaks off" in broken.reason
    assert isinstance(hand, HandRead)
    assert hand.line == 23


def test_a_hand_cut_inside_its_summary_is_rejected() -> None:
    assert "breaks off" in rejected(STUD.rstrip("\n")[: -len(" 2h 5d 6c]")]).reason


def test_an_act_that_is_not_understood_is_rejected_with_its_line() -> None:
    wrong = rejected(STUD, ("bert: folds", "bert: surrenders"))
    assert (wrong.file, wrong.line) == ("hands.txt", 17)
    assert "surrenders" in wrong.reason


def test_an_act_of_nobody_is_rejected() -> None:
    wrong = rejected(STUD, ("bert: folds", "Bert: folds"))
    assert (wrong.line, "seat list" in wrong.reason) == (17, True)


def test_a_card_dealt_twice_is_rejected_where_it_came_again() -> None:
    wrong = rejected(STUD, ("Dealt to cleo [Qs 7s] [2h]", "Dealt to cleo [Qs 7s] [8h]"))
    assert (wrong.line, wrong.reason) == (23, "a card is dealt twice")


def test_cards_that_contradict_each_other_are_rejected() -> None:
    wrong = rejected(STUD, ("anna: shows [Ah Kd 9c", "anna: shows [Ah Kd 9d"))
    assert (wrong.line, "other cards" in wrong.reason) == (40, True)


def test_more_chips_than_he_has_is_rejected() -> None:
    wrong = rejected(STUD, ("Seat 4: cleo ($20 in", "Seat 4: cleo ($4 in"))
    assert (wrong.line, "has" in wrong.reason) == (28, True)


def test_more_out_than_in_is_rejected() -> None:
    wrong = rejected(STUD, ("collected $12.20", "collected $12.90"))
    assert (wrong.line, "more out than in" in wrong.reason) == (42, True)


def test_a_pot_paid_twice_is_rejected_with_that_reason() -> None:
    line = "anna collected $12.20 from pot\n"
    wrong = rejected(STUD, (line, line + line.replace("anna", "cleo")))
    assert "paid twice" in wrong.reason


def test_a_pot_that_nobody_collects_is_rejected() -> None:
    assert "nobody collected" in rejected(STUD, ("anna collected $12.20 from pot\n", "")).reason


def test_a_header_worded_anew_is_named_with_the_file_and_its_line() -> None:
    wrong = rejected(with_header(HEADER.replace("Hand #", "Spiel Nr. ")))
    assert (wrong.file, wrong.line, wrong.text) == ("hands.txt", 1, "")
    assert "PokerStars Spiel Nr. 7001" in wrong.reason


def test_a_header_worded_anew_between_others_is_rejected_and_the_rest_read() -> None:
    text = STUD + "\n\n" + with_header(HEADER.replace("PokerStars Hand", "PkrStars Partie"))
    hand, wrong = outcomes(text)
    assert isinstance(hand, HandRead)
    assert isinstance(wrong, Rejected)
    assert (wrong.line, "PkrStars Partie" in wrong.reason) == (50, True)


def test_a_game_nobody_heard_of_is_rejected_not_skipped() -> None:
    wrong = rejected(with_header(HEADER.replace("7 Card Stud Limit", "Gin Rummy")))
    assert "Gin Rummy" in wrong.reason


def test_a_preface_before_the_first_hand_is_no_hand() -> None:
    [hand] = outcomes("Transcript for your last 1 hands\n\n*********** # 1 **************\n" + STUD)
    assert isinstance(hand, HandRead)
    assert hand.line == 4


def test_a_seat_taken_twice_is_rejected() -> None:
    assert "twice" in rejected(STUD, ("Seat 2: bert ($20", "Seat 1: bert ($20")).reason


def test_a_missing_street_is_rejected() -> None:
    assert "street" in rejected(STUD, ("*** 5th STREET ***\n", "")).reason


def test_little_of_an_unknown_file_is_echoed_and_nothing_that_steers_a_terminal() -> None:
    [wrong] = outcomes("secret\t\x1b[31m" + "x" * 500 + "\n")
    assert isinstance(wrong, Rejected)
    echoed = wrong.reason.partition("it begins '")[2]
    assert echoed.startswith("secret  [31mxxx")
    assert len(echoed) == 60 + len("'")
    assert wrong.text == ""


def test_a_wager_to_less_than_he_has_in_is_rejected() -> None:
    wrong = rejected(
        STUD,
        ("anna: calls $1\nbert: folds\n", "anna: raises $1 to $2\ncleo: raises $1 to $0.40\n"),
    )
    assert (wrong.line, wrong.reason) == (17, "seat 4 wagers to 40 with 100 in already")


def test_a_name_that_steers_a_terminal_is_rejected() -> None:
    assert "not fit to be printed" in rejected(STUD.replace("bert", "b\x1b[2Jt")).reason
    assert "not fit to be printed" in rejected(STUD.replace("Aquila", "A\x07")).reason
    assert "too long" in rejected(STUD.replace("bert", "b" * 501)).reason


def test_a_hand_its_reader_has_a_bug_for_is_rejected_and_the_next_is_read() -> None:
    def record(text: HandText) -> Record | EventsTold | OtherGame | None:
        known = {STUD.splitlines()[0].replace("#7001", "#7002"): pokerstars.READER.record}
        return known[text.text.splitlines()[0]](text)

    clumsy = replace(pokerstars.READER, record=record)
    lines = io.StringIO(STUD + "\n\n" + STUD.replace("#7001", "#7002"))
    broken, hand = read_lines("x", lines, clumsy)
    assert isinstance(broken, Rejected)
    assert (broken.line, broken.text) == (1, STUD + "\n\n")
    assert broken.reason == "an unexpected KeyError: please report it"
    assert isinstance(hand, HandRead)
