"""The floors of a run through Torghast, of a report that has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleplay.agents.raid.domain.floors import FLOOR_LINES, Floor, floors_of
from ruleplay.errors import NotFound

if TYPE_CHECKING:
    from ruleplay.agents.raid.tools.book import Book

FLOORS_RULE = (
    "Floors are those of the log's MAP_FLOOR lines; whether the whole run was completed, the end of"
    " its last floor says."
)


def read_floors(book: Book) -> list[Floor]:
    """Read the floors in order; raises NotFound if the log has none."""
    found = floors_of(book.ask(FLOOR_LINES))
    if not found:
        raise NotFound(f"report {book.code!r} has no floors: it is of no run through Torghast")
    return found
