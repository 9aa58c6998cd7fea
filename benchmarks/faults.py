"""Turns whose system calls fail, or whose power does: `python -m benchmarks.faults [FAULT…]`.

Faults: EIO, ENOSPC, EMFILE, ENOMEM, power. Each run hits another call of two turns on SQLite, and
an odd one goes on failing, or leaves some of what was not synced. Exits with 1 when an acknowledged
turn was lost, a session could not be read, did not replay or could not go on, or an error was none
that is told to users.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from tests.system_calls import FAULT_NAMES, NEEDED, can_watch, hit

SECONDS_A_RUN = 10


def main() -> int:
    """Hit, count, print one JSON object."""
    parser = argparse.ArgumentParser()
    parser.add_argument("faults", nargs="*", default=FAULT_NAMES)
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if not can_watch():
        sys.exit(f"this needs {NEEDED}")
    result: dict[str, Any] = {}
    for fault in given.faults:
        began = perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            told = hit(Path(folder), fault, given.runs, given.seed, given.runs * SECONDS_A_RUN)
        result[fault] = {**told, "seconds": round(perf_counter() - began)}
        sys.stderr.write(f"{fault}: {json.dumps(result[fault])}\n")
    told = {
        "command": " ".join(("python -m benchmarks.faults", *sys.argv[1:])),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {"cores": os.cpu_count(), "load_average": round(os.getloadavg()[1], 1)},
        "result": result,
    }
    sys.stdout.write(json.dumps(told, indent=1) + "\n")
    return 1 if any(one["wrong"] for one in result.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
