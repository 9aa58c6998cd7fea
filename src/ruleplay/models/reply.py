"""One streamed reply of a chat model, in the same form for all providers.

    request ──► the provider's chunks ──► pieces: text, reasoning, tool calls, end

Every model call goes through `stream_reply`. It hides how providers differ in enforcing a schema,
offering tools, naming finish reasons, and failing.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, cast

from ruleplay.errors import ModelError, RuleplayError
from ruleplay.models.failure import cut_reason, describe_failure
from ruleplay.models.piece import End, JsonObject, Piece, Reason, ToolCall

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessageChunk, BaseMessage
    from langchain_core.messages.tool import ToolCallChunk

    from ruleplay.models.request import Request

CHARACTERS_PER_TOKEN = 4

_REASONS: dict[str, Reason] = {
    "stop": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "completed": "stop",
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_context_window_exceeded": "length",
    "incomplete": "length",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "filtered",
    "safety": "filtered",
    "refusal": "filtered",
    "recitation": "filtered",
    "prohibited_content": "filtered",
}
# Where LangChain's integrations put the finish reason in the metadata.
_REASON_KEYS = ("finish_reason", "stop_reason", "done_reason", "status")


async def stream_reply(
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    *,
    schema: JsonObject | None = None,
    tools: Sequence[JsonObject] = (),
    briefing: object = None,
    max_tokens: int | None = None,
) -> AsyncGenerator[Piece, None]:
    """Call the model once and yield its reply as it streams; the last piece is the end.

    With `schema` the text is one JSON value. Not every provider can enforce the schema, so callers
    must validate it. With `tools` the reply is text, tool calls or both; for a model without tool
    calling they are emulated. `briefing` is passed to rehearsal models only.

    Raises `ModelError` for any failure of the provider. Cancelling the task, or closing the
    iterator (`contextlib.aclosing`), closes the connection.
    """
    from ruleplay.models.request import Request, build_request

    if getattr(model, "takes_briefing", False):
        request = Request(model, list(messages), {"briefing": briefing})
    else:
        request = build_request(model, messages, schema, tools, max_tokens)
    pieces = _pieces(request, _name(model))
    if request.union:
        from ruleplay.models import tool_union

        pieces = tool_union.translate(pieces)
    async with aclosing(pieces):
        async for piece in pieces:
            yield piece


def _name(model: BaseChatModel) -> str:
    name = getattr(model, "model_name", None) or getattr(model, "model", None) or model._llm_type
    return str(name)


async def _pieces(request: Request, name: str) -> AsyncGenerator[Piece, None]:
    reader = _Reader(request, name)
    async with aclosing(_chunks(request, name)) as chunks:
        async for chunk in chunks:
            for piece in reader.read(chunk):
                yield piece
    for piece in reader.finish():
        yield piece


async def _chunks(request: Request, name: str) -> AsyncGenerator[AIMessageChunk, None]:
    """Yield the provider's chunks, and raise its failures as ModelError.

    The loop is written with `anext` so that the `try` covers the provider's code alone: with
    `async for`, it would also catch what is thrown in at the `yield`.
    """
    stream = cast(
        "AsyncGenerator[AIMessageChunk, None]",
        request.runnable.bind(**request.options).astream(request.messages),
    )
    async with aclosing(stream):
        while True:
            try:
                chunk = await anext(stream)
            except StopAsyncIteration:
                return
            except RuleplayError:
                raise
            except Exception as err:  # providers' clients share no base class for their errors
                if cut := cut_reason(err):
                    yield _ended(cut)
                    return
                raise ModelError(f"{name!r} {describe_failure(err)}") from err
            yield chunk


def _ended(reason: str) -> AIMessageChunk:
    from langchain_core.messages import AIMessageChunk

    return AIMessageChunk(content="", response_metadata={"finish_reason": reason})


class _Reader:
    """Assembles a reply: passes text on, collects fragments of tool calls, counts tokens."""

    def __init__(self, request: Request, name: str) -> None:
        self.request = request
        self.name = name
        self.calls: list[_Call] = []
        self.reason: Reason = "unknown"
        self.tokens = (0, 0, 0)  # input, output, cached
        # With a schema, LangChain's OpenAI client reports the counts in the metadata only.
        self.metadata_tokens = (0, 0, 0)
        self.characters = 0

    def read(self, chunk: AIMessageChunk) -> Iterator[Piece]:
        """Yield the text and reasoning of a chunk; keep its fragments of tool calls."""
        self._count(chunk)
        if reasoning := _reasoning(chunk):
            yield Piece(reasoning=reasoning)
        if text := str(chunk.text):
            yield Piece(text=text)
        for fragment in chunk.tool_call_chunks:
            if not self.request.args_are_text:
                self._gather(fragment)
            elif args := fragment["args"]:
                yield Piece(text=args)

    def finish(self) -> Iterator[Piece]:
        """Yield the completed tool calls and the end."""
        for number, call in enumerate(self.calls):
            yield Piece(tool_call=call.complete(number, self.name))
        yield Piece(end=self._end())

    def _count(self, chunk: AIMessageChunk) -> None:
        self.characters += len(str(chunk.text)) + len(_reasoning(chunk))
        self.characters += sum(len(part["args"] or "") for part in chunk.tool_call_chunks)
        for key in _REASON_KEYS:
            if found := chunk.response_metadata.get(key):
                self.reason = _REASONS.get(str(found).lower(), "unknown")
        if found := chunk.response_metadata.get("token_usage"):
            tokens = (found.get("prompt_tokens") or 0, found.get("completion_tokens") or 0, 0)
            self.metadata_tokens = tokens
        if usage := chunk.usage_metadata:
            cached = usage.get("input_token_details", {}).get("cache_read", 0)
            used, made, old = self.tokens
            self.tokens = (
                used + usage["input_tokens"],
                made + usage["output_tokens"],
                old + (cached or 0),
            )

    def _gather(self, fragment: ToolCallChunk) -> None:
        """Add a fragment to the call with its index.

        Some servers send no index, or 0 for every call, so a new id also starts a new call.
        """
        index, given = fragment["index"], fragment["id"]
        call = next((call for call in reversed(self.calls) if call.index == index), None)
        if call is None or (given and call.id and given != call.id):
            call = _Call(index)
            self.calls.append(call)
        call.add(fragment)

    def _end(self) -> End:
        # Some servers end a reply that calls tools with "stop". A forced tool call, conversely,
        # ends with "tool_calls", although its arguments are the whole reply.
        called = self.calls and self.reason in ("stop", "unknown")
        reason: Reason = "tool_calls" if called else self.reason
        if self.request.args_are_text and reason == "tool_calls":
            reason = "stop"
        asked = sum(len(message.text) for message in self.request.messages)
        estimate = (_tokens(asked), _tokens(self.characters), 0)
        counted = self.tokens if any(self.tokens) else self.metadata_tokens
        used, made, cached = counted if any(counted) else estimate
        return End(
            reason=reason,
            input_tokens=used,
            output_tokens=made,
            cached_tokens=cached,
            estimated=not any(counted),
        )


def _tokens(characters: int) -> int:
    return -(-characters // CHARACTERS_PER_TOKEN)


def _reasoning(chunk: AIMessageChunk) -> str:
    """Return the reasoning in a chunk: a keyword argument, or content blocks."""
    extra = chunk.additional_kwargs.get("reasoning_content")
    if isinstance(extra, str):
        return extra
    if isinstance(chunk.content, str):  # it has no content blocks
        return ""
    blocks = chunk.content_blocks
    return "".join(str(b.get("reasoning") or "") for b in blocks if b["type"] == "reasoning")


class _Call:
    """A tool call while its fragments arrive."""

    def __init__(self, index: int | str | None) -> None:
        self.index = index
        self.id = ""
        self.name = ""
        self.args = ""

    def add(self, fragment: ToolCallChunk) -> None:
        """Append a fragment; a name may be split over several, an id comes whole or repeated."""
        self.id = self.id or fragment["id"] or ""
        self.name += fragment["name"] or ""
        self.args += fragment["args"] or ""

    def complete(self, number: int, model: str) -> ToolCall:
        """Build the call; `number` makes an id if the model sent none."""
        if not self.name:
            raise ModelError(f"{model!r} called a tool without naming it")
        return ToolCall(name=self.name, args_json=self.args or "{}", id=self.id or f"call_{number}")
