"""How fast a night's log is imported, and in how much memory, beside the usual way of reading one.

The import runs in a process of its own, so that its memory and time are its own. The log is a
generated night, repeated on other days until it is as long as asked for.
"""

from __future__ import annotations

import asyncio
import csv
import multiprocessing
import os
import re
import resource
import sys
import time
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias

from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import NightPlan, PullPlan
from benchmarks.raid.tool_speed import time_tools
from pydantic import BaseModel, ConfigDict

from ruleplay.agents.raid.adapters.compiled_reader import SWITCH, find_library
from ruleplay.agents.raid.adapters.log_import import import_logs
from ruleplay.errors import NotFound, Unavailable

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Progress: TypeAlias = Callable[[int, int], None]

SIZE = 200_000_000
"""Bytes of the log."""
_PEER_LINES = 40_000
"""Lines that the usual way reads, before and again after the import."""
_PLAN = NightPlan(
    pulls=(
        PullPlan(649, "missed"),
        PullPlan(649, "kill"),
        PullPlan(650, "tank"),
        PullPlan(650, "kill"),
        PullPlan(651, "nova"),
        PullPlan(651, "kill"),
    )
)
_DATE = re.compile(rb"^(\d{1,2})/(\d{1,2})(?:/(\d{4}))?(?= )", re.MULTILINE)
_KILO = 1 if sys.platform == "darwin" else 1024
"""Bytes in the unit of a process's largest memory."""


class ImportSpeed(BaseModel):
    """Megabytes (1,000,000 bytes) of log per second of processor time, all threads together.

    Measured with the log reader that is in use, and with the Python one alone. `peer` parses the
    time with strptime and the fields with csv, line by line, as public Python parsers do, and keeps
    nothing; it is measured before and after the import, on the same lines.
    `rss_mb` is the importing process's largest memory; `tool_p95_ms` is None for a log
    without pulls.
    """

    model_config = ConfigDict(frozen=True)

    reader: str
    mb_per_cpu_s: float
    python_mb_per_cpu_s: float
    peer_mb_per_cpu_s: float
    ratio: float
    rss_mb: float
    tool_p95_ms: float | None
    mb: float
    lines: int
    unparsed: int
    pulls: int
    seconds: float


async def bench_raid(
    data: Path | None = None, on_progress: Progress = lambda done, of: None
) -> ImportSpeed:
    """Measure the import; `data` is a log to measure it with, else a generated one of 200 MB."""
    return await asyncio.to_thread(_measure, data, on_progress)


def _measure(data: Path | None, on_progress: Progress) -> ImportSpeed:
    if data and not data.is_file():
        raise NotFound(f"no log {str(data)!r}")
    with TemporaryDirectory(prefix="ruleplay-bench-") as scratch:
        log = data or write_log(Path(scratch) / "WoWCombatLog.txt", SIZE)
        on_progress(1, 5)
        before = time_peer(log)
        on_progress(2, 5)
        compiled = find_library() is not None
        found = _import_apart(log, Path(scratch) / "home")
        on_progress(3, 5)
        plain = _import_apart(log, Path(scratch) / "plain", "python") if compiled else found
        on_progress(4, 5)
        peer = (before + time_peer(log)) / 2
        tools = time_tools(Path(scratch) / "home") if found.pulls else None
        on_progress(5, 5)
    mb = found.bytes / 1e6
    speed = mb / found.cpu_seconds
    return ImportSpeed(
        reader="compiled" if compiled else "python",
        mb_per_cpu_s=round(speed, 1),
        python_mb_per_cpu_s=round(mb / plain.cpu_seconds, 1),
        peer_mb_per_cpu_s=round(peer, 1),
        ratio=round(speed / peer, 2),
        rss_mb=round(found.rss / 1e6, 1),
        tool_p95_ms=tools,
        mb=round(mb, 1),
        lines=found.lines,
        unparsed=found.unparsed,
        pulls=found.pulls,
        seconds=round(found.seconds, 2),
    )


def write_log(path: Path, size: int) -> Path:
    """Write a generated night, day after day, until the log has `size` bytes."""
    lines, _ = generate_night(1, _PLAN)
    night = "".join(lines).encode()
    with path.open("wb") as file:
        for day in range(0, 300 * 40, 2):
            if file.tell() >= size:
                break
            file.write(_DATE.sub(partial(_later, days=day), night))
    return path


def _later(found: re.Match[bytes], days: int) -> bytes:
    year = int(found[3] or 2026)
    moved = date(year, int(found[1]), int(found[2])) + timedelta(days=days)
    text = f"{moved.month}/{moved.day}" + (f"/{moved.year}" if found[3] else "")
    return text.encode()


def time_peer(log: Path) -> float:
    """Return the megabytes per second of processor time of strptime and csv, line by line."""
    with log.open(encoding="utf-8", errors="replace") as file:
        lines = list(islice(file, _PEER_LINES))
    started, fields = time.process_time(), 0
    for line in lines:
        stamp, _, body = line.rstrip("\n").partition("  ")
        day, _, clock = stamp.partition(" ")
        whole = day if day.count("/") == 2 else f"{day}/2026"
        datetime.strptime(f"{whole} {clock[:12]}", "%m/%d/%Y %H:%M:%S.%f")  # noqa: DTZ007 - as peers
        fields += len(next(csv.reader([body])))
    seconds = time.process_time() - started
    return sum(len(line.encode()) for line in lines) / 1e6 / max(seconds, 1e-9)


class _Measured(BaseModel):
    """What the importing process says of itself."""

    bytes: int
    lines: int
    unparsed: int
    pulls: int
    cpu_seconds: float
    seconds: float
    rss: int


def _import_apart(log: Path, home: Path, reader: str = "") -> _Measured:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_import_and_tell, args=(log, home, reader, theirs), daemon=True)
    child.start()
    theirs.close()
    try:
        return _Measured.model_validate_json(ours.recv_bytes())
    except EOFError as err:
        raise Unavailable("the importing process ended without a word") from err
    finally:
        child.join()


def _import_and_tell(log: Path, home: Path, reader: str, pipe: Connection) -> None:
    """Import a log and tell time and memory; a few lines come first, so that all is loaded."""
    os.environ[SWITCH] = reader or os.environ.get(SWITCH, "")
    with log.open("rb") as file:
        few = home.parent / "few.txt"
        few.write_bytes(b"".join(islice(file, 200)))
    import_logs([few], home.parent / "few")
    started = time.process_time()
    report = import_logs([log], home)
    spent = time.process_time() - started
    told = _Measured(
        bytes=log.stat().st_size,
        lines=report.lines,
        unparsed=report.unparsed,
        pulls=len(report.encounters),
        cpu_seconds=spent,
        seconds=report.seconds,
        rss=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KILO,
    )
    pipe.send_bytes(told.model_dump_json().encode())
