"""The names of everybody for checks of prose, and the text in which names count as known."""

from __future__ import annotations

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.exploration.acts import waiting
from ruleplay.agents.party.domain.seats import TABLE
from ruleplay.agents.party.domain.staging import people
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
    """Join all texts whose names the table knows: visited scenes, canon, sheets, told topics."""
    now, lang = table.expedition, table.lang
    known = [book.story.intro.of(lang), book.story.title.of(lang)]
    for key, scene in book.story.scenes.items():
        if f"scene:{key}" in now.flags:
            known += [scene.name.of(lang), scene.text.of(lang)]
            known += [book.story.persons[one].name.of(lang) for one in scene.persons]
            known += [book.story.persons[one].text.of(lang) for one in scene.persons]
            known += [book.story.scenes[way.to].name.of(lang) for way in scene.exits]
    for key, encounter in book.story.encounters.items():
        met = waiting(now, book.story) if now.begun else ""
        if key in (met, now.fighting) or f"over:{key}" in now.flags:
            known += [
                encounter.text.of(lang),
                *(foe.name.of(lang) for foe in encounter.foes if foe.name),
            ]
    known += [book.story.details[key].text.of(lang) for key in now.planted]
    known += [one.text for one in table.tale.known_to(TABLE).canon]
    known += [table.name(seat) for seat in table.characters]
    known += [term.of(lang) for term in (*SKILLS.values(), *ABILITIES.values())]
    known += [book.effect(key).of(lang) for one in table.party for key in one.spells]
    for flag in now.flags:
        kind, _, key = flag.partition(":")
        if kind == "talk" and key in book.story.talks and not book.story.talks[key].secret:
            known.append(book.story.talks[key].text.of(lang))
        if kind == "deed" and key in book.story.deeds:
            known.append(book.story.deeds[key].text.of(lang))
    return " ".join(known)
