"""Whose turn it is and when a street or hand is over (B1, B2, B9, B10), made to run."""

from __future__ import annotations

import pytest

from domain import commands as c
from domain import events as e
from domain.cards import DECK
from domain.consequences import cards_due
from domain.errors import NotAllowedNow, OutOfTurn
from tests.support.bdd import Table, doors, started

THREE = {1: 1000, 2: 1000, 3: 1000}


def third(stacks: dict[int, int] | None = None, **about: object) -> Table:
    """Third street is dealt and seat 2 owes the bring-in of 10."""
    table = Table(started(stacks or THREE, **about))  # type: ignore[arg-type]
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    return table


def boards(*shown: str, dealer: int = 8) -> Table:
    """Seats 1, 2 … show these cards, all called and checked; the last of them have just come."""
    down = iter([card for card in DECK if card not in " ".join(shown)])
    hands = {seat: f"{next(down)} {next(down)} {up}" for seat, up in enumerate(shown, 1)}
    table = Table(started(dict.fromkeys(hands, 1000), dealer=dealer), hands)
    table.passively(2 + len(shown[0].split())).deal()
    return table


def opener(table: Table) -> int:
    """Who opens the street in play."""
    opened = table.now.betting.opened
    assert opened is not None
    return opened.opener


# -- B1: order -----------------------------------------------------------------------------------


def test_b1_third_street_goes_clockwise_from_the_bring_in() -> None:
    table = third().act("2 bring_in")
    table.refused("1 call", OutOfTurn, "B1")
    table.act("3 call").refused("2 call", OutOfTurn, "B1")
    assert table.legal() == "1: fold, call 10, complete 20"


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Kc 9d", "Qs Jc"),
        ("2c 2d", "As Kc"),
        ("3c 3d 2s", "2c 2d As"),
        ("3c 3s 4c 4d", "As Ac Kd Qc"),
        ("2c 2d 2s 3c", "As Ac Kd Kc"),
        ("2c 2d 2s 3c", "Th Jh Qh Kh"),
        ("3s 3c 3h 4s", "As Ks Qs Js"),
        ("Kc Kd 5s", "Kh Ks 4c"),
        ("Ac Kd Qs Tc", "Ad Ks Qc 9c"),
        ("9c 9d 8s 8c", "9h 9s 7s 7c"),
        ("8s 8c 9c 4s", "8h 8d 9h 3c"),
    ],
)
def test_b1_the_highest_exposed_hand_opens(higher: str, lower: str) -> None:
    assert opener(boards(higher, lower, dealer=1)) == 1
    assert opener(boards(lower, higher, dealer=2)) == 2


def test_b1_quads_open_before_trips() -> None:
    hands = {1: "2h 3d Ah As Ac Kd", 2: "4h 5d 9c 9d 9h 9s"}
    table = Table(started({1: 1000, 2: 1000}), hands).passively(6)
    table.deal()
    assert opener(table) == 2


def test_b1_straights_and_flushes_do_not_count_in_a_board() -> None:
    assert opener(boards("Th Jh Qh Kh", "2c 2d 3s 5c")) == 2


@pytest.mark.parametrize(("dealer", "opens"), [(8, 1), (1, 3), (2, 3), (3, 1)])
def test_b1_equal_boards_are_opened_by_the_first_left_of_the_dealer(
    dealer: int, opens: int
) -> None:
    assert opener(boards("Kc 9d", "Qs Qc", "Kh 9s", dealer=dealer)) == 2
    assert opener(boards("Kc 9d", "Qs Jc", "Kh 9s", dealer=dealer)) == opens


def test_b1_the_reason_names_the_boards() -> None:
    opened = boards("Kc 9d", "Qs Qc").now.betting.opened
    assert opened is not None
    assert opened.reason.rule == "B1"
    assert [(one.seat, one.cards) for one in opened.reason.compared] == [
        (2, ("Qs", "Qc")),
        (1, ("Kc", "9d")),
    ]


def test_b1_the_community_card_counts_in_every_board() -> None:
    two_pair, trips = "3h 4d Qs Qc 7d 7h", "5h 6d Ks Kc Kd 2c"
    table = Table(started(dict.fromkeys(range(1, 9), 1000)), {2: two_pair, 5: trips, 10: "7s"})
    table.passively(6).deal()
    assert opener(table) == 5
    table.passively(7).issue(c.Deal(cards=("7s",)))
    assert opener(table) == 2


# -- B2: only players still in count -------------------------------------------------------------


def test_b2_a_folded_hand_opens_nothing() -> None:
    table = Table(started(THREE), {1: "2h 3d Kc Ad", 2: "4h 5d 9s Ac", 3: "6h 7d Tc Th"})
    table.passively(4).deal()
    assert opener(table) == 3
    table.act("3 bet 20", "1 raise 40", "2 call", "3 fold").deal()
    assert opener(table) == 1


def test_b2_a_folded_player_may_not_act() -> None:
    table = third().act("2 bring_in", "3 fold", "1 complete")
    table.refused("3 call", OutOfTurn, "B2")
    table.refused("7 call", OutOfTurn, "B2")


def test_b2_if_the_leader_is_all_in_the_next_active_player_starts() -> None:
    hands = {1: "2h 3d Kc Ad", 2: "4h 5d 9s As", 3: "6h 7d Tc Th"}
    table = Table(started({1: 1000, 2: 1000, 3: 10}), hands).passively(4)
    table.deal()
    assert opener(table) == 3
    assert table.legal() == "1: fold, check, bet 20, bet 40"


