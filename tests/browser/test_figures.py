"""Rake, the log and live tables in a browser: looked at, followed, taken away as files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from domain import events as e
from services.log.checkpoints import Checkpoints
from services.proof.tlog_proof import verify_proof
from services.replaying.faces import GLYPHS
from tests.support.browser import PHONE, Site, fits, is_accessible
from tests.support.lagging import projections_held
from tests.support.live import TableInPlay, opened

Look = Callable[..., Page]


@pytest.fixture(scope="module")
def table(site: Site) -> Iterator[TableInPlay]:
    Checkpoints(site.service.room).sign()
    # Without a clock: no turn runs out however slow the machine is.
    table = TableInPlay(site.service.app.state.parts.live, opening=opened(clock=None))
    table.begin()
    yield table
    table.to_the_end("fold")


def pot_of(table: TableInPlay) -> str:
    dollars, cents = divmod(table.last.hand.pot, 100)
    return f"${dollars}.{cents:02d}"


def written(card: str) -> tuple[str, ...]:
    """A card in every way a page could hold it."""
    suit = GLYPHS[card[1]]
    return (f">{card}<", f'"{card}"', f"{card[0]}{suit}", f"{card[0].replace('T', '10')}{suit}")


def test_every_page_is_accessible_and_fits_a_phone(visitor: Look, table: TableInPlay) -> None:
    page = visitor("admin", viewport=PHONE)
    for path in (
        "/rake?by=stakes&from=2026-01-09&to=2026-01-09&compare=previous",
        "/rake/whatif?schedule=topspoker:1",
        "/schedules",
        "/log",
        "/log/proof?hand=D00001",
        "/tables",
        f"/tables/{table.id}",
    ):
        page.goto(path)
        is_accessible(page)
        fits(page)
    page.emulate_media(color_scheme="dark")
    page.goto("/rake?by=player&from=2026-01-09&to=2026-01-09&compare=previous")
    is_accessible(page)


def test_rake_is_drawn_leads_to_its_hands_and_goes_away_as_a_file(
    visitor: Look, tmp_path: Path
) -> None:
    page = visitor("finance")
    page.goto("/rake")
    page.get_by_label("Rake by").get_by_role("link", name="Stakes").click()
    expect(page.get_by_role("img", name="Rake in USD by stakes")).to_be_visible()
    page.get_by_label("From", exact=True).fill("2026-01-09")
    page.get_by_role("button", name="Show rake").click()
    expect(page).to_have_url(re.compile(r"by=stakes&from=2026-01-09"))
    with page.expect_download() as taken:
        page.get_by_role("link", name="CSV").click()
    file = tmp_path / taken.value.suggested_filename
    taken.value.save_as(file)
    first, *lines = file.read_text().splitlines()
    assert file.name == "rake.csv"
    assert first.startswith("stakes,currency,hands,pot,rake")
    body = page.locator("tbody tr")
    expect(body).to_have_count(len(lines))
    hands = body.first.locator("td").first.inner_text()
    body.first.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hands")
    expect(page.locator("tbody tr")).to_have_count(int(hands))


def test_an_auditor_is_told_what_lags_and_takes_a_proof_away(
    site: Site, visitor: Look, table: TableInPlay, tmp_path: Path
) -> None:
    page = visitor("auditor")
    with projections_held(site.service.room):
        site.service.key("floor")  # An event that nothing can take in now.
        page.goto("/rake")
        expect(page.locator(".complete")).to_contain_text("stored and not taken in yet")
        page.goto("/log")
        expect(page.locator(".badge.warn").first).to_contain_text("behind")
        is_accessible(page)
    page.get_by_role("textbox", name="Hand").fill("D00002")
    page.get_by_role("button", name="Check its proof").click()
    expect(page.locator(".notice.good")).to_contain_text("It is.")
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download the proof").click()
    file = tmp_path / taken.value.suggested_filename
    taken.value.save_as(file)
    keys = Checkpoints(site.service.room).keys.known()
    assert verify_proof(file.read_text(), keys).leaf


def test_a_live_table_moves_when_the_hand_is_played_and_shows_no_face_down_card(
    visitor: Look, table: TableInPlay
) -> None:
    page = visitor("floor")
    page.goto(f"/tables/{table.id}")
    expect(page.locator("#state")).to_have_text("Live: the page follows the table.")
    sources = [page.content()]
    for _ in range(5):
        table.act_somehow()
        expect(page.locator(".turn strong").first).to_have_text(pot_of(table))
        expect(page.locator("tr.acting")).to_have_count(1)
        sources.append(page.content())
    secret = {
        card for event in table.stored() if isinstance(event, e.CardsDealt) for card in event.down
    }
    for form in chain.from_iterable(map(written, secret)):
        assert not any(form in source for source in sources)
    page.get_by_role("button", name="Pause").click()
    table.act_somehow()
    expect(page.locator("#state")).to_have_text("Paused: the page stays as it is.")
    page.get_by_role("button", name="Follow again").click()
    expect(page.locator(".turn strong").first).to_have_text(pot_of(table))
    expect(page.locator("#state")).to_have_text("Live: the page follows the table.")


def test_without_script_a_table_is_shown_and_a_link_shows_it_anew(
    visitor: Look, table: TableInPlay
) -> None:
    page = visitor("dealer", java_script_enabled=False)
    page.goto(f"/tables/{table.id}")
    expect(page.get_by_role("button", name="Pause")).to_be_hidden()
    table.act_somehow()
    page.get_by_role("link", name="Reload").click()
    expect(page.locator(".turn strong").first).to_have_text(pot_of(table))
