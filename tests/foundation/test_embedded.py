"""The real path of a language model, with a real one: tiny, in this process, no network.

Only validity is asserted, never quality: a model of this size writes nonsense.
"""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import aclosing
from time import perf_counter
from typing import Literal

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel
from tests.foundation.asking import collect, text_of

from ruleplay.errors import ModelError, Unavailable
from ruleplay.models import embedded
from ruleplay.models.names import open_model
from ruleplay.models.piece import JsonObject
from ruleplay.models.reply import stream_reply


class Attack(BaseModel):
    """A move for the model to choose."""

    target: Literal["orc", "troll"]
    power: int


@pytest.fixture(scope="module")
def model() -> BaseChatModel:
    try:
        found = open_model("embedded")
    except Unavailable as err:
        if "embedded" in os.environ.get("RULEPLAY_REQUIRE", ""):
            raise
        pytest.skip(f"embedded: {err}")
    assert found is not None
    return found


async def test_a_reply_streams_in_more_than_one_chunk(model):
    pieces = await collect(model, [HumanMessage("Tell a story of a troll.")], max_tokens=12)
    end = pieces[-1].end
    assert sum(bool(piece.text) for piece in pieces) > 1
    assert end.output_tokens > 1
    assert end.input_tokens > 5
    assert not end.estimated


async def test_a_schema_is_kept(model):
    pieces = await collect(
        model,
        [HumanMessage("Attack the orc with power 3.")],
        schema=Attack.model_json_schema(),
        max_tokens=100,
    )
    assert pieces[-1].end.reason == "stop"
    assert Attack.model_validate_json(text_of(pieces)).target in ("orc", "troll")


@pytest.mark.parametrize("schema", [None, Attack.model_json_schema()])
async def test_a_reply_cut_by_its_budget_ends_by_length(model, schema):
    pieces = await collect(model, [HumanMessage("Tell a story.")], schema=schema, max_tokens=3)
    assert pieces[-1].end.reason == "length"
    assert pieces[-1].end.output_tokens == 3


async def test_tools_are_chosen_through_a_schema(model):
    roll: JsonObject = {
        "name": "roll",
        "description": "Roll a die.",
        "parameters": {
            "type": "object",
            "properties": {"sides": {"type": "integer", "enum": [6, 20]}},
            "required": ["sides"],
            "additionalProperties": False,
        },
    }
    pieces = await collect(
        model, [HumanMessage("Roll a six-sided die.")], tools=[roll], max_tokens=120
    )
    end = pieces[-1].end
    calls = [piece.tool_call for piece in pieces if piece.tool_call]
    assert bool(calls) == (end.reason == "tool_calls")
    assert bool(calls) != bool(text_of(pieces)) or end.reason == "length"
    for call in calls:
        assert call.name == "roll"
        assert json.loads(call.args_json)["sides"] in (6, 20)


async def test_more_than_the_context_holds_is_a_model_error(model):
    with pytest.raises(ModelError, match="more than its context holds"):
        await collect(model, [HumanMessage("hello " * (embedded.CONTEXT_TOKENS + 100))])


async def test_a_static_prefix_is_not_read_twice(model):
    rules = "The village lies by the river and the miller is old. " * 20
    static = SystemMessage(f"You are a storyteller. {rules}")
    first = await collect(model, [static, HumanMessage("Who is old?")], max_tokens=2)
    second = await collect(model, [static, HumanMessage("What lies by it?")], max_tokens=2)
    assert first[-1].end.cached_tokens < 100
    assert second[-1].end.cached_tokens > 0.8 * second[-1].end.input_tokens


async def seconds_of_a_short_reply(model: BaseChatModel) -> float:
    began = perf_counter()
    pieces = await collect(model, [HumanMessage("Hi")], max_tokens=2)
    end = pieces[-1].end
    assert end is not None
    assert end.output_tokens > 0
    return perf_counter() - began


async def test_cancelling_stops_the_model(model):
    """One slot serves all calls, so the next reply only comes soon if this one stopped."""
    usual = [await seconds_of_a_short_reply(model) for _ in range(2)][-1]
    endless: JsonObject = {"type": "array", "items": {"type": "integer"}, "minItems": 2000}
    asked = stream_reply(model, [HumanMessage("Count.")], schema=endless, max_tokens=3500)
    async with aclosing(asked) as pieces:
        await anext(pieces)
        task = asyncio.ensure_future(anext(pieces))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    # Were it not stopped, it would write more than a thousand times as much before.
    assert await seconds_of_a_short_reply(model) < 30 * usual


async def test_calls_at_the_same_time_all_get_their_reply(model):
    asked = (collect(model, [HumanMessage(f"Count to {n}.")], max_tokens=4) for n in range(3))
    for pieces in await asyncio.gather(*asked):
        assert pieces[-1].end.output_tokens > 0


async def test_the_server_listens_on_loopback_and_asks_for_its_key(model):
    served = await asyncio.to_thread(embedded.serve, str(embedded.weights_file()))
    assert served.address.startswith("http://127.0.0.1:")
    host, port = served.address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    body = b'{"messages": []}'
    writer.write(
        b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
    )
    assert b" 401 " in await reader.readline()
    writer.close()


async def test_a_file_that_is_no_model_is_unavailable(model, tmp_path):
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"GGUF and nothing more")
    broken = open_model(f"embedded:{file}")
    with pytest.raises(Unavailable, match=r"cannot load .*broken\.gguf"):
        await collect(broken, [HumanMessage("Hi")])
