"""Tables for tests: laid in memory, or kept in a database whose process is rebuilt every time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from ruleplay.agents.party.adapters.library import open_book
from ruleplay.agents.party.adapters.tables import lay_table
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.turns import fight_on, fight_turn
from ruleplay.agents.party.state import Config, State
from ruleplay.catalog import find_agent
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.models.scripted import Rehearsal
from ruleplay.records.events import Json
from ruleplay.records.turns import Turn
from ruleplay.settings import Settings

SIX = """name: {name}
race: human
class: {klass}
level: 1
"""
NAMED = (
    ("Anna", "fighter"),
    ("Bert", "rogue"),
    ("Cora", "cleric"),
    ("Dunn", "wizard"),
    ("Edda", "ranger"),
    ("Finn", "barbarian"),
)


def sheets(count: int) -> tuple[str, ...]:
    """Return plain characters for a party of so many."""
    return tuple(SIX.format(name=name, klass=klass) for name, klass in NAMED[:count])


def laid(seed: int = 1, **config: object) -> tuple[State, Book]:
    """Return a table in memory, and its book."""
    state = lay_table(Config.model_validate(config), Random(seed))
    return state, open_book(state.adventure, state.source)


def fighting(table: Table, book: Book) -> Table:
    """Return a table at a character's turn in the first fight of the first adventure."""
    turn = TableTurn(table, book)
    from ruleplay.agents.party.domain.exploration.acts import Exploration

    assert turn.venture("dm", Exploration(act="begin")) is None
    leader = table.characters[0]
    for scene in ("causeway",):
        assert turn.venture(leader, Exploration(act="go", target=scene)) is None
    if turn.table.cast.fight is None:
        assert turn.venture(leader, Exploration(act="provoke", target="rats")) is None
    turn.finish(leader)
    fight_on(turn)
    if turn.table.current_turn == "dm":
        turn.finish("dm")
    assert turn.table.cast.fight
    return turn.table


def fight_to_its_end(table: Table, book: Book) -> Table:
    """Return a table after everyone has fought by tactics until the fight was over."""
    for _ in range(200):
        fight = table.cast.fight
        if fight is None:
            return table
        turn = TableTurn(table, book)
        fight_turn(turn, fight.actor)
        table = turn.table
    raise AssertionError("the fight does not end")


class Room:
    """One table in a database; whatever is done there is done by a process of its own."""

    def __init__(self, home: Path, model: str = "rules") -> None:
        self.settings, self.id = Settings(home=home, db="", model=model), ""

    @asynccontextmanager
    async def session(self, model: Rehearsal | None = None) -> AsyncIterator[Session]:
        """Open the session in a fresh process, as far as memory goes; `model` stands in."""
        host = await Host.open(self.settings, find_agent)
        if model is not None:
            host.models.stand_ins[self.settings.model] = model
        try:
            yield Session(host, self.id)
        finally:
            await host.close()

    async def lay(self, seed: str = "1", **config: object) -> None:
        """Create the session."""
        async with self.session() as session:
            self.id = (await session.host.create("party", config or None, seed=seed)).id

    async def does(self, action: Json, seat: str = "") -> Turn:
        """Send an action."""
        async with self.session() as session:
            return await session.turn(action=action, seat=seat)

    async def says(self, message: str, seat: str = "") -> Turn:
        """Send a message."""
        async with self.session() as session:
            return await session.turn(message, seat=seat)

    async def plays(self, turns: int) -> list[Turn]:
        """Let whoever is to move play."""
        return [await self.does({"do": "play"}) for _ in range(turns)]

    async def view(self, seat: str = "") -> Json:
        """Return what a seat sees."""
        async with self.session() as session:
            return await session.view(seat)

    async def state(self) -> State:
        """Return the state."""
        async with self.session() as session:
            return State.model_validate_json((await session.head()).state)


def types(turn: Turn) -> Sequence[object]:
    """Return the kinds of a turn's events."""
    return [event["type"] for event in turn.events]
