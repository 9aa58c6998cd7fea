"""Replies over real HTTP: how every way of answering and failing reaches the callers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import aclosing

import pytest
from langchain_core.language_models import BaseChatModel, ModelProfile
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    HumanMessage,
)
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from tests.foundation.asking import ASK, ROLL, TARGET, calls_of, collect, end_of, text_of
from tests.foundation.openai_stub import OpenAIStub, Reply, failing, fragment, say

from ruleplay.errors import ModelError, SpendingCap
from ruleplay.models.compatible import connect
from ruleplay.models.names import open_model
from ruleplay.models.piece import End, JsonObject, ToolCall
from ruleplay.models.reply import stream_reply

SECONDS = 180
"""How long is waited for what has to come, also on a busy machine."""


def opened(stub: OpenAIStub) -> BaseChatModel:
    model = open_model(f"llama:{stub.url}#tiny")
    assert model is not None
    return model


async def test_text_arrives_in_the_chunks_it_was_sent_in_with_usage_at_the_end():
    async with OpenAIStub([Reply(say("The orc", " falls.").deltas, usage=(11, 7, 5))]) as stub:
        pieces = await collect(opened(stub))
    assert [piece.text for piece in pieces[:-1]] == ["The orc", " falls."]
    assert end_of(pieces) == End(reason="stop", input_tokens=11, output_tokens=7, cached_tokens=5)
    assert stub.requests[0].path == "/v1/chat/completions"
    assert stub.requests[0].body["model"] == "tiny"


async def test_the_first_text_is_there_before_the_last_was_sent():
    async with OpenAIStub([Reply(say("first", "second").deltas, stall_at=1)]) as stub:
        pieces = stream_reply(opened(stub), ASK)
        assert (await anext(pieces)).text == "first"
        assert not stub.release.is_set()
        stub.release.set()
        assert text_of([piece async for piece in pieces]) == "second"


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
async def test_reasoning_is_kept_apart_from_text(name):
    deltas = ({name: "Orcs are"}, {name: " weak."}, {"content": "Attack."})
    async with OpenAIStub([Reply(deltas)]) as stub:
        pieces = await collect(opened(stub))
    assert [piece.reasoning for piece in pieces if piece.reasoning] == ["Orcs are", " weak."]
    assert text_of(pieces) == "Attack."


async def test_a_schema_is_sent_as_response_format_and_the_reply_is_raw_json():
    async with OpenAIStub([say('{"tar', 'get": "orc"}')]) as stub:
        pieces = await collect(opened(stub), schema=TARGET)
    assert text_of(pieces) == '{"target": "orc"}'
    assert end_of(pieces).reason == "stop"
    sent = stub.requests[0].body["response_format"]
    assert sent == {"type": "json_schema", "json_schema": {"name": "Target", "schema": TARGET}}
    assert "tools" not in stub.requests[0].body


async def test_a_schema_reply_cut_by_its_budget_ends_by_length():
    async with OpenAIStub([Reply(say('{"target": "o').deltas, finish="length")]) as stub:
        pieces = await collect(opened(stub), schema=TARGET)
    assert (text_of(pieces), end_of(pieces).reason) == ('{"target": "o', "length")


def openai(stub: OpenAIStub, monkeypatch: pytest.MonkeyPatch, model: str) -> BaseChatModel:
    monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    open_model.cache_clear()
    found = open_model(f"openai:{model}")
    assert isinstance(found, ChatOpenAI)
    return found


@pytest.fixture(autouse=True)
def _forget_models() -> Iterator[None]:
    yield
    open_model.cache_clear()


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (say('{"target"', ': "orc"}'), "stop"),
        (Reply(say('{"target"', ': "orc"}').deltas, finish="length"), "length"),
        (Reply(say('{"target"', ': "orc"}').deltas, finish="content_filter"), "filtered"),
    ],
)
async def test_openai_guarantees_a_strict_schema_and_its_text_comes_once(
    reply, reason, monkeypatch
):
    async with OpenAIStub([reply]) as stub:
        pieces = await collect(openai(stub, monkeypatch, "gpt-4.1-mini"), schema=TARGET)
    assert text_of(pieces) == '{"target": "orc"}'
    assert end_of(pieces).reason == reason
    if reason == "stop":
        assert (end_of(pieces).input_tokens, end_of(pieces).output_tokens) == (11, 7)
    assert stub.requests[0].body["response_format"]["json_schema"]["strict"] is True


async def test_a_provider_without_schemas_is_offered_one_as_a_forced_function(monkeypatch):
    deltas = (
        fragment(0, "a", name="Target", args=""),
        fragment(0, args='{"target"'),
        fragment(0, args=': "orc"}'),
    )
    async with OpenAIStub([Reply(deltas)]) as stub:
        model = openai(stub, monkeypatch, "gpt-3.5-turbo")
        model.profile = ModelProfile(structured_output=False, tool_calling=True)
        pieces = [piece async for piece in stream_reply(model, ASK, schema=TARGET, max_tokens=50)]
    assert [piece.text for piece in pieces[:-1]] == ['{"target"', ': "orc"}']
    assert end_of(pieces).reason == "stop"
    assert stub.requests[0].body["tool_choice"]["function"]["name"] == "Target"
    assert stub.requests[0].body["max_completion_tokens"] == 50


async def test_tool_calls_split_over_chunks_are_put_together_beside_text():
    deltas = (
        {"content": "Let me "},
        fragment(0, "a", name="ro", args=""),
        fragment(0, name="ll", args='{"si'),
        {"content": "roll."},
        fragment(1, "b", name="roll", args='{"sides":'),
        fragment(0, args='des": 6}'),
        fragment(1, args=" 20}"),
    )
    async with OpenAIStub([Reply(deltas, finish="tool_calls")]) as stub:
        pieces = await collect(opened(stub), tools=[ROLL])
    assert text_of(pieces) == "Let me roll."
    assert calls_of(pieces) == [
        ToolCall(name="roll", args_json='{"sides": 6}', id="a"),
        ToolCall(name="roll", args_json='{"sides": 20}', id="b"),
    ]
    assert end_of(pieces).reason == "tool_calls"
    assert stub.requests[0].body["tools"][0]["function"] == ROLL


@pytest.mark.parametrize("index", [0, None])
async def test_calls_that_share_an_index_are_told_apart_by_id(index):
    deltas = (
        fragment(index, "a", name="roll", args='{"sides": 6}'),
        fragment(index, "b", name="roll"),
    )
    async with OpenAIStub([Reply(deltas)]) as stub:
        pieces = await collect(opened(stub), tools=[ROLL])
    found = [(call.id, call.args_json) for call in calls_of(pieces)]
    assert found == [("a", '{"sides": 6}'), ("b", "{}")]
    assert end_of(pieces).reason == "tool_calls"


async def test_a_call_without_a_name_is_an_error():
    async with OpenAIStub([Reply((fragment(0, "a", args="{}"),))]) as stub:
        with pytest.raises(ModelError, match="without naming it"):
            await collect(opened(stub), tools=[ROLL])


async def test_tokens_are_estimated_when_the_server_does_not_count_them():
    async with OpenAIStub([Reply(say("12345678").deltas, usage=None)]) as stub:
        end = end_of(await collect(opened(stub), [HumanMessage("x" * 400)]))
    assert end == End(reason="stop", input_tokens=100, output_tokens=2, estimated=True)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (failing(429, retry_after="7"), r"is rate limited \(HTTP 429\); retry after 7 s"),
        (failing(500), r"HTTP 500"),
        (failing(401), r"refused the key"),
        (failing(404), r"is not known there"),
        (Reply(say("a", "b").deltas, drop_at=1), "lost the connection"),
        (Reply(say("a", "b").deltas, broken_at=1), "something other than a chat completion"),
        (Reply(say("a").deltas, finish=None), "without saying why"),
    ],
)
@pytest.mark.parametrize("schema", [None, TARGET])
async def test_failures_are_model_errors_that_say_what_happened(reply, words, schema):
    async with OpenAIStub([reply]) as stub:
        with pytest.raises(ModelError, match=words) as caught:
            await collect(opened(stub), schema=schema)
    assert "\n" not in str(caught.value)
    assert len(stub.requests) == 1, "a failed call is not tried again behind the caller's back"


async def test_an_unreachable_server_is_a_model_error():
    async with OpenAIStub([]) as stub:
        pass
    with pytest.raises(ModelError, match="cannot be reached"):
        await collect(opened(stub))


async def test_a_stall_longer_than_the_time_limit_is_a_model_error():
    async with OpenAIStub([Reply(say("a", "b").deltas, stall_at=1)]) as stub:
        model = connect(stub.url, "tiny", "none", seconds=1)
        with pytest.raises(ModelError, match="took too long"):
            await collect(model)
        await asyncio.wait_for(stub.disconnected.wait(), SECONDS)


@pytest.mark.parametrize("schema", [None, TARGET])
@pytest.mark.parametrize("stall_at", [0, 1])
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 5, 20])
async def test_cancelling_closes_the_connection(schema, stall_at, steps):
    """`steps` of the event loop after the last chunk was sent: before, as and after it arrives."""
    async with OpenAIStub([Reply(say("a", "b").deltas, stall_at=stall_at)]) as stub:
        task = asyncio.create_task(collect(opened(stub), schema=schema))
        await asyncio.wait_for(stub.stalled.wait(), SECONDS)
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(stub.disconnected.wait(), SECONDS)


async def test_a_deadline_of_the_caller_closes_the_connection():
    async with OpenAIStub([Reply(say("a", "b").deltas, stall_at=1)]) as stub:
        model = opened(stub)

        async def over_soon(limit: asyncio.Timeout) -> None:
            await stub.stalled.wait()
            limit.reschedule(asyncio.get_running_loop().time())

        async def impatient() -> None:
            async with asyncio.timeout(SECONDS) as limit, asyncio.TaskGroup() as group:
                group.create_task(over_soon(limit))
                await collect(model)

        with pytest.raises(TimeoutError):
            await impatient()
        await asyncio.wait_for(stub.disconnected.wait(), SECONDS)


async def test_closing_the_iterator_early_closes_the_connection():
    async with OpenAIStub([Reply(say("a", "b").deltas, stall_at=1)]) as stub:
        async with aclosing(stream_reply(opened(stub), ASK)) as pieces:
            assert (await anext(pieces)).text == "a"
        await asyncio.wait_for(stub.disconnected.wait(), SECONDS)


def test_one_model_serves_one_event_loop_after_another():
    stub = OpenAIStub([say("hello")] * 6)

    async def ask_twice() -> str:
        async with stub:
            model = opened(stub)
            return text_of(await collect(model)) + text_of(await collect(model))

    assert [asyncio.run(ask_twice()) for _ in range(3)] == ["hellohello"] * 3
    assert open_model.cache_info().misses == 1


async def test_the_key_of_openai_is_never_sent_elsewhere(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret-of-openai")
    async with OpenAIStub([say("a")]) as stub:
        await collect(opened(stub))
    assert stub.requests[0].headers["authorization"] == "Bearer none"


async def test_a_proxy_from_the_environment_is_not_asked_for_this_machine(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    async with OpenAIStub([say("a")]) as stub:
        assert text_of(await collect(opened(stub))) == "a"


async def test_a_model_that_can_do_neither_is_asked_in_words():
    model = GenericFakeChatModel(messages=iter([AIMessage('{"target": "orc"}')]))
    pieces = await collect(model, schema=TARGET)
    assert text_of(pieces) == '{"target": "orc"}'
    model = GenericFakeChatModel(messages=iter([AIMessage("No JSON at all.")]))
    assert text_of(await collect(model, tools=[ROLL])) == "No JSON at all."


def anthropic_events(*blocks: tuple[JsonObject, JsonObject], stop: str) -> tuple[str, ...]:
    """Return a reply in Anthropic's streaming format: content blocks, each with one delta."""
    message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": []}
    usage = {"input_tokens": 20, "output_tokens": 1, "cache_read_input_tokens": 5}
    sent: list[JsonObject] = [{"type": "message_start", "message": message | {"usage": usage}}]
    for index, (start, delta) in enumerate(blocks):
        sent.append({"type": "content_block_start", "index": index, "content_block": start})
        sent.append({"type": "content_block_delta", "index": index, "delta": delta})
        sent.append({"type": "content_block_stop", "index": index})
    ended = {"stop_reason": stop, "stop_sequence": None}
    sent.append({"type": "message_delta", "delta": ended, "usage": usage | {"output_tokens": 9}})
    sent.append({"type": "message_stop"})
    return tuple(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in sent)


