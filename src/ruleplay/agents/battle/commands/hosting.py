"""Shared by the battle commands: options, a host with its world prepared, and a server."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ruleplay.cli import output
from ruleplay.errors import UserError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ruleplay.agents.battle.adapters.formats import BattleFormat
    from ruleplay.agents.battle.adapters.world import World
    from ruleplay.kernel.host import Host
    from ruleplay.settings import Settings

Format = Annotated[str, typer.Option("--format", help="Format of the battles.")]
Team = Annotated[
    Path | None, typer.Option("--team", metavar="FILE", help="Team, as the teambuilder exports it.")
]
Server = Annotated[
    str,
    typer.Option("--server", metavar="URL", help="ws://HOST:PORT, or `showdown`, the main server."),
]
SearchMs = Annotated[
    int,
    typer.Option(
        "--search-ms", min=0, max=20_000, help="Milliseconds of search a decision, in all."
    ),
]
Workers = Annotated[
    int,
    typer.Option("--workers", min=0, max=16, help="Cores that search a decision; 0: idle ones."),
]
Hold = Annotated[
    float,
    typer.Option(
        "--hold",
        min=0,
        max=120,
        help="Seconds an order waits for yours, said in its session, before it is sent.",
    ),
]
Engine = Annotated[
    Literal["auto", "poke-engine", "python"], typer.Option("--engine", help="What searches.")
]
Battles = Annotated[int, typer.Option("--battles", min=1, help="How many battles.")]
Name = Annotated[str, typer.Option("--name", help="Our name; the account's, or one made up.")]
SaveReplays = Annotated[
    Path | None,
    typer.Option("--save-replays", metavar="DIR", help="Save page, log and decisions there."),
]
Sets = Annotated[
    Path | None,
    typer.Option(
        "--sets", metavar="FILE", help="Usage statistics (Smogon's chaos JSON) of the format; kept."
    ),
]
DEFAULT_FORMAT = "gen9randombattle"


@asynccontextmanager
async def playing_host(
    db: str, model: str, *, keep: bool, battle_format: str, packed: str, sets: Path | None = None
) -> AsyncIterator[tuple[Host, World]]:
    """Open a host with the battle agent's world prepared.

    Without `keep`, sessions go to a temporary database. A format in which players bring their own
    team needs a `packed` one (UserError).
    """
    from tempfile import TemporaryDirectory

    from ruleplay.agents.battle.adapters.contest import check_format
    from ruleplay.agents.battle.adapters.formats import find_format
    from ruleplay.agents.battle.adapters.player import battle_world
    from ruleplay.agents.battle.adapters.set_pool import keep_usage
    from ruleplay.catalog import find_agent
    from ruleplay.cli.hosting import configured
    from ruleplay.kernel.host import Host

    check_format(battle_format)
    with TemporaryDirectory(prefix="ruleplay-battles-") as folder:
        own = f"sqlite+aiosqlite:///{folder}/battles.db"
        settings = configured(db if keep else own, model)
        package = await installed_package(settings)
        found = await asyncio.to_thread(find_format, package, battle_format)
        if found.own_team and not packed:
            raise UserError(f"in {battle_format}, players bring their own team: give --team FILE")
        if sets is not None:
            await asyncio.to_thread(keep_usage, settings.home, battle_format, sets)
        host = await Host.open(settings, find_agent)
        try:
            world = await battle_world(host)
            if problem := await world.prepare(battle_format):
                output.note(f"{problem}; opposing sets come from the dex alone")
            yield host, world
        finally:
            await host.close()


async def known_sets(
    battle_format: str, sets: Path | None
) -> tuple[Path, World, BattleFormat, str]:
    """Prepare what commands without a battle know of a format; NotFound for an unknown one.

    Gives the package, the world, the format, and why no sets of it are known, or "".
    """
    from ruleplay.agents.battle.adapters.formats import find_format
    from ruleplay.agents.battle.adapters.set_pool import keep_usage
    from ruleplay.agents.battle.adapters.world import World
    from ruleplay.cli.hosting import configured

    settings = configured()
    package = await installed_package(settings)
    found = await asyncio.to_thread(find_format, package, battle_format)
    if sets is not None:
        await asyncio.to_thread(keep_usage, settings.home, battle_format, sets)
    world = World(settings.home)
    problem = await world.prepare(battle_format)
    if problem and found.own_team:
        problem = f"no sets of {battle_format} are known: give usage statistics with --sets FILE"
    return package, world, found, problem


@asynccontextmanager
async def served(settings: Settings, url: str) -> AsyncIterator[str]:
    """Provide a server's address: the given one, or that of a local server."""
    if url:
        yield url
        return
    from ruleplay.agents.battle.adapters.server import LocalServer

    async with LocalServer(await installed_package(settings)) as server:
        yield server.url


async def installed_package(settings: Settings) -> Path:
    """Find the Showdown package, installing it on first use."""
    from ruleplay.agents.battle.adapters.showdown_package import find_package, install_package

    found = find_package(settings.home)
    if found is None:
        output.note("installing the Showdown server, which takes half a minute …")
        found = await asyncio.to_thread(install_package, settings.home)
    return found
