"""How the time for some work grows with its size, whatever else the machine does meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time

TIMES = 10
FLOOR = 0.005
"""Seconds below which a measurement says nothing."""


def growth(work: Callable[[str], object], piece: str, size: int) -> float:
    """Return how many times as much processor time a text of `size` takes as a tenth of it.

    The texts are made of `piece`. In proportion it is about TIMES, which is not measured more
    exactly than to a factor of three; work that grows with the square takes TIMES * TIMES.
    """
    short, whole = (piece * (length // len(piece)) for length in (size // TIMES, size))
    took = _seconds(work, short)
    return _seconds(work, whole) / max(took, FLOOR)


def _seconds(work: Callable[[str], object], text: str) -> float:
    began = thread_time()
    work(text)
    return thread_time() - began
