"""The web page and its assets, signing in, and what the page asks for besides sessions."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path

import httpx
import pytest
from tests.server.conftest import Serve

from ruleplay.catalog import find_agent
from ruleplay.records.events import Json
from ruleplay.server.app import create_app
from ruleplay.server.firstlook import session
from ruleplay.server.page import BUILT, TYPES, page_modules, with_agent
from ruleplay.server.shapes import DoctorAnswer, GraphAnswer
from ruleplay.settings import Settings

INDEX = "<!doctype html><title>Ruleplay</title><script type=module src=/static/app.js></script>"
SCRIPT = "export const words = 'one two three';\n" * 200
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a page's folder, beside a file that must stay private."""
    built = tmp_path / "static"
    (built / "lib").mkdir(parents=True)
    (built / "index.html").write_text(INDEX)
    (built / "app.js").write_text(SCRIPT)
    (built / "lib" / "chart.mjs").write_text("export default 1")
    (built / "mark.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (built / "odd.exe").write_text("MZ")
    (tmp_path / "secret.txt").write_text("private")
    (built / "way-out.txt").symlink_to(tmp_path / "secret.txt")
    return built


@pytest.fixture
async def page(folder: Path, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(Settings(home=tmp_path / "home"), find_agent, folder)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as client,
    ):
        yield client


@pytest.mark.parametrize("path", ["/", "/s/0123456789ab", "/a/parts"])
async def test_the_page_is_served_under_all_its_addresses(
    page: httpx.AsyncClient, path: str
) -> None:
    got = await page.get(path)
    assert (got.status_code, got.text) == (200, INDEX)
    assert got.headers["content-type"] == "text/html; charset=utf-8"
    assert got.headers["content-security-policy"] == POLICY
    assert got.headers["x-content-type-options"] == "nosniff"
    assert got.headers["referrer-policy"] == "no-referrer"
    assert got.headers["cache-control"] == "no-cache"
    again = await page.get(path, headers={"If-None-Match": got.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("app.js", "text/javascript; charset=utf-8"),
        ("lib/chart.mjs", "text/javascript; charset=utf-8"),
        ("mark.svg", "image/svg+xml"),
        ("index.html", "text/html; charset=utf-8"),
    ],
)
async def test_assets_have_their_types(page: httpx.AsyncClient, path: str, kind: str) -> None:
    got = await page.get(f"/static/{path}")
    assert (got.status_code, got.headers["content-type"]) == (200, kind)
    assert got.headers["x-content-type-options"] == "nosniff"


async def test_text_is_compressed_for_those_who_accept_it(page: httpx.AsyncClient) -> None:
    small = await page.get("/static/app.js", headers={"Accept-Encoding": "gzip"})
    assert small.headers["content-encoding"] == "gzip"
    assert "Accept-Encoding" in small.headers["vary"]
    assert small.num_bytes_downloaded < len(SCRIPT) / 10
    assert small.text == SCRIPT
    plain = await page.get("/static/app.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == SCRIPT


@pytest.mark.parametrize(
    "path",
    [
        "/static/../secret.txt",
        "/static/%2e%2e/secret.txt",
        "/static/..%2fsecret.txt",
        "/static/lib/..%2f..%2fsecret.txt",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/..\\secret.txt",
        "/static/way-out.txt",
        "/static/odd.exe",
        "/static/app.js%00.html",
        "/static/",
        "/static/lib",
        "/s/a/b",
        "/a/..%2f..%2fsecret.txt",
        "/secret.txt",
    ],
)
async def test_nothing_else_is_served(page: httpx.AsyncClient, path: str) -> None:
    got = await page.request(
        "GET", httpx.URL("http://localhost:8000").copy_with(raw_path=path.encode())
    )
    assert got.status_code == 404, got.text
    assert "private" not in got.text
    assert "root:" not in got.text
    assert got.headers["content-type"] == "application/problem+json"


async def test_without_a_page_there_are_no_deep_links(client: httpx.AsyncClient) -> None:
    if (BUILT / "index.html").exists():
        pytest.skip("the page is built here")
    assert "curl" in (await client.get("/")).text
    for path in ("/s/0123", "/a/parts", "/static/app.js"):
        assert (await client.get(path)).status_code == 404


async def test_a_sessions_document_names_its_agents_modules_for_those_who_may_know(
    folder: Path, tmp_path: Path
) -> None:
    (folder / "index.html").write_text(
        '<head><link rel="icon" href="/static/0a1b/icon.svg"></head>'
        '<script src="/static/0a1b/boot.js" type="module" data-also=""></script>'
    )
    app = create_app(Settings(home=tmp_path / "home", token="a" * 16), find_agent, folder)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost") as stranger,
        httpx.AsyncClient(
            transport=transport,
            base_url="http://localhost",
            headers={"Authorization": "Bearer " + "a" * 16},
        ) as owner,
    ):
        made = (await owner.post("/api/sessions", json={"agent": "saga"})).json()["id"]
        html = {"Accept": "text/html"}
        told = (await owner.get(f"/s/{made}", headers=html)).text
        also = told.partition('data-also="')[2].partition('"')[0].split()
        assert {"agents/saga.js", "agents/saga/hero.js", "agents/saga/saga.css"} <= {*also}
        front = (await owner.get("/a/saga", headers=html)).text
        assert 'data-also="agents/saga.js ' in front
        for client, session in ((stranger, made), (owner, "0" * 24), (owner, "..%2f..")):
            other = await client.get(f"/s/{session}", headers=html)
            assert 'data-also=""' in other.text


WORDS = {
    language: {
        "/": f"<h1>{hero}</h1>",
        "/a/saga": "<h1>Saga</h1>",
        "frame": "<main>{{content}}</main>",
        "home": home,
        "begin": begin,
    }
    for language, hero, home, begin in (
        ("en", "Bring it", "Home", "Say something"),
        ("fr", "Apportez", "Accueil", "Dites"),
    )
}


@pytest.fixture
def looking(folder: Path, page: httpx.AsyncClient) -> httpx.AsyncClient:
    """Return a client of a page that was built with the words of its first look."""
    (folder / "first.json").write_text(json.dumps(WORDS))
    (folder / "index.html").write_text(
        '<html lang="en"><head></head><body><div id="app"></div></body></html>'
    )
    return page


async def test_a_document_shows_what_it_is_about_in_its_readers_language_and_light(
    looking: httpx.AsyncClient,
) -> None:
    first = (await looking.get("/", headers={"Accept-Language": "de, en;q=0.5"})).text
    assert '<html lang="en">' in first
    assert "<h1>Bring it</h1>" in first
    french = (await looking.get("/", headers={"Accept-Language": "fr-CH, fr;q=0.9"})).text
    assert '<html lang="fr">' in french
    assert "<h1>Apportez</h1>" in french
    chosen = {"Cookie": "ruleplay.language=fr; ruleplay.theme=dark"}
    told = (await looking.get("/a/saga", headers={"Accept-Language": "en", **chosen})).text
    assert '<html lang="fr" data-theme="dark">' in told
    assert "<h1>Saga</h1>" in told
    odd = {"Cookie": 'ruleplay.language=xx; ruleplay.theme="><script>'}
    assert (await looking.get("/", headers=odd)).text == first


async def test_a_sessions_document_shows_its_last_words_and_knows_the_answer(
    looking: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ruleplay.server.page.SOON", 60)
    made = (await looking.post("/api/sessions", json={"agent": "tally"})).json()["id"]
    empty = (await looking.get(f"/s/{made}")).text
    assert "Say something" in empty
    said = {"message": "add 3 </script><b>"}
    await looking.post(f"/api/sessions/{made}/turns?wait=true", json=said)
    text = (await looking.get(f"/s/{made}")).text
    assert "add 3 &lt;/script&gt;&lt;b&gt;" in text
    data = text.partition('id="known">')[2].partition("</script>")[0]
    known = json.loads(data)
    assert known[f"/api/sessions/{made}"] == (await looking.get(f"/api/sessions/{made}")).json()
    assert known["/api/agents"] == (await looking.get("/api/agents")).json()
    assert (await looking.get(f"/s/{'0' * 24}")).text.count("known") == 0


@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ("One.\n\nTwo\nlines.", "<p>One.</p><p>Two\nlines.</p>"),
        ("Two:\n\n1. **a** [r1.1]\n\n2. b", "<p>Two:</p><ol><li>a</li><li>b</li></ol>"),
        ("- a <b>\n* c\nEnd", "<ul><li>a &lt;b&gt;</li><li>c</li></ul><p>End</p>"),
    ],
)
def test_a_replys_lists_are_lists_before_any_script(reply: str, shown: str) -> None:
    answer: Json = {
        "agent": "saga",
        "title": "Saga",
        "public_seat": "",
        "turns": [{"number": 1, "input": {"message": "hm"}, "reply": reply}],
    }
    assert f'<div class="reply">{shown}</div>' in session(WORDS["en"], answer)


