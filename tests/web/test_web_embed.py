"""An agent in a frame on a page of another origin, in a real browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, expect
from tests.web.stage import Stage

PAGE = """<!doctype html><html lang="en"><head><title>A shop</title></head><body><h1>Shop</h1>
<script async src="{server}/embed.js" data-agent="tally" data-title="Ask us"></script>
</body></html>"""


@contextmanager
def shop() -> Iterator[tuple[str, list[str]]]:
    """Serve a page of another origin, whose text can be set."""
    page = ["", ""]

    class Shop(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            # What a careful page allows: the script and the frame, and nothing else.
            policy = f"default-src 'none'; script-src {page[1]}; frame-src {page[1]}"
            self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(page[0].encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", page
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


@pytest.fixture
def errors() -> list[str]:
    return []


def test_a_visitor_of_another_page_talks_to_an_agent(
    browser: Browser, stage: Stage, errors: list[str]
) -> None:
    with shop() as (address, page):
        site = stage.start(framed_by=(address,), token="owner")  # type: ignore[arg-type]
        page[:] = PAGE.format(server=site.url), site.url
        context = browser.new_context()
        context.on("weberror", lambda error: errors.append(str(error.error)))
        tab = context.new_page()
        tab.goto(address)
        tab.get_by_role("button", name="Ask us").click()
        frame = tab.frame_locator("iframe[title='Ask us']")
        frame.get_by_label("Message").fill("add 3")
        frame.get_by_label("Message").press("Enter")
        expect(frame.get_by_text("The tally is 3. You said: add 3")).to_be_visible()
        frame.get_by_role("button", name="add 20").click()
        expect(frame.get_by_text("The tally is 23. You said: add 20")).to_be_visible()
        assert "owner" not in str(tab.content())
        assert context.cookies() == []

        tab.reload()  # the same guest goes on
        tab.get_by_role("button", name="Ask us").click()
        expect(frame.get_by_text("The tally is 23. You said: add 20")).to_be_visible()

        frame.get_by_label("Close").click()
        expect(tab.locator("iframe")).to_be_hidden()
        assert errors == []
        context.close()


def test_a_page_that_is_not_listed_shows_nothing(browser: Browser, stage: Stage) -> None:
    with shop() as (address, page):
        site = stage.start(framed_by=("https://shop.example",), token="owner")  # type: ignore[arg-type]
        page[:] = PAGE.format(server=site.url), site.url
        context = browser.new_context()
        tab = context.new_page()
        tab.goto(address)
        tab.get_by_role("button", name="Ask us").click()
        expect(tab.frame_locator("iframe[title='Ask us']").get_by_label("Message")).to_have_count(0)
        context.close()
