"""A model behind a real server: how soon its words are read, and what of it never is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from openai_stub import OpenAIStub, Reply, fragment
from tests.agents.raid.demo_home import settings

from ruleplay.agents.raid.agent import AGENT
from ruleplay.agents.raid.domain.toolbox import SPECS
from ruleplay.agents.raid.policy.looks import short_name
from ruleplay.kernel.host import Host
from ruleplay.models.names import open_model
from ruleplay.records.given import Given

SECRET = "xyzzy"
"""Stands in reasoning and arguments; a reader must never see it."""
THOUGHTS = {
    "none": (),
    "tags": ({"content": "<thi"}, {"content": f"nk>{SECRET} 42</th"}, {"content": "ink>\n"}),
    "apart": ({"reasoning_content": f"{SECRET}, said to itself"},),
}


@pytest.fixture(autouse=True)
def _forget_models() -> Iterator[None]:
    yield
    open_model.cache_clear()


def wants(tool: str, **arguments: str) -> tuple[dict[str, object], ...]:
    text = json.dumps({"tool": tool, **arguments} | ({"page": SECRET} if tool == "story" else {}))
    half = len(text) // 2
    return (
        fragment(0, f"c-{tool}", name="look", args=""),
        fragment(0, args=text[:half]),
        fragment(0, args=text[half:]),
    )


async def ask(folder: Path, stub: OpenAIStub, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Ask once; return the streamed text, the reply and the turn.

    The server stalls until the first text has been read: were that to wait for the rest, the turn
    would never end.
    """
    monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    open_model.cache_clear()
    host = await Host.open(
        settings(folder, model="openai:stub", propose_seconds=300, tell_seconds=300),
        lambda name: AGENT,
    )
    heard: list[str] = []
    try:
        head = await host.create("raid")
        with host.bus.reading(head.id) as reader:
            task = host.start(head.id, Given(message="Top damage on pull 2?"))
            task.add_done_callback(lambda _: reader.close())
            await stub.stalled.wait()
            async for item in reader:
                if item.name == "text":
                    heard.append(str(item.body["text"]))
                    stub.release.set()
            turn = await task
    finally:
        await host.close()
    return {"text": "".join(heard), "reply": turn.reply, "turn": turn}


@pytest.mark.parametrize("thought", THOUGHTS)
async def test_the_first_sentence_is_read_while_the_model_still_writes(
    thought: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinks = THOUGHTS[thought]
    said = (
        {"content": "Several of you did well [r1]. "},
        {"content": "On to"},
        {"content": " the next."},
    )
    rounds = [
        Reply((*thinks, *wants("activity_report", pull="2")), finish="tool_calls"),
        Reply((*thinks, *wants("story", pull="2")), finish="tool_calls"),
        Reply((*thinks, *said), stall_at=len(thinks) + 2),
    ]
    async with OpenAIStub(rounds) as stub:
        found = await asyncio.wait_for(ask(tmp_path, stub, monkeypatch), 60)
    assert found["text"] == found["reply"] == "Several of you did well. On to the next."
    assert SECRET not in json.dumps(found["turn"].events)
    assert "get_activity_report" not in found["text"]


async def test_the_tools_and_the_static_prompt_reach_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = Reply(tuple({"content": part} for part in ("All is well. ", "Really", ".")), stall_at=2)
    async with OpenAIStub([reply]) as stub:
        await asyncio.wait_for(ask(tmp_path, stub, monkeypatch), 60)
    body = stub.requests[0].body
    (tool,) = body["tools"]
    assert tool["function"]["name"] == "look"
    assert all(f"\n{short_name(spec)}: " in tool["function"]["description"] for spec in SPECS)
    assert len(json.dumps(body["tools"])) <= 8_000
    assert [message["role"] for message in body["messages"][:2]] == ["system", "user"]
