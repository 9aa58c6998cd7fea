"""One of several processes that play turns of many sessions.

Usage: shift.py DATABASE_URL FOLDER

It prints `ready`, then reads lines of work, JSON as [[session, key], …], until there are no more;
for each it prints how many turns it played, and how often which error made it send one again.

The turns of a session that stand next to each other here are played one after the other, those of
different sessions at once. Whatever is refused as being over soon is sent again, as clients do.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from contextlib import suppress
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "outside"))

from duel.table import Tables  # found on the path that the line above extends

from ruleplay.errors import Away, Conflict, Unavailable
from ruleplay.kernel.host import Host
from ruleplay.records.given import Given

PATIENCE = 60.0


async def send(host: Host, session: str, key: str, again: dict[str, int]) -> None:
    """Play a turn, as often as it takes."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            await host.start(session, Given(message=key), key=key)
        except (Away, Conflict) as error:
            if time.monotonic() > until:
                raise
            kind = type(error).__name__
            again[kind] = again.get(kind, 0) + 1
            await asyncio.sleep(0.1)
        else:
            return


async def main(url: str, folder: str) -> None:
    """Do one line of work after the other."""
    tables = Tables(url, Path(folder))
    host = await tables.host()
    await (await tables.duel(host)).turn("everything is loaded by now")
    tell("ready")
    while line := await asyncio.to_thread(sys.stdin.readline):
        again: dict[str, int] = {}
        work = json.loads(line)
        await asyncio.gather(
            *(
                play(host, session, [key for _, key in found], again)
                for session, found in parts(work)
            )
        )
        tell(json.dumps([len(work), again]))
    with suppress(Unavailable):
        await tables.close()


def parts(work: list[tuple[str, str]]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the turns that belong together, by session."""
    return [(session, list(found)) for session, found in groupby(work, lambda one: one[0])]


async def play(host: Host, session: str, keys: list[str], again: dict[str, int]) -> None:
    """Play turns of a session one after the other."""
    for key in keys:
        await send(host, session, key, again)


def tell(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
