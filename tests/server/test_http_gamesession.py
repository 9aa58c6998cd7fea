"""`POST /api/gamesession/play`: a player's message as a stream whose last event is the result."""

from __future__ import annotations

import json

import httpx
from tests.server.conftest import Serve


async def play(client: httpx.AsyncClient, session: str, content: str) -> list[tuple[str, dict]]:
    body = {
        "session_id": session,
        "character_id": "halla",
        "content": content,
        "timestamp": "2026-01-01T12:00:00Z",
    }
    answer = await client.post("/api/gamesession/play", json=body)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    found = []
    for block in answer.text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "event" in fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


async def test_a_session_is_played_through_this_route_alone(serve: Serve) -> None:
    modes = []
    async with serve() as client:
        made = (await client.post("/api/sessions", json={"agent": "saga"})).json()
        for said in ("begin", "go to the Greenway", "attack"):
            events = await play(client, made["id"], said)
            names = [name for name, _ in events]
            assert names[0] == "turn.started"
            assert "turn.committed" in names
            assert names[-1] == "result"
            modes.append(events[-1][1]["session_mode"])
    assert modes == ["narrative", "narrative", "combat"]
    async with serve() as client:
        result = (await play(client, made["id"], "attack Rudge"))[-1][1]
    assert result["history_kind"] == "combat"
    assert result["narration"]
    assert result["structured_output"]["narration"] == result["narration"]
    assert result["structured_output"]["type"].startswith("CombatTurn")
    hero = next(one for one in result["combat_state"]["combatants"] if one["id"] == "hero")
    assert 0 <= hero["hp"] <= hero["max_hp"]


async def test_what_cannot_be_played_is_a_problem(serve: Serve) -> None:
    async with serve() as client:
        missing = {"session_id": "nowhere", "content": "hello"}
        assert (await client.post("/api/gamesession/play", json=missing)).status_code == 404
        assert (await client.post("/api/gamesession/play", json={})).status_code == 422
