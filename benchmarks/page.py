"""How the web page feels: `python -m benchmarks.page [--part busy|narrow|tasks]`.

Chromium with an empty profile opens pages of a real server, in a window that has been open for a
second. `busy`: two processes keep both cores busy. `narrow`: 1.6 Mbit/s with 150 ms round trips, a
processor four times slower. A page's own PerformanceObserver tells its largest paint, its shifts
(until the shipped fonts are worn) and its slowest interaction: the median of its rounds, the most
of them for the last two. `peer_ms` is the same server's plainest page, a line of text that loads
nothing, opened just after each: what the machine can do. `kilobytes` is what came over the wire,
with the pictures of the first screen. `tasks`: what a first visit is for, in clicks (typing and
choosing a file in the browser's own dialog are none) and seconds. Needs Chromium and Playwright.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import httpx
from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import NightPlan, PullPlan
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
WAIT = 30_000
NARROW = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 750e3 / 8,
}
SLOWER = 4
OBSERVED = """
window.felt = { paint: 0, shift: 0, interaction: 0 };
const watch = (type, take, more = {}) =>
  new PerformanceObserver((list) => list.getEntries().forEach(take))
    .observe({ type, buffered: true, ...more });
watch('largest-contentful-paint', (one) => { felt.paint = one.startTime; });
watch('layout-shift', (one) => { if (!one.hadRecentInput) felt.shift += one.value; });
const slower = (one) => {
  if (one.interactionId) felt.interaction = Math.max(felt.interaction, one.duration);
};
watch('event', slower, { durationThreshold: 16 });
"""
REPLAY = Path(__file__).parents[1] / "tests" / "web" / "battle.log"
NIGHT = NightPlan(pulls=(PullPlan(649, "missed", at=0.5), PullPlan(649, "kill")), health=0.06)
BASE = re.compile(r"/static/[0-9a-f]+/")
ROUNDS = 3
USED = "textarea, input:not([type=file]), main button"
"""What a visitor uses first: a field to write in, or on a page without one a button."""
ANSWER = ".turn:not(.live) .reply"


def busy() -> None:
    """Keep a core busy until killed."""
    while True:
        pass


@contextmanager
def burning() -> Iterator[None]:
    """Keep two cores busy."""
    burners = [multiprocessing.Process(target=busy, daemon=True) for _ in range(2)]
    for burner in burners:
        burner.start()
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()


@contextmanager
def serving(home: str) -> Iterator[str]:
    """Run a server of its own and yield its address."""
    command = [sys.executable, "-m", "ruleplay.cli.main", "serve", "--port", "0", "--json"]
    env = {**os.environ, "RULEPLAY_HOME": home}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield str(json.loads(server.stdout.readline())["url"])
        finally:
            server.terminate()


@contextmanager
def tab(browser: Browser, url: str, **more: Any) -> Iterator[Page]:
    """Open a tab with a profile of its own."""
    context = browser.new_context(
        base_url=url or None, viewport={"width": 1280, "height": 800}, **more
    )
    context.set_default_timeout(WAIT)
    context.add_init_script(OBSERVED)
    yield context.new_page()
    context.close()


def sessions(url: str) -> dict[str, str]:
    """Make a session of each agent; return the addresses of the pages to measure."""
    httpx.get(f"{url}/api/agents", timeout=60).raise_for_status()  # the agents are imported once
    pages = {"home": "/"}
    for agent in ("battle", "parts", "raid", "saga", "party"):
        made = httpx.post(f"{url}/api/sessions", json={"agent": agent}, timeout=60)
        pages[agent] = f"/a/{agent}"
        pages[f"{agent}, a session"] = f"/s/{made.raise_for_status().json()['id']}"
    return pages


def peer(page: Page) -> float:
    """Open one line of text of the same server; return its largest paint in milliseconds."""
    found = BASE.search(page.request.get("/").text())
    assert found
    page.wait_for_timeout(1000)
    page.goto(f"{found[0]}store.js")
    page.wait_for_timeout(1500)
    return float(page.evaluate("() => window.felt.paint"))


def felt(page: Page, address: str) -> dict[str, float]:
    """Open a page and use it a little; how that felt, in milliseconds, shares and kilobytes."""
    received: list[float] = []
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on("Network.loadingFinished", lambda told: received.append(told["encodedDataLength"]))
    page.wait_for_timeout(1000)
    page.goto(address)
    expect(page.locator("h1").first).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0)
    page.locator("html.lettered").wait_for()
    page.wait_for_timeout(1500)
    weight = sum(received)
    page.locator(USED).locator("visible=true").first.click()
    page.keyboard.type("hello")
    page.wait_for_timeout(500)
    told = page.evaluate("() => window.felt")
    return {
        "largest_paint_ms": round(told["paint"]),
        "shift": round(told["shift"], 3),
        "interaction_ms": round(told["interaction"]),
        "kilobytes": round(weight / 1000),
    }


def loads(browser: Browser, url: str, *, narrow: bool) -> dict[str, dict[str, float]]:
    """Measure every page warm on the server, cold in the browser."""
    found = {}
    for name, address in sessions(url).items():
        rounds, plain = [], []
        for _ in range(1 if narrow else ROUNDS):
            with tab(browser, url) as page:
                if narrow:
                    wire = page.context.new_cdp_session(page)
                    wire.send("Network.enable")
                    wire.send("Network.emulateNetworkConditions", NARROW)
                    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
                rounds.append(felt(page, address))
            if not narrow:
                with tab(browser, url) as page:
                    plain.append(peer(page))
        worst = {key: max(one[key] for one in rounds) for key in rounds[0]}
        paint = median(one["largest_paint_ms"] for one in rounds)
        found[name] = {**worst, "largest_paint_ms": paint}
        if plain:
            ratio = round(paint / median(plain), 2)
            found[name] |= {"peer_ms": round(median(plain)), "times_peer": ratio}
    return found


class Hand:
    """A visitor's hand: counts what it presses."""

    def __init__(self) -> None:
        """Start with nothing pressed."""
        self.clicks = 0

    def press(self, what: Locator) -> None:
        """Click once."""
        self.clicks += 1
        what.click()

    def choose(self, page: Page, what: Locator, file: Path) -> None:
        """Click what opens the browser's own dialog, and choose a file there."""
        with page.expect_file_chooser() as asked:
            self.press(what)
        asked.value.set_files(file)


