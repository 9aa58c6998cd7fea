"""Compares two branches of the same game, limited to what everyone at the table may know."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.knowledge import everything
from ruleplay.agents.party.domain.safety import spared, unnamed
from ruleplay.agents.party.domain.seats import EVERYONE
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.terms_text import CONDITIONS

TOLD = ("fight", "discovery", "callback")
"""Differences told in sentences; the others are names."""


class Differs(NamedTuple):
    """One difference: what differs, whose or which, and its value on either side."""

    what: str
    name: str
    one: str
    other: str


def differences(one: Table, other: Table, book: Book) -> tuple[Differs, ...]:
    """Return the differences between two tables of one game, in the first one's language.

    Only clues that everyone knows are compared, as another person may hold the seat in the other
    branch.
    """
    found = (row for row in _rows(one, other, book) if row.one != row.other)
    return tuple(_sieved(row, one) for row in found)


def _sieved(row: Differs, table: Table) -> Differs:
    """Remove from a difference what the table has agreed not to hear."""
    safety, lang = table.safety, table.lang
    sieve = spared if row.what in TOLD else unnamed
    one, other = (sieve(text, safety, lang) for text in (row.one, row.other))
    return Differs(row.what, unnamed(row.name, safety, lang), one, other)


def _rows(one: Table, other: Table, book: Book) -> Iterator[Differs]:
    yield Differs("round", "", str(one.round), str(other.round))
    yield Differs("day", "", str(one.expedition.day), str(other.expedition.day))
    story, both = book.story, (one.expedition, other.expedition)
    places = (story.scenes.get(now.scene) for now in both)
    endings = (story.endings.get(now.ending) for now in both)
    fights = (story.encounters.get(now.fighting) for now in both)
    yield Differs("place", "", *(it.name.of(one.lang) if it else "" for it in places))
    yield Differs("fight", "", *(it.text.of(one.lang) if it else "" for it in fights))
    yield Differs("ending", "", *(it.name.of(one.lang) if it else "" for it in endings))
    for mine, theirs in zip_longest(one.party, other.party):
        yield from _hero(mine, theirs, one)
    yield from _listed("discovery", _clues(one, one, book), _clues(other, one, book))
    yield from _listed("callback", _details(one, one, book), _details(other, one, book))


def _hero(mine: Creature | None, theirs: Creature | None, table: Table) -> Iterator[Differs]:
    someone = mine or theirs
    if someone is None:
        return
    name = someone.name.of(table.lang)
    yield Differs("hit-points", name, _hit_points(mine), _hit_points(theirs))
    yield Differs("level", name, *(str(who.level) if who else "" for who in (mine, theirs)))
    yield Differs("conditions", name, _conditions(mine, table), _conditions(theirs, table))


def _listed(what: str, mine: tuple[str, ...], theirs: tuple[str, ...]) -> Iterator[Differs]:
    """Find what is on one side only."""
    yield from (Differs(what, "", text, "") for text in mine if text not in theirs)
    yield from (Differs(what, "", "", text) for text in theirs if text not in mine)


def _hit_points(who: Creature | None) -> str:
    return f"{who.hp}/{who.max_hp}" if who else ""


def _conditions(who: Creature | None, table: Table) -> str:
    found = who.conditions if who else ()
    return ", ".join(CONDITIONS[key].of(table.lang) for key in found)


def _clues(there: Table, table: Table, book: Book) -> tuple[str, ...]:
    spoken = there.model_copy(update={"lang": table.lang})
    return tuple(one.text for one in everything(spoken, book) if EVERYONE in one.audience)


def _details(there: Table, table: Table, book: Book) -> tuple[str, ...]:
    keys = there.expedition.planted
    return tuple(book.story.details[key].text.of(table.lang) for key in keys)
