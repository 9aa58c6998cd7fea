"""Chat models for tests: no network, no key, and every chunk under the caller's control.

A `Rehearsal` is a LangChain chat model that answers each call with a `Reply`, a list of pieces to
stream. `ScriptedModel` takes its replies from a script; `adversary.hostile.HostileModel` invents
harmful ones. Both are part of the product, so that users can verify its guarantees themselves.
"""

from __future__ import annotations

import asyncio
import json
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.language_models.chat_models import agenerate_from_stream
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import ToolCallChunk, tool_call_chunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import JsonValue

from ruleplay.errors import UserError
from ruleplay.models.briefing import Briefing


@dataclass(frozen=True)
class Reasoning:
    """Reasoning, which providers stream apart from the text: as a keyword or as a content block."""

    text: str
    as_block: bool = False


@dataclass(frozen=True)
class Call:
    """A tool call to stream; `arguments` given as text need not be valid JSON.

    Name and arguments are split into `cuts` chunks each. Number the calls of one reply with
    `index`, from 0, as providers do.
    """

    name: str
    arguments: Mapping[str, JsonValue] | str
    index: int = 0
    cuts: int = 1

    def chunks(self) -> Iterator[AIMessageChunk]:
        """Yield the chunks a provider would send: id first, then name, then arguments."""
        text = self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)
        yield self._chunk(tool_call_chunk(id=f"call-{self.index}", index=self.index))
        for part in _split(self.name, self.cuts):
            yield self._chunk(tool_call_chunk(name=part, index=self.index))
        for part in _split(text, self.cuts):
            yield self._chunk(tool_call_chunk(args=part, index=self.index))

    @staticmethod
    def _chunk(part: ToolCallChunk) -> AIMessageChunk:
        return AIMessageChunk(content="", tool_call_chunks=[part])


Piece = str | Reasoning | Call | AIMessageChunk | asyncio.Event | float | BaseException
"""One step of a stream: a chunk to send, an event to await, seconds to sleep, an error to raise."""


@dataclass(frozen=True)
class Reply:
    """One reply: its pieces in order, and the finish reason and usage of the last chunk."""

    pieces: tuple[Piece, ...] = ()
    finish_reason: str = "stop"
    usage: UsageMetadata | None = None


@dataclass(frozen=True)
class Asked:
    """A call that a rehearsal received: prompt, bound tools, and briefing if there was one."""

    messages: tuple[BaseMessage, ...]
    tools: tuple[Mapping[str, JsonValue], ...] = ()
    briefing: Briefing | None = None
    role: str = field(default="", init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "role", self.briefing.role if self.briefing else "")


class Rehearsal(BaseChatModel):
    """A chat model whose replies come from code; async only, like all calls in Ruleplay."""

    takes_briefing: ClassVar[bool] = True

    @abstractmethod
    def reply(self, asked: Asked) -> Reply:
        """Answer one call; called once for each, in their order."""

    @property
    def _llm_type(self) -> str:
        return f"ruleplay-{type(self).__name__.lower()}"

    def bind_tools(
        self,
        tools: Sequence[Mapping[str, object] | type | Callable[..., object] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: object,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Bind tools in the wire format of OpenAI, as most providers' classes do."""
        wire = [convert_to_openai_tool(dict(t) if isinstance(t, Mapping) else t) for t in tools]
        return self.bind(tools=wire, tool_choice=tool_choice, **kwargs)

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: object,
    ) -> AsyncIterator[ChatGenerationChunk]:
        briefing, tools = kwargs.get("briefing"), kwargs.get("tools")
        asked = Asked(
            messages=tuple(messages),
            tools=tuple(tools) if isinstance(tools, (list, tuple)) else (),
            briefing=briefing if isinstance(briefing, Briefing) else None,
        )
        reply = self.reply(asked)
        sent = 0
        for piece in reply.pieces:
            async for chunk in _play(piece):
                sent += len(chunk.text) + sum(len(c["args"] or "") for c in chunk.tool_call_chunks)
                yield ChatGenerationChunk(message=chunk)
        yield ChatGenerationChunk(message=self._last_chunk(reply, asked, sent))

    def _last_chunk(self, reply: Reply, asked: Asked, sent: int) -> AIMessageChunk:
        read = sum(len(message.text) for message in asked.messages)
        return AIMessageChunk(
            content="",
            chunk_position="last",
            usage_metadata=reply.usage or estimated_usage(read, sent),
            response_metadata={"finish_reason": reply.finish_reason, "model_name": self._llm_type},
        )

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: object,
    ) -> ChatResult:
        return await agenerate_from_stream(self._astream(messages, stop, run_manager, **kwargs))

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: object,
    ) -> ChatResult:
        raise UserError("rehearsal models are async: use ainvoke or astream")


