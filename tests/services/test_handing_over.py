"""Pages handed over to be written while the next is folded."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event, get_ident
from uuid import UUID

import pytest

from projections.hands import HANDS
from services.projecting.folding import Fold, Folder
from services.projecting.handing_over import Writer
from services.store.memory import MemoryEventStore
from services.store.port import Append, facts
from tests.support.told_hands import side_pot_hand

Page = Sequence[Fold]


def folded_pages(count: int) -> list[Page]:
    """Pages of one hand each."""
    store = MemoryEventStore()
    for number in range(count):
        told = facts(side_pot_hand())
        store.append([Append(stream=UUID(int=number), expected=0, facts=told, actor="test")])
    folder, length = Folder([HANDS], store.load_many), len(side_pot_hand())
    return [folder.fold(store.page(n * length, length)) for n in range(count)]


PAGES = folded_pages(4)


class Disk:
    """Writes pages, but not the one that is said to be `broken`."""

    def __init__(self, broken: Page | None = None) -> None:
        self.written: list[Page] = []
        self.threads: set[int] = set()
        self._broken = broken

    def write(self, page: Page) -> None:
        self.threads.add(get_ident())
        if page is self._broken:
            raise OSError("a page that cannot be written")
        self.written.append(page)


def test_all_pages_are_written_in_order_by_another_thread() -> None:
    disk = Disk()
    with Writer(disk.write) as writer:
        for page in PAGES:
            writer.hand_over(page)
    assert disk.written == PAGES
    assert len(disk.threads) == 1
    assert get_ident() not in disk.threads


def test_the_next_page_may_be_folded_while_one_is_written() -> None:
    folded, written = Event(), list[Page]()

    def write(page: Page) -> None:
        assert folded.wait(timeout=10), "nobody waits for this page before it is asked for"
        written.append(page)

    with Writer(write) as writer:
        writer.hand_over(PAGES[0])
        assert not written
        folded.set()
    assert written == PAGES[:1]


def test_what_goes_wrong_with_a_page_is_raised_and_no_later_page_is_written() -> None:
    disk = Disk(broken=PAGES[1])
    with pytest.raises(OSError, match="cannot be written"), Writer(disk.write) as writer:
        for page in PAGES:
            writer.hand_over(page)
    assert disk.written == PAGES[:1]


def test_what_goes_wrong_with_the_last_page_is_raised_too() -> None:
    disk = Disk(broken=PAGES[-1])
    with pytest.raises(OSError, match="cannot be written"), Writer(disk.write) as writer:
        for page in PAGES:
            writer.hand_over(page)
    assert disk.written == PAGES[:-1]


def test_who_fails_himself_leaves_only_when_nothing_is_being_written_any_more() -> None:
    disk = Disk()
    with pytest.raises(KeyError), Writer(disk.write) as writer:
        writer.hand_over(PAGES[0])
        raise KeyError
    assert disk.written == PAGES[:1]
