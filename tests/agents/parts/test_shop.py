"""A shop's own side: exports, feeds, hand-overs, orders, links, the owner's report."""

from __future__ import annotations

import gzip
import hashlib
import hmac
import json
import os
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ruleplay.agents.parts.adapters.catalog import open_catalog
from ruleplay.agents.parts.adapters.catalog_import import import_catalog
from ruleplay.agents.parts.adapters.feeds import sync
from ruleplay.agents.parts.adapters.ledger import as_csv, report
from ruleplay.agents.parts.adapters.outbox import Outbox
from ruleplay.agents.parts.adapters.shop import Feed, People, read_shop
from ruleplay.catalog import open_session
from ruleplay.errors import Unavailable, UserError
from ruleplay.kernel.replay import replay
from ruleplay.settings import Settings

SHOPIFY = (
    "Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,"
    "Option1 Value,Variant SKU,Variant Grams,Variant Inventory Qty,Variant Price,"
    "Variant Barcode,Image Src,Status\n"
    "pump,Drain Pump,<p>x</p>,Whirlpool,,Dishwasher,,true,Title,Default,PS1000001,200,4,60.23,"
    ",https://shop.example/pump.jpg,active\n"
)
WOOCOMMERCE = (
    "ID,Type,SKU,Name,Published,Is featured?,Short description,In stock?,Stock,Regular price,"
    "Sale price,Categories,Tags,Images\n"
    "17,simple,PS1000001,Drain Pump,1,0,,1,4,60.23,,Dishwasher,,https://shop.example/pump.jpg\n"
)
GOOGLE = (
    "id\ttitle\tdescription\tlink\timage_link\tavailability\tprice\tbrand\tmpn\tproduct_type\n"
    "PS1000001\tDrain Pump\tpumps\thttps://shop.example/p/1\thttps://shop.example/pump.jpg\t"
    "in_stock\t60.23 USD\tWhirlpool\tW1\tDishwasher\n"
)
EXPORTS = {"shopify": SHOPIFY, "woocommerce": WOOCOMMERCE, "google_merchant": GOOGLE}


@pytest.mark.parametrize("system", EXPORTS)
def test_exports_of_shop_systems_are_understood(system: str, tmp_path: Path) -> None:
    file = tmp_path / "export.csv"
    file.write_text(EXPORTS[system], encoding="utf-8")
    told = import_catalog(file, into=tmp_path / "c")
    assert told.columns[0].preset == system
    with open_catalog(tmp_path / "c") as catalog:
        part = catalog.part("PS1000001")[0].part
    assert (part.name, str(part.price), part.image) == (
        "Drain Pump",
        "60.23",
        "https://shop.example/pump.jpg",
    )
    assert part.appliances == ("Dishwasher",)


def test_an_import_tells_what_became_of_the_columns(tmp_path: Path) -> None:
    file = tmp_path / "parts.csv.gz"
    file.write_bytes(gzip.compress(b"part,name,price,video,colour\nPS1,Pump,5.00,,red\n"))
    told = import_catalog(file, into=tmp_path / "c")
    (columns,) = told.columns
    assert columns.used["part_number"] == "part"
    assert columns.ignored == ("colour",)
    assert columns.empty == ("video",)
    assert told.undated_prices == 1
    with open_catalog(tmp_path / "c") as catalog:
        assert catalog.part("PS1")[0].part.priced_on is None


def test_a_sync_swaps_and_tells_what_changed(tmp_path: Path) -> None:
    parts, into = tmp_path / "parts.csv", tmp_path / "c"
    parts.write_text("part,name,price\nPS1,Pump,5.00\nPS2,Wheel,6.00\n", "utf-8")
    assert sync(Feed(parts=str(parts)), into).changes.added == 2
    with open_catalog(into) as reader:
        parts.write_text("part,name,price\nPS2,Wheel,7.00\nPS3,Belt,1.00\n", "utf-8")
        told = sync(Feed(parts=str(parts)), into).changes
        assert (told.added_numbers, told.removed_numbers, told.repriced) == (("PS3",), ("PS1",), 1)
        assert reader.part("PS3"), "a reader that was open answers from the new catalog"
        parts.write_text("colour\nred\n", "utf-8")
        with pytest.raises(UserError):
            sync(Feed(parts=str(parts)), into)
        assert reader.part("PS3"), "a feed that cannot be used leaves the old catalog"
    assert not list(tmp_path.glob(".sync-*"))


