"""Arenas as durable jobs, in which each battle is a part."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from ruleplay.agents.battle.adapters.arena import Arena, Opponent, Plan
from ruleplay.agents.battle.adapters.connection import server_url
from ruleplay.agents.battle.adapters.contest import BattleResult
from ruleplay.agents.battle.adapters.player import PlaySettings
from ruleplay.agents.battle.commands.hosting import DEFAULT_FORMAT, playing_host, served
from ruleplay.durable.jobs import JobKind, OpenJob
from ruleplay.records.events import Json

if TYPE_CHECKING:
    from ruleplay.settings import Settings

_OUTCOME = TypeAdapter(BattleResult)


class ArenaOptions(BaseModel):
    """What `ruleplay battle arena` takes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    opponent: Opponent = "heuristics"
    battles: int = Field(default=20, ge=1, le=100_000)
    concurrency: int = Field(default=2, ge=1, le=32)
    format: str = DEFAULT_FORMAT
    server: str = Field(default="", description="a server that runs; else our own")
    search_ms: int = Field(default=100, ge=0, le=20_000)
    engine: Literal["auto", "poke-engine", "python"] = "auto"
    model: str = ""


class OpenArena(OpenJob):
    """A running arena."""

    def __init__(self, arena: Arena, battle: Callable[[], Awaitable[BattleResult]]) -> None:
        self._arena, self._battle = arena, battle
        self.at_once = arena.plan.concurrency

    async def plan(self) -> list[str]:
        """List the battles by number."""
        return [str(number) for number in range(1, self._arena.plan.battles + 1)]

    async def part(self, name: str) -> Json:
        """Play one battle to its end."""
        outcome: Json = _OUTCOME.dump_python(await self._battle(), mode="json")
        return outcome

    def result(self, parts: Mapping[str, Json]) -> Json:
        """Combine the battles into the arena's report."""
        for outcome in parts.values():
            self._arena.note(_OUTCOME.validate_python(outcome))
        return self._arena.report().model_dump(mode="json")


class ArenaKind(JobKind[ArenaOptions]):
    """Battles against a baseline."""

    name = "arena"
    title = "Battles against a baseline, and how strong we are"
    options = ArenaOptions

    @asynccontextmanager
    async def open(
        self, job: str, options: ArenaOptions, settings: Settings
    ) -> AsyncIterator[OpenJob]:
        """Open a host for the arena, and a server unless one is given."""
        plan = Plan(
            opponent=options.opponent,
            battles=options.battles,
            concurrency=options.concurrency,
            format=options.format,
            play=PlaySettings(search_ms=options.search_ms, engine=options.engine),
        )
        hosting = playing_host("", options.model, keep=False, battle_format=plan.format, packed="")
        async with hosting as (host, world):
            engine = world.engine(plan.play.engine, plan.format)
            if plan.play.search_ms:
                await world.warm(plan.format, engine)
            async with served(host.settings, options.server) as at:
                arena = Arena(host, plan, server_url(at), engine)
                async with arena.seated() as battle:
                    yield OpenArena(arena, battle)


ARENA = ArenaKind()