Entry = str | AIMessage | Reply | BaseException | Sequence[Piece]
Script = Sequence[Entry] | Mapping[str, Sequence[Entry]]


class ScriptedModel(Rehearsal):
    """Replays a script, one entry per call, and records the calls in `seen`.

    The script is a list, or a list per role (then every call needs a briefing). A call beyond its
    end raises `UserError` and not `ModelError`, on which the policy would take over: a test must
    not pass by accident.
    """

    def __init__(self, script: Script) -> None:
        super().__init__()
        by_role = script if isinstance(script, Mapping) else {"": script}
        self._by_role = isinstance(script, Mapping)
        self._replies = {role: [_reply(e) for e in entries] for role, entries in by_role.items()}
        self._played = dict.fromkeys(by_role, 0)
        self._seen: list[Asked] = []

    @property
    def seen(self) -> tuple[Asked, ...]:
        """All calls received so far, in order, including those that raised."""
        return tuple(self._seen)

    @property
    def left(self) -> int:
        """The number of entries that have not been played yet."""
        return sum(map(len, self._replies.values())) - sum(self._played.values())

    def reply(self, asked: Asked) -> Reply:
        """Return the next entry, that of the call's role if the script has roles."""
        self._seen.append(asked)
        role = asked.role if self._by_role else ""
        if role not in self._replies:
            raise UserError(f"no script for role {role!r}: it has {sorted(self._replies)}")
        if self._played[role] == len(self._replies[role]):
            whose = f" of role {role!r}" if role else ""
            raise UserError(
                f"the script{whose} ended after {self._played[role]} calls: add an entry"
            )
        self._played[role] += 1
        return self._replies[role][self._played[role] - 1]


def estimated_usage(read: int, sent: int) -> UsageMetadata:
    """Estimate token counts as a quarter of the characters read and sent, at least one each."""
    incoming, outgoing = max(1, read // 4), max(1, sent // 4)
    return UsageMetadata(
        input_tokens=incoming, output_tokens=outgoing, total_tokens=incoming + outgoing
    )


def _reply(entry: Entry) -> Reply:
    if isinstance(entry, Reply):
        return entry
    if isinstance(entry, AIMessage):
        return _reply_of_message(entry)
    if isinstance(entry, (str, BaseException)):
        return Reply((entry,))
    return Reply(tuple(entry))


def _reply_of_message(message: AIMessage) -> Reply:
    reasoning = message.additional_kwargs.get("reasoning_content")
    calls = [Call(c["name"], c["args"], index=i) for i, c in enumerate(message.tool_calls)]
    if message.tool_calls and all(c["id"] for c in message.tool_calls):
        chunks = [_call_chunk(message, i) for i in range(len(calls))]
    else:
        chunks = [chunk for call in calls for chunk in call.chunks()]
    pieces: list[Piece] = [Reasoning(reasoning)] if isinstance(reasoning, str) else []
    if message.content:
        pieces.append(AIMessageChunk(content=message.content))
    ending = message.response_metadata.get("finish_reason", "tool_calls" if calls else "stop")
    return Reply((*pieces, *chunks), finish_reason=str(ending), usage=message.usage_metadata)


def _call_chunk(message: AIMessage, index: int) -> AIMessageChunk:
    call = message.tool_calls[index]
    part = tool_call_chunk(
        name=call["name"], args=json.dumps(call["args"]), id=call["id"], index=index
    )
    return AIMessageChunk(content="", tool_call_chunks=[part])


async def _play(piece: Piece) -> AsyncIterator[AIMessageChunk]:
    if isinstance(piece, asyncio.Event):
        await piece.wait()
    elif isinstance(piece, (int, float)):
        await asyncio.sleep(piece)
    elif isinstance(piece, BaseException):
        raise piece
    elif isinstance(piece, str):
        yield AIMessageChunk(content=piece)
    elif isinstance(piece, Reasoning):
        yield _reasoning_chunk(piece)
    elif isinstance(piece, Call):
        for chunk in piece.chunks():
            yield chunk
    else:
        yield piece.model_copy()


def _reasoning_chunk(piece: Reasoning) -> AIMessageChunk:
    if piece.as_block:
        return AIMessageChunk(content=[{"type": "reasoning", "reasoning": piece.text}])
    return AIMessageChunk(content="", additional_kwargs={"reasoning_content": piece.text})


def _split(text: str, parts: int) -> list[str]:
    size = max(1, -(-len(text) // max(1, parts)))
    return [text[i : i + size] for i in range(0, len(text), size)] or [""]
