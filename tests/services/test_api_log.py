"""The log over HTTP: the checkpoint, and proofs that are checked without the service."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services.embedded import Server
from services.log.checkpoints import Checkpoints
from services.log.regular import RegularCheckpoints
from services.log.sealing import LogStopped, sealer_of
from services.proof.checkpoint import verify_checkpoint
from services.proof.consistency import verify_consistency
from services.proof.notes import VerifierKey
from services.proof.tlog_proof import verify_proof
from services.store.room import Room
from tests.support.sealed import as_owner, tell, tell_raw
from tests.support.service import Served, served

PROBLEM = "urn:studledger:problem:"


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 6) as service:
        yield service


@pytest.fixture(scope="module")
def auditor(service: Served) -> dict[str, str]:
    return service.headers("auditor")


def keys(service: Served) -> tuple[VerifierKey, ...]:
    return Checkpoints(service.room).keys.known()


def text(service: Served, path: str, headers: dict[str, str]) -> str:
    answer = service.client.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    return answer.text


def problem(service: Served, path: str, headers: dict[str, str]) -> tuple[int, str]:
    answer = service.client.get(path, headers=headers)
    return answer.status_code, answer.json()["type"].removeprefix(PROBLEM)


def test_the_newest_checkpoint_is_a_signed_note(service: Served, auditor: dict[str, str]) -> None:
    note = text(service, "/v1/log/checkpoint", auditor)
    assert verify_checkpoint(note, keys(service)).size > 300
    assert text(service, "/v1/log/checkpoint", auditor) == note


def test_an_event_is_proven_to_whoever_has_the_verifier_key(
    service: Served, auditor: dict[str, str]
) -> None:
    proof = text(service, "/v1/log/proof/1", auditor)
    found = verify_proof(proof, keys(service))
    assert (found.leaf, b"hand_started.v1" in found.entry) == (0, True)


def test_the_log_is_shown_to_have_grown_only(service: Served, auditor: dict[str, str]) -> None:
    earlier = verify_checkpoint(text(service, "/v1/log/checkpoint", auditor), keys(service))
    tell(service.room)
    later = Checkpoints(service.room).sign()
    path = f"/v1/log/consistency?from={earlier.size}"
    answer = service.client.get(path, headers=auditor)
    told = verify_consistency(answer.text, keys(service))
    assert (told.earlier, told.later) == (earlier, later.checkpoint)
    named = service.client.get(f"{path}&to={later.size}", headers=auditor)
    assert named.json() == answer.json()
    assert service.client.get(path, headers=service.headers("player", service.hand)).is_success


def test_what_is_not_in_the_log_cannot_be_proven(service: Served, auditor: dict[str, str]) -> None:
    head = service.room.store.head()
    assert problem(service, f"/v1/log/proof/{head + 99}", auditor) == (404, "not-in-the-log")
    assert problem(service, "/v1/log/proof/0", auditor) == (422, "bad-parameter")
    assert problem(service, f"/v1/log/proof/{2**63}", auditor) == (422, "bad-parameter")
    for query in ("from=0", "", f"from={10**9}", "from=5&to=4", "from=x"):
        path = f"/v1/log/consistency?{query}"
        assert problem(service, path, auditor) == (422, "bad-parameter"), query


def test_an_event_that_was_sealed_after_the_last_checkpoint_waits_for_the_next(
    service: Served, auditor: dict[str, str]
) -> None:
    text(service, "/v1/log/checkpoint", auditor)
    position = tell(service.room)[0]
    sealer_of(service.room).catch_up()
    assert problem(service, f"/v1/log/proof/{position}", auditor) == (404, "not-in-the-log")
    Checkpoints(service.room).sign()
    verify_proof(text(service, f"/v1/log/proof/{position}", auditor), keys(service))


def test_an_event_that_was_changed_since_is_not_proven(server: Server) -> None:
    with served(server, 6) as service:
        headers = service.headers("auditor")
        text(service, "/v1/log/proof/2", headers)
        as_owner(service.room, "update events set actor = 'somebody' where notification_id = 2")
        assert problem(service, "/v1/log/proof/2", headers) == (500, "log-altered")


def test_a_stopped_log_is_named_by_readiness_and_signs_nothing(server: Server) -> None:
    with served(server, 6) as service:
        headers = service.headers("auditor")
        at = tell_raw(service.room, b'{"type":"checked.v1","seat":0.5}')
        with pytest.raises(LogStopped):
            sealer_of(service.room).catch_up()
        ready = service.client.get("/readyz")
        (log,) = [check for check in ready.json()["checks"] if check["name"] == "log"]
        assert (ready.status_code, log["ok"]) == (200, True)
        assert f"stopped at event {at}" in log["text"]
        assert problem(service, "/v1/log/checkpoint", headers) == (503, "log-not-signed")


# -- checkpoints as time goes by -------------------------------------------------------------------


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def sealed(room: Room) -> int:
    tell(room)
    return sealer_of(room).catch_up()


def test_a_log_without_a_key_is_not_signed_by_itself(room: Room) -> None:
    RegularCheckpoints(Checkpoints(room), 60)(sealed(room))
    assert not Checkpoints(room).keys.known()


def test_a_log_with_a_key_is_signed_once_in_a_while_if_it_has_grown(room: Room) -> None:
    checkpoints, clock = Checkpoints(room), Clock()
    checkpoints.keys.make()
    regular = RegularCheckpoints(checkpoints, 60, clock)
    counts = []
    for clock.now in (0, 30, 61, 62, 125):
        regular(sealed(room) if clock.now != 62 else checkpoints.newest().size)
        counts.append(len(checkpoints.all()))
    assert counts == [1, 1, 2, 2, 3]


def test_signing_can_be_left_to_others(room: Room) -> None:
    checkpoints = Checkpoints(room)
    checkpoints.keys.make()
    RegularCheckpoints(checkpoints, 0)(sealed(room))
    assert checkpoints.all() == ()


def test_what_cannot_be_signed_does_not_end_the_sealing(room: Room) -> None:
    checkpoints = Checkpoints(room)
    checkpoints.keys.make()
    room.settings.log_key_path.unlink()
    RegularCheckpoints(checkpoints, 60)(sealed(room))
    assert checkpoints.all() == ()
