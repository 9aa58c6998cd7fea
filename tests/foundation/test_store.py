"""What is stored comes back, in this release and in later ones, on both engines."""

from __future__ import annotations

import asyncio
import sqlite3
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from duel import state as duel_state
from duel.agent import Duel
from duel.state import DuelConfig, DuelState
from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import create_async_engine

from ruleplay.foundation import migrations
from ruleplay.foundation.database import SCHEMA
from ruleplay.foundation.errors import Conflict, NotFound, Unavailable, UserError
from ruleplay.foundation.events import Event, Json
from ruleplay.foundation.host import Host
from ruleplay.foundation.settings import Settings
from ruleplay.foundation.store import SNAPSHOT_EVERY, Store
from ruleplay.foundation.tables import metadata
from ruleplay.foundation.turn import state_hash

if TYPE_CHECKING:
    from duel.table import Tables

    from ruleplay.foundation.session import Session


async def test_migrations_make_what_the_code_expects(database: str) -> None:
    await (await Store.open(database)).close()

    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    engine = create_async_engine(database)
    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []
        names = await connection.run_sync(lambda c: inspect(c).get_table_names())
    await engine.dispose()
    assert sorted(names) == ["alembic_version", "prompts", "sessions", "turns"]


def test_the_newest_migration_is_the_one_the_code_names() -> None:
    folder = Path(migrations.__file__).parent
    assert ScriptDirectory(str(folder)).get_current_head() == SCHEMA


async def test_opening_twice_at_once_is_no_error(database: str) -> None:
    await (await Store.open(database)).close()
    stores = await asyncio.gather(*(Store.open(database) for _ in range(5)))
    for store in stores:
        await store.close()


async def test_two_processes_may_open_an_empty_database_at_once(database: str) -> None:
    stores = await asyncio.gather(*(Store.open(database) for _ in range(2)))
    for store in stores:
        assert await store.recent() == []
        await store.close()


async def test_sqlite_keeps_commits_through_a_crash(sqlite: str) -> None:
    store = await Store.open(sqlite)
    async with store._engine.connect() as connection:
        mode = (await connection.execute(text("PRAGMA journal_mode"))).scalar()
        synchronous = (await connection.execute(text("PRAGMA synchronous"))).scalar()
    await store.close()
    assert (mode, synchronous) == ("wal", 2)


@pytest.mark.parametrize(
    "url",
    ["sqlite+aiosqlite:////proc/none/ruleplay.db", "postgresql+asyncpg://x:y@127.0.0.1:1/none"],
)
async def test_a_database_that_cannot_be_opened_is_unavailable(url: str) -> None:
    with pytest.raises(Unavailable, match="cannot open the database"):
        await Store.open(url)
    # aiosqlite's thread answers the loop once more after a failed connection.
    await asyncio.sleep(0.1)


@pytest.mark.parametrize(
    "url", ["no url at all", "postgresql+psycopg9://x:y@127.0.0.1:1/none", "sqlite:///sync.db"]
)
async def test_a_wrong_url_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(UserError, match="cannot be used") as refused:
        await Store.open(url)
    assert "x:y" not in str(refused.value)


async def test_a_database_of_a_newer_release_is_refused(database: str) -> None:
    await (await Store.open(database)).close()
    engine = create_async_engine(database)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    await engine.dispose()
    with pytest.raises(Unavailable, match="newer"):
        await Store.open(database)


async def test_a_session_comes_back_as_it_was_created(tables: Tables) -> None:
    duel = await tables.duel(config={"hit_points": 12})
    other = await tables.host()
    head = await duel.head()
    assert (await other.store.read(duel.id))[0] == head
    assert head.config == {"hit_points": 12, "alternate": False, "sudden_death": False}
    with pytest.raises(Conflict, match="exists"):
        await other.store.create(head)


async def test_what_does_not_exist_is_not_found(tables: Tables) -> None:
    store = (await tables.host()).store
    with pytest.raises(NotFound):
        await store.read("nowhere")
    with pytest.raises(NotFound):
        await store.turn("nothing")


async def test_sessions_are_listed_newest_first(tables: Tables) -> None:
    host = await tables.host()
    duels = [await tables.duel(host) for _ in range(3)]
    await duels[0].turn("En garde!")
    listed = [head.id for head in await host.store.recent()]
    assert listed == [duels[0].id, duels[2].id, duels[1].id]
    assert [head.id for head in await host.store.recent(limit=1)] == [duels[0].id]


async def test_a_stale_head_moves_nothing(tables: Tables) -> None:
    duel = await tables.duel()
    stale = await duel.head()
    turn = await duel.turn("En garde!")
    with pytest.raises(Conflict):
        await duel.host.store.move_head(stale, None, 0, stale.state, 1)
    with pytest.raises(Conflict):
        await duel.host.store.commit(
            stale, turn.model_copy(update={"id": "x", "key": "x"}), stale.state, 1, {}
        )
    assert [stored.id for stored in await duel.turns()] == [turn.id]


