"""How a process dies: `kill -9` right before a step of its event loop, or around a write.

A write is a statement that changes rows, or the commit of a transaction that has one; those of all
threads and of both drivers, Ruleplay's and DBOS's, are counted alike.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import threading
from collections.abc import Callable
from typing import Literal

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.default import DefaultDialect

NEVER = 1_000_000_000
When = Literal["before", "after"]
WRITING = re.compile(r"\b(INSERT INTO|UPDATE \S+ SET|DELETE FROM)\b", re.IGNORECASE)


def die() -> None:
    """End this process as `kill -9` would."""
    os.kill(os.getpid(), signal.SIGKILL)


class MortalLoop(asyncio.SelectorEventLoop):
    """An event loop that counts its steps, and dies before one of them."""

    last = NEVER

    def __init__(self) -> None:
        super().__init__()
        self.steps = -NEVER

    def step(self, callback: Callable[..., object], *args: object) -> None:
        """Count a step, then take it."""
        self.steps += 1
        if self.steps == self.last:
            die()
        callback(*args)

    def call_soon(self, callback, *args, context=None):  # type: ignore[no-untyped-def, override]
        """Schedule a counted step."""
        return super().call_soon(self.step, callback, *args, context=context)

    def call_soon_threadsafe(self, callback, *args, context=None):  # type: ignore[no-untyped-def, override]
        """Schedule a counted step from another thread."""
        return super().call_soon_threadsafe(self.step, callback, *args, context=context)


class Writes:
    """Counts the writes of a process from `begin` on, and dies before or after one of them."""

    def __init__(self, last: int = NEVER, when: When = "before") -> None:
        self.last, self.when = last, when
        self.count = -NEVER
        self._lock = threading.Lock()
        self._own = threading.local()
        self._dirty: set[int] = set()
        event.listen(Engine, "before_cursor_execute", self._before_statement)
        event.listen(Engine, "after_cursor_execute", self._after_statement)
        commit = DefaultDialect.do_commit

        def do_commit(dialect: DefaultDialect, connection: object) -> None:
            dirty = id(connection) in self._dirty
            if dirty:
                self._dirty.discard(id(connection))
                self._enter()
            commit(dialect, connection)  # type: ignore[arg-type]  # the pool's proxy, as given
            if dirty:
                self._leave()

        DefaultDialect.do_commit = do_commit  # type: ignore[method-assign, assignment]

    def begin(self) -> None:
        """Count from here."""
        self.count = 0

    def end(self) -> int:
        """Count no more; return how many there were."""
        count, self.count = self.count, -NEVER
        return count

    def _before_statement(
        self, connection: Connection, _cursor: object, statement: str, *_: object
    ) -> None:
        if WRITING.search(statement):
            self._dirty.add(id(connection.connection))
            self._enter()

    def _after_statement(
        self, _connection: Connection, _cursor: object, statement: str, *_: object
    ) -> None:
        if WRITING.search(statement):
            self._leave()

    def _enter(self) -> None:
        with self._lock:
            self.count += 1
            self._own.number = self.count
        if self.when == "before" and self._own.number == self.last:
            die()

    def _leave(self) -> None:
        if self.when == "after" and self._own.number == self.last:
            die()
