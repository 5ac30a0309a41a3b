"""PokerStars text, one trap at a time."""

from __future__ import annotations

import pytest

from domain import events as e
from domain.house_rules import POKERSTARS, TOPSPOKER
from domain.verdict import judge
from services.readers.record import HandRead
from tests.support.hand_texts import (
    STUD,
    dealt,
    kinds,
    outcomes,
    read,
    started,
    state,
)


def test_the_base_hand_is_clean_and_conserves_its_chips() -> None:
    hand = read(STUD)
    assert judge(hand.events).findings == ()
    assert {p.seat: p.stack for p in state(hand).seats} == {1: 2610, 2: 1940, 4: 1390}
    assert state(hand).pot == 0
    assert sum(s.stack for s in kinds(hand, e.HandCompleted)[0].stacks) == 6000 - 60


def test_the_start_says_what_the_header_and_the_seat_list_say() -> None:
    start = started(read(STUD))
    assert (start.game, start.site, start.number) == ("stud", "PokerStars", "7001")
    assert start.stakes == e.Stakes(small_bet=100, big_bet=200, ante=10, bring_in=50, chip_unit=1)
    assert start.money == e.Money(kind="real", currency="USD", exponent=2)
    assert start.table == e.TableRef(id="Aquila", name="Aquila", max_seats=8)
    assert start.dealer is None
    assert start.house_rules == POKERSTARS
    assert start.rake_schedule is None


def test_who_sits_out_is_not_dealt_in() -> None:
    assert [s.player for s in started(read(STUD)).seats] == ["anna", "bert", "cleo"]


def test_completing_calling_and_raising_keep_their_words() -> None:
    completed = kinds(read(STUD), e.Completed)
    assert completed == [e.Completed(seat=4, to=100, size="small", all_in=False)]
    assert [c.amount for c in kinds(read(STUD), e.Called)] == [100, 100, 200, 200]


def test_a_completed_bring_in_is_raised_on_top() -> None:
    hand = read(
        STUD,
        ("anna: calls $1\nbert: folds", "anna: raises $1 to $2\nbert: folds\ncleo: calls $1"),
        ("collected $12.20", "collected $14.20"),
        ("$12.80 | Rake", "$14.80 | Rake"),
    )
    assert kinds(hand, e.BringInPosted)[0].amount == 50
    assert kinds(hand, e.Completed)[0].to == 100
    assert kinds(hand, e.Raised)[0].to == 200
    assert judge(hand.events).findings == ()


def test_the_low_card_may_open_for_a_full_bet() -> None:
    hand = read(
        STUD,
        (
            "bert: brings in for $0.50\ncleo: raises $0.50 to $1",
            "bert: bets $1\ncleo: raises $1 to $2",
        ),
        ("anna: calls $1\nbert", "anna: calls $2\nbert"),
        ("collected $12.20", "collected $14.70"),
        ("$12.80 | Rake", "$15.30 | Rake"),
    )
    assert kinds(hand, e.BetPlaced)[0] == e.BetPlaced(seat=2, to=100, size="small", all_in=False)
    assert kinds(hand, e.BringInPosted) == []
    assert started(hand).stakes.bring_in == 50, "half the small bet where none is printed"
    assert judge(hand.events).findings == ()


def test_bets_are_small_on_fourth_street_and_big_from_fifth_on() -> None:
    assert [bet.size for bet in kinds(read(STUD), e.BetPlaced)] == ["small", "big", "big"]


def test_the_heros_cards_are_known_from_the_start() -> None:
    assert dealt(read(STUD), 1) == ["Ah", "Kd", "9c", "8h", "4c", "3d", "As"]


def test_a_mucked_hand_in_the_summary_fills_the_deals_it_came_from() -> None:
    assert dealt(read(STUD), 4) == ["Js", "Tc", "Qs", "7s", "2h", "5d", "6c"]
    seventh = [d for d in kinds(read(STUD), e.CardsDealt) if d.street == 7]
    assert [(d.seat, d.down) for d in seventh] == [(1, ("As",)), (4, ("6c",))]


def test_cards_nobody_ever_saw_are_unknown() -> None:
    hand = read(STUD, ("Seat 4: cleo mucked [Js Tc Qs 7s 2h 5d 6c]", "Seat 4: cleo mucked"))
    assert dealt(hand, 4) == ["??", "??", "Qs", "7s", "2h", "5d", "??"]
    assert dealt(hand, 2) == ["??", "??", "2d"]


def test_only_a_hand_the_record_calls_shown_is_shown() -> None:
    hand = read(STUD)
    assert [s.seat for s in kinds(hand, e.CardsShown)] == [1]
    assert [m.seat for m in kinds(hand, e.Mucked)] == [4]


def test_a_hand_shown_twice_is_shown_once() -> None:
    show = "anna: shows [Ah Kd 9c 8h 4c 3d As] (a pair of Aces)\n"
    assert len(kinds(read(STUD, (show, show + show)), e.CardsShown)) == 1


