"""The page while nobody looks at it, or no server answers: told aside, paused, opened still."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.web.reading import until
from tests.web.stage import Profile, Site, Stage
from tests.web.test_web_display import serious
from tests.web.test_web_restart import free_port, serving
from tests.web.test_web_seats import sit

KEPT = "() => navigator.serviceWorker.ready.then(({ active }) => active.state)"
OWN = "() => caches.keys().then((all) => Promise.all(all.map((one) => caches.open(one))))"
ADDRESSES = f"""() => ({OWN})().then((all) => Promise.all(all.map((one) => one.keys())))
    .then((all) => all.flat().map(({{ url }}) => new URL(url).pathname))"""
ELSEWHERE = """
window.away = false;
window.told = [];
Object.defineProperty(document, 'hidden', { get: () => window.away });
window.Notification = class {
  static permission = 'default';
  static async requestPermission() { this.permission = 'granted'; return this.permission; }
  constructor(title, { body }) { window.told.push([title, body]); }
};
"""


@pytest.mark.parametrize("context", [Profile(service_workers="allow")], indirect=True)
def test_the_page_opens_without_a_server_and_goes_on_once_it_is_back(
    page: Page, tmp_path: Path, forgiven: list[str]
) -> None:
    forgiven.extend(("ERR_", "Failed to fetch"))
    port = free_port()
    with serving(tmp_path, port) as server:
        page.goto(f"http://127.0.0.1:{port}/")
        page.get_by_label("Language").select_option("fr")
        page.evaluate(KEPT)
        kept = page.evaluate(ADDRESSES)
        assert [path for path in kept if not path.startswith("/static/")] == []
        server.kill()
        server.wait()
        page.goto(f"http://127.0.0.1:{port}/a/parts")
        expect(page.get_by_role("status").filter(has_text="ne répond pas")).to_be_visible()
        page.goto(f"http://127.0.0.1:{port}/")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert serious(page) == []
    with serving(tmp_path, port):
        page.get_by_role("button", name="Réessayer").click()
        expect(page.locator(".agent .primary").first).to_be_visible()
        page.goto("about:blank")


def test_the_page_can_be_installed(page: Page) -> None:
    page.goto("/")
    manifest = page.locator("link[rel=manifest]").get_attribute("href")
    assert manifest
    told = page.request.get(manifest)
    assert told.headers["content-type"] == "application/manifest+json"
    assert {"name", "start_url", "display", "icons"} <= set(told.json())
    for icon in told.json()["icons"]:
        assert page.request.get(manifest.rpartition("/")[0] + "/" + icon["src"]).ok


def test_whoever_looks_elsewhere_is_told_of_their_turn_if_they_like(page: Page, site: Site) -> None:
    page.add_init_script(ELSEWHERE)
    page.goto(site.new("circle"))
    sit(page, "cyd")
    page.get_by_role("button", name="Tell me when it is my turn").click()
    expect(page.get_by_role("button", name="Tell me when it is my turn")).to_have_count(0)
    page.evaluate("() => { window.away = true; }")
    page.get_by_role("button", name="Play on").click()
    until(page, lambda: bool(page.evaluate("() => window.told.length")))
    assert page.evaluate("() => window.told[0][1]") == "It is your turn."
    expect(page).to_have_title(re.compile("^▸"))


def test_a_table_that_nobody_watches_pauses_and_says_so(page: Page, stage: Stage) -> None:
    brief = stage.start(unwatched="1")
    table = brief.url + brief.new("circle", config={"seconds": 0.2})
    page.goto(table)
    page.get_by_role("button", name="Play on").click()
    expect(page.locator(".turn").first).to_be_visible()
    # What it costs is said while it runs.
    expect(page.locator(".pace")).to_contain_text("spent in this session")
    page.goto("about:blank")
    page.wait_for_timeout(3_000)
    page.goto(table)
    expect(page.get_by_role("status").filter(has_text="nobody was watching")).to_be_visible()
    expect(page.get_by_role("button", name="Play on")).to_be_visible()
