"""A room that never sleeps is exported at any hour: hands that go on as everybody saw them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import pytest

from domain import events as e
from services.access.events import hand_stream
from services.bundles import contents as c
from services.bundles import sealed_facts
from services.bundles.exporting import export_bundle
from services.embedded import Server
from services.replaying import ALL, BadView, View
from services.store.room import Room, open_room
from services.verifying import events_of
from tests.conftest import fresh_settings
from tests.support.bundled import Line, checked, content, in_file, lines, rewritten, with_lines
from tests.support.live import TableInPlay, live_in


class InPlay(NamedTuple):
    """A room of one table; nobody has ever sat at its seat 5."""

    room: Room
    over: UUID
    live: UUID


@pytest.fixture(scope="module")
def playing(server: Server) -> Iterator[InPlay]:
    with open_room(fresh_settings(server)) as room:
        table = TableInPlay(live_in(room))
        table.begin()
        table.to_the_end()
        over = table.hand
        table.begin()
        yield InPlay(room, over, table.hand)


@pytest.fixture
def bundle(playing: InPlay, tmp_path: Path) -> Path:
    export_bundle(playing.room, tmp_path / "b.zip", view=ALL, why="the hour is late")
    return tmp_path / "b.zip"


def test_a_hand_that_goes_on_is_told_as_everybody_saw_it(playing: InPlay, bundle: Path) -> None:
    found = checked(playing.room, bundle)
    assert (found.checked, found.live, found.tampering, found.unchecked) == (2, 1, [], [])
    assert json.loads(content(bundle, c.MANIFEST))["live"] == 1
    over, live = content(bundle, c.INDEX).decode().splitlines()[4:]
    assert "\tclean\t" in over
    assert "\tclean so far, no end yet\t" in live


def test_its_hidden_cards_are_closed_to_all(playing: InPlay, bundle: Path) -> None:
    events = events_of(playing.room.store.load(playing.live))
    dealt = [event for event in events if isinstance(event, e.CardsDealt)]
    seen = {card for event in dealt for card in event.up}
    opened = [line for line in lines(bundle, c.DISCLOSURES) if line["hand"] == str(playing.live)]
    assert {line["card"] for line in opened} <= seen
    assert {card for event in dealt for card in event.down} - seen, "there is something to hide"


def test_only_cards_that_are_seen_are_on_record_as_seen(playing: InPlay, bundle: Path) -> None:
    assert bundle.exists()
    assert playing.room.store.load(hand_stream(playing.over))
    assert not playing.room.store.load(hand_stream(playing.live))


def test_a_hand_that_is_named_is_refused_while_it_goes_on(playing: InPlay, tmp_path: Path) -> None:
    with pytest.raises(BadView, match="still being played"):
        export_bundle(playing.room, tmp_path / "b.zip", view=ALL, why="x", hands=[playing.live])
    assert not list(tmp_path.iterdir())


def test_of_an_empty_seat_a_hand_is_told_as_everybody_saw_it(
    playing: InPlay, tmp_path: Path
) -> None:
    for seat, opens in ((1, True), (5, False)):
        path = tmp_path / f"{seat}.zip"
        export_bundle(playing.room, path, view=View("seat", seat), why="his own")
        found = checked(playing.room, path)
        assert (found.checked, found.tampering) == (2, [])
        of_events = [line for line in lines(path, c.DISCLOSURES) if "n" in line]
        assert bool(_cards_of_seat(playing, of_events, seat)) is opens


def _cards_of_seat(playing: InPlay, opened: list[Line], seat: int) -> list[Line]:
    events = events_of(playing.room.store.load(playing.over))
    shown = {card for one in events if isinstance(one, e.CardsShown) for card in one.cards}
    dealt = {
        n for n, one in enumerate(events, 1) if isinstance(one, e.CardsDealt) if one.seat == seat
    }
    return [one for one in opened if one["n"] in dealt or one["card"] not in shown]


def test_the_end_of_a_hand_cannot_be_left_out_to_keep_its_cards_closed(
    playing: InPlay, bundle: Path
) -> None:
    """A forger makes it look as if the hand went on, and the manifest fit."""
    hand = str(playing.over)
    closed = with_lines(
        bundle, c.DISCLOSURES, lambda told: [one for one in told if one["hand"] != hand]
    )
    assert any("is not opened" in text for text in checked(playing.room, closed).tampering)
    endless = with_lines(closed, c.EVENTS, lambda told: [one for one in told if not _ends(one)])

    def as_if(manifest: bytes) -> bytes:
        told = json.loads(manifest)
        return json.dumps(told | {"live": 2, "events": told["events"] - 1}).encode()

    forged = rewritten(endless, in_file(c.MANIFEST, as_if))
    told = checked(playing.room, forged).tampering
    assert any("leaves, and" in text for text in told), told


def _ends(line: Line) -> bool:
    return line["form"]["event"]["type"] == "hand_completed.v1"


def test_how_many_go_on_is_counted_again(playing: InPlay, bundle: Path) -> None:
    def none(manifest: bytes) -> bytes:
        return json.dumps(json.loads(manifest) | {"live": 0}).encode()

    told = checked(playing.room, rewritten(bundle, in_file(c.MANIFEST, none))).tampering
    assert any("0 hands were still being played" in text for text in told)


def test_streams_that_go_on_for_years_are_told_in_parts(
    playing: InPlay, bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealed_facts, "LOAD", 3)
    parted = tmp_path / "parted.zip"
    export_bundle(playing.room, parted, view=ALL, why="the hour is late")
    found = checked(playing.room, parted)
    assert (found.checked, found.events, found.tampering) == (2, found.leaves, [])
    known = content(bundle, c.EVENTS).splitlines()
    assert len(known) > 3
    assert set(known) <= set(content(parted, c.EVENTS).splitlines())
