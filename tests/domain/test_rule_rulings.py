"""Voids and corrections (P9), made to run."""

from __future__ import annotations

import pytest

from domain import commands as c
from domain import events as e
from domain.errors import IllegalAmount, NotAllowedNow
from tests.support.bdd import DOLLARS, Table, doors, started

THREE = {1: 1000, 2: 1000, 3: 1000}


def third(**about: object) -> Table:
    table = Table(started(THREE, ante=5, **about))  # type: ignore[arg-type]
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    return table.act("2 bring_in", "3 complete")


def raked() -> Table:
    """A finished $2/$4 hand of three: 27.75 in the pot, 1.00 rake, all of it won by seat 1."""
    hands = {1: "Ah As Ad 9c 8h 3c 2d", 2: "Kh Ks Kd 9d 8c 4c 2h", 3: "Qh Qs 7d 9h 8s 5c Jc"}
    start = started(dict.fromkeys(hands, 10000), small=200, ante=25, bring_in=100, money=DOLLARS)
    table = Table(start, hands).passively(4).street("1 bet", "2 call", "3 call")
    return table.street("1 bet", "2 call", "3 call").passively()


def moves(**of_seat: int) -> tuple[e.SeatMove, ...]:
    return tuple(e.SeatMove(seat=int(seat[1:]), amount=of_seat[seat]) for seat in of_seat)


def correct(rake: int = 0, **of_seat: int) -> c.Correct:
    return c.Correct(moves=moves(**of_seat), rake=rake, reason="misread hand", ruling="r1")


def test_p9_a_void_gives_everybody_back_all_he_put_in_antes_included() -> None:
    table = third()
    table.when(c.Void(reason="a boxed card", ruling="r1")).then(
        e.HandVoided(moves=moves(s1=5, s2=15, s3=25), rake=0, reason="a boxed card", ruling="r1")
    )
    assert table.stacks() == THREE
    assert (table.now.voided, table.now.pot) == (True, 0)
    assert not table.of(e.RakeTaken, e.PotAwarded, e.HandCompleted)


def test_p9_a_void_after_the_payout_takes_awards_and_rake_back() -> None:
    table = raked()
    assert table.now.rake == 100
    (void,) = table.issue(c.Void(reason="a card too many"))
    assert isinstance(void, e.HandVoided)
    assert void.rake == -100
    assert sum(move.amount for move in void.moves) == 100
    assert table.stacks() == dict.fromkeys(THREE, 10000)
    assert table.now.rake == 0


def test_p9_a_hand_is_void_once_and_then_nothing_more_happens() -> None:
    table = third()
    table.issue(c.Void(reason="misdeal"))
    table.refused(c.Void(reason="misdeal"), NotAllowedNow, "P9")
    table.refused("1 call", NotAllowedNow, "P9")
    table.refused(c.Deal(cards=("As",)), NotAllowedNow, "P9")
    table.refused(correct(s1=5, s2=-5), NotAllowedNow, "P9")
    assert table.issue(c.NoteIncident(kind="note", text="still on record"))


def test_p9_a_correction_moves_chips_between_seats_and_sums_to_zero() -> None:
    table = raked()
    table.when(correct(s1=-500, s2=500)).then(
        e.AwardCorrected(moves=moves(s1=-500, s2=500), rake=0, reason="misread hand", ruling="r1")
    )
    table.refused(correct(s1=-500, s2=400), IllegalAmount, "P9")


def test_p9_a_correction_may_give_rake_back_but_not_more_than_was_taken() -> None:
    table = raked()
    table.issue(correct(rake=-100, s1=100))
    assert table.now.rake == 0
    table.refused(correct(rake=-1, s1=1), IllegalAmount, "P9")


def test_p9_only_a_finished_hand_is_corrected() -> None:
    third().refused(correct(s1=5, s2=-5), NotAllowedNow, "P9")


def test_p9_nobody_gives_what_he_does_not_have() -> None:
    table = raked()
    table.refused(correct(s1=-100_000, s2=100_000), IllegalAmount, "P9")
    more_than_he_has = table.stacks()[2] + 1
    table.refused(correct(s2=-more_than_he_has, s1=more_than_he_has), IllegalAmount, "P9")
    table.refused(correct(s1=-1), IllegalAmount, "P9")


@pytest.mark.parametrize("amount", [1, 500])
def test_p9_a_correction_is_between_those_who_were_dealt_in(amount: int) -> None:
    raked().refused(correct(s1=-amount, s7=amount), NotAllowedNow, "P9")


def test_p9_each_seat_is_named_once() -> None:
    twice = (*moves(s1=-5), *moves(s1=-5), *moves(s2=10))
    command = c.Correct(moves=twice, rake=0, reason="misread hand")
    raked().refused(command, IllegalAmount, "P9")


def test_p9_a_correction_takes_no_rake_from_play_money() -> None:
    table = third().act("1 fold", "2 fold")
    table.refused(correct(rake=5, s3=-5), IllegalAmount, "R1")


def test_p9_a_corrected_hand_may_still_be_void() -> None:
    table = raked()
    table.issue(correct(rake=-100, s2=100))
    table.issue(c.Void(reason="all of it was wrong"))
    assert table.stacks() == dict.fromkeys(THREE, 10000)
    assert table.now.rake == 0