def test_a_sync_removes_what_killed_ones_left(tmp_path: Path) -> None:
    parts = tmp_path / "parts.csv"
    parts.write_text("part,name\nPS1,Pump\n", "utf-8")
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True
    )
    left = tmp_path / f".sync-{int(gone.stdout)}-abc"
    own = tmp_path / f".sync-{os.getpid()}-abc"
    for folder in (left, own):
        folder.mkdir()
        (folder / "parts").write_text("a feed")
    sync(Feed(parts=str(parts)), tmp_path / "c")
    assert not left.exists()
    assert own.exists(), "a sync that still runs keeps its files"


class Stub(ThreadingHTTPServer):
    """A shop's server: serves a feed and an order, takes hand-overs, and may refuse them first."""

    def __init__(self, refuse: int = 0) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.refuse, self.taken = refuse, threading.Event()
        self.posts: list[tuple[dict[str, str], str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Stub

    def do_GET(self) -> None:
        body = b"part,name\nPS1,Pump\n" if self.path == "/parts.csv" else b'{"status": "shipped"}'
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        refused = len(self.server.posts) < self.server.refuse
        self.server.posts.append((dict(self.headers), body))
        self.send_response(503 if refused else 204)
        self.end_headers()
        if not refused:
            self.server.taken.set()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def stub() -> Iterator[Stub]:
    with Stub() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join(10)


def test_a_feed_is_fetched_and_a_missing_one_says_so(tmp_path: Path, stub: Stub) -> None:
    into = tmp_path / "c"
    assert sync(Feed(parts=f"{stub.url}/parts.csv"), into).imported.parts == 1
    with pytest.raises(Unavailable):
        sync(Feed(parts="http://127.0.0.1:1/parts.csv"), into)


def test_a_hand_over_is_signed_retried_and_sent_once(tmp_path: Path, stub: Stub) -> None:
    stub.refuse = 1
    people = People.model_validate({"webhook": stub.url, "secret": "s3"})
    outbox = Outbox(tmp_path / "outbox.db", people)
    assert outbox.put("session-4", {"reason": "asked"})
    assert not outbox.put("session-4", {"reason": "asked"})
    assert outbox.deliver(now=1e10) == 0
    assert outbox.waiting()[0].tries == 1
    assert outbox.deliver(now=1e10) == 0, "it is not due again at once"
    assert outbox.deliver(now=1e10 + 60) == 1
    assert outbox.deliver(now=1e10 + 1e6) == 0, "what was taken is not sent again"
    headers, body = stub.posts[-1]
    stamp, _, digest = headers["Ruleplay-Signature"].partition(",v1=")
    signed = f"{stamp.removeprefix('t=')}.{body}".encode()
    assert digest == hmac.new(b"s3", signed, hashlib.sha256).hexdigest()
    assert {sent["Idempotency-Key"] for sent, _ in stub.posts} == {"session-4"}


async def test_a_person_takes_over_only_where_there_is_one(tmp_path: Path, stub: Stub) -> None:
    settings = Settings(home=tmp_path, db="", model="rules")
    (tmp_path / "shop.toml").write_text('[people]\ncontact = "555 0100"\n', "utf-8")
    async with await open_session("parts", settings=settings) as session:
        turn = await session.turn("talk to a person")
    assert "A person will take it" not in turn.reply
    assert "555 0100" in turn.reply
    text = f'[people]\nwebhook = "{stub.url}"\nsecret = "s3"\n'
    (tmp_path / "shop.toml").write_text(text, "utf-8")
    async with await open_session("parts", settings=settings) as session:
        await session.turn("My WDT780SAEM1 is leaking")
        turn = await session.turn("talk to a person")
        assert "A person will take it from here" in turn.reply
        assert stub.taken.wait(20)
        assert (await replay(session.host, session.id)).identical
    told = json.loads(stub.posts[-1][1])
    assert told["slots"]["model"]["value"] == "WDT780SAEM1"
    assert [line["text"] for line in told["transcript"]][-1] == "talk to a person"
    assert len(stub.posts) == 1, "the replay sends nothing"


class Post(socketserver.StreamRequestHandler):
    """Takes one mail as SMTP asks for it, and keeps its lines."""

    def handle(self) -> None:
        def say(line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

        say("220 stub")
        while line := self.rfile.readline().decode().strip():
            kept = self.server.kept  # type: ignore[attr-defined]
            kept.append(line)
            if line.upper() == "DATA":
                say("354 go on")
                while (text := self.rfile.readline().decode().rstrip("\r\n")) != ".":
                    kept.append(text)
            if line.upper() == "QUIT":
                say("221 bye")
                self.server.taken.set()  # type: ignore[attr-defined]
                return
            say("250 ok")


async def test_a_hand_over_goes_out_as_a_mail(tmp_path: Path) -> None:
    with socketserver.TCPServer(("127.0.0.1", 0), Post) as server:
        kept: list[str] = []
        server.kept, server.taken = kept, threading.Event()  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        mail = f'host = "127.0.0.1"\nport = {server.server_address[1]}\nstarttls = false\n'
        mail += 'sender = "assistant@shop.example"\nto = "help@shop.example"\n'
        (tmp_path / "shop.toml").write_text(f"[people.mail]\n{mail}", "utf-8")
        settings = Settings(home=tmp_path, db="", model="rules")
        async with await open_session("parts", settings=settings) as session:
            await session.turn("My WDT780SAEM1 is leaking")
            turn = await session.turn("talk to a person")
            assert "A person will take it from here" in turn.reply
            assert server.taken.wait(20)  # type: ignore[attr-defined]
        server.shutdown()
    told = "\n".join(kept)
    assert "rcpt TO:<help@shop.example>" in told
    assert "Subject: A customer asks for a person" in told
    assert "the model is WDT780SAEM1" in told
    assert "user: talk to a person" in told
    assert f"Message-ID: <{session.id}-2@" in told


async def test_orders_and_links_come_from_the_owners_file(tmp_path: Path, stub: Stub) -> None:
    settings = Settings(home=tmp_path, db="", model="rules")
    text = (
        f'[orders]\nstatus = "{stub.url}/orders/{{order}}"\n'
        '[links]\nproduct = "https://shop.example/p/{part}"\n'
        'cart = "https://shop.example/cart?add={part}"\n'
    )
    (tmp_path / "shop.toml").write_text(text, "utf-8")
    async with await open_session("parts", settings=settings) as session:
        turn = await session.turn("where is my order 4471820?")
        assert "Order 4471820: shipped." in turn.reply
        await session.turn("how much is PS3406971?")
        card = (await session.view())["cards"][0]
        assert (await replay(session.host, session.id)).identical
    assert card["cart"] == "https://shop.example/cart?add=PS3406971"
    assert card["url"] == "https://shop.example/p/PS3406971"


def test_a_file_that_says_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "shop.toml").write_text("[peple]\n", "utf-8")
    with pytest.raises(UserError, match="peple"):
        read_shop(tmp_path)


async def test_the_owner_reads_what_was_not_answered(settings: Settings) -> None:
    async with await open_session("parts", settings=settings) as session:
        await session.turn("My WDT780SAEM1 is leaking")
        await session.turn("how much is the frobnicator?")
        await session.turn("price of PS77777777")
        await session.turn("talk to a person")
        told = report(await session.turns())
    (day,) = told.days
    assert day.not_answered == (("frobnicator", 1),)
    assert day.unknown_numbers == (("PS77777777", 1),)
    assert (day.top_symptoms, day.handed_over) == ((("Leaking", 1),), 1)
    assert "frobnicator (1)" in as_csv(told)
