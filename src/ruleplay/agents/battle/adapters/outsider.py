"""An external program as an arena's opponent: a command starts it, and it accepts challenges.

In the command, `{server}` stands for the server's address, `{name}` for the user name it must take,
`{user}` for its challenger, `{format}` for the format and `{battles}` for the number of battles.
"""

from __future__ import annotations

import asyncio
import shlex
from asyncio.subprocess import DEVNULL, Process
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from ruleplay.agents.battle.adapters.client import Client
from ruleplay.agents.battle.adapters.contest import BattleResult, Contest
from ruleplay.errors import Conflict, Unavailable, UserError

COMING_SECONDS = 330
"""How long the program has to accept a challenge."""
ASK_AGAIN_SECONDS = 1.0
"""Pause between challenges that are not accepted."""
LEAVE_SECONDS = 10
"""Time to exit after SIGTERM."""


@dataclass
class Outsider:
    """The program, running while the context is open; if it exits, it is started again."""

    command: str
    name: str
    server: str
    format: str
    battles: int
    _process: Process | None = None

    async def __aenter__(self) -> Self:
        """Check the command; the program is started for the first battle, when we know our name."""
        self._arguments("")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Terminate the program."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.terminate()
        try:
            async with asyncio.timeout(LEAVE_SECONDS):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()

    def _arguments(self, user: str) -> list[str]:
        words = {
            "server": self.server,
            "name": self.name,
            "user": user,
            "format": self.format,
            "battles": str(self.battles),
        }
        try:
            return [part.format_map(words) for part in shlex.split(self.command)]
        except (ValueError, LookupError) as error:
            raise UserError(
                f"--opponent {self.command!r} is no command: {error}; its places are "
                + ", ".join(f"{{{word}}}" for word in words)
            ) from error

    async def battle(self, us: Client) -> BattleResult:
        """Challenge the program as soon as it is online, and play to the end."""
        await self._started(us.name)
        try:
            async with asyncio.timeout(COMING_SECONDS):
                contest = await self._accepted(us)
        except TimeoutError as error:
            raise Unavailable(
                f"{self.name!r} took no challenge within {COMING_SECONDS} s; does the command "
                "log in under {name}?"
            ) from error
        return await us.finish(contest)

    async def _started(self, user: str) -> None:
        """Start the program unless it is running."""
        if self._process is not None and self._process.returncode is None:
            return
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._arguments(user), stdin=DEVNULL, stdout=DEVNULL
            )
        except OSError as error:
            raise UserError(f"--opponent {self.command!r} does not start: {error}") from error

    async def _accepted(self, us: Client) -> Contest:
        while True:
            try:
                return await us.begin(self.name)
            except (Conflict, Unavailable):
                # It may not have logged in yet; only its exit is final.
                if self._process is not None and self._process.returncode is not None:
                    raise
                await asyncio.sleep(ASK_AGAIN_SECONDS)
