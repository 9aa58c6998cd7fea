"""`ruleplay setup battle`: a Showdown server, its sets, and the search engine."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.cli import output
from ruleplay.cli.options import AsJson

if TYPE_CHECKING:
    from ruleplay.records.events import Json


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(setup)


def setup(
    engine: Annotated[
        bool, typer.Option(help="Build the search engine too, where a Rust toolchain is.")
    ] = True,
    battle_format: Annotated[
        str, typer.Option("--format", help="Format whose sets are made ready.")
    ] = "gen9randombattle",
    as_json: AsJson = False,
) -> None:
    """Install the Showdown server, make its sets ready, and build the search engine."""
    made = asyncio.run(_battle(engine, battle_format))
    output.print_json(made) if as_json else output.print_fields(made)


async def _battle(engine: bool, battle_format: str) -> Json:
    from ruleplay.agents.battle.adapters.set_pool import ALL_TEAMS, open_pool
    from ruleplay.agents.battle.adapters.showdown_package import require_package
    from ruleplay.cli.hosting import configured

    home = configured().home
    package = await asyncio.to_thread(require_package, home)
    output.note("making the sets ready, which takes some minutes the first time …")
    pool = await open_pool(home, package, battle_format, ALL_TEAMS)
    return {
        "showdown": str(package),
        "sets": f"{len(pool.species)} species of {battle_format}",
        "engine": await asyncio.to_thread(_engine) if engine else "left as it is",
    }


def _engine() -> str:
    """Return the engine's version, building our last one first where it can be."""
    from ruleplay.agents.battle.adapters.engine import is_current, probe
    from ruleplay.agents.battle.adapters.engine_build import build_engine, built_version
    from ruleplay.errors import Unavailable

    found = ""
    with suppress(Unavailable):
        found = probe()
        if is_current():
            return found
    output.note("building poke-engine …")
    try:
        build_engine()
        return built_version()
    except Unavailable as error:
        return f"{found or 'missing'}: {error}"
