"""What is stored comes back, in this release and in later ones, on both engines."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import sys
import tracemalloc
from collections.abc import Callable
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
from duel.table import Tables
from sqlalchemy import Connection, Engine, event, insert, inspect, make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from ruleplay.errors import Away, Conflict, NotFound, Unavailable, UserError
from ruleplay.kernel.host import Host
from ruleplay.kernel.turn import state_hash
from ruleplay.records.events import Event, Json
from ruleplay.records.given import Message
from ruleplay.settings import Settings
from ruleplay.storage import database as storage
from ruleplay.storage import migrations
from ruleplay.storage.database import CONNECTIONS, SCHEMA, Postgres
from ruleplay.storage.line_cache import MOST_BYTES, LineCache, Lines
from ruleplay.storage.migrations.upgrade import upgrade
from ruleplay.storage.store import SNAPSHOT_EVERY, Store
from ruleplay.storage.tables import metadata, sessions, turns

OLD_ROW: dict[str, object] = {
    **dict.fromkeys(("id", "session", "head"), "old"),
    **dict.fromkeys(("parent", "key", "origin", "forked"), None),
    **dict.fromkeys(("config", "models", "outside", "state"), "{}"),
    **dict.fromkeys(("events", "cites", "messages", "calls"), "[]"),
    **dict.fromkeys(("agent", "title", "seed", "seat", "state_hash"), "duel"),
    **dict.fromkeys(("at", "created", "updated"), "2026-01-01T00:00:00+00:00"),
    "given": '{"message":"En garde!"}',
    "reply": "A miss.",
    "spent": "0",
}
"""Values of both tables' columns, by name; the rest are numbers."""

if TYPE_CHECKING:
    from tests.postgres import PostgresServer

    from ruleplay.kernel.session import Session


async def test_migrations_make_what_the_code_expects(database: str) -> None:
    await (await Store.open(database)).close()

    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    engine = create_async_engine(database)
    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []
        names = await connection.run_sync(lambda c: inspect(c).get_table_names())
    await engine.dispose()
    assert sorted(names) == [
        *("alembic_version", "histories", "leases", "prompts", "rule_data", "sessions", "turns")
    ]


def test_the_newest_migration_is_the_one_the_code_names() -> None:
    folder = Path(migrations.__file__).parent
    assert ScriptDirectory(str(folder)).get_current_head() == SCHEMA


ADDED = ("audience", "asides", "spans", "edition")
"""Columns that later releases added."""


async def test_a_database_of_the_first_release_keeps_its_turns(database: str) -> None:
    engine = create_async_engine(database)
    async with engine.begin() as connection:
        await connection.run_sync(upgrade, "0001")
        for table in (sessions, turns):
            columns = [c for c in table.c if c.name not in ADDED]
            row = {c.name: OLD_ROW.get(c.name, 1) for c in columns}
            await connection.execute(insert(table).values(row))
    await engine.dispose()
    store = await Store.open(database)
    (turn,) = await store.lineage("old")
    (branch,) = await store.branches("old")
    assert (turn.given.message, turn.reply) == ("En garde!", "A miss.")
    assert (turn.audience, turn.asides, branch.audience) == (("*",), (), ("*",))
    assert (turn.spans, turn.edition) == ((), 1)
    await store.close()


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


async def test_sqlite_keeps_commits_through_a_crash(
    sqlite: str, unsynced: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "_sqlite_engine", unsynced)

    def pragmas(connection: Connection) -> tuple[object, object]:
        mode = connection.execute(text("PRAGMA journal_mode")).scalar()
        return mode, connection.execute(text("PRAGMA synchronous")).scalar()

    store = await Store.open(sqlite)
    kept, light = await store.database.keep(pragmas), await store.database.run(pragmas)
    await store.close()
    assert (kept, light) == (("wal", 2), ("wal", 1))


@pytest.mark.parametrize(
    "url",
    ["sqlite+aiosqlite:////proc/none/ruleplay.db", "postgresql+asyncpg://x:y@127.0.0.1:1/none"],
)
async def test_a_database_that_cannot_be_opened_is_unavailable(url: str) -> None:
    with pytest.raises(Unavailable, match="cannot open the database"):
        await Store.open(url)


@pytest.mark.parametrize("driver", ["sqlite", "sqlite+aiosqlite", "sqlite+pysqlite"])
async def test_sqlite_needs_no_other_driver_whatever_the_url_names(
    driver: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "aiosqlite", None)
    tables = Tables(f"{driver}:///{tmp_path / 'ruleplay.db'}", tmp_path)
    duel = await tables.duel()
    assert (await duel.turn("En garde!")).number == 1
    await tables.close()


@pytest.mark.parametrize(
    "url",
    ["no url at all", "postgresql+psycopg9://x:y@127.0.0.1:1/none", "sqlite+psycopg9:///sync.db"],
)
async def test_a_wrong_url_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(UserError, match="cannot be used") as refused:
        await Store.open(url)
    assert "x:y" not in str(refused.value)


async def test_an_address_of_postgresql_needs_no_driver(database: str) -> None:
    store = await Store.open(database.replace("+asyncpg", ""))
    await store.close()


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


@pytest.mark.parametrize("remembered", [True, False])
async def test_a_channel_gives_its_newest_lines(tables: Tables, remembered: bool) -> None:
    duel = await _long_duel(tables)
    head, store = await duel.head(), (duel.host if remembered else await tables.host()).store
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


