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

from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import NightPlan, PullPlan
from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.web.reading import draft, press, say, tab, turns, until
from tests.web.stage import LEAK, Site, Stage, launch, missing, pen
from tests.web.test_web_party import choose, to_the_fight

from ruleplay.agents.battle.adapters.records import recorded_positions
from ruleplay.agents.raid.adapters.log_import import import_logs

DESKTOP = {"width": 1200, "height": 750}
WIDE = {"width": 1200, "height": 760}
TALL = {"width": 1200, "height": 1080}
PHONE = {"width": 360, "height": 740}
FIT = "Will PS3406971 fit my WDT780SAEM2?"
NIGHT = NightPlan(pulls=(PullPlan(649, "missed", at=0.5), PullPlan(649, "kill")), health=0.06)
DRESSED = """[...document.querySelectorAll('link[rel=stylesheet]')].every((one) => one.sheet)
    && document.documentElement.className === 'lettered'
    && [...document.images].every((one) => one.complete && one.naturalWidth)"""
ROAD = ("begin", "talk to Maud", "go to the Greenway", "attack", "attack Rudge")


PLAIN = (
    ("home", WIDE, "light"),
    ("home-phone", PHONE, "dark"),
    ("design", {"width": 1200, "height": 2300}, "light"),
)
"""Pages without a session: name, window, light."""


def main(folder: Path) -> None:
    """Write every picture into a folder; names say what they show and in which light."""
    with playing(folder) as (browser, stage):
        site = stage.start()
        talk = site.new()
        site.say(talk, LEAK, FIT)
        for light in ("light", "dark"):
            with _tab(browser, site, DESKTOP, light) as page:
                _conversation(page, talk, folder / f"parts-{light}.png")
        with _tab(browser, site, DESKTOP, "light") as page:
            _inspector(page, stage, site, folder / "inspector-light.png")
        with _tab(browser, site, PHONE, "dark") as page:
            _phone(page, talk, folder / "phone-dark.png")
        for name, size, light in PLAIN:
            address = "/design" if name == "design" else "/"
            with _tab(browser, site, size, light) as page:
                page.goto(address)
                _drawn(page, ".face" if name == "design" else ".agent")
                page.screenshot(path=folder / f"{name}-{light}.png", full_page=name == "design")
        for name, (address, ready) in _agents(site).items():
            size = TALL if name == "battle" else WIDE
            with _tab(browser, site, size, "light") as page:
                page.goto(address)
                _drawn(page, ready)
                turns(page).last.evaluate("(turn) => turn.scrollIntoView({ block: 'end' })")
                page.screenshot(path=folder / f"{name}-light.png")
        with _tab(browser, site, WIDE, "light") as page:
            _fight(page, site, folder / "party-light.png")


@contextmanager
def playing(folder: Path) -> Iterator[tuple[Browser, Stage]]:
    """Make a folder for what is taken of a stage, and yield a browser and the stage."""
    if lacking := missing():
        sys.exit(lacking)
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        Stage.open(Path(home)) as stage,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        yield browser, stage
        browser.close()


def _drawn(page: Page, ready: str) -> None:
    """Wait until something is there, and in its clothes."""
    expect(page.locator(ready).first).to_be_visible()
    until(page, lambda: page.evaluate(DRESSED))
    page.evaluate("Promise.all([...document.images].map((one) => one.decode()))")


def _fight(page: Page, site: Site, file: Path) -> None:
    """Sit down at a party's table and lead it to its first fight."""
    page.goto(site.new("party"))
    to_the_fight(page)
    for option in ("move toward", "attack"):
        told = turns(page).count()
        choose(page, option)
        expect(turns(page)).not_to_have_count(told)
        expect(page.get_by_role("status").filter(has_text="Waiting for Thorin")).to_be_visible()
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.get_by_role("button", name="Play on")).to_be_visible()
    _drawn(page, ".party .die")
    page.locator(".panel").evaluate("(panel) => panel.scrollTo(0, 0)")
    page.screenshot(path=file)


def _agents(site: Site) -> dict[str, tuple[str, str]]:
    """Return for each agent a page with something on it, and what is there once it is drawn."""
    positions = [one for one in recorded_positions() if len(str(one["legal"])) > 300][:3]
    # The first decision of a process opens what the others have at hand.
    for _ in range(2):
        battle = site.new("battle", config={"search_ms": 50, "engine": "python"})
        for position in positions:
            site.act(battle, {"kind": "decide", "position": position})
    log = site.stage.lives.home / "night.txt"
    log.write_text("".join(generate_night(7, NIGHT)[0]), encoding="utf-8", newline="\n")
    report = import_logs([log], site.stage.lives.home).report
    raid = site.new("raid", config={"report": report})
    site.say(raid, "Why did we wipe?")
    saga, road = site.new("saga"), site.new("saga")
    site.say(saga, *ROAD)
    site.say(road, *ROAD[:3])
    return {
        "battle": (battle, ".battle img.sprite"),
        "raid": (raid, ".plot svg"),
        "saga": (saga, ".saga .die"),
        "map": (road, ".parchment"),
    }


@contextmanager
def _tab(browser: Browser, site: Site, size: dict[str, int], light: str) -> Iterator[Page]:
    context = browser.new_context(
        base_url=site.url,
        locale="en-US",
        viewport={"width": size["width"], "height": size["height"]},
        color_scheme="dark" if light == "dark" else "light",
        reduced_motion="reduce",
        service_workers="block",
    )
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


def _conversation(page: Page, talk: str, file: Path) -> None:
    page.goto(talk)
    _drawn(page, ".card")
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
    _drawn(page, ".station.done")
    page.screenshot(path=file)


def _phone(page: Page, talk: str, file: Path) -> None:
    page.goto(talk)
    tab(page, "Known")
    _drawn(page, ".card")
    page.screenshot(path=file)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
