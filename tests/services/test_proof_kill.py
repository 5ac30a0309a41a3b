"""kill -9 at any moment loses nothing that was acknowledged."""

from __future__ import annotations

import contextlib
import random
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from queue import Queue
from uuid import UUID, uuid4

import httpx2
import pytest

from domain.evolve import replay
from services.access import Keys, KeyWanted
from services.access.events import hand_stream
from services.access.keys import IssuedKey
from services.demo.storing import store_demo
from services.importing import import_paths
from services.projecting import projector_of
from services.settings import Settings
from services.store.room import Room, open_room
from tests.support.cli import started
from tests.support.doomed import DEALT, LANES, appends_of, hand_of, keep_busy, open_rooms, record
from tests.support.faults import (
    PATIENCE,
    Doomed,
    insist,
    parts_of,
    require_as_rebuilt,
    until,
)

SEED = 20_260_109
TIMES = [pytest.param(5, id="some"), pytest.param(200, id="many", marks=pytest.mark.slow)]


WORK = ("lane 0", "import", "lane 1", "projected", "lane 2")
assert len(WORK) == LANES + 2

Steps = dict[str, list[tuple[str, tuple[int, ...]]]]
"""What each part of the work was said to have done, step by step."""


def kill_while_busy(settings: Settings, folder: Path, times: int) -> Steps:
    """Processes do the same work, each going on behind what the one before has acknowledged."""
    dice, acknowledged = random.Random(SEED), Steps()
    for turn in range(times):
        done = {who: len(steps) for who, steps in acknowledged.items()}
        with Doomed(keep_busy, settings, folder, done) as process:
            heard = process.reports_until(WORK[turn % len(WORK)], dice.randrange(1, 8))
            for who, *step in heard + process.kill(dice.uniform(0, 0.02)):
                acknowledged.setdefault(who, []).append(tuple(step))
    return acknowledged


@pytest.mark.parametrize("times", TIMES)
def test_nothing_acknowledged_is_lost_however_often_the_process_is_killed(
    room: Room, tmp_path: Path, times: int
) -> None:
    acknowledged = kill_while_busy(room.settings, tmp_path, times)
    reached = max(position for _, (position,) in acknowledged["projected"])
    assert min(progress.position for progress in projector_of(room).status()) >= reached
    for lane in range(LANES):
        require_once(room, lane, [positions for _, positions in acknowledged[f"lane {lane}"]])
    require_imported(room, tmp_path, len(acknowledged["import"]))
    require_as_rebuilt(room)


def require_once(room: Room, lane: int, acknowledged: list[tuple[int, ...]]) -> None:
    """What was acknowledged is there, once, where it was said to be; the rest is tried again."""
    appends = [*islice(appends_of(lane), len(acknowledged) + 3)]
    answers = [room.store.append([append])[0] for append in appends]
    known = answers[: len(acknowledged)]
    assert {answer.status for answer in known} == {"duplicate"}
    assert [answer.positions for answer in known] == acknowledged
    assert {answer.status for answer in answers} <= {"duplicate", "ok"}
    for hand, expected in facts_of(lane, len(appends)):
        told = room.store.load(hand)
        assert [fact.n for fact in told] == [*range(1, len(told) + 1)]
        assert [fact.state for fact in told] == expected


def facts_of(lane: int, count: int) -> Iterator[tuple[UUID, list[bytes]]]:
    """Each hand of a lane's first appends, with all that is stored of it."""
    hands: dict[UUID, list[bytes]] = {}
    for append in islice(appends_of(lane), count):
        hands.setdefault(append.stream, []).extend(fact.state for fact in append.facts)
    assert next(iter(hands)) == hand_of(lane, 0)
    yield from hands.items()


