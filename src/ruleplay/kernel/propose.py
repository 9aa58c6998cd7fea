"""Ask a model for something typed; never get anything illegal."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Generic, Literal, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from ruleplay.errors import RuleplayError, first_invalid
from ruleplay.kernel.context import Context, Prompt
from ruleplay.records.events import EVERYONE, Json
from ruleplay.records.tape import Reply

Value = TypeVar("Value", bound=BaseModel)
World = TypeVar("World")
ANSWER_LIMIT = 64_000
"""Characters of a typed answer that are read; a longer one is refused."""
BRACES_IN_PROSE = 20
"""Opening braces that are tried before an answer counts as holding no JSON."""


@dataclass(frozen=True)
class Proposed(Generic[Value]):
    """A legal value, who it came from, and why earlier ones were refused."""

    value: Value
    source: Literal["model", "policy"]
    refusals: tuple[str, ...] = ()


async def propose(
    context: Context[World],
    role: str,
    *,
    prompt: Callable[[], Prompt],
    schema: type[Value],
    legal: Callable[[Value], Sequence[str]],
    otherwise: Callable[[], Value],
    deadline: float = 0,
    audience: tuple[str, ...] = (EVERYONE,),
) -> Proposed[Value]:
    """Return a value of `schema` against which `legal` lists no reason.

    The model gets `deadline` seconds (the configured time when 0) and one chance to repair; then
    `otherwise`, the policy, decides. With model `rules` it is asked at once and `prompt` is never
    built. A policy whose own value is illegal is a defect and raises RuleplayError. `audience` may
    read why something was refused: reasons quote what the model wanted.
    """
    started = perf_counter()
    asked: Prompt | None = None
    said: _Said[Value] = _Said()
    if context.model(role) != "rules":
        asked = prompt()
        limit = started + (deadline or context.models.propose_seconds)
        said = await _ask_twice(context, role, asked, schema, legal, limit)
    source: Literal["model", "policy"] = "model" if said.value is not None else "policy"
    value = said.value if said.value is not None else _decide(role, legal, otherwise)
    context.record(
        role,
        source,
        started,
        replies=said.replies,
        refusals=said.refusals,
        audience=audience,
        prompt=asked,
    )
    return Proposed(value, source, tuple(said.refusals))


@dataclass
class _Said(Generic[Value]):
    """What the model brought: a legal value or None, why it was refused, and its replies."""

    value: Value | None = None
    refusals: list[str] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)


async def _ask_twice(
    context: Context[World],
    role: str,
    asked: Prompt,
    schema: type[Value],
    legal: Callable[[Value], Sequence[str]],
    limit: float,
) -> _Said[Value]:
    said: _Said[Value] = _Said()
    repair: tuple[str, str] | None = None
    for attempt in range(2):
        reply = await context.ask(
            role,
            asked.messages(repair=repair),
            deadline=max(0.0, limit - perf_counter()),
            schema=schema.model_json_schema(),
            attempt=attempt,
        )
        said.replies.append(reply)
        said.value, problem = judge(reply, schema, legal)
        if said.value is not None:
            break
        said.refusals.append(problem)
        if reply.end in ("deadline", "error"):
            break
        repair = (reply.text[:2_000], f"Refused: {problem}. Answer again, as JSON only.")
    return said


def _decide(
    role: str, legal: Callable[[Value], Sequence[str]], otherwise: Callable[[], Value]
) -> Value:
    value = otherwise()
    if defects := list(legal(value)):
        raise RuleplayError(f"the policy of {role!r} proposed something illegal: {defects}")
    return value


def judge(
    reply: Reply, schema: type[Value], legal: Callable[[Value], Sequence[str]]
) -> tuple[Value | None, str]:
    """Return the value of a reply, or None and the reason that its author can act on."""
    if reply.failure:
        return None, reply.failure
    try:
        value = schema.model_validate(normalise(read_json(reply.text), schema.model_json_schema()))
    except ValidationError as error:
        where, what = first_invalid(error)
        return None, f"{where or 'the answer'}: {what}"
    except (ValueError, RecursionError) as error:
        return None, f"not the JSON asked for: {str(error)[:200]}"
    problems = list(legal(value))
    return (None, "; ".join(problems)) if problems else (value, "")


def read_json(text: str) -> Json:
    """Return the JSON object in a model's answer, in a code fence or prose or bare (ValueError)."""
    if len(text) > ANSWER_LIMIT:
        raise ValueError(f"the answer has {len(text):,} characters, at most {ANSWER_LIMIT:,}")
    start = text.find("{")
    if start < 0:
        raise ValueError("no JSON object in the answer")
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    wrong: list[ValueError] = []
    while start >= 0 and len(wrong) < BRACES_IN_PROSE:
        try:
            found: Json = decoder.raw_decode(text, start)[0]
        except json.JSONDecodeError as error:
            # Going on behind the mistake never takes an inner object for the answer.
            wrong.append(error)
            start = text.find("{", max(error.pos, start + 1))
        else:
            return found
    raise wrong[0]


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def snake(name: str) -> str:
    """Return `part_number` for PartNumber, partNumber, part-number or PART NUMBER."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"[\s\-_]+", "_", parted).strip("_").lower()


def normalise(given: Json, schema: Json) -> Json:
    """Rename a model's keys to the schema's and read numbers and booleans it wrote as strings."""
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return given
    names = {snake(name): name for name in properties}
    renamed: Json = {}
    for key, value in given.items():
        name = key if key in properties else names.get(snake(key), key)
        renamed.setdefault(name, _typed(value, properties.get(name)))
    return renamed


def _typed(value: JsonValue, kind: JsonValue) -> JsonValue:
    if not isinstance(value, str) or not isinstance(kind, dict):
        return value
    allowed = [kind.get("type")]
    options = kind.get("anyOf")
    if isinstance(options, list):
        allowed = [option.get("type") for option in options if isinstance(option, dict)]
    if "string" in allowed:
        return value
    try:
        return json.loads(value.lower()) if allowed != [None] else value
    except ValueError:
        return value