async def test_a_document_tells_nobody_what_a_seat_heard(looking: httpx.AsyncClient) -> None:
    table = (await looking.post("/api/sessions", json={"agent": "circle"})).json()["id"]
    address = f"/api/sessions/{table}"
    sat = await looking.post(f"{address}/seats/ada", json={"name": ""})
    assert sat.status_code < 300
    whisper = {"action": {"do": "whisper", "to": ["ben"], "text": "seven harts"}, "seat": "ada"}
    told = await looking.post(f"{address}/turns?wait=true", json=whisper)
    assert told.status_code < 300, told.text
    for seat in ("", "?seat=ada", "?seat=ben"):
        text = (await looking.get(f"/s/{table}{seat}")).text
        assert "seven harts" not in text
        assert (f"{address}?seat=ada" in text) is False or "preload" in text


@pytest.mark.usefixtures("looking")
async def test_a_document_tells_nothing_without_the_token(folder: Path, tmp_path: Path) -> None:
    app = create_app(Settings(home=tmp_path / "guarded", token="a" * 16), find_agent, folder)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    shown = {"Authorization": "Bearer " + "a" * 16}
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost") as client,
    ):
        made = await client.post("/api/sessions", json={"agent": "tally"}, headers=shown)
        address = f"/s/{made.json()['id']}"
        said = {"message": "add 3 whales"}
        turns = f"/api/sessions/{made.json()['id']}/turns?wait=true"
        await client.post(turns, json=said, headers=shown)
        assert "whales" in (await client.get(address, headers=shown)).text
        for path in (address, "/", "/a/saga"):
            text = (await client.get(path)).text
            assert "whales" not in text
            assert "/api/" not in text


