"""PHH as it is written: in the words of the standard, and refused where it has none."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain import events as e
from domain.house_rules import TOPSPOKER
from domain.units import Game
from services.demo.arranged import arranged_hands
from services.demo.hands import table_hands
from services.readers.record import HandRead
from services.replaying import ALL, PUBLIC, View, parse_view
from services.writers import CannotSay, seen_hand
from services.writers.phh import phh_of
from tests.support.hand_texts import PHH, STUD, changed, in_chips, outcomes, read, with_header
from tests.support.site_texts import BOVADA, FULLTILT

HAND = UUID(int=7)
Events = Sequence[e.HandEvent]

UNRAKED = changed(
    STUD, ("$12.80 | Rake $0.60", "$12.80 | Rake $0"), ("collected $12.20", "collected $12.80")
)


def written(events: Events, view: View = PUBLIC) -> str:
    return phh_of(seen_hand(HAND, events, {}, view))


def fields(events: Events, view: View = PUBLIC) -> dict[str, Any]:
    return tomllib.loads(written(events, view), parse_float=Decimal)


def refusal(events: Events, view: View = PUBLIC) -> str:
    with pytest.raises(CannotSay) as wrong:
        written(events, view)
    return str(wrong.value)


def with_event(events: Events, event: e.HandEvent) -> Events:
    """The hand with one more fact before its end."""
    return (*events[:-1], event, events[-1])


def test_a_hand_is_written_field_by_field() -> None:
    told = fields(read(UNRAKED).events, ALL)
    assert told["variant"] == "F7S"
    assert told["antes"] == [Decimal("0.10")] * 3
    assert (told["bring_in"], told["small_bet"], told["big_bet"]) == (Decimal("0.50"), 1, 2)
    assert told["starting_stacks"] == [20, 20, 20]
    assert told["finishing_stacks"] == [Decimal("26.70"), Decimal("19.40"), Decimal("13.90")]
    assert told["players"] == ["anna", "bert", "cleo"]
    assert (told["seats"], told["seat_count"], told["table"]) == ([1, 2, 4], 8, "Aquila")
    assert (told["currency"], told["hand"]) == ("USD", "7001")
    assert (told["year"], told["month"], told["day"]) == (2024, 3, 1)
    assert (str(told["time"]), told["time_zone"]) == ("23:30:00", "UTC")


def test_acts_are_in_the_words_of_the_standard() -> None:
    actions = fields(read(UNRAKED).events, ALL)["actions"]
    assert actions[:8] == [
        "d dh p1 AhKd9c",
        "d dh p2 ????2d",
        "d dh p3 JsTcQs",
        "p2 pb",
        "p3 cbr 1",
        "p1 cc",
        "p2 f",
        "d dh p1 8h",
    ]
    assert actions[-2:] == ["p1 sm AhKd9c8h4c3dAs", "p3 sm"]


def test_what_the_view_did_not_see_is_written_as_unknown() -> None:
    actions = fields(read(UNRAKED).events)["actions"]
    assert actions[:3] == ["d dh p1 ????9c", "d dh p2 ????2d", "d dh p3 ????Qs"]
    own = fields(read(UNRAKED).events, parse_view("seat:4"))["actions"]
    assert own[:3] == ["d dh p1 ????9c", "d dh p2 ????2d", "d dh p3 JsTcQs"]


def test_player_one_sits_left_of_the_dealer() -> None:
    text = changed(PHH, ("actions = [", "seats = [4, 5, 2]\nactions = ["))
    told = fields(read(text).events)
    assert told["seats"] == [4, 5, 2]
    assert "dealer" not in told["_studledger"]


def test_an_unknown_dealer_is_not_made_one() -> None:
    assert fields(read(UNRAKED).events)["_studledger"]["dealer"] == 0


def test_a_tournament_has_an_event_and_no_currency() -> None:
    header = (
        "PokerStars Hand #7001: Tournament #55, 1+1 7 Card Stud Limit - Level XV ($1/$2)"
        " - 2024/03/01 18:30:00 ET"
    )
    [hand] = outcomes(in_chips(with_header(header, UNRAKED)))
    assert isinstance(hand, HandRead)
    told = fields(hand.events)
    assert (told["event"], "currency" in told) == ("Aquila", False)


@pytest.mark.parametrize("name", ['Al "the" \\ Rock', "Zoë", "a # b", "''", "名"])
def test_a_name_may_hold_anything(name: str) -> None:
    told = fields(read(UNRAKED.replace("bert", name)).events)
    assert told["players"][1] == name


# -- what it has no word for -----------------------------------------------------------------------


def test_rake_has_no_word() -> None:
    assert refusal(read(STUD).events) == "PHH has no word for rake"
    assert refusal(read(FULLTILT).events) == "PHH has no word for rake"


def test_a_time_out_has_no_word() -> None:
    text = changed(UNRAKED, ("bert: folds", "bert has timed out\nbert: folds"))
    assert refusal(read(text).events) == "PHH has no word for a time-out"


def test_a_voided_hand_and_a_corrected_award_have_no_words() -> None:
    text = UNRAKED[: UNRAKED.index("*** 5th")] + "Hand cancelled\n"
    assert refusal(read(text).events) == "the hand is not over"
    moves = (e.SeatMove(seat=1, amount=-10), e.SeatMove(seat=2, amount=10))
    corrected = e.AwardCorrected(moves=moves, rake=0, reason="misread", ruling=None)
    assert "corrected" in refusal((*read(UNRAKED).events, corrected))


def test_an_odd_chip_has_no_word() -> None:
    odd = with_event(read(UNRAKED).events, _odd_award())
    assert refusal(odd) == "PHH has no word for an odd chip"


def _odd_award() -> e.PotAwarded:
    share = e.Share(seat=1, amount=0, odd=1)
    reason = e.Reason(rule="P5", compared=())
    return e.PotAwarded(pot=1, half="whole", amount=0, shares=(share,), reason=reason)


def test_a_hand_shown_in_part_has_no_word() -> None:
    text = changed(
        UNRAKED,
        ("cleo: mucks hand", "cleo: shows [Js Qs]"),
        ("Seat 4: cleo mucked [Js Tc Qs 7s 2h 5d 6c]", "Seat 4: cleo lost"),
    )
    assert "shown in part" in refusal(read(text).events)


def test_high_and_low_without_a_qualifier_is_no_variant() -> None:
    hand = next(hand for hand in table_hands(3) if _game(hand.events) == "stud_hilo")
    assert "without a qualifier" in refusal(hand.events)


def _game(events: Events) -> Game:
    assert isinstance(events[0], e.HandStarted)
    return events[0].game


def test_house_rules_of_a_rooms_own_have_no_name() -> None:
    start, *rest = read(UNRAKED).events
    assert isinstance(start, e.HandStarted)
    own = replace(start, house_rules=replace(TOPSPOKER, burn_cards=True))
    assert "house rules" in refusal((own, *rest))


def test_a_call_for_too_little_would_be_read_as_one_for_what_was_owed() -> None:
    text = changed(
        UNRAKED,
        ("anna: calls $1\nbert", "anna: calls $0.90\nbert"),
        ("collected $12.80", "collected $12.60"),
        ("$12.80 |", "$12.60 |"),
    )
    assert "read back" in refusal(read(text).events)


# -- another program -------------------------------------------------------------------------------


def _without_double_bets(events: Events) -> bool:
    """The other program knows no double bet on fourth street."""
    street = 3
    for event in events:
        if isinstance(event, e.CardsDealt):
            street = event.street
        if isinstance(event, e.BetPlaced | e.Raised) and street == 4 and event.size == "big":
            return False
    return True


def _sayable() -> list[Events]:
    texts = (UNRAKED, PHH, changed(BOVADA, (" | Rake ($0.70)", "")).replace("15.60", "16.30"))
    hands: list[Events] = [read(text.replace("$7.80", "$8.15")).events for text in texts]
    hands += [hand.events for hand in (*arranged_hands(), *table_hands(240))]
    said = []
    for events in hands:
        try:
            written(events, ALL)
        except CannotSay:
            continue
        said.append(events)
    return said


@pytest.mark.filterwarnings("ignore:There is no reason for this player to fold")
def test_pokerkit_plays_what_is_written_to_the_same_stacks() -> None:
    pokerkit = pytest.importorskip("pokerkit", reason="a development dependency")
    hands = [events for events in _sayable() if _without_double_bets(events)]
    assert len(hands) >= 5
    for events in hands:
        history = pokerkit.HandHistory.loads(written(events, ALL), parse_value=Decimal)
        *_, last = history
        assert list(last.stacks) == history.finishing_stacks
