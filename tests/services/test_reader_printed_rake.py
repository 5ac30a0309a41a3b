"""A record that prints pot, rake, payout and the bet nobody called: each is counted once."""

from __future__ import annotations

from domain import events as e
from domain.verdict import judge
from tests.support.hand_texts import kinds, read, rejected, won

UNCALLED = "Uncalled bet ($0.16) returned to anna\n"
TEXT = f"""\
PokerStars Hand #7007: 7 Card Stud Limit ($0.08/$0.16 USD) - 2024/03/01 18:30:00 ET
Table 'Aquila' 8-max
Seat 1: anna ($2 in chips)
Seat 2: bert ($2 in chips)
Seat 4: cleo ($2 in chips)
anna: posts the ante $0.01
bert: posts the ante $0.01
cleo: posts the ante $0.01
*** 3rd STREET ***
Dealt to anna [Ah Kd 9c]
Dealt to bert [2d]
Dealt to cleo [Qs]
bert: brings in for $0.02
cleo: raises $0.06 to $0.08
anna: calls $0.08
bert: folds
*** 4th STREET ***
Dealt to anna [Ah Kd 9c] [8h]
Dealt to cleo [Qs] [7s]
cleo: bets $0.08
anna: raises $0.08 to $0.16
cleo: calls $0.08
*** 5th STREET ***
Dealt to anna [Ah Kd 9c 8h] [9d]
Dealt to cleo [Qs 7s] [2h]
anna: bets $0.16
cleo: folds
{UNCALLED}anna collected $0.49 from pot
*** SUMMARY ***
Total pot $0.53 | Rake $0.04
Seat 1: anna collected ($0.49)
Seat 2: bert folded on the 3rd Street
Seat 4: cleo folded on the 5th Street
"""


def test_a_pot_of_53_that_paid_49_bore_a_rake_of_4_whatever_came_back() -> None:
    for text in (TEXT, TEXT.replace(UNCALLED, "")):
        hand = read(text)
        assert kinds(hand, e.UncalledReturned) == [e.UncalledReturned(seat=1, amount=16)]
        assert [taken.total for taken in kinds(hand, e.RakeTaken)] == [4]
        assert won(hand) == {1: 49}
        assert judge(hand.events).findings == ()


def test_a_rake_of_more_than_the_winner_left_is_rejected() -> None:
    for changes in (("Rake $0.04", "Rake $0.05"), ("collected $0.49", "collected $0.65")):
        assert "more out than in" in rejected(TEXT, changes).reason
