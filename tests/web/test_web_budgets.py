"""What a visit costs: clicks, bytes, and the reach of fingers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from benchmarks.page import Hand, french_saga, leak, review, table, wipe
from playwright.sync_api import Page, expect
from tests.web.reading import tab
from tests.web.stage import LEAK, Profile, Site
from tests.web.test_web_party import sit
from tests.web.test_web_raid import logs, talk

__all__ = ["logs", "talk"]
MOST_CLICKS = 3
HOME, AGENT = 200_000, 700_000
"""Bytes over the wire that the first page may take, and an agent's with its first screen."""
FINGER = 44
PRESSED = """(least) => [...document.querySelectorAll(
    'button, .button, summary, select, textarea, input:not([type=checkbox], [type=radio])')]
    .filter((e) => e.checkVisibility() && !e.closest('.unseen, .reply, p, td, dd, .evidence'))
    .map((e) => [e.closest('[class]').className, e.textContent, e.getBoundingClientRect().height])
    .filter(([, , high]) => high > 0 && high < least - 0.5)"""
PHONE = Profile(width=375, height=740, phone=True)


@pytest.mark.parametrize(
    ("context", "do"),
    [
        (Profile(), leak),
        (Profile(), wipe),
        (Profile(locale="fr-FR"), french_saga),
        (Profile(), table),
        (Profile(), review),
    ],
    indirect=["context"],
    ids=["leak", "wipe", "saga", "table", "review"],
)
def test_what_a_first_visit_is_for_takes_few_clicks(
    page: Page, do: Callable[[Page, Hand, Path], None], tmp_path: Path
) -> None:
    page.goto("/")
    expect(page.locator(".agent").first).to_be_visible()
    hand = Hand()
    do(page, hand, tmp_path)
    assert 0 < hand.clicks <= MOST_CLICKS


def test_pages_are_light(page: Page, site: Site) -> None:
    received: list[float] = []
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
    wire.on("Network.loadingFinished", lambda told: received.append(told["encodedDataLength"]))
    for address, most in _pages(site):
        received.clear()
        page.goto(address)
        expect(page.locator("h1").first).to_be_visible()
        expect(page.locator(".loading")).to_have_count(0)
        page.wait_for_timeout(500)
        assert 20_000 < sum(received) <= most, address


def _pages(site: Site) -> Iterator[tuple[str, int]]:
    yield "/", HOME
    yield "/a/battle", AGENT
    for agent in ("parts", "raid", "saga", "party"):
        yield site.new(agent), AGENT


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_fingers_find_what_they_press(page: Page, site: Site, talk: str) -> None:
    talk_of_night = talk
    talk = site.new()
    site.say(talk, LEAK)
    for address in ("/", "/a/party", "/a/saga", talk):
        page.goto(address)
        expect(page.locator("h1").first).to_be_visible()
        expect(page.locator(".loading")).to_have_count(0)
        assert page.evaluate(PRESSED, FINGER) == [], address
    for name in ("Known", "Inspector", "Branches"):
        tab(page, name)
        assert page.evaluate(PRESSED, FINGER) == [], name
    fight = site.new("saga")
    site.say(fight, "begin", "talk to Maud", "go to the Greenway", "attack")
    for address in (fight, talk_of_night):
        page.goto(address)
        expect(page.get_by_role("tab").first).to_be_visible()
        if address == talk_of_night:
            expect(page.locator(".composer .about select").first).to_be_visible()
        assert page.evaluate(PRESSED, FINGER) == [], address
        tab(page, "Known")
        expect(page.locator(".loading")).to_have_count(0)
        assert page.evaluate(PRESSED, FINGER) == [], address
    page.goto(site.new("party"))
    sit(page, "Thorin")
    assert page.evaluate(PRESSED, FINGER) == []
