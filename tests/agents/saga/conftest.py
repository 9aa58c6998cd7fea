"""Fixtures of the saga's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ruleplay.catalog import find_agent
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.models.scripted import ScriptedModel
from ruleplay.records.events import Json
from ruleplay.records.turns import Turn
from ruleplay.settings import Settings


class Table:
    """One saga; every message is played by a process of its own, as far as memory goes."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.id = settings, ""

    @asynccontextmanager
    async def session(
        self, script: dict[str, list[object]] | None = None
    ) -> AsyncIterator[Session]:
        host = await Host.open(self.settings, find_agent)
        if script is not None:
            host.models.stand_ins["scripted"] = ScriptedModel(script)
        try:
            yield Session(host, self.id)
        finally:
            await host.close()

    async def sit_down(self, seed: str = "1", **config: object) -> None:
        async with self.session() as session:
            self.id = (await session.host.create("saga", config or None, seed=seed)).id

    async def say(self, message: str) -> Turn:
        async with self.session() as session:
            return await session.turn(message)

    async def view(self) -> Json:
        async with self.session() as session:
            return await session.view()


Sit = Callable[..., Awaitable[Table]]


@pytest.fixture
def sit(tmp_path: Path) -> Sit:
    """Return a way to begin a saga on a database of its own."""

    async def down(seed: str = "1", model: str = "rules", **config: object) -> Table:
        table = Table(Settings(home=tmp_path, db="", model=model))
        await table.sit_down(seed, **config)
        return table

    return down