async def test_every_state_of_a_long_duel_can_be_reached(tables: Tables) -> None:
    duel = await _long_duel(tables)
    head = await duel.head()
    for turn in await duel.turns():
        state, number = await duel.host.state(head, turn.id)
        assert (state_hash(state), number) == (turn.state_hash, turn.number)


async def test_a_lineage_is_cut_to_the_newest(tables: Tables) -> None:
    duel = await _long_duel(tables)
    head = await duel.head()
    newest = await duel.host.store.lineage(head.head, 5)
    assert [turn.number for turn in newest] == list(range(head.number - 4, head.number + 1))
    assert await duel.host.store.lineage(None) == []


async def test_a_channel_gives_its_newest_lines(tables: Tables) -> None:
    duel = await _long_duel(tables)
    head, store = await duel.head(), duel.host.store
    lines = await store.messages(head.head, "main", 3)
    assert [line.role for line in lines] == ["assistant", "user", "assistant"]
    assert lines[1].text == f"blow {head.number}"
    everything = await store.messages(head.head, "main", 1_000)
    assert [line.text for line in everything[::2]] == [
        f"blow {n}" for n in range(1, head.number + 1)
    ]
    assert await store.messages(head.head, "elsewhere", 5) == ()
    assert len(await store.messages(head.head, "main", 1_000, reach=4)) == 8
    assert await store.messages(None, "main", 5) == ()


async def _long_duel(tables: Tables) -> Session:
    duel = await tables.duel()
    for n in range(1, SNAPSHOT_EVERY * 2 + 4):
        await duel.turn(f"blow {n}", seat=("red", "blue")[n % 2])
    return duel


async def test_spending_adds_up_on_the_session(table: Tables) -> None:
    from ruleplay.foundation.tape import Call, Reply

    duel = await table.duel()
    head = await duel.head()
    template = await (await table.duel(duel.host)).turn("En garde!")
    costly = Call(role="r", source="model", replies=(Reply(cost=Decimal("0.10")),) * 3)
    turn = template.model_copy(update={"id": "x", "session": head.id, "calls": (costly,)})
    await duel.host.store.commit(head, turn, head.state, 1, {})
    assert (await duel.head()).spent == Decimal("0.30")


async def test_a_static_prompt_is_stored_once(table: Tables) -> None:
    from ruleplay.foundation.llm.rehearsal import ScriptedModel

    model = ScriptedModel(['{"stance": "wary", "force": 0}'] * 4)
    duel = await table.duel(model=model, roles=("duel.stance",))
    for _ in range(4):
        await duel.turn("En garde!")
    with sqlite3.connect(table.home / "ruleplay.db") as connection:
        rows = connection.execute("SELECT hash, text FROM prompts").fetchall()
    connection.close()
    turns = await duel.turns()
    hashes = {c.system for turn in turns for c in turn.calls if c.role == "duel.stance"}
    assert rows == [(hashes.pop(), "You fight a duel. Answer with a stance as JSON.")]
    assert not hashes


class BlowStruck(duel_state.BlowStruck):
    """The event in the next release: armour counts."""

    version: ClassVar[int] = 2
    armour: int


class NextState(DuelState):
    """The state in the next release: it counts blows."""

    version: ClassVar[int] = 2
    blows: int = 0

    def apply(self, event: Event) -> NextState:
        """Count blows, and let the release before do the rest."""
        after = super().apply(event)
        assert isinstance(after, NextState)
        more = isinstance(event, BlowStruck) and event.armour == 0
        return after.model_copy(update={"blows": after.blows + more})


def add_armour(body: Json) -> Json:
    """Lift a blow of the first release: nobody wore armour."""
    return {**body, "armour": 0}


class NextDuel(Duel):
    """The duel in its next release."""

    state_type = NextState
    upcasters: ClassVar = {("BlowStruck", 1): add_armour}

    def new(self, config: DuelConfig, rng: Random) -> NextState:
        """Return what the release before returned, with the new field."""
        return NextState(**super().new(config, rng).model_dump())

    def __init__(self) -> None:
        self.events = tuple(  # type: ignore[misc]  # a class variable elsewhere
            BlowStruck if kind is duel_state.BlowStruck else kind for kind in Duel.events
        )


async def test_an_old_session_opens_in_a_new_release(tables: Tables) -> None:
    duel = await _long_duel(tables)
    count, old = len(await duel.turns()), await duel.view("red")
    settings = Settings(home=tables.home, db=tables.url)
    later = await Host.open(settings, lambda name: NextDuel())
    try:
        head, _ = await later.store.read(duel.id)
        state, _ = await later.state(head, head.head)
        assert isinstance(state, NextState)
        assert state.blows == count
        assert NextDuel().view(state, "red") == old
        before = await later.undo(duel.id)
        assert before.state_version == 2
        assert '"blows":' in before.state
    finally:
        await later.close()
