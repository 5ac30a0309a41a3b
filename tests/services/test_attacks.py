"""Attacks on a bundle: each is caught, and the first event that is not as it was is named."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from services.bundles import contents as c
from services.bundles.checking import check_bundle
from services.bundles.exporting import export_bundle
from services.demo.storing import store_demo
from services.embedded import Server
from services.log.checkpoints import Checkpoints
from services.log.signing import new_key, signed
from services.proof.canonical import canonical
from services.proof.checkpoint import Checkpoint
from services.proof.notes import to_base64
from services.proof.tree import leaf_hash, root_of
from services.replaying import ALL
from services.store.room import Room, open_room
from services.verifying import all_hands
from tests.conftest import fresh_settings
from tests.support.bundled import (
    Line,
    checked,
    content,
    in_file,
    keys,
    lines,
    rewritten,
    with_lines,
)
from tests.support.live import TableInPlay, live_in

HANDS = 8
AT = 10  # The line most attacks touch: an event of the first hand.

Attack = Callable[[list[Line]], Sequence[Line]]


@pytest.fixture(scope="module")
def demo(server: Server) -> Iterator[Room]:
    with open_room(fresh_settings(server)) as room:
        store_demo(room, HANDS)
        yield room


@pytest.fixture(scope="module")
def whole(demo: Room, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of the log; read only."""
    path = tmp_path_factory.mktemp("whole") / "b.zip"
    export_bundle(demo, path, view=ALL, why="a test")
    return path


