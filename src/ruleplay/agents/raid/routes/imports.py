"""Logs that clients sent, on their way into the store: one is read at a time, the others wait."""

from __future__ import annotations

import asyncio
import secrets
import shutil
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ruleplay.agents.raid.routes.shapes import ImportAnswer
from ruleplay.errors import Conflict, NotFound, Unavailable
from ruleplay.server.errors import problem_of

if TYPE_CHECKING:
    from ruleplay.agents.raid.adapters.log_import import ImportReport

WAITING = 4
REMEMBERED = 50


@dataclass
class Import:
    """A log, from its arrival on."""

    id: str
    file: Path
    done: int = 0
    total: int = 0
    stopped: bool = False
    task: asyncio.Task[ImportReport] | None = field(default=None)

    @property
    def running(self) -> bool:
        """Whether it is not over yet."""
        return self.task is not None and not self.task.done()

    def advance(self, done: int, total: int) -> None:
        """Take note of how many bytes were read; ends the import when the server stops."""
        self.done, self.total = done, total
        if self.stopped:
            raise Unavailable("the server stops; import the log again when it is back")

    @property
    def answer(self) -> ImportAnswer:
        """How far it is, as clients get it."""
        empty = ImportAnswer(
            id=self.id,
            file=self.file.name,
            status="reading" if self.total else "waiting",
            part=min(1.0, self.done / self.total) if self.total else 0.0,
            report="",
            dialect="",
            lines=0,
            unparsed=0,
            events=0,
            encounters=[],
            problem=None,
        )
        if self.task is None or self.running:
            return empty
        if self.task.cancelled():
            stopped = problem_of(Unavailable("the import was stopped"))
            return empty.model_copy(update={"status": "failed", "problem": stopped})
        if error := self.task.exception():
            return empty.model_copy(update={"status": "failed", "problem": problem_of(error)})
        told = self.task.result().model_dump(mode="json")
        names = ("report", "dialect", "lines", "unparsed", "events", "encounters")
        found = {name: told[name] for name in names}
        return empty.model_copy(update={"status": "done", "part": 1.0, **found})


class Imports:
    """The imports of this server's life."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._imports: OrderedDict[str, Import] = OrderedDict()
        self._turn = asyncio.Lock()

    def admit(self) -> None:
        """Refuse another log while enough of them wait (Conflict)."""
        if sum(one.running for one in self._imports.values()) >= WAITING:
            raise Conflict(f"{WAITING} logs are being imported already; wait for one to end")

    def start(self, file: Path) -> Import:
        """Import a file that was received, and remove it afterwards."""
        found = Import(secrets.token_hex(8), file)
        found.task = asyncio.create_task(self._import(found))
        found.task.add_done_callback(_retrieve)
        self._imports[found.id] = found
        for old in [i for i, one in self._imports.items() if not one.running][:-REMEMBERED]:
            del self._imports[old]
        return found

    def find(self, ident: str) -> Import:
        """Return an import (NotFound)."""
        if found := self._imports.get(ident):
            return found
        raise NotFound(f"no import {ident!r} was started here; the reports list what is imported")

    async def end(self) -> None:
        """Stop all; what is half imported leaves nothing."""
        running = [one for one in self._imports.values() if one.running]
        for one in running:
            one.stopped = True
        if tasks := [one.task for one in running if one.task]:
            await asyncio.wait(tasks)

    async def _import(self, found: Import) -> ImportReport:
        from ruleplay.agents.raid.adapters.log_import import import_logs

        try:
            async with self._turn:
                found.advance(0, 0)
                return await asyncio.to_thread(import_logs, [found.file], self._home, found.advance)
        except OSError as error:
            raise Unavailable(f"the log cannot be imported: {error.strerror}") from error
        finally:
            await asyncio.to_thread(shutil.rmtree, found.file.parent, ignore_errors=True)


def _retrieve(task: asyncio.Task[ImportReport]) -> None:
    """Look at a task's outcome, so that asyncio does not report a failure nobody awaits."""
    if not task.cancelled():
        task.exception()
