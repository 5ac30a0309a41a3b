"""A bundle says what happened, and says so when somebody touched it."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain import events as e
from services.bundles import contents
from services.bundles.checking import BundleCheck, CannotCheck, check_bundle
from services.bundles.exporting import NoHands, Onlooker, export_bundle
from services.demo.storing import store_demo
from services.embedded import Server
from services.log.checkpoints import Checkpoints
from services.replaying import ALL, PUBLIC, View
from services.store.room import Room, open_room
from services.verifying import all_hands, events_of
from services.writers.files import CannotWrite
from tests.conftest import fresh_settings
from tests.support.bundled import checked, content, everything_in, in_file, keys, lines, rewritten

HANDS = 12
FIRST_FORM = Path(__file__).parents[1] / "golden" / "bundles" / "first-form.zip"


@pytest.fixture(scope="module")
def demo(server: Server) -> Iterator[Room]:
    """A room of which much is asked, and in which nothing is played any more."""
    with open_room(fresh_settings(server)) as room:
        store_demo(room, HANDS)
        yield room


@pytest.fixture
def bundle(demo: Room, tmp_path: Path) -> Path:
    path = tmp_path / "bundle.zip"
    export_bundle(demo, path, view=ALL, why="a test")
    return path


def hands_of(room: Room) -> list[tuple[e.HandEvent, ...]]:
    loaded = room.store.load_many(tuple(all_hands(room.store)))
    return [events_of(facts) for facts in loaded.values()]


# -- what is in it ---------------------------------------------------------------------------------


def test_a_bundle_of_the_whole_log_is_proven_from_all_its_leaves(demo: Room, bundle: Path) -> None:
    found = checked(demo, bundle)
    assert (found.checked, found.clean, found.tampering, found.unchecked) == (HANDS, HANDS, [], [])
    assert (found.hidden, found.events) == (0, found.leaves), "other streams are told of, too"
    assert found.signed_by == str(keys(demo)[-1])


def test_a_bundle_of_some_hands_brings_a_proof_for_each_event(demo: Room, tmp_path: Path) -> None:
    chosen = list(all_hands(demo.store))[3:5]
    export_bundle(demo, tmp_path / "b.zip", view=PUBLIC, hands=reversed(chosen))
    told = lines(tmp_path / "b.zip", contents.EVENTS)
    assert list(dict.fromkeys(line["form"]["stream"] for line in told)) == list(map(str, chosen))
    assert all(line["proof"] for line in told)
    found = checked(demo, tmp_path / "b.zip")
    assert (found.checked, found.tampering, found.unchecked) == (2, [], [])


def test_without_a_verifier_key_the_signature_is_not_checked(bundle: Path) -> None:
    found = check_bundle(bundle)
    assert found.tampering == []
    assert "no verifier key was given" in found.unchecked[0]


def test_a_public_bundle_holds_no_card_that_was_not_shown(demo: Room, tmp_path: Path) -> None:
    _require_only_what_it_sees(demo, tmp_path, owned=False)


def test_a_seats_bundle_holds_his_cards_and_no_others(demo: Room, tmp_path: Path) -> None:
    _require_only_what_it_sees(demo, tmp_path, owned=True)


def _require_only_what_it_sees(room: Room, folder: Path, *, owned: bool) -> None:
    """By bytes: each hand's bundle names no card the view has not seen, and no other salt."""
    kept = 0
    for hand in list(all_hands(room.store))[:8]:
        events = events_of(room.store.load(hand))
        assert isinstance(events[0], e.HandStarted)
        owner = events[0].seats[-1].seat if owned else None
        view = View("seat", owner) if owned else PUBLIC
        path = folder / f"{hand}.zip"
        export_bundle(room, path, view=view, why="a test", hands=[hand])
        seen: set[str] = set()
        hidden: set[str] = set()
        for event in events:
            if isinstance(event, e.CardsShown):
                seen.update(event.cards)
            if isinstance(event, e.CardsDealt):
                seen.update(event.up)
                (seen if event.seat == owner else hidden).update(event.down)
            if isinstance(event, e.CommunityCardDealt):
                seen.add(event.card)
        unpacked = everything_in(path)
        kept += len(hidden - seen)
        for card in hidden - seen:
            assert f'"{card}"'.encode() not in unpacked
        told = lines(path, contents.DISCLOSURES)
        assert {line["card"] for line in told} <= seen
        secret = room.secrets.of(hand)
        assert secret is not None
        assert secret not in unpacked
        assert secret.hex().encode() not in unpacked
        assert checked(room, path).tampering == []
    assert kept, "somebody kept a card to himself"


