"""The three games and what differs between them."""

from domain.games.spec import GameSpec, HalfSpec
from domain.games.stud import STUD
from domain.games.stud8 import STUD8
from domain.games.stud_hilo import STUD_HILO
from domain.units import Game

GAMES: dict[Game, GameSpec] = {"stud": STUD, "stud8": STUD8, "stud_hilo": STUD_HILO}

__all__ = ["GAMES", "GameSpec", "HalfSpec"]
