"""Addresses, paths and keys in every option of the command line that takes text.

Options that name a file, a folder, a database, a model, a server or a program are the owner's way
to name one; all others are words, and lead nowhere. `setup` downloads what it is made for.
"""

from __future__ import annotations

import json
import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.server.conftest import server_environment
from tests.server.strays import KEY, KEYS, Strays, texts, went_astray
from tests.showdown import lend
from tests.system_calls import Recorded

SECONDS = 3_000
HERE = "@"
"""Where a text goes."""
WORDS = """
turn parts -m @|turn raid -m @|turn saga -m @|turn party -m @|turn battle -m @
turn @ -m hello|turn parts -m hello --session @|turn parts -m hello --seat @
turn parts -m hello --key @
agents --graph @|replay @|fuzz @ --turns 1|bench @|check @|new @ --folder made
session show @|session undo @|session goto @ @|session compare @ @|session fork @
session regenerate @ --seat @ --key @|session edit @ --turn 1 -m @ --seat @ --key @
session export @ --seat @|session export @ --format @
session show @ --seat @|session export @ --seat @ --format md
chat @|chat parts --session @|chat parts --seat @|chat parts --config @
turn parts -m hello --config @|turn parts --action @|new made --from @|raid tool deaths --args @
jobs submit @|jobs show @|jobs cancel @|jobs submit night --key @|jobs submit night --options @
db prune --older-than @|mcp --tools @
battle sets @|battle sets Pikachu --seen @|battle sets Pikachu --format @
battle calc @ Tackle Pikachu|battle calc Pikachu @ Pikachu|battle calc Pikachu Tackle @
battle calc Pikachu Tackle Pikachu --field @|battle calc Pikachu Tackle Pikachu --format @
parts check @ @|parts where @|parts where dishwasher --brand @|parts import --priced-on @
party create --name @|party create --race @|party create --class @|party create --abilities @
party create --skills @|party create --equipment @|party create --spells @|party create --voice @
party create --personality @ --goal @ --bond @ --secret @
party new --adventure @|party new --lang @|party new --human @|party odds --encounter @ --seeds 1
party odds --adventure @ --seeds 1|party run --lang @ --rounds 1|party run --seat @ --rounds 1
party run --adventure @ --rounds 1|party run --session @
party recap @|party recap @ --seat @|party check --lang @
raid delete @|raid tool @|raid lines @ @|raid ask @|raid ask hello --report @
raid ask hello --session @|raid report @
saga new --scenario @|saga new --name @|saga new --race @|saga new --culture @|saga new --stats @
share make @ @|share revoke @|raid report --lang @|raid import none.txt --lang @
raid import none.txt --webhook-form @|raid import-wcl a/b --user-token @
raid import-wcl none --site @
saga new --skills @|saga new --lang @|saga export @ @|saga export grey-debt @ --version @
saga export @ @ --lang @|raid import-wcl @|parts import --map @ --parts none.csv
"""
FIELDS = {
    "battle": ("battle", "us", "format", "engine"),
    "party": ("adventure", "source", "lang", "rules"),
    "raid": ("report",),
    "saga": ("scenario", "name", "race", "culture", "source", "rules"),
}
ACTIONS = ("kind", "do", "seat", "position", "to")
TOOL = ("report_code", "player", "boss", "ability", "query", "text")


def lines(text: str) -> Iterator[tuple[str, ...]]:
    """Return command lines with a text in them, one option at a time."""
    for line in WORDS.replace("\n", "|").split("|"):
        if line:
            yield tuple(text if word == HERE else word for word in line.split())
    for agent, names in FIELDS.items():
        for name in names:
            yield ("turn", agent, "-m", "hello", "--config", json.dumps({name: text}))
    for agent in (*FIELDS, "parts"):
        for name in ACTIONS:
            given = json.dumps({"kind": "decide", "do": "say", name: text})
            yield ("turn", agent, "--action", given)
    for tool in ("list_pulls", "list_reports", "deaths", "damage_done", "timeline"):
        yield from (("raid", "tool", tool, "--args", json.dumps({name: text})) for name in TOOL)
    yield ("jobs", "submit", "night", "--options", json.dumps({"report": text}))
    yield ("jobs", "submit", "autoplay", "--options", json.dumps({"session": text}))


def fed(folder: Path, share: float, seed: int) -> Strays:
    """Run a share of all command lines in one process; return what came of it."""
    record, home = Recorded(folder), folder / "home"
    home.mkdir()
    lend(home)
    chance = random.Random(seed)
    with socket.create_server(("127.0.0.1", 0)) as trap:
        asked = [
            line
            for text in texts(trap.getsockname()[1], folder)
            for line in lines(text)
            if chance.random() <= share
        ]
        ran = subprocess.run(
            [sys.executable, Path(__file__).parent / "children" / "commands.py"],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
            cwd=home,
            env={
                **server_environment(home),
                **dict.fromkeys(KEYS, KEY),
                **record.environment,
                "npm_config_offline": "true",  # commands install a simulator that is missing
            },
        )
    told: dict[str, Any] = json.loads(ran.stdout)
    statuses = {int(code): count for code, count in told["codes"].items()}
    found = went_astray(record, home, statuses, told["keys"])
    return replace(found, defects=told["defects"])
