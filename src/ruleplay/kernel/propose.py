"""Ask a model for a typed value, and never return an illegal one.

The order is: the model, one repair with the reason of the refusal, then the agent's policy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
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
"""Most characters of an answer; longer ones are refused."""
BRACES_IN_PROSE = 20
"""Most opening braces that are tried as the beginning of the JSON."""


@dataclass(frozen=True)
class Proposed(Generic[Value]):
    """A legal value, where it came from, and why earlier answers were refused."""

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
    """Return a value of `schema` for which `legal` lists no problems.

    The model has `deadline` seconds for both attempts (0 is the configured time); then the policy,
    `otherwise`, decides. With model `rules` the policy decides at once, and `prompt` is not even
    called. A policy with an illegal value is a defect (RuleplayError). `audience` may read the
    refusals, which quote what the model wanted.
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
    """The model's result: a legal value or None, the refusals, and all replies."""

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
            schema=schema_of(schema),
            attempt=attempt,
        )
        said.replies.append(reply)
        said.value, problem = judge(reply, schema, legal)
        if said.value is not None:
            break
        said.refusals.append(problem)
        if reply.end in ("deadline", "error"):
            break  # there is no answer to repair, or no time left
        repair = (reply.text[:2_000], f"Refused: {problem}. Answer again, as JSON only.")
    return said


def _decide(
    role: str, legal: Callable[[Value], Sequence[str]], otherwise: Callable[[], Value]
) -> Value:
    value = otherwise()
    if defects := list(legal(value)):
        raise RuleplayError(
            f"the policy of {role!r} proposed something illegal ({'; '.join(defects)}): what"
            " `otherwise` returns has to pass `legal` too; refuse what the rules forbid in the node"
            " that resolves it"
        )
    return value


def judge(
    reply: Reply, schema: type[Value], legal: Callable[[Value], Sequence[str]]
) -> tuple[Value | None, str]:
    """Return a reply's value, or None with a reason by which the model can repair it."""
    if reply.failure:
        return None, reply.failure
    try:
        value = schema.model_validate(normalise(read_json(reply.text), schema_of(schema)))
    except ValidationError as error:
        where, what = first_invalid(error)
        return None, f"{where or 'the answer'}: {what}"
    except (ValueError, RecursionError) as error:
        return None, f"not the JSON asked for: {str(error)[:200]}"
    problems = list(legal(value))
    return (None, "; ".join(problems)) if problems else (value, "")


@cache
def schema_of(model: type[BaseModel]) -> Json:
    """Make a class's JSON schema, which takes milliseconds; it is shared, so do not change it."""
    return model.model_json_schema()


def read_json(text: str) -> Json:
    """Extract the JSON object from an answer: bare, in a code fence, or in prose (ValueError)."""
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
            # Continue after the error's position, lest an inner object of broken JSON be taken for
            # the answer.
            wrong.append(error)
            start = text.find("{", max(error.pos, start + 1))
        else:
            return found
    raise wrong[0]


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def snake(name: str) -> str:
    """Normalise a name: PartNumber, partNumber, part-number, PART NUMBER give `part_number`."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"[\s\-_]+", "_", parted).strip("_").lower()


def normalise(given: Json, schema: Json) -> Json:
    """Repair frequent deviations: differently spelt keys, numbers and booleans as strings.

    Only the top level is repaired.
    """
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
