"""The parts assistant in its frame on a shop's page of another origin, with that page's own CSP."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, Locator, expect
from tests.web.stage import Stage
from tests.web.test_web_display import AXE
from tests.web.test_web_embed import shop

PAGE = """<!doctype html><html lang="en"><head><title>A shop</title></head><body><h1>Shop</h1>
<script async src="{server}/embed.js" data-agent="parts" data-title="Ask us"></script>
</body></html>"""
SHOP = """[people]
webhook = "{webhook}"
secret = "s3"
[links]
cart = "https://shop.example/cart?add={{part}}"
"""
SECONDS = 30
_BAD = ("serious", "critical")


class Desk(ThreadingHTTPServer):
    """Takes what is handed over to the shop's people."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Taking)
        self.bodies: list[str] = []
        self.taken = threading.Event()
        self._serving = threading.Thread(target=self.serve_forever, daemon=True)
        self._serving.start()

    def server_close(self) -> None:
        """Stop serving, then close."""
        self.shutdown()
        super().server_close()
        self._serving.join(SECONDS)


class _Taking(BaseHTTPRequestHandler):
    server: Desk

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.server.bodies.append(self.rfile.read(length).decode())
        self.send_response(204)
        self.end_headers()
        self.server.taken.set()

    def log_message(self, *_: object) -> None:
        pass


def test_a_shops_visitor_picks_a_card_and_is_handed_over(browser: Browser, tmp_path: Path) -> None:
    errors: list[str] = []
    with Desk() as desk, shop() as (address, page), Stage.open(tmp_path) as stage:
        webhook = f"http://127.0.0.1:{desk.server_port}"
        (tmp_path / "shop.toml").write_text(SHOP.format(webhook=webhook), "utf-8")
        site = stage.start(framed_by=(address,), token="owner", model="rules")  # type: ignore[arg-type]
        page[:] = PAGE.format(server=site.url), site.url
        context = browser.new_context()
        context.on("weberror", lambda error: errors.append(str(error.error)))
        tab = context.new_page()
        tab.goto(address)
        tab.get_by_role("button", name="Ask us").click()
        frame = tab.frame_locator("iframe[title='Ask us']")
        frame.get_by_label("Message").fill("My dishwasher WDT780SAEM1 is not draining")
        frame.get_by_label("Message").press("Enter")
        cards = frame.get_by_role("listitem")
        expect(cards.first).to_contain_text("PS")
        expect(cards.first).to_contain_text("$")
        cart = cards.first.get_by_role("link", name="Add to cart")
        expect(cart).to_have_attribute("href", "https://shop.example/cart?add=" + _number(cards))

        picked = _number(cards)
        cards.first.get_by_role("button", name="Choose").click()
        expect(frame.locator("p.mine").last).to_have_text(picked)
        expect(frame.locator("main p:not(.mine)").last).to_contain_text(picked)
        inside = next(one for one in tab.frames if "/embed/parts" in one.url)
        inside.evaluate(AXE.read_text("utf-8"))
        found = inside.evaluate("() => axe.run({resultTypes: ['violations']})")
        worst = [one["id"] for one in found["violations"] if one["impact"] in _BAD]
        assert worst == []

        frame.get_by_label("Message").fill("talk to a person")
        frame.get_by_label("Message").press("Enter")
        expect(frame.get_by_text("A person will take it from here")).to_be_visible()
        assert desk.taken.wait(SECONDS), "nothing was handed over"
        handed = json.loads(desk.bodies[0])
        assert handed["slots"]["model"]["value"] == "WDT780SAEM1"
        assert "not draining" in handed["transcript"][0]["text"]
        assert errors == []
        context.close()


def _number(cards: Locator) -> str:
    return cards.first.locator("span").inner_text().partition(" · ")[0]
