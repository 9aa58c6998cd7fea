"""One step of a tool loop: a model either calls tools, or answers with citations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from ruleplay.errors import first_invalid
from ruleplay.kernel.context import Context
from ruleplay.kernel.propose import normalise, read_json, schema_of, snake
from ruleplay.kernel.tell import Telling
from ruleplay.records.events import EVERYONE, Json
from ruleplay.records.tape import ToolCall
from ruleplay.telling.citing import Reader, Span
from ruleplay.telling.speech import Told
from ruleplay.telling.table import Table

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

World = TypeVar("World")
CALLS_PER_STEP = 8
"""Most tool calls in one reply; the model is told that the others are refused."""


@dataclass(frozen=True)
class Tool:
    """A tool as the model sees it; `arguments` validates what it sends."""

    name: str
    description: str
    arguments: type[BaseModel]

    @property
    def spec(self) -> Json:
        """The tool as providers' APIs expect it."""
        return {"name": self.name, "description": self.description, "parameters": self.schema}

    @property
    def schema(self) -> Json:
        """The JSON schema of the arguments; it is shared, so do not change it."""
        return schema_of(self.arguments)


@dataclass(frozen=True)
class Wanted:
    """A tool call whose arguments are valid."""

    tool: str
    arguments: BaseModel
    id: str = ""


@dataclass(frozen=True)
class Step:
    """The result of one step: valid calls, refused calls with a reason for the model, or an answer.

    `told` is None while the model calls tools.
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
    facts: Sequence[Table],
    check: Callable[[], Reader],
    otherwise: Callable[[], Step],
    deadline: float = 0,
    audience: tuple[str, ...] = (EVERYONE,),
) -> Step:
    """Ask the model for its next step; the policy's step replaces one that is unusable.

    Arguments are renamed and validated; a call that is still wrong is returned in `refused`. An
    answer is judged as in `tell`. If there are rows and the answer cites none, the policy's answer
    is shown, followed by the model's own view. Only `audience` gets to read it.
    """
    started = perf_counter()
    if context.model(role) == "rules":
        context.record(role, "policy", started)
        return _by_policy(context, otherwise(), audience)
    specs = tuple(tool.spec for tool in tools)
    telling = Telling(
        context, role, facts, check(), audience, deadline, must_cite=True, tools=specs
    )
    outcome, heard = await telling.ask(messages())
    source: Literal["model", "policy"] = "model"
    if heard[0].tool_calls:
        step = read_calls(heard[0].tool_calls, tools)
    elif outcome.told:
        step = Step(told=outcome.told)
    else:
        step, source = _by_policy(context, otherwise(), audience, outcome.views), "policy"
    refusals = (*outcome.refusals, *(reason for _, reason in step.refused))
    context.record(role, source, started, replies=heard, refusals=refusals, audience=audience)
    return step


def _by_policy(
    context: Context[World], step: Step, audience: tuple[str, ...], views: str = ""
) -> Step:
    """Say the policy's answer, followed by the model's own view if there is one."""
    told = step.told
    if told is None:
        return step
    context.say(told.text, audience)
    if not views:
        return step
    spans = (Span(text=told.text), Span(text="\n\n"), Span(text=views, state="view"))
    text = "".join(span.text for span in spans)
    return replace(step, told=replace(told, text=text, spans=spans))


def read_calls(calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Step:
    """Validate a model's tool calls; unknown tools and wrong arguments are refused.

    Names may differ in case and separators, as models often change these.
    """
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
