"""Debian's Chromium in front of the real service: who looks at it, and what must hold of a page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page
from playwright.sync_api import TimeoutError as NotInTime

from services.access import Role
from tests.support.service import Served

CHROMIUM = Path("/usr/bin/chromium")
QUIETLY = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
PATIENCE = 60_000
"""Milliseconds until a test gives up what it waits for; none takes that long by far."""

SOON = 15_000

NEEDED = "STUDLEDGER_NEED_BROWSER"
"""Set where Chromium must be there, so that no test of a page passes by being skipped."""

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}

# The rules of WCAG 2.2 AA and what axe holds for good practice besides.
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}


AXE = Axe().axe_script
LOOK = """options => {
  window.found = null;
  const tell = one => `${one.id}: ${one.help}: ` + one.nodes.map(node => node.html.slice(0, 200));
  axe.run(options).then(
    result => { window.found = { told: result.violations.map(tell) } },
    error => { window.found = { told: [String(error)] } },
  );
}"""
"""Begins to look and does not wait: what waits for a promise of a page waits without end."""


class Site(NamedTuple):
    """A room served on a port, and a browser."""

    service: Served
    port: int
    browser: Browser

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def visitor(
        self, role: Role, player: UUID | None = None, subject: str | None = None, **options: object
    ) -> Page:
        """Somebody signed in with a new key, in a window of his own: `options` are Playwright's."""
        context = self.context(**options)
        parts = self.service.app.state.parts
        key = parts.keys.holder(self.service.key(role, player, subject)).id
        page = context.new_page()
        page.goto(f"/sign-in/{parts.sessions.offer(key)}")
        return page

    def context(self, **options: object) -> BrowserContext:
        """A window without anybody signed in, and without what other windows know."""
        settings: dict[str, object] = {"base_url": self.url, "viewport": DESK, "locale": "en-GB"}
        context = self.browser.new_context(**(settings | options))  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        return context


def chromium_or_why_not() -> str | None:
    """Why there is no Chromium, or None where there is. Raises where there must be."""
    if CHROMIUM.exists():
        return None
    why = f"no {CHROMIUM}: apt-get install chromium"
    assert not os.environ.get(NEEDED), why
    return why


def is_accessible(page: Page) -> None:
    """Nothing that axe knows of keeps anybody from using the page."""
    try:
        told = _looked_at(page, SOON)
    except NotInTime:
        # On a busy machine a look may get lost on its way; one that is never answered fails.
        told = _looked_at(page, PATIENCE)
    assert not told, f"{page.url}\n" + "\n".join(told)


def _looked_at(page: Page, milliseconds: int) -> list[str]:
    """What axe objects to. Raises NotInTime if it does not say so in time."""
    page.evaluate(AXE)
    page.evaluate(LOOK, RULES)
    found = page.wait_for_function("window.found", timeout=milliseconds, polling=20)
    return list(found.json_value()["told"])


def fits(page: Page) -> None:
    """Nothing sticks out: only regions of their own scroll sideways."""
    width, seen = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )
    assert width <= seen, f"{page.url} is {width} wide in a window of {seen}"