def leak(page: Page, hand: Hand, _: Path) -> None:
    """Start a chat about a leak."""
    page.get_by_label("What do you want to do?").fill("my dishwasher is leaking")
    hand.press(page.get_by_role("button", name="Begin"))
    expect(page.locator(ANSWER)).not_to_be_empty()


def wipe(page: Page, hand: Hand, folder: Path) -> None:
    """Import a log and see why it wiped."""
    log = folder / "night.txt"
    log.write_text("".join(generate_night(7, NIGHT)[0]), encoding="utf-8", newline="\n")
    hand.choose(page, page.get_by_role("button", name="Choose a file").first, log)
    page.get_by_label("Message", exact=True).fill("Why did we wipe?")
    hand.press(page.get_by_role("button", name="Send"))
    expect(page.locator(ANSWER)).to_contain_text("wipe")


def review(page: Page, hand: Hand, _: Path) -> None:
    """Review a replay."""
    hand.choose(page, page.get_by_role("button", name="Choose a file").first, REPLAY)
    expect(page.locator(".review article").first).to_be_visible()


def french_saga(page: Page, hand: Hand, _: Path) -> None:
    """Begin a saga in French."""
    hand.press(page.get_by_role("button", name="Lancer: Saga"))
    expect(page.locator(".saga .character")).to_be_visible()


def table(page: Page, hand: Hand, _: Path) -> None:
    """Sit at a table with a friend: both have a seat."""
    hand.press(page.get_by_role("button", name="Start: Party"))
    seats = page.get_by_role("button", name="Sit down: ")
    hand.press(seats.first)
    expect(page.get_by_role("button", name="Leave ")).to_be_visible()
    browser = page.context.browser
    assert browser is not None
    with tab(browser, "") as friend:
        friend.goto(page.url.partition("?")[0])
        hand.press(friend.get_by_role("button", name="Sit down: ").nth(1))
        expect(friend.get_by_role("button", name="Leave ")).to_be_visible()


TASKS: Mapping[str, Callable[[Page, Hand, Path], None]] = {
    "a chat about a leak": leak,
    "why a log wiped": wipe,
    "a replay reviewed": review,
    "a saga in French": french_saga,
    "a table with a friend": table,
}


def tasks(browser: Browser, url: str, folder: Path) -> dict[str, dict[str, float]]:
    """Do what a first visit is for."""
    found = {}
    for name, do in TASKS.items():
        with tab(browser, url, locale="fr-FR" if do is french_saga else "en-US") as page:
            page.goto("/")
            expect(page.locator(".agent").first).to_be_visible()
            hand, began = Hand(), perf_counter()
            do(page, hand, folder)
            found[name] = {"clicks": hand.clicks, "seconds": round(perf_counter() - began, 1)}
    return found


def main() -> None:
    """Print the figures of the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", action="append", choices=("busy", "narrow", "tasks"))
    expect.set_options(timeout=WAIT)
    parts = parser.parse_args().part or ["busy", "narrow", "tasks"]
    chromium = os.environ.get("RULEPLAY_CHROMIUM", "/usr/bin/chromium")
    result: dict[str, object] = {}
    with (
        tempfile.TemporaryDirectory() as home,
        serving(home) as url,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        if "busy" in parts:
            with burning():
                result["busy"] = loads(browser, url, narrow=False)
        if "narrow" in parts:
            result["narrow"] = loads(browser, url, narrow=True)
        if "tasks" in parts:
            result["tasks"] = tasks(browser, url, Path(home))
        browser.close()
    told = {
        "command": "python -m benchmarks.page",
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {"cores": 2},
        "result": result,
    }
    sys.stdout.write(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
