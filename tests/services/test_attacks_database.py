"""A superuser who edits the database: `verify --all` against what was sealed, signed, published."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from services.bundles.exporting import export_bundle
from services.demo.storing import store_demo
from services.log.checkpoints import Checkpoints
from services.log.comparing import compare_with_sealed
from services.log.errors import Altered
from services.log.leaf import leaf_hash, public_form
from services.log.nodes import write
from services.proof.tree import RightEdge
from services.replaying import ALL, PUBLIC
from services.store.port import pages
from services.store.room import Room
from services.verifying import all_hands
from tests.support.cli import CommandLine
from tests.support.sealed import as_owner, set_back

HANDS = 6


@pytest.fixture
def demo(room: Room) -> Room:
    """Hands that were sealed, signed and published."""
    store_demo(room, HANDS)
    Checkpoints(room).sign()
    return room


def in_trouble(room: Room) -> list[str]:
    return [one.text for one in compare_with_sealed(room).differences]


def called(room: Room) -> tuple[int, int]:
    """Position and number of an event that moves chips."""
    fact = next(f for f in room.store.page(0, 1_000) if f.type == "called.v1")
    return fact.position, fact.n


def test_what_is_as_it_was_sealed_is_said_to_be(demo: Room, studledger: CommandLine) -> None:
    compared = compare_with_sealed(demo)
    assert compared.differences == []
    assert compared.checkpoint is not None
    said = studledger("verify", "--all").said
    assert f"{compared.leaves} events are what was sealed, as signed over" in said


def test_an_amount_edited_in_place_is_named(demo: Room, studledger: CommandLine) -> None:
    position, n = called(demo)
    as_owner(
        demo,
        "update events set state = convert_to(replace(convert_from(state, 'UTF8'),"
        f" '\"amount\":', '\"amount\":1'), 'UTF8') where notification_id = {position}",
    )
    assert f"event {n} (called.v1, leaf " in in_trouble(demo)[0]
    said = studledger("verify", "--all", code=3).said
    assert "is not what was sealed" in said


def test_a_face_down_card_edited_in_place_is_named_though_the_hand_stays_legal(
    demo: Room,
) -> None:
    fact = next(f for f in demo.store.page(0, 1_000) if f.type == "cards_dealt.v1")
    as_owner(
        demo,
        "update events set state = regexp_replace(convert_from(state, 'UTF8'),"
        ' \'"down":\\["(..)","(..)"\', \'"down":["\\2","\\1"\')::bytea'
        f" where notification_id = {fact.position}",
    )
    assert f"event {fact.n} (cards_dealt.v1" in in_trouble(demo)[0]


@pytest.mark.parametrize(
    "edit", ["actor = 'somebody else'", "recorded_at = recorded_at - interval '1 day'"]
)
def test_an_event_given_to_another_or_another_time_is_named(demo: Room, edit: str) -> None:
    position, n = called(demo)
    as_owner(demo, f"update events set {edit} where notification_id = {position}")
    assert f"event {n} (called.v1" in in_trouble(demo)[0]


def test_an_event_taken_out_is_missed(demo: Room) -> None:
    position, _ = called(demo)
    as_owner(demo, f"delete from events where notification_id = {position}")
    assert f"event {position}, leaf {position - 1}, was sealed and is gone" in in_trouble(demo)[0]


def test_an_event_put_in_was_never_sealed(demo: Room) -> None:
    """Positions have gaps; he fills one."""
    as_owner(demo, "select nextval(pg_get_serial_sequence('events', 'notification_id'))")
    gap = demo.store.head() + 1
    store_demo(demo, HANDS + 1)
    Checkpoints(demo).sign()
    assert in_trouble(demo) == []
    as_owner(
        demo,
        "create temporary table one as select * from events where originator_version = 1 limit 1",
        f"update one set originator_id = gen_random_uuid(), notification_id = {gap}",
        "insert into events overriding system value select * from one",
    )
    assert "event 1 (hand_started.v1) was never sealed" in in_trouble(demo)[0]


def test_events_and_tree_rewritten_together_contradict_what_was_published(demo: Room) -> None:
    """He even removes what was signed from the table; the folder is elsewhere."""
    position, _ = called(demo)
    as_owner(
        demo,
        f"update events set actor = 'somebody else' where notification_id = {position}",
        "truncate log_leaves, log_nodes, log_checkpoints",
    )
    facts = [fact for page in pages(demo.store) for fact in page]
    name, secrets = demo.settings.room, demo.secrets
    hashes = [leaf_hash(public_form(name, fact, secrets.of(fact.stream))) for fact in facts]
    with demo.connect() as connection:
        write(connection, 1, RightEdge().grow(hashes), [fact.position for fact in facts])
    assert "they were changed and sealed anew" in in_trouble(demo)[0]


def test_a_log_set_back_is_shorter_than_what_was_published(demo: Room) -> None:
    set_back(demo, 40)
    assert "was cut off, or an older backup was restored" in in_trouble(demo)[0]


def test_a_published_checkpoint_by_another_key_is_not_believed(demo: Room, tmp_path: Path) -> None:
    folder = Checkpoints(demo).folder
    newest = folder.newest()
    assert newest is not None
    forged = tmp_path / "forged"
    shutil.copy(newest.path, forged)
    forged.chmod(0o644)
    forged.write_text(newest.note.replace(newest.note[-9:-5], "AAAA"))
    newest.path.unlink()
    shutil.copy(forged, newest.path)
    assert "the published checkpoint" in in_trouble(demo)[0]


def test_no_bundle_is_made_of_what_was_changed(demo: Room, tmp_path: Path) -> None:
    position, _ = called(demo)
    as_owner(demo, f"update events set actor = 'x' where notification_id = {position}")
    for view in (ALL, PUBLIC):
        with pytest.raises(Altered, match="not what was sealed"):
            export_bundle(demo, tmp_path / "b.zip", view=view, why="a test")
    assert list(tmp_path.iterdir()) == []
    assert next(all_hands(demo.store))
