"""The floors of a run through Torghast, as the log's own lines tell them."""

from __future__ import annotations

from dataclasses import dataclass

from ruleplay.agents.raid.tools.book import Book
from ruleplay.errors import NotFound

_LINES = """
SELECT event = 'MAP_FLOOR_START', ms, note FROM events
WHERE event IN ('MAP_FLOOR_START', 'MAP_FLOOR_END') ORDER BY line
"""
FLOORS_RULE = (
    "Floors are those of the log's MAP_FLOOR lines; whether the whole run was completed, the end of"
    " its last floor says."
)


@dataclass(frozen=True)
class Floor:
    """A floor: number, place, times in milliseconds, and whether its end completed the run."""

    number: int
    place: str
    start_ms: int
    end_ms: int
    completed: bool


def read_floors(book: Book) -> list[Floor]:
    """Read the floors in order; raises NotFound if the log has none.

    A line has the floor's number, the layer, the place and, at its end, whether the run is done.
    """
    begun: dict[int, int] = {}
    found: list[Floor] = []
    for starts, ms, note in book.ask(_LINES):
        number, _, place, *done = [part.strip('"') for part in str(note).split(",")]
        if starts:
            begun[int(number)] = ms
        elif int(number) in begun:
            since = begun.pop(int(number))
            found.append(Floor(int(number), place, since, ms, done == ["1"]))
    if not found:
        raise NotFound(f"report {book.code!r} has no floors: it is of no run through Torghast")
    return found