@pytest.mark.parametrize("shown", ["As Kd 9c 8h 4c 3d Ah", "3d 4c 8h 9c Kd Ah As"])
def test_a_hand_may_be_shown_in_another_order(shown: str) -> None:
    folded = STUD.replace("Dealt to anna [Ah Kd 9c", "Dealt to anna [9c").replace(
        "Dealt to anna [9c 8h 4c 3d] [As]\n", ""
    )
    hand = read(folded.replace("[Ah Kd 9c 8h 4c 3d As]", f"[{shown}]"))
    assert sorted(dealt(hand, 1)) == sorted(shown.split())
    assert dealt(hand, 1)[2:6] == ["9c", "8h", "4c", "3d"]


def test_one_card_shown_of_a_hand_is_one_card_known() -> None:
    hand = read(
        STUD,
        ("cleo: mucks hand", "cleo: shows [Js Qs]"),
        ("Seat 4: cleo mucked [Js Tc Qs 7s 2h 5d 6c]", "Seat 4: cleo lost"),
    )
    assert dealt(hand, 4) == ["Js", "??", "Qs", "7s", "2h", "5d", "??"]


def test_cards_shown_when_folding_are_known() -> None:
    hand = read(STUD, ("bert: folds", "bert: folds [3c 3h 2d]"))
    assert dealt(hand, 2) == ["3c", "3h", "2d"]
    assert kinds(hand, e.CardsShown)[0].seat == 1


def test_the_community_card_is_for_all_and_nobody_gets_a_seventh() -> None:
    hand = read(
        STUD,
        ("*** RIVER ***\nDealt to anna [Ah Kd 9c 8h 4c 3d] [As]", "*** RIVER *** [As]"),
        ("anna: shows [Ah Kd 9c 8h 4c 3d As]", "anna: shows [Ah Kd 9c 8h 4c 3d]"),
        ("anna showed [Ah Kd 9c 8h 4c 3d As]", "anna showed [Ah Kd 9c 8h 4c 3d]"),
        ("cleo mucked [Js Tc Qs 7s 2h 5d 6c]", "cleo mucked [Js Tc Qs 7s 2h 5d]"),
    )
    assert kinds(hand, e.CommunityCardDealt) == [e.CommunityCardDealt(card="As", position=None)]
    assert not [deal for deal in kinds(hand, e.CardsDealt) if deal.street == 7]


def test_chat_is_never_an_act() -> None:
    chat = 'anna said, "cleo: folds"\ncleo: calls $2\n*** 6th'
    hand = read(
        STUD,
        ("cleo: calls $2\n*** 6th", chat),
        ("bert: folds", 'bert: folds\nx said, "*** RIVER ***"'),
    )
    assert [f.seat for f in kinds(hand, e.Folded)] == [2]


@pytest.mark.parametrize(
    "noise",
    [
        "eddi joins the table at seat #5",
        "dora leaves the table",
        "eddi was removed from the table for failing to post",
        "Pair on board - a double bet is allowed",
        "Betting is capped",
        "dora is sitting out",
        "eddi is connected",
    ],
)
def test_what_happens_around_the_table_moves_nothing(noise: str) -> None:
    hand = read(STUD, ("bert: folds", f"bert: folds\n{noise}"))
    assert hand.events[1:] == read(STUD).events[1:]


def test_a_lost_connection_is_evidence() -> None:
    hand = read(STUD, ("bert: folds", "bert is disconnected\nbert: folds\nbert is connected"))
    assert kinds(hand, e.PlayerDisconnected) == [e.PlayerDisconnected(seat=2)]
    assert kinds(hand, e.PlayerReconnected) == [e.PlayerReconnected(seat=2)]


@pytest.mark.parametrize(
    "lines",
    ["bert has timed out\nbert: folds", "bert: folds\nbert has timed out while disconnected"],
)
def test_a_time_out_names_what_came_of_it(lines: str) -> None:
    hand = read(STUD, ("bert: folds", lines))
    place = next(i for i, event in enumerate(hand.events) if isinstance(event, e.TimedOut))
    timed_out = hand.events[place]
    assert isinstance(timed_out, e.TimedOut)
    assert (timed_out.seat, timed_out.outcome) == (2, "fold")
    assert hand.events[place + 1] == e.Folded(seat=2)


@pytest.mark.parametrize(
    "name",
    ["PC [Mittel]", "a: folds", "x raises $1 to $2", 'said, "hi" ', "Seat 4: z", "(5) [5c]", "an"],
)
def test_a_name_may_hold_anything(name: str) -> None:
    hand = read(STUD.replace("bert", name.strip()))
    assert judge(hand.events).findings == ()
    assert started(hand).seats[1].player == name.strip()
    assert dealt(hand, 2) == ["??", "??", "2d"]


