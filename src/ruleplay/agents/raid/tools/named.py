"""Tells which names a log does not know, and who has no row among what was found."""

from __future__ import annotations

from difflib import get_close_matches

from ruleplay.agents.raid.domain.arguments import Tallied
from ruleplay.agents.raid.domain.overview import fold, side_given
from ruleplay.agents.raid.domain.tool_result import ToolOutcome
from ruleplay.agents.raid.tools.book import Book, names_in
from ruleplay.agents.raid.tools.deeds import HELPER, NOBODYS

SPELLS = "SELECT DISTINCT spell_id, spell FROM events WHERE spell IS NOT NULL ORDER BY ALL"
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


def near_abilities(text: str, book: Book) -> tuple[str, ...]:
    """Say, in a line each, which abilities of a log are called nearly like those it does not have.

    Other clients have other names: Hand of Protection was Blessing of Protection once.
    """
    known = {fold(str(row[1])): str(row[1]) for row in book.ask(SPELLS)}
    lacking = [one for one in sorted(names_in(text)) if not any(one in name for name in known)]
    close = {one: get_close_matches(one, known, 3) for one in lacking if not one.isdigit()}
    near = {one: ", ".join(known[name] for name in found) for one, found in close.items()}
    return tuple(
        f"No ability is called {one!r} in this log; near names: {found}."
        for one, found in near.items()
        if found
    )