def test_the_same_facts_make_the_same_bytes_but_for_the_sequence(
    demo: Room, tmp_path: Path
) -> None:
    for view in (PUBLIC, ALL):
        export_bundle(demo, tmp_path / "0.zip", view=view, why="a test")
        first = export_bundle(demo, tmp_path / "1.zip", view=view, why="a test")
        second = export_bundle(demo, tmp_path / "2.zip", view=view, why="a test")
        assert first.files == second.files
        one, two = (json.loads(content(tmp_path / f"{n}.zip", contents.MANIFEST)) for n in (1, 2))
        assert one.pop("sequence") != two.pop("sequence")
        assert one == two


def test_each_manifest_names_the_one_before(demo: Room, tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip", "c.zip"):
        export_bundle(demo, tmp_path / name, view=PUBLIC)
    a, b, c = (tmp_path / name for name in ("a.zip", "b.zip", "c.zip"))
    assert checked(demo, b, previous=a).unchecked == []
    assert checked(demo, b, previous=a).tampering == []
    assert "bundles you did not name" in checked(demo, c, previous=a).unchecked[0]
    assert "was number" in checked(demo, a, previous=b).tampering[0]
    forged = rewritten(b, in_file(contents.MANIFEST, lambda old: _another_before(old)))
    assert "does not follow the bundle you have" in checked(demo, forged, a).tampering[0]


def _another_before(manifest: bytes) -> bytes:
    told = json.loads(manifest)
    told["sequence"]["previous"] = "0" * 64
    return json.dumps(told).encode()


def test_a_bundle_goes_on_from_a_checkpoint_of_before(demo: Room, tmp_path: Path) -> None:
    signed = Checkpoints(demo).sign()
    (tmp_path / "before").write_text(signed.note)
    chosen = next(all_hands(demo.store))
    somebody = Onlooker(actor="whoever makes the log grow")
    export_bundle(
        demo, tmp_path / "0.zip", view=ALL, why="a test", hands=[chosen], onlooker=somebody
    )
    export_bundle(demo, tmp_path / "some.zip", view=PUBLIC, hands=[chosen])
    export_bundle(demo, tmp_path / "whole.zip", view=PUBLIC)
    for name in ("some.zip", "whole.zip"):
        found = checked(demo, tmp_path / name, previous=tmp_path / "before")
        assert found.leaves > signed.size
        assert (found.tampering, found.unchecked) == ([], [])


def test_the_index_is_for_people(demo: Room, bundle: Path) -> None:
    rows = content(bundle, contents.INDEX).decode().splitlines()[4:]
    assert len(rows) == HANDS
    assert rows[0].startswith("D00001\tstud8\tDemo\t2026-01-09 16:00\t4\t2.00 USD\tclean\t")


def test_an_empty_room_makes_no_bundle_and_leaves_no_file(room: Room, tmp_path: Path) -> None:
    with pytest.raises(NoHands):
        export_bundle(room, tmp_path / "none.zip", view=PUBLIC)
    assert list(tmp_path.iterdir()) == []


# -- the first form --------------------------------------------------------------------------------


def test_a_bundle_of_the_first_form_is_checked_for_ever() -> None:
    found = check_bundle(FIRST_FORM)
    assert (found.version, found.checked, found.tampering, found.unchecked) == (1, 3, [], [])


def test_nobody_signed_a_bundle_of_the_first_form(demo: Room, bundle: Path) -> None:
    assert "no checkpoint" in checked(demo, FIRST_FORM).unchecked[0]


def test_a_changed_amount_of_the_first_form_is_named_with_its_hand(tmp_path: Path) -> None:
    old = tmp_path / "old.zip"
    old.write_bytes(FIRST_FORM.read_bytes())
    hand = lines(old, contents.EVENTS)[0]["stream"]
    more = in_file(
        contents.EVENTS, lambda text: text.replace(b'"amount":250,', b'"amount":251,', 1)
    )
    for forged in (True, False):
        found = check_bundle(rewritten(old, more, forged=forged))
        assert any(f"hand {hand}" in text for text in found.tampering)


# -- what is no bundle -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bytes_", [b"", b"hello", b"PK\x03\x04 but not really"], ids=["empty", "text", "torn"]
)
def test_what_is_no_bundle_cannot_be_checked(tmp_path: Path, bytes_: bytes) -> None:
    path = tmp_path / "no.zip"
    path.write_bytes(bytes_)
    with pytest.raises(CannotCheck, match="no bundle"):
        check_bundle(path)


