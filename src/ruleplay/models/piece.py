"""The parts a streamed reply is made of."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

# A JSON schema, or a tool's {"name", "description", "parameters": JSON schema}.
JsonObject = dict[str, object]

Reason = Literal["stop", "length", "tool_calls", "filtered", "unknown"]


class ToolCall(BaseModel, frozen=True):
    """A tool the model wants called; `args_json` is its text, not yet parsed or validated."""

    name: str
    args_json: str
    id: str


class End(BaseModel, frozen=True):
    """Why a reply ended and what it used; `length` means that it was cut and cannot be trusted.

    `estimated`: the provider did not report tokens, so they were counted from characters.
    `cached_tokens` are those of the input that the provider had in its prefix cache.
    """

    reason: Reason
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    estimated: bool = False


class Piece(BaseModel, frozen=True):
    """One part of a streamed reply: exactly one field is set. Reasoning is never to be shown."""

    text: str = ""
    reasoning: str = ""
    tool_call: ToolCall | None = None
    end: End | None = None