def test_b2_an_all_in_player_is_passed_over() -> None:
    table = third({1: 1000, 2: 1000, 3: 15}).act("2 bring_in", "3 complete", "1 raise")
    assert table.now.player(3).status == "all_in"
    table.act("2 raise")
    table.refused("3 call", OutOfTurn, "B1")
    assert table.legal().startswith("1: ")


# -- B9: the last one in -------------------------------------------------------------------------


def test_b9_the_last_player_in_takes_the_pot_and_shows_nothing() -> None:
    table = third(ante=5).act("2 bring_in", "3 complete")
    events = table.act("1 fold").issue(c.Fold(seat=2))
    assert events == (
        e.Folded(seat=2),
        e.UncalledReturned(seat=3, amount=10),
        e.PotAwarded(
            pot=0,
            half="whole",
            amount=35,
            shares=(e.Share(seat=3, amount=35, odd=0),),
            reason=e.Reason(rule="B9", compared=()),
        ),
        e.HandCompleted(
            stacks=(
                e.SeatStack(seat=1, stack=995),
                e.SeatStack(seat=2, stack=985),
                e.SeatStack(seat=3, stack=1020),
            )
        ),
    )


@pytest.mark.parametrize("game", ["stud", "stud8", "stud_hilo"])
def test_b9_he_may_have_had_the_worst_cards(game: str) -> None:
    aces, nothing = "Ah Ac Ad As 2c 3d 4h", "9h 7c 8d Ks Jc 3h Qd"
    table = Table(started({1: 1000, 2: 1000}, game=game), {1: aces, 2: nothing})  # type: ignore[arg-type]
    table.passively(7).deal()
    table.act("1 fold")
    assert table.stacks() == {1: 990, 2: 1010}
    assert not table.of(e.CardsShown)


def test_b9_without_antes_a_bring_in_nobody_plays_goes_back() -> None:
    table = third().act("2 bring_in", "3 fold", "1 fold")
    assert table.of(e.UncalledReturned) == [e.UncalledReturned(seat=2, amount=10)]
    assert not table.of(e.PotAwarded)
    assert table.stacks() == THREE


def test_b9_after_the_end_nobody_is_asked_anything() -> None:
    table = third().act("2 bring_in", "3 fold", "1 fold")
    table.refused("2 check", NotAllowedNow, "B9")
    table.refused(c.Deal(cards=("2d",)), NotAllowedNow, "B9")
    assert cards_due(table.now) is None


# -- B10: betting needs two ----------------------------------------------------------------------


def test_b10_a_lone_active_player_who_owes_nothing_is_not_asked() -> None:
    table = third({1: 1000, 2: 1000, 3: 20}).act("2 bring_in", "3 complete", "1 call", "2 fold")
    assert table.legal() == "nobody"
    table.passively()
    assert [d.street for d in table.of(e.CardsDealt) if d.seat == 3] == [3, 4, 5, 6, 7]
    assert [opened.street for opened in table.of(e.BettingOpened)] == [3]


def test_b10_a_lone_active_player_who_owes_may_call_or_fold() -> None:
    table = third({1: 1000, 2: 1000, 3: 20}).act("2 bring_in", "3 complete", "1 fold")
    assert table.legal() == "2: fold, call 20"
    refusal = table.refused("2 raise 40", NotAllowedNow, "B10")
    assert [choice.action for choice in refusal.legal] == ["fold", "call"]


def test_b10_he_calls_for_less_when_he_has_less() -> None:
    table = third({1: 1000, 2: 13, 3: 20}).act("2 bring_in", "3 complete", "1 fold")
    assert table.legal() == "2: fold, call 13+"
    assert table.act("2 call").of(e.UncalledReturned) == [e.UncalledReturned(seat=3, amount=7)]


def test_b10_against_antes_that_are_all_in_nobody_brings_it_in() -> None:
    table = third({1: 3, 2: 1000, 3: 2}, ante=5)
    assert table.legal() == "nobody"
    assert not table.of(e.BettingOpened)
    table.passively()
    assert not table.of(e.BringInPosted)
    assert table.of(e.HandCompleted)


def test_b10_a_raise_needs_another_player_who_can_answer() -> None:
    table = third({1: 40, 2: 1000, 3: 1000}).act("2 bring_in", "3 complete", "1 raise")
    assert table.legal() == "2: fold, call 40, raise 60"
    table.act("2 fold")
    assert table.legal() == "3: fold, call 40"


def test_b10_a_timed_out_player_cannot_answer_a_raise() -> None:
    table = third(ante=5).act("2 bring_in", "3 complete", "1 time_out")
    assert table.legal() == "2: fold, call 20, raise 40"
    table.act("2 time_out")
    assert table.legal() == "nobody"
    assert table.of(e.UncalledReturned) == [e.UncalledReturned(seat=3, amount=10)]


def test_b10_all_in_on_fourth_street_the_missing_cards_are_dealt_and_hands_shown() -> None:
    hands = {1: "Ah Ad 9c Kc", 2: "2h 3d 5s Jc"}
    table = Table(started({1: 30, 2: 30}), hands).passively(4)
    table.street("1 bet", "2 call")
    assert table.now.active == ()
    table.passively()
    assert [d.street for d in table.of(e.CardsDealt) if d.seat == 1] == [3, 4, 5, 6, 7]
    assert [shown.seat for shown in table.of(e.CardsShown)] == [1, 2]
    assert sum(table.stacks().values()) == 60
