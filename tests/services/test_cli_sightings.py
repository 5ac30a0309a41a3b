"""Cards that were not shown are put on record before the command line prints them."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import msgspec
import pytest

from services.demo.arranged import arranged_hands
from services.demo.storing import store_demo
from services.store.port import Append, facts
from services.store.room import Room
from tests.support.cli import CommandLine

ARRANGED = 6


@pytest.fixture
def demo(room: Room) -> Room:
    store_demo(room, ARRANGED)
    return room


def sightings(room: Room) -> list[tuple[str, str]]:
    """View and purpose of every sighting on record."""
    seen = (fact for fact in room.store.page(0, 100_000) if fact.type == "cards_seen.v1")
    events = (msgspec.json.decode(fact.state) for fact in seen)
    return [(event["view"], event["purpose"]) for event in events]


@pytest.mark.parametrize("command", ["replay", "explain"])
def test_hidden_cards_are_seen_for_a_purpose_on_record(
    demo: Room, studledger: CommandLine, command: str
) -> None:
    studledger(command, "D00001", "--view", "all", "--why", "complaint 17")
    studledger(command, "D00001", "--view", "seat:4", "--why", "complaint 17")
    assert sightings(demo) == [("all", "complaint 17"), ("seat:4", "complaint 17")]


def test_a_file_with_hidden_cards_is_on_record_before_it_is_written(
    demo: Room, studledger: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "hand.html"
    studledger("replay", "D00001", "--html", path, "--view", "all", code=2)
    assert not path.exists()
    studledger("replay", "D00001", "--html", path, "--view", "all", "--why", "complaint 17")
    assert "K♥" in path.read_text()
    assert sightings(demo) == [("all", "complaint 17")]


def test_what_the_table_saw_needs_no_record(demo: Room, studledger: CommandLine) -> None:
    studledger("replay", "D00001")
    studledger("replay", "D00001", "--view", "all", code=2)
    assert sightings(demo) == []


def test_a_bundle_with_hidden_cards_records_every_hand_in_it(
    demo: Room, studledger: CommandLine, tmp_path: Path
) -> None:
    whole = ("export", "bundle", "-o", tmp_path / "all.zip")
    studledger(*whole, "--view", "all", "--why", "yearly audit")
    assert sightings(demo) == [("all", "yearly audit")] * ARRANGED
    key = studledger("keys", "show").out.splitlines()[-1]
    studledger("verify", "--bundle", tmp_path / "all.zip", "--vkey", key)


@pytest.mark.parametrize("view", ["all", "seat:1"])
def test_a_live_hand_shows_face_down_cards_to_nobody_here(
    room: Room, studledger: CommandLine, view: str
) -> None:
    dealt = next(arranged_hands()).events[:12]
    stream = uuid4()
    room.store.append([Append(stream=stream, expected=0, facts=facts(dealt), actor="test")])
    refused = studledger("replay", stream, "--view", view, "--why", "curious", code=2)
    assert "still being played" in refused.said
    assert sightings(room) == []
