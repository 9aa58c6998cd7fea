"""Clients that ask too much, too slowly, or for what is not theirs, against a server on a port."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from itertools import chain, cycle
from pathlib import Path

import httpx
import pytest
from tests.samples import some
from tests.server.conftest import Serve
from tests.server.streaming import SECONDS, Life, Lives, until
from tests.server.test_http_events import NARRATOR, gated

from ruleplay.server import limits, timeouts
from ruleplay.server.addresses import client_of
from ruleplay.server.limits import BURST, CLIENTS, Bucket, Buckets

TOKEN = "a-long-token-of-the-owner"
SIGNED = {"Authorization": f"Bearer {TOKEN}"}


def test_a_bucket_fills_up_again() -> None:
    now = [0.0]
    buckets = Buckets(2, lambda: now[0])
    assert [buckets.take("a") for _ in range(2 * BURST)] == [0] * 2 * BURST
    assert buckets.take("a") == pytest.approx(0.5)
    assert buckets.take("b") == 0
    now[0] = 0.5
    assert buckets.take("a") == 0
    assert buckets.take("a") > 0
    now[0] = 1_000
    assert [buckets.take("a") for _ in range(2 * BURST + 1)][-1] > 0


def test_clients_without_end_take_no_memory_without_end() -> None:
    buckets = Buckets(2)
    for n in range(CLIENTS + 50):
        buckets.take(str(n))
    assert len(buckets._buckets) == CLIENTS
    assert Bucket(5, 0).take(0, 1, 20) == 0


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("no address", "no address"),
    ],
)
def test_an_address_is_counted_as_one_customer(address: str, counted: str) -> None:
    assert client_of({"client": (address, 1)}) == counted


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the time is for whoever counts requests; it stands still."""
    now = [0.0]
    monkeypatch.setattr(limits, "Buckets", lambda rate: Buckets(rate, lambda: now[0]))
    return now


async def test_too_many_requests_are_refused_with_a_time_to_come_back(
    lives: Lives, clock: list[float]
) -> None:
    life = await lives.start(token=TOKEN, rate=2)
    answers = [await life.client.get("/api/agents", headers=SIGNED) for _ in range(2 * BURST + 5)]
    assert [answer.status_code for answer in answers] == [200] * 2 * BURST + [429] * 5
    refused = answers[-1]
    assert refused.headers["retry-after"] == "1"
    assert refused.headers["content-type"] == "application/problem+json"
    clock[0] += 1
    assert (await life.client.get("/api/agents", headers=SIGNED)).status_code == 200


async def test_guessing_tokens_is_slow(lives: Lives, clock: list[float]) -> None:
    life = await lives.start(token=TOKEN, rate=5)
    wrong = [
        (await life.client.post("/api/login", json={"token": f"guess {n}"})).status_code
        for n in range(10)
    ]
    assert wrong.count(401) <= 3
    assert wrong[-1] == 429


async def test_the_own_machine_is_not_counted_where_nobody_else_is_served(lives: Lives) -> None:
    life = await lives.start(rate=1)
    answers = [(await life.client.get("/health")).status_code for _ in range(30)]
    assert set(answers) == {200}


async def test_event_streams_are_bounded_and_their_places_come_back(lives: Lives) -> None:
    life = await lives.start(readers=3)
    session = await life.new("tally")
    async with AsyncExitStack() as opened:
        for _ in range(3):
            await opened.enter_async_context(life.listen(session))
        more = await life.client.get(f"{session}/events")
        assert (more.status_code, more.headers["retry-after"]) == (503, "5")
        assert (await life.client.get(session)).status_code == 200
    await until(lambda: life.host.bus.readers == 0)
    async with life.listen(session) as reader:
        await life.play(session, "add 1")
        await reader.until("turn.committed")


