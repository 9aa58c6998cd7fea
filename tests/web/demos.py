"""Film each agent for half a minute: `python -m tests.web.demos FOLDER [AGENT …]`.

The frames that Chromium shows are played onto a canvas at their own pace, and the browser's own
encoder makes a WebM of them: no other program is needed.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TypedDict

from benchmarks.raid.nights.night import generate_night
from playwright.sync_api import Browser, CDPSession, Error, Page, expect
from tests.web.reading import open_evidence, tab, turns
from tests.web.screenshots import NIGHT, playing
from tests.web.stage import Site
from tests.web.test_web_battle import LOG
from tests.web.test_web_party import choose, to_the_fight
from tests.web.test_web_saga import reply

SECONDS = 30
SIZE = {"width": 1200, "height": 750}
PATIENCE_MS = 300_000
AT_ONCE = 40
"""Frames that are handed to the encoder in one go."""
ENCODE = """async ([width, height, seconds]) => {
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const brush = canvas.getContext('2d');
    const film = new MediaRecorder(canvas.captureStream(25), {
        mimeType: 'video/webm;codecs=vp9', videoBitsPerSecond: 900_000 });
    const parts = [];
    film.ondataavailable = ({ data }) => parts.push(data);
    const ended = new Promise((resolve) => { film.onstop = resolve; });
    const until = (moment) => new Promise((go) => setTimeout(go, moment - performance.now()));
    film.start(1000);
    const began = performance.now();
    for (const { at, jpeg } of window.frames_) {
        const image = new Image();
        image.src = `data:image/jpeg;base64,${jpeg}`;
        await image.decode();
        await until(began + at * 1000);
        brush.drawImage(image, 0, 0, width, height);
    }
    await until(began + seconds * 1000);
    film.stop();
    await ended;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    let text = '';
    for (let at = 0; at < bytes.length; at += 0x8000)
        text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(text);
}"""


class Frame(TypedDict):
    """A picture, and the second of the film at which it is seen."""

    at: float
    jpeg: str


class Camera:
    """Films one tab."""

    def __init__(self, page: Page) -> None:
        self.frames: list[Frame] = []
        self._page, self._began = page, monotonic()
        self._wire: CDPSession = page.context.new_cdp_session(page)
        self._wire.on("Page.screencastFrame", self._seen)
        asked = {"format": "jpeg", "quality": 80, "everyNthFrame": 2}
        self._wire.send("Page.startScreencast", asked)

    def _seen(self, frame: dict[str, str]) -> None:
        self.frames.append({"at": monotonic() - self._began, "jpeg": frame["data"]})
        with suppress(Error):  # the film is over
            self._wire.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    def until(self, seconds: float) -> list[Frame]:
        """Film until so many seconds are over and return what was seen in them."""
        while (left := seconds - (monotonic() - self._began)) > 0:
            self._page.wait_for_timeout(min(200, left * 1000))
        self._wire.send("Page.stopScreencast")
        return [frame for frame in self.frames if frame["at"] < seconds]


def encoded(browser: Browser, frames: list[Frame], seconds: float) -> bytes:
    """Return frames as a WebM; it takes as long as the film."""
    page = browser.new_page()
    page.evaluate("() => { window.frames_ = []; }")
    for at in range(0, len(frames), AT_ONCE):
        page.evaluate("(more) => { window.frames_.push(...more); }", frames[at : at + AT_ONCE])
    film = page.evaluate(ENCODE, [SIZE["width"], SIZE["height"], seconds])
    page.close()
    return base64.b64decode(film)


def film(
    browser: Browser,
    site: Site,
    play: Callable[[Page, Site], None],
    *,
    seconds: float = SECONDS,
) -> bytes:
    """Film what is played on a page of its own."""
    context = browser.new_context(base_url=site.url, locale="en-US", viewport=SIZE)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto("/")
    expect(page.locator(".agent").first).to_be_visible()
    camera = Camera(page)
    play(page, site)
    frames = camera.until(seconds)
    context.close()
    return encoded(browser, frames, seconds)


def look(page: Page, seconds: float = 1.5) -> None:
    """Give whoever watches the time to read."""
    page.wait_for_timeout(seconds * 1000)


def write(page: Page, message: str) -> None:
    """Write a message as fast as people do, send it and wait for its turn."""
    told = turns(page).count()
    page.get_by_label("Message", exact=True).press_sequentially(message, delay=35)
    page.keyboard.press("Enter")
    expect(turns(page)).to_have_count(told + 1)


def parts(page: Page, site: Site) -> None:
    """Say what leaks, then which model it is; see the parts and how one is put in."""
    wish = page.get_by_label("What do you want to do?")
    wish.press_sequentially("My dishwasher is leaking", delay=40)
    look(page)
    page.keyboard.press("Enter")
    expect(turns(page)).to_have_count(1)
    look(page, 3)
    write(page, "It is a WDT780SAEM1")
    expect(page.locator(".card").first).to_be_visible()
    look(page, 3)
    page.get_by_role("button", name="WDT780SAEM1").first.hover()
    look(page, 2)
    steps = page.locator(".card").first.locator("summary").first
    steps.scroll_into_view_if_needed()
    steps.click()
    look(page, 2)
    tab(page, "Inspector")


def raid(page: Page, site: Site) -> None:
    """Drop a log, look at the pull, ask why it wiped and follow the answer to its lines."""
    log = site.stage.lives.home / "night.txt"
    log.write_text("".join(generate_night(7, NIGHT)[0]), encoding="utf-8", newline="\n")
    look(page)
    page.locator(".start input[type=file]").set_input_files(log)
    expect(page.locator(".plot svg").first).to_be_visible()
    look(page, 4)
    write(page, "Why did we wipe?")
    look(page, 4)
    open_evidence(page)
    page.locator(".result.cited").get_by_text("Where this comes from").click()
    look(page, 2)
    page.locator(".result.cited .ranges button").first.click()


def rehearse_battle(page: Page) -> None:
    """Review the replay once: it takes a minute, and is kept."""
    page.goto("/")
    expect(page.locator(".agent").first).to_be_visible()
    page.locator(".start input[type=file]").set_input_files(LOG)
    expect(page.locator(".review-turn").first).to_be_visible(timeout=PATIENCE_MS)


def battle(page: Page, site: Site) -> None:
    """Drop a replay, jump to its worst turn and play the better line."""
    look(page)
    page.locator(".start input[type=file]").set_input_files(LOG)
    expect(page.locator(".review-turn").first).to_be_visible()
    look(page, 4)
    page.locator(".review .grades button").last.click()
    turn = page.locator("article:focus")
    expect(turn).to_be_in_viewport()
    look(page, 3)
    turn.get_by_role("button", name="Play the best line").click()
    for _ in range(3):
        look(page)
        step = page.get_by_role("button", name="Next step")
        if not step.is_enabled():
            break
        step.click()


def saga(page: Page, site: Site) -> None:
    """Begin a story, walk out of the inn and fight."""
    page.get_by_role("button", name="Start: Saga").click()
    expect(page.locator(".saga .character")).to_be_visible()
    look(page)
    for words in ("begin", "talk to Maud Fennick", "go to the Greenway", "attack"):
        reply(page, words)
        look(page, 3)
    for _ in range(3):
        reply(page, "attack")
        look(page, 2)
    page.locator(".saga .die summary").first.click()


def party(page: Page, site: Site) -> None:
    """Sit down at a table, go where it is dangerous and fight."""
    look(page)
    page.goto(site.new("party"))  # whose dice fall the same each time
    look(page, 2)
    to_the_fight(page)
    look(page, 3)
    for option in ("move toward", "attack"):
        told = turns(page).count()
        choose(page, option)
        expect(turns(page)).not_to_have_count(told)
        expect(page.get_by_role("status").filter(has_text="Waiting for Thorin")).to_be_visible()
        look(page, 3)


PLAYS: Mapping[str, Callable[[Page, Site], None]] = {
    "parts": parts,
    "raid": raid,
    "battle": battle,
    "saga": saga,
    "party": party,
}


def main(folder: Path, *agents: str) -> None:
    """Write the film of each agent into a folder."""
    with playing(folder) as (browser, stage):
        site = stage.start()
        for agent in agents or PLAYS:
            if agent == "battle":
                with browser.new_page(base_url=site.url, locale="en-US") as page:
                    rehearse_battle(page)
            made = film(browser, site, PLAYS[agent])
            (folder / f"{agent}.webm").write_bytes(made)
            print(f"{agent}.webm: {len(made) // 1000} kB", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
