"""Choices over many formats, single and double, counted with those the server called invalid.

Each format is played against a baseline that chooses at random, without a search: what is counted
is whether the server takes our choices, not how good they are. Every second round a hostile model
is asked what to do: whatever it proposes, only a legal choice may reach the server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from pydantic import BaseModel, ConfigDict

from ruleplay.adversary.hostile import HostileModel
from ruleplay.agents.battle.adapters.arena import Arena, Plan
from ruleplay.agents.battle.adapters.contest import BattleResult
from ruleplay.agents.battle.adapters.player import PlaySettings
from ruleplay.agents.battle.adapters.server import LocalServer
from ruleplay.agents.battle.adapters.showdown_package import require_package
from ruleplay.agents.battle.adapters.teams import pack_team
from ruleplay.agents.battle.domain.standing import Standing
from ruleplay.catalog import find_agent
from ruleplay.kernel.host import Host
from ruleplay.settings import Settings

TEAM = Path(__file__).with_name("team.txt")
FORMATS = {
    "gen9randombattle": False, "gen9randomdoublesbattle": False, "gen9vgc2024regg": True,
    "gen9ou": True, "gen8randombattle": False, "gen4randombattle": False,
}  # fmt: skip
"""Formats, and whether they want a team brought along."""
MODELS = ("rules", "hostile")
SEED = 53
CHOICES = 20_000
SECONDS = 3600
"""No battle is begun after this long."""


class FormatChoices(BaseModel):
    """What was counted in one format, with one model."""

    model_config = ConfigDict(frozen=True)

    format: str
    model: str
    battles: int
    wins: int
    choices: int
    invalid: int
    unavailable: int
    fallbacks: int
    lost_on_time: int


class ChoicesReport(BaseModel):
    """All formats together; `unavailable` are traps that the server hides until it refuses."""

    model_config = ConfigDict(frozen=True)

    choices: int
    invalid: int
    lost_on_time: int
    formats: tuple[FormatChoices, ...]


async def bench_choices(
    turns: int = CHOICES, on_progress: Callable[[int, int], None] = lambda done, total: None
) -> ChoicesReport:
    """Play until `turns` choices were made over all formats (Unavailable without Node)."""
    home, began = Settings().home, perf_counter()
    arenas: dict[tuple[str, str], Arena] = {}

    def made() -> int:
        tallies = [outcome.tally for arena in arenas.values() for outcome in arena.outcomes]
        return sum(tally.decisions for tally in tallies)

    async def on_battle(outcome: BattleResult, standing: Standing) -> None:
        on_progress(min(turns, made()), turns)

    package = await asyncio.to_thread(require_package, home)
    with TemporaryDirectory(prefix="ruleplay-choices-") as folder:
        hosts = {model: await _host(home, folder, model) for model in MODELS}
        async with LocalServer(package) as server:
            while made() < turns and perf_counter() - began < SECONDS:
                for (name, brings), model in product(FORMATS.items(), MODELS):
                    packed = pack_team(TEAM.read_text("utf-8")) if brings else ""
                    play = PlaySettings(search_ms=0, engine="python")
                    plan = Plan("random", 2, format=name, packed=packed, play=play)
                    arena = Arena(hosts[model], plan, server.url, "python")
                    before = arenas.setdefault((name, model), arena)
                    await arena.play(on_battle)
                    if before is not arena:
                        before.outcomes += arena.outcomes
        for host in hosts.values():
            await host.close()
    found = tuple(_counted(*key, arena) for key, arena in arenas.items())
    return ChoicesReport(
        choices=sum(one.choices for one in found),
        invalid=sum(one.invalid for one in found),
        lost_on_time=sum(one.lost_on_time for one in found),
        formats=found,
    )


async def _host(home: Path, folder: str, model: str) -> Host:
    db = f"sqlite+aiosqlite:///{folder}/{model}.db"
    host = await Host.open(Settings(home=home, db=db, model=model), find_agent)
    host.models.stand_ins["hostile"] = HostileModel(SEED)
    return host


def _counted(name: str, model: str, arena: Arena) -> FormatChoices:
    tallies = [outcome.tally for outcome in arena.outcomes]
    return FormatChoices(
        format=name,
        model=model,
        battles=len(tallies),
        wins=sum(outcome.won is True for outcome in arena.outcomes),
        choices=sum(tally.decisions for tally in tallies),
        invalid=sum(tally.invalid for tally in tallies),
        unavailable=sum(tally.unavailable for tally in tallies),
        fallbacks=sum(tally.fallbacks for tally in tallies),
        lost_on_time=sum(tally.timed_out for tally in tallies),
    )
