"""Disks that fail, fill up or lose power in the midst of turns: what was acknowledged stands."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from duel.table import Tables
from tests.foundation.conftest import skip_or_fail
from tests.samples import sample, some
from tests.system_calls import FAULT_NAMES, NEEDED, can_watch, hit

from ruleplay.storage.database import connect

RUNS = sample(2, 8)
SECONDS = 240


@pytest.mark.parametrize("fault", some(FAULT_NAMES, 3))
def test_no_acknowledged_turn_is_lost_to_a_fault(fault: str, tmp_path: Path) -> None:
    """Errors are clear, and where the fault is over the same process plays on."""
    if not can_watch():
        skip_or_fail("compiler", NEEDED)
    told = hit(tmp_path, fault, RUNS, 2, SECONDS)
    assert told["wrong"] == {}
    assert told["runs"] == RUNS
    assert told["turns_acknowledged"] > 0
    if fault == "power":
        assert told["power_failures"] > RUNS // 2
    else:
        assert told["errors"]


VISIT = """
import sqlite3, sys
visitor = sqlite3.connect(sys.argv[1])
visitor.execute("SELECT count(*) FROM turns").fetchone()
visitor.close()
"""


async def test_a_second_host_of_a_process_leaves_the_first_one_its_files(
    table: Tables, tmp_path: Path
) -> None:
    """POSIX forgets a process's locks on a file once it closes the file by any other way.

    The next program to leave would then take the log away that the first host writes to.
    """
    duel = await table.duel()
    await duel.turn("the first", key="first")
    file = tmp_path / "ruleplay.db"
    await table.host()
    for number in (2, 3):
        visitor = await asyncio.create_subprocess_exec(sys.executable, "-c", VISIT, file)
        assert await asyncio.wait_for(visitor.wait(), 60) == 0
        await duel.turn(f"number {number}", key=f"{number}")
    assert (tmp_path / "ruleplay.db-wal").exists()
    with closing(sqlite3.connect(file)) as reader:
        assert reader.execute("SELECT count(*) FROM turns").fetchone() == (3,)


def test_a_new_database_is_private_from_its_first_moment(sqlite: str, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        asyncio.run(_open_and_close(sqlite))
    finally:
        os.umask(before)
    assert [(path.name, path.stat().st_mode & 0o777) for path in tmp_path.iterdir()] == [
        ("ruleplay.db", 0o600)
    ]


async def _open_and_close(url: str) -> None:
    await (await connect(url)).close()
