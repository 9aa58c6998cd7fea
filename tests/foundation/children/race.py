"""Sends turns to one session from a process of its own, all at once; prints the turns' ids.

Usage: race.py DATABASE_URL FOLDER SESSION KEYS    (KEYS: how many keys, each sent twice)

It prints a line when it is ready and starts when it reads one.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "outside"))

from duel.table import Tables  # found on the path that the line above extends

from ruleplay.errors import Conflict
from ruleplay.kernel.host import Host
from ruleplay.records.given import Given


async def send(host: Host, session: str, key: str) -> str:
    """Send a turn, as often as it takes: a Conflict means that another process was first."""
    async with asyncio.timeout(120):
        while True:
            try:
                return (await host.start(session, Given(message=key), key=key)).id
            except Conflict:
                await asyncio.sleep(0.01)


async def main(url: str, folder: str, session: str, keys: int) -> None:
    """Wait for the signal, send, print."""
    tables = Tables(url, Path(folder))
    host = await tables.host()
    other = await tables.duel(host)
    await other.turn("everything is loaded by now")
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.readline)
    names = [f"k{n}" for n in range(keys)] * 2
    turns = await asyncio.gather(*(send(host, session, name) for name in names))
    sys.stdout.write(json.dumps(dict(zip(names, turns, strict=True))))
    await tables.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
