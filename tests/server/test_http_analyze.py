"""`/api/analyze` over HTTP: the answer at once, word by word, and the results behind it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from tests.agents.raid.demo_home import demo_nights

from ruleplay.catalog import find_agent
from ruleplay.server.app import create_app
from ruleplay.settings import Settings


@pytest.fixture
async def raid(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """Return a client of a server that has the demo's reports."""
    home, _ = demo_nights()
    db = f"sqlite+aiosqlite:///{tmp_path / 'sessions.db'}"
    app = create_app(Settings(home=home, db=db), find_agent, tmp_path / "no page")
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as client,
    ):
        yield client


async def test_an_answer_comes_with_its_results(raid: httpx.AsyncClient) -> None:
    answered = await raid.post("/api/analyze", json={"question": "Who died first on pull 1?"})
    assert answered.status_code == 200
    assert list(answered.json()) == ["answer"]
    assert "First to die" in answered.json()["answer"]
    assert "[r" not in answered.json()["answer"], "tags are not for readers"
    place = answered.headers["location"]
    result = (await raid.get(f"{place}/results/r1")).json()
    assert result["tool"] == "get_night_deaths"
    assert result["rows"]
    assert (await raid.get(f"{place}/results/r99")).status_code == 404


async def test_tokens_are_the_answer_and_the_end_is_told(raid: httpx.AsyncClient) -> None:
    asked = {"question": "Who died first on pull 1?"}
    whole = (await raid.post("/api/analyze", json=asked)).json()["answer"]
    streamed = await raid.post("/api/analyze/stream", json=asked)
    assert streamed.headers["content-type"].startswith("text/event-stream")
    lines = [line[6:] for line in streamed.text.splitlines() if line.startswith("data: ")]
    events = [json.loads(line) for line in lines]
    assert events[-1] == {"done": True}
    assert "".join(event["token"] for event in events[:-1]) == whole


async def test_a_session_goes_on(raid: httpx.AsyncClient) -> None:
    first = await raid.post("/api/analyze", json={"question": "Who died first on pull 1?"})
    session = first.headers["location"].split("/")[3]
    body = {"question": "Who took avoidable damage?", "session": session}
    again = await raid.post("/api/analyze", json=body)
    assert "pull 1" in again.json()["answer"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"question": ""}, 422),
        ({"question": "x" * 9000}, 422),
        ({"question": "hi", "session": "nothing"}, 404),
        ({"question": "hi", "more": 1}, 422),
    ],
)
async def test_what_cannot_be_answered_is_refused(
    raid: httpx.AsyncClient, body: dict[str, object], status: int
) -> None:
    for path in ("/api/analyze", "/api/analyze/stream"):
        assert (await raid.post(path, json=body)).status_code == status
