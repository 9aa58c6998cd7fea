"""A server in use for hours: `python -m benchmarks.soak [--minutes 120] [--sessions 50]`.

Sessions of all agents are played over HTTP, each some turns long before another takes its place; a
few readers come and go. Memory and open files of the process are noted all the while; with `--file`
what was seen so far is written there every minute. Exits with 1 when the last quarter holds over a
tenth more memory than the second, or over ten more open files, or when something failed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean, median
from time import monotonic
from typing import Any

import httpx
from benchmarks.doors import cpu_seconds
from benchmarks.hostile_http import serving

SAYS = {
    "parts": ("My dishwasher WDT780SAEM1 leaks", "Will PS11752778 fit?", "How do I install it?"),
    "raid": ("Why did we wipe?", "Who died first?", "Compare our best pull with the worst"),
    "saga": ("I look around", "I greet the keeper", "I travel on", "I attack"),
    "party": ("I look around", "I follow the others", "I search the room"),
    "battle": ("go on", "attack", "switch"),
}
TURNS = 40
"""Turns of a session before another takes its place."""
GIVEN_UP = 120.0
EVERY = 10.0
"""Seconds between two looks at the process."""
WRITTEN = 6
"""Looks between two times that the results are written."""
GROWTH = 1.1


class Soak:
    """What was played so far."""

    def __init__(self, client: httpx.AsyncClient, until: float, pause: float) -> None:
        self.client, self.until, self.pause = client, until, pause
        self.turns = self.refused = self.sessions = self.dropped = 0
        self.failed: list[str] = []

    async def play(self, seed: int) -> None:
        """Play sessions one after another until the time is up."""
        rng = random.Random(seed)
        while monotonic() < self.until:
            agent = rng.choice([*SAYS])
            try:
                made = await self.client.post("/api/sessions", json={"agent": agent})
            except httpx.NetworkError:
                self.dropped += 1
                continue
            self._note(made)
            self.sessions += 1
            place = made.headers.get("location", "")
            for _ in range(rng.randint(1, TURNS)):
                if monotonic() > self.until or not place:
                    return
                await self._turn(place, rng.choice(SAYS[agent]), rng)

    async def _turn(self, place: str, message: str, rng: random.Random) -> None:
        try:
            if rng.random() < 0.2:
                self._note(await self.client.get(place))
            answer = await self.client.post(f"{place}/turns?wait=true", json={"message": message})
        except httpx.NetworkError:  # an idle line that the server closed just as it was taken
            self.dropped += 1
            return
        self._note(answer)
        self.turns += answer.status_code == 200
        self.refused += answer.status_code in (409, 422)
        await asyncio.sleep(rng.uniform(0, 2 * self.pause))

    def _note(self, answer: httpx.Response) -> None:
        if answer.status_code >= 500 and len(self.failed) < 20:
            self.failed.append(
                f"{answer.status_code} {answer.request.url.path}: {answer.text[:200]}"
            )

    async def read(self, seed: int) -> None:
        """Listen to sessions for a while each, as pages do."""
        rng = random.Random(seed)
        while monotonic() < self.until:
            await asyncio.sleep(rng.uniform(1, 5))
            try:
                listed = (await self.client.get("/api/sessions")).json()["sessions"]
            except httpx.NetworkError:
                continue
            if not listed:
                continue
            try:
                async with asyncio.timeout(rng.uniform(1, 20)):
                    path = f"/api/sessions/{rng.choice(listed)['id']}/events"
                    async with self.client.stream("GET", path) as lines:
                        async for _ in lines.aiter_lines():
                            pass
            except (TimeoutError, httpx.HTTPError):
                continue


def looked_at(pid: int) -> tuple[int, int]:
    """Return a process's memory in kB and its open files."""
    told = Path(f"/proc/{pid}/status").read_text()
    rss = next(int(line.split()[1]) for line in told.splitlines() if line.startswith("VmRSS"))
    return rss, len(os.listdir(f"/proc/{pid}/fd"))


async def measure(given: argparse.Namespace) -> dict[str, Any]:
    """Play, look, count."""
    seen: list[tuple[int, int]] = []
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as (url, pid):
        began = monotonic()
        until = began + given.minutes * 60
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(base_url=url, timeout=GIVEN_UP, limits=limits) as client:
            soak = Soak(client, until, given.pause)

            def told() -> dict[str, Any]:
                minutes = (monotonic() - began) / 60
                size = os.stat(f"{folder}/ruleplay.db").st_size
                return summary(given, soak, seen) | {
                    "minutes": round(minutes, 1),
                    "cores_used": round(cpu_seconds(pid) / minutes / 60, 2),
                    "database_mb": size // 10**6,
                }

            async with asyncio.TaskGroup() as group:
                for number in range(given.sessions):
                    group.create_task(soak.play(number))
                for number in range(given.readers):
                    group.create_task(soak.read(number))
                while monotonic() < until:
                    await asyncio.sleep(min(EVERY, max(0.0, until - monotonic())))
                    seen.append(looked_at(pid))
                    if given.file and len(seen) % WRITTEN == 0:
                        given.file.write_text(described(told()))
        return told()


def summary(given: argparse.Namespace, soak: Soak, seen: list[tuple[int, int]]) -> dict[str, Any]:
    """Return what was played and seen so far; memory grows from the second quarter to the last."""
    quarter = max(1, len(seen) // 4)
    second, last = seen[quarter : 2 * quarter] or seen, seen[-quarter:]
    thinned = seen[:: max(1, len(seen) // 24)]
    return {
        "sessions_at_once": given.sessions,
        "sessions": soak.sessions,
        "turns": soak.turns,
        "refused": soak.refused,
        "dropped": soak.dropped,
        "failed": soak.failed,
        "rss_mb": [kilobytes // 1024 for kilobytes, _ in thinned],
        "open_files": [files for _, files in thinned],
        "rss_growth": round(mean(rss for rss, _ in last) / mean(rss for rss, _ in second), 3),
        "files_growth": median(files for _, files in last) - median(files for _, files in second),
    }


def described(result: dict[str, Any]) -> str:
    """Return a result with the command that gave it."""
    told = {
        "command": " ".join(("python -m benchmarks.soak", *sys.argv[1:])),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {"cores": os.cpu_count(), "load_average": round(os.getloadavg()[1], 1)},
        "result": result,
    }
    return json.dumps(told, indent=1) + "\n"


def main() -> int:
    """Measure, print one JSON object."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--readers", type=int, default=5)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two turns")
    parser.add_argument("--file", type=Path, help="results are written here every minute")
    given = parser.parse_args()
    result = asyncio.run(measure(given))
    if given.file:
        given.file.write_text(described(result))
    sys.stdout.write(described(result))
    wrong = result["failed"] or result["rss_growth"] > GROWTH or result["files_growth"] > 10
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
