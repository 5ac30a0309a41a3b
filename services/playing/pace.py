"""How fast the bots of all tables together act."""

from __future__ import annotations

import asyncio


class Pace:
    """So many actions a second, evenly; whoever is late is not made up for by a rush."""

    def __init__(self, a_second: float | None) -> None:
        self._between = 0.0 if a_second is None else 1 / a_second
        self._next = 0.0

    async def turn(self) -> None:
        """Wait until it is time for the next action."""
        if not self._between:
            return
        now = asyncio.get_running_loop().time()
        mine = max(now, self._next)
        self._next = mine + self._between
        await asyncio.sleep(mine - now)
