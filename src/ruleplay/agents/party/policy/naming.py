"""The names of everybody for checks of prose, and the text in which names count as known."""

from __future__ import annotations

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.staging import people, story_told
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.terms_text import ABILITIES, SKILLS
from ruleplay.story.beats import Being


def beings_of(table: Table, book: Book) -> tuple[Being, ...]:
    """List everybody whom prose may name here: the party, persons present, and foes."""
    found = [Being(id=one.id, names=called(one.name.of(table.lang))) for one in table.party]
    found += [
        Being(id=key, names=called(name.of(table.lang)))
        for key, name in people(table, book).items()
    ]
    for one in table.cast.creatures:
        if one.side != "party":
            found.append(Being(id=one.id, names=called(one.name.of(table.lang))))
    return tuple(found)


def called(name: str) -> tuple[str, ...]:
    """Return a name and its capitalised parts: "Brenna Tolk", "Brenna", "Tolk"."""
    parts = [part for part in name.split() if part[:1].isupper() and len(part) > 2]
    return tuple(dict.fromkeys((name, *(parts if len(name.split()) > 1 else ()))))


def heard_of(table: Table, book: Book) -> str:
    """Join all texts whose names the table knows: what the story has told, sheets and terms."""
    lang = table.lang
    known = [*story_told(table, book), *(table.name(seat) for seat in table.characters)]
    known += [term.of(lang) for term in (*SKILLS.values(), *ABILITIES.values())]
    known += [book.effect(key).of(lang) for one in table.party for key in one.spells]
    return " ".join(known)
