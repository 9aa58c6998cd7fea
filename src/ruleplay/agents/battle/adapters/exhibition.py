"""Battles to watch on a local server, against a baseline, ourselves or a person."""

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
"""How long a server without battles is kept."""
ENDING_SECONDS = 10
"""How long the other seat has to receive the result after our battle ended."""


class Venue:
    """A local server that runs while there are battles, and a little longer."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._server: LocalServer | None = None
        self._guests = 0
        self._door = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._closing: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        """Provide the server's address; the first user starts the server.

        Unavailable without Node or the server's package. After a failed battle the server is not
        kept.
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
        """Count a battle in; the first one starts the server."""
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
        """Count a battle out; the server stops after `idle` seconds unless another one begins."""
        self._guests -= 1
        self._timer = asyncio.get_running_loop().call_later(idle, self._expire)

    def _expire(self) -> None:
        self._closing = asyncio.create_task(self.close())

    async def close(self) -> None:
        """Stop the server, unless a battle is running."""
        if self._timer is not None:
            self._timer.cancel()
        async with self._door:
            if self._guests == 0 and self._server is not None:
                server, self._server = self._server, None
                await server.stop()


def installed_package(home: Path) -> Path:
    """Find the server's package; Unavailable says how to install it."""
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
    """Play one battle to its end; `on_session` receives our session's id when it begins.

    There is no clock if a person has the other seat, or if orders wait for a person on our side.
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
            # The other seat receives the result a moment later and should still show it.
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
    # Nothing comes from the server while the person is thinking.
    patience = Patience(silence=2 * person.idle) if person else Patience()
    connection = Connection(url, Account.guest(stem), patience=patience)
    return Client(connection, chooser, format=battle_format, timed=timed)
