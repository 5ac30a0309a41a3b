"""Everything a place may set, from `STUDLEDGER_…` environment variables, checked once."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated

import platformdirs
import psycopg
from psycopg.conninfo import conninfo_to_dict
from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.errors import BadSettings

PREFIX = "STUDLEDGER_"
ORIGIN = re.compile(r"[!-*,-~]{1,200}")
EPOCH = re.compile(r".*/epoch/[0-9]+")
TEN_YEARS = 3653
"""Days, whichever years are leap years: what regulators ask for at the most."""
ROOM = re.compile(r"[a-z][a-z0-9_]{0,30}")


def default_data_dir() -> Path:
    """Where the embedded database and keys live if nobody says otherwise."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/studledger")
    return Path(platformdirs.user_data_dir("studledger", appauthor=False))


def _room(name: str) -> str:
    """A room's name is its schema's name, so PostgreSQL's own names are taken."""
    if not ROOM.fullmatch(name):
        raise ValueError("a room is a small letter, then up to 30 small letters, digits or _")
    if name.startswith("pg_") or name == "information_schema":
        raise ValueError("this name belongs to PostgreSQL, choose another")
    return name


def _origin(name: str) -> str:
    """The name a log's keys are called by: what C2SP asks of one, and no epoch's."""
    if not ORIGIN.fullmatch(name) or EPOCH.fullmatch(name):
        raise ValueError(
            "the name of a log is up to 200 characters of ASCII without spaces and +,"
            " such as cards.example/main, and does not end in /epoch/ and a number"
        )
    return name


def _url(url: SecretStr) -> SecretStr:
    """A PostgreSQL URL that the client library can read."""
    value = url.get_secret_value()
    if not value.startswith(("postgresql://", "postgres://")):
        raise ValueError("a database URL begins with postgresql://")
    try:
        conninfo_to_dict(value)
    except psycopg.ProgrammingError:
        raise ValueError("PostgreSQL cannot read this URL") from None
    return url


Place = Annotated[Path, AfterValidator(Path.expanduser)]
Days = Annotated[int, Field(ge=1, le=36_525)]
DatabaseUrl = Annotated[SecretStr, AfterValidator(_url)]


class Settings(BaseSettings):
    """The settings of one run. An empty variable counts as not set.

    `database_url` is the database of the application; without it a private PostgreSQL is kept in
    `data_dir`. `owner_url` is the login that owns the tables and migrates them, by default the
    same. `room` is one licence: a schema of its own. `key_file` seals the hands' secrets.
    `schema_dir` has regulators' schemas, `pojeu_file` what the French one wants to know.
    `log_key`, or the key in `log_key_file`, signs the checkpoints of the log that is called
    `log_origin`; they are published in `checkpoint_dir`. The rest are days what may be erased is
    kept: texts, records in quarantine, lines of posted hands kept aside, and what lies with cases.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, extra="ignore", hide_input_in_errors=True
    )

    database_url: DatabaseUrl | None = None
    owner_url: DatabaseUrl | None = None
    data_dir: Place = Field(default_factory=default_data_dir)
    room: Annotated[str, AfterValidator(_room)] = "main"
    key_file: Place | None = None
    schema_dir: Place | None = None
    pojeu_file: Place | None = None
    log_key: SecretStr | None = None
    log_key_file: Place | None = None
    log_origin: Annotated[str, AfterValidator(_origin)] | None = None
    checkpoint_dir: Place | None = None
    keep_texts: Days = TEN_YEARS
    keep_quarantine: Days = TEN_YEARS
    keep_aside: Days = TEN_YEARS
    keep_notes: Days = TEN_YEARS

    @property
    def key_path(self) -> Path:
        """The key file, by default inside the data directory."""
        return self.key_file or self.data_dir / "hand_secrets.key"

    @property
    def log_key_path(self) -> Path:
        """The file of the key that signs, by default inside the data directory."""
        return self.log_key_file or self.data_dir / f"log-{self.room}.key"

    @property
    def log_name(self) -> str:
        """What the log of the room is called: its origin, and the name of its keys."""
        return self.log_origin or f"studledger/{self.room}"

    @property
    def checkpoint_path(self) -> Path:
        """Where checkpoints are published, by default inside the data directory."""
        return self.checkpoint_dir or self.data_dir / "checkpoints"


def load_settings() -> Settings:
    """The settings of this process. Raises BadSettings, naming each variable that is wrong."""
    try:
        return Settings()
    except ValidationError as wrong:
        raise BadSettings("; ".join(_sentences(wrong))) from None


def _sentences(wrong: ValidationError) -> list[str]:
    """One sentence per wrong variable, without its value: a URL holds a password."""
    return [
        f"{PREFIX}{'_'.join(map(str, error['loc'])).upper()}: "
        + error["msg"].removeprefix("Value error, ")
        for error in wrong.errors(include_input=False, include_url=False)
    ]
