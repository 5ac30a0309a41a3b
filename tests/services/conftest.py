"""The command line in a room of its own."""

from __future__ import annotations

import pytest

from services.settings import Settings
from tests.support.cli import CommandLine


@pytest.fixture
def studledger(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    """The program in a fresh room."""
    return CommandLine(settings, monkeypatch, capsys)
