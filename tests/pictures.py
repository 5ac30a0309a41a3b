"""Takes the pictures of the pages anew: `uv run python -m tests.pictures`. Needs Chromium."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from services.embedded import Server
from services.projecting import projector_of
from tests.support.browser import CHROMIUM, QUIETLY, Site
from tests.support.streams import live

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
WINDOW = {"width": 1180, "height": 860}
TAKEN = {"replay.png": "/hands/D00001/replay?step=41"}
"""What is on each picture: bets on seventh street, with one player all-in for less."""


def take() -> None:
    """Serve the demonstration in a database of its own and look at it."""
    home = Path(tempfile.mkdtemp(prefix="studledger-"))
    try:
        with Server(home) as server, sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(QUIETLY))
            with live(server, "demo", hands=12) as running:
                projector_of(running.service.room).catch_up()
                site = Site(running.service, running.port, chromium)
                page = site.visitor("floor", subject="Appia", viewport=WINDOW)
                for name, path in TAKEN.items():
                    page.goto(path)
                    page.screenshot(path=PICTURES / name)
            chromium.close()
    finally:
        shutil.rmtree(home)


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    take()
