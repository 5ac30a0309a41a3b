"""People: told what is kept of them, held, erased; and every proof holds as before."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from domain.disputes import commands as q
from services.access import Keys, KeyWanted
from services.disputes import add_note, files_of, handle, open_case
from services.importing import import_paths
from services.live import By
from services.log.checkpoints import Checkpoints
from services.log.proving import Prover
from services.proof.notes import parse_vkey
from services.proof.tlog_proof import verify_proof
from services.store.room import Room
from services.store.texts import Rejected
from tests.support.cli import CommandLine
from tests.support.hand_texts import STUD, changed

NOW = datetime.now(UTC)
FLORA = By(actor="flora", role="floor")
BROKEN = changed(STUD, ("bert: folds", "bert: surrenders"))


@pytest.fixture
def hand(room: Room, tmp_path: Path) -> UUID:
    """A hand of anna, bert and cleo, imported from a text."""
    path = tmp_path / "hand.txt"
    path.write_text(STUD)
    import_paths(room, [path])
    with room.connect() as connection:
        (stream,) = connection.execute("select hand from texts").fetchone() or (None,)
    assert isinstance(stream, UUID)
    return stream


def case_about(room: Room, hand: UUID) -> UUID:
    command = q.OpenCase(
        hand=hand, category="award", complainant="c", channel="table", step=None,
        submitted_at=NOW, by="flora", at=NOW,
    )  # fmt: skip
    case = open_case(room.store, command, FLORA).loaded.id
    add_note(room, case, "anna called twice", FLORA)
    return case


def erased(studledger: CommandLine, player: str = "anna", *more: str) -> dict[str, int]:
    asked = ("privacy", "erase", player, "--why", "request 12", "--format", "json", *more)
    counts: dict[str, int] = studledger(*asked).json["erased"]
    return counts


def texts_of(room: Room) -> list[tuple[bytes, str, bytes]]:
    with room.connect() as connection:
        return connection.execute("select body, file, sha256 from texts").fetchall()


def test_an_erased_player_is_an_id_and_every_proof_holds(
    hand: UUID, room: Room, studledger: CommandLine
) -> None:
    before = Checkpoints(room).sign()
    position = room.store.load(hand)[0].position
    proof = str(Prover(room).inclusion(position))
    player = room.players.find("PokerStars", ["anna"])["anna"]
    replayed = studledger("replay", hand).out
    assert "anna" in replayed

    assert erased(studledger)["names"] == 1

    shown = studledger("replay", hand).out
    assert "anna" not in shown and "bert" in shown
    assert studledger("replay", hand, "--format", "json").json["seats"][0]["player"] == "seat 1"
    assert studledger("hands", "--player", player, "--format", "json").json["hands"]
    assert studledger("verify", "--all", "--format", "json").json["differences"] == []
    after = Checkpoints(room).sign()
    keys = [parse_vkey(str(key)) for key in Checkpoints(room).keys.known()]
    assert verify_proof(proof, keys)
    assert Prover(room).consistency(before.size, after.size).hashes
    assert str(Prover(room).inclusion(position)).splitlines()[1] == proof.splitlines()[1]
    names_left = [fact for fact in room.store.page(0, 10_000) if b"anna" in fact.state]
    assert names_left == []


def test_a_text_leaves_its_digest_and_comes_back_no_more(
    hand: UUID, room: Room, studledger: CommandLine, tmp_path: Path
) -> None:
    assert erased(studledger)["texts"] == 1
    assert texts_of(room) == [(b"", "", hashlib.sha256(STUD.encode()).digest())]
    assert room.texts.of(hand) == ()
    again = import_paths(room, [tmp_path / "hand.txt"])
    assert (again.imported, again.duplicates, again.conflicts) == (0, 1, [])
    assert room.texts.of(hand) == ()


def test_keys_quarantine_and_notes_of_closed_cases_go_too(
    hand: UUID, room: Room, studledger: CommandLine
) -> None:
    player = UUID(room.players.find("PokerStars", ["anna"])["anna"])
    keys = Keys(room.pool, room.store)
    wanted = KeyWanted(
        subject="anna", role="player", expires_at=NOW + timedelta(days=1), player=player
    )
    issued = keys.issue(wanted)
    stray = Rejected(file="x", line=1, reader="pokerstars", reason="r", body=BROKEN.encode())
    other = Rejected(file="y", line=1, reader="pokerstars", reason="r", body=b"of somebody else")
    room.quarantine.put([stray, other])
    opened, closed = case_about(room, hand), case_about(room, hand)
    handle(room.store, closed, q.AnswerCase(letter=None, by="flora", at=NOW), FLORA)
    handle(room.store, closed, q.CloseCase(by="flora", at=NOW), FLORA)

    asked = ("privacy", "erase", "anna", "--why", "request 12", "--format", "json")
    answer = studledger(*asked)

    assert answer.json["erased"] == {
        "keys": 1, "texts": 1, "quarantine": 1, "aside": 0, "files": 1, "subjects": 1, "names": 1,
    }  # fmt: skip
    assert answer.json["left"] == {"aside": 0, "files": 1}
    assert "erase again" in answer.err
    (holder,) = keys.all()
    assert (holder.name, holder.revoked_at is not None) == (f"erased {issued.subject}", True)
    assert [one.body for one in room.quarantine.page()] == [b"of somebody else"]
    assert (len(files_of(room, opened)), files_of(room, closed)) == (1, ())


def test_a_dry_run_erases_nothing_and_a_second_time_finds_nothing(
    hand: UUID, room: Room, studledger: CommandLine
) -> None:
    head = room.store.head()
    would = erased(studledger, "anna", "--dry-run")
    assert (would["names"], room.store.head()) == (1, head)
    player = room.players.find("PokerStars", ["anna"])["anna"]
    assert erased(studledger) == would
    head = room.store.head()
    assert set(erased(studledger, player).values()) == {0}
    assert room.store.head() == head


@pytest.mark.parametrize("held", ["anna", "bert", "the hand"])
def test_a_hold_on_him_his_hand_or_who_played_it_stops_erasing(
    hand: UUID, room: Room, studledger: CommandLine, held: str
) -> None:
    about = str(hand) if held == "the hand" else held
    studledger("privacy", "hold", about, "--why", "case at court")
    (standing,) = studledger("privacy", "holds", "--format", "json").json["holds"]
    assert standing["why"] == "case at court"
    refused = studledger("privacy", "erase", "anna", "--why", "request 12", code=1)
    assert "legal hold" in refused.err
    assert room.players.find("PokerStars", ["anna"])
    assert "already" in studledger("privacy", "hold", about, "--why", "again").out
    studledger("privacy", "release", about, "--why", "case closed")
    studledger("privacy", "release", about, "--why", "case closed", code=5)
    assert erased(studledger)["names"] == 1


def test_a_hold_on_a_case_stops_erasing(hand: UUID, room: Room, studledger: CommandLine) -> None:
    case = case_about(room, hand)
    handle(room.store, case, q.SetHold(reason="court", by="flora", at=NOW), FLORA)
    refused = studledger("privacy", "erase", "anna", "--why", "request 12", code=1)
    assert str(hand) in refused.said


def test_a_reason_that_names_the_player_is_refused(hand: UUID, studledger: CommandLine) -> None:
    refused = studledger("privacy", "erase", "anna", "--why", "Anna asked for it", code=2)
    assert "without the player's name" in refused.said
    studledger("privacy", "erase", "nobody", "--why", "request 12", code=5)


def test_a_player_is_told_his_hands_as_he_saw_them_and_who_looked(
    hand: UUID, room: Room, studledger: CommandLine, tmp_path: Path
) -> None:
    studledger("replay", hand, "--view", "all", "--why", "complaint 17")
    studledger("privacy", "export", "bert", "-o", tmp_path / "told.jsonl")
    lines = [
        msgspec.json.decode(line) for line in (tmp_path / "told.jsonl").read_text().splitlines()
    ]
    who, text, played = lines
    assert who["names"] == [{"site": "PokerStars", "name": "bert"}]
    assert text["sha256"] == hashlib.sha256(STUD.encode()).hexdigest()
    assert [(seen["view"], seen["purpose"]) for seen in played["looked"]] == [
        ("all", "complaint 17")
    ]
    dealt = [event for event in played["events"] if event["type"] == "cards_dealt.v1"]
    down = {event["seat"]: event["down"] for event in dealt if event["down"]}
    assert all(card == "??" for seat in down if seat != played["seat"] for card in down[seat])
    report = studledger("access", "report", "--format", "json").json["entries"]
    assert [entry["what"] for entry in report] == ["cards_seen", "player_told", "cards_seen"]


def test_what_is_older_than_the_policy_goes_and_what_is_held_stays(
    hand: UUID, room: Room, studledger: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = studledger("privacy", "retention", "--dry-run", "--format", "json").json["kinds"]
    assert {kind["erased"] for kind in nothing} == {0}
    assert {kind["days"] for kind in nothing} == {3653}
    with room.connect() as connection:
        connection.execute("update texts set kept_at = kept_at - interval '8 days'")
    monkeypatch.setenv("STUDLEDGER_KEEP_TEXTS", "7")
    texts = {"--dry-run": (1, 0), "--apply": (1, 0)}
    studledger("privacy", "hold", hand, "--why", "case at court")
    (held, *_) = studledger("privacy", "retention", "--apply", "--format", "json").json["kinds"]
    assert (held["erased"], held["held"]) == (0, 1)
    studledger("privacy", "release", hand, "--why", "case closed")
    for way, expected in texts.items():
        assert room.texts.of(hand)
        kinds = studledger("privacy", "retention", way, "--format", "json").json["kinds"]
        assert (kinds[0]["erased"], kinds[0]["held"]) == expected
    assert room.texts.of(hand) == ()
    studledger("privacy", "retention", code=2)
