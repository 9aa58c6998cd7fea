"""The set pool: joint sets counted from Showdown's own team generator, kept as compressed JSON.

It is made once per package version and format by a Node script that runs the installed package:
8,000 teams, under a minute, where a battle cannot wait for more; 50,000 by `ruleplay setup battle`,
which hold nearly every set there is. The largest one made is read. Nothing comes from the network.
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
ALL_TEAMS = 50_000
SEED = 1
FORMAT = re.compile(r"[a-z0-9]{1,80}")
SCRIPT = Path(__file__).with_name("generate_sets.cjs")


def pool_file(home: Path, package: Path, battle_format: str, teams: int = TEAMS) -> Path:
    """Return where the pool of a format belongs, by the version of the installed package.

    The largest one that was made, if it holds at least so many `teams`. Unavailable for what is no
    format's name.
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
    """Return the pool of a format, made now if none of so many `teams` was made.

    `package` is the folder of the installed `pokemon-showdown`. Unavailable when it or Node is
    missing, or when the format has no generator.
    """
    file = pool_file(home, package, battle_format, teams)
    if not file.exists():
        await generate(file, package, battle_format, teams)
    return await asyncio.to_thread(load_pool, file)


def keep_usage(home: Path, battle_format: str, file: Path) -> None:
    """Keep a usage statistics file's sets as the pool of a format (NotFound, UserError)."""
    content = json.dumps(read_usage(file, battle_format)).encode()
    _place(_folder(home, battle_format) / f"{battle_format}-usage.json.gz", content)


def _folder(home: Path, battle_format: str) -> Path:
    """Return where pools are kept; a name with a path in it would lead elsewhere."""
    if not FORMAT.fullmatch(battle_format):
        raise Unavailable(f"{battle_format!r} is no format's name; one is gen9randombattle")
    return home / "battle" / "sets"


async def generate(file: Path, package: Path, battle_format: str, teams: int = TEAMS) -> None:
    """Make a pool and put it in place at once: a half-written file is never seen."""
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
    """Read a pool; Unavailable for a file that is none."""
    try:
        found = json.loads(gzip.decompress(file.read_bytes()))
        teams = found.get("made", ())
        return SetPool(found["format"], found["version"], found["sets"], teams)
    except (OSError, ValueError, KeyError, EOFError) as err:
        raise Unavailable(f"{str(file)!r} is no set data; delete it and run again") from err


def empty_pool(battle_format: str) -> SetPool:
    """Return a pool that knows nothing, for formats without a generator: sets come from the dex."""
    return SetPool(battle_format, "", {})
