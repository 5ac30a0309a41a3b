"""What is to be played: how many tables, how much, how fast, and what goes wrong at them."""

from __future__ import annotations

import secrets

import msgspec

from domain.house_rules import Clock
from domain.units import Game

SMALL_BET = 200
BUY_IN = 100 * SMALL_BET
LOW_STACK = 10 * SMALL_BET
"""Who has less buys in again between two hands."""


class PlayWanted(msgspec.Struct, frozen=True, kw_only=True):
    """What the bots are to do.

    `hands` are played in all, or as many as begin within `seconds`. `pace` is actions a second at
    all tables together, as fast as it goes if null. `time_outs` and `disconnects` are how many
    turns of one run out and lose their connection, from 0 to 1. A `seed` decides everything but
    the time, the decks too; without one the service shuffles. `clock` is other than the game's own.
    """

    tables: int = 1
    players: int = 6
    game: Game = "stud8"
    hands: int | None = 20
    seconds: float | None = None
    pace: float | None = None
    time_outs: float = 0.0
    disconnects: float = 0.0
    seed: str | None = None
    clock: Clock | None = None

    @property
    def dice_seed(self) -> str:
        """What the dice are thrown by."""
        return self.seed if self.seed is not None else secrets.token_hex(8)

    def hands_at(self, table: int) -> int | None:
        """How many of the hands are played at the n-th table, from 0; null: until time is up."""
        if self.hands is None:
            return None
        each, more = divmod(self.hands, self.tables)
        return each + (table < more)
