"""Tools for a model that cannot call any: said or called, through a schema, over real HTTP."""

from __future__ import annotations

import json

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from tests.foundation.asking import ROLL, calls_of, collect, end_of, text_of
from tests.foundation.openai_stub import OpenAIStub, Reply, say

from ruleplay.models.compatible import CompatibleChat, connect
from ruleplay.models.piece import ToolCall


def without_tools(stub: OpenAIStub) -> CompatibleChat:
    return connect(stub.url, "tiny", "none", tools=False)


async def test_a_model_without_tools_says_its_text_as_it_comes():
    async with OpenAIStub([say('{"say"', ': "Hello', ", \\", "u00e9l", 'an"}')]) as stub:
        pieces = await collect(without_tools(stub), tools=[ROLL])
    assert text_of(pieces) == "Hello, élan"
    assert len(pieces) > 2
    assert end_of(pieces).reason == "stop"
    body = stub.requests[0].body
    assert "tools" not in body
    assert body["response_format"]["json_schema"]["schema"]["anyOf"][1]["properties"]["args"]
    assert "- roll: Roll a die." in body["messages"][0]["content"]


async def test_a_model_without_tools_calls_one_through_the_schema():
    async with OpenAIStub([say('{"tool": "roll", ', '"args": {"sides": 6}}')]) as stub:
        pieces = await collect(without_tools(stub), tools=[ROLL])
    assert calls_of(pieces) == [ToolCall(name="roll", args_json='{"sides": 6}', id="call_0")]
    assert text_of(pieces) == ""
    assert end_of(pieces).reason == "tool_calls"


async def test_a_cut_tool_choice_is_no_tool_call():
    cut = Reply(say('{"tool": "roll", "args": {"sides": 1').deltas, finish="length")
    async with OpenAIStub([cut]) as stub:
        pieces = await collect(without_tools(stub), tools=[ROLL])
    assert calls_of(pieces) == []
    assert end_of(pieces).reason == "length"


async def test_a_model_without_tools_reads_past_calls_as_text():
    past = [
        SystemMessage("You roll dice."),
        HumanMessage("Roll."),
        AIMessage("", tool_calls=[{"name": "roll", "args": {"sides": 6}, "id": "a"}]),
        ToolMessage("4", name="roll", tool_call_id="a"),
    ]
    async with OpenAIStub([say('{"say": "A four."}')]) as stub:
        await collect(without_tools(stub), past, tools=[ROLL])
    sent = stub.requests[0].body["messages"]
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "user"]
    assert sent[0]["content"].startswith("You roll dice.\n\n")
    assert json.loads(sent[2]["content"]) == {"tool": "roll", "args": {"sides": 6}}
    assert sent[3]["content"] == "Result of roll: 4"
