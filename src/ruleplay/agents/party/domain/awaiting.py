"""Conditions that code can tell: what somebody waits for, by an id."""

from __future__ import annotations

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.performance import settled_by
from ruleplay.agents.party.domain.table import Table
from ruleplay.story.acts import Act

OVER = "over"
"""What waits for the end of the fight."""


def can_come(table: Table, book: Book, what: str) -> bool:
    """Whether code can tell when something has come, and it has not yet."""
    foe = table.cast.get(what)
    known = what == OVER or bool(flag_of(what)) or what in book.story.scenes
    known = known or (foe is not None and what not in table.seats)
    return bool(what) and known and not has_come(table, what)


def has_come(table: Table, what: str) -> bool:
    """Whether it has come: all are in a scene, an option was done, a foe is out, the fight over."""
    if what == OVER:
        return table.cast.fight is None
    if what in table.seats or table.cast.get(what):
        one = table.cast.get(what)
        return one is None or not (one.present and one.conscious)
    if flag := flag_of(what):
        return flag in table.expedition.flags
    here = table.expedition.scene == what.removeprefix("go:")
    return here and table.cast.fight is None and not table.tale.parted


def flag_of(option: str) -> str:
    """Return the flag that the adventure sets once an option was done; empty for ways."""
    flag = settled_by(Act(do="pick", item=option))
    return "" if flag.startswith("at:") else flag
