"""The shelf of adventures: those that come with Ruleplay, and a user's own folder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from ruleplay.agents.party.adapters.adventure_source import read_adventure, with_monsters
from ruleplay.agents.party.adapters.srd_source import known_rules, shipped_rules
from ruleplay.agents.party.domain.adventure import Adventure
from ruleplay.agents.party.domain.book import Book
from ruleplay.errors import NotFound, UserError
from ruleplay.story.sections import LIMIT

SHIPPED = Path(__file__).parents[1] / "world" / "adventures"
SUFFIX = ".md"
FIRST = "drowned-bell"
"""The adventure that is played when none is named."""


@dataclass(frozen=True)
class Shelved:
    """An adventure on the shelf; `source` is its text when it is a user's own."""

    adventure: Adventure
    file: str
    source: str = ""


@cache
def shipped_adventures() -> dict[str, Shelved]:
    """Return the adventures that come with Ruleplay, by key."""
    found: dict[str, Shelved] = {}
    for path in sorted(SHIPPED.glob(f"*{SUFFIX}")):
        text = path.read_text(encoding="utf-8")
        adventure = read_adventure(text, path.name, shipped_rules())
        found[adventure.key] = Shelved(adventure, path.name)
    return found


@lru_cache(maxsize=16)
def own_book(source: str) -> Book:
    """Return the book of a user's own adventure, from its text."""
    rules = known_rules()
    adventure = read_adventure(source, "adventure.md", rules)
    return Book(with_monsters(rules, adventure), adventure)


@cache
def shipped_book(key: str) -> Book:
    """Return the book of an adventure that comes with Ruleplay (NotFound)."""
    shelf = shipped_adventures()
    if (key or FIRST) not in shelf:
        raise NotFound(f"no adventure {key!r}; there are {', '.join(shelf)}")
    adventure = shelf[key or FIRST].adventure
    return Book(with_monsters(shipped_rules(), adventure), adventure)


def open_book(key: str, source: str = "") -> Book:
    """Return the book that a session is played with: its own text, or a shipped adventure."""
    return own_book(source) if source else shipped_book(key)


def read_file(path: Path, limit: int) -> str:
    """Return the text of a user's file; UserError says why it cannot be read."""
    try:
        if not path.is_file() and path.exists():
            raise UserError(f"{str(path)!r} is not a file that ends")
        if path.stat().st_size > 4 * limit:
            raise UserError(f"{path.name}:1: too large; at most {limit:,} characters are read")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{str(path)!r} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path.name}:1: not UTF-8 text") from error


def adventures_in(folder: Path) -> dict[str, Shelved]:
    """Return a user's own adventures, by key; UserError tells file and line of what is wrong."""
    if not folder.is_dir():
        raise UserError(f"no folder {str(folder)!r}; name one that holds adventures as .md files")
    found: dict[str, Shelved] = {}
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        text = read_file(path, LIMIT)
        adventure = read_adventure(text, path.name, known_rules())
        if adventure.key in found:
            raise UserError(f"{path.name}:2: adventure {adventure.key!r} is also in another file")
        found[adventure.key] = Shelved(adventure, path.name, text)
    return found
