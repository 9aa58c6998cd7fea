"""`POST /api/gamesession/play`: a player's message as a stream whose last event is the result."""

from __future__ import annotations

import asyncio
import inspect
import json
from dataclasses import replace

import httpx
import pytest
from tests.foundation.openai_stub import OpenAIStub, Reply, say
from tests.server.conftest import Serve
from tests.server.streaming import SECONDS, Lives

from ruleplay.records.given import Message
from ruleplay.storage.store import Store


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
    there = {one["name"]: one["status"] for one in result["combat_state"]["participants"]}
    assert there["Halla"] == "fighting"
    assert result["combat_state"]["place_name"] == "the Greenway"
    assert any("Halla → Rudge" in line for line in result["combat_state"]["combat_log"])
    assert result["conversation_history"][-2] == {"role": "user", "text": "attack Rudge"}
    assert result["errors"] == []


async def test_the_result_of_a_fight_names_what_it_brought_and_everybodys_fate(
    serve: Serve,
) -> None:
    async with serve() as client:
        made = (await client.post("/api/sessions", json={"agent": "saga"})).json()
        result: dict = {}
        for said in ("begin", "go to the Greenway", "attack", *["/skip"] * 6):
            result = (await play(client, made["id"], said))[-1][1]
            if result["last_combat_result"]:
                break
    ended = result["last_combat_result"]
    assert ended["summary"]
    assert {one["name"] for one in ended["combatants"]} == {"Halla", "Tam Thistle", "Rudge"}
    assert all(one["fate"] in ("dead", "fled", "yielded", "alive") for one in ended["combatants"])
    output = result["structured_output"]
    assert output["type"] == "CombatTurnEndPayload"
    assert output["rewards"]["xp_gained"] == ended["xp_gained"]
    assert [*output["rewards"]["loot"]] == ended["loot_names"]


async def test_a_fight_that_goes_on_tells_its_narration_alone(serve: Serve) -> None:
    async with serve() as client:
        made = (await client.post("/api/sessions", json={"agent": "saga"})).json()
        for said in ("begin", "go to the Greenway", "attack"):
            await play(client, made["id"], said)
        result = (await play(client, made["id"], "defend"))[-1][1]
    assert set(result["structured_output"]) == {"narration", "type"}


async def test_what_cannot_be_played_is_a_problem(serve: Serve) -> None:
    async with serve() as client:
        missing = {"session_id": "nowhere", "content": "hello"}
        assert (await client.post("/api/gamesession/play", json=missing)).status_code == 404
        assert (await client.post("/api/gamesession/play", json={})).status_code == 422


async def test_only_the_dispatcher_reads_histories_and_only_the_active_one(
    lives: Lives, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[tuple[str, list[str]]] = []
    messages = Store.messages

    async def watched(
        store: Store, turn: str | None, channel: str, last: int, reach: int = 400
    ) -> tuple[Message, ...]:
        files = [frame.filename for frame in inspect.stack(0)]
        read.append((channel, [file for file in files if "/ruleplay/" in file]))
        return await messages(store, turn, channel, last, reach)

    monkeypatch.setattr(Store, "messages", watched)
    life = await lives.start()
    made = (await life.client.post("/api/sessions", json={"agent": "saga"})).json()
    channels = []
    for said in ("begin", "go to the Greenway", "attack", "attack Rudge", "attack Rudge"):
        read.clear()
        await play(life.client, made["id"], said)
        channels.append([channel for channel, _ in read])
        for _, files in read:
            assert any(file.endswith("saga/nodes.py") for file in files)
            assert not any("/ruleplay/server/" in file for file in files)
    fight = "combat:ruffians-1"
    # How the fight began stands in its history as well.
    assert channels == [[], ["narrative"], ["narrative"], [fight], [fight]]


def slowly(*told: str) -> Reply:
    """Return a reply that stalls before its last piece."""
    return replace(say(*told), stall_at=len(told) - 1)


@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_the_first_paragraph_is_there_while_the_model_still_writes(
    lives: Lives, lang: str
) -> None:
    first = {"en": "The fire crackles.", "fr": "Le feu crépite."}[lang]
    story = slowly(f"{first}\n\n", "Rain ", "falls.")
    fight = (say('{"plans": []}'), slowly(f"{first}\n\n", "Rain ", "falls."))
    said = {
        "en": ("begin", "go to the Greenway", "attack", "attack Rudge"),
        "fr": ("commencer", "aller au Chemin Vert", "attaquer", "attaquer Rudge"),
    }[lang]
    async with OpenAIStub([story] * 3 + [*fight]) as stub:
        life = await lives.start(
            model=f"llama:{stub.url}#tiny", propose_seconds=300, tell_seconds=300
        )
        made = await life.client.post(
            "/api/sessions", json={"agent": "saga", "config": {"lang": lang}}
        )
        for content in said:
            stub.release.clear()
            body = {"session_id": made.json()["id"], "content": content}
            async with life.stream("/api/gamesession/play", body) as listener:
                async with asyncio.timeout(SECONDS):
                    while first not in listener.text:
                        await listener.next()
                assert not stub.release.is_set()
                assert "turn.committed" not in listener.names
                stub.release.set()
                await listener.to_end()
            result = listener.told[-1]
            assert result.name == "result"
            assert first in str(result.data["narration"])
        # Nobody is asked for plans until somebody else moves: one role a story turn, two a fight's.
        assert len(stub.requests) == len(said) + 1
