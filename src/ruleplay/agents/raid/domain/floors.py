"""The floors of a run through Torghast, as the log's own lines tell them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

FLOOR_LINES = """
SELECT event = 'MAP_FLOOR_START', ms, note, line FROM events
WHERE event IN ('MAP_FLOOR_START', 'MAP_FLOOR_END') ORDER BY line
"""


@dataclass(frozen=True)
class Floor:
    """A floor: number, place, times in milliseconds, lines, whether its end completed the run."""

    number: int
    place: str
    start_ms: int
    end_ms: int
    first: int
    last: int
    completed: bool


def floors_of(lines: Iterable[tuple[Any, ...]]) -> list[Floor]:
    """Pair the lines of `FLOOR_LINES` to floors, in order.

    A line has the floor's number, the layer, the place and, at its end, whether the run is done.
    """
    begun: dict[int, tuple[int, int]] = {}
    found: list[Floor] = []
    for starts, ms, note, line in lines:
        number, _, place, *done = [part.strip('"') for part in str(note).split(",")]
        if starts:
            begun[int(number)] = (ms, line)
        elif int(number) in begun:
            since, first = begun.pop(int(number))
            found.append(Floor(int(number), place, since, ms, first, line, done == ["1"]))
    return found
