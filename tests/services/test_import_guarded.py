"""Whatever one hand of a file does to an import, the others are taken in."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID, uuid4

import pytest

from domain import events as e
from domain.closing import DAYS
from domain.publishing import schedule_stream
from services.importing import import_paths, retry_quarantine
from services.projecting import projector_of
from services.replaying import PUBLIC
from services.store.port import Append, Fact
from services.store.room import Room
from services.verifying import verify
from services.writers import seen_hand
from services.writers.jsonl import lines_of
from tests.support.hand_texts import STUD, read

HAND = UUID("00000000-0000-4000-8000-000000000001")
KEY_MADE = Fact("access_key_made.v1", b'{"type":"access_key_made.v1"}')
NO_START = Fact("hand_started.v1", b'{"type":"hand_started.v1"}')


def told(*hands: UUID) -> str:
    """The same hand as JSON Lines under several ids."""
    events = read(STUD).events
    lines = [line for hand in hands for line in lines_of(seen_hand(hand, events, {}, PUBLIC))]
    return "".join(line.decode().rstrip("\n") + "\n" for line in lines)


@pytest.mark.parametrize("dry_run", [False, True])
@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        (KEY_MADE, "its id is that of something in this room that is no hand"),
        (NO_START, "an unexpected ValidationError: please report it"),
    ],
)
def test_a_hand_under_an_id_that_is_taken_is_rejected_and_the_others_are_stored(
    room: Room, tmp_path: Path, fact: Fact, reason: str, dry_run: bool
) -> None:
    room.store.append([Append(stream=HAND, expected=0, facts=(fact,), actor="test")])
    file = tmp_path / "hands.jsonl"
    file.write_text(told(uuid4(), uuid4(), HAND, uuid4()))
    result = import_paths(room, [file], dry_run=dry_run)
    assert (result.imported, result.duplicates, result.hands) == (3, 0, 4)
    [rejected] = result.rejected
    assert rejected.reason == reason
    assert rejected.line == 2 * len(read(STUD).events) + 1
    assert result.exit_code() == 4


def test_what_cannot_be_stored_again_stays_in_quarantine(room: Room, tmp_path: Path) -> None:
    room.store.append([Append(stream=HAND, expected=0, facts=(KEY_MADE,), actor="test")])
    file = tmp_path / "hands.jsonl"
    file.write_text(told(HAND))
    import_paths(room, [file])
    [held] = room.quarantine.page()
    assert retry_quarantine(room).kept == 1
    assert [one.id for one in room.quarantine.page()] == [held.id]


def test_a_hand_told_without_offsets_is_verified_as_it_is_stored(
    room: Room, tmp_path: Path
) -> None:
    file = tmp_path / "hands.jsonl"
    text = told(HAND)
    assert '"played_at":"2024-03-01T23:30:00Z"' in text
    file.write_text(text.replace("2024-03-01T23:30:00Z", "2020-01-01T00:00:00"))
    assert import_paths(room, [file]).imported == 1
    projector_of(room).catch_up()
    assert verify(room).differences == []
    start = e.decode(room.store.load(HAND)[0].state)
    assert isinstance(start, e.HandStarted)
    assert str(start.played_at) == "2020-01-01 00:00:00+00:00"


def test_a_hand_is_not_stored_in_a_stream_that_is_to_begin_with_something_else(
    room: Room, tmp_path: Path
) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text(told(DAYS, schedule_stream("topspoker"), own := uuid4()))
    result = import_paths(room, [file])
    assert (result.imported, result.duplicates, result.conflicts) == (2, 1, [])
    assert not room.store.existing([DAYS, schedule_stream("topspoker")])
    assert room.store.existing([own]) == {own}
