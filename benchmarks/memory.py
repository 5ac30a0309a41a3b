"""Exporting and verifying all of a small and of a large room: memory must not grow with it.

`python -m benchmarks.memory export|verify|check DATA_DIR ROOM` does one of them in a process of its
own and prints the most memory it ever held, in KiB. `check` is of the bundle that `export` made.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.hands import fill
from benchmarks.measuring import Measured, Numbers, Size, significant
from benchmarks.places import scratch_rooms, settings
from services.bundles.checking import check_bundle
from services.bundles.exporting import export_bundle
from services.log.comparing import Compared
from services.projecting import projector_of
from services.replaying import ALL
from services.settings import Settings
from services.store.room import Room, open_room
from services.verifying import verify

HANDS: dict[Size, tuple[int, int]] = {
    "tiny": (2, 4),
    "small": (500, 5_000),
    "large": (20_000, 200_000),
}
STATUS = Path("/proc/self/status")
MIB = 1024  # What the system counts in is KiB.


def run(size: Size) -> Measured:
    """The most memory for the large room over the most for the small one, whichever is worse."""
    numbers: Numbers = dict(zip(("few hands", "many hands"), HANDS[size], strict=True))
    ratios = []
    with scratch_rooms(2, sum(HANDS[size])) as rooms:
        for room, hands in zip(rooms, HANDS[size], strict=True):
            fill(room, hands, secret=True)
            projector_of(room).catch_up()
        for name in IN_ORDER:
            few, many = (_most_memory(name, room) for room in rooms)
            numbers[f"{name}: few MiB"] = significant(few / MIB)
            numbers[f"{name}: many MiB"] = significant(many / MIB)
            ratios.append(many / few)
    return Measured(
        ratio=max(ratios), numbers=numbers | {"reach": 1.1, "reach for the most MiB": 300}
    )


def _most_memory(task: str, room: Room) -> int:
    """KiB of a child process that does the task."""
    command = [sys.executable, "-m", "benchmarks.memory", task]
    place = [str(room.settings.data_dir), room.settings.room]
    done = subprocess.run(
        [*command, *place],
        cwd=Path(__file__).parents[1],
        check=True,
        capture_output=True,
        text=True,
    )
    return int(done.stdout)


def _verify(room: Room) -> None:
    """All that `verify --all` does: every hand, and every leaf of the log."""
    found, compared = verify(room), Compared(room)
    compared.run()
    assert found.checked and not found.differences, "what was measured is a whole verification"
    assert compared.leaves and not compared.differences, "the log was sealed, and nobody changed it"


def _export(room: Room) -> None:
    export_bundle(room, _bundle_of(room.settings), view=ALL, why="benchmark")


def _bundle_of(settings: Settings) -> Path:
    return settings.data_dir / f"{settings.room}.zip"


def _check(bundle: Path) -> None:
    """`verify --bundle`, which has no room. Without a key nothing else is left unchecked."""
    found = check_bundle(bundle)
    assert found.checked and not found.tampering, "what was measured is a whole check"


TASKS: dict[str, Callable[[Room], None]] = {"export": _export, "verify": _verify}
CHECK = "check"
IN_ORDER = (*TASKS, CHECK)
"""Exporting seals all of the log; verifying compares it with what was sealed; then the bundle."""


def main(task: str, home: str, room: str) -> None:
    """Do one task and print the most memory this process has held."""
    place = settings(Path(home), room)
    if task == CHECK:
        _check(_bundle_of(place))
    else:
        with open_room(place) as opened:
            TASKS[task](opened)
    print(_held())


def _held() -> int:
    """The most memory of this program in KiB, without what it was started from."""
    if STATUS.exists():
        return int(re.findall(r"VmHWM:\s+(\d+) kB", STATUS.read_text())[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main(*sys.argv[1:])
