"""Plays twelve turns of a duel in a process of its own and prints its fingerprints.

Usage: play_duel.py FOLDER
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "outside"))

from duel.table import Tables  # found on the path that the line above extends

from ruleplay.kernel.replay import replay
from ruleplay.models.scripted import ScriptedModel

TURNS = 12
STANCES = ['{"stance": "bold", "force": 3}', "garbage", "again", '{"Stance": "wary", "Force": "0"}']


async def main(folder: Path) -> None:
    """Play and print."""
    tables = Tables(f"sqlite+aiosqlite:///{folder / 'ruleplay.db'}", folder)
    model = ScriptedModel({"duel.stance": STANCES * TURNS})
    duel = await tables.duel(model=model, roles=("duel.stance",))
    for n in range(TURNS):
        await duel.turn(f"blow {n}", seat=("red", "blue")[n % 2])
    turns, found = await duel.turns(), await replay(duel.host, duel.id)
    sys.stdout.write(
        json.dumps(
            {
                "turns": len(turns),
                "hashes": [turn.state_hash for turn in turns],
                "events": [list(turn.events) for turn in turns],
                "identical": found.identical,
            }
        )
    )
    await tables.close()


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    asyncio.run(main(Path(sys.argv[1])))
