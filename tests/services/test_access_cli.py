"""Keys made, listed and revoked at the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from click.testing import Result
from typer.testing import CliRunner

from services.cli.exits import NOT_FOUND, USAGE
from services.cli.token import app
from services.embedded import Server
from tests.support.service import Served, served


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 9) as service:
        yield service


@pytest.fixture
def token(service: Served, monkeypatch: pytest.MonkeyPatch) -> Token:
    monkeypatch.setenv("STUDLEDGER_DATA_DIR", str(service.room.settings.data_dir))
    monkeypatch.setenv("STUDLEDGER_ROOM", service.room.settings.room)
    return Token()


class Token:
    def __call__(self, *arguments: str) -> str:
        """What a command that succeeds prints on stdout."""
        result = self.run(*arguments)
        assert result.exit_code == 0, result.output
        return result.stdout

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(app, arguments)


def status(service: Served, key: str) -> int:
    headers = {"Authorization": f"Bearer {key}"}
    return service.client.get("/v1/hands", headers=headers).status_code


def test_the_new_key_is_the_last_line_and_opens_the_service(token: Token, service: Served) -> None:
    key = token("create", "--role", "auditor", "--subject", "Gaming board").splitlines()[-1]
    assert status(service, key) == 200


def test_a_list_names_keys_but_not_what_opens_anything(token: Token) -> None:
    key = token("create", "--role", "floor").splitlines()[-1]
    listed = token("list", "--format", "json")
    (mine,) = [one for one in json.loads(listed)["keys"] if one["id"] == key.split("_")[1]]
    assert (mine["name"], mine["role"], mine["revoked_at"]) == ("floor", "floor", None)
    assert key.rpartition("_")[2] not in listed + token("list") + token("list", "--format", "csv")


def test_a_revoked_key_is_refused_from_then_on(token: Token, service: Served) -> None:
    key = token("create", "--role", "finance", "--expires", "2h").splitlines()[-1]
    assert status(service, key) == 200
    token("revoke", key.split("_")[1])
    assert status(service, key) == 401


def test_a_players_key_is_that_of_the_player_so_called(token: Token, service: Served) -> None:
    seat = service.started(service.hand).seats[0]
    name = service.room.players.names([seat.player])[seat.player]
    for arguments in (("--subject", name), ("--subject", "x", "--player", seat.player)):
        key = token("create", "--role", "player", *arguments).splitlines()[-1]
        own = f"/v1/hands/{service.hand}/replay?view=seat:{seat.seat}"
        answer = service.client.get(own, headers={"Authorization": f"Bearer {key}"})
        assert answer.status_code == 200


def test_a_name_on_two_sites_is_asked_about(token: Token, service: Served) -> None:
    ids = [service.room.players.resolve(site, ["Twice"])["Twice"] for site in ("one", "two")]
    result = token.run("create", "--role", "player", "--subject", "Twice")
    assert result.exit_code == USAGE
    assert all(player in result.stderr for player in ids)


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (("create", "--role", "king"), USAGE, "auditor"),
        (("create", "--role", "floor", "--expires", "soon"), USAGE, "90d"),
        (("create", "--role", "floor", "--player", "Ada"), USAGE, "--player"),
        (("create", "--role", "floor", "--subject", " "), USAGE, "name"),
        (("create", "--role", "player", "--subject", "Nobody"), NOT_FOUND, "--player"),
        (("revoke", "0123456789abcdef"), NOT_FOUND, "token list"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(
    token: Token, arguments: tuple[str, ...], code: int, word: str
) -> None:
    result = token.run(*arguments)
    assert result.exit_code == code
    assert word in result.stderr
    assert not result.stdout
