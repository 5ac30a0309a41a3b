"""All tables of bots at once, against a service that runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, NamedTuple

from services.playing.asking import Desk, Listener, Service
from services.playing.pace import Pace
from services.playing.table import BotTable, Desks
from services.playing.tally import Played, TableTally
from services.playing.wanted import PlayWanted

SETTING_UP = 16
"""Tables that are opened at a time: whoever sits down is not what is measured."""


class Staff(NamedTuple):
    """Keys: who opens and closes the tables, and who deals, table after table in turn."""

    floor: str
    dealers: Sequence[str]


async def play(
    wanted: PlayWanted,
    addresses: Sequence[str],
    staff: Staff,
    *,
    listener: Listener | None = None,
    after_hand: Callable[[], None] = lambda: None,
    enough: Callable[[], bool] = lambda: False,
) -> Played:
    """Open the tables, play, and close them.

    `after_hand` is called when a hand is over, `listener` with every answer; once there is
    `enough`, no hand is begun. Raises `Unwelcome`.
    """
    service, pace, seed = Service(addresses, listener), Pace(wanted.pace), wanted.dice_seed
    tables = [
        BotTable(number, desks(service, number, staff), seed, wanted, pace)
        for number in range(wanted.tables)
    ]
    try:
        await _all_opened(tables)
        began = time.monotonic()
        ends = _ends(wanted.seconds, enough)
        await _at_once(
            _play(table, wanted.hands_at(number), ends, after_hand)
            for number, table in enumerate(tables)
        )
        taken = time.monotonic() - began
        for table in tables:
            await table.close()
    finally:
        await service.close()
    return Played(tables=tuple(table.tally for table in tables), seconds=taken)


def desks(service: Service, number: int, staff: Staff) -> Desks:
    """Where the n-th table's floor and dealer ask; they count together."""
    tally, dealer = (
        TableTally(name=f"Bots {number + 1}"),
        staff.dealers[number % len(staff.dealers)],
    )
    return Desks(floor=Desk(service, staff.floor, tally), dealer=Desk(service, dealer, tally))


async def _all_opened(tables: Sequence[BotTable]) -> None:
    """Open them, some at a time."""
    places = asyncio.Semaphore(SETTING_UP)

    async def opened(table: BotTable) -> None:
        async with places:
            await table.open()

    await _at_once(opened(table) for table in tables)


async def _at_once(work: Iterable[Coroutine[Any, Any, None]]) -> None:
    """All of it; the first that is in trouble ends it. Raises what that one raised."""
    try:
        async with asyncio.TaskGroup() as group:
            for one in work:
                group.create_task(one)
    except ExceptionGroup as trouble:
        raise trouble.exceptions[0] from None


async def _play(
    table: BotTable, hands: int | None, ends: Callable[[], bool], after_hand: Callable[[], None]
) -> None:
    """Hand after hand, as many as there are to be or until it ends."""
    while (hands is None or table.tally.hands < hands) and not ends():
        await table.play()
        after_hand()


def _ends(seconds: float | None, enough: Callable[[], bool]) -> Callable[[], bool]:
    """Whether the time is up, or there is enough."""
    last = None if seconds is None else time.monotonic() + seconds
    return lambda: enough() or (last is not None and time.monotonic() >= last)
