"""What a record says was paid: halves, side pots and odd chips found again, or left as printed."""

from __future__ import annotations

from domain import events as e
from domain.verdict import judge
from tests.support.hand_texts import STUD, changed, kinds, read, rejected, won

HEADER = "7 Card Stud Limit"
HI_LO = changed(
    STUD,
    (HEADER, "7 Card Stud Hi/Lo Limit"),
    ("[Ah Kd 9c 8h 4c 3d As] (a pair of Aces)\n", "[Ah Kd 9c 8h 4c 3d As] (HI: a pair of Aces)\n"),
    ("cleo: mucks hand", "cleo: shows [3h 4s Qs 7s 2h 5d 6c] (HI: a straight; LO: 6,5,4,3,2)"),
    ("cleo mucked [Js Tc Qs 7s 2h 5d 6c]", "cleo showed [3h 4s Qs 7s 2h 5d 6c]"),
    ("Rake $0.60", "Rake $0.61"),
    (
        "anna collected $12.20 from pot",
        "cleo collected $6.10 from pot\ncleo collected $6.09 from pot",
    ),
)
"""cleo scoops 1219: the high half is 610, the low half 609."""

SIDE_POT = """\
PokerStars Hand #7003: 7 Card Stud Limit ($1/$2 USD) - 2024/03/01 18:30:00 ET
Table 'Aquila' 8-max
Seat 1: anna ($20 in chips)
Seat 2: bert ($2 in chips)
Seat 4: cleo ($20 in chips)
anna: posts the ante $0.10
bert: posts the ante $0.10
cleo: posts the ante $0.10
*** 3rd STREET ***
Dealt to anna [9c]
Dealt to bert [2d]
Dealt to cleo [Qs]
bert: brings in for $0.50
cleo: raises $0.50 to $1
anna: calls $1
bert: calls $0.50
*** 4th STREET ***
Dealt to anna [9c] [8h]
Dealt to bert [2d] [2c]
Dealt to cleo [Qs] [7s]
Pair on board - a double bet is allowed
bert: bets $0.90 and is all-in
cleo: raises $1 to $1.90
anna: calls $1.90
*** 5th STREET ***
Dealt to anna [9c 8h] [4c]
Dealt to bert [2d 2c] [3s]
Dealt to cleo [Qs 7s] [2h]
cleo: bets $2
anna: calls $2
*** 6th STREET ***
Dealt to anna [9c 8h 4c] [3d]
Dealt to bert [2d 2c 3s] [Jd]
Dealt to cleo [Qs 7s 2h] [5d]
cleo: checks
anna: checks
*** RIVER ***
cleo: checks
anna: checks
*** SHOW DOWN ***
cleo: shows [Js Tc Qs 7s 2h 5d 6c] (high card Queen)
anna: shows [Ah Kd 9c 8h 4c 3d As] (a pair of Aces)
anna collected $5.80 from side pot
bert: shows [2s Kc 2d 2c 3s Jd 4d] (three of a kind, Deuces)
bert collected $5.80 from main pot
*** SUMMARY ***
Total pot $12.00 Main pot $5.80. Side pot $5.80. | Rake $0.40
Seat 1: anna showed [Ah Kd 9c 8h 4c 3d As] and won ($5.80) with a pair of Aces
Seat 2: bert showed [2s Kc 2d 2c 3s Jd 4d] and won ($5.80) with three of a kind, Deuces
Seat 4: cleo showed [Js Tc Qs 7s 2h 5d 6c] and lost with high card Queen
"""
"""Main pot 3 x 2.00, side pot 2 x 3.00: gross 600 and 600."""


def reasons(award: e.PotAwarded) -> list[tuple[int, str]]:
    return [(c.seat, c.rule) for c in award.reason.compared]


def test_a_scooped_pot_has_two_halves_that_add_up() -> None:
    hand = read(HI_LO)
    awards = kinds(hand, e.PotAwarded)
    assert [(a.half, a.amount, a.reason.rule) for a in awards] == [
        ("high", 610, "G1"),
        ("low", 609, "G2"),
    ]
    assert won(hand) == {4: 1219}
    assert judge(hand.events).findings == ()