async def test_a_module_is_handed_out_as_it_was_compressed(
    page: httpx.AsyncClient, folder: Path
) -> None:
    (folder / "app.js.br").write_bytes(b"pressed")
    async with page.stream(
        "GET", "/static/app.js", headers={"Accept-Encoding": "gzip, br;q=1"}
    ) as got:
        raw = b"".join([chunk async for chunk in got.aiter_raw()])
    assert (got.headers["content-encoding"], raw) == ("br", b"pressed")
    assert got.headers["content-type"] == "text/javascript; charset=utf-8"
    assert got.headers["vary"] == "Accept-Encoding"
    assert (await page.get("/static/app.js", headers={"Accept-Encoding": "gzip"})).text == SCRIPT
    assert (await page.get("/static/app.js.br")).status_code == 404


def test_of_an_agent_that_was_built_with_the_page_one_module_is_named(folder: Path) -> None:
    own = folder / "own"
    (own / "nim").mkdir(parents=True)
    (own / "nim.js").write_text("import './nim/board.js';")
    (own / "nim" / "nim.css").write_text("")
    (folder / "0a1b" / "agents").mkdir(parents=True)
    document = '<script data-also="" href="/static/0a1b/"></script>'
    apart = with_agent(document, "nim", own, folder)
    assert 'data-also="agents/nim.js agents/nim/board.js agents/nim/nim.css"' in apart
    (folder / "0a1b" / "agents" / "nim.js").write_text("")
    page_modules.cache_clear()
    whole = with_agent(document, "nim", own, folder)
    assert 'data-also="agents/nim.js agents/nim/nim.css"' in whole


async def test_what_is_named_by_its_content_is_asked_for_once(
    page: httpx.AsyncClient, folder: Path
) -> None:
    (folder / "0a1b2c3d4e5f").mkdir()
    (folder / "0a1b2c3d4e5f" / "app.js").write_text(SCRIPT)
    once = await page.get("/static/0a1b2c3d4e5f/app.js")
    assert once.headers["cache-control"] == "public, max-age=31536000, immutable"
    for path in ("/static/app.js", "/static/0a1b2c3d4e5f/agents/saga/saga.css"):
        got = await page.get(path)
        assert (got.status_code, got.headers["cache-control"]) == (200, "no-cache"), path


def test_every_type_is_one_that_browsers_take() -> None:
    assert all(suffix.startswith(".") and "/" in kind for suffix, kind in TYPES.items())


