"""What differs between the three games."""

from typing import get_args

import pytest

from domain.games import GAMES
from domain.units import Game


def dealt(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ALL = get_args(Game)
NO_LOW = dealt("Ah Kh Qd Jc 9s 8h 7d")
LOW = dealt("Ah 2d 3c 5s 8h Kd Kc")


def test_every_game_is_described() -> None:
    assert set(GAMES) == set(ALL)
    assert len({spec.title for spec in GAMES.values()}) == len(ALL)


def test_stud_has_no_low() -> None:
    assert GAMES["stud"].low is None


@pytest.mark.parametrize("game", ALL)
def test_every_game_has_the_same_high(game: Game) -> None:
    high = GAMES[game].high
    assert high.rule == "G1"
    assert high.judge(LOW).words == "pair of kings, ace-eight-five kickers"
    assert high.judge(LOW).score == high.score(LOW)


def test_stud_8_asks_for_a_low_of_eight_or_better() -> None:
    low = GAMES["stud8"].low
    assert low.rule == "G2"
    assert low.score(NO_LOW) is None
    assert low.judge(NO_LOW) is None
    assert low.judge(LOW).words == "8-5-3-2-A low"


def test_in_stud_hi_lo_every_hand_has_a_low() -> None:
    low = GAMES["stud_hilo"].low
    assert low.rule == "G3"
    assert low.judge(NO_LOW).words == "J-9-8-7-A low"
    assert low.judge(NO_LOW).score == low.score(NO_LOW)
