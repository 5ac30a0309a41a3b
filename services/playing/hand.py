"""Bots play one hand: something legal at random, or a turn that runs out."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from random import Random
from typing import Any

from domain.legal import LegalAction
from services.demo.bot import likely
from services.playing.answers import Sheet, Turn
from services.playing.asking import Desk, Refused
from services.playing.pace import Pace
from services.playing.wanted import PlayWanted

WAGERS = ("bet", "raise")
LOOK = 0.25
"""Seconds between two looks at a turn that others have to move: the clock, mostly."""


class BotHand:
    """One hand from its first turn to its last."""

    def __init__(self, desk: Desk, dice: Random, wanted: PlayWanted, pace: Pace) -> None:
        self._desk = desk
        self._dice = dice
        self._wanted = wanted
        self._pace = pace

    async def play(self, table: str, turn: Turn) -> Turn:
        """Play it to its end, whoever ends it; how it then stands."""
        while True:
            if turn.legal:
                turn = await self._answered(turn)
            elif await self._over(table, turn):
                return await self._look(turn)
            else:
                await asyncio.sleep(LOOK)
                turn = await self._look(turn)

    async def _over(self, table: str, turn: Turn) -> bool:
        sheet = await self._desk.get(f"/v1/tables/{table}", Sheet)
        return sheet.hand is None or sheet.hand.hand != turn.hand

    async def _answered(self, turn: Turn) -> Turn:
        """What becomes of one turn. What was refused is looked at again, and answered anew."""
        chosen = likely(turn.legal, self._dice)
        lost = self._dice.random() < self._wanted.disconnects
        runs_out = self._dice.random() < self._wanted.time_outs and turn.deadline is not None
        try:
            if lost:
                self._desk.tally.disconnects += 1
                turn = await self._connection(turn, chosen.seat, "lost")
            if runs_out:
                self._desk.tally.time_outs += 1
                turn = await self._run_out(turn)
            if lost:
                turn = await self._connection(turn, chosen.seat, "back")
            return turn if runs_out else await self._act(turn, chosen)
        except Refused:
            return await self._look(turn)

    async def _act(self, turn: Turn, chosen: LegalAction) -> Turn:
        await self._pace.turn()
        body: dict[str, Any] = {"seat": chosen.seat, "action": chosen.action}
        if chosen.action in WAGERS:
            body["to"] = chosen.to
        return await self._desk.act(f"/v1/hands/{turn.hand}/actions", body, Turn, turn.turn)

    async def _connection(self, turn: Turn, seat: int, state: str) -> Turn:
        body = {"seat": seat, "state": state}
        return await self._desk.post(f"/v1/hands/{turn.hand}/connection", body, Turn)

    async def _run_out(self, turn: Turn) -> Turn:
        """Do nothing until the turn is another's; the deadline may move meanwhile."""
        now = turn
        while now.turn == turn.turn and now.legal:
            await asyncio.sleep(_left(now.deadline) + LOOK)
            now = await self._look(now)
        return now

    async def _look(self, turn: Turn) -> Turn:
        return await self._desk.get(f"/v1/hands/{turn.hand}/turn", Turn)


def _left(deadline: datetime | None) -> float:
    """Seconds until then, 0 if it is over."""
    if deadline is None:
        return 0.0
    return max(0.0, (deadline - datetime.now(UTC)).total_seconds())
