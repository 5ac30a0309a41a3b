"""Settings are checked once, and what is wrong is said with the variable's name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from services.errors import BadSettings
from services.settings import Settings, default_data_dir, load_settings


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("STUDLEDGER_")]:
        monkeypatch.delenv(name)


def test_without_any_setting_there_is_a_main_room_in_the_usual_place() -> None:
    settings = load_settings()
    assert settings.room == "main"
    assert settings.database_url is None
    assert settings.data_dir == default_data_dir()
    assert settings.key_path == default_data_dir() / "hand_secrets.key"


def test_root_keeps_its_database_where_a_server_may_reach_it() -> None:
    expected = "/var/lib/studledger" if os.geteuid() == 0 else str(Path.home())
    assert str(default_data_dir()).startswith(expected)


def test_variables_are_read_and_an_empty_one_counts_as_unset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STUDLEDGER_ROOM", "licence_7")
    monkeypatch.setenv("STUDLEDGER_DATABASE_URL", "")
    monkeypatch.setenv("STUDLEDGER_DATA_DIR", "/srv/stud")
    monkeypatch.setenv("STUDLEDGER_KEY_FILE", "/etc/stud.key")
    settings = load_settings()
    assert settings.room == "licence_7"
    assert settings.database_url is None
    assert settings.data_dir == Path("/srv/stud")
    assert settings.key_path == Path("/etc/stud.key")


def test_a_tilde_is_the_home_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDLEDGER_DATA_DIR", "~/stud")
    monkeypatch.setenv("STUDLEDGER_KEY_FILE", "~/stud.key")
    settings = load_settings()
    assert settings.data_dir == Path.home() / "stud"
    assert settings.key_path == Path.home() / "stud.key"


@pytest.mark.parametrize("room", ["Main", "1st", "a-b", "a" * 32, "pg_room", "ü", "a b", "_a"])
def test_a_room_that_cannot_be_a_schema_is_refused(
    monkeypatch: pytest.MonkeyPatch, room: str
) -> None:
    monkeypatch.setenv("STUDLEDGER_ROOM", room)
    with pytest.raises(BadSettings, match=r"^STUDLEDGER_ROOM: "):
        load_settings()


@pytest.mark.parametrize("room", ["a", "main", "a" * 31, "user", "room_1"])
def test_a_proper_room_is_taken(monkeypatch: pytest.MonkeyPatch, room: str) -> None:
    monkeypatch.setenv("STUDLEDGER_ROOM", room)
    assert load_settings().room == room


@pytest.mark.parametrize("url", ["mysql://ann:hunter2@db/main", "postgresql://ann:hunter2@[db"])
def test_a_url_that_is_none_is_refused_without_repeating_its_password(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("STUDLEDGER_DATABASE_URL", url)
    with pytest.raises(BadSettings, match=r"^STUDLEDGER_DATABASE_URL: ") as raised:
        load_settings()
    assert "hunter2" not in str(raised.value)


def test_a_password_is_not_shown_with_the_settings() -> None:
    settings = Settings(database_url="postgresql://ann:hunter2@db/main")
    assert "hunter2" not in repr(settings)
    assert settings.database_url is not None
    assert "hunter2" in settings.database_url.get_secret_value()
