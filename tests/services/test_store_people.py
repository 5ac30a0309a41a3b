"""What is kept beside the log: names, original texts, the quarantine and the hands' secrets."""

from __future__ import annotations

import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest

from services.errors import WrongKey
from services.store.hand_secrets import HandSecrets, Sealer, read_or_make_key
from services.store.port import Append, Fact, Text
from services.store.room import Room
from services.store.texts import Rejected, digest


def text(body: bytes) -> Text:
    return Text(body=body, format="pokerstars", file="july.txt", line=12)


def hand_with(*texts: Text, secret: bool = False, expected: int = 0) -> Append:
    return Append(
        stream=uuid4(),
        expected=expected,
        facts=(Fact("noted.v1", b"{}"),),
        actor="ann",
        texts=texts,
        secret=secret,
    )


def rejected(reason: str, body: bytes = b"Stage #1: Omaha") -> Rejected:
    return Rejected(file="july.txt", line=1, reader="pokerstars", reason=reason, body=body)


def test_a_name_gets_one_opaque_id_per_site_for_ever(room: Room) -> None:
    first = room.players.resolve("PokerStars", ["anna", "bob", "anna"])
    again = room.players.resolve("PokerStars", ["bob", "cem", "anna"])
    elsewhere = room.players.resolve("Full Tilt", ["anna"])
    assert set(first) == {"anna", "bob"}
    assert (again["anna"], again["bob"]) == (first["anna"], first["bob"])
    assert len({*again.values(), *elsewhere.values()}) == 4
    assert all(UUID(player).version == 4 for player in again.values())


def test_those_who_ask_at_the_same_moment_get_the_same_ids(room: Room) -> None:
    names = [f"player {n}" for n in range(40)]

    def ask(turn: int) -> dict[str, str]:
        return room.players.resolve("PokerStars", names[turn:] + names[:turn])

    with ThreadPoolExecutor(8) as importers:
        answers = list(importers.map(ask, range(0, 40, 5)))
    assert len(answers[0]) == 40
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize("name", ["PC [Mittel]", "ü 😀", "'; drop table players; --", "x" * 9_000])
def test_a_name_is_whatever_the_site_prints(room: Room, name: str) -> None:
    (player,) = room.players.resolve("PokerStars", [name]).values()
    assert room.players.names([player]) == {player: name}
    assert room.players.find("PokerStars", [name, "nobody"]) == {name: player}


def test_an_erased_player_has_no_name_and_his_id_stays_unused(room: Room) -> None:
    (player,) = room.players.resolve("PokerStars", ["anna"]).values()
    with room.connect() as connection:
        connection.execute("delete from players where id = %s", (player,))
    assert room.players.names([player]) == {}
    assert room.players.resolve("PokerStars", ["anna"])["anna"] != player


def test_the_original_text_commits_with_its_hand_and_is_found_by_hand(room: Room) -> None:
    body = b"\xef\xbb\xbfPokerStars Hand #1: 7 Card Stud\r\n\xff"
    append = hand_with(text(body))
    room.store.append([append])
    assert room.texts.of(append.stream) == (text(body),)
    assert room.texts.of(uuid4()) == ()
    assert room.texts.holders([body, b"other"]) == {digest(body): append.stream}


def test_a_stale_hand_leaves_no_text_and_no_secret(room: Room) -> None:
    stale, fresh = hand_with(text(b"late"), secret=True, expected=3), hand_with(text(b"new"))
    answers = room.store.append([stale, fresh])
    assert [answer.status for answer in answers] == ["stale", "ok"]
    assert room.texts.of(stale.stream) == ()
    assert room.secrets.of(stale.stream) is None
    assert room.texts.of(fresh.stream) == (text(b"new"),)


def test_a_further_witness_is_kept_once(room: Room) -> None:
    append = hand_with(text(b"mine"))
    room.store.append([append])
    room.texts.add(append.stream, text(b"his"), text(b"mine"))
    room.texts.add(append.stream, text(b"his"))
    assert {witness.body for witness in room.texts.of(append.stream)} == {b"mine", b"his"}


def test_the_quarantine_keeps_the_original_with_line_and_reason(room: Room) -> None:
    room.quarantine.put([rejected("no such game"), rejected("card dealt twice", b"other")])
    first, second = room.quarantine.page()
    assert (first.file, first.line, first.reader) == ("july.txt", 1, "pokerstars")
    assert (first.reason, first.body) == ("no such game", b"Stage #1: Omaha")
    assert room.quarantine.page(after=first.id) == (second,)


def test_the_same_record_again_only_renews_the_reason(room: Room) -> None:
    room.quarantine.put([rejected("no such game")])
    room.quarantine.put([rejected("still no such game")])
    (held,) = room.quarantine.page()
    assert held.reason == "still no such game"
    room.quarantine.release([held.id])
    assert room.quarantine.page() == ()


def test_a_hand_has_a_random_secret_from_its_first_event(room: Room) -> None:
    one, two = hand_with(secret=True), hand_with(secret=True)
    room.store.append([one, two])
    secret = room.secrets.of(one.stream)
    assert secret is not None
    assert len(secret) == 32
    assert secret != room.secrets.of(two.stream)
    assert room.secrets.of(one.stream) == secret


def test_the_database_holds_the_secret_only_sealed(room: Room) -> None:
    append = hand_with(secret=True)
    room.store.append([append])
    with room.connect() as connection:
        row = connection.execute("select sealed from hand_secrets").fetchone()
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("update hand_secrets set sealed = ''")
    secret = room.secrets.of(append.stream)
    assert row is not None
    assert secret is not None
    assert secret not in bytes(row[0])


def test_a_sealed_secret_does_not_open_for_another_hand_or_room(tmp_path: Path) -> None:
    hand, sealer = uuid4(), Sealer(tmp_path / "key", "main")
    sealed = sealer.seal(hand, b"s" * 32)
    assert sealer.open(hand, sealer.key_id, sealed) == b"s" * 32
    with pytest.raises(WrongKey, match="was changed"):
        sealer.open(uuid4(), sealer.key_id, sealed)
    with pytest.raises(WrongKey, match="was changed"):
        Sealer(tmp_path / "key", "other").open(hand, sealer.key_id, sealed)


def test_another_key_is_named_and_the_remedy_too(room: Room, tmp_path: Path) -> None:
    append = hand_with(secret=True)
    room.store.append([append])
    other = Sealer(tmp_path / "other.key", room.settings.room)
    with pytest.raises(WrongKey, match="STUDLEDGER_KEY_FILE"):
        HandSecrets(room.pool, other).of(append.stream)


def test_the_key_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "hand.key"
    with ThreadPoolExecutor(8) as starters:
        keys = set(starters.map(lambda _: read_or_make_key(path), range(8)))
    assert len(keys) == 1
    assert len(keys.pop()) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["hand.key"]


@pytest.mark.parametrize("content", ["", "abc", "zz" * 32, "ab" * 31])
def test_a_file_that_is_no_key_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "hand.key"
    path.write_text(content)
    with pytest.raises(WrongKey, match="does not hold 32 bytes"):
        read_or_make_key(path)
    assert path.read_text() == content


def test_rooms_do_not_share_names(room: Room, another: Callable[[], Room]) -> None:
    here = room.players.resolve("PokerStars", ["anna"])
    there = another().players.resolve("PokerStars", ["anna"])
    assert here != there
