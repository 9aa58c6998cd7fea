"""The films of the agents: that a camera sees what is played, and a browser can show its film."""

from __future__ import annotations

import base64

from playwright.sync_api import Browser, Page, expect
from tests.web.demos import film
from tests.web.stage import Site

SECONDS = 3
LENGTH = """async (webm) => {
    const video = document.createElement('video');
    video.src = URL.createObjectURL(await (await fetch(webm)).blob());
    await new Promise((there, failed) => { video.onloadeddata = there; video.onerror = failed; });
    video.currentTime = 1e9;
    await new Promise((there) => { video.onseeked = there; });
    return [video.videoWidth, video.currentTime];
}"""


def test_a_page_is_filmed_for_as_long_as_was_asked(browser: Browser, site: Site) -> None:
    def play(page: Page, _: Site) -> None:
        page.get_by_label("What do you want to do?").press_sequentially("My dishwasher leaks")
        expect(page.get_by_role("button", name="Begin")).to_be_enabled()

    made = film(browser, site, play, seconds=SECONDS)
    page = browser.new_page()
    told = base64.b64encode(made).decode()
    width, length = page.evaluate(LENGTH, f"data:video/webm;base64,{told}")
    page.close()
    assert width == 1200
    assert abs(length - SECONDS) < 2  # frames come late on a busy machine
