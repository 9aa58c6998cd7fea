"""Set pools: complete sets counted from Showdown's team generator, kept as compressed JSON.

A pool is made once per package version and format, by a Node script that runs the installed
package. Where a battle is waiting, it makes 8,000 teams, which takes less than a minute; `ruleplay
setup battle` makes 50,000, which contain nearly all sets. The largest pool available is read.
Nothing is downloaded.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
from pathlib import Path

from ruleplay.agents.battle.adapters.usage import read_usage
from ruleplay.agents.battle.domain.sets import SetPool
from ruleplay.errors import Unavailable

TEAMS = 8_000
"""Teams generated while a battle waits, and by the setup command."""
ALL_TEAMS = 50_000
SEED = 1
"""The generator's seed, so that every installation makes the same pool."""
FORMAT = re.compile(r"[a-z0-9]{1,80}")
"""A format's id, which becomes a part of file names."""
SCRIPT = Path(__file__).with_name("generate_sets.cjs")


def pool_file(home: Path, package: Path, battle_format: str, teams: int = TEAMS) -> Path:
    """Find the file of a format's pool for the installed package's version.

    It is the largest one that exists with at least `teams` teams, else where that would be. Usage
    statistics given by the user take precedence. Unavailable for an invalid format name.
    """
    version = json.loads((package / "package.json").read_text())["version"]
    folder = _folder(home, battle_format)
    if (usage := folder / f"{battle_format}-usage.json.gz").exists():
        return usage
    sizes = (ALL_TEAMS, TEAMS)
    files = {size: folder / f"{battle_format}-{version}-{size}.json.gz" for size in sizes}
    made = (files[size] for size in sizes if size >= teams and files[size].exists())
    return next(made, files.get(teams, files[TEAMS]))


async def open_pool(home: Path, package: Path, battle_format: str, teams: int = TEAMS) -> SetPool:
    """Load a format's pool, generating it if none with as many `teams` exists.

    `package` is the folder of the installed `pokemon-showdown`. Unavailable if it or Node is
    missing, or if the format has no generator.
    """
    file = pool_file(home, package, battle_format, teams)
    if not file.exists():
        await generate(file, package, battle_format, teams)
    return await asyncio.to_thread(load_pool, file)


def keep_usage(home: Path, battle_format: str, file: Path) -> None:
    """Store a usage statistics file as the pool of a format (NotFound, UserError)."""
    content = json.dumps(read_usage(file, battle_format)).encode()
    _place(_folder(home, battle_format) / f"{battle_format}-usage.json.gz", content)


def _folder(home: Path, battle_format: str) -> Path:
    """Find the folder of pools; a format name with a path in it would lead elsewhere."""
    if not FORMAT.fullmatch(battle_format):
        raise Unavailable(f"{battle_format!r} is no format's name; one is gen9randombattle")
    return home / "battle" / "sets"


async def generate(file: Path, package: Path, battle_format: str, teams: int = TEAMS) -> None:
    """Generate a pool and move it into place, so that a half-written file is never seen."""
    try:
        made = await asyncio.create_subprocess_exec(
            "node",
            str(SCRIPT),
            str(package),
            battle_format,
            str(teams),
            str(SEED),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
    except FileNotFoundError as err:
        raise Unavailable(
            "Node is needed to make the set data: install Node 20 or newer, then "
            "`ruleplay setup battle`"
        ) from err
    out, wrong = await made.communicate()
    if made.returncode != 0:
        last = wrong.decode(errors="replace").strip().splitlines()[-1:]
        raise Unavailable(
            f"Showdown's generator makes no sets for {battle_format!r} ({' '.join(last)[:200]}); "
            "choose a random-battle format"
        )
    await asyncio.to_thread(_place, file, out)


def _place(file: Path, text: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(f".{os.getpid()}.part")
    part.write_bytes(gzip.compress(text, 6))
    part.replace(file)


def load_pool(file: Path) -> SetPool:
    """Read a pool; Unavailable if the file is invalid."""
    try:
        found = json.loads(gzip.decompress(file.read_bytes()))
        teams = found.get("made", ())
        return SetPool(found["format"], found["version"], found["sets"], teams)
    except (OSError, ValueError, KeyError, EOFError) as err:
        raise Unavailable(f"{str(file)!r} is no set data; delete it and run again") from err


def empty_pool(battle_format: str) -> SetPool:
    """Create a pool without sets, for formats without a generator; sets then come from the dex."""
    return SetPool(battle_format, "", {})
