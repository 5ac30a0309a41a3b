"""The table in a terminal: eighty columns, with and without glyphs, with and without colour."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from services.replaying import ALL, ReplayFrame, draw, replay_frames, replay_step
from services.replaying.faces import face
from tests.support.bdd import DOLLARS, Table, doors, started
from tests.support.hand_texts import STUD, read
from tests.support.told_hands import quiet_hand, side_pot_hand

NAMES = {f"player-{seat}": name for seat, name in enumerate(["anna", "bert", "cleo"], 1)}


def drawn(frame: ReplayFrame, encoding: str = "utf-8", width: int = 80) -> list[str]:
    """The lines a terminal of that encoding shows, without colour."""
    paper = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="")
    console = Console(file=paper, width=width, legacy_windows=False, no_color=True)
    console.print(draw(frame))
    paper.flush()
    paper.seek(0)
    return [line.rstrip() for line in paper.read().split("\n")]


def table_in_play() -> Table:
    table = Table(started({1: 2000, 2: 700, 3: 2000}, small=500, bring_in=250, money=DOLLARS))
    table.deal({1: "Ah Kd 2c", 2: "7s 7d Kh", 3: "9h 9d Jc"})
    table.act("1 bring_in", "2 complete", "3 call", "1 call")
    table.deal({1: "3c", 2: "Qs", 3: "Jd"})
    return table


def test_a_table_in_play_is_drawn_like_this() -> None:
    assert drawn(replay_step("h", table_in_play().log, names=NAMES)) == [
        "───────────────────── Seven Card Stud $5.00/$10.00, hand 1 ─────────────────────",
        "Fourth street, step 13 of 13                                        view: public",
        "Table Test, test",
        "",
        "  seat player cards                     stack street in pot",
        "     1 anna   [??][??] 2♣ 3♣            15.00          5.00",
        "     2 bert   [??][??] K♥ Q♠             2.00          5.00",
        "▶    3 cleo   [??][??] J♣ J♦            15.00          5.00",
        "",
        "Dealer at seat 8, which was not dealt in",
        "Pot $15.00",
        "cleo (seat 3) is to act: fold, check, bet to $5.00 or bet to $10.00.",
        "cleo (seat 3) opens fourth street with the highest exposed hand; an open pair",
        "allows the big bet.",
        "",
    ]


def test_where_the_terminal_has_no_glyphs_suits_are_letters_and_lines_are_dashes() -> None:
    lines = drawn(replay_step("h", table_in_play().log, names=NAMES), encoding="ascii")
    assert lines[0].startswith("-----")
    assert lines[7] == ">    3 cleo   [??][??] Jc Jd            15.00          5.00"


def test_the_end_shows_who_won_what_folded_or_was_all_in_and_where_the_disc_is() -> None:
    lines = drawn(replay_step("h", side_pot_hand()))
    assert lines[5:11] == [
        "     1 seat 1                           42.71  20.10  20.10 won 12.81",
        "     2 seat 2                           15.80  10.03  10.03 all-in, won 15.80",
        "     3 seat 3                           52.53  20.10  20.10 won 22.63",
        "   D 4 seat 4                           46.99   3.01   3.01 folded",
        "",
        "Pot $0.00   rake $2.00",
    ]


def test_main_and_side_pots_are_told_apart_with_their_claimants() -> None:
    lines = drawn(replay_step("h", side_pot_hand(), 9))
    assert "Pot $35.44 = main pot $15.80 (seats 1, 2, 3) + side pot 1 $19.64 (seats 1, 3)" in lines


def test_a_timed_out_player_a_mucked_hand_and_a_community_card_are_in_the_picture() -> None:
    assert "timed out" in "\n".join(drawn(replay_step("h", quiet_hand())))
    assert "mucked" in "\n".join(drawn(replay_step("h", quiet_hand())))
    assert "Community card K♠" in drawn(replay_step("h", quiet_hand()))
    assert "mucked" in "\n".join(drawn(replay_step("h", read(STUD).events)))


def test_down_cards_stay_in_brackets_when_they_are_seen() -> None:
    everything = drawn(replay_step("h", read(STUD).events, view=ALL))
    assert "[A♥][K♦] 9♣ 8♥ 4♣ 3♦ [A♠]" in "\n".join(everything)


def test_eight_players_with_long_names_fit_eighty_columns_at_every_step() -> None:
    table = Table(started(dict.fromkeys(range(1, 9), 123456), small=2000, bring_in=1000))
    table.deal(doors(**{f"s{seat}": f"{'23456789'[seat - 1]}c" for seat in range(1, 9)}))
    names = {f"player-{seat}": f"a very long name, number {seat}" for seat in range(1, 9)}
    for frame in replay_frames("h", table.log, names=names):
        lines = drawn(frame)
        assert max(map(len, lines)) <= 80
        assert sum("a very long" in line for line in lines[5:13]) == 8


@pytest.mark.parametrize("card", ["Kc", "Kd", "Kh", "Ks"])
def test_every_suit_has_a_colour_of_its_own(card: str) -> None:
    styles = {str(face(other, ascii_only=False).style) for other in ("Kc", "Kd", "Kh", "Ks")}
    assert len(styles) == 4
    assert face(card, ascii_only=True).plain == card


def test_a_name_that_looks_like_markup_is_printed_as_it_is() -> None:
    lines = drawn(replay_step("h", read(STUD).events, 9, names={"cleo": "PC [red]Mittel"}))
    assert any("PC [red]Mittel (seat 4) completes to $1.00." in line for line in lines)
    assert any("PC [red]Mittel [??][??]" in line for line in lines)
