"""Playing on one of several seats at the command line: sit down, leave, let the others move."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ruleplay.cli import output
from ruleplay.cli.following import follow
from ruleplay.errors import Conflict
from ruleplay.kernel.autoplay import Pace, play_on
from ruleplay.records.turns import whole_reply

if TYPE_CHECKING:
    from ruleplay.cli.screens import Screen
    from ruleplay.kernel.agent import AnyAgent, Move
    from ruleplay.kernel.autoplay import Step
    from ruleplay.kernel.host import Host
    from ruleplay.records.turns import Turn

PATIENCE = 24 * 3600.0
"""Seconds to wait for people on other seats; the user can stop waiting with Ctrl-C."""


@dataclass(frozen=True)
class Place:
    """The user's seat in a session; in sessions without guarded seats its methods do nothing."""

    host: Host
    session: str
    seat: str
    screen: Screen

    async def sit(self) -> bool:
        """Take the seat if it is guarded and free; returns whether this call took it."""
        agent, state = await self._state()
        if not self._taken(agent, state) or agent.seat_guard(state, self.seat):
            return False
        # A token that nobody gets: the command line works on the database, and needs none.
        guard = hashlib.sha256(secrets.token_bytes(32)).hexdigest()
        try:
            given = agent.sit(state, self.seat, guard, self.seat)
            await self.host.start(self.session, given, seat=self.seat)
        except Conflict:
            return False  # somebody else sat down first
        return True

    async def leave(self) -> None:
        """Leave the seat, so that the game does not wait for the user."""
        agent, state = await self._state()
        given = agent.leave(state, self.seat)
        await self.host.start(self.session, given, seat=self.seat)

    async def acts(self) -> bool:
        """Whether this is a player's seat, in a session where seats take turns."""
        return self._taken(*await self._state())

    def _taken(self, agent: AnyAgent, state: Any) -> bool:
        seats = agent.seats_of(state)
        return bool(agent.public_seat) and self.seat in seats and self.seat != agent.public_seat

    async def wait(self) -> Step | None:
        """Play the other seats' moves up to this seat's, or one round if this seat only watches.

        Returns the last step. Cancelling this cancels the running turn.
        """
        running: list[asyncio.Task[Turn]] = []

        def begin(move: Move, version: int) -> asyncio.Task[Turn]:
            running[:] = [asyncio.create_task(self._followed(move, version))]
            return running[0]

        pace = Pace(rounds=0 if await self.acts() else 1, patience=PATIENCE)
        step, waited = None, ""
        try:
            async for step in play_on(self.host, self.session, pace, begin):
                if step.stage == "waiting" and step.seat == self.seat:
                    break
                if step.stage == "waiting" and waited != step.seat:
                    waited = step.seat
                    output.note(f"waiting for {waited}; Ctrl-C stops waiting")
        except asyncio.CancelledError:
            for task in running:
                task.cancel()
                await asyncio.wait({task})
            raise
        return step

    async def _followed(self, move: Move, version: int) -> Turn:
        """Play a move and show it as this seat sees it."""
        with self.screen.turn():
            task = self.host.start(self.session, move.given, seat=move.seat, version=version)
            turn = await follow(self.host, self.session, task, self.seat, self.screen.hear)
        if reply := whole_reply(turn, self.seat):
            self.screen.show(turn, reply)
        return turn

    async def _state(self) -> tuple[AnyAgent, Any]:
        head, _ = await self.host.store.read(self.session)
        state, _number = await self.host.state(head, head.head)
        return self.host.find_agent(head.agent), state