async def test_one_address_has_a_share_of_the_streams(
    lives: Lives, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "READERS_EACH", 2)
    life = await lives.start(token=TOKEN)
    session = await life.new("tally")
    life.client.headers.update(SIGNED)
    async with AsyncExitStack() as opened:
        for _ in range(2):
            stream = life.client.stream("GET", f"{session}/events")
            assert (await opened.enter_async_context(stream)).status_code == 200
        assert (await life.client.get(f"{session}/events")).status_code == 429


@pytest.fixture
async def slow(lives: Lives, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Life]:
    """A server that waits for half a second."""
    monkeypatch.setattr(timeouts, "HEAD_SECONDS", 0.5)
    monkeypatch.setattr(timeouts, "BODY_SECONDS", 0.5)
    return await lives.start()


async def drip(life: Life, text: bytes, on: bytes) -> bytes:
    """Send a byte every 50 ms until the server has enough of it; return what it answered.

    After `text` comes `on`, again and again.
    """
    url = httpx.URL(life.url)
    reader, writer = await asyncio.open_connection(url.host, url.port)
    answer = b""
    async with asyncio.timeout(180):
        with suppress(ConnectionError):
            for byte in chain(text, cycle(on)):
                if reader.at_eof():
                    break
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.05)
            answer = await reader.read()
    writer.close()
    return answer


@pytest.mark.parametrize(
    ("sent", "on"),
    [(b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: ", b"x"), (b"", b""), (b"", b"\r\n")],
    ids=["headers", "nothing", "empty lines"],
)
async def test_a_request_that_never_comes_is_not_waited_for(
    slow: Life, sent: bytes, on: bytes
) -> None:
    async with asyncio.timeout(SECONDS):
        answer = await drip(slow, sent, on)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 400 ")


async def test_a_second_request_on_a_connection_is_not_waited_for_either(slow: Life) -> None:
    url = httpx.URL(slow.url)
    reader, writer = await asyncio.open_connection(url.host, url.port)
    writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    async with asyncio.timeout(SECONDS):
        assert b" 200 " in await reader.readline()
        writer.write(b"GET /he")
        assert b"HTTP/1.1" not in await reader.read()  # up to the connection's end
    writer.close()


async def test_a_body_that_drips_is_refused(slow: Life) -> None:
    head = b"POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    url = httpx.URL(slow.url)
    reader, writer = await asyncio.open_connection(url.host, url.port)
    writer.write(head + b"Content-Length: 500\r\n\r\n{")
    async with asyncio.timeout(SECONDS):
        assert b" 408 " in await reader.readline()
    writer.close()


async def test_a_turn_may_take_longer_than_its_request(slow: Life) -> None:
    gate = asyncio.Event()
    session = await slow.new("duel", gated(gate), NARRATOR)
    async with slow.listen(session) as reader:
        playing = asyncio.create_task(slow.play(session, "En garde!"))
        await reader.until("text")
        await asyncio.sleep(0.7)  # longer than any request may take to come
        gate.set()
        turn = await playing
        assert (await reader.until("turn.committed")).data["turn"] == turn


async def test_many_silent_connections_keep_nobody_out(slow: Life) -> None:
    url = httpx.URL(slow.url)
    opened = [await asyncio.open_connection(url.host, url.port) for _ in range(200)]
    assert (await slow.client.get("/health")).status_code == 200
    async with asyncio.timeout(SECONDS):
        for reader, writer in opened:
            assert await reader.read() == b""
            writer.close()


def bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("WoWCombatLog.txt", b"0" * 200_000_000)
    return packed.getvalue()


def traversing() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../../escaped.txt", b"1/1 00:00:00.000  X,1\n")
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "made"),
    [("bomb.zip", bomb), ("../../../../escaped.txt", traversing), ("/etc/passwd", traversing)],
    ids=["bomb", "traversal", "absolute"],
)
async def test_a_hostile_archive_ends_as_a_failed_import(
    lives: Lives, tmp_path: Path, name: str, made: object
) -> None:
    pytest.importorskip("polars")
    life = await lives.start()
    assert callable(made)
    sent = await life.client.post(
        "/api/raid/imports",
        params={"name": name},
        content=made(),
        headers={"Content-Type": "application/octet-stream"},
    )
    assert sent.status_code == 202, sent.text
    async with asyncio.timeout(180):
        while (await state(life, sent))["status"] not in ("done", "failed"):
            await asyncio.sleep(0.05)
    if name == "bomb.zip":
        told = await state(life, sent)
        assert told["status"] == "failed"
        assert "unpacks to more" in json.dumps(told["problem"])
    assert not list(tmp_path.parent.glob("**/escaped*"))
    assert not list((tmp_path / "uploads").iterdir())


