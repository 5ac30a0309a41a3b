"""A hand gone through in the browser: by keys alone, back and reloaded, printed, without script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import UUID

from msgspec.structs import replace
from playwright.sync_api import Page, expect

from domain import events as e
from services.explaining.in_words import EventInWords, in_words
from services.pages.standalone import standalone
from services.replaying import PUBLIC
from tests.support.bdd import DOLLARS, Table, started
from tests.support.browser import PHONE, Site, fits, is_accessible

Look = Callable[..., Page]
REACHED = "step => document.querySelector('#said')?.textContent.includes(`Step ${step} of `)"
HOSTILE = "<img src=x onerror=alert(1)>\"'&</title>"


def short_play() -> tuple[e.HandEvent, ...]:
    """A hand of two, over on fourth street."""
    cards = {1: "Ah As Ad 9c", 2: "Kh Ks Kd 9d"}
    start = started(dict.fromkeys(cards, 10000), small=200, ante=25, bring_in=100, money=DOLLARS)
    return tuple(Table(start, cards).passively(4).street("1 bet", "2 fold").log)


def short_hand(site: Site) -> tuple[UUID, tuple[EventInWords, ...]]:
    """The same in the room, and its events in words."""
    played = short_play()
    return site.service.store(played), in_words(played)


def at(page: Page, step: int) -> None:
    """The page has come to this step, in its words, its slider and its address."""
    page.wait_for_function(REACHED, arg=step)
    expect(page.locator("#slider")).to_have_value(str(step))
    assert f"step={step}" in page.url


def test_a_whole_hand_is_replayed_by_keys_alone(site: Site, visitor: Look) -> None:
    hand, told = short_hand(site)
    page = visitor("floor")
    page.goto(f"/hands/{hand}/replay?step=1")
    for one in told[1:]:
        page.keyboard.press("ArrowRight")
        at(page, one.step)
        assert one.text in page.locator("#said").inner_text()
        assert one.text in page.locator(".words .current").inner_text()
    page.keyboard.press("Home")
    for _ in range(5):  # Faster than pages come.
        page.keyboard.press("ArrowRight")
    at(page, 6)
    page.keyboard.press("Home")
    at(page, 1)
    page.keyboard.press("]")
    at(page, next(one.step for one in told if one.street == 3))
    page.keyboard.press("[")
    at(page, 1)
    page.keyboard.press("End")
    at(page, len(told))
    page.keyboard.press("ArrowLeft")
    at(page, len(told) - 1)
    spoken = page.locator("#slider").get_attribute("aria-valuetext")
    assert spoken == page.locator("#said").inner_text()


def test_keys_are_told_and_can_be_switched_off(site: Site, visitor: Look) -> None:
    hand, _ = short_hand(site)
    page = visitor("floor")
    page.goto(f"/hands/{hand}/replay?step=7")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    is_accessible(page)
    page.keyboard.press("Escape")
    page.get_by_role("checkbox", name="Keys").focus()
    page.keyboard.press(" ")
    page.reload()
    expect(page.get_by_role("checkbox", name="Keys")).not_to_be_checked()
    page.keyboard.press("ArrowRight")
    page.get_by_label("Step forward").focus()
    page.keyboard.press("Enter")
    at(page, 8)
    expect(page.get_by_label("Step forward")).to_be_focused()


def test_a_hand_plays_on_by_itself_until_it_is_stopped(site: Site, visitor: Look) -> None:
    hand, told = short_hand(site)
    page = visitor("floor")
    page.clock.install(time=0)
    page.goto(f"/hands/{hand}/replay?step=5")
    page.clock.pause_at(3_600)
    page.keyboard.press(" ")
    at(page, 6)
    page.clock.run_for(1500)
    at(page, 7)
    page.get_by_role("button", name="Stop").click()
    page.clock.run_for(5000)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.keyboard.press("End")
    at(page, len(told))


def test_a_step_is_come_back_to_and_stays_when_reloaded(site: Site, visitor: Look) -> None:
    hand, told = short_hand(site)
    page = visitor("auditor")
    page.goto(f"/hands/{hand}/replay?step=2")
    page.get_by_role("link", name=told[8].text).click()
    at(page, 9)
    page.get_by_role("navigation", name="Streets").get_by_role("link").last.click()
    expect(page.locator("#said")).not_to_contain_text("Step 9 of ")
    page.go_back()
    at(page, 9)
    page.reload()
    at(page, 9)
    page.go_back()
    at(page, 2)
    page.go_forward()
    at(page, 9)
    page.locator("#slider").fill("4")
    at(page, 4)


def test_all_cards_are_asked_for_and_the_result_leads_to_its_events(
    site: Site, visitor: Look
) -> None:
    page = visitor("floor", viewport=PHONE)
    page.goto(f"/hands/{site.service.hand}/replay?step=9")
    is_accessible(page)
    fits(page)
    expect(page.locator(".picture .tall")).to_be_visible()
    page.get_by_role("link", name="All cards").click()
    is_accessible(page)
    page.get_by_label("Purpose").fill("complaint 17")
    page.keyboard.press("Enter")
    at(page, 9)
    expect(page.get_by_text("It is on record")).to_be_visible()
    page.get_by_role("link", name="Result").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hand D00001: result")
    is_accessible(page)
    fits(page)
    page.get_by_role("row", name="odd chip").get_by_role("link").first.click()
    expect(page.locator("#said")).to_contain_text("odd")
    assert "why=complaint" in page.url


def test_a_step_is_printed_with_what_was_said_and_without_what_is_pressed(
    site: Site, visitor: Look
) -> None:
    page = visitor("auditor", viewport=PHONE)
    page.goto(f"/hands/{site.service.hand}/replay?step=22")
    page.emulate_media(media="print")
    for gone in ("#slider", "#go-forward", "#play", ".picture .tall", ".streets"):
        expect(page.locator(gone)).to_be_hidden()
    for kept in ("#said", ".picture .wide svg", "#why-heading", "#event-51"):
        expect(page.locator(kept)).to_be_visible()


def test_without_script_links_and_the_slider_lead_to_every_step(site: Site, visitor: Look) -> None:
    hand, told = short_hand(site)
    page = visitor("dealer", java_script_enabled=False)
    page.goto(f"/hands/{hand}/replay?step=3")
    expect(page.locator("#play")).to_be_hidden()
    page.get_by_label("Step forward").click()
    at(page, 4)
    page.locator("#slider").focus()
    page.keyboard.press("End")
    page.get_by_role("button", name="Go").click()
    at(page, len(told))


def test_a_file_of_a_replay_opens_without_a_server_and_without_script(
    site: Site, tmp_path: Path
) -> None:
    played = short_play()
    path = tmp_path / "hand.html"
    path.write_text(standalone("a-hand", played, PUBLIC))
    for script in (True, False):
        context = site.context(java_script_enabled=script, offline=True)
        page = context.new_page()
        page.goto(f"{path.as_uri()}#step-8")
        shown = page.locator(".step:visible")
        expect(shown).to_have_count(1 if script else len(played))
        if script:
            page.keyboard.press("ArrowRight")
            expect(shown.get_by_role("heading")).to_contain_text(f"Step 9 of {len(played)}")
            is_accessible(page)
        context.close()


def test_a_hostile_name_is_only_a_name(site: Site, visitor: Look) -> None:
    first, *rest = site.service.events(site.service.hand)
    assert isinstance(first, e.HandStarted)
    hostile = site.service.room.players.resolve(first.site, [HOSTILE])[HOSTILE]
    seats = (replace(first.seats[0], player=hostile), *first.seats[1:])
    hand = site.service.store((replace(first, seats=seats), *rest))
    page = visitor("floor")
    page.on("dialog", lambda dialog: dialog.dismiss())
    for address in ("replay?step=2", "result"):
        page.goto(f"/hands/{hand}/{address}")
        expect(page.get_by_text(HOSTILE).first).to_be_attached()
        assert page.locator("img").count() == 0
    page.goto(f"/hands/{hand}/replay?step=1")
    page.keyboard.press("ArrowRight")
    at(page, 2)
    expect(page.locator("#said")).to_contain_text(HOSTILE)
    assert page.locator("img").count() == 0
