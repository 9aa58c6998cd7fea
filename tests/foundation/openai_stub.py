"""A small real server of the OpenAI chat-completions wire format, scripted reply by reply.

It speaks HTTP/1.1 over asyncio streams rather than through a framework, because half of what is
tested is what frameworks tidy up: broken JSON, connections dropped in mid-stream, stalls, and
whether a client that gave up really closed its connection.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

JsonObject = dict[str, object]


@dataclass(frozen=True)
class Reply:
    """What the server answers to one request.

    `deltas` are sent one chunk each, then `finish`, then the usage (prompt, completion, cached).
    `stall_at`: waits before that chunk until the server's `release` is set. `drop_at`: cuts the
    connection there. `broken_at`: sends half a JSON document there. `raw`: server-sent events of
    another provider's format, sent as they are instead of all that.
    """

    deltas: tuple[JsonObject, ...] = ()
    finish: str | None = "stop"
    usage: tuple[int, int, int] | None = (11, 7, 0)
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    stall_at: int | None = None
    drop_at: int | None = None
    broken_at: int | None = None
    raw: tuple[str, ...] = ()


def say(*texts: str) -> Reply:
    return Reply(deltas=tuple({"content": text} for text in texts))


def failing(status: int, **headers: str) -> Reply:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Reply(status=status, headers=named)


def fragment(
    index: int | None, call_id: str | None = None, name: str | None = None, args: str | None = None
) -> JsonObject:
    """Return the delta of one tool-call fragment; what is None is left out."""
    function = {"name": name, "arguments": args}
    call: JsonObject = {"index": index, "id": call_id, "type": "function" if call_id else None}
    call["function"] = {key: value for key, value in function.items() if value is not None}
    return {"tool_calls": [{key: value for key, value in call.items() if value is not None}]}


@dataclass
class Request:
    """A request as received."""

    path: str
    headers: dict[str, str]
    body: JsonObject


@dataclass
class OpenAIStub:
    """Serves `script` in order on a random loopback port: `async with OpenAIStub([…]) as stub`."""

    script: Sequence[Reply]
    requests: list[Request] = field(default_factory=list)
    release: asyncio.Event = field(default_factory=asyncio.Event)
    stalled: asyncio.Event = field(default_factory=asyncio.Event)
    disconnected: asyncio.Event = field(default_factory=asyncio.Event)
    url: str = ""
    port: int = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release.set()
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await _read_request(reader)
            reply = self.script[len(self.requests)]
            self.requests.append(request)
            await self._answer(request, reply, reader, writer)
        except ConnectionError:
            self.disconnected.set()
        finally:
            writer.close()

    async def _answer(
        self,
        request: Request,
        reply: Reply,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        if reply.status != 200:
            _send_json(writer, reply, {"error": {"message": "scripted", "type": "scripted"}})
        elif request.body.get("stream"):
            await self._stream(reply, request, reader, writer)
        else:
            _send_json(writer, reply, _completion(reply))
        await writer.drain()

    async def _stream(
        self,
        reply: Reply,
        request: Request,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        _send_head(writer, reply, "text/event-stream", "Transfer-Encoding: chunked")
        for event in reply.raw:
            _send_chunk(writer, event)
        if reply.raw:
            writer.write(b"0\r\n\r\n")
            return
        for number, chunk in enumerate(_chunks(reply, request)):
            if number == reply.drop_at:
                # Sent whole, so that what is tested is the missing end, not a lost buffer.
                await writer.drain()
                return
            if number == reply.stall_at:
                await self._stall(reader)
            sent = '{"choices": [{"delta"' if number == reply.broken_at else json.dumps(chunk)
            _send_chunk(writer, f"data: {sent}\n\n")
            await writer.drain()
        _send_chunk(writer, "data: [DONE]\n\n")
        writer.write(b"0\r\n\r\n")

    async def _stall(self, reader: asyncio.StreamReader) -> None:
        """Wait until the test lets go on, or the client has gone."""
        self.stalled.set()
        gone = asyncio.ensure_future(reader.read(1))
        released = asyncio.ensure_future(self.release.wait())
        done, pending = await asyncio.wait((gone, released), return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        if gone in done:
            raise ConnectionResetError("the client has gone")


async def _read_request(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    pairs = (line.partition(":") for line in head[1:] if line)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(head[0].split(" ")[1], headers, json.loads(body))


def _chunks(reply: Reply, request: Request) -> list[JsonObject]:
    """Return the stream's chunks: deltas, the finish reason, and the usage if it was asked for."""
    choices: list[list[JsonObject]] = [
        [{"index": 0, "delta": {"role": "assistant"} | delta, "finish_reason": None}]
        for delta in reply.deltas
    ]
    if reply.finish:
        choices.append([{"index": 0, "delta": {}, "finish_reason": reply.finish}])
    chunks = [_envelope("chat.completion.chunk", choice) for choice in choices]
    options = request.body.get("stream_options")
    if reply.usage and isinstance(options, dict) and options.get("include_usage"):
        chunks.append(_envelope("chat.completion.chunk", []) | {"usage": _usage(reply.usage)})
    return chunks


def _completion(reply: Reply) -> JsonObject:
    text = "".join(str(delta.get("content", "")) for delta in reply.deltas)
    message = {"role": "assistant", "content": text}
    choice: JsonObject = {"index": 0, "message": message, "finish_reason": reply.finish}
    return _envelope("chat.completion", [choice]) | {"usage": _usage(reply.usage or (0, 0, 0))}


def _usage(usage: tuple[int, int, int]) -> JsonObject:
    prompt, completion, cached = usage
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def _envelope(kind: str, choices: list[JsonObject]) -> JsonObject:
    return {"id": "c1", "object": kind, "created": 1, "model": "stub", "choices": choices}


def _send_head(writer: asyncio.StreamWriter, reply: Reply, kind: str, framing: str) -> None:
    extra = "".join(f"{name}: {value}\r\n" for name, value in reply.headers)
    writer.write(
        f"HTTP/1.1 {reply.status} Scripted\r\nContent-Type: {kind}\r\n{framing}\r\n"
        f"Connection: close\r\n{extra}\r\n".encode()
    )


def _send_json(writer: asyncio.StreamWriter, reply: Reply, body: JsonObject) -> None:
    sent = json.dumps(body).encode()
    _send_head(writer, reply, "application/json", f"Content-Length: {len(sent)}")
    writer.write(sent)


def _send_chunk(writer: asyncio.StreamWriter, text: str) -> None:
    sent = text.encode()
    writer.write(f"{len(sent):x}\r\n".encode() + sent + b"\r\n")
