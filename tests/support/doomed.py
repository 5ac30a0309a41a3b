"""What a process does until it is killed: it plays, imports and projects, all at once."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from queue import Queue
from threading import Thread
from uuid import NAMESPACE_OID, UUID, uuid5

from services.demo.hands import table_hands
from services.embedded import Server
from services.importing import import_paths
from services.projecting import projector_of
from services.settings import Settings
from services.store.port import Append
from services.store.room import Room, open_room
from tests.support.faults import Report, parts_of
from tests.support.hand_texts import STUD

LANES = 3
"""Threads that play hands of their own and meet at the store."""

BUDGET = 30
"""Appends of a lane before it rests and waits for its end."""

DEALT = tuple(hand.events for hand in table_hands(9))


def hand_of(lane: int, number: int) -> UUID:
    """The id of a lane's n-th hand."""
    return uuid5(NAMESPACE_OID, f"lane {lane}, hand {number}")


def appends_of(lane: int) -> Iterator[Append]:
    """Everything a lane will ever append, in order and always the same."""
    for number in itertools.count():
        events = DEALT[(lane + number) % len(DEALT)]
        yield from parts_of(hand_of(lane, number), events, size=9)


def record(folder: Path, number: int) -> Path:
    """A file with a hand of this number."""
    path = folder / f"{number}.txt"
    path.write_text(STUD.replace("#7001", f"#{number}"))
    return path


def keep_busy(report: Report, settings: Settings, folder: Path, done: Mapping[str, int]) -> None:
    """Go on behind what is known to be `done`, reporting every step that is."""
    with open_room(settings) as room:
        lanes: list[Callable[[], None]] = [
            partial(_play, report, room, lane, done.get(f"lane {lane}", 0)) for lane in range(LANES)
        ]
        lanes.append(partial(_import, report, room, folder, done.get("import", 0)))
        lanes.append(partial(_project, report, room))
        troubles = Queue[BaseException]()
        for lane in lanes:
            Thread(target=_until_trouble, args=(lane, troubles), daemon=True).start()
        raise troubles.get()


def _until_trouble(lane: Callable[[], None], troubles: Queue[BaseException]) -> None:
    try:
        lane()
    except BaseException as trouble:
        troubles.put(trouble)


def _play(report: Report, room: Room, lane: int, done: int) -> None:
    for append in itertools.islice(appends_of(lane), done, done + BUDGET):
        (answer,) = room.store.append([append])
        report(f"lane {lane}", answer.status, answer.positions)


def _import(report: Report, room: Room, folder: Path, done: int) -> None:
    for number in range(done + 1, done + 1 + BUDGET):
        result = import_paths(room, [record(folder, number)])
        report("import", "ok" if result.imported else "duplicate", ())


def _project(report: Report, room: Room) -> None:
    projector = projector_of(room)
    for turn in itertools.count(1):
        reached = projector.catch_up() if turn % 5 else projector.rebuild(["rake_ledger"])
        report("projected", "rebuilt" if turn % 5 == 0 else "ok", (reached,))


def open_rooms(report: Report, settings: Settings) -> None:
    """Open rooms nobody has used before, one after the other."""
    for number in itertools.count(1):
        room = f"{settings.room}_{number}"
        report("begun", room)
        with open_room(settings.model_copy(update={"room": room})):
            report("opened", room)


def start_and_stop(report: Report, home: Path) -> None:
    """Own a server for a moment, over and over."""
    while True:
        report("stopped")
        with Server(home, {"fsync": "off"}):
            report("started")
