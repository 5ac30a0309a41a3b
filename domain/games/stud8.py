"""Stud 8 or Better: half for the high hand, half for a low that qualifies (G2)."""

from domain.games.spec import GameSpec, HalfSpec
from domain.ranking import high_score, judge_high, judge_low8, low8_score

STUD8 = GameSpec(
    title="Stud 8 or Better",
    high=HalfSpec(rule="G1", score=high_score, judge=judge_high),
    low=HalfSpec(rule="G2", score=low8_score, judge=judge_low8),
)
