"""Let a model write a reply from the record, streamed sentence by sentence, cited and checked.

See docs/decisions/0024 for why claims are cited rather than parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Generic, TypeVar

from ruleplay.kernel.context import Context, Prompt
from ruleplay.records.events import EVERYONE, Json
from ruleplay.records.tape import Reply
from ruleplay.telling.citing import Reader
from ruleplay.telling.speech import Speech, Told
from ruleplay.telling.table import Table

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

World = TypeVar("World")


async def tell(
    context: Context[World],
    role: str,
    *,
    prompt: Callable[[], Prompt],
    facts: Sequence[Table],
    check: Callable[[], Reader],
    otherwise: Callable[[], str],
    deadline: float = 0,
    audience: tuple[str, ...] = (EVERYONE,),
) -> Told:
    """Stream prose whose clauses cite rows of `facts`, each judged by the reader from `check`.

    If a mandatory row (`Table.musts`) is missing its line is added. If too little passes the
    policy, `otherwise`, replies instead; with model `rules` it does so at once, and neither
    `prompt` nor `check` is called. Only `audience` gets to read it. `deadline` is in seconds, and
    includes a repair.
    """
    started = perf_counter()
    if context.model(role) == "rules":
        context.record(role, "policy", started)
        return by_policy(context, otherwise(), audience)
    asked = prompt()
    telling = Telling(context, role, facts, check(), audience, deadline)
    outcome, heard = await telling.ask(asked.messages())
    opened = "".join(f"{m.line}\n\n" for t in facts for m in t.musts if m.always == "first")
    told = outcome.told or by_policy(context, otherwise(), audience, outcome.refusals, opened)
    context.record(
        role,
        told.source,
        started,
        replies=heard,
        refusals=outcome.refusals,
        audience=audience,
        prompt=asked,
    )
    return told


def by_policy(
    context: Context[World],
    text: str,
    audience: tuple[str, ...],
    refusals: tuple[str, ...] = (),
    opened: str = "",
) -> Told:
    """Say the policy's text, without the beginning that was streamed before (`opened`)."""
    context.say(text.removeprefix(opened), audience)
    return Told(text, "policy", (), refusals)


@dataclass(frozen=True)
class TellResult:
    """The result of asking a model: `told` is None if the policy has to reply.

    `views` is then the text that the model gave as its own view, without citations.
    """

    told: Told | None
    refusals: tuple[str, ...]
    views: str = ""


@dataclass
class Telling(Generic[World]):
    """One request to a model for a text: the streamed call, and the call that repairs gaps."""

    context: Context[World]
    role: str
    facts: Sequence[Table]
    reader: Reader
    audience: tuple[str, ...] = (EVERYONE,)
    deadline: float = 0
    must_cite: bool = False
    tools: tuple[Json, ...] = ()

    async def ask(self, messages: Sequence[BaseMessage]) -> tuple[TellResult, tuple[Reply, ...]]:
        """Ask, and repair gaps once; a reply with tool calls is not repaired."""
        until = perf_counter() + (self.deadline or self.context.models.tell_seconds)
        speech = Speech(
            self.reader,
            partial(self.context.say, audience=self.audience),
            self.context.thinks_first(self.role),
            self.must_cite,
        )
        reply = await self._listen(messages, until, speech.hear, self.tools)
        speech.end(complete=not reply.failure)
        heard = [reply]
        if not reply.tool_calls and not reply.failure and (gaps := speech.gaps()):
            from langchain_core.messages import AIMessage, HumanMessage  # loads slowly

            again = [*messages, AIMessage(reply.text), HumanMessage(gaps)]
            heard.append(await self._listen(again, until, lambda text: None, (), attempt=1))
            speech.repair(heard[-1].text)
        refusals = (*([reply.failure] if reply.failure else []), *speech.refusals)
        told = None if reply.tool_calls else speech.told(self.facts)
        if told:
            told = replace(told, refusals=refusals)
        return TellResult(told, refusals, "" if told else speech.views()), tuple(heard)

    async def _listen(
        self,
        messages: Sequence[BaseMessage],
        until: float,
        on_text: Callable[[str], None],
        tools: tuple[Json, ...],
        attempt: int = 0,
    ) -> Reply:
        return await self.context.ask(
            self.role,
            messages,
            deadline=max(0.0, until - perf_counter()),
            on_text=on_text,
            tools=tools,
            facts=self.facts,
            attempt=attempt,
        )
