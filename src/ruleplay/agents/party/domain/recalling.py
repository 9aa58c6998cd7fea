"""Memories in words: what a seat may be reminded of and what its prompts may contain."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import shorten

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.knowledge import known
from ruleplay.agents.party.domain.memory import Line
from ruleplay.agents.party.domain.safety import spared
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.terms_text import TERMS

LATELY = 4
"""How many of somebody's last words they are reminded of."""
SHORT = 160
"""The most characters of an adventure's text that a remembered line quotes."""


def recalled(table: Table, book: Book, seat: str, *, own_words: bool = True) -> tuple[str, ...]:
    """Return what a seat remembers, oldest first, in the table's language.

    Without `own_words`, whatever the seat said or whispered and the DM's words are left out.
    """
    memory = table.memories.get(seat)
    lines = memory.lines if memory else ()
    texts = {one.key: one.text for one in known(table, book, seat)}
    kept = (
        line
        for line in lines
        if (own_words or not _own(line, seat))
        and not _elsewhere(line, seat, book)
        and not _parted(line, table)
    )
    done = {line.about for line in lines if line.kind == "deed"}
    lasting = (line for line in kept if line.kind != "tried" or line.about not in done)
    told = dict.fromkeys(_told(line, table, book, texts) for line in lasting)
    return tuple(spared(text, table.safety, table.lang) for text in told if text)


def said_lately(table: Table, seat: str, *, aloud: bool = False) -> tuple[str, ...]:
    """Return what a character has said last, oldest first; whispers are for their eyes alone."""
    memory = table.memories.get(seat)
    lines = memory.lines if memory else ()
    kinds = ("said",) if aloud else ("said", "whisper")
    own = (one for one in lines if one.kind in kinds and one.about == seat)
    return tuple(one.value for one in own)[-LATELY:]


def _own(line: Line, seat: str) -> bool:
    return line.kind in ("said", "whisper") and line.about in (seat, DM)


def _elsewhere(line: Line, seat: str, book: Book) -> bool:
    """Say whether a line is about a secret talk that the seat did not have.

    Tables saved by older versions noted such talks for everyone.
    """
    talk = book.story.talks.get(line.about) if line.kind == "talk" else None
    return bool(talk and talk.secret) and seat not in (DM, line.other)


def _parted(line: Line, table: Table) -> bool:
    """Say whether a line is about a thing that its holder has no longer."""
    if line.kind == "keepsake":
        return not any(
            (one.who, one.text) == (line.about, line.value) for one in table.tale.keepsakes
        )
    one = table.cast.get(line.other) if line.kind == "item" else None
    return one is not None and not one.count(line.about)


def _told(line: Line, table: Table, book: Book, known: Mapping[str, str]) -> str:
    about = _about(line, table, book, known)
    if not about and line.kind != "rest":
        return ""
    ended = TERMS["fights"]
    value = ended[line.value].of(table.lang) if line.value in ended else line.value
    others = ", ".join(_name(who, table, book) for who in line.other.split())
    said = TERMS["memory"][line.kind].of(table.lang).format(about=about, other=others, value=value)
    return said[:1].upper() + said[1:]


TOLD_BY = {
    "scene": ("scenes", "name"), "again": ("scenes", "name"), "deed": ("deeds", "hint"),
    "tried": ("deeds", "hint"), "talk": ("talks", "hint"), "fight": ("encounters", "text"),
    "avoided": ("encounters", "text"), "planted": ("details", "text"),
    "returned": ("details", "payoff"), "ending": ("endings", "name"),
}  # fmt: skip
"""For each kind of line: the section of the adventure it refers to, and the text that tells it."""


def _about(line: Line, table: Table, book: Book, known: Mapping[str, str]) -> str:
    """Return what a line is about, or "" when the adventure has nothing of that name."""
    lang, key = table.lang, line.about
    section, name = TOLD_BY.get(line.kind, ("", ""))
    found = getattr(book.story, section).get(key) if section else None
    if found:
        return shorten(getattr(found, name).of(lang), SHORT, placeholder=" …")
    if line.kind in ("clue", "secret"):
        return known.get(key, "")
    if line.kind in ("slain", "beaten") and key in book.rules.monsters:
        return book.rules.monsters[key].name.of(lang)
    if line.kind == "item":
        return book.item(key).of(lang)
    return _name(key, table, book) if key else ""


def _name(who: str, table: Table, book: Book) -> str:
    person = book.story.persons.get(who)
    return person.name.of(table.lang) if person else table.name(who)