def test_an_award_that_fits_the_rules_carries_the_hands_compared() -> None:
    high, low = kinds(read(HI_LO), e.PotAwarded)
    assert reasons(high) == [(4, "G1"), (1, "G1")]
    assert [c.words for c in low.reason.compared] == ["6-5-4-3-2 low", "no low"]


def test_main_and_side_pot_are_awarded_apart_and_each_bears_its_rake() -> None:
    hand = read(SIDE_POT)
    assert kinds(hand, e.RakeTaken)[0].pots == (20, 20)
    assert [(a.pot, a.amount, a.shares[0].seat) for a in kinds(hand, e.PotAwarded)] == [
        (0, 580, 2),
        (1, 580, 1),
    ]
    assert judge(hand.events).findings == ()


def test_rake_is_what_the_pots_are_lighter_by() -> None:
    hand = read(
        SIDE_POT, ("$5.80 from side", "$5.70 from side"), ("$5.80 from main", "$5.90 from main")
    )
    assert kinds(hand, e.RakeTaken)[0].pots == (10, 30)


def test_rake_is_recorded_even_when_it_is_nothing() -> None:
    hand = read(STUD, ("collected $12.20", "collected $12.80"), ("Rake $0.60", "Rake $0"))
    rake = kinds(hand, e.RakeTaken)[0]
    assert (rake.total, rake.pots, rake.row, rake.step) == (0, (0,), None, None)


def test_rake_is_attributed_to_the_last_cent() -> None:
    rake = kinds(read(STUD), e.RakeTaken)[0]
    assert sum(share.amount for share in rake.attribution.shares) == 60


def test_a_rake_that_leaves_chips_in_the_middle_is_kept_as_printed_and_found() -> None:
    hand = read(STUD, ("Rake $0.60", "Rake $0.50"))
    assert kinds(hand, e.RakeTaken)[0].total == 50
    assert won(hand) == {1: 1220}
    assert judge(hand.events).findings


def test_two_lines_for_one_player_add_up() -> None:
    line = "anna collected $12.20 from pot"
    hand = read(STUD, (line, "anna collected $12 from pot\nanna collected $0.20 from pot"))
    assert won(hand) == {1: 1220}
    assert kinds(hand, e.HandCompleted)[0].stacks[0].stack == 2610


def test_whoever_the_record_pays_is_paid_even_if_he_lost() -> None:
    hand = read(HI_LO, ("cleo collected $6.10", "anna collected $6.10"))
    assert won(hand) == {1: 610, 4: 609}
    assert [(a.half, a.shares[0].seat) for a in kinds(hand, e.PotAwarded)] == [
        ("high", 1),
        ("low", 4),
    ]
    assert judge(hand.events).findings


def test_halves_nobody_can_tell_apart_are_one_award() -> None:
    hand = read(
        HI_LO,
        ("cleo collected $6.10", "anna collected $7.00"),
        ("cleo collected $6.09", "cleo collected $5.19"),
    )
    [award] = kinds(hand, e.PotAwarded)
    assert (award.half, award.amount, award.reason.compared) == ("whole", 1219, ())


def test_unseen_cards_leave_the_printed_halves_in_their_printed_order() -> None:
    hand = read(
        HI_LO,
        ("cleo: shows [3h 4s Qs 7s 2h 5d 6c] (HI: a straight; LO: 6,5,4,3,2)\n", ""),
        ("cleo showed [3h 4s Qs 7s 2h 5d 6c]", "cleo won"),
        ("cleo collected $6.10", "anna collected $6.10"),
    )
    assert [(a.half, a.shares[0].seat) for a in kinds(hand, e.PotAwarded)] == [
        ("high", 1),
        ("low", 4),
    ]
    assert judge(hand.events).verdict == "clean_as_visible"


