"""Seats on the page: two browsers at one table, a whisper that one of them hears, and pace."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.web.conftest import PATIENCE_MS, Watched
from tests.web.reading import enter, turns
from tests.web.stage import Profile, Site
from tests.web.test_web_display import serious

CANARY = "seven-white-harts"


@pytest.fixture
def other(browser: Browser, site: Site) -> Iterator[Page]:
    """A tab of somebody else's browser."""
    context: BrowserContext = browser.new_context(base_url=site.url, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    watched = Watched(context)
    yield context.new_page()
    context.close()
    assert watched.errors == []


def sit(page: Page, name: str) -> None:
    page.get_by_role("button", name=f"Sit down: {name}").click()
    expect(page.get_by_role("button", name=f"Leave {name}")).to_be_visible()


def test_two_browsers_sit_at_one_table(page: Page, other: Page, site: Site) -> None:
    table = site.new("circle")
    page.goto(table)
    other.goto(table)
    expect(page.get_by_text("You are looking on")).to_be_visible()
    sit(page, "ada")
    expect(other.locator(".table-bar li", has_text="ada")).to_contain_text("taken")
    sit(other, "ben")
    page.get_by_label("Message", exact=True).fill("Hear my tale!")
    page.keyboard.press("Enter")
    for one in (page, other):
        expect(turns(one).last).to_contain_text("Hear my tale!")
    # The one who has left looks on again.
    other.get_by_role("button", name="Leave ben").click()
    expect(other.get_by_text("You are looking on")).to_be_visible()
    expect(page.get_by_role("button", name="Sit down: ben")).to_be_visible()


def test_a_whisper_is_seen_by_its_ears(page: Page, other: Page, site: Site) -> None:
    table = site.new("circle")
    page.goto(table)
    sit(page, "ben")
    other.goto(table)
    sit(other, "cyd")
    site.act(table, {"do": "whisper", "to": ["ben"], "text": CANARY})
    heard = page.locator(".aside")
    expect(heard).to_contain_text(CANARY)
    expect(heard).to_contain_text("Heard only by ada, ben")
    expect(other.get_by_text("Not for your ears.")).to_be_visible()
    assert CANARY not in other.content()
    page.reload()
    expect(heard).to_contain_text(CANARY)
    other.reload()
    expect(other.get_by_text("Not for your ears.")).to_be_visible()
    assert CANARY not in other.content()


def test_who_was_given_the_address_of_a_seat_finds_the_table_and_its_free_seats(
    page: Page, site: Site, forgiven: list[str]
) -> None:
    forgiven.append("403")
    table = site.new("circle")
    page.goto(f"{table}?seat=ada")
    expect(page.get_by_role("button", name="Sit down: ada")).to_be_visible()
    expect(page).to_have_url(re.compile(f"{table}$"))


def test_the_table_plays_on_waits_and_is_paused(page: Page, site: Site) -> None:
    page.goto(site.new("circle"))
    page.get_by_role("button", name="One move").click()
    expect(turns(page)).to_have_count(1)
    page.get_by_role("button", name="One round").click()
    expect(turns(page)).to_have_count(3)
    sit(page, "cyd")
    page.get_by_role("button", name="Play on").click()
    # Two seats play, then cyd is waited for.
    expect(page.get_by_role("status").filter(has_text="Waiting for cyd")).to_be_visible()
    page.get_by_label("Message", exact=True).fill("A long silence.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("A long silence.").first).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("status").filter(has_text="Paused")).to_be_visible()


def test_who_looks_on_where_others_sit_has_no_button_that_is_refused(
    page: Page, other: Page, site: Site
) -> None:
    table = site.new("circle")
    page.goto(table)
    sit(page, "ada")
    page.get_by_label("Message", exact=True).fill("Hear my tale!")
    page.keyboard.press("Enter")
    expect(turns(page).last).to_contain_text("Hear my tale!")
    refused: list[str] = []
    other.on("response", lambda got: refused.append(got.url) if got.status == 403 else None)
    other.goto(table)
    expect(other.locator(".table-bar")).to_contain_text("taken")
    for name in ("Play on", "One move", "One round"):
        expect(other.get_by_role("button", name=name)).to_be_disabled()
    other.get_by_role("tab", name="Branches").click()
    for keys in ("u", "r", "f"):
        other.keyboard.press(keys)
    pressed = other.locator(".turn footer button, .pace button, .branches button, .quick button")
    enabled = [one.get_attribute("aria-label") for one in pressed.all() if one.is_enabled()]
    assert [name for name in enabled if not (name or "").startswith("Look inside")] == []
    assert refused == []
    # Who sits here may.
    expect(page.get_by_role("button", name="One move")).to_be_enabled()


def test_a_seat_that_was_freed_elsewhere_is_told(page: Page, site: Site) -> None:
    table = site.new("circle")
    page.goto(table)
    sit(page, "ada")
    site.undo(table)
    expect(page.get_by_text("You are looking on")).to_be_visible()


@pytest.mark.parametrize("context", [Profile(width=360, height=740, phone=True)], indirect=True)
def test_a_phone_has_room_for_the_seats(page: Page, site: Site) -> None:
    page.goto(site.new("circle"))
    sit(page, "ada")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360


@pytest.mark.parametrize("context", [Profile(), Profile(color_scheme="dark")], indirect=True)
def test_axe_finds_nothing_serious_at_a_table(page: Page, site: Site) -> None:
    table = site.new("circle")
    page.goto(table)
    sit(page, "ben")
    site.act(table, {"do": "whisper", "to": ["ben"], "text": CANARY})
    expect(page.locator(".aside")).to_be_visible()
    page.get_by_role("button", name="Play on").click()
    expect(page.get_by_role("status").filter(has_text="Waiting for ben")).to_be_visible()
    assert serious(page) == []


def test_seats_are_taken_with_the_keyboard(page: Page, site: Site) -> None:
    page.goto(site.new("circle"))
    enter(page, page.get_by_role("button", name="Sit down: ada"))
    expect(page.get_by_role("button", name="Leave ada")).to_be_visible()
