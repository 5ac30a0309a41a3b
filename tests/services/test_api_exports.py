"""A bundle over HTTP: made for one key's eyes, checked by anybody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from httpx2 import Response

from services.bundles.checking import check_bundle
from services.embedded import Server
from tests.support.service import Served, served

HANDS = 8


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, HANDS) as service:
        yield service


def asked(service: Served, query: str = "", **sent: object) -> Response:
    headers = service.headers("auditor")
    return service.client.post(f"/v1/exports{query}", headers=headers, **sent)  # type: ignore[arg-type]


def test_without_a_body_every_hand_is_in_the_bundle(service: Served, tmp_path: Path) -> None:
    answer = asked(service)
    assert answer.headers["content-type"] == "application/zip"
    path = tmp_path / "all.zip"
    path.write_bytes(answer.content)
    found = check_bundle(path)
    assert (found.checked, found.view, found.tampering) == (HANDS, "public", [])


def test_hands_are_named_by_id_or_number(service: Served, tmp_path: Path) -> None:
    answer = asked(service, json={"hands": [str(service.hand), "D00002", "D00001"]})
    path = tmp_path / "two.zip"
    path.write_bytes(answer.content)
    assert check_bundle(path).checked == 2


def test_hidden_cards_need_a_purpose_and_are_on_record(service: Served) -> None:
    def sightings() -> int:
        return sum(f.type == "cards_seen.v1" for f in service.room.store.page(0, 100_000))

    before = sightings()
    assert asked(service, "?view=all").status_code == 422
    assert sightings() == before
    assert asked(service, "?view=all&why=yearly+audit").status_code == 200
    assert sightings() == before + HANDS


def test_hands_there_are_not_are_named(service: Served) -> None:
    called = ["D00001", "nobody's", *(f"D9{n:04}" for n in range(12))]
    problem = asked(service, json={"hands": called}).json()
    assert "nobody's, D90000" in problem["detail"]
    assert problem["detail"].endswith("…")
    assert "D00001" not in problem["detail"]
    named = [error["message"].rpartition(" ")[2] for error in problem["errors"]]
    assert named == called[1:]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"json": {"hands": ["nobody's"]}}, 404),
        ({"json": {"hands": []}}, 422),
        ({"json": {"hands": ["\x00"]}}, 422),
        ({"json": {"hands": 5}}, 422),
        ({"json": {"cards": True}}, 422),
        ({"content": b"{"}, 422),
    ],
    ids=["unknown", "none", "nul", "wrong", "foreign", "torn"],
)
def test_a_bad_body_is_a_problem(service: Served, sent: dict[str, object], status: int) -> None:
    answer = asked(service, **sent)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
