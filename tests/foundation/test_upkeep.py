"""Backups come back on either database, checks find what is broken, pruning spares what is used."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import Connection, text
from tests.samples import some

from ruleplay.errors import Conflict, Unavailable, UserError
from ruleplay.kernel.maintenance import check, prune
from ruleplay.kernel.replay import replay
from ruleplay.storage.backup import backup, restore
from ruleplay.storage.database import SCHEMA, opened

if TYPE_CHECKING:
    from duel.table import Tables
    from tests.postgres import PostgresServer

    from ruleplay.kernel.host import Host


async def run(host: Host, statement: str) -> None:
    await host.store.database.keep(lambda connection: connection.execute(text(statement)).close())


async def told(host: Host) -> dict[str, object]:
    """Return everything that can be read of all sessions."""
    heads = await host.store.recent(1_000)
    return {
        head.id: (head, await host.store.lineage(head.head), await host.store.branches(head.id))
        for head in heads
    }


async def some_duels(tables: Tables) -> Host:
    host = await tables.host()
    for n in range(3):
        duel = await tables.duel(host, seed=f"seed {n}")
        for blow in range(18):
            await duel.turn(f"blow {blow} – ça va, 𝔻uel?", key=f"k{blow}")
    await duel.undo()
    await (await duel.fork(3)).turn("another way")
    return host


@pytest.fixture
def other(request: pytest.FixtureRequest, database: str, tmp_path: Path) -> Iterator[str]:
    """Give an empty database of the other kind."""
    if not database.startswith("sqlite"):
        yield f"sqlite+aiosqlite:///{tmp_path / 'other.db'}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.lent() as url:
        yield url


async def test_a_backup_comes_back_on_the_other_kind_of_database(
    tables: Tables, other: str, tmp_path: Path
) -> None:
    host, file = await some_duels(tables), tmp_path / "backup.gz"
    written = await backup(host.store.database, file)
    assert written.rows == {
        "prompts": 0,
        "rule_data": 0,
        "sessions": 4,
        "turns": 55,
        "histories": 0,
    }
    assert file.stat().st_mode & 0o077 == 0
    assert (await restore(other, file)).rows == written.rows
    there = await type(tables)(other, tables.home).host()
    try:
        assert await told(there) == await told(host)
        assert (await check(there, 10)).problems == ()
        for session in await told(there):
            assert (await replay(there, session)).identical
    finally:
        await there.close()


async def test_a_restore_overwrites_nothing_unless_it_is_told_to(
    tables: Tables, tmp_path: Path
) -> None:
    host, file = await some_duels(tables), tmp_path / "backup.gz"
    await backup(host.store.database, file)
    with pytest.raises(Conflict, match="exists"):
        await backup(host.store.database, file)
    before = await told(host)
    lost = await tables.duel(host)
    with pytest.raises(Conflict, match="--force"):
        await restore(tables.url, file)
    assert len(await told(host)) == 5
    await restore(tables.url, file, force=True)
    again = await tables.host()
    assert await told(again) == before
    assert lost.id not in before


def _cut(raw: bytes) -> bytes:
    return raw[: len(raw) // 2]


def _short(raw: bytes) -> bytes:
    lines = gzip.decompress(raw).splitlines(keepends=True)
    return gzip.compress(b"".join(lines[:-3] + lines[-1:]))


def _changed(raw: bytes) -> bytes:
    return gzip.compress(gzip.decompress(raw).replace(b"blow 3", b"blow 4", 1))


def _foreign(_: bytes) -> bytes:
    return gzip.compress(json.dumps({"format": "something else"}).encode())


@pytest.mark.parametrize("harm", [_cut, _short, _changed, _foreign, lambda _: b"no gzip"])
async def test_a_damaged_backup_restores_nothing(
    table: Tables, tmp_path: Path, harm: Callable[[bytes], bytes]
) -> None:
    host, file = await some_duels(table), tmp_path / "backup.gz"
    await backup(host.store.database, file)
    before = await told(host)
    file.write_bytes(harm(file.read_bytes()))
    with pytest.raises(UserError):
        await restore(table.url, file, force=True)
    assert await told(await table.host()) == before


@pytest.mark.parametrize("revision", some((f"{n:04}" for n in range(1, int(SCHEMA))), 4))
async def test_every_earlier_schema_opens_with_its_sessions(
    tables: Tables, other: str, revision: str, tmp_path: Path
) -> None:
    """Take a database back to what an earlier release had made, and open it with this one."""
    host = await some_duels(tables)
    before = await told(host)
    await host.close()
    async with opened(tables.url) as database:
        await database.keep(lambda connection: back_to(connection, revision))
        old = await backup(database, tmp_path / "old.gz")
        await database.close()
    assert old.schema_version == revision
    again = await tables.host()
    assert await told(again) == before
    assert (await check(again, 10)).problems == ()
    # And a backup that the earlier release took is restored by this one.
    assert (await restore(other, tmp_path / "old.gz")).schema_version == revision
    there = await type(tables)(other, tables.home).host()
    assert await told(there) == before
    await there.close()


def back_to(connection: Connection, revision: str) -> None:
    """Undo what migrations after a revision did; they only ever add."""
    if revision < "0006":
        connection.execute(text("DROP TABLE rule_data"))
    if revision < "0005":
        connection.execute(text("DROP TABLE histories"))
    if revision < "0004":
        for name in ("spans", "edition"):
            connection.execute(text(f"ALTER TABLE turns DROP COLUMN {name}"))
    if revision < "0003":
        connection.execute(text("DROP TABLE leases"))
    if revision < "0002":
        for name in ("audience", "asides"):
            connection.execute(text(f"ALTER TABLE turns DROP COLUMN {name}"))
    connection.execute(text(f"UPDATE alembic_version SET version_num = '{revision}'"))


BROKEN = {
    "UPDATE sessions SET head = 'nowhere' WHERE number = 18": "head is no turn",
    "UPDATE sessions SET number = 3 WHERE number = 18": "number is not that of its head",
    "UPDATE turns SET parent = 'nowhere' WHERE number = 5": "parent is missing",
    "UPDATE turns SET number = 70 WHERE number = 2": "does not follow",
    "UPDATE turns SET session = 'x' WHERE id = (SELECT MIN(id) FROM turns)": "to no session",
    "UPDATE turns SET state = '{}' WHERE state IS NOT NULL": "state of turn",
    "UPDATE sessions SET state = '{}' WHERE number = 18": "state of session",
    "UPDATE turns SET reply = 'forged' WHERE number = 2": "differs from its record at turn 2",
}


async def test_a_check_finds_what_is_broken(tables: Tables, tmp_path: Path) -> None:
    host, file = await some_duels(tables), tmp_path / "backup.gz"
    sound = await check(host, 10)
    assert (sound.problems, sound.sessions, sound.turns, sound.replayed) == ((), 4, 55, 4)
    assert sound.hashes == 3 + 4
    await backup(host.store.database, file)
    for statement, problem in BROKEN.items():
        await run(host, statement)
        assert any(problem in found for found in (await check(host, 10)).problems), statement
        await host.close()
        await restore(tables.url, file, force=True)
        host = await tables.host()


async def test_pruning_spares_what_is_used_and_what_forks_need(tables: Tables) -> None:
    host = await tables.host()
    old, parent, busy, young = [await tables.duel(host) for _ in range(4)]
    for duel in (old, parent, busy, young):
        await duel.turn("En garde!")
    fork = await parent.fork()
    await fork.turn("on my own")
    forked_again = await fork.fork()
    long_ago = (datetime.now(UTC) - timedelta(days=40)).isoformat()
    for duel in (old, parent, busy, fork):
        await run(host, f"UPDATE sessions SET updated = '{long_ago}' WHERE id = '{duel.id}'")
    async with host.alone(busy.id):
        would = await prune(host.store.database, timedelta(days=30), dry=True)
        assert len(await told(host)) == 6
        done = await prune(host.store.database, timedelta(days=30))
    assert would.model_copy(update={"before": done.before}) == done
    assert (done.sessions, done.turns, done.kept_for_forks) == (1, 1, 2)
    kept = {parent.id, busy.id, young.id, fork.id, forked_again.id}
    assert set(await told(host)) == kept
    assert (await check(host, 10)).problems == ()
    assert [turn.number for turn in await forked_again.turns()] == [1, 2]


async def test_a_backup_that_cannot_be_written_leaves_nothing(
    table: Tables, tmp_path: Path
) -> None:
    host = await some_duels(table)
    missing = tmp_path / "no folder" / "backup.gz"
    with pytest.raises(Unavailable, match="cannot be written"):
        await backup(host.store.database, missing)
    assert not missing.parent.exists()