def test_of_two_names_the_longer_one_is_meant() -> None:
    hand = read(STUD.replace("bert", "anna: folds"))
    assert [f.seat for f in kinds(hand, e.Folded)] == [2]


def test_an_uncalled_bet_is_returned_once_when_it_is_printed() -> None:
    hand = read(
        STUD,
        (
            "cleo: calls $2\n*** SHOW DOWN ***\nanna: shows [Ah Kd 9c 8h 4c 3d As] (a pair of Aces)"
            "\ncleo: mucks hand\nanna collected $12.20",
            "cleo: folds\nUncalled bet ($2) returned to anna\nanna collected $8.20",
        ),
        ("$12.80 | Rake", "$8.80 | Rake"),
        ("anna showed [Ah Kd 9c 8h 4c 3d As]", "anna collected"),
    )
    assert kinds(hand, e.UncalledReturned) == [e.UncalledReturned(seat=1, amount=200)]
    assert judge(hand.events).findings == ()


def test_an_uncalled_bet_is_inferred_when_it_is_not_printed() -> None:
    hand = read(
        STUD,
        (
            "cleo: calls $2\n*** SHOW DOWN ***\nanna: shows [Ah Kd 9c 8h 4c 3d As] (a pair of Aces)"
            "\ncleo: mucks hand\nanna collected $12.20",
            "cleo: folds\nanna collected $8.20",
        ),
        ("$12.80 | Rake", "$8.80 | Rake"),
    )
    assert kinds(hand, e.UncalledReturned) == [e.UncalledReturned(seat=1, amount=200)]


def test_an_all_in_call_for_less_returns_the_rest() -> None:
    hand = read(
        STUD,
        ("Seat 4: cleo ($20 in", "Seat 4: cleo ($5.60 in"),
        (
            "cleo: calls $2\n*** SHOW DOWN",
            "cleo: calls $1.50 and is all-in\nUncalled bet ($0.50) returned to anna\n*** SHOW DOWN",
        ),
        ("collected $12.20", "collected $11.20"),
        ("$12.80 | Rake", "$11.80 | Rake"),
    )
    assert kinds(hand, e.Called)[-1] == e.Called(seat=4, amount=150, all_in=True)
    assert kinds(hand, e.UncalledReturned) == [e.UncalledReturned(seat=1, amount=50)]
    assert judge(hand.events).findings == ()


def test_an_all_in_for_less_than_the_bet_is_a_call_even_if_printed_as_a_raise() -> None:
    hand = read(
        STUD,
        ("Seat 4: cleo ($20 in", "Seat 4: cleo ($5.60 in"),
        (
            "cleo: calls $2\n*** SHOW DOWN",
            "cleo: raises -$0.50 to $1.50 and is all-in\n*** SHOW DOWN",
        ),
        ("collected $12.20", "collected $11.20"),
        ("$12.80 | Rake", "$11.80 | Rake"),
    )
    assert kinds(hand, e.Called)[-1] == e.Called(seat=4, amount=150, all_in=True)


def test_a_hand_without_antes_has_none() -> None:
    text = "".join(line for line in STUD.splitlines(keepends=True) if "posts the ante" not in line)
    hand = read(text, ("collected $12.20", "collected $11.90"), ("$12.80 |", "$12.50 |"))
    assert kinds(hand, e.AntePosted) == []
    assert started(hand).stakes.ante == 0
    assert judge(hand.events).findings == ()


def test_house_rules_can_be_chosen() -> None:
    [hand] = outcomes(STUD, TOPSPOKER)
    assert isinstance(hand, HandRead)
    assert started(hand).house_rules == TOPSPOKER
    assert started(hand).rake_schedule is not None


@pytest.mark.parametrize("words", ["Hand cancelled", "Hand was canceled."])
def test_a_cancelled_hand_is_void_with_its_reason(words: str) -> None:
    text = STUD[: STUD.index("*** 5th")] + f"{words}\n*** SUMMARY ***\nTotal pot $4.80 | Rake $0\n"
    hand = read(text)
    [void] = kinds(hand, e.HandVoided)
    assert {move.seat: move.amount for move in void.moves} == {1: 210, 2: 60, 4: 210}
    assert (void.rake, void.ruling, void.reason) == (0, None, "The site cancelled the hand.")
    assert kinds(hand, e.PotAwarded) == []
    assert {player.stack for player in state(hand).seats} == {2000}
    assert judge(hand.events).findings == ()


def test_a_hand_cancelled_before_anybody_anted_moves_nothing() -> None:
    text = STUD[: STUD.index("anna: posts")] + "Hand cancelled\n"
    assert kinds(read(text), e.HandVoided)[0].moves == ()


def test_a_player_cannot_cancel_a_hand_by_saying_so() -> None:
    chat = 'bert said, "Hand cancelled"'
    hand = read(STUD, ("bert: folds", f"bert: folds\n{chat}"))
    assert kinds(hand, e.HandVoided) == []
