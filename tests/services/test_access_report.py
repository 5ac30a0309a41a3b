"""Who saw what is told from the log, and is sealed in it like everything else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID

import msgspec
import pytest

from services.access import COMMAND_LINE, Keys
from services.access_report import AccessWanted, access_page
from services.demo.storing import store_demo
from services.embedded import Server
from services.log.checkpoints import Checkpoints
from services.log.leaf import leaf_hash, public_form
from services.store.port import pages
from services.store.room import Room
from tests.support.cli import CommandLine
from tests.support.service import Served, served

TODAY = f"{datetime.now(UTC):%Y-%m-%d}"


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 12) as service:
        yield service


def looked(service: Served, subject: str, why: str, hand: UUID | None = None) -> str:
    """A new subject of this name looks at all cards of a hand; the id of his key."""
    key = service.key("auditor", subject=subject)
    path = f"/v1/hands/{hand or service.hand}/replay"
    asked = {"view": "all", "why": why}
    answer = service.client.get(path, params=asked, headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 200
    return key.split("_")[1]


def told(service: Served, **asked: object) -> list[dict[str, object]]:
    answer = service.client.get("/v1/access", params=asked, headers=service.headers("auditor"))
    assert answer.status_code == 200, answer.text
    entries: list[dict[str, object]] = answer.json()["entries"]
    return entries


def test_who_saw_cards_when_as_what_and_why_is_told(service: Served) -> None:
    key = looked(service, "Ada Board", "complaint 17")
    issued, saw = told(service, subject="Ada Board")
    assert (issued["what"], issued["actor"]) == ("key_issued", COMMAND_LINE)
    assert (saw["what"], saw["view"], saw["purpose"]) == ("cards_seen", "all", "complaint 17")
    assert (saw["subject"], saw["role"], saw["key"]) == ("Ada Board", "auditor", key)
    assert (saw["hand"], saw["number"]) == (str(service.hand), "D00001")
    assert str(saw["at"]).startswith(TODAY)


def test_of_one_hand_or_of_days_only_that_is_told(service: Served) -> None:
    other = service.demo.arranged[1].hand
    looked(service, "Bruno Board", "complaint 18", hand=other)
    assert {entry["hand"] for entry in told(service, hand="D00002")} == {str(other)}
    assert told(service, to="2020-01-01") == []
    today = {"subject": "Bruno Board", "from": TODAY, "to": TODAY}
    assert told(service, **today) == told(service, subject="Bruno Board") != []


def test_the_list_goes_on_page_by_page(service: Served) -> None:
    looked(service, "Carl Board", "complaint 19")
    whole, found, after = told(service, subject="Carl Board"), [], None
    while True:
        place = {} if after is None else {"after": after}
        headers = service.headers("auditor")
        asked = {"subject": "Carl Board", "limit": 1, **place}
        page = service.client.get("/v1/access", params=asked, headers=headers).json()
        found += page["entries"]
        after = page["next"]
        if after is None:
            break
    assert found == whole


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"subject": "Nobody Here"}, 422),
        ({"after": "soon"}, 422),
        ({"after": str(2**63)}, 422),
        ({"from": "2026-02-01", "to": "2026-01-01"}, 422),
        ({"hand": "D99999"}, 404),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(
    service: Served, asked: dict[str, str], status: int
) -> None:
    answer = service.client.get("/v1/access", params=asked, headers=service.headers("auditor"))
    assert answer.status_code == status


def test_the_record_of_access_is_sealed_like_every_event(service: Served) -> None:
    looked(service, "Dora Board", "complaint 20")
    Checkpoints(service.room).sign()
    with service.room.connect() as connection:
        leaves = dict(connection.execute("select position, hash from log_leaves").fetchall())
    entries = access_page(service.room, AccessWanted(limit=1000)).entries
    recorded = {fact.position: fact for page in pages(service.room.store) for fact in page}
    assert {entry.what for entry in entries} >= {"cards_seen", "key_issued"}
    for entry in entries:
        form = public_form(service.room.settings.room, recorded[entry.position], None)
        assert bytes(leaves[entry.position]) == leaf_hash(form)
        assert msgspec.json.decode(form)["actor"] == entry.actor


def test_a_revoked_key_is_told_with_who_ended_it(service: Served) -> None:
    key = looked(service, "Emil Board", "complaint 21")
    Keys(service.room.pool, service.room.store).revoke(key)
    last = told(service, subject=COMMAND_LINE, limit=1000)[-2:]
    assert f"key {key}" in [entry["about"] for entry in last if entry["what"] == "key_revoked"]


def test_the_command_line_tells_the_same_in_every_form(
    service: Served, studledger: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDLEDGER_ROOM", service.room.settings.room)
    looked(service, "Fay Board", "complaint 22")
    asked = ("access", "report", "--subject", "Fay Board")
    document = studledger(*asked, "--format", "json").json
    assert document["entries"] == told(service, subject="Fay Board")
    assert studledger(*asked, "--format", "jsonl").lines == document["entries"]
    rows = studledger(*asked, "--format", "csv").csv
    assert [row["purpose"] for row in rows] == ["", "complaint 22"]
    assert "complaint 22" in studledger(*asked).said


def test_looking_on_the_machine_itself_is_told_too(room: Room, studledger: CommandLine) -> None:
    store_demo(room, 6)
    studledger("replay", "D00001", "--view", "all", "--why", "complaint 23")
    asked = ("access", "report", "--hand", "D00001", "--format", "json")
    (entry,) = studledger(*asked).json["entries"]
    assert (entry["actor"], entry["view"], entry["purpose"]) == (
        COMMAND_LINE, "all", "complaint 23",
    )  # fmt: skip
    studledger("access", "report", "--subject", "nobody", code=5)
