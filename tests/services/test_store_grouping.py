"""Appends of several threads share commits, and only that: answers and troubles stay their own."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from uuid import UUID, uuid4

import pytest

from services.errors import DatabaseUnreachable
from services.store.grouping import GroupCommit
from services.store.memory import MemoryEventStore
from services.store.port import Append, Appended, Fact

Answers = tuple[Appended, ...]


def noted(stream: UUID | None = None, expected: int = 0, word: str = "word") -> Append:
    fact = Fact("noted.v1", word.encode())
    return Append(stream=stream or uuid4(), expected=expected, facts=(fact,), actor="ann")


class SlowStore(MemoryEventStore):
    """Begins its first commit at once and ends it when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.commits: list[Sequence[Append]] = []
        self.under_way = Event()
        self.go_on = Event()

    def append(self, batch: Sequence[Append]) -> Answers:
        self.commits.append(batch)
        self.under_way.set()
        assert self.go_on.wait(10)
        if any(append.facts[0].state == b"lost" for append in batch):
            raise DatabaseUnreachable("the database does not answer")
        if any(append.facts[0].state == b"bad" for append in batch):
            raise ValueError("bad")
        return super().append(batch)


def while_one_is_committed(
    store: SlowStore, *appends: Append, first: Append | None = None
) -> list[Future[Answers]]:
    """One append begins; these come, in order, while it is committed. All are done at the end."""
    group = GroupCommit(store.append)
    with ThreadPoolExecutor(len(appends) + 1) as threads:
        futures = [threads.submit(group.append, [first or noted()])]
        assert store.under_way.wait(10)
        for number, append in enumerate(appends, 1):
            futures.append(threads.submit(group.append, [append]))
            while group.waiting < number:
                pass
        store.go_on.set()
    return futures[1:]


def test_a_lone_append_is_committed_at_once() -> None:
    store = MemoryEventStore()
    (answer,) = GroupCommit(store.append).append([noted()])
    assert answer.status == "ok"


def test_those_who_come_during_a_commit_share_the_next_one() -> None:
    store = SlowStore()
    others = while_one_is_committed(store, noted(), noted(), noted())
    assert [len(commit) for commit in store.commits] == [1, 3]
    assert [answer.status for future in others for answer in future.result()] == ["ok"] * 3


def test_everybody_gets_the_answer_to_his_own_append() -> None:
    store = SlowStore()
    appends = [noted(expected=n % 2) for n in range(6)]
    answers = [future.result()[0] for future in while_one_is_committed(store, *appends)]
    assert [answer.stream for answer in answers] == [append.stream for append in appends]
    assert [answer.status for answer in answers] == ["ok", "stale"] * 3


def test_two_appends_to_one_hand_are_judged_in_two_commits() -> None:
    store, hand = SlowStore(), uuid4()
    both = while_one_is_committed(store, noted(hand), noted(), noted(hand, expected=1))
    assert [len(commit) for commit in store.commits] == [1, 2, 1]
    assert [answer.status for future in both for answer in future.result()] == ["ok"] * 3


def test_an_append_that_cannot_be_stored_fails_alone() -> None:
    store = SlowStore()
    before, bad, after = while_one_is_committed(store, noted(), noted(word="bad"), noted())
    assert [f.result()[0].status for f in (before, after)] == ["ok", "ok"]
    with pytest.raises(ValueError, match="bad"):
        bad.result()


def test_a_lost_database_fails_the_whole_group_and_nobody_waits_for_ever() -> None:
    store = SlowStore()
    for future in while_one_is_committed(store, noted(), noted(word="lost"), noted()):
        with pytest.raises(DatabaseUnreachable):
            future.result()
    assert [len(commit) for commit in store.commits] == [1, 3]


def test_after_trouble_the_next_append_is_committed_as_ever() -> None:
    store = SlowStore()
    store.go_on.set()
    group = GroupCommit(store.append)
    with pytest.raises(DatabaseUnreachable):
        group.append([noted(word="lost")])
    assert group.append([noted()])[0].status == "ok"
