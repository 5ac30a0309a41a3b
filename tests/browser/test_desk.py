"""A dispute as two people settle it in their browsers, and what every page of the desk must be."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from uuid import UUID

from playwright.sync_api import FilePayload, Page, expect

from services.disputes import CasesWanted, find_cases, load_case
from services.lookup import find_hand
from services.projecting import projector_of
from tests.support.browser import PHONE, Site, fits, is_accessible

Look = Callable[..., Page]

HOSTILE = "<img src=x onerror=alert(1)>\"' {{7*7}}"


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def opens(page: Page, site: Site) -> str:
    """Somebody takes up a complaint about a step; the path of the case."""
    page.goto(f"/cases/new?hand={site.service.hand}&step=12")
    page.get_by_label("Who complains").select_option(index=1)
    press(page, "Open the case")
    expect(page.get_by_role("heading", level=1)).to_have_text("Dispute about hand D00001")
    return page.url.removeprefix(site.url)


def proposes(page: Page, less: str, more: str) -> None:
    """Somebody gives the second seat what the first had, and checks it before."""
    page.get_by_label("Kind").select_option("corrected_award")
    page.get_by_label("Rule it rests on").fill("P2")
    page.get_by_label("Reason").fill("the low was misread")
    amounts = page.get_by_label("gets or gives")
    amounts.nth(0).fill(less)
    amounts.nth(1).fill(more)
    press(page, "Check first")


def test_two_people_settle_a_dispute(site: Site, visitor: Look, tmp_path: Path) -> None:
    floor = visitor("floor", subject="Flora Meadow")
    path = opens(floor, site)
    is_accessible(floor)
    floor.get_by_label("Write a note").fill("he showed the seven first")
    press(floor, "Keep the note")
    expect(floor.locator(".note-text")).to_have_text("he showed the seven first")
    floor.get_by_role("link", name="Propose a ruling").click()
    proposes(floor, "-3", "+2.50")
    expect(floor.locator("#balance-now")).to_contain_text("Off by 0.50")
    expect(floor.get_by_role("alert")).to_contain_text("off by $0.50")
    is_accessible(floor)
    proposes(floor, "-3", "+3")
    expect(floor.locator("#balance-now")).to_have_text("Balanced.")
    expect(floor.get_by_role("heading", name="Checked")).to_be_visible()
    press(floor, "Propose the ruling")
    expect(floor.get_by_text("It takes an approver to approve it")).to_have_count(0)
    expect(floor.get_by_text("somebody else has to approve it")).to_be_visible()
    again = visitor("approver", subject="Flora Meadow")
    again.goto(path)
    expect(again.get_by_text("somebody else has to approve it")).to_be_visible()
    expect(again.get_by_role("button", name="Approve the ruling")).to_have_count(0)
    approver = visitor("approver", subject="Appia Stone")
    approver.goto(path)
    press(approver, "Approve the ruling")
    money = approver.get_by_role("region", name="as played and as ruled")
    expect(money.get_by_role("row").nth(1)).to_contain_text("-$3.00")
    is_accessible(approver)
    with approver.expect_download() as download:
        approver.get_by_role("link", name="Report (PDF)").click()
    download.value.save_as(report := tmp_path / "report.pdf")
    digest = sha256(report.read_bytes()).hexdigest()
    approver.reload()
    expect(approver.get_by_text(digest)).to_be_visible()
    assert load_case(site.service.room.store, UUID(path[-36:])).case.reports == (digest,)


def test_the_desk_fits_a_phone_and_can_be_used_by_everybody(site: Site, visitor: Look) -> None:
    page = visitor("admin", viewport=PHONE)
    page.goto(f"/cases/new?hand={site.service.hand}&step=12")
    is_accessible(page)
    fits(page)
    path = opens(page, site)
    projector_of(site.service.room).catch_up()
    for address in ("/cases", f"{path}/rulings", f"{path}?view=all&why=a+trial"):
        page.goto(address)
        is_accessible(page)
        fits(page)
    page.emulate_media(color_scheme="dark")
    is_accessible(page)


def test_hostile_words_stay_words(site: Site, visitor: Look) -> None:
    page = visitor("floor", subject=HOSTILE)
    opens(page, site)
    page.get_by_label("Write a note").fill(HOSTILE)
    press(page, "Keep the note")
    expect(page.locator(".note-text")).to_have_text(HOSTILE)
    file = FilePayload(name=f"{HOSTILE}.svg", mimeType="image/svg+xml", buffer=b"<svg/>")
    page.get_by_label("Attach a file").set_input_files(file)
    press(page, "Attach it")
    expect(page.get_by_role("link", name="Download")).to_be_visible()
    expect(page.locator("main img")).to_have_count(0)


def test_a_double_click_opens_one_case(site: Site, visitor: Look) -> None:
    page = visitor("floor")
    page.goto("/cases/new")
    page.get_by_role("textbox", name="Hand").fill("D00002")
    page.keyboard.press("Enter")
    expect(page.locator("#complainant_id-wrong")).to_be_visible()
    page.get_by_label("Who complains").select_option(index=2)
    page.get_by_role("button", name="Open the case").dblclick()
    expect(page.get_by_role("heading", level=1)).to_have_text("Dispute about hand D00002")
    hand = find_hand(site.service.room, "D00002").hand
    projector_of(site.service.room).catch_up()
    assert len(find_cases(site.service.room.connect, CasesWanted(hand=hand)).disputes) == 1
