"""What the tests of replies ask, and how they read what came."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage

from ruleplay.models.piece import End, JsonObject, Piece, ToolCall
from ruleplay.models.reply import stream_reply

ASK = [HumanMessage("What now?")]
TARGET: JsonObject = {
    "title": "Target",
    "type": "object",
    "properties": {"target": {"type": "string"}},
    "required": ["target"],
    "additionalProperties": False,
}
ROLL: JsonObject = {
    "name": "roll",
    "description": "Roll a die.",
    "parameters": {"type": "object", "properties": {"sides": {"type": "integer"}}},
}


async def collect(
    model: BaseChatModel,
    messages: Sequence[BaseMessage] = ASK,
    *,
    schema: JsonObject | None = None,
    tools: Sequence[JsonObject] = (),
    max_tokens: int | None = None,
) -> list[Piece]:
    asked = stream_reply(model, messages, schema=schema, tools=tools, max_tokens=max_tokens)
    return [piece async for piece in asked]


def text_of(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def end_of(pieces: list[Piece]) -> End:
    assert pieces[-1].end is not None
    assert all(piece.end is None for piece in pieces[:-1])
    return pieces[-1].end


def calls_of(pieces: list[Piece]) -> list[ToolCall]:
    return [piece.tool_call for piece in pieces if piece.tool_call]