async def state(life: Life, sent: httpx.Response) -> dict[str, object]:
    found: dict[str, object] = (
        await life.client.get(f"/api/raid/imports/{sent.json()['id']}")
    ).json()
    return found


@pytest.mark.parametrize("code", ["..%2f..%2fetc", "%2e%2e", "..\\..", "a/../../b", "%00"])
async def test_a_path_leads_nowhere_else(lives: Lives, code: str) -> None:
    life = await lives.start()
    for path in (f"/api/raid/reports/{code}/lines", f"/api/sessions/{code}", f"/static/{code}"):
        answer = await life.client.get(path, params={"first": 1, "last": 5})
        assert answer.status_code in (404, 422)
        assert "root:" not in answer.text


INJECTIONS = (
    "'; DROP TABLE turns; --",
    '" OR 1=1 --',
    "Robert'); DELETE FROM sessions;--",
    "%' UNION SELECT token FROM secrets --",
    '* NEAR("a" "b") AND NOT :x',
    "model WDT780SAEM1' AND part_number LIKE '%",
)


@pytest.mark.parametrize("agent", ["parts", "tally"])
async def test_statements_in_messages_are_only_words(
    lives: Lives, database: str, agent: str
) -> None:
    life = await lives.start(db=database)
    session = await life.new(agent)
    for words in INJECTIONS:
        played = await life.client.post(
            f"{session}/turns",
            json={"message": words},
            headers={"Prefer": "wait", "Idempotency-Key": words},
        )
        assert played.status_code == 200, played.text
        again = await life.client.get(f"/api/sessions/{words}")
        assert again.status_code == 404
    shown = (await life.client.get(session)).json()
    assert [turn["input"]["message"] for turn in shown["turns"]] == list(INJECTIONS)


async def test_one_session_cannot_be_read_by_way_of_another(lives: Lives, database: str) -> None:
    life = await lives.start(db=database)
    mine, theirs = await life.new("tally"), await life.new("tally")
    secret = await life.play(theirs, "whisper the secret", seat="keeper")
    running = await life.play(theirs, "wait", wait=False)
    await life.play(mine, "add 1")
    for turn in (secret, running):
        assert (await life.client.get(f"{mine}/turns/{turn}")).status_code == 404
        assert (await life.client.post(f"{mine}/turns/{turn}/cancel")).status_code in (404, 409)
        assert (await life.client.post(f"{mine}/goto", json={"turn": turn})).status_code == 404
        async with life.listen(mine, f"{turn}:1") as reader:
            assert (await reader.next()).name == "resync"
    shown = (await life.client.get(f"{theirs}/turns/{running}")).json()
    assert shown["status"] == "running"
    for path in (mine, f"{mine}/export", f"{mine}/export?format=json"):
        assert "secret" not in (await life.client.get(path)).text


@pytest.mark.parametrize("path", some(["/v1/chat/completions", "/v1/responses", "/mcp/all"], 1))
async def test_a_body_of_millions_of_values_is_not_parsed(serve: Serve, path: str) -> None:
    body = b'{"messages": [' + b"{}," * 300_000 + b"{}]}"
    async with serve() as client:
        answer = await client.post(path, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert "50,000 values" in answer.text