@pytest.fixture(scope="module")
def some(demo: Room, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three hands, with a proof for each event; read only."""
    path = tmp_path_factory.mktemp("some") / "b.zip"
    chosen = list(all_hands(demo.store))[:3]
    export_bundle(demo, path, view=ALL, why="a test", hands=chosen)
    return path


def _changed(told: list[Line]) -> list[Line]:
    line = next(line for line in told[AT:] if "amount" in line["form"]["event"])
    line["form"]["event"]["amount"] += 1
    return told


def _retimed(told: list[Line]) -> list[Line]:
    told[AT]["form"]["recorded_at"] = "2020-01-01T00:00:00.000000Z"
    return told


def _attributed_to_another(told: list[Line]) -> list[Line]:
    told[AT]["form"]["actor"] = "somebody else"
    return told


def _moved_to_another_room(told: list[Line]) -> list[Line]:
    told[AT]["form"]["room"] = "elsewhere"
    return told


def _dropped(told: list[Line]) -> list[Line]:
    return told[:AT] + told[AT + 1 :]


def _added(told: list[Line]) -> list[Line]:
    extra = json.loads(json.dumps(told[AT]))
    extra["form"]["event"]["at"] = "2026-01-09T17:00:00Z"
    later = [line for line in told[AT:] if _stream(line) == _stream(extra)]
    for line in (extra, *later[1:]):
        line["form"]["n"] += 1
    return [*told[: AT + 1], extra, *told[AT + 1 :]]


def _doubled(told: list[Line]) -> list[Line]:
    return [*told[: AT + 1], told[AT], *told[AT + 1 :]]


def _reordered(told: list[Line]) -> list[Line]:
    told[AT], told[AT + 1] = told[AT + 1], told[AT]
    return told


def _stream(line: Line) -> str:
    return str(line["form"]["stream"])


@pytest.mark.parametrize("of", ["whole", "some"])
@pytest.mark.parametrize(
    "attack",
    [
        _changed,
        _retimed,
        _attributed_to_another,
        _moved_to_another_room,
        _dropped,
        _added,
        _doubled,
        _reordered,
    ],
    ids=lambda attack: attack.__name__.strip("_"),
)
def test_an_event_that_is_not_as_it_was_is_named(
    demo: Room, attack: Attack, of: str, request: pytest.FixtureRequest
) -> None:
    bundle = request.getfixturevalue(of)
    hand = _stream(lines(bundle, c.EVENTS)[AT])
    found = checked(demo, with_lines(bundle, c.EVENTS, attack))
    assert f" of {hand} (" in found.tampering[0], "with digests made anew it is the first thing"
    assert found.tampering[0].startswith("event ")


def test_a_change_without_new_digests_is_named_with_its_file_and_its_event(
    demo: Room, whole: Path
) -> None:
    more = in_file(c.EVENTS, lambda old: old.replace(b'"amount":250,', b'"amount":251,', 1))
    found = checked(demo, rewritten(whole, more, forged=False))
    assert c.EVENTS in found.tampering[0]
    assert "is not what the log sealed" in found.tampering[1]


def test_a_hand_left_out_of_the_whole_log_is_missed(demo: Room, whole: Path) -> None:
    first = _stream(lines(whole, c.EVENTS)[0])
    without = with_lines(whole, c.EVENTS, lambda t: [o for o in t if _stream(o) != first])
    assert any("events are told of" in text for text in checked(demo, without).tampering)


def test_leaves_changed_together_with_an_event_do_not_lead_to_the_root(
    demo: Room, whole: Path
) -> None:
    told = _changed(lines(whole, c.EVENTS))
    hashes = bytearray(content(whole, c.LEAVES))
    for line in told:
        at = 32 * line["leaf"]
        hashes[at : at + 32] = leaf_hash(canonical(line["form"]))
    events = b"".join(canonical(line) + b"\n" for line in told)
    new = {c.EVENTS: events, c.LEAVES: bytes(hashes)}
    found = checked(demo, rewritten(whole, lambda name, old: new.get(name, old)))
    assert "does not lead to the root" in found.tampering[0]


def test_the_log_cut_off_is_noticed(demo: Room, whole: Path) -> None:
    cut = in_file(c.LEAVES, lambda old: old[:-32])
    assert "the checkpoint is over" in checked(demo, rewritten(whole, cut)).tampering[0]


# -- cards -----------------------------------------------------------------------------------------


def _swapped(told: list[Line]) -> list[Line]:
    told[0]["card"], told[1]["card"] = told[1]["card"], told[0]["card"]
    return told


def _another_card(told: list[Line]) -> list[Line]:
    told[0]["card"] = "2c" if told[0]["card"] != "2c" else "3c"
    return told


def _moved_to_another_hand(told: list[Line]) -> list[Line]:
    other = next(line for line in told if line["hand"] != told[0]["hand"])
    told[0] |= {"card": other["card"], "salt": other["salt"]}
    return told


def _opened_twice(told: list[Line]) -> list[Line]:
    return [told[0], *told]


def _kept_closed(told: list[Line]) -> list[Line]:
    return told[1:]


@pytest.mark.parametrize(
    "attack",
    [_swapped, _another_card, _moved_to_another_hand, _opened_twice, _kept_closed],
    ids=lambda attack: attack.__name__.strip("_"),
)
def test_an_opened_card_is_the_one_that_was_dealt(demo: Room, some: Path, attack: Attack) -> None:
    hand = lines(some, c.DISCLOSURES)[0]["hand"]
    found = checked(demo, with_lines(some, c.DISCLOSURES, attack))
    assert found.tampering[0].startswith(f"hand {hand}: card 1 of event")


def test_an_opening_that_names_another_hand_is_out_of_its_place(demo: Room, some: Path) -> None:
    def misnamed(told: list[Line]) -> list[Line]:
        told[0]["hand"] = told[-1]["hand"]
        return told

    assert "is not opened" in checked(demo, with_lines(some, c.DISCLOSURES, misnamed)).tampering[0]


def test_a_swapped_face_down_card_is_not_the_sealed_digest(demo: Room, some: Path) -> None:
    def swapped(told: list[Line]) -> list[Line]:
        dealt = next(o for o in told if o["form"]["event"]["type"] == "cards_dealt.v1")
        dealt["form"]["event"]["down"].reverse()
        return told

    found = checked(demo, with_lines(some, c.EVENTS, swapped))
    assert "cards_dealt.v1" in found.tampering[0]


def test_a_card_that_did_not_lie_in_the_committed_deck_is_noticed(
    room: Room, tmp_path: Path
) -> None:
    at_table = TableInPlay(live_in(room))
    at_table.begin()
    at_table.to_the_end()
    export_bundle(room, tmp_path / "b.zip", view=ALL, why="a test", hands=[at_table.hand])
    told = lines(tmp_path / "b.zip", c.DISCLOSURES)
    in_deck = [line for line in told if "deck" in line]
    assert len(in_deck) == 21, "three players to the end: each card is opened in the deck, too"
    found = checked(room, tmp_path / "b.zip")
    assert (found.clean, found.tampering, found.unchecked) == (1, [], [])

    def moved(told: list[Line]) -> list[Line]:
        first, second = (line for line in told if line.get("deck") in (0, 1))
        first["salt"], second["salt"] = second["salt"], first["salt"]
        return told

    found = checked(room, with_lines(tmp_path / "b.zip", c.DISCLOSURES, moved))
    assert "committed to before the first card" in found.tampering[0]
    closed = with_lines(tmp_path / "b.zip", c.DISCLOSURES, lambda t: [o for o in t if "n" in o])
    assert "21 cards are not opened against it" in checked(room, closed).unchecked[0]


# -- signatures ------------------------------------------------------------------------------------


def _resigned(bundle: Path, name: str, change: Attack) -> Path:
    """The log rewritten from the first leaf on, and signed by a key of the same name."""
    told = list(change(lines(bundle, c.EVENTS)))
    hashes = {line["leaf"]: leaf_hash(canonical(line["form"])) for line in told}
    leaves = [hashes[leaf] for leaf in range(len(hashes))]
    note = signed(str(Checkpoint(name, len(leaves), root_of(leaves))), [new_key(name)])
    new = {
        c.EVENTS: b"".join(canonical(line) + b"\n" for line in told),
        c.LEAVES: b"".join(leaves),
        c.CHECKPOINT: note.encode(),
    }
    return rewritten(bundle, lambda held, old: new.get(held, old))


def test_a_log_rewritten_and_signed_with_another_key_is_not_the_rooms(
    demo: Room, whole: Path
) -> None:
    forged = _resigned(whole, keys(demo)[-1].name, _changed)
    assert "not by the key that was given" in checked(demo, forged).unchecked[0]


def test_a_signature_that_is_not_over_this_tree_is_tampering(demo: Room, whole: Path) -> None:
    def another_size(old: bytes) -> bytes:
        origin, size, rest = old.split(b"\n", 2)
        return b"\n".join((origin, b"%d" % (int(size) - 1), rest))

    found = checked(demo, rewritten(whole, in_file(c.CHECKPOINT, another_size)))
    assert found.tampering[0].startswith("the checkpoint: the signature")


def test_a_log_rewritten_and_signed_anew_does_not_go_on_from_what_was_signed(
    demo: Room, whole: Path, tmp_path: Path
) -> None:
    """Even by the room's own key: the auditor holds a checkpoint of before."""
    key = Checkpoints(demo).keys.signer()
    told = _changed(lines(whole, c.EVENTS))
    hashes = {line["leaf"]: leaf_hash(canonical(line["form"])) for line in told}
    leaves = [hashes[leaf] for leaf in range(len(hashes))]
    before = tmp_path / "before"
    before.write_bytes(content(whole, c.CHECKPOINT))
    tree = Checkpoint(key.verifier.name, len(leaves), root_of(leaves))
    new = {
        c.EVENTS: b"".join(canonical(line) + b"\n" for line in told),
        c.LEAVES: b"".join(leaves),
        c.CHECKPOINT: signed(str(tree), [key]).encode(),
    }
    forged = rewritten(whole, lambda held, old: new.get(held, old))
    assert any("two auditors" in text for text in checked(demo, forged, before).tampering)


def test_two_auditors_who_are_shown_two_logs_find_out_together(
    demo: Room, some: Path, tmp_path: Path
) -> None:
    """By comparing checkpoints of different sizes: no proof leads from the one to the other."""
    size = json.loads(content(some, c.MANIFEST))["leaves"]
    other = Checkpoint(keys(demo)[-1].name, size - 5, b"\x07" * 32)
    theirs = tmp_path / "theirs"
    theirs.write_text(signed(str(other), [Checkpoints(demo).keys.signer()]))
    grown = with_lines(
        some, c.CONSISTENCY, lambda t: [*t, {"from": size - 5, "hashes": [to_base64(b"1" * 32)]}]
    )
    assert "shown two logs" in checked(demo, grown, theirs).tampering[0]
    assert "has no proof of it" in checked(demo, some, theirs).unchecked[0]


def test_a_bundle_older_than_what_the_auditor_has_withholds_something(
    demo: Room, some: Path, tmp_path: Path
) -> None:
    key = Checkpoints(demo).keys.signer()
    size = json.loads(content(some, c.MANIFEST))["leaves"] + 7
    newer = tmp_path / "newer"
    newer.write_text(signed(str(Checkpoint(key.verifier.name, size, b"\x01" * 32)), [key]))
    assert "older than what you have" in checked(demo, some, newer).tampering[0]


def test_another_rooms_key_or_checkpoint_says_nothing_about_this_log(
    some: Path, whole: Path, demo: Room, tmp_path: Path
) -> None:
    stranger = new_key("studledger/elsewhere")
    found = check_bundle(some, keys=[stranger.verifier])
    assert "another log's bundle, or another key" in found.unchecked[0]
    theirs = tmp_path / "theirs"
    theirs.write_text(signed(str(Checkpoint("studledger/elsewhere", 3, b"\1" * 32)), [stranger]))
    assert "the previous checkpoint" in checked(demo, whole, theirs).unchecked[0]


# -- rules -----------------------------------------------------------------------------------------


def test_a_verdict_that_the_rules_do_not_give_is_noticed(demo: Room, some: Path) -> None:
    def praised(told: list[Line]) -> list[Line]:
        told[0]["verdict"] = "clean_as_visible"
        return told

    found = checked(demo, with_lines(some, c.VERDICTS, praised))
    assert "another verdict than was exported" in found.tampering[0]


def test_another_rake_schedule_under_the_same_name_is_noticed(demo: Room, some: Path) -> None:
    cheaper = in_file(c.SCHEDULES, lambda old: old.replace(b'"rake": 100', b'"rake": 50', 1))
    found = checked(demo, rewritten(some, cheaper))
    assert any("not the published one" in text for text in found.tampering)


# -- what stands beside the events -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (c.INDEX, b"2.00 USD", b"1.00 USD"),
        (c.INDEX, b"view all", b"view some"),
        (c.VERDICTS, b'"number":"D00001"', b'"number":"D00009"'),
        (c.VERDICTS, b'"events":', b'"events":1'),
        (c.HOUSE_RULES, b'"bring_in_floor": "half"', b'"bring_in_floor": "none"'),
        (c.MANIFEST, b'"leaves": ', b'"leaves": 1'),
    ],
)
def test_what_people_read_beside_the_events_is_what_they_come_to(
    demo: Room, some: Path, name: str, old: bytes, new: bytes
) -> None:
    touched = rewritten(some, in_file(name, lambda told: told.replace(old, new, 1)))
    assert content(touched, name) != content(some, name)
    assert checked(demo, touched).tampering


def test_another_readme_is_not_vouched_for(demo: Room, some: Path) -> None:
    kind = in_file(c.README, lambda told: told + b"The other checker is better.\n")
    assert c.README in checked(demo, rewritten(some, kind)).unchecked[0]


@pytest.mark.parametrize("name", ["report.pdf", "EVENTS.JSONL", c.LEAVES])
def test_a_file_nobody_checks_is_named_even_if_the_manifest_has_it(
    demo: Room, some: Path, tmp_path: Path, name: str
) -> None:
    more = tmp_path / "more.zip"
    more.write_bytes(some.read_bytes())
    with zipfile.ZipFile(more, "a") as archive:
        archive.writestr(name, b"x")
    found = checked(demo, rewritten(more, lambda _, old: old))
    assert found.tampering == [f"{name!r} is no file of such a bundle: somebody put it there"]
    without = rewritten(some, in_file(c.INDEX, lambda _: None))
    assert f"{c.INDEX!r} is missing" in checked(demo, without).tampering
