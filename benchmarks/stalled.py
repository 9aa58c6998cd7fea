"""Processes killed while slow models are asked: `python -m benchmarks.stalled [PART…]`.

Parts: sqlite-durable, postgres-durable, postgres-plain, each with 500 kills (`--kills`), or as many
as fit into `--minutes`; counts so far go to standard error. Exits with 1 when a committed turn was
lost or doubled, a session could not go on, or a model was asked again for what the journal has.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.crash import CHILD, postgres

STALLED = CHILD.with_name("stalled.py")
PARTS = ("postgres-plain", "sqlite-durable", "postgres-durable")
SPARE = 300
"""Seconds that a part gets besides, to begin and to end."""


def measure(part: str, kills: int, seconds: float) -> dict[str, Any]:
    """Run one part and return what was counted."""
    engine, _, kind = part.partition("-")
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        url = f"sqlite+aiosqlite:///{Path(folder) / 'ruleplay.db'}"
        if engine == "postgres":
            url = postgres(stack)
        ran = subprocess.run(
            [sys.executable, STALLED, url, folder, str(kills), kind, str(seconds)],
            stdout=subprocess.PIPE,
            text=True,
            timeout=seconds + SPARE,
            check=False,
        )
    if ran.returncode:
        raise SystemExit(f"{part}: ended with {ran.returncode}")
    told: dict[str, Any] = json.loads(ran.stdout)
    return told


def main() -> int:
    """Kill, count, print one JSON object."""
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", default=PARTS)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=120, help="for each part")
    given = parser.parse_args()
    result: dict[str, Any] = {}
    for part in given.parts:
        began = perf_counter()
        told = measure(part, given.kills, given.minutes * 60)
        result[part] = {**told, "seconds": round(perf_counter() - began)}
        sys.stderr.write(f"{part}: {json.dumps(result[part])}\n")
    told = {
        "command": " ".join(("python -m benchmarks.stalled", *sys.argv[1:])),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {"cores": os.cpu_count(), "load_average": round(os.getloadavg()[1], 1)},
        "result": result,
    }
    sys.stdout.write(json.dumps(told, indent=1) + "\n")
    return 1 if any(one["wrong"] for one in result.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
