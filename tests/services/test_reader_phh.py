"""PHH: what the notation says, and what has to be inferred because it has no word for it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from domain import events as e
from domain.house_rules import PHH as PHH_RULES
from domain.verdict import judge
from services.readers.record import HandRead, Rejected, Skipped
from tests.support.hand_texts import (
    PHH,
    changed,
    dealt,
    kinds,
    outcomes,
    read,
    rejected,
    started,
    state,
    won,
)

TO_SHOWDOWN = changed(
    PHH,
    ("starting_stacks = [200, 200, 200]", "starting_stacks = [13, 200, 200]"),
    (
        '  "p3 cbr 5",\n  "p1 cbr 10",\n  "p3 f",\n',
        """\
  "p3 cbr 5",
  "p1 cc",
  "d dh p1 4c",
  "d dh p3 2h",
  "p3 cc",
  "p1 cbr 2",
  "p3 cc",
  "d dh p1 3d",
  "d dh p3 5d",
  "d dh p1 As",
  "d dh p3 6c",
  "p1 sm AhKd9c8h4c3dAs",
  "p3 sm",
""",
    ),
)


def test_the_actions_become_our_own_words() -> None:
    hand = read(PHH)
    assert [e.tag_of(event) for event in hand.events] == [
        "hand_started.v1",
        *["ante_posted.v1"] * 3,
        *["cards_dealt.v1"] * 3,
        "bring_in_posted.v1",
        "completed.v1",
        "called.v1",
        "folded.v1",
        *["cards_dealt.v1"] * 2,
        "bet_placed.v1",
        "raised.v1",
        "folded.v1",
        "uncalled_returned.v1",
        "incident_noted.v1",
        "pot_awarded.v1",
        "hand_completed.v1",
    ]
    assert judge(hand.events).findings == ()


def test_player_one_sits_left_of_the_dealer() -> None:
    assert started(read(PHH)).dealer == 3


def test_seats_and_names_are_the_records_own() -> None:
    extra = 'seats = [2, 5, 9]\nplayers = ["Ann", "Bob: folds", ""]\nactions = ['
    start = started(read(PHH, ("actions = [", extra)))
    assert [(s.seat, s.player) for s in start.seats] == [(2, "Ann"), (5, "Bob: folds"), (9, "p3")]
    assert start.dealer == 9


def test_the_house_rules_are_those_of_the_format() -> None:
    assert started(read(PHH)).house_rules == PHH_RULES


def test_unknown_cards_stay_unknown() -> None:
    assert dealt(read(PHH), 2) == ["??", "??", "2d"]


def test_what_nobody_matched_goes_back_though_no_action_says_so() -> None:
    hand = read(PHH)
    assert kinds(hand, e.UncalledReturned) == [e.UncalledReturned(seat=1, amount=5)]
    assert won(hand) == {1: 25}


def test_awards_the_record_does_not_print_are_derived_and_it_says_so() -> None:
    [note] = kinds(read(PHH), e.IncidentNoted)
    assert (note.kind, "does not say who won" in note.text) == ("inferred", True)


def test_finishing_stacks_say_who_won_and_need_no_note() -> None:
    hand = read(PHH, ("actions = [", "finishing_stacks = [214, 197, 189]\nactions = ["))
    assert won(hand) == {1: 25}
    assert kinds(hand, e.IncidentNoted) == []
    assert [s.stack for s in kinds(hand, e.HandCompleted)[0].stacks] == [214, 197, 189]
    assert judge(hand.events).findings == ()


@pytest.mark.parametrize("stacks", ["", "finishing_stacks = [214, 197, 189]\n"])
def test_winnings_may_be_what_a_player_won_or_lost_altogether(stacks: str) -> None:
    fields = f"winnings = [14, -3, -11]\n{stacks}actions = ["
    hand = read(PHH, ("actions = [", fields))
    [ended] = kinds(hand, e.HandCompleted)
    assert [one.stack for one in ended.stacks] == [214, 197, 189]
    assert won(hand) == {1: 25}
    assert judge(hand.events).findings == ()


def test_net_winnings_that_the_stacks_contradict_are_refused() -> None:
    fields = "winnings = [15, -3, -12]\nfinishing_stacks = [215, 197, 187]\n"
    assert "winnings" in rejected(PHH, ("actions = [", f"{fields}actions = [")).reason


@pytest.mark.parametrize("value", ["[nan, 0, 0]", "[25, 0]", '["25", 0, 0]', "25", "[inf, 0, 0]"])
def test_winnings_that_are_no_amounts_are_refused(value: str) -> None:
    assert "winnings" in rejected(PHH, ("actions = [", f"winnings = {value}\nactions = [")).reason


OURS = (
    '_studledger = { hand = "00000000-0000-4000-8000-000000000001", site = "Rota",'
    ' house_rules = "topspoker", dealer = 0 }\n'
)


def test_what_this_program_wrote_beside_the_notation_is_taken_at_its_word() -> None:
    hand = read(PHH, ("actions = [", f"{OURS}actions = ["))
    start = started(hand)
    assert str(hand.hand) == "00000000-0000-4000-8000-000000000001"
    assert (start.site, start.house_rules.name, start.dealer) == ("Rota", "topspoker", None)


@pytest.mark.parametrize(
    ("old", "new"),
    [("00000000-", "x"), ('"topspoker"', '"nobody"'), ("dealer = 0", "dealer = 11")],
)
def test_a_wrong_word_beside_the_notation_is_refused(old: str, new: str) -> None:
    wrong = rejected(PHH, ("actions = [", f"{OURS.replace(old, new)}actions = ["))
    assert "_studledger" in wrong.reason


def test_winnings_say_who_won() -> None:
    hand = read(PHH, ("actions = [", "winnings = [25, 0, 0]\nactions = ["))
    assert won(hand) == {1: 25}
    assert judge(hand.events).findings == ()


def test_finishing_stacks_that_do_not_add_up_are_kept_and_found() -> None:
    hand = read(PHH, ("actions = [", "finishing_stacks = [213, 197, 189]\nactions = ["))
    assert won(hand) == {1: 24}
    assert judge(hand.events).findings


def test_more_in_the_finishing_stacks_than_was_put_in_is_rejected() -> None:
    wrong = rejected(PHH, ("actions = [", "finishing_stacks = [215, 197, 189]\nactions = ["))
    assert "more out than in" in wrong.reason


def test_a_short_stack_calls_with_all_he_has_and_is_all_in() -> None:
    hand = read(TO_SHOWDOWN)
    assert kinds(hand, e.BetPlaced)[-1].all_in
    assert kinds(hand, e.Called)[-1] == e.Called(seat=3, amount=2, all_in=False)
    assert judge(hand.events).findings == ()
    assert state(hand).player(1).stack == 13 + 13 + 3, "his, as much of seat 3, the folded bring-in"


def test_showing_and_mucking_have_their_own_facts() -> None:
    hand = read(TO_SHOWDOWN)
    assert [s.seat for s in kinds(hand, e.CardsShown)] == [1]
    assert [m.seat for m in kinds(hand, e.Mucked)] == [3]


def test_a_dash_shows_the_cards_that_are_known_already() -> None:
    hand = read(TO_SHOWDOWN, ("p1 sm AhKd9c8h4c3dAs", "p1 sm -"))
    [shown] = kinds(hand, e.CardsShown)
    assert shown.cards == ("Ah", "Kd", "9c", "8h", "4c", "3d", "As")


def test_a_short_ante_is_all_he_has() -> None:
    hand = read(
        PHH,
        ("antes = [1, 1, 1]", "antes = [3, 3, 3]"),
        ("starting_stacks = [200, 200, 200]", "starting_stacks = [200, 2, 200]"),
        ('  "p2 pb",\n  "p3 cbr 5",\n  "p1 cc",\n  "p2 f",\n', '  "p3 pb",\n  "p1 cc",\n'),
        (
            '  "d dh p3 7s",\n',
            '  "d dh p2 3d",\n  "d dh p3 7s",\n',
        ),
        ('  "p3 f",\n', '  "p3 cc",\n' + "".join(
            f'  "d dh p1 {a}",\n  "d dh p2 {b}",\n  "d dh p3 {c}",\n  "p3 cc",\n  "p1 cc",\n'
            for a, b, c in (("4c", "4d", "2h"), ("3h", "5d", "5h"), ("As", "6d", "6c"))
        )),
    )  # fmt: skip
    assert kinds(hand, e.AntePosted)[1] == e.AntePosted(seat=2, amount=2, all_in=True)
    assert started(hand).stakes.ante == 3


def test_a_community_card_is_dealt_to_all() -> None:
    hand = read(TO_SHOWDOWN, ('"d dh p1 As",\n  "d dh p3 6c"', '"d db As"'), ("3dAs", "3d"))
    assert kinds(hand, e.CommunityCardDealt)[0].card == "As"
    assert not [deal for deal in kinds(hand, e.CardsDealt) if deal.street == 7]


def test_a_comment_says_nothing() -> None:
    hand = read(PHH, ('"p2 pb"', '"p2 pb # the low card"'), ('"p2 f"', '"# p1 f",\n  "p2 f"'))
    assert hand.events[1:] == read(PHH).events[1:]


def test_every_event_knows_the_line_of_its_action() -> None:
    hand = read(PHH)
    place = next(i for i, event in enumerate(hand.events) if isinstance(event, e.Completed))
    assert hand.lines[place] == 12


# -- money, time, identity ----------------------------------------------------------------------


def test_a_currency_makes_it_real_money_in_minor_units_with_rake_nothing() -> None:
    text = changed(
        PHH, ("actions = [", 'currency = "USD"\nactions = ['), ("small_bet = 5", "small_bet = 5.0")
    )
    hand = read(text)
    assert started(hand).money == e.Money(kind="real", currency="USD", exponent=2)
    assert started(hand).stakes.small_bet == 500
    assert [r.total for r in kinds(hand, e.RakeTaken)] == [0]


def test_an_event_without_currency_is_a_tournament() -> None:
    hand = read(PHH, ("actions = [", 'event = "Spring Open"\nactions = ['))
    assert started(hand).money.kind == "tournament"
    assert kinds(hand, e.RakeTaken) == []


def test_neither_is_play_money() -> None:
    assert started(read(PHH)).money == e.Money(kind="play", currency="chips", exponent=0)


def test_decimals_are_exact() -> None:
    hand = read(
        PHH,
        ("antes = [1, 1, 1]", "antes = [0.1, 0.1, 0.10]"),
        ("bring_in = 2", "bring_in = 0.2"),
        ("small_bet = 5", "small_bet = 0.55"),
        ("big_bet = 10", "big_bet = 1.1"),
        ('p3 cbr 5",\n  "p1 cc', 'p3 cbr 0.55",\n  "p1 cc'),
        ('p3 cbr 5",\n  "p1 cbr 10', 'p3 cbr .55",\n  "p1 cbr 1.10'.replace(".55", "0.55")),
    )
    assert started(hand).money.exponent == 2
    assert kinds(hand, e.Raised)[0].to == 110
    assert state(hand).player(1).started_with == 20000


@pytest.mark.parametrize(
    ("fields", "played_at"),
    [
        ("day = 22\nmonth = 6\nyear = 2023", datetime(2023, 6, 22, tzinfo=UTC)),
        (
            "day = 22\nmonth = 6\nyear = 2023\ntime = 10:30:00",
            datetime(2023, 6, 22, 10, 30, tzinfo=UTC),
        ),
        (
            'day = 22\nmonth = 6\nyear = 2023\ntime = 10:30:00\ntime_zone = "America/Los_Angeles"',
            datetime(2023, 6, 22, 17, 30, tzinfo=UTC),
        ),
        ("day = 31\nmonth = 2\nyear = 2023", None),
        ("year = 2023", None),
    ],
)
def test_the_day_is_midnight_unless_a_time_is_given(
    fields: str, played_at: datetime | None
) -> None:
    assert started(read(PHH, ("actions = [", f"{fields}\nactions = ["))).played_at == played_at


def test_event_date_and_hand_name_a_hand() -> None:
    fields = 'event = "Spring Open"\nhand = 7\nday = 1\nmonth = 2\nyear = 2024\nactions = ['
    hand = read(PHH, ("actions = [", fields))
    assert (hand.identity, started(hand).number) == ("Spring Open | 2024-2-1 | 7", "7")


def test_without_a_number_only_its_facts_name_a_hand() -> None:
    assert read(PHH).identity == ""


# -- other games and what cannot be read --------------------------------------------------------


def test_hi_lo_is_eight_or_better() -> None:
    assert started(read(PHH, ('"F7S"', '"F7S/8"'))).game == "stud8"


def test_razz_is_skipped() -> None:
    [skipped] = outcomes(changed(PHH, ('"F7S"', '"FR"')))
    assert isinstance(skipped, Skipped)
    assert skipped.game == "razz"


def test_a_file_of_several_numbered_hands_is_read_hand_by_hand() -> None:
    razz, broken = PHH.replace("F7S", "FR"), PHH.replace("p2 pb", "p2 pp")
    text = f"[1]\n{PHH}\n[2]\n{razz}\n[3]\n{broken}"
    first, second, third = outcomes(text)
    assert isinstance(first, HandRead)
    assert isinstance(second, Skipped)
    assert isinstance(third, Rejected)
    assert (third.line, third.begins) == (56, 45)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('"F7S"', '"N7S"'), "no-limit"),
        (('"F7S"', '"XYZ"'), "XYZ"),
        (("small_bet = 5", ""), "small_bet"),
        (("small_bet = 5", "small_bet = 50"), "stakes"),
        (("bring_in = 2", 'bring_in = "2"'), "bring_in"),
        (("stacks = [200, 200, 200]", "stacks = [200, inf, 200]"), "starting_stacks"),
        (("starting_stacks = [200, 200, 200]", "starting_stacks = [200]"), "starting_stacks"),
        (("antes = [1, 1, 1]", "antes = [1, 1]"), "antes"),
        (("antes = [1, 1, 1]", "antes = [1, -1, 1]"), "antes"),
        (('"p2 pb"', '"p4 pb"'), "p4"),
        (('"p2 pb"', '"p2 px"'), "p2 px"),
        (('"p1 cbr 10"', '"p1 cbr ten"'), "ten"),
        (('"p1 cbr 10"', '"p1 cbr 999"'), "has"),
        (('"d dh p1 8h"', '"d dh p1 8x"'), "8x"),
        (('"d dh p1 8h"', '"d dh p1 Ah"'), "dealt twice"),
        (('"d dh p1 8h"', '"d dh p1 8h8d"'), "cards"),
        (("actions = [", 'players = ["a\\u0000", "b", "c"]\nactions = ['), "players"),
        (("actions = [", "seats = [1, 1, 2]\nactions = ["), "seats"),
        (('"p3 f",\n]', '"p3 f",'), "not TOML"),
        (('  "p3 f",\n', ""), "breaks off"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_rejected_in_words(change: tuple[str, str], words: str) -> None:
    assert words in rejected(PHH, change).reason
