"""Build a table's first state from a session's configuration."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from ruleplay.agents.party.adapters.character_source import Character, party_of, shipped_sheets
from ruleplay.agents.party.adapters.library import open_book
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.exploration.progress import Expedition
from ruleplay.agents.party.domain.memory import Memory
from ruleplay.agents.party.domain.seats import DM, TABLE, Seat
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.state import Config, State
from ruleplay.errors import UserError
from ruleplay.story.texts import Lang


@dataclass(frozen=True)
class Library:
    """Party's world, which nodes reach through their context."""

    def book(self, adventure: str, source: str, rules: str) -> Book:
        """Open the book of a session."""
        return open_book(adventure, source, rules)


@lru_cache(maxsize=64)
def characters_of(
    sheets: tuple[str, ...], level: int | None, lang: Lang, adventure: str, source: str, rules: str
) -> tuple[Character, ...]:
    """Build the characters of a configuration's fields (UserError, NotFound)."""
    book = open_book(adventure, source, rules)
    return party_of(sheets, book.rules, level, lang, shipped_sheets(rules))


def party(config: Config) -> tuple[Character, ...]:
    """Build the characters of a configuration (UserError, NotFound)."""
    chosen = (config.level, config.lang, config.adventure, config.source, config.rules)
    return characters_of(config.characters, *chosen)


def turn_queue(config: Config) -> tuple[str, ...]:
    """Return a configuration's seats in order, the DM's first."""
    return (DM, *(one.creature.id for one in party(config)))


def lay_table(config: Config, rng: Random) -> State:
    """Build a party at the start of its adventure (UserError, NotFound)."""
    book, characters, queue = (
        open_book(config.adventure, config.source, config.rules),
        party(config),
        turn_queue(config),
    )
    if strangers := [seat for seat in config.humans if seat not in queue]:
        raise UserError(f"no seat {strangers[0]!r} here; the seats are {', '.join(queue)}")
    # Sessions that name no rules were laid by a release whose characters brought no coin.
    purse = len(characters) * book.rules.pocket_money if config.rules else 0
    table = Table(
        lang=config.lang,
        cast=Cast(
            creatures=tuple(one.creature for one in characters),
            dice_seed=f"{rng.getrandbits(64):016x}",
        ),
        expedition=Expedition(adventure=book.story.key, purse=purse),
        personas={one.creature.id: one.persona for one in characters},
        turn_queue=queue,
        seats={
            seat: Seat(name=seat, by="human" if seat in config.humans else "model")
            for seat in queue
        },
        memories={seat: Memory() for seat in (*queue, TABLE)},
    )
    return State(
        table=table,
        adventure=book.story.key if not config.source else "",
        source=config.source,
        rules=config.rules,
    )