async def test_a_turn_reads_no_lines_that_its_process_knows(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    duel = await _long_duel(tables)
    head, store = await duel.head(), duel.host.store
    monkeypatch.setattr("ruleplay.storage.store._lines", None)
    assert len(await store.messages(head.head, "main", 20)) == 20


async def test_lines_in_memory_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruleplay.storage.line_cache.MOST_BYTES", 4_000)
    recent, line = LineCache(), Message(role="user", text="x" * 300)
    recent.keep(*(Lines(turn, None, (line,)) for turn in "ab"))
    assert recent.of("a")
    recent.keep(Lines("c", "b", (line,)))
    assert [turn for turn in "abc" if recent.of(turn)] == ["a", "c"]


def test_lines_in_memory_take_no_more_than_they_may() -> None:
    recent, lines = LineCache(), 20_000
    tracemalloc.start()
    try:
        for turn in range(lines):
            said = Message(role="user", text=f"I wait {turn}", channel="table")
            recent.keep(Lines(f"{turn:024}", f"{turn - 1:024}", (said, said.model_copy())))
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert recent.of(f"{lines - 1:024}")
    assert not recent.of(f"{0:024}")
    assert MOST_BYTES / 2 < taken < MOST_BYTES * 1.1


async def test_postgresql_takes_a_commit_as_one_statement(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    tables = Tables(await asyncio.to_thread(postgres.new_database), tmp_path)
    duel = await tables.duel()
    await duel.turn("En garde!")
    statements: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if "pg_notify" not in statement and "UPDATE leases" not in statement:  # in their own time
            statements.append(" ".join(statement.split()))

    event.listen(Engine, "before_cursor_execute", note)
    await duel.turn("Again!")
    event.remove(Engine, "before_cursor_execute", note)
    await tables.close()
    writing = [told for told in statements if re.search("INSERT|UPDATE|DELETE", told)]
    assert [told.split(" (")[0] for told in writing] == ["INSERT INTO leases", "WITH moved AS"]
    assert len(statements) == 3  # the session is read under its lease


async def test_a_database_is_closed_after_what_still_runs(postgres: PostgresServer) -> None:
    import asyncpg

    database = Postgres(make_url(await asyncio.to_thread(postgres.new_database)))
    seen: list[asyncpg.Connection] = []

    def slow(connection: Connection) -> int:
        raw = connection.connection.driver_connection
        assert isinstance(raw, asyncpg.Connection)
        seen.append(raw)
        return connection.execute(text("SELECT 1 FROM pg_sleep(0.5)")).scalar() or 0

    # As when a turn that ends its lease is cancelled a second time.
    left_alone = asyncio.create_task(database.run(slow))
    async with asyncio.timeout(180):
        while not seen:
            await asyncio.sleep(0.01)
    await database.close()
    assert await left_alone == 1
    assert seen[0].is_closed()


async def test_a_database_is_closed_after_connections_that_take_no_slot(
    postgres: PostgresServer,
) -> None:
    database = Postgres(make_url(await asyncio.to_thread(postgres.new_database)))
    connection = await database.engine.connect()
    raw = (await connection.get_raw_connection()).driver_connection
    assert raw is not None
    # As when DBOS commits, or the relay stops listening, while the process ends.
    given_back = asyncio.get_running_loop().call_later(
        0.3, lambda: asyncio.ensure_future(connection.close())
    )
    await database.close()
    assert raw.is_closed()
    assert given_back.when() < asyncio.get_running_loop().time()


async def test_work_is_done_in_the_order_of_coming(postgres: PostgresServer) -> None:
    database = Postgres(make_url(await asyncio.to_thread(postgres.new_database)))
    done: list[int] = []

    async def work(number: int) -> None:
        for _ in range(3):  # whoever is done comes again at once, behind all who wait
            await database.run(lambda connection: connection.execute(text("SELECT 1")).close())
            done.append(number)

    many = CONNECTIONS * 8
    await asyncio.gather(*(work(number) for number in range(many)))
    await database.close()
    for n in range(3):  # about a round each; the ten at work are not told apart
        assert len({*done[n * many : (n + 1) * many]}) >= many - 2 * CONNECTIONS


async def test_who_waits_too_long_is_told_so(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ruleplay.storage.database.SLOT_SECONDS", 0.1)
    database = Postgres(make_url(await asyncio.to_thread(postgres.new_database)))
    asleep = text("SELECT 1 FROM pg_sleep(2)")

    def slow(connection: Connection) -> None:
        connection.execute(asleep).close()

    works = [database.run(slow) for _ in range(CONNECTIONS + 1)]
    *held, late = await asyncio.gather(*works, return_exceptions=True)
    await database.close()
    assert (held, type(late)) == ([None] * CONNECTIONS, Away)


async def _long_duel(tables: Tables) -> Session:
    duel = await tables.duel()
    for n in range(1, SNAPSHOT_EVERY * 2 + 4):
        await duel.turn(f"blow {n}", seat=("red", "blue")[n % 2])
    return duel


async def test_spending_adds_up_on_the_session(table: Tables) -> None:
    from ruleplay.records.tape import Call, Reply

    duel = await table.duel()
    head = await duel.head()
    template = await (await table.duel(duel.host)).turn("En garde!")
    costly = Call(role="r", source="model", replies=(Reply(cost=Decimal("0.10")),) * 3)
    turn = template.model_copy(update={"id": "x", "session": head.id, "calls": (costly,)})
    await duel.host.store.commit(head, turn, head.state, 1, {})
    assert (await duel.head()).spent == Decimal("0.30")


async def test_a_static_prompt_is_stored_once(table: Tables) -> None:
    from ruleplay.models.scripted import ScriptedModel

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
