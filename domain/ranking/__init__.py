"""Which hand is better: high hands, both lows, and the boards that open a street.

A score is an integer; of two scores of the same kind the larger is the better hand and equal
scores are a tie, whatever the suits (G7). A `judge_…` also says which cards play, in words.
Cards must be known: `??` raises `KeyError`.
"""

from domain.ranking.board import board_score, judge_board
from domain.ranking.high import high_score, judge_high
from domain.ranking.judged import Judged
from domain.ranking.low import judge_low8, judge_low_any, low8_score, low_any_score

__all__ = [
    "Judged",
    "board_score",
    "high_score",
    "judge_board",
    "judge_high",
    "judge_low8",
    "judge_low_any",
    "low8_score",
    "low_any_score",
]
