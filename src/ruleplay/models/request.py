"""Requests for a JSON schema or with tools, adapted to what each provider supports.

A model's abilities are declared in its LangChain `profile`. If the provider enforces JSON schemas,
LangChain's integration accepts an OpenAI-style `response_format`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ruleplay.models import tool_union
from ruleplay.models.piece import JsonObject

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel, LanguageModelInput
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.runnables import Runnable

    Asked = Runnable[LanguageModelInput, AIMessage]


@dataclass(frozen=True)
class Request:
    """A runnable with its input, and how to read the reply.

    `args_are_text`: the schema is sent as a forced tool call, whose arguments are the reply.
    `union`: tools are emulated by a schema (see `tool_union`); the reply must be translated.
    """

    runnable: Asked
    messages: list[BaseMessage]
    options: JsonObject = field(default_factory=dict)
    args_are_text: bool = False
    union: bool = False


def build_request(
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    schema: JsonObject | None,
    tools: Sequence[JsonObject],
    max_tokens: int | None,
) -> Request:
    """Build the request for a model; ValueError for both a schema and tools."""
    if schema is not None and tools:
        raise ValueError("a call has a schema or tools, not both")
    options = budget(model, max_tokens)
    if schema is not None:
        return _with_schema(model, messages, schema, options)
    if tools and calls_tools(model):
        return Request(model.bind_tools(list(tools)), list(messages), options)
    if tools:
        told = tool_union.explain(messages, tools)
        return replace(
            _with_schema(model, told, tool_union.union_schema(tools), options), union=True
        )
    return Request(model, list(messages), options)


def calls_tools(model: BaseChatModel) -> bool:
    """Whether the model supports tool calling natively."""
    from langchain_core.language_models import BaseChatModel as Base

    declared = (model.profile or {}).get("tool_calling", True)
    return declared and type(model).bind_tools is not Base.bind_tools


def budget(model: BaseChatModel, max_tokens: int | None) -> JsonObject:
    """Build the call options that limit a reply's length, whose name differs by provider."""
    if max_tokens is None:
        return {}
    match _package(model):
        case "langchain_ollama":
            return {"options": {"num_predict": max_tokens}}
        case "langchain_google_genai":
            return {"max_output_tokens": max_tokens}
        case _:
            return {"max_tokens": max_tokens}


def _package(model: BaseChatModel) -> str:
    return type(model).__module__.partition(".")[0]


def _with_schema(
    model: BaseChatModel, messages: Sequence[BaseMessage], schema: JsonObject, options: JsonObject
) -> Request:
    """Enforce a schema natively, else by a forced tool call, else ask for it in the prompt."""
    if enforces_schemas(model):
        strict = _package(model) == "langchain_openai"
        bound = model.bind(response_format=response_format(schema, strict=strict))
        return Request(bound, list(messages), options)
    if calls_tools(model):
        tool = as_tool(schema)
        forced = model.bind_tools([tool], tool_choice=str(tool["name"]))
        return Request(forced, list(messages), options, args_are_text=True)
    return Request(model, asked_in_words(messages, schema), options)


def enforces_schemas(model: BaseChatModel) -> bool:
    """Whether the provider enforces a JSON schema natively."""
    declared = (model.profile or {}).get("structured_output")
    # LangChain has no profile for OpenAI's newest models, and never for Ollama's; both enforce.
    untold = _package(model) in ("langchain_openai", "langchain_ollama")
    return untold if declared is None else declared


def as_tool(schema: JsonObject) -> JsonObject:
    """Wrap a schema in a tool whose arguments are the answer."""
    return {"name": schema_name(schema), "description": "Give the answer.", "parameters": schema}


def schema_name(schema: JsonObject) -> str:
    """Derive a schema's name from its title: at most 64 of [A-Za-z0-9_], as providers require."""
    return re.sub(r"\W+", "_", str(schema.get("title") or "answer"), flags=re.ASCII)[:64]


def response_format(schema: JsonObject, *, strict: bool) -> JsonObject:
    """Build OpenAI's `response_format` for a schema.

    With `strict` OpenAI guarantees the schema, but rejects requests whose schema uses unsupported
    keywords. So it is only set if the schema qualifies.
    """
    described: JsonObject = {"name": schema_name(schema), "schema": schema}
    if strict and schema.get("type") == "object" and fits_strict_mode(schema):
        described["strict"] = True
    return {"type": "json_schema", "json_schema": described}


# From OpenAI's guide to structured outputs, "Supported schemas": all properties required, none
# additional, few keywords. Keywords that only some models support are left out.
_STRICT_KEYWORDS = frozenset(
    (
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "const",
        "anyOf",
        "$ref",
        "$defs",
        "title",
        "description",
        "minimum",
        "maximum",
    )
)


def fits_strict_mode(schema: object) -> bool:
    """Whether OpenAI's strict mode accepts this (sub)schema."""
    if not isinstance(schema, dict):
        return True
    if not _STRICT_KEYWORDS.issuperset(schema):
        return False
    properties = schema.get("properties", {})
    if schema.get("type") == "object" and (
        schema.get("additionalProperties") is not False
        or sorted(schema.get("required", ())) != sorted(properties)
    ):
        return False
    inner = (*properties.values(), *schema.get("$defs", {}).values(), *schema.get("anyOf", ()))
    return all(fits_strict_mode(part) for part in (*inner, schema.get("items")))


def asked_in_words(messages: Sequence[BaseMessage], schema: JsonObject) -> list[BaseMessage]:
    """Ask for a schema in the system message, for models that cannot be forced."""
    wish = (
        "Answer with one JSON value that fits this JSON schema, and with nothing else:\n"
        + json.dumps(schema, sort_keys=True)
    )
    return tool_union.add_to_system(messages, wish)
