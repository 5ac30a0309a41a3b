"""Seven Card Stud: the best high hand takes the pot (G1)."""

from domain.games.spec import GameSpec, HalfSpec
from domain.ranking import high_score, judge_high

STUD = GameSpec(
    title="Seven Card Stud",
    high=HalfSpec(rule="G1", score=high_score, judge=judge_high),
)