def anthropic(stub: OpenAIStub, monkeypatch: pytest.MonkeyPatch) -> BaseChatModel:
    pytest.importorskip("langchain_anthropic", reason="the extra anthropic is not installed")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key")
    monkeypatch.setenv("ANTHROPIC_API_URL", stub.url.removesuffix("/v1"))
    found = open_model("anthropic:claude-sonnet-5")
    assert found is not None
    return found


async def test_another_providers_blocks_reasons_and_usage_read_the_same(monkeypatch):
    events = anthropic_events(
        (
            {"type": "thinking", "thinking": "", "signature": ""},
            {"type": "thinking_delta", "thinking": "Hm."},
        ),
        ({"type": "text", "text": ""}, {"type": "text_delta", "text": "Rolling."}),
        (
            {"type": "tool_use", "id": "t", "name": "roll", "input": {}},
            {"type": "input_json_delta", "partial_json": '{"sides": 6}'},
        ),
        stop="tool_use",
    )
    async with OpenAIStub([Reply(raw=events)]) as stub:
        pieces = await collect(anthropic(stub, monkeypatch), tools=[ROLL])
    assert "".join(piece.reasoning for piece in pieces) == "Hm."
    assert text_of(pieces) == "Rolling."
    assert calls_of(pieces) == [ToolCall(name="roll", args_json='{"sides": 6}', id="t")]
    end = end_of(pieces)
    assert (end.reason, end.input_tokens, end.cached_tokens) == ("tool_calls", 25, 5)
    assert end.output_tokens == 9


