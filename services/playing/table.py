"""A table of bots: opened, sat down at, played at hand after hand, and closed."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import msgspec

from domain.cards import DECK
from domain.house_rules import DEFAULT_BY_GAME
from services.playing.answers import Sheet, Turn
from services.playing.asking import Desk, Refused
from services.playing.hand import BotHand
from services.playing.pace import Pace
from services.playing.wanted import BUY_IN, LOW_STACK, SMALL_BET, PlayWanted

STAKES = {"small_bet": SMALL_BET, "big_bet": 2 * SMALL_BET, "ante": 25, "bring_in": 100}


class Desks(NamedTuple):
    """Who asks: the floor to open and close, the dealer for all else."""

    floor: Desk
    dealer: Desk


class BotTable:
    """One table, known by its number among those of the run."""

    def __init__(
        self, number: int, desks: Desks, seed: str, wanted: PlayWanted, pace: Pace
    ) -> None:
        self._number = number
        self._floor, self._desk = desks
        self._dice = Random(f"{seed} table {number}")
        self._wanted = wanted
        self._hand = BotHand(desks.dealer, self._dice, wanted, pace)
        self.tally = desks.dealer.tally

    async def open(self) -> None:
        """Open the table and let everybody sit down."""
        sheet = await self._floor.post("/v1/tables", self._terms(), Sheet)
        self.tally.table = sheet.table
        for seat in range(1, self._wanted.players + 1):
            player = f"Bot {self._number + 1}-{seat}"
            body = {"seat": seat, "player": player, "stack": BUY_IN}
            await self._desk.post(self._path("seats"), body, Sheet)
            self.tally.bought_in += BUY_IN

    async def play(self) -> None:
        """One hand, and more chips for whoever has few left."""
        turn = await self._begun()
        over = await self._hand.play(self.tally.table, turn)
        self.tally.hands += 1
        self.tally.rake += over.state.rake
        sheet = await self._sheet()
        self.tally.ended = sheet.chips
        await self._buy_in(sheet)

    async def close(self) -> None:
        """Send everybody home, with what the table last had."""
        await self._floor.post(self._path("close"), {}, Sheet)

    async def _begun(self) -> Turn:
        """The next hand; one that somebody else has begun is played as well."""
        try:
            return await self._desk.post(self._path("hands"), self._deck(), Turn)
        except Refused:
            sheet = await self._sheet()
            if sheet.hand is None:
                raise
            return await self._desk.get(f"/v1/hands/{sheet.hand.hand}/turn", Turn)

    async def _buy_in(self, sheet: Sheet) -> None:
        for sitting in sheet.seats:
            if sitting.stack < LOW_STACK:
                more = BUY_IN - sitting.stack
                body = {"seat": sitting.seat, "amount": more}
                self.tally.bought_in += more
                self.tally.ended = (await self._desk.post(self._path("chips"), body, Sheet)).chips

    async def _sheet(self) -> Sheet:
        return await self._desk.get(f"/v1/tables/{self.tally.table}", Sheet)

    def _path(self, what: str) -> str:
        return f"/v1/tables/{self.tally.table}/{what}"

    def _terms(self) -> dict[str, Any]:
        wanted = self._wanted
        terms = {
            "name": self.tally.name,
            "game": wanted.game,
            "stakes": STAKES,
            "money": {"kind": "real", "currency": "USD"},
        }
        if wanted.clock is None:
            return terms
        rules = msgspec.structs.replace(DEFAULT_BY_GAME[wanted.game], clock=wanted.clock)
        return terms | {"house_rules": msgspec.to_builtins(rules)}

    def _deck(self) -> dict[str, Any]:
        if self._wanted.seed is None:
            return {}
        cards = self._dice.sample(DECK, len(DECK))
        return {"deck": {"source": "supplied", "cards": cards}}
