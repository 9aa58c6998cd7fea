"""Battles to watch: ours against a baseline on a local server, as a session of a given host."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from ruleplay.agents.battle.adapters.arena import Opponent
from ruleplay.agents.battle.adapters.client import Client
from ruleplay.agents.battle.adapters.connection import Account, Connection, Patience
from ruleplay.agents.battle.adapters.contest import BattleResult, Chooser
from ruleplay.agents.battle.adapters.doubles import chooser_of
from ruleplay.agents.battle.adapters.duel import PersonSeat
from ruleplay.agents.battle.adapters.opponents import BaselineChooser
from ruleplay.agents.battle.adapters.player import PlaySettings
from ruleplay.agents.battle.adapters.server import LocalServer
from ruleplay.agents.battle.adapters.showdown_package import find_package
from ruleplay.errors import RuleplayError, Unavailable
from ruleplay.kernel.host import Host

OnSession = Callable[[str], None]


IDLE_SECONDS = 120
"""How long a server waits for another battle after the last one."""
ENDING_SECONDS = 10
"""How long the other seat has, once our battle is over, to learn how it ended."""


class Venue:
    """One local server for as long as battles are on it, and a while longer."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._server: LocalServer | None = None
        self._guests = 0
        self._door = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._closing: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        """Return the server's address; the first guest starts it.

        Unavailable without Node or the server's package. A server on which a battle failed is not
        kept for the next one.
        """
        url, idle = await self._enter(), IDLE_SECONDS
        try:
            yield url
        except RuleplayError:
            idle = 0
            raise
        finally:
            self._leave(idle)

    async def _enter(self) -> str:
        async with self._door:
            if self._timer is not None:
                self._timer.cancel()
            if self._server is None:
                server = LocalServer(await asyncio.to_thread(installed_package, self._home))
                await server.start()
                self._server = server
            self._guests += 1
            return self._server.url

    def _leave(self, idle: float) -> None:
        self._guests -= 1
        self._timer = asyncio.get_running_loop().call_later(idle, self._expire)

    def _expire(self) -> None:
        self._closing = asyncio.create_task(self.close())

    async def close(self) -> None:
        """Stop the server now, unless a battle is on it."""
        if self._timer is not None:
            self._timer.cancel()
        async with self._door:
            if self._guests == 0 and self._server is not None:
                server, self._server = self._server, None
                await server.stop()


def installed_package(home: Path) -> Path:
    """Return the server's package; Unavailable says how to install it where it is missing."""
    if package := find_package(home):
        return package
    raise Unavailable("no Showdown server is installed here; `ruleplay setup battle` installs it")


async def play_exhibition(
    host: Host,
    url: str,
    opponent: Opponent | PersonSeat,
    play: PlaySettings,
    on_session: OnSession,
    *,
    format: str,  # noqa: A002
) -> BattleResult:
    """Play one battle to its end; `on_session` is told the id of our session when it begins.

    A person at the other seat, or one at ours whom orders wait for, plays without a clock.
    """
    person = opponent if isinstance(opponent, PersonSeat) else None
    timed = person is None and not play.hold

    def ours() -> Chooser:
        return chooser_of(host, play, format, lambda room, session: on_session(session))

    def theirs() -> Chooser:
        if isinstance(opponent, PersonSeat):
            return opponent
        if opponent == "self":
            return chooser_of(host, play, format)
        return BaselineChooser(opponent)

    async with (
        _client(url, "Ruleplay", ours, format, person, timed=timed) as us,
        _client(
            url, "Player" if person else "Opponent", theirs, format, person, timed=timed
        ) as them,
    ):
        accepting = asyncio.create_task(them.accept(us.name))
        try:
            outcome = await us.challenge(them.name)
            # The same end reaches the other seat a moment later, and is to be seen there.
            await asyncio.wait({accepting}, timeout=ENDING_SECONDS)
            return outcome
        finally:
            accepting.cancel()
            await asyncio.gather(accepting, return_exceptions=True)


def _client(
    url: str,
    stem: str,
    chooser: Callable[[], Chooser],
    battle_format: str,
    person: PersonSeat | None,
    *,
    timed: bool,
) -> Client:
    patience = Patience(silence=2 * person.idle) if person else Patience()
    connection = Connection(url, Account.guest(stem), patience=patience)
    return Client(connection, chooser, format=battle_format, timed=timed)
