"""Tool calling for models without it, emulated by a JSON schema.

The model answers `{"say": "…"}` or `{"tool": "name", "args": {…}}`, which is translated to text and
tool calls, so that callers see no difference.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from ruleplay.models.piece import End, JsonObject, Piece, ToolCall

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

CALL_ID = "call_0"


def union_schema(tools: Sequence[JsonObject]) -> JsonObject:
    """Build the schema of "say something, or call one of these tools".

    The `$defs` of the tools' parameters move to the root, where their `$ref`s (`#/$defs/…`) point.
    """
    definitions: JsonObject = {}
    choices = [_object({"say": {"type": "string"}})]
    for tool in tools:
        parameters = dict(_parameters(tool))
        inner = parameters.pop("$defs", None)
        definitions |= inner if isinstance(inner, dict) else {}
        choices.append(_object({"tool": {"const": tool["name"]}, "args": parameters}))
    found: JsonObject = {"title": "reply", "anyOf": choices}
    return found | ({"$defs": definitions} if definitions else {})


def _object(properties: JsonObject) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _parameters(tool: JsonObject) -> JsonObject:
    found = tool.get("parameters")
    return found if isinstance(found, dict) else {"type": "object", "properties": {}}


def explain(messages: Sequence[BaseMessage], tools: Sequence[JsonObject]) -> list[BaseMessage]:
    """Rewrite messages for such a model: list the tools in the system message, calls as text."""
    lines = [f"- {tool['name']}: {tool.get('description', '')}" for tool in tools]
    rules = (
        'Answer with one JSON object: {"say": "your answer"}, or '
        '{"tool": "name", "args": {…}} to use one of these tools first:'
    )
    plain = [_without_tools(message) for message in messages]
    return add_to_system(plain, "\n".join((rules, *lines)))


def add_to_system(messages: Sequence[BaseMessage], words: str) -> list[BaseMessage]:
    """Append words to the system message, creating one if there is none."""
    from langchain_core.messages import SystemMessage

    if messages and isinstance(messages[0], SystemMessage):
        first = SystemMessage(f"{messages[0].text}\n\n{words}")
        return [first, *messages[1:]]
    return [SystemMessage(words), *messages]


def _without_tools(message: BaseMessage) -> BaseMessage:
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    if isinstance(message, ToolMessage):
        return HumanMessage(f"Result of {message.name or 'the tool'}: {message.text}")
    if isinstance(message, AIMessage):
        return AIMessage(_as_choice(message))
    return message


def _as_choice(message: AIMessage) -> str:
    calls = [{"tool": call["name"], "args": call["args"]} for call in message.tool_calls]
    chosen = calls or [{"say": message.text}]
    return "\n".join(json.dumps(choice, ensure_ascii=False) for choice in chosen)


async def translate(pieces: AsyncGenerator[Piece, None]) -> AsyncGenerator[Piece, None]:
    """Translate the JSON of a reply to text while it streams, or to a tool call at its end.

    A reply that was cut off yields its text so far and no call, since the arguments may be
    incomplete. A reply that is not such JSON is passed on as text.
    """
    received, said = "", ""
    async with aclosing(pieces):
        async for piece in pieces:
            if piece.text:
                received += piece.text
                now = _said(received)
                if len(now) > len(said):
                    yield Piece(text=now[len(said) :])
                    said = now
            elif piece.end:
                for last in _finish(received, said, piece.end):
                    yield last
            else:
                yield piece


def _read(received: str) -> JsonObject | None:
    """Parse the incomplete JSON received so far; None if no object has begun."""
    from langchain_core.utils.json import parse_partial_json

    try:
        found = parse_partial_json(received[received.index("{") :])
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _said(received: str) -> str:
    said = (_read(received) or {}).get("say")
    return said if isinstance(said, str) else ""


def _finish(received: str, said: str, end: End) -> tuple[Piece, ...]:
    found = _read(received)
    if found is None and not said:
        whole = (Piece(text=received),) if received else ()
        return (*whole, Piece(end=end))
    if found is None or "tool" not in found or end.reason == "length":
        return (Piece(end=end),)
    args = json.dumps(found.get("args") or {}, ensure_ascii=False)
    call = ToolCall(name=str(found["tool"]), args_json=args, id=CALL_ID)
    return Piece(tool_call=call), Piece(end=end.model_copy(update={"reason": "tool_calls"}))
