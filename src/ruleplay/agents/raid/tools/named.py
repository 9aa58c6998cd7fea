"""Tells whom of several names a log does not know, and who has no row among what was found."""

from __future__ import annotations

from ruleplay.agents.raid.domain.arguments import Tallied
from ruleplay.agents.raid.domain.overview import fold, side_given
from ruleplay.agents.raid.domain.tool_result import ToolOutcome
from ruleplay.agents.raid.tools.book import Book, names_in
from ruleplay.agents.raid.tools.deeds import HELPER, NOBODYS

ACTORS = "SELECT DISTINCT name FROM actors WHERE name IS NOT NULL"


def unknown(text: str, book: Book) -> list[str]:
    """List the names that match nobody."""
    actors = {fold(str(row[0])) for row in book.ask(ACTORS)} if text else set()
    actors |= {one.partition("-")[0] for one in actors}
    marks = (fold(NOBODYS), fold(HELPER))
    said = {one: one.removesuffix(marks[0]).removesuffix(marks[1]) for one in names_in(text)}
    return sorted(one for one, bare in said.items() if bare.strip() not in actors)


def without_rows(told: ToolOutcome, args: Tallied) -> ToolOutcome:
    """Say for whom of several names there is no row, where each row is of one of them."""
    asked = set() if side_given(args.player_name) else names_in(args.player_name)
    if len(asked) < 2 or not told.rows or args.by not in ("", "player", "cast"):
        return told
    there = {fold(str(row.get("name"))) for row in told.rows}
    there |= {one.partition("-")[0] for one in there}
    lacking = ", ".join(sorted(asked - there))
    note = f"No row is of {lacking}: none of it is theirs." if lacking else ""
    return told.model_copy(update={"notes": (*filter(None, [note]), *told.notes)})
