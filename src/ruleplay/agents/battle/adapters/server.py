"""A local Showdown server: on loopback, on a free port, ending with this process.

async with LocalServer(require_package(home)) as server:
    ... server.url ...
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections import deque
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from ruleplay.agents.battle.adapters.showdown_package import node_program
from ruleplay.errors import Unavailable

GUARD = Path(__file__).with_name("showdown_guard.cjs")
"""Starts the server, and ends it when standard input closes, even if this process was killed."""
READY = "now listening on 127.0.0.1:"
"""What the server prints before it listens."""
READY_SECONDS = 90
"""Time limit of a start."""
STOP_SECONDS = 3
"""Time to exit by itself before it is killed."""
PORTS_TRIED = 3
"""Another process may take the free port before the server does."""


class LocalServer:
    """One server process; `port` 0 takes a free one. It runs while its standard input is open."""

    def __init__(self, package: Path, port: int = 0) -> None:
        self.package, self.port = package, port
        self._process: asyncio.subprocess.Process | None = None
        self._said: deque[str] = deque(maxlen=20)
        self._draining: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """The address for clients."""
        return f"ws://127.0.0.1:{self.port}/showdown/websocket"

    async def start(self) -> None:
        """Start the server and wait until it listens (Unavailable with its last output)."""
        wanted = self.port
        if wanted and await _answers(wanted):
            raise Unavailable(f"port {wanted} is taken; choose another, or 0 for a free one")
        for _ in range(1 if wanted else PORTS_TRIED):
            self.port = wanted or _free_port()
            if await self._started():
                return
        last = next((line for line in reversed(self._said) if line.strip()), "it said nothing")
        raise Unavailable(
            f"the Showdown server did not start on port {self.port}: {last.strip()[:200]}; "
            "`ruleplay setup battle` installs it anew"
        )

    async def _started(self) -> bool:
        self._process = await asyncio.create_subprocess_exec(
            node_program(),
            str(GUARD),
            *("start", "--no-security", "--skip-build", str(self.port)),
            cwd=self.package,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,  # a process group, so that all of it can be stopped
        )
        try:
            async with asyncio.timeout(READY_SECONDS):
                listening = await self._until_ready()
        except TimeoutError:
            listening = False
        except BaseException:
            await self.stop()
            raise
        if listening:
            self._draining = asyncio.create_task(self._drain())
        else:
            await self.stop()
        return listening

    async def _until_ready(self) -> bool:
        while line := await self._line():
            if f"{READY}{self.port}" in line:
                # The message comes before the port is open.
                while not await _answers(self.port):  # noqa: ASYNC110  # there is no event
                    await asyncio.sleep(0.02)
                return True
        return False

    async def _drain(self) -> None:
        """Keep reading, so that the server never blocks on a full pipe."""
        while await self._line():
            pass

    async def _line(self) -> str:
        """Read the server's next line with its end; "" once it has exited."""
        if self._process is None or self._process.stdout is None:
            return ""
        try:
            line = (await self._process.stdout.readline()).decode(errors="replace")
        except ValueError:  # longer than the reader's limit; asyncio has dropped it
            return "\n"
        self._said.append(line)
        return line

    async def stop(self) -> None:
        """Stop the server by closing its standard input; if that fails, kill its process group."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        if self._draining is not None:
            self._draining.cancel()
            await asyncio.wait({self._draining})

    async def wait(self) -> int:
        """Wait until the server exits by itself, and return its exit code."""
        return await self._process.wait() if self._process else 0

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.stop()


async def _answers(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
