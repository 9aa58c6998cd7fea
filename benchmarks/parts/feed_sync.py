"""How long the sync of a big feed takes, what readers notice of it, and what a crash leaves.

A generated shop is synced; its next feed has other prices and is synced beside a reader that asks
without pause; then processes that sync are killed in the middle.

    python -m benchmarks.parts.feed_sync [PARTS [PAIRS]]
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

from benchmarks.parts.lookups import Shop, generate_catalog

from ruleplay.agents.parts.adapters.catalog import open_catalog
from ruleplay.agents.parts.adapters.feeds import SyncReport, sync
from ruleplay.agents.parts.adapters.shop import Feed

_KILLS = (0.1, 0.4, 0.7, 0.95)
"""When a sync is killed, as shares of the time that one takes."""
_AGAIN = """
import sys
from pathlib import Path
from ruleplay.agents.parts.adapters.feeds import sync
from ruleplay.agents.parts.adapters.shop import Feed
parts, fits, models, into = sys.argv[1:]
print("begun", flush=True)
sync(Feed(parts=parts, fits=fits, models=models), Path(into))
"""


def measure(parts: int, pairs: int) -> dict[str, object]:
    """Sync a generated feed and its successor; a look-up's time is in milliseconds."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        shop = generate_catalog(folder, pairs, sold=parts)
        into = folder / "parts.catalog"
        first, _ = _timed_sync(shop, into)
        _reprice(shop.parts)
        stop, slowest = Event(), [0.0, 0.0]
        reader = Thread(target=_read, args=(into, shop, stop, slowest))
        reader.start()
        again, report = _timed_sync(shop, into)
        stop.set()
        reader.join()
        return {
            "parts": report.imported.parts,
            "pairs": report.imported.pairs,
            "first": first,
            "again": again,
            "repriced": report.changes.repriced,
            "lookups_meanwhile": int(slowest[1]),
            "slowest_lookup_ms": round(slowest[0] * 1000, 1),
            "killed": _killed(shop, into, again["seconds"]),
        }


def _feed(shop: Shop) -> Feed:
    return Feed(parts=str(shop.parts), fits=str(shop.fits), models=str(shop.models))


def _timed_sync(shop: Shop, into: Path) -> tuple[dict[str, float], SyncReport]:
    began, worked = time.perf_counter(), time.process_time()
    report = sync(_feed(shop), into)
    seconds, busy = time.perf_counter() - began, time.process_time() - worked
    return {"seconds": round(seconds, 1), "processor_seconds": round(busy, 1)}, report


def _reprice(path: Path) -> None:
    """Take a cent off every third price."""
    lines = path.read_text(encoding="utf-8").splitlines()
    at = lines[0].split(",").index("price")
    for number in range(1, len(lines), 3):
        cells = lines[number].split(",")
        cells[at] = f"{float(cells[at]) - 0.01:.2f}"
        lines[number] = ",".join(cells)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _read(into: Path, shop: Shop, stop: Event, slowest: list[float]) -> None:
    """Ask the catalog of a part again and again; keep how long the slowest answer took."""
    with shop.fits.open(encoding="utf-8") as file:
        next(file)
        model, part = next(file).strip().split(",")
    with open_catalog(into, into.parent, into) as catalog:
        while not stop.is_set():
            began = time.perf_counter()
            if catalog.fit(part, model).verdict != "listed":
                raise AssertionError(f"{part} is listed for {model} in both catalogs")
            slowest[:] = max(slowest[0], time.perf_counter() - began), slowest[1] + 1
            time.sleep(0.001)


def _killed(shop: Shop, into: Path, seconds: float) -> dict[str, object]:
    """Kill syncs in the middle; count those that left the old catalog, and those that left none.

    One that is killed late may have swapped the new one in.
    """
    kept = harmed = 0
    for share in _KILLS:
        before = into.stat().st_ino
        files = (shop.parts, shop.fits, shop.models, into)
        began = subprocess.Popen(
            [sys.executable, "-c", _AGAIN, *map(str, files)], stdout=subprocess.PIPE
        )
        if began.stdout:
            began.stdout.readline()
        time.sleep(seconds * share)
        began.kill()
        began.communicate()
        kept += into.stat().st_ino == before
        harmed += not _whole(into, shop)
    sync(_feed(shop), into)
    left = [one for one in os.listdir(into.parent) if one not in _own(shop, into)]
    return {"kills": len(_KILLS), "old_kept": kept, "harmed": harmed, "left_behind": left}


def _whole(into: Path, shop: Shop) -> bool:
    """Whether a catalog is sound and has every pair of the feed."""
    with shop.fits.open(encoding="utf-8") as file:
        pairs = sum(1 for _ in file) - 1
    with closing(sqlite3.connect(into)) as db:
        sound = db.execute("PRAGMA quick_check").fetchone()[0] == "ok"
        return bool(sound and db.execute("SELECT count(*) FROM fits").fetchone()[0] == pairs)


def _own(shop: Shop, into: Path) -> set[str]:
    return {path.name for path in (*shop, into)}


def main(sizes: list[int]) -> None:
    """Print what was measured as JSON."""
    parts, pairs = [*sizes, *(100_000, 2_000_000)[len(sizes) :]]
    told = {
        "command": f"python -m benchmarks.parts.feed_sync {parts} {pairs}",
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {"cores": os.cpu_count()},
        "result": measure(parts, pairs),
    }
    sys.stdout.write(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main([int(one) for one in sys.argv[1:]])
