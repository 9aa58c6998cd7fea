"""One step of a tool loop: the model either asks for tools or speaks through the gate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from ruleplay.foundation.claims import Check, Fact
from ruleplay.foundation.context import Context
from ruleplay.foundation.errors import first_invalid
from ruleplay.foundation.events import EVERYONE, Json
from ruleplay.foundation.propose import normalise, read_json, snake
from ruleplay.foundation.prose.gate import Cite, uncited
from ruleplay.foundation.prose.tell import Speech, Told
from ruleplay.foundation.tape import Call, ToolCall, ms_since

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

World = TypeVar("World")
CALLS_PER_STEP = 8


@dataclass(frozen=True)
class Tool:
    """A tool as the model sees it; `arguments` validates what it sends."""

    name: str
    description: str
    arguments: type[BaseModel]

    @property
    def spec(self) -> Json:
        """The tool in the words of a model's interface."""
        return {"name": self.name, "description": self.description, "parameters": self.schema}

    @property
    def schema(self) -> Json:
        """The JSON schema of its arguments; shared, so not to be changed."""
        return _schema(self.arguments)


@cache
def _schema(arguments: type[BaseModel]) -> Json:
    """Return a model's schema; making one takes milliseconds, and an agent may have many tools."""
    return arguments.model_json_schema()


@dataclass(frozen=True)
class Wanted:
    """A tool call whose arguments are valid."""

    tool: str
    arguments: BaseModel
    id: str = ""


@dataclass(frozen=True)
class Step:
    """What one step brought: valid calls, refusals to feed back (call, reason), or the told answer.

    `told` is None while the model still wants tools.
    """

    wanted: tuple[Wanted, ...] = ()
    refused: tuple[tuple[ToolCall, str], ...] = ()
    told: Told | None = None


async def converse(
    context: Context[World],
    role: str,
    *,
    messages: Callable[[], Sequence[BaseMessage]],
    tools: Sequence[Tool],
    facts: Sequence[Fact],
    check: Check,
    otherwise: Callable[[], Step],
    deadline: float = 0,
    audience: tuple[str, ...] = (EVERYONE,),
    cite: Cite = uncited,
) -> Step:
    """Ask the model for its next step; the policy's step stands in when it brings neither.

    Arguments are renamed and validated; a call that is still wrong comes back in `refused` with a
    reason for the model. Prose passes the gate as in `tell`, also beside tool calls, where only
    what passed is shown and the facts it must tell wait for the last step. Only `audience` hears
    it. `cite` writes into each piece of the model's prose what it rests on.
    """
    started, model = perf_counter(), context.model(role)

    def by_policy() -> Step:
        step = otherwise()
        if step.told:
            context.say(step.told.text, audience)
        return step

    if model == "rules":
        context.record(Call(role=role, source="policy", ms=ms_since(started)))
        return by_policy()
    speech = Speech(context, check, facts, role, audience, cite)
    reply = await context.ask(
        role,
        messages(),
        deadline=deadline or context.models.tell_seconds,
        on_text=speech.hear,
        tools=tuple(tool.spec for tool in tools),
        facts=facts,
    )
    source: Literal["model", "policy"] = "model"
    if reply.tool_calls:
        step = read_calls(reply.tool_calls, tools)
    elif told := speech.close(reply.failure):
        step, source = Step(told=told), told.source
    else:
        step, source = by_policy(), "policy"
    context.record(
        Call(
            role=role,
            source=source,
            model=model,
            thinks_first=context.thinks_first(role),
            ms=ms_since(started),
            refusals=(*speech.refusals, *(reason for _, reason in step.refused)),
            audience=audience,
            replies=(reply,),
        )
    )
    return step


def read_calls(calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Step:
    """Validate what the model wants to call; unknown tools and wrong arguments are refused."""
    known = {snake(tool.name): tool for tool in tools}
    wanted: list[Wanted] = []
    refused: list[tuple[ToolCall, str]] = []
    for place, call in enumerate(calls):
        tool = known.get(snake(call.name))
        if place >= CALLS_PER_STEP:
            refused.append((call, f"at most {CALLS_PER_STEP} calls in one step"))
        elif tool is None:
            names = ", ".join(tool.name for tool in tools)
            refused.append((call, f"no tool {call.name!r}; the tools are {names}"))
        else:
            try:
                wanted.append(Wanted(tool.name, _arguments(call, tool), call.id))
            except (ValueError, RecursionError) as error:
                refused.append((call, _reason(tool, error)))
    return Step(tuple(wanted), tuple(refused))


def _arguments(call: ToolCall, tool: Tool) -> BaseModel:
    given = normalise(read_json(call.arguments or "{}"), tool.schema)
    return tool.arguments.model_validate(given)


def _reason(tool: Tool, error: Exception) -> str:
    if isinstance(error, ValidationError):
        where, what = first_invalid(error)
        allowed = ", ".join(tool.arguments.model_fields)
        return f"{tool.name}: {where or 'arguments'}: {what}; it takes {allowed}"
    return f"{tool.name}: {str(error)[:200]}"
