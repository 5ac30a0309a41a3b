"""One Chromium and one served room for each file of tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from services.access import Role
from services.embedded import Server
from services.projecting import projector_of
from tests.support.browser import CHROMIUM, PATIENCE, QUIETLY, Site, chromium_or_why_not
from tests.support.streams import live

HANDS = 40


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium; where it is missing the tests are skipped and say so."""
    if why := chromium_or_why_not():
        pytest.skip(why)
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=list(QUIETLY), timeout=PATIENCE
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def site(server: Server, chromium: Browser) -> Iterator[Site]:
    """A room with the demonstration's hands, served on a port."""
    with live(server, f"site{uuid4().hex[:12]}", hands=HANDS) as running:
        projector_of(running.service.room).catch_up()
        yield Site(running.service, running.port, chromium)


@pytest.fixture
def visitor(site: Site) -> Iterator[Callable[..., Page]]:
    """Lets somebody with a role look at the site; his browser must have nothing to complain of."""
    pages: list[Page] = []
    complaints: list[str] = []

    def complain(message: ConsoleMessage) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            complaints.append(message.text)

    def look(role: Role, **options: object) -> Page:
        page = site.visitor(role, **options)  # type: ignore[arg-type]
        page.on("console", complain)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        pages.append(page)
        return page

    yield look
    for page in pages:
        page.context.close()
    assert not complaints
