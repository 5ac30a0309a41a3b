"""Running the command line as a person does: arguments in; text and an exit code out."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from services import embedded
from services.cli.main import main
from services.embedded import Server
from services.settings import Settings

OTHER_SETTINGS = (
    *("DATABASE_URL", "OWNER_URL", "KEY_FILE", "DEBUG"),
    *("LOG_KEY", "LOG_KEY_FILE", "LOG_ORIGIN", "CHECKPOINT_DIR"),
    *("SCHEMA_DIR", "POJEU_FILE"),
)


def forget_room(server: Server, room: str) -> None:
    """As if nobody had ever used this room."""
    with psycopg.connect(server.conninfo(embedded.OWNER_ROLE), autocommit=True) as connection:
        connection.execute(SQL("drop schema if exists {} cascade").format(Identifier(room)))


def forget_published(server: Server, room: str) -> None:
    """Its next log is no longer held against what the one before it published."""
    for published in (server.home / "checkpoints").glob(f"{room}.epoch*"):
        published.unlink()


def started(settings: Settings, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
    """The program as a process of its own, in the room of these settings."""
    kept = {name: value for name, value in os.environ.items() if "STUDLEDGER_" not in name}
    ours = {
        "STUDLEDGER_DATA_DIR": str(settings.data_dir),
        "STUDLEDGER_ROOM": settings.room,
    }
    return subprocess.Popen(
        [sys.executable, "-c", "from services.cli.main import main; main()", *arguments],
        cwd=Path(__file__).parents[2],
        env={**kept, **ours, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


class Answer(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout."""
        assert self.out.count("\n") == 1, "one document, one line"
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """The JSON documents on stdout, one a line."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def csv(self) -> list[dict[str, str]]:
        """The rows of the CSV on stdout."""
        return list(csv.DictReader(io.StringIO(self.out)))

    @property
    def said(self) -> str:
        """Everything printed, on one line: where a terminal breaks it does not matter."""
        return " ".join(f"{self.out} {self.err}".split())


class CommandLine:
    """`studledger` in the room of these settings, in a terminal of eighty columns."""

    def __init__(
        self,
        settings: Settings,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys
        monkeypatch.setenv("STUDLEDGER_DATA_DIR", str(settings.data_dir))
        monkeypatch.setenv("STUDLEDGER_ROOM", settings.room)
        monkeypatch.setenv("COLUMNS", "80")
        for name in OTHER_SETTINGS:
            monkeypatch.delenv(f"STUDLEDGER_{name}", raising=False)

    def __call__(self, *arguments: object, code: int | None = 0) -> Answer:
        """Run it. `code` is how it has to end, if that is known; no traceback reaches anybody."""
        self._monkeypatch.setattr("sys.argv", ["studledger", *map(str, arguments)])
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        answer = Answer(int(ended.value.code or 0), *self._capsys.readouterr())
        assert "Traceback" not in answer.out + answer.err
        assert code in {None, answer.code}, answer.err or answer.out
        return answer
