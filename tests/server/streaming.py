"""What tests of streams are made of: a server on a port, readers, and a line that can be cut."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import httpx
from fastapi import FastAPI

from ruleplay.catalog import find_agent
from ruleplay.kernel.host import Host
from ruleplay.models.scripted import Rehearsal
from ruleplay.server.app import create_app
from ruleplay.server.serving import Server, url_of
from ruleplay.settings import Settings

SECONDS = 180
"""How long is waited for what has to come, also on a busy machine."""


class Got(NamedTuple):
    """One event as a browser reads it; `name` is empty when the block set only an id."""

    id: str
    name: str
    data: dict[str, object]

    @property
    def place(self) -> tuple[str, int]:
        turn, _, seq = self.id.partition(":")
        return turn, int(seq)


async def until(true: Callable[[], bool]) -> None:
    """Wait until something is the case."""
    async with asyncio.timeout(SECONDS):
        while not true():
            await asyncio.sleep(0.01)


async def events_of(lines: AsyncIterator[str]) -> AsyncIterator[Got]:
    """Read server-sent events as the HTML standard says."""
    ident, name, data = "", "", ""
    changed = False
    async for line in lines:
        if not line:
            if changed:
                yield Got(ident, name, json.loads(data) if data else {})
            name, data, changed = "", "", False
            continue
        label, _, value = line.partition(": ")
        if label == "id":
            ident, changed = value, True
        elif label == "event":
            name, changed = value, True
        elif label == "data":
            data, changed = data + value, True


@dataclass
class Listener:
    """A reader of one stream, and all it got."""

    response: httpx.Response
    got: list[Got] = field(default_factory=list)
    _events: AsyncIterator[Got] | None = None

    @property
    def told(self) -> list[Got]:
        """What the page would see."""
        return [got for got in self.got if got.name]

    @property
    def names(self) -> list[str]:
        return [got.name for got in self.told]

    @property
    def last_id(self) -> str:
        return self.got[-1].id

    @property
    def text(self) -> str:
        return "".join(str(got.data["text"]) for got in self.told if got.name == "text")

    async def next(self) -> Got:
        """Return the next event; StopAsyncIteration at the stream's end."""
        if self._events is None:
            self._events = events_of(self.response.aiter_lines())
        async with asyncio.timeout(SECONDS):
            got = await anext(self._events)
        self.got.append(got)
        return got

    async def until(self, wanted: str | Callable[[Got], bool]) -> Got:
        """Read up to an event: the first of a name, or the first that a test holds for."""
        while True:
            got = await self.next()
            if got.name == wanted or (callable(wanted) and wanted(got)):
                return got

    async def to_end(self) -> None:
        """Read until the stream ends."""
        with suppress(StopAsyncIteration):
            while True:
                await self.next()


class Wire:
    """A TCP proxy on loopback whose connections can be cut, without a word to either side."""

    def __init__(self, target: str) -> None:
        self._target = httpx.URL(target)
        self._writers: set[asyncio.StreamWriter] = set()
        self.url = ""

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Wire]:
        server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        async with server:
            self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            yield self
            self.cut()

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, port = self._target.host, self._target.port
        there_reader, there_writer = await asyncio.open_connection(host, port)
        self._writers |= {writer, there_writer}
        await asyncio.gather(_pipe(reader, there_writer), _pipe(there_reader, writer))


class Losing(Wire):
    """A proxy that loses whole answers: the first of `loses` that come are read, and not told."""

    def __init__(self, target: str) -> None:
        super().__init__(target)
        self.loses, self.lost = 1, 0

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on requests whose connection ends with their answer, so that one is one line."""
        host, port = self._target.host, self._target.port
        there_reader, there_writer = await asyncio.open_connection(host, port)
        self._writers |= {writer, there_writer}
        head = await reader.readuntil(b"\r\n\r\n")
        lines = [
            line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")
        ]
        there_writer.write(b"\r\n".join([lines[0], b"Connection: close", *lines[1:]]))
        passing = asyncio.create_task(_pipe(reader, there_writer))
        with suppress(ConnectionError):
            answer = await there_reader.read()
            if self.loses:
                self.loses, self.lost = self.loses - 1, self.lost + 1
                writer.transport.abort()
            else:
                writer.write(answer)
                await writer.drain()
                writer.close()
        passing.cancel()


async def _pipe(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while piece := await source.read(65_536):
            sink.write(piece)
            await sink.drain()
    sink.close()


class Life:
    """A server from its start to its end, on a real port of this machine."""

    def __init__(self, app: FastAPI, url: str, server: Server, serving: asyncio.Task[None]) -> None:
        self.app, self.url = app, url
        self._server, self._serving = server, serving
        self.client = httpx.AsyncClient(base_url=url, timeout=SECONDS)

    @property
    def host(self) -> Host:
        host = self.app.state.host
        assert isinstance(host, Host)
        return host

    async def stop(self) -> None:
        """Stop as SIGTERM does."""
        self._server.should_exit = True
        async with asyncio.timeout(SECONDS):
            await self._serving
        await self.client.aclose()

    async def new(self, agent: str, model: Rehearsal | None = None, roles: str = "") -> str:
        """Return the path of a new session; `model` speaks for the given roles."""
        names = {}
        if model is not None:
            self.host.models.stand_ins["scripted"] = model
            names = dict.fromkeys(roles.split(), "scripted")
        return f"/api/sessions/{(await self.host.create(agent, models=names, seed='seed')).id}"

    async def play(self, session: str, message: str, seat: str = "", wait: bool = True) -> str:
        """Play a turn and return its id."""
        body = {"message": message, "seat": seat}
        answer = await self.client.post(
            f"{session}/turns", json=body, headers={"Prefer": "wait"} if wait else {}
        )
        assert answer.status_code in (200, 202), answer.text
        return str(answer.json()["turn"])

    @asynccontextmanager
    async def listen(
        self, session: str, after: str = "", seat: str = "", url: str = ""
    ) -> AsyncIterator[Listener]:
        """Follow a session like a browser does."""
        headers = {"Last-Event-ID": after} if after else {}
        async with (
            httpx.AsyncClient(base_url=url or self.url, timeout=SECONDS) as client,
            client.stream(
                "GET", f"{session}/events", params={"seat": seat}, headers=headers
            ) as response,
        ):
            assert response.status_code == 200, await response.aread()
            yield Listener(response)

    @asynccontextmanager
    async def stream(
        self, path: str, body: dict[str, object], **headers: str
    ) -> AsyncIterator[Listener]:
        """Play a turn and read its own stream."""
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        async with self.client.stream(
            "POST", path, json=body, headers={"Accept": "text/event-stream", **named}
        ) as response:
            assert response.status_code == 200, await response.aread()
            yield Listener(response)


@dataclass
class Lives:
    """Starts servers on one database, one after the other or side by side; stops them all."""

    home: Path
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def start(self, **settings: object) -> Life:
        chosen = Settings.model_validate({"home": self.home, **settings})
        app = create_app(chosen, find_agent)
        ready = asyncio.Event()
        server = Server(app, ready.set, chosen)
        listener = socket.create_server(("127.0.0.1", 0))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        async with asyncio.timeout(SECONDS):
            await ready.wait()
        life = Life(app, url_of(listener, "127.0.0.1"), server, serving)
        self._open.push_async_callback(life.stop)
        return life

    async def end(self) -> None:
        await self._open.aclose()