def require_imported(room: Room, folder: Path, imported: int) -> None:
    """Every record that was taken in is there once, whole: facts, original text and secret."""
    assert imported > 0
    again = import_paths(room, [record(folder, number) for number in range(1, imported + 1)])
    assert (again.imported, again.duplicates, again.conflicts) == (0, imported, [])
    with room.connect() as connection:
        secrets = {hand for (hand,) in connection.execute("select hand from hand_secrets")}
        texts = [hand for (hand,) in connection.execute("select hand from texts")]
    assert secrets.issuperset(texts)
    assert imported <= len(texts) <= imported + 1
    assert set(Counter(texts).values()) == {1}
    for hand in texts:
        assert replay(room.application.events_of(hand)).completed
        assert room.secrets.of(hand) is not None


@pytest.mark.parametrize("times", [4, pytest.param(60, id="many", marks=pytest.mark.slow)])
def test_a_room_whose_first_opening_was_killed_is_opened_the_next_time(
    settings: Settings, times: int
) -> None:
    dice = random.Random(SEED)
    for turn in range(times):
        given = settings.model_copy(update={"room": f"{settings.room}_{turn}"})
        with Doomed(open_rooms, given) as process:
            heard = process.reports_until("begun", 1) + process.kill(dice.uniform(0, 0.4))
        for name in {name for _, name in heard}:
            with open_room(settings.model_copy(update={"room": name})) as room:
                assert projector_of(room).catch_up() == 0


# -- the service -----------------------------------------------------------------------------------


@pytest.mark.parametrize("times", [1, pytest.param(20, id="many", marks=pytest.mark.slow)])
def test_a_killed_service_has_on_record_what_it_showed_and_the_next_one_goes_on(
    room: Room, times: int
) -> None:
    dice = random.Random(SEED)
    hands = [shown.hand for shown in store_demo(room, 6).arranged]
    for _ in range(times):
        key = new_key(room)
        headers = {"Authorization": f"Bearer {key.key}"}
        with serving(room.settings) as (process, address), ThreadPoolExecutor(1) as clients:
            shown = Queue[UUID]()
            clients.submit(look_at_cards, address, headers, hands, shown)
            seen = [shown.get(timeout=PATIENCE) for _ in range(dice.randrange(1, len(hands)))]
            kill(process, dice.uniform(0, 0.05))
        seen.extend(shown.get() for _ in range(shown.qsize()))
        for hand in seen:
            sightings = room.store.load(hand_stream(hand))
            assert [fact.actor for fact in sightings].count(str(key.subject)) == 1
    hand = uuid4()
    insist(room, parts_of(hand, DEALT[0], size=100)[0])
    with serving(room.settings) as (process, address):
        with httpx2.Client(base_url=address, headers=headers, timeout=PATIENCE) as client:
            until(lambda: str(hand) in client.get("/v1/hands").text, "the service to go on")
            assert client.get("/readyz").json()["ready"]
        process.terminate()
        assert process.wait(PATIENCE) == 0
    require_as_rebuilt(room)


def new_key(room: Room) -> IssuedKey:
    ends = datetime.now(UTC) + timedelta(hours=1)
    wanted = KeyWanted(subject=f"auditor {uuid4()}", role="auditor", expires_at=ends)
    return Keys(room.pool, room.store).issue(wanted)


@contextlib.contextmanager
def serving(settings: Settings) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """`studledger serve` as a process of its own, and where it listens."""
    with started(settings, "serve", "--port", "0") as process:
        try:
            assert process.stderr is not None
            address = re.search(rb"http://127\.0\.0\.1:\d+", process.stderr.readline())
            assert address
            yield process, address[0].decode()
        finally:
            process.kill()
            process.communicate()


def look_at_cards(
    address: str, headers: dict[str, str], hands: list[UUID], shown: Queue[UUID]
) -> None:
    """Look at all cards of one hand after the other, until nobody answers any more."""
    with (
        contextlib.suppress(httpx2.TransportError),
        httpx2.Client(base_url=address, headers=headers, timeout=PATIENCE) as client,
    ):
        for hand in hands:
            answer = client.get(f"/v1/hands/{hand}/events?view=all&why=proof")
            assert answer.status_code == 200
            shown.put(hand)


def kill(process: subprocess.Popen[bytes], moment: float) -> None:
    """Kill it without warning, `moment` seconds from now."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(moment)
    process.kill()
    assert process.wait(PATIENCE) == -signal.SIGKILL
