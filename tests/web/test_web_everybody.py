"""Every screen for everybody: axe, nothing sideways; light and dark, two languages, two sizes.

A screen is opened once and then switched. In the dark only colours can be worse than in the light.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import product
from zlib import crc32

import pytest
from playwright.sync_api import Page, expect
from tests.samples import PROOF
from tests.web.reading import converse, open_evidence, turns
from tests.web.stage import LEAK, Profile, Site
from tests.web.test_web_battle import arena, battle
from tests.web.test_web_battle_play import reviewed
from tests.web.test_web_display import FIT, contrast, serious, too_wide
from tests.web.test_web_party import to_the_fight
from tests.web.test_web_raid import logs, section, talk

__all__ = ["arena", "battle", "logs", "talk"]
SIZES = {
    "desktop": {"width": 1280, "height": 800},
    "phone": {"width": 360, "height": 740},
}
EVERYDAY = (("desktop", "en"), ("phone", "fr"))
"""In one of these each screen is looked at in every run, in the first of them in the dark too:
French takes more room, and a phone has the least."""
CALM = Profile(reduced_motion="reduce")
OPEN_ALL = "() => document.querySelectorAll('main details').forEach((e) => { e.open = true; })"
LOADING = ".loading:not(.design .loading)"
TABS = ".tabs [role=tab]"
pytestmark = pytest.mark.parametrize("context", [CALM], indirect=True, ids=[""])


def fits_everybody(page: Page, *sizes: str) -> None:
    """Check what a page shows, in all ways in which it can be shown."""
    ways = [*product(sizes or SIZES, ("en", "fr"))]
    if not PROOF:
        here = crc32(os.environ["PYTEST_CURRENT_TEST"].encode()) % len(EVERYDAY)
        ways = [EVERYDAY[here] if EVERYDAY[here] in ways else ways[0]]
    for size, language in ways:
        page.set_viewport_size(SIZES[size])  # type: ignore[arg-type]
        page.locator(".language select").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator(LOADING)).to_have_count(0)
        page.evaluate(OPEN_ALL)
        page.emulate_media(color_scheme="light")
        assert serious(page) == [], (size, language)
        assert not too_wide(page), (size, language)
        if not PROOF and (size, language) != EVERYDAY[0]:
            continue
        page.emulate_media(color_scheme="dark")
        assert contrast(page) == [], (size, language, "dark")


def opened(page: Page, address: str, there: str) -> None:
    """Open a page and wait for what shows that it is there."""
    page.goto(address)
    expect(page.locator(LOADING)).to_have_count(0)
    expect(page.locator(there).first).to_be_visible()


@pytest.mark.parametrize(
    ("address", "there"),
    [
        ("/", ".agent .primary"),
        ("/design", ".face"),
        ("/a/parts", ".form"),
        ("/a/raid", ".raid"),
        ("/a/saga", ".creation"),
        ("/a/party", "main form"),
        ("/s/nothing", ".notice"),
    ],
)
def test_a_page_without_a_session(
    page: Page, arena: None, forgiven: list[str], address: str, there: str
) -> None:
    forgiven.append("404")
    opened(page, address, there)
    fits_everybody(page)


def test_the_battles_page(page: Page, arena: None) -> None:
    opened(page, "/a/battle", ".calc")
    page.get_by_role("button", name="against maxdamage").first.click()
    expect(page.locator(".arenas .plot svg")).to_be_visible()
    fits_everybody(page)


def test_a_review(page: Page) -> None:
    reviewed(page)
    expect(page.locator(".review-turn").first).to_be_visible()
    fits_everybody(page)


@pytest.mark.parametrize("tab", [0, 1, 2], ids=["known", "inspector", "branches"])
def test_a_conversation_about_parts(page: Page, site: Site, tab: int) -> None:
    address = site.new()
    site.say(address, LEAK, FIT)
    opened(page, address, ".card")
    page.locator(TABS).nth(tab).click()
    fits_everybody(page)


def test_a_conversation_on_a_phone_is_a_tab_of_its_own(page: Page, site: Site) -> None:
    address = site.new()
    site.say(address, LEAK, FIT)
    page.set_viewport_size(SIZES["phone"])  # type: ignore[arg-type]
    opened(page, address, ".conversation")
    expect(turns(page).last).to_be_visible()
    fits_everybody(page, "phone")


def test_the_help(page: Page) -> None:
    opened(page, "/", ".agent")
    for language in ("en", "fr"):
        page.locator(".language select").select_option(language)
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
        assert serious(page) == [], language
        page.keyboard.press("Escape")


def by_night(page: Page) -> None:
    """Look at a pull, with its charts."""
    expect(page.locator(".plot svg").first).to_be_visible()


def by_evidence(page: Page) -> None:
    """Follow a citation to what it rests on."""
    open_evidence(page)
    page.locator(".result.cited").get_by_text("Where this comes from").click()


RAID: dict[str, Callable[[Page], None]] = {
    "night": by_night,
    "evidence": by_evidence,
    "compare": lambda page: section(page, "Compare"),
    "import": lambda page: section(page, "Import"),
}


@pytest.mark.parametrize("way", RAID)
def test_a_raid(page: Page, talk: str, way: str) -> None:
    opened(page, talk, ".raid")
    converse(page, "Who died first on the last wipe?")
    RAID[way](page)
    fits_everybody(page)


def test_a_battle(page: Page, battle: str) -> None:
    opened(page, battle, ".board")
    fits_everybody(page)


def test_a_saga_in_its_fight(page: Page, site: Site) -> None:
    address = site.new("saga")
    site.say(address, "begin", "talk to Maud", "go to the Greenway", "attack", "attack Rudge")
    opened(page, address, ".saga .order")
    fits_everybody(page)


def test_a_party_in_its_fight(page: Page, site: Site) -> None:
    page.goto(site.new("party"))
    to_the_fight(page)
    fits_everybody(page)


def test_an_agent_without_a_page_of_its_own(page: Page, site: Site) -> None:
    address = site.new("tally")
    site.say(address, "add 7")
    opened(page, address, ".panel dl.value")
    fits_everybody(page)
