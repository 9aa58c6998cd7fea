"""What the battle agent reaches outside a turn: the set pools, and the search engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from ruleplay.agents.battle.adapters.engine import engine_problem, search
from ruleplay.agents.battle.adapters.set_pool import empty_pool, load_pool, open_pool, pool_file
from ruleplay.agents.battle.adapters.showdown_package import find_package
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Inference, SearchVerdict
from ruleplay.agents.battle.domain.sets import SetPool
from ruleplay.foundation.errors import Unavailable

PYTHON, ENGINE = "python", "poke-engine"


@dataclass
class World:
    """One process's view of the outside; pools are read when first asked for."""

    home: Path
    _pools: dict[str, SetPool] = field(default_factory=dict)

    def pool(self, battle_format: str) -> SetPool:
        """Return a format's pool; an empty one where none was made, so that sets come from the dex."""
        if battle_format not in self._pools:
            package = find_package(self.home)
            file = pool_file(self.home, package, battle_format) if package else None
            known = file is not None and file.exists()
            self._pools[battle_format] = load_pool(file) if known else empty_pool(battle_format)
        return self._pools[battle_format]

    async def prepare(self, battle_format: str) -> str:
        """Make a format's pool if it has a generator; returns why there is none, or ""."""
        package = find_package(self.home)
        if package is None:
            return "no Showdown package: `ruleplay setup battle` installs it"
        try:
            self._pools[battle_format] = await open_pool(self.home, package, battle_format)
        except Unavailable as error:
            return str(error)
        return ""

    def engine(self, wanted: str) -> str:
        """Return which search plays: the engine where it is wanted and works, Python otherwise."""
        if wanted == PYTHON or (wanted == "auto" and engine_problem()):
            return PYTHON
        if problem := engine_problem():
            raise Unavailable(problem)
        return ENGINE
