"""Judging a finished hand from its stored bytes, against PokerKit replaying its text."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from time import process_time

from benchmarks.measuring import Measured, Numbers, Size, in_pairs, significant
from benchmarks.phh import Twin, last_state, recorded_twins, twins
from domain.events import decode
from domain.verdict import judge

HANDS: dict[Size, int] = {"tiny": 2, "small": 60, "large": 400}
ROUNDS: dict[Size, int] = {"tiny": 1, "small": 11, "large": 15}
TIMES: dict[Size, int] = {"tiny": 1, "small": 10, "large": 10}
"""How often a round goes through the recorded hands, which are few: once takes us two milliseconds,
in which it matters more what others have left in the processor's memory than what we do."""
REACH, AIM = 12, 25


def run(size: Size) -> Measured:
    """Decode, check every fact and judge; there: parse the text and play it, one core each."""
    hands = twins(HANDS[size])
    pairs = in_pairs(
        ROUNDS[size], lambda: _judge_all(hands), lambda: _replay_all(hands), process_time
    )
    events = sum(len(hand.states) for hand in hands)
    recorded = recorded_twins()
    return Measured(
        ratio=pairs.faster,
        numbers={
            "hands": len(hands),
            "events per hand": significant(events / len(hands)),
            "ours per hand us": significant(median(pairs.ours) / len(hands) * 1e6),
            "PokerKit per hand us": significant(median(pairs.theirs) / len(hands) * 1e6),
            **pairs.numbers,
            **(_of_records(recorded * TIMES[size], ROUNDS[size]) if recorded else {}),
            "reach": REACH,
            "aim": AIM,
        },
    )


def _of_records(hands: Sequence[Twin], rounds: int) -> Numbers:
    """The same of real hands: shorter ones, most of which end before the showdown."""
    pairs = in_pairs(rounds, lambda: _judge_all(hands), lambda: _replay_all(hands), process_time)
    return {"recorded hands": len(set(hands)), "ratio of recorded hands": significant(pairs.faster)}


def _judge_all(hands: Sequence[Twin]) -> None:
    for hand in hands:
        judge([decode(state) for state in hand.states])


def _replay_all(hands: Sequence[Twin]) -> None:
    for hand in hands:
        last_state(hand.text)
