"""The scripted model: what it streams, what it remembers, how it ends."""

import asyncio

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.messages.ai import UsageMetadata

from ruleplay.errors import ModelError, UserError
from ruleplay.models.briefing import Briefing
from ruleplay.models.scripted import (
    Call,
    Reasoning,
    Rehearsal,
    Reply,
    ScriptedModel,
    estimated_usage,
)
from ruleplay.telling.table import Table

WEATHER = {
    "name": "weather",
    "description": "Weather of a town.",
    "parameters": {"type": "object", "properties": {"town": {"type": "string"}}},
}


async def collect(model: ScriptedModel, prompt: str = "hi") -> AIMessageChunk:
    whole: AIMessageChunk | None = None
    async for chunk in model.astream(prompt):
        whole = chunk if whole is None else whole + chunk
    assert whole is not None
    return whole


async def test_a_string_is_answered_by_invoke_and_by_stream() -> None:
    model = ScriptedModel(["first", "second"])
    assert (await model.ainvoke("a")).text == "first"
    assert (await collect(model, "b")).text == "second"
    assert [asked.messages[0].text for asked in model.seen] == ["a", "b"]
    assert model.left == 0


async def test_chunks_arrive_as_scripted_and_the_last_one_carries_the_usage() -> None:
    model = ScriptedModel([["One ", "two", "."]])
    chunks = [chunk async for chunk in model.astream("count")]
    assert [c.text for c in chunks] == ["One ", "two", ".", ""]
    assert [c.chunk_position for c in chunks] == [None, None, None, "last"]
    assert chunks[-1].usage_metadata == estimated_usage(5, 8)
    assert all(c.usage_metadata is None for c in chunks[:-1])


async def test_an_event_holds_the_stream_until_it_is_set() -> None:
    gate = asyncio.Event()
    stream = ScriptedModel([["before", gate, "after"]]).astream("go")
    assert (await anext(stream)).text == "before"
    waiting = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    assert not waiting.done()
    gate.set()
    assert (await waiting).text == "after"


async def test_an_error_is_raised_where_the_script_has_it() -> None:
    stream = ScriptedModel([["half", ConnectionError("lost")]]).astream("go")
    assert (await anext(stream)).text == "half"
    with pytest.raises(ConnectionError, match="lost"):
        await anext(stream)
    with pytest.raises(ModelError):
        await ScriptedModel([ModelError("down")]).ainvoke("go")


async def test_reasoning_stays_apart_from_the_text() -> None:
    for as_block in (False, True):
        whole = await collect(ScriptedModel([[Reasoning("hm", as_block), "Done."]]))
        assert whole.text == "Done."
        kinds = [block["type"] for block in whole.content_blocks]
        assert "reasoning" in kinds


async def test_tool_calls_merge_from_split_chunks() -> None:
    model = ScriptedModel(
        [[Call("weather", {"town": "Bree"}, cuts=3), Call("weather", "{oops", 1)]]
    )
    whole = await collect(model)
    assert whole.tool_calls[0]["name"] == "weather"
    assert whole.tool_calls[0]["args"] == {"town": "Bree"}
    assert [c["name"] for c in whole.tool_call_chunks] == ["weather", "weather"]
    assert whole.tool_call_chunks[1]["args"] == "{oops"


async def test_a_message_is_replayed_with_its_calls_and_ending() -> None:
    message = AIMessage(
        content="Let me look.",
        additional_kwargs={"reasoning_content": "need the weather"},
        tool_calls=[{"name": "weather", "args": {"town": "Bree"}, "id": "x7"}],
    )
    answer = await ScriptedModel([message]).ainvoke("go")
    assert answer.text == "Let me look."
    assert [(c["name"], c["id"]) for c in answer.tool_calls] == [("weather", "x7")]
    assert answer.additional_kwargs["reasoning_content"] == "need the weather"
    assert answer.response_metadata["finish_reason"] == "tool_calls"


async def test_a_reply_states_usage_and_finish_reason() -> None:
    usage = UsageMetadata(input_tokens=7, output_tokens=9, total_tokens=16)
    reply = Reply(("cut",), finish_reason="length", usage=usage)
    answer = await ScriptedModel([reply]).ainvoke("go")
    assert answer.usage_metadata == usage
    assert answer.response_metadata["finish_reason"] == "length"


async def test_bound_tools_and_briefing_are_seen() -> None:
    table = Table(id="r1", title="weather")
    briefing = Briefing(role="teller", facts=(table,), attempt=1)
    model = ScriptedModel(["ok"])
    await model.bind_tools([WEATHER]).ainvoke("go", briefing=briefing)
    assert model.seen[0].briefing == briefing
    assert model.seen[0].role == "teller"
    wire = model.seen[0].tools[0]["function"]
    assert isinstance(wire, dict)
    assert wire["name"] == "weather"
    assert isinstance(model, Rehearsal)


async def test_a_script_by_role_answers_each_role_in_its_own_order() -> None:
    model = ScriptedModel({"narrator": ["n1", "n2"], "judge": ["j1"]})
    asked = ["narrator", "judge", "narrator"]
    answers = [(await model.ainvoke("go", briefing=Briefing(role=r))).text for r in asked]
    assert answers == ["n1", "j1", "n2"]
    with pytest.raises(UserError, match="'judge' ended after 1 calls"):
        await model.ainvoke("go", briefing=Briefing(role="judge"))
    with pytest.raises(UserError, match="no script for role ''"):
        await model.ainvoke("go")


async def test_running_out_is_said_and_is_not_a_model_error() -> None:
    model = ScriptedModel(["only"])
    await model.ainvoke("one")
    with pytest.raises(UserError, match="ended after 1 calls") as caught:
        await model.ainvoke("two")
    assert not isinstance(caught.value, ModelError)
    assert len(model.seen) == 2


def test_the_sync_interface_is_refused() -> None:
    with pytest.raises(UserError, match="async"):
        ScriptedModel(["x"]).invoke("go")
