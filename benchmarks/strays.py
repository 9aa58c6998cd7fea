"""Addresses, paths and keys in all texts that Ruleplay takes: `python -m benchmarks.strays [cli]`.

Every route, every tool of the MCP door and the doors for chat programs, pages and guests get all of
them in every field, for every agent; the calls of the server's process are noted. Exits with 1 when
it connected anywhere, looked a name up, opened a file outside its own folder, or told a key.
`--share 0.1` sends a tenth, at random. `cli` gives them to the command line's options instead.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from tests.cli import strays as cli
from tests.server import strays as server
from tests.system_calls import NEEDED, can_watch


def main() -> int:
    """Send, count, print one JSON object."""
    parser = argparse.ArgumentParser()
    parser.add_argument("part", nargs="?", choices=("server", "cli"), default="server")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if not can_watch():
        sys.exit(f"this needs {NEEDED}")
    with tempfile.TemporaryDirectory() as folder:
        fed = cli.fed if given.part == "cli" else server.fed
        found = fed(Path(folder), given.share, given.seed)
    result = {"requests": sum(found.statuses.values()), **asdict(found)}
    told = {
        "command": " ".join(("python -m benchmarks.strays", *sys.argv[1:])),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {"cores": os.cpu_count(), "load_average": round(os.getloadavg()[1], 1)},
        "result": result,
    }
    sys.stdout.write(json.dumps(told, indent=1) + "\n")
    return 1 if found.connections or found.files or found.keys or found.defects else 0


if __name__ == "__main__":
    sys.exit(main())
