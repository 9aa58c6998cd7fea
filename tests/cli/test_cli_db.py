"""`ruleplay db`, as users run it: checked, backed up, restored, pruned."""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from tests.foundation.conftest import postgres, skip_or_fail

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.commands import Run

__all__ = ["postgres"]  # a fixture of the foundation's tests
LONG_AGO = "UPDATE sessions SET updated = '2020-01-01T00:00:00+00:00'"


def change(home: Path, statement: str) -> None:
    with closing(sqlite3.connect(home / "ruleplay.db")) as connection, connection:
        connection.execute(statement)


def play(cli: Run, turns: int = 2, *more: str) -> str:
    """Play turns in a new session and return it."""
    session = cli("turn", "tally", "--message", "add 1", "--json", *more).json["session"]
    for n in range(1, turns):
        again = ("--session", session, "--message", f"add {n}", *more)
        assert cli("turn", "tally", *again).code == 0
    return str(session)


def test_a_sound_database_is_said_to_be_sound(cli: Run) -> None:
    play(cli, 3)
    found = cli("db", "check", "--json")
    assert (found.code, found.json["problems"]) == (0, [])
    assert [found.json[name] for name in ("sessions", "turns", "replayed")] == [1, 3, 1]


def test_a_broken_one_is_named_and_ends_with_1(cli: Run, home: Path) -> None:
    session = play(cli)
    change(home, "UPDATE sessions SET head = 'nowhere'")
    found = cli("db", "check", "--json")
    assert found.code == 1
    assert f"a session's head is no turn: {session}" in found.json["problems"]
    assert session in cli("db", "check").out


def test_what_is_backed_up_comes_back_after_it_was_lost(
    cli: Run, home: Path, tmp_path: Path
) -> None:
    session, file = play(cli, 3), tmp_path / "kept.backup"
    before = cli("session", "show", session, "--json").json
    written = cli("db", "backup", str(file), "--json").json
    assert written["rows"]["turns"] == 3
    assert cli("db", "backup", str(file)).code == 4  # it is there already
    (home / "ruleplay.db").unlink()
    assert cli("session", "show", session).code == 3
    assert cli("db", "restore", str(file), "--json").json["rows"] == written["rows"]
    assert cli("session", "show", session, "--json").json == before
    assert cli("replay", session, "--json").json["identical"]
    assert cli("turn", "tally", "--session", session, "--message", "add 4").code == 0


def test_a_restore_lets_nothing_go_unasked(cli: Run, tmp_path: Path) -> None:
    kept, file = play(cli), tmp_path / "kept.backup"
    assert cli("db", "backup", str(file)).code == 0
    young = play(cli)
    refused = cli("db", "restore", str(file))
    assert (refused.code, "--force" in refused.err) == (4, True)
    assert cli("session", "show", young).code == 0
    assert cli("db", "restore", str(file), "--force").code == 0
    assert [cli("session", "show", one).code for one in (kept, young)] == [0, 3]


@pytest.mark.parametrize("damage", ["cut", "forged", "none"])
def test_a_damaged_backup_changes_nothing(cli: Run, tmp_path: Path, damage: str) -> None:
    session, file = play(cli), tmp_path / "kept.backup"
    assert cli("db", "backup", str(file)).code == 0
    whole = file.read_bytes()
    if damage == "cut":
        file.write_bytes(whole[: len(whole) // 2])
    elif damage == "forged":
        file.write_bytes(gzip.compress(gzip.decompress(whole).replace(b"add 1", b"add 7")))
    else:
        file.unlink()
    found = cli("db", "restore", str(file), "--force")
    assert (found.code, str(file) in found.err.replace("\n", "")) == (2, True)
    assert cli("session", "show", session).code == 0


def test_a_backup_moves_to_the_other_kind_of_database(
    cli: Run, tmp_path: Path, postgres_url: str
) -> None:
    session, file = play(cli, 3), tmp_path / "kept.backup"
    assert cli("db", "backup", str(file)).code == 0
    assert cli("db", "restore", str(file), "--db", postgres_url).code == 0
    found = cli("db", "check", "--db", postgres_url, "--json").json
    assert (found["problems"], found["turns"], found["replayed"]) == ([], 3, 1)
    gone_on = ("--session", session, "--message", "add 5", "--db", postgres_url, "--json")
    assert cli("turn", "tally", *gone_on).json["number"] == 4


def test_pruning_deletes_what_is_old_and_says_so_before(cli: Run, home: Path) -> None:
    old = play(cli)
    change(home, LONG_AGO)
    young = play(cli)
    would = cli("db", "prune", "--older-than", "90d", "--dry-run", "--json").json
    assert (would["sessions"], would["turns"]) == (1, 2)
    assert cli("session", "show", old).code == 0
    done = cli("db", "prune", "--older-than", "90d", "--json").json
    assert {**would, "before": done["before"]} == done
    assert [cli("session", "show", one).code for one in (old, young)] == [3, 0]


@pytest.mark.parametrize("age", ["90", "d", "-1d", "90 years"])
def test_an_age_that_is_none_is_refused(cli: Run, age: str) -> None:
    session = play(cli)
    assert cli("db", "prune", f"--older-than={age}").code == 2
    assert cli("session", "show", session).code == 0


def test_pruning_forgets_jobs_that_are_over(cli: Run) -> None:
    if find_spec("dbos") is None:
        skip_or_fail("durable", "install the package dbos")
    over, waiting = (
        cli("jobs", "submit", "night", "--key", key, "--json").json["job"] for key in "ab"
    )
    assert cli("jobs", "cancel", over).code == 0
    assert cli("db", "prune", "--older-than", "1h", "--json").json["works"] == 0
    assert cli("db", "prune", "--older-than", "0h", "--dry-run", "--json").json["works"] == 1
    assert cli("jobs", "show", over).code == 0
    assert cli("db", "prune", "--older-than", "0h", "--json").json["works"] == 1
    assert [cli("jobs", "show", job).code for job in (over, waiting)] == [3, 0]


@pytest.fixture
def postgres_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of an empty PostgreSQL database."""
    return str(request.getfixturevalue("postgres").new_database())