async def test_with_a_token_the_page_signs_in(serve: Serve) -> None:
    async with serve(token="s3cret-é") as client:
        refused = await client.post("/api/login", json={"token": "wrong"})
        assert (refused.status_code, "set-cookie" in refused.headers) == (401, False)
        assert (await client.get("/api/agents")).status_code == 401
        signed = await client.post("/api/login", json={"token": "s3cret-é"})
        assert signed.status_code == 204
        cookie = signed.headers["set-cookie"]
        assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {p.strip() for p in cookie.split(";")}
        assert "s3cret" not in cookie
        assert (await client.get("/api/agents")).status_code == 200
        assert (await client.get("/api/sessions")).status_code == 200
        assert (await client.get("/api/sessions/none/events")).status_code == 404
        foreign = {"Origin": "http://evil.example"}
        assert (await client.get("/api/agents", headers=foreign)).status_code == 403
        assert (await client.post("/api/logout")).status_code == 204
        assert (await client.get("/api/agents")).status_code == 401
    async with serve(token="another") as client:
        headers = {"Cookie": cookie.partition(";")[0]}
        assert (await client.get("/api/agents", headers=headers)).status_code == 401


async def test_over_https_the_cookie_stays_there(serve: Serve) -> None:
    async with serve(token="s3cret") as client:
        signed = await client.post("https://games.example/api/login", json={"token": "s3cret"})
        assert "Secure" in signed.headers["set-cookie"]


async def test_without_a_token_there_is_nothing_to_sign_in_to(client: httpx.AsyncClient) -> None:
    answer = await client.post("/api/login", json={"token": "whatever"})
    assert (answer.status_code, "set-cookie" in answer.headers) == (204, False)


async def test_with_a_token_the_page_itself_is_open(folder: Path, tmp_path: Path) -> None:
    app = create_app(Settings(home=tmp_path / "home", token="s3cret"), find_agent, folder)
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://games.example") as client,
    ):
        for path in ("/", "/s/x", "/static/app.js", "/health"):
            assert (await client.get(path)).status_code == 200
        for path in ("/api/sessions", "/api/doctor", "/openapi.json", "/api/sessions/x/events"):
            assert (await client.get(path)).status_code == 401


@pytest.mark.parametrize(("address", "status"), [("192.0.2.7", 403), ("127.0.0.1", 200)])
async def test_without_a_token_other_machines_are_refused(
    tmp_path: Path, address: str, status: int
) -> None:
    app = create_app(Settings(home=tmp_path), find_agent)
    transport = httpx.ASGITransport(app, client=(address, 5))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost") as client,
    ):
        assert (await client.get("/api/sessions")).status_code == status


async def test_the_page_can_ask_which_models_work(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.delenv("GROQ_API_KEY", raising=False)
    offered = {
        "quick": "openai:gpt-5-mini",
        "lost": "groq:llama-3",
        "hidden": "http://10.1.2.3/v1#x",
    }
    async with serve(model="rules", offered=offered) as client:
        answer = await client.get("/api/doctor")
    told = DoctorAnswer.model_validate(answer.json())
    assert told.default == "rules"
    models = {model.name: model for model in told.models}
    assert [name for name, one in models.items() if not one.ready] == ["lost"]
    assert "groq" in models["lost"].advice
    # The package genai-prices keeps the list, which changes.
    assert 0 < Decimal(models["quick"].input or "0") < Decimal(models["quick"].output or "0") < 100
    assert Decimal(models["rules"].input or "1") == 0
    assert models["hidden"].input is None
    assert "sk-secret" not in answer.text
    assert "10.1.2.3" not in answer.text


async def test_a_graph_is_told_as_it_was_compiled(client: httpx.AsyncClient) -> None:
    graph = (await client.get("/api/agents/tally/graph")).json()
    GraphAnswer(**graph)
    assert graph["nodes"] == ["__start__", "read", "count", "__end__"]
    edges = {(e["from"], e["to"], e["conditional"]) for e in graph["edges"]}
    assert edges == {
        ("__start__", "read", False),
        ("read", "count", True),
        ("read", "__end__", True),
        ("count", "__end__", False),
    }
    assert (await client.get("/api/agents/nobody/graph")).status_code == 404


async def test_a_document_waits_for_no_import(
    looking: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()
    monkeypatch.setattr("ruleplay.server.sessions.describe_agents", lambda: go.wait(20) and [])
    try:
        text = (await asyncio.wait_for(looking.get("/"), 10)).text
        assert "<h1>Bring it</h1>" in text
        assert "/api/agents" not in text
    finally:
        go.set()
    monkeypatch.setattr("ruleplay.server.page.SOON", 60)
    assert "/api/agents" in (await looking.get("/")).text