async def test_another_provider_enforces_a_schema_too(monkeypatch):
    events = anthropic_events(
        ({"type": "text", "text": ""}, {"type": "text_delta", "text": '{"target": "or'}),
        stop="max_tokens",
    )
    async with OpenAIStub([Reply(raw=events), failing(429), failing(429)]) as stub:
        model = anthropic(stub, monkeypatch)
        pieces = await collect(model, schema=TARGET)
        with pytest.raises(ModelError, match="is rate limited"):
            await collect(model)
    assert (text_of(pieces), end_of(pieces).reason) == ('{"target": "or', "length")
    assert stub.requests[0].body["output_config"]["format"]["type"] == "json_schema"


class Briefed(GenericFakeChatModel):
    """A model as rehearsals are: it takes a briefing, and fails as it likes."""

    takes_briefing: bool = True
    failure: Exception | None = None

    async def _astream(self, messages, stop=None, run_manager=None, *, briefing, **kwargs):
        if self.failure:
            raise self.failure
        yield ChatGenerationChunk(message=AIMessageChunk(f"{briefing} {sorted(kwargs)}"))

    def _generate(self, messages, stop=None, run_manager=None, **kwargs) -> ChatResult:
        raise AssertionError("streams only")


async def test_a_rehearsal_gets_its_briefing_and_nothing_bound():
    model = Briefed(messages=iter(()))
    asked = stream_reply(model, ASK, briefing="brief", schema=TARGET)
    assert text_of([piece async for piece in asked]) == "brief []"


@pytest.mark.parametrize(
    ("failure", "kind", "words"),
    [
        (TimeoutError(), ModelError, "took too long"),
        (SpendingCap("spent"), SpendingCap, "^spent$"),
        (RuntimeError("odd\nthing"), ModelError, "failed: odd thing"),
    ],
)
async def test_errors_of_ours_pass_and_all_others_are_translated(failure, kind, words):
    with pytest.raises(kind, match=words):
        await collect(Briefed(messages=iter(()), failure=failure))
