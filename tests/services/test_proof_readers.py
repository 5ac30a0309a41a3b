"""Whoever reads while eight write sees whole commits, with every chip of a hand in its place."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any
from uuid import UUID, uuid4

import pytest

from domain.evolve import replay
from services.demo.hands import table_hands
from services.embedded import Server
from services.hand_file import open_hand
from services.projecting import projector_of
from services.replaying import replay_frames
from services.reports import HandsWanted, RakeWanted, find_hands, rake_report
from services.reports.queries import one_moment
from services.store.room import Room
from tests.support.faults import Events, insist, parts_of, require_as_rebuilt, until
from tests.support.service import Served, served

SEED = 20_260_111
WRITERS = 8
PART = 6
DEALT = [hand.events for hand in table_hands(12)]

AMISS = """
with reached as (select position from projection_positions where name = 'hands')
select 'part of a commit', h.hand
  from hands h cross join reached
  left join events e on e.originator_id = h.hand and e.notification_id <= reached.position
 group by h.hand having count(e) <> h.steps
union all
select 'players', h.hand from hands h join hand_players p using (hand)
 group by h.hand
having sum(p.contributed) <> h.pot
    or h.status = 'completed' and sum(p.stack_after) + h.rake <> sum(p.start_stack)
union all
select 'pots', h.hand from hands h left join pots p using (hand)
 group by h.hand
having sum(p.gross) <> h.pot
    or h.status = 'completed' and sum(p.rake + p.awarded) is distinct from h.pot
union all
select 'ledger', h.hand from hands h left join rake_ledger l using (hand)
 group by h.hand
having sum(l.amount) <> 0
    or coalesce(sum(l.amount) filter (where l.account = 'House:Rake'), 0) <> h.rake
    or h.status = 'completed' and count(l) = 0
union all
select 'sums', null where (select sum(rake) from rake_table_days) is distinct from
    (select sum(amount) from rake_ledger where account = 'House:Rake')
union all
select 'positions', null where (select count(distinct position) from projection_positions) > 1
"""
"""What must not be in any moment: a hand's books out of balance, or told of in part."""


class Written:
    """How many facts of each hand were acknowledged so far; hands are only added."""

    def __init__(self) -> None:
        self.facts: dict[UUID, int] = {}

    def write(self, room: Room, hands: Sequence[Events]) -> None:
        for events in hands:
            for append in parts_of(uuid4(), events, PART):
                self.facts[append.stream] = insist(room, append).version

    def one(self, dice: random.Random) -> tuple[UUID, int]:
        """A hand, and how much of it must be found from now on."""
        until(lambda: self.facts, "the first hand")
        return dice.choice(list(self.facts.items()))


@pytest.mark.parametrize("hands", [4, pytest.param(150, id="many", marks=pytest.mark.slow)])
def test_readers_see_whole_commits_in_balance_while_eight_write(server: Server, hands: int) -> None:
    dice, done, written = random.Random(SEED), Event(), Written()
    with served(server, 6) as service, ThreadPoolExecutor(WRITERS + 4) as threads:
        headers = service.headers("auditor")
        reads: list[Callable[[random.Random], None]] = [
            lambda own: read_reports(service.room),
            lambda own: read_hands(service.room, own),
            lambda own: read_over_http(service, headers, own, written),
            lambda own: read_over_http(service, headers, own, written),
        ]
        reading = [threads.submit(go_on, read, n, done) for n, read in enumerate(reads)]
        try:
            shares = [dice.choices(DEALT, k=hands) for _ in range(WRITERS)]
            list(threads.map(lambda own: written.write(service.room, own), shares))
            head, projector = service.room.store.head(), projector_of(service.room)
            until(lambda: projector.status()[0].position >= head, "the projections")
        finally:
            done.set()
        assert min(reader.result() for reader in reading) > 1
        assert len(written.facts) == WRITERS * hands
        require_as_rebuilt(service.room)


def go_on(read: Callable[[random.Random], None], seed: int, done: Event) -> int:
    """Read until everything is written, and once more; how often."""
    dice, times = random.Random(SEED + seed), 0
    while not done.is_set():
        read(dice)
        times += 1
    read(dice)
    return times


def read_reports(room: Room) -> None:
    with one_moment(room.connect) as connection:
        assert connection.execute(AMISS).fetchall() == []
    by_game = rake_report(room.connect, RakeWanted(by=("game",)))
    by_player = rake_report(room.connect, RakeWanted(by=("player",)))
    if by_game.complete_to == by_player.complete_to:
        assert sum(line.rake for line in by_game.lines) == sum(
            line.rake for line in by_player.lines
        )


def read_hands(room: Room, dice: random.Random) -> None:
    """A hand that was found is opened and played through: every frame holds all chips."""
    found = dice.choice(find_hands(room.connect, HandsWanted(limit=50)).hands)
    file = open_hand(room, str(found.hand))
    told = replay(file.events)
    assert len(file.events) % PART == 0 or told.completed
    brought = sum(player.started_with for player in told.seats)
    for frame in replay_frames(str(file.hand), file.events):
        assert sum(seat.stack for seat in frame.seats) + frame.pot + frame.rake == brought
        assert sum(pot.amount for pot in frame.pots) == frame.pot


def read_over_http(
    service: Served, headers: dict[str, str], dice: random.Random, written: Written
) -> None:
    """What was acknowledged is answered from then on; lists and books are whole."""

    def get(path: str) -> Any:
        answer = service.client.get(path, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    hand, facts = written.one(dice)
    steps = len(get(f"/v1/hands/{hand}/events")["events"])
    assert steps >= facts
    assert get(f"/v1/hands/{hand}/replay")["steps"] >= steps
    books = get(f"/v1/hands/{hand}/rake")
    assert sum(posting["amount"] for posting in books["postings"]) == 0
    for pot in get(f"/v1/hands/{hand}/pots")["pots"]:
        assert sum(paid["amount"] for paid in pot["contributions"]) == pot["gross"]
    assert get("/v1/rake?by=table,game")["lines"]
    assert get("/v1/hands?limit=20")["hands"]
    assert get("/readyz")["ready"]
