"""How long something takes, whatever else the machine does meanwhile."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from time import monotonic, thread_time

import httpx

TIMES = 10
TRIES = 3
FLOOR = 0.005
"""Seconds below which a measurement says nothing."""


def growth(work: Callable[[str], object], piece: str, size: int) -> float:
    """Return how many times as much processor time a text of `size` takes as a tenth of it.

    The texts are made of `piece`. In proportion it is about TIMES, which is not measured more
    exactly than to a factor of three; work that grows with the square takes TIMES * TIMES. The
    least of a few measurements counts: a collection of garbage or a neighbour on the same core
    can only make one of them longer.
    """
    least = _growth(work, piece, size)
    for attempt in range(1, TRIES):
        if least > 2 * TIMES:  # another length, for what was read once may be remembered
            least = min(least, _growth(work, piece, size - attempt * TIMES * len(piece)))
    return least


def _growth(work: Callable[[str], object], piece: str, size: int) -> float:
    short, whole = (piece * (length // len(piece)) for length in (size // TIMES, size))
    took = _seconds(work, short)
    return _seconds(work, whole) / max(took, FLOOR)


def _seconds(work: Callable[[str], object], text: str) -> float:
    began = thread_time()
    work(text)
    return thread_time() - began


def wait_for_health(server: int, url: httpx.URL) -> float:
    """Return the seconds that a server's process lets somebody wait who asks for `/health`.

    Without the time in which it, or this process, could run and others had the processors.
    """
    began, before = monotonic(), held_up(server, os.getpid())
    with socket.create_connection((url.host, url.port or 0), timeout=60) as line:
        line.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = b"".join(iter(lambda: line.recv(65_536), b""))
    took, after = monotonic() - began, held_up(server, os.getpid())
    assert answer.startswith(b"HTTP/1.1 200"), answer[:200]
    return took - grown(before, after)


def grown(before: dict[str, float], after: dict[str, float]) -> float:
    """Return the seconds that threads waited for a processor between two looks."""
    return sum(after[one] - before.get(one, 0) for one in after)


def held_up(*processes: int) -> dict[str, float]:
    """Return for each thread the seconds that it waited for a processor; nothing off Linux."""
    found = {}
    for process in processes:
        for thread in Path(f"/proc/{process}/task").glob("*/schedstat"):
            try:
                found[thread.parent.name] = int(thread.read_text().split()[1]) / 1e9
            except OSError:  # it ended meanwhile
                continue
    return found
