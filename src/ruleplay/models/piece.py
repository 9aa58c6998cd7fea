"""The parts of a streamed reply."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

# A JSON schema, or a tool's {"name", "description", "parameters": JSON schema}.
JsonObject = dict[str, object]

Reason = Literal["stop", "length", "tool_calls", "filtered", "unknown"]


class ToolCall(BaseModel, frozen=True):
    """A tool call as the model wrote it: `args_json` is neither parsed nor validated."""

    name: str
    args_json: str
    id: str


class End(BaseModel, frozen=True):
    """Why a reply ended and what it used; `length` means that it was cut off.

    `estimated`: the provider reported no token counts, so they are derived from characters.
    `cached_tokens` are the input tokens that the provider found in its prefix cache.
    """

    reason: Reason
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    estimated: bool = False


class Piece(BaseModel, frozen=True):
    """One part of a streamed reply, with exactly one field set. Never show reasoning to users."""

    text: str = ""
    reasoning: str = ""
    tool_call: ToolCall | None = None
    end: End | None = None
