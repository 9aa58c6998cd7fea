"""The state a search is given and the simulator's own: `python -m benchmarks.battle_states 50`."""

from __future__ import annotations

import asyncio
import sys

from benchmarks.battle.states import main

if __name__ == "__main__":
    report = asyncio.run(main(int(sys.argv[1])))
    sys.stdout.write(report.model_dump_json(indent=1) + "\n")
