"""A new user's path: signing in, finding a hand by what is remembered of it, signing out."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.support.browser import PHONE, Site, fits, is_accessible

Look = Callable[..., Page]
MOST_STEPS = 30


def test_a_new_user_signs_in_finds_a_hand_and_signs_out(site: Site) -> None:
    context = site.context()
    page = context.new_page()
    page.goto("/hands?game=stud8")
    expect(page).to_have_title("Sign in – StudLedger")
    page.get_by_label("Key").fill("slk_wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#key-wrong")).to_have_text("there is no such key")
    expect(page.get_by_label("Key")).to_have_value("")
    is_accessible(page)
    page.get_by_label("Key").fill(site.service.key("floor", subject="Appia"))
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site.url}/hands?game=stud8")
    expect(page.get_by_label("Game")).to_have_value("stud8")
    page.get_by_label("Number").fill("D00003")
    page.get_by_label("Game").select_option("any game")
    page.get_by_role("button", name="Find hands").click()
    expect(page).to_have_url(f"{site.url}/hands?number=D00003")
    expect(page.get_by_role("row")).to_have_count(2)
    page.go_back()
    expect(page).to_have_url(f"{site.url}/hands?game=stud8")
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(f"{site.url}/sign-in")
    page.go_back()
    expect(page).to_have_title("Sign in – StudLedger")
    context.close()


def test_a_list_goes_on_back_and_stays_when_reloaded(site: Site, visitor: Look) -> None:
    page = visitor("finance")
    page.goto("/hands?min_pot=1")
    expect(page.get_by_role("heading", level=1)).to_have_text("Hands")
    is_accessible(page)
    first = page.get_by_role("rowheader").first.inner_text()
    page.reload()
    expect(page.get_by_role("rowheader").first).to_have_text(first)
    expect(page.get_by_label("Pot at least")).to_have_value("1")


def test_the_list_follows_what_is_chosen_and_the_address_with_it(site: Site, visitor: Look) -> None:
    page = visitor("floor")
    page.goto("/hands")
    page.get_by_label("Game").focus()
    page.get_by_label("Game").select_option("stud8")
    expect(page).to_have_url(f"{site.url}/hands?game=stud8")
    expect(page.get_by_label("Game")).to_be_focused()
    expect(page.get_by_role("cell", name="Stud Hi/Lo")).to_have_count(0)
    page.get_by_label("Stakes").fill("high")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("write small and big bet as 1/2 or 0.50/1")
    expect(page.locator("#stakes-wrong")).to_be_visible()
    page.get_by_label("Stakes").fill("5/10")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site.url}/hands?game=stud8&stakes=5%2F10")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.go_back()
    expect(page.get_by_role("alert")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(f"{site.url}/hands?game=stud8")
    expect(page.get_by_label("Stakes")).to_have_value("")


def test_what_is_typed_wrong_is_told_beside_its_field(site: Site, visitor: Look) -> None:
    page = visitor("auditor", viewport=PHONE)
    page.goto("/hands?stakes=one%2Ftwo&from=2026-02-30&table=Larkspur")
    expect(page.locator("#stakes-wrong")).to_have_text("write small and big bet as 1/2 or 0.50/1")
    expect(page.get_by_label("Table")).to_have_value("Larkspur")
    is_accessible(page)
    fits(page)
    page.goto("/hands")
    fits(page)


def test_whoever_uses_no_mouse_reaches_a_hand(site: Site, visitor: Look) -> None:
    page = visitor("floor")
    page.goto("/hands?number=D00001")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    link = page.get_by_role("link", name="D00001")
    for _ in range(MOST_STEPS):
        page.keyboard.press("Tab")
        if link.evaluate("link => link === document.activeElement"):
            break
    expect(link).to_be_focused()
    assert link.get_attribute("href") == f"/hands/{site.service.hand}/replay"


def test_by_dark_a_page_is_as_accessible(site: Site, visitor: Look) -> None:
    page = visitor("admin", color_scheme="dark")
    page.goto("/hands")
    is_accessible(page)
    page.goto("/nowhere")
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no such page")
    expect(page.get_by_role("link", name="Hands", exact=True)).to_be_visible()
    is_accessible(page)
