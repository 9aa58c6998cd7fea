"""The library of adventures: those that come with Ruleplay, and those in a user's folder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ruleplay.agents.party.adapters.adventure_source import read_adventure, with_monsters
from ruleplay.agents.party.adapters.srd_source import DATA, files_of, known_rules, shipped_rules
from ruleplay.agents.party.domain.adventure import Adventure
from ruleplay.agents.party.domain.book import Book
from ruleplay.errors import NotFound
from ruleplay.story.sections import read_file, stories_in

FIRST = "drowned-bell"
"""The default adventure."""


@dataclass(frozen=True)
class Shelved:
    """An adventure; `source` is its text if it is a user's own, else empty."""

    adventure: Adventure
    file: str
    source: str = ""


def shipped_adventures(rules: str = "") -> dict[str, Shelved]:
    """Return Ruleplay's adventures by key; `rules` names the data that a session began with."""
    return _adventures(DATA.key(rules))


@lru_cache(maxsize=4)
def _adventures(rules: str) -> dict[str, Shelved]:
    found: dict[str, Shelved] = {}
    for file, text in files_of("adventures", rules).items():
        adventure = read_adventure(text, file, shipped_rules(rules))
        found[adventure.key] = Shelved(adventure, file)
    return found


def open_book(key: str, source: str = "", rules: str = "") -> Book:
    """Open the book of a session: the adventure in `source` if there is one, else a shipped one.

    `rules` names the data that the session began with (NotFound if it has no such adventure).
    """
    return _book(key or FIRST, source, DATA.key(rules))


@lru_cache(maxsize=24)
def _book(key: str, source: str, rules: str) -> Book:
    if source:
        known = known_rules(rules)
        adventure = read_adventure(source, "adventure.md", known)
        return Book(with_monsters(known, adventure), adventure)
    shelf = shipped_adventures(rules)
    if key not in shelf:
        raise NotFound(f"no adventure {key!r}; there are {', '.join(shelf)}")
    adventure = shelf[key].adventure
    return Book(with_monsters(shipped_rules(rules), adventure), adventure)


def adventures_in(folder: Path) -> dict[str, Shelved]:
    """Read a folder of adventures; UserError names file and line of what is wrong."""

    def read(path: Path) -> tuple[str, Shelved]:
        text = read_file(path)
        adventure = read_adventure(text, path.name, known_rules())
        return adventure.key, Shelved(adventure, path.name, text)

    return stories_in(folder, "adventure", read)
