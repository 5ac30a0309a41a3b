"""The pages of the log: what is signed, what is behind, and proofs checked and told."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from html import unescape

import pytest

from services.api.files import on_file
from services.embedded import Server
from services.log.checkpoints import Checkpoints
from services.log.keys import LogKeys
from services.pages.proof_shown import NotProven, proven
from services.proof.tlog_proof import verify_proof
from tests.support.browsing import Visitor, problem_of, visitor
from tests.support.lagging import projections_held
from tests.support.service import Served, served


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 8) as service:
        yield service


@pytest.fixture(scope="module")
def auditor(service: Served) -> Visitor:
    Checkpoints(service.room).sign()
    return visitor(service, "auditor")


def test_the_page_shows_the_newest_checkpoint_as_it_was_signed(
    service: Served, auditor: Visitor
) -> None:
    page, newest = auditor.get("/log"), Checkpoints(service.room).newest()
    assert newest.note in unescape(page)
    assert f"<dd>{newest.size:,}</dd>" in page
    keys = LogKeys(service.room.settings, service.room.store).known()
    assert str(keys[-1]) in page
    file = auditor.client.get(f"/log/checkpoints/{newest.epoch}/{newest.size}")
    assert file.text == newest.note
    assert f'"{service.room.settings.room}.epoch1.' in file.headers["content-disposition"]
    assert auditor.client.get("/log/checkpoints/1/999999").status_code == 404


def test_what_reports_do_not_know_yet_is_told(service: Served, auditor: Visitor) -> None:
    with projections_held(service.room):
        service.key("floor")  # An event that nothing can take in now.
        page = auditor.get("/log")
    assert "behind</span>" in page
    assert "stored that not every report takes in yet" in page


def test_a_proof_is_checked_and_every_step_of_it_is_told(service: Served, auditor: Visitor) -> None:
    page = auditor.get("/log/proof?hand=D00001&step=3")
    assert "<strong>It is.</strong> Step 3 of" in page
    text = auditor.client.get("/log/proof/file?hand=D00001&step=3").text
    keys = LogKeys(service.room.settings, service.room.store).known()
    found = verify_proof(text, keys)
    codes = re.findall(r"<code>([A-Za-z0-9+/]{43}=)</code>", page)
    hashed, root = codes[0], codes[-1]
    assert base64.b64decode(hashed) == hashlib.sha256(b"\x00" + found.entry).digest()
    assert base64.b64decode(root) == found.checkpoint.root
    assert codes[-2] == root, "the way ends at the root"


def test_without_a_step_it_is_the_last_one_of_the_hand(service: Served, auditor: Visitor) -> None:
    last = len(service.events(service.hand))
    assert f"Step {last} of {last} of hand" in auditor.get(f"/log/proof?hand={service.hand}")


def test_no_proof_shows_a_face_down_card(service: Served, auditor: Visitor) -> None:
    downs = [
        (step, card)
        for step, event in enumerate(service.events(service.hand), start=1)
        for card in getattr(event, "down", ())
        if card != "??"
    ]
    step, card = downs[0]
    page = auditor.get(f"/log/proof?hand={service.hand}&step={step}")
    assert f"&#34;{card}&#34;" not in page
    assert f'"{card}"' not in page


def test_an_event_after_the_last_checkpoint_is_not_proven_yet(service: Served) -> None:
    events = service.events(service.demo.arranged[2].hand)
    hand = service.store(events)
    found = proven(service.room, on_file(service.room, str(hand)), 1)
    assert isinstance(found, NotProven)
    assert not found.alarming


@pytest.mark.parametrize(
    ("query", "field"),
    [("hand=nobody", "hand"), ("hand=D00001&step=999", "step"), ("hand=D00001&step=x", "step")],
)
def test_what_is_asked_wrong_is_told_beside_its_field(
    auditor: Visitor, query: str, field: str
) -> None:
    assert f'id="{field}-wrong"' in auditor.get(f"/log/proof?{query}", 422)


def test_everybody_sees_the_log_and_few_get_proofs(service: Served) -> None:
    dealer = visitor(service, "dealer")
    assert "Is a hand in the log?" not in dealer.get("/log")
    for path in ("/log/proof?hand=D00001", "/log/proof/file?hand=D00001"):
        assert problem_of(dealer.get(path, 403)) == "not-allowed"
