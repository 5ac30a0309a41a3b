"""Stud Hi/Lo: half for the high hand, half for the lowest; every hand has a low (G3)."""

from domain.games.spec import GameSpec, HalfSpec
from domain.ranking import high_score, judge_high, judge_low_any, low_any_score

STUD_HILO = GameSpec(
    title="Stud Hi/Lo",
    high=HalfSpec(rule="G1", score=high_score, judge=judge_high),
    low=HalfSpec(rule="G3", score=low_any_score, judge=judge_low_any),
)
