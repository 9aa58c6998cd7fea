"""How to ask a given chat model for a schema or offer it tools: what providers do differently.

A model says what it can do in LangChain's `profile`. Where a provider enforces a JSON schema, all
of LangChain's integrations take it as an OpenAI-style `response_format`.
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
    """What to run, with what.

    `args_are_text`: the schema is offered as a forced function call, whose arguments are the reply.
    `union`: tools are offered as a schema, and the reply is to be translated back.
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
    """Return how to ask this model; `schema` and `tools` exclude each other."""
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
    """Say whether the model has tool calling of its own."""
    from langchain_core.language_models import BaseChatModel as Base

    declared = (model.profile or {}).get("tool_calling", True)
    return declared and type(model).bind_tools is not Base.bind_tools


def budget(model: BaseChatModel, max_tokens: int | None) -> JsonObject:
    """Return the call options that limit a reply's length, under the provider's name for it."""
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
    """Enforce a schema natively, else as a forced function call, else ask for it in words."""
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
    """Say whether the provider holds the model to a JSON schema by itself."""
    declared = (model.profile or {}).get("structured_output")
    # Without a profile: OpenAI's models are those too new to have one, Ollama's never do.
    untold = _package(model) in ("langchain_openai", "langchain_ollama")
    return untold if declared is None else declared


def as_tool(schema: JsonObject) -> JsonObject:
    """Return the schema as a tool whose arguments are the answer."""
    return {"name": schema_name(schema), "description": "Give the answer.", "parameters": schema}


def schema_name(schema: JsonObject) -> str:
    """Return a name for the schema that providers accept: its title, in safe characters."""
    return re.sub(r"\W+", "_", str(schema.get("title") or "answer"), flags=re.ASCII)[:64]


def response_format(schema: JsonObject, *, strict: bool) -> JsonObject:
    """Return OpenAI's `response_format` for a schema.

    `strict` makes OpenAI guarantee the schema, but refuse one that it finds too rich; so it is
    only asked for where the schema fits.
    """
    described: JsonObject = {"name": schema_name(schema), "schema": schema}
    if strict and schema.get("type") == "object" and fits_strict_mode(schema):
        described["strict"] = True
    return {"type": "json_schema", "json_schema": described}


# OpenAI's structured outputs guide, "Supported schemas": every property required, no additional
# ones, and few keywords; left out are those it takes for some models only.
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
    """Say whether OpenAI's strict mode accepts this (sub)schema."""
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
    """Return the messages with the wish for this schema added to the system message."""
    wish = (
        "Answer with one JSON value that fits this JSON schema, and with nothing else:\n"
        + json.dumps(schema, sort_keys=True)
    )
    return tool_union.add_to_system(messages, wish)
