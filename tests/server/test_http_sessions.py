"""Sessions over HTTP, what the server refuses, and what its documents say."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager

import httpx
import pytest

from ruleplay.server.shapes import AgentList, Health, SessionAnswer, SessionList

Serve = Callable[..., AbstractAsyncContextManager[httpx.AsyncClient]]
WAIT = {"Prefer": "wait"}
PROBLEM = "application/problem+json"
JSON = {"Content-Type": "application/json"}


async def test_a_session_is_created_listed_and_shown(client: httpx.AsyncClient) -> None:
    made = await client.post(
        "/api/sessions", json={"agent": "tally", "config": {"start": 40}, "title": "Mine"}
    )
    assert made.status_code == 201
    shown = SessionAnswer(**made.json())
    assert (shown.title, shown.head, shown.view["total"]) == ("Mine", None, 40)
    assert made.headers["location"] == f"/api/sessions/{shown.id}"
    assert (await client.get(made.headers["location"])).json() == made.json()
    rows = SessionList(**(await client.get("/api/sessions")).json()).sessions
    assert [(row.id, row.agent, row.number) for row in rows] == [(shown.id, "tally", 0)]


async def test_a_session_keeps_the_models_it_was_created_with(serve: Serve) -> None:
    models = "rules,tally.read=tiny"
    async with serve(offered={"tiny": "embedded"}) as client:
        made = await client.post("/api/sessions", json={"agent": "tally", "model": models})
        assert made.status_code == 201
        (row,) = (await client.get("/api/sessions")).json()["sessions"]
        assert row["models"] == {"": "rules", "tally.read": "tiny"}


async def test_agents_come_with_the_schema_of_their_configuration(
    client: httpx.AsyncClient,
) -> None:
    agents = AgentList(**(await client.get("/api/agents")).json()).agents
    (tally,) = [agent for agent in agents if agent.name == "tally"]
    assert (tally.seats, tally.problem) == (["guest", "keeper"], "")
    assert "start" in tally.config["properties"]
    assert "parts" in {agent.name for agent in agents}


async def test_health_and_front_page(client: httpx.AsyncClient) -> None:
    assert Health(**(await client.get("/health")).json()).status == "ok"
    page = await client.get("/", headers={"Host": "localhost:8000"})
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "<script" not in page.text
    assert page.text.count("\ncurl ") == 3
    assert "http://localhost:8000/api/sessions" in page.text


@pytest.mark.parametrize("format_", ["md", "json"])
async def test_export(client: httpx.AsyncClient, session: str, format_: str) -> None:
    message = "# add 5 <script>alert(1)</script> [x](javascript:y)\n1. one"
    await client.post(f"{session}/turns", json={"message": message}, headers=WAIT)
    got = await client.get(f"{session}/export?format={format_}")
    assert got.status_code == 200
    assert "attachment" in got.headers["content-disposition"]
    if format_ == "json":
        assert got.json() == (await client.get(session)).json()
        return
    assert got.headers["content-type"] == "text/markdown; charset=utf-8"
    assert r"> \# add 5 \<script\>alert(1)\</script\> \[x\](javascript:y)" in got.text
    assert r"> 1\. one" in got.text
    assert "# Tally \\*keeper\\*" in got.text
    assert "<script" not in got.text.replace("\\<script", "")
    assert "[x](" not in got.text.replace(r"\[x\](", "")


BAD = [
    ("POST", "/api/sessions", b"{", JSON, 400, "not valid JSON"),
    ("POST", "/api/sessions", b"\xff{}", JSON, 400, ""),
    ("POST", "/api/sessions", b"[" * 40_000, JSON, 400, ""),
    ("POST", "/api/sessions", b"[]", JSON, 422, ""),
    ("POST", "/api/sessions", b"", JSON, 422, ""),
    ("POST", "/api/sessions", b'{"agent": "nobody"}', JSON, 404, "no agent 'nobody'"),
    ("POST", "/api/sessions", b'{"agent": "tally", "x": 1}', JSON, 422, "x:"),
    ("POST", "/api/sessions", b'{"agent": 5}', JSON, 422, "agent:"),
    ("POST", "/api/sessions", b'{"agent": "tally", "config": {"end": 1}}', JSON, 422, "'end'"),
    (
        "POST",
        "/api/sessions",
        b'{"agent": "tally", "config": {"start": "x"}}',
        JSON,
        422,
        "'start'",
    ),
    ("POST", "/api/sessions", b'{"agent": "tally", "model": "gpt"}', JSON, 422, "offered: rules"),
    ("POST", "/api/sessions", b'{"agent": "tally"}', {"Content-Type": "text/plain"}, 415, "JSON"),
    ("POST", "/api/sessions", b'{"agent": "tally"}', {}, 415, "JSON"),
    ("POST", "/api/sessions", b" " * 10_000_000, JSON, 413, "1,000,000 bytes"),
    ("POST", "/api/sessions", b"[" + b"[]," * 300_000 + b"[]]", JSON, 413, "50,000 values"),
    ("POST", "SESSION/turns", b'{"message": "a\\u0007b"}', JSON, 422, "control character"),
    ("POST", "SESSION/turns", b'{"message": "a\\u0000b"}', JSON, 422, "control character"),
    ("POST", "SESSION/turns", b'{"message": "a\\ud800b"}', JSON, 422, ""),
    ("POST", "SESSION/turns", b'{"message": ""}', JSON, 422, "message"),
    ("POST", "SESSION/turns", b"{}", JSON, 422, "message or an action"),
    ("POST", "SESSION/turns", b'{"message": "' + b"x" * 9_000 + b'"}', JSON, 422, "8,000"),
    ("POST", "SESSION/turns", b'{"action": [1]}', JSON, 422, "action:"),
    ("POST", "SESSION/turns", b'{"message": "add 1", "seat": "thief"}', JSON, 409, "'thief'"),
    (
        "POST",
        "SESSION/turns",
        b'{"message": "add 1"}',
        {**JSON, "Idempotency-Key": "k" * 201},
        422,
        "Idempotency-Key",
    ),
    ("POST", "/api/sessions", b'{"agent": "tally", "title": "\\ud800"}', JSON, 422, "title"),
    ("POST", "/api/sessions", b'{"agent": "tally", "title": "a\\u0000b"}', JSON, 422, "title"),
    ("POST", "/api/sessions", b'{"agent": "tally", "model": "a\\u0000b"}', JSON, 422, "model"),
    ("POST", "SESSION/turns", b'{"action": {"add": "\\ud800"}}', JSON, 422, "action"),
    ("POST", "SESSION/turns", b'{"message": "add 1", "seat": "\\u0000"}', JSON, 422, "seat"),
    ("POST", "SESSION/goto", b'{"turn": "\\u0000"}', JSON, 422, "turn"),
    ("GET", "/api/sessions/%00", b"", {}, 404, ""),
    ("GET", "SESSION/turns/%00", b"", {}, 404, ""),
    ("GET", "SESSION?seat=%00", b"", {}, 422, "seat"),
    ("POST", "/api/sessions", b'{"agent": "tally", "config": {"start": 1e999}}', JSON, 422, ""),
    ("POST", "/api/sessions", b'{"agent": "tally", "config": {"start": NaN}}', JSON, 422, ""),
    ("POST", "SESSION/turns", b'{"action": {"add": NaN}}', JSON, 422, ""),
    ("POST", "/api/sessions/none/turns", b'{"message": "add 1"}', JSON, 404, "'none'"),
    ("GET", "/api/sessions/none", b"", {}, 404, "'none'"),
    ("GET", "/api/sessions/none/export", b"", {}, 404, "'none'"),
    ("GET", "SESSION/export?format=doc", b"", {}, 422, "format"),
    ("GET", "SESSION/turns/none", b"", {}, 404, "'none'"),
    ("POST", "/api/sessions/none/undo", b"", {}, 404, "'none'"),
    ("POST", "SESSION/regenerate", b"", {}, 409, "nothing to regenerate"),
    ("POST", "SESSION/edit", b'{"turn": 0, "message": "add 1"}', JSON, 422, "turn"),
    ("POST", "SESSION/edit", b'{"turn": 1, "message": "a\\u0007"}', JSON, 422, "control"),
    ("POST", "SESSION/fork", b'{"turn": 7}', JSON, 404, "no turn 7"),
    ("GET", "/api/sessions?limit=0", b"", {}, 422, "limit"),
    ("GET", "/nowhere", b"", {}, 404, ""),
    ("DELETE", "/api/sessions", b"", {}, 405, ""),
    ("GET", "/api/agents", b"", {"Host": "evil.example"}, 403, "'evil.example'"),
    ("GET", "/api/agents", b"", {"Host": ""}, 403, ""),
    ("GET", "/api/agents", b"", {"Host": "127.0.0.1.evil.example"}, 403, ""),
    ("GET", "/api/agents", b"", {"Origin": "http://evil.example"}, 403, "evil.example"),
    ("GET", "/api/agents", b"", {"Origin": "null"}, 403, "'null'"),
    ("POST", "SESSION/undo", b"", {"Origin": "http://localhost:9999"}, 403, "localhost:9999"),
]


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status", "words"),
    BAD,
    ids=[f"{row[0]} {row[1]} {row[4]} {row[2][:40]!r}" for row in BAD],
)
async def test_bad_requests_get_a_problem_and_change_nothing(
    client: httpx.AsyncClient,
    session: str,
    method: str,
    path: str,
    body: bytes,
    headers: dict[str, str],
    status: int,
    words: str,
) -> None:
    before = (await client.get(session)).json(), (await client.get("/api/sessions")).json()
    path = path.replace("SESSION", session)
    answer = await client.request(method, path, content=body or None, headers=headers)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == PROBLEM
    told = answer.json()
    assert {"type", "title", "status", "detail"} <= set(told)
    assert told["status"] == status
    assert words in told["detail"]
    assert "Traceback" not in answer.text
    assert "/src/" not in answer.text
    after = (await client.get(session)).json(), (await client.get("/api/sessions")).json()
    assert after == before


async def test_a_body_of_unknown_length_is_limited_too(client: httpx.AsyncClient) -> None:
    async def stream() -> AsyncIterator[bytes]:
        for _ in range(30):
            yield b" " * 100_000

    answer = await client.post("/api/sessions", content=stream(), headers=JSON)
    assert answer.status_code == 413
    assert answer.headers["content-type"] == PROBLEM


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:8000", "[::1]:8000"])
async def test_loopback_names_are_served(client: httpx.AsyncClient, host: str) -> None:
    assert (await client.get("/health", headers={"Host": host})).status_code == 200


async def test_a_page_of_the_server_itself_may_ask(client: httpx.AsyncClient) -> None:
    headers = {"Origin": "http://localhost:8000"}
    assert (await client.get("/health", headers=headers)).status_code == 200


async def test_with_a_token_any_host_is_served_to_those_who_hold_it(serve: Serve) -> None:
    async with serve(token="s3cret-é") as client:
        public = {"Host": "games.example"}
        assert (await client.get("/health", headers=public)).status_code == 200
        assert "Authorization: Bearer TOKEN" in (await client.get("/", headers=public)).text
        for given in ("", "Bearer", "Bearer wrong", "Basic s3cret-é", "s3cret-é"):
            refused = await client.get(
                "/api/agents", headers=[("Host", "x"), ("Authorization", given.encode())]
            )
            assert refused.status_code == 401, given
            assert refused.headers["www-authenticate"] == "Bearer"
            assert refused.headers["content-type"] == PROBLEM
        held = [("Host", "games.example"), ("Authorization", "Bearer s3cret-é".encode())]
        assert (await client.get("/api/agents", headers=held)).status_code == 200
        assert (await client.get("/openapi.json", headers=public)).status_code == 401


async def test_openapi_documents_every_answer_that_can_occur(client: httpx.AsyncClient) -> None:
    document = (await client.get("/openapi.json")).json()
    operations = [
        (method, path, operation["responses"])
        for path, item in document["paths"].items()
        for method, operation in item.items()
    ]
    assert len(operations) >= 14
    for method, path, responses in operations:
        if path.startswith("/api"):
            assert {"401", "403", "500"} <= set(responses), path
        if method == "post":
            assert {"413", "415"} <= set(responses), path
        if "{session}" in path:
            assert "404" in responses, path
        for status, answer in responses.items():
            if int(status) >= 400 and path.startswith("/v1/"):  # in OpenAI's own shape
                shape = answer["content"]["application/json"]["schema"]
                assert shape["$ref"].endswith("/ErrorAnswer")
            elif (path, status) == (
                "/share/{token}",
                "404",
            ):  # a person who followed a link reads it
                assert set(answer["content"]) == {"text/html"}
            elif int(status) >= 400:
                assert set(answer["content"]) == {PROBLEM}, (path, status)
                assert answer["content"][PROBLEM]["schema"]["$ref"].endswith("/Problem")
    assert "status" in document["components"]["schemas"]["Problem"]["properties"]
    documented = {
        (method, path, status) for method, path, responses in operations for status in responses
    }
    known = {(method, path) for method, path, _ in operations}
    seen = {(row[0].lower(), template(row[1]), str(row[4])) for row in BAD}
    assert not {row for row in seen if row[:2] in known} - documented


def template(path: str) -> str:
    """Return the route of a path in the table of bad requests."""
    route = path.partition("?")[0].replace("SESSION", "/api/sessions/none")
    return route.replace("sessions/none", "sessions/{session}").replace(
        "turns/none", "turns/{turn}"
    )


async def test_a_session_is_renamed(client: httpx.AsyncClient, session: str) -> None:
    renamed = await client.patch(session, json={"title": "The long night"})
    assert (renamed.status_code, renamed.json()["title"]) == (200, "The long night")
    assert (await client.get(session)).json()["title"] == "The long night"
    assert (await client.patch(session, json={"title": ""})).status_code == 422
    assert (await client.patch("/api/sessions/none", json={"title": "x"})).status_code == 404


async def test_a_session_is_deleted_once_no_fork_needs_its_turns(
    client: httpx.AsyncClient, session: str
) -> None:
    played = await client.post(f"{session}/turns", json={"message": "add 5"}, headers=WAIT)
    assert played.status_code == 200
    fork = (await client.post(f"{session}/fork", json={})).headers["location"]
    refused = await client.delete(session)
    assert refused.status_code == 409
    assert (await client.get(session)).status_code == 200
    assert (await client.delete(fork)).status_code == 204
    assert (await client.delete(session)).status_code == 204
    assert (await client.get(session)).status_code == 404
    assert (await client.get("/api/sessions")).json()["sessions"] == []
    assert (await client.delete(session)).status_code == 404
