"""The library of scenarios: those that come with Ruleplay, and those in a user's folder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ruleplay.agents.saga.adapters.rules_source import DATA, shipped_rules
from ruleplay.agents.saga.adapters.scenario_source import read_book
from ruleplay.agents.saga.domain.scenario import Book, Scenario
from ruleplay.errors import NotFound
from ruleplay.story.sections import read_file, stories_in


@dataclass(frozen=True)
class Shelved:
    """A scenario with its rules; `source` is its text if it is a user's own, else empty."""

    book: Book
    file: str
    source: str = ""

    @property
    def scenario(self) -> Scenario:
        """The scenario without its rules."""
        return self.book.scenario


def shipped_scenarios(rules: str = "") -> dict[str, Shelved]:
    """Return Ruleplay's scenarios by key; `rules` names the data that a session began with."""
    return _scenarios(DATA.key(rules))


@lru_cache(maxsize=4)
def _scenarios(rules: str) -> dict[str, Shelved]:
    found: dict[str, Shelved] = {}
    for name, text in DATA.texts(rules).items():
        if name.startswith("scenarios/"):
            file = name.partition("/")[2]
            book = read_book(text, file, shipped_rules(rules))
            found[book.scenario.key] = Shelved(book, file)
    return found


@lru_cache(maxsize=16)
def _own_book(source: str, rules: str) -> Book:
    return read_book(source, "scenario.md", shipped_rules(rules))


def open_book(key: str, source: str = "", rules: str = "") -> Book:
    """Open the book of a session: the scenario in `source` if there is one, else a shipped one.

    `rules` names the data that the session began with (NotFound if it has no such scenario).
    """
    if source:
        return _own_book(source, DATA.key(rules))
    shelf = shipped_scenarios(rules)
    if key not in shelf:
        raise NotFound(f"no scenario {key!r}; there are {', '.join(shelf)}")
    return shelf[key].book


def scenarios_in(folder: Path) -> dict[str, Shelved]:
    """Read a folder of scenarios; UserError names file and line of what is wrong."""

    def read(path: Path) -> tuple[str, Shelved]:
        shelved = read_scenario(path)
        return shelved.scenario.key, shelved

    return stories_in(folder, "scenario", read)


def read_scenario(path: Path) -> Shelved:
    """Read a user's scenario; UserError names file and line of what is wrong."""
    text = read_file(path)
    return Shelved(read_book(text, path.name, shipped_rules()), path.name, text)


@dataclass(frozen=True)
class Library:
    """Saga's world, which nodes reach through their context."""

    def book(self, key: str, source: str, rules: str) -> Book:
        """Open the book of a session."""
        return open_book(key, source, rules)
