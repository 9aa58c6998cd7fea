"""Take the pictures of the README: `python -m tests.web.screenshots FOLDER`.

A real server with the demo catalog and a scripted model behind a gate, so that a picture looks the
same whoever takes it.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.web.reading import draft, press, say, tab, turns
from tests.web.stage import LEAK, Site, Stage, launch, missing, pen

DESKTOP = {"width": 1200, "height": 750}
PHONE = {"width": 360, "height": 740}
FIT = "Will PS3406971 fit my WDT780SAEM2?"


def main(folder: Path) -> None:
    """Write every picture into a folder; names say what they show and in which light."""
    if lacking := missing():
        sys.exit(lacking)
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        Stage.open(Path(home)) as stage,
        sync_playwright() as playwright,
    ):
        browser, site = launch(playwright), stage.start()
        talk = site.new()
        site.say(talk, LEAK, FIT)
        for light in ("light", "dark"):
            with _tab(browser, site, DESKTOP, light) as page:
                _conversation(page, talk, folder / f"parts-{light}.png")
        with _tab(browser, site, DESKTOP, "light") as page:
            _inspector(page, stage, site, folder / "inspector-light.png")
        with _tab(browser, site, PHONE, "dark") as page:
            _phone(page, talk, folder / "phone-dark.png")
        browser.close()


@contextmanager
def _tab(browser: Browser, site: Site, size: dict[str, int], light: str) -> Iterator[Page]:
    context = browser.new_context(
        base_url=site.url,
        locale="en-US",
        viewport={"width": size["width"], "height": size["height"]},
        color_scheme="dark" if light == "dark" else "light",
        reduced_motion="reduce",
    )
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


def _conversation(page: Page, talk: str, file: Path) -> None:
    page.goto(talk)
    expect(page.locator(".card").first).to_be_visible()
    page.locator(".slot").first.get_by_role("button").first.hover()
    page.screenshot(path=file)


def _inspector(page: Page, stage: Stage, site: Site, file: Path) -> None:
    gate = asyncio.Event()
    page.goto(site.new(model=pen(gate)))
    say(page, LEAK)
    expect(draft(page)).to_contain_text("Leaking")
    stage.open_gate(gate)
    expect(turns(page)).to_have_count(1)
    press(page, "Look inside", 1)
    expect(page.locator(".station.done")).to_have_count(4)
    page.screenshot(path=file)


def _phone(page: Page, talk: str, file: Path) -> None:
    page.goto(talk)
    tab(page, "Known")
    expect(page.locator(".card").first).to_be_visible()
    page.screenshot(path=file)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