def tied(first: str, second: str) -> str:
    """Both play ace-king-queen-jack-nine; 12.19 are shared as the lines say."""
    return changed(
        STUD,
        ("Dealt to anna [Ah Kd 9c 8h 4c 3d] [As]", "Dealt to anna [Ah Kd 9c 8h 4c 3d] [Qd]"),
        ("anna: shows [Ah Kd 9c 8h 4c 3d As]", "anna: shows [Ah Kd 9c 8h 4c 3d Qd]"),
        ("anna showed [Ah Kd 9c 8h 4c 3d As]", "anna showed [Ah Kd 9c 8h 4c 3d Qd]"),
        ("cleo: mucks hand", "cleo: shows [Ac Kh Qs 7s 9h 8d 2s] (high card Ace)"),
        ("Dealt to cleo [Qs] [7s]", "Dealt to cleo [Qs] [8d]"),
        ("Dealt to cleo [Qs 7s] [2h]", "Dealt to cleo [Qs 8d] [9h]"),
        ("Dealt to cleo [Qs 7s 2h] [5d]", "Dealt to cleo [Qs 8d 9h] [2s]"),
        ("cleo mucked [Js Tc Qs 7s 2h 5d 6c]", "cleo showed [Ac Kh Qs 8d 9h 2s 7s]"),
        ("anna collected $12.20 from pot", f"{first} from pot\n{second} from pot"),
        ("Rake $0.60", "Rake $0.61"),
    ).replace("[Ac Kh Qs 7s 9h 8d 2s]", "[Ac Kh Qs 8d 9h 2s 7s]")


def test_the_odd_chip_goes_where_the_record_puts_it() -> None:
    for lucky, other in ((1, 4), (4, 1)):
        names = {1: "anna", 4: "cleo"}
        hand = read(tied(f"{names[lucky]} collected $6.10", f"{names[other]} collected $6.09"))
        [award] = kinds(hand, e.PotAwarded)
        assert [(s.seat, s.amount, s.odd) for s in award.shares] == [
            (lucky, 610, 1),
            (other, 609, 0),
        ]
        assert judge(hand.events).findings == ()


def test_two_tied_winners_are_not_a_pot_paid_twice() -> None:
    hand = read(
        tied("anna collected $6.10", "cleo collected $6.10").replace("Rake $0.61", "Rake $0.60")
    )
    assert won(hand) == {1: 610, 4: 610}


def test_paying_the_whole_pot_to_both_is_paying_it_twice() -> None:
    assert "paid twice" in rejected(tied("anna collected $12.19", "cleo collected $12.19")).reason


LONE_BRING_IN = (
    STUD[: STUD.index("cleo: raises")]
    + """\
cleo: folds
anna: folds
Uncalled bet ($0.50) returned to bert
bert collected $0.30 from pot
bert: doesn't show hand
*** SUMMARY ***
Total pot $0.30 | Rake $0
Seat 1: anna folded on the 3rd Street (didn't bet)
Seat 2: bert collected ($0.30)
Seat 4: cleo folded on the 3rd Street (didn't bet)
"""
)


def test_the_last_player_gets_his_bring_in_back_and_takes_the_antes() -> None:
    hand = read(LONE_BRING_IN)
    assert kinds(hand, e.UncalledReturned) == [e.UncalledReturned(seat=2, amount=50)]
    assert won(hand) == {2: 30}
    assert judge(hand.events).findings == ()


def test_without_antes_there_is_nothing_to_award() -> None:
    lines = LONE_BRING_IN.splitlines(keepends=True)
    text = "".join(line for line in lines if "ante" not in line and "collected $" not in line)
    hand = read(text, ("Total pot $0.30", "Total pot $0"))
    assert kinds(hand, e.PotAwarded) == []
    assert kinds(hand, e.RakeTaken)[0].total == 0
    assert {s.stack for s in kinds(hand, e.HandCompleted)[0].stacks} == {2000}
    assert judge(hand.events).findings == ()
