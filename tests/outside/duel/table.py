"""Where duels are played: hosts that know the duel, for tests and for the processes tests start."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path

from ruleplay.catalog import find_agent
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.models.scripted import Rehearsal
from ruleplay.settings import Settings

SCRIPTED = "scripted"
# As `ruleplay` ends: nothing is looked through for garbage once more.
atexit.register(gc.freeze)


class Tables:
    """Opens hosts on one database, each as a process of its own would, and closes them all."""

    def __init__(self, url: str, home: Path) -> None:
        self.url, self.home = url, home
        self._open = AsyncExitStack()

    async def host(self, model: Rehearsal | None = None, **settings: object) -> Host:
        """Return a new host; `model` stands in for the model name `scripted`."""
        chosen = Settings.model_validate({"home": self.home, "db": self.url, **settings})
        host = await Host.open(chosen, find_agent)
        self._open.push_async_callback(host.close)
        if model is not None:
            host.models.stand_ins[SCRIPTED] = model
        return host

    async def duel(
        self,
        host: Host | None = None,
        *,
        model: Rehearsal | None = None,
        roles: tuple[str, ...] = (),
        config: Mapping[str, int | bool] | None = None,
        seed: str = "seed",
    ) -> Session:
        """Return a new duel; `roles` name those that the scripted model speaks for."""
        host = host or await self.host(model)
        head = await host.create(
            "duel", dict(config or {}), models=dict.fromkeys(roles, SCRIPTED), seed=seed
        )
        return Session(host, head.id)

    async def close(self) -> None:
        """Close all hosts."""
        await self._open.aclose()
