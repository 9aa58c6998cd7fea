"""The job `autoplay`: a game that plays itself, with a round as each part.

If the agent's rules determine the next move, `play_on` plays all moves but those of people, who are
passed over when their time is up. For other agents a round is a number of rehearsed turns.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from ruleplay.catalog import find_agent
from ruleplay.durable.jobs import JobKind, OpenJob
from ruleplay.errors import UserError
from ruleplay.kernel.autoplay import PATIENCE, Pace, play_on
from ruleplay.kernel.host import Host
from ruleplay.records.events import Json

if TYPE_CHECKING:
    import asyncio
    from typing import Any

    from ruleplay.kernel.agent import AnyAgent, Move
    from ruleplay.records.turns import Turn
    from ruleplay.settings import Settings


class AutoplayOptions(BaseModel, frozen=True, extra="forbid"):
    """Options of the job."""

    agent: str = "saga"
    session: str = Field(default="", description="session to go on with; a new one otherwise")
    config: Json | None = Field(default=None, description="configuration of the new session")
    rounds: int = Field(default=20, ge=1, le=10_000)
    turns: int = Field(
        default=1, ge=1, le=100, description="turns a round, where the game has no rounds"
    )
    patience: float = Field(
        default=PATIENCE, ge=1, le=3_600, description="seconds that a person gets for a move"
    )
    seed: str = Field(default="1", max_length=64, description="chance of what is said")


@dataclass
class OpenGame(OpenJob):
    """A host that plays the rounds; turns' keys name job and round, so none is played twice."""

    host: Host
    job: str
    options: AutoplayOptions

    async def plan(self) -> list[str]:
        """Name the parts `SESSION ROUND`, creating the session if none is given."""
        session = self.options.session
        if session:
            head, _ = await self.host.store.read(session)
            if head.agent != self.options.agent:
                raise UserError(f"session {session!r} belongs to agent {head.agent!r}")
        else:
            session = (await self.host.create(self.options.agent, self.options.config)).id
        agent, state = await self._state(session)
        move = agent.next_move(state)
        first = move.round if move else 1
        return [f"{session} {number}" for number in range(first, first + self.options.rounds)]

    async def part(self, name: str) -> Json:
        """Play one round, up to its last turn or the game's end."""
        session, _, number = name.rpartition(" ")
        agent, _ = await self._state(session)
        if agent.names_moves:
            turns, ended = await self._played_on(session, int(number))
        else:
            said = [await self._turn(session, f"{number}/{n}") for n in range(self.options.turns)]
            turns = [turn for turn, _ in said if turn]
            ended = next((wrong for _, wrong in said if wrong), "")
        return {"session": session, "turns": [*turns], "ended": ended}

    async def _state(self, session: str) -> tuple[AnyAgent, Any]:
        head, _ = await self.host.store.read(session)
        state, _ = await self.host.state(head, head.head)
        return self.host.find_agent(head.agent), state

    async def _played_on(self, session: str, number: int) -> tuple[list[str], str]:
        """Play a round; returns its turns, with those before a crash, and why it ended early."""
        turns: list[str] = []
        while turn := (await self.host.store.read(session, self._key(f"{number}/{len(turns)}")))[1]:
            turns.append(turn.id)
        agent, state = await self._state(session)
        move = agent.next_move(state)
        if move and move.round > number:
            return turns, ""

        def begin(move: Move, version: int) -> asyncio.Task[Turn]:
            key = self._key(f"{number}/{len(turns)}")
            return self.host.start(session, move.given, seat=move.seat, version=version, key=key)

        pace = Pace(rounds=1, patience=self.options.patience)
        async for step in play_on(self.host, session, pace, begin):
            if step.turn:
                turns.append(step.turn.id)
            if step.stage == "over":
                return turns, "nothing goes on by itself here"
        return turns, ""

    def _key(self, place: str) -> str:
        return f"{self.job}/{place}"

    async def _turn(self, session: str, place: str) -> tuple[str, str]:
        """Play a rehearsed turn unless that is done; returns its id, or "" and the error."""
        key = self._key(place)
        _, played = await self.host.store.read(session, key)
        if played:
            return played.id, ""
        agent, state = await self._state(session)
        seat, given = agent.rehearse_seat(state, Random(f"{self.options.seed}/{place}"))
        try:
            return (await self.host.start(session, given, seat=seat, key=key)).id, ""
        except UserError as error:
            return "", str(error)

    def result(self, parts: Mapping[str, Json]) -> Json:
        """Summarise the session and the number of its rounds and turns."""
        played = [turn for part in parts.values() for turn in _strings(part["turns"])]
        ended = next((part["ended"] for part in parts.values() if part["ended"]), "")
        session = next((part["session"] for part in parts.values()), "")
        return {"session": session, "rounds": len(parts), "turns": len(played), "ended": ended}


def _strings(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


class AutoplayKind(JobKind[AutoplayOptions]):
    """Rounds of a game that plays itself."""

    name = "autoplay"
    title = "Rounds of a game that plays itself"
    options = AutoplayOptions

    @asynccontextmanager
    async def open(
        self, job: str, options: AutoplayOptions, settings: Settings
    ) -> AsyncIterator[OpenJob]:
        """Open a separate host on the same database, so that the job's turns are not queued."""
        host = await Host.open(settings, find_agent)
        try:
            yield OpenGame(host, job, options)
        finally:
            await host.close()


AUTOPLAY = AutoplayKind()
