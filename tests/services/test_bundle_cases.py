"""A bundle with a case: what was ruled is compared with its hand, without the room."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from domain import events as e
from domain.disputes import events as d
from services.bundles.exporting import export_bundle
from services.dispute_bundle import export_case
from services.disputes import load_case
from services.disputes.loading import facts_of
from services.embedded import Server
from services.replaying import ALL
from services.store.port import Append, facts
from services.store.room import Room, open_room
from tests.conftest import fresh_settings
from tests.support.bundled import checked
from tests.support.cases import FLORA, approve, events_of, opened, proposed, told

Fact = d.CaseEvent | e.HandEvent


@pytest.fixture(scope="module")
def room(server: Server) -> Iterator[Room]:
    with open_room(fresh_settings(server)) as room:
        yield room


@pytest.fixture(scope="module")
def case(room: Room) -> UUID:
    """An approved correction."""
    case = opened(room, told(room))
    approve(room, case, proposed(room, case))
    return case


def test_a_ruling_is_what_its_hand_says(room: Room, case: UUID, tmp_path: Path) -> None:
    export_case(room, tmp_path / "b.zip", case)
    found = checked(room, tmp_path / "b.zip")
    assert (found.checked, found.ruled, found.tampering, found.unchecked) == (1, 1, [], [])


def other_amounts(event: Fact) -> Fact:
    if isinstance(event, d.RulingProposed):
        less = [replace(move, amount=move.amount // 2) for move in event.moves]
        return replace(event, moves=tuple(less), house=-sum(move.amount for move in less))
    return event


def one_person(event: Fact) -> Fact:
    if isinstance(event, d.RulingApproved):
        return replace(event, approved_by=FLORA.actor)
    return event


def another_policy(event: Fact) -> Fact:
    if isinstance(event, d.RulingProposed):
        policy = replace(event.policy, version=event.policy.version + 1)
        return replace(event, policy=policy)
    return event


def no_effect(event: Fact) -> Fact | None:
    return None if isinstance(event, e.AwardCorrected) else event


ALTERED = {
    "other amounts": (other_amounts, "moved other amounts than were approved"),
    "one person": (one_person, "proposed and approved by the same person"),
    "another policy": (another_policy, "and the hand was played under"),
    "no effect": (no_effect, "was approved and the hand does not have it"),
}


@pytest.mark.parametrize(("altered", "says"), ALTERED.values(), ids=ALTERED)
def test_an_altered_ruling_that_the_room_signed_itself_is_named(
    room: Room, case: UUID, tmp_path: Path, altered: Callable[..., object], says: str
) -> None:
    """Whoever has the database can write what no command would, and have it sealed and signed."""
    twin, hand = written_past_the_rules(room, case, altered)
    export_case(room, tmp_path / "b.zip", twin)
    told_of = checked(room, tmp_path / "b.zip").tampering
    assert any(str(hand) in text and says in text for text in told_of), told_of


def test_in_a_bundle_of_everything_a_ruling_has_its_case(
    room: Room, case: UUID, tmp_path: Path
) -> None:
    hand = uuid4()
    write(room, hand, facts(events_of(room, load_case(room.store, case).case.opened.hand)))
    export_bundle(room, tmp_path / "b.zip", view=ALL, why="a test")
    told_of = checked(room, tmp_path / "b.zip").tampering
    assert any(str(hand) in text and "in no case about it" in text for text in told_of), told_of


def test_in_a_bundle_of_everything_a_ruling_has_its_hand_however_many_there_are(
    room: Room, case: UUID, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, hand = written_past_the_rules(room, case, no_effect)
    monkeypatch.setattr("services.bundles.cases.MOST_UNRULED", 0)
    export_bundle(room, tmp_path / "b.zip", view=ALL, why="a test")
    told_of = checked(room, tmp_path / "b.zip").tampering
    assert any(str(hand) in text and "does not have it" in text for text in told_of), told_of


def written_past_the_rules(
    room: Room, case: UUID, altered: Callable[..., object]
) -> tuple[UUID, UUID]:
    """A twin of the case and its hand, with something altered: their ids."""
    loaded, twin, hand = load_case(room.store, case), uuid4(), uuid4()
    played = [altered(event) for event in events_of(room, loaded.case.opened.hand)]
    first, *rest = loaded.events
    ruled = [altered(event) for event in (replace(first, hand=hand), *rest)]
    write(room, hand, facts([event for event in played if event is not None]))  # type: ignore[misc]
    write(room, twin, facts_of(ruled))  # type: ignore[arg-type]
    return twin, hand


def write(room: Room, stream: UUID, stored: tuple[object, ...]) -> None:
    append = Append(stream=stream, expected=0, facts=stored, actor="somebody", secret=True)  # type: ignore[arg-type]
    assert room.store.append([append])[0].status == "ok"