def test_a_truncated_bundle_cannot_be_checked(bundle: Path) -> None:
    whole = bundle.read_bytes()
    bundle.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CannotCheck, match="not a whole zip"):
        check_bundle(bundle)


def test_damaged_bytes_inside_are_tampering(demo: Room, bundle: Path) -> None:
    whole = bytearray(bundle.read_bytes())
    whole[len(whole) // 4] ^= 0xFF
    bundle.write_bytes(bytes(whole))
    assert checked(demo, bundle).tampering


def test_a_newer_version_cannot_be_checked(bundle: Path) -> None:
    newer = in_file(
        contents.MANIFEST, lambda old: old.replace(b'"version": 2,', b'"version": 99,', 1)
    )
    with pytest.raises(CannotCheck, match="use a newer"):
        check_bundle(rewritten(bundle, newer))


@pytest.mark.parametrize("name", [contents.CHECKPOINT, contents.MANIFEST, contents.LEAVES])
def test_what_nothing_can_be_proven_without_is_named(bundle: Path, name: str) -> None:
    with pytest.raises(CannotCheck, match=name):
        check_bundle(rewritten(bundle, in_file(name, lambda old: None)))


def test_a_file_added_is_named(demo: Room, bundle: Path) -> None:
    with zipfile.ZipFile(bundle, "a") as archive:
        archive.writestr("../extra.txt", b"surprise")
    assert "'../extra.txt' is not in the manifest" in checked(demo, bundle).tampering


def test_nothing_but_proofs_lies_where_proofs_do(demo: Room, bundle: Path, tmp_path: Path) -> None:
    some = tmp_path / "some.zip"
    export_bundle(demo, some, view=PUBLIC, hands=list(all_hands(demo.store))[:1])
    for path, line, says in (
        (bundle, b"{}", "is not empty"),
        (some, b'{"note":"the floor man did it"}', "line 1, is no proof"),
        (some, b'{"from":1,"hashes":["the floor man did it"]}', "line 1, is no proof"),
    ):
        told = in_file(contents.CONSISTENCY, lambda old, line=line: line + b"\n" + old)
        found = checked(demo, rewritten(path, told))
        assert any(contents.CONSISTENCY in text and says in text for text in found.tampering)


def test_an_archive_that_cannot_take_its_place_leaves_nothing(demo: Room, tmp_path: Path) -> None:
    place = tmp_path / "b.zip"
    place.mkdir()
    with pytest.raises(CannotWrite):
        export_bundle(demo, place, view=PUBLIC)
    assert list(tmp_path.iterdir()) == [place]


def test_what_is_wrong_with_very_many_hands_is_not_all_listed() -> None:
    """Judged by other rules is every hand of a large room, or none."""
    found = BundleCheck(file="b.zip", room="main", view="all", version=2)
    for number in range(1_000):
        found.open(f"hand {number}: judged by rules version 1, here 2")
        found.bad(f"hand {number}: the rules give another verdict than was exported")
    assert len(found.unchecked) == len(found.tampering) == 101
    assert "more than these 100" in found.unchecked[-1]
