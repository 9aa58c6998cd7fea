"""Our side at a server: a client whose battles are sessions, with logs kept until saved."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from ruleplay.agents.battle.adapters.client import Client
from ruleplay.agents.battle.adapters.connection import Connection
from ruleplay.agents.battle.adapters.contest import BattleResult, Chooser, Contest
from ruleplay.agents.battle.adapters.doubles import chooser_of
from ruleplay.agents.battle.adapters.player import PlaySettings
from ruleplay.agents.battle.adapters.records import record_of
from ruleplay.agents.battle.adapters.replays import write_replay
from ruleplay.kernel.host import Host


class Keeping:
    """Wraps a chooser and keeps its battle's log at the end."""

    def __init__(self, chooser: Chooser, logs: dict[str, list[str]]) -> None:
        self._chooser, self._logs = chooser, logs

    async def begin(self, contest: Contest) -> None:
        """Delegate to the chooser."""
        await self._chooser.begin(contest)

    async def choose(self, contest: Contest) -> str:
        """Delegate to the chooser."""
        return await self._chooser.choose(contest)

    async def sent(self, contest: Contest) -> None:
        """Delegate to the chooser."""
        await self._chooser.sent(contest)

    async def end(self, contest: Contest) -> None:
        """Keep the log, then delegate to the chooser."""
        self._logs[contest.room] = contest.log
        await self._chooser.end(contest)


@dataclass
class Seat:
    """A client together with its battles; `sessions` maps rooms to session ids."""

    client: Client
    host: Host
    sessions: dict[str, str] = field(default_factory=dict)
    logs: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def at(
        cls,
        connection: Connection,
        host: Host,
        play: PlaySettings,
        *,
        format: str,  # noqa: A002
        packed: str = "",
    ) -> Seat:
        """Create a seat on a connection, which `async with seat.client` opens."""
        sessions: dict[str, str] = {}
        logs: dict[str, list[str]] = {}

        def chooser() -> Chooser:
            return Keeping(chooser_of(host, play, format, sessions.__setitem__), logs)

        return cls(Client(connection, chooser, format=format, packed=packed), host, sessions, logs)

    def running(self) -> tuple[str, ...]:
        """List the rooms of our battles that are running, according to the server."""
        return self.client.games

    async def resumed(self, room: str) -> BattleResult:
        """Resume a running battle in its session."""
        return await self.client.resume(room)

    async def save(self, outcome: BattleResult, folder: Path | None) -> None:
        """Write a battle's replay if a folder is given, and drop its log in any case."""
        log = self.logs.pop(outcome.room, [])
        session = self.sessions.get(outcome.room)
        if folder is None or session is None:
            return
        replay = await record_of(self.host, session, log)
        await asyncio.to_thread(write_replay, replay, folder)
