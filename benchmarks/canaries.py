"""What seats get of a long game full of secrets: `python -m benchmarks.canaries [ROUNDS]`.

A table of four is played for so many rounds by a hostile model, with people at its seats in
between, a fork, a turn taken back and one told anew. Every prompt, memory, view, chronicle, export
and stream is then searched for what its seat must not know. Exits with 1 when anything leaked.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from tests.agents.party.canaries import Hunt, hunted
from tests.server.streaming import Lives

ROUNDS, REACH = 200, 100


async def measure(rounds: int) -> dict[str, Any]:
    """Play, look, and return what was found."""
    with tempfile.TemporaryDirectory() as home:
        lives = Lives(Path(home))
        started = perf_counter()
        try:
            hunt, fork = await hunted(await lives.start(), rounds, reach=REACH)
            told = {"session": await _told(hunt), "fork": await _told(fork)}
        finally:
            await lives.end()
    leaks = hunt.leaks + fork.leaks
    return {
        "leaks": len(leaks),
        "found": leaks[:20],
        "seconds": round(perf_counter() - started),
        **told,
    }


async def _told(hunt: Hunt) -> dict[str, Any]:
    table, turns = await hunt.table(), await hunt.session.turns()
    return {
        "rounds": table.round,
        "turns": len(turns),
        "canaries": len(hunt.ears),
        "per_seat": {s: sum(s in ears for ears in hunt.ears.values()) for s in table.characters},
        "lines_condensed_away": {seat: one.gone for seat, one in table.memories.items()},
        "looked_at": dict(sorted(hunt.looked.items())),
    }


def main(rounds: int) -> int:
    """Print what was measured."""
    result = asyncio.run(measure(rounds))
    told = {
        "command": f"python -m benchmarks.canaries {rounds}",
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {"cores": 2},
        "result": result,
    }
    sys.stdout.write(json.dumps(told, indent=1) + "\n")
    return 1 if result["leaks"] else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else ROUNDS))
