"""The interface of journals, which record a durable turn's slow answers as they arrive.

After a crash the turn runs again, and takes what the journal has instead of asking once more.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import JsonValue

from ruleplay.records.tape import Reply

if TYPE_CHECKING:
    from ruleplay.kernel.context import Context
    from ruleplay.records.turns import Head
    from ruleplay.storage.database import Work


class Journal(Protocol):
    """Keeps one turn's steps: model calls, slow outside answers, and the commit."""

    def attach(self, context: Context[Any], head: Head) -> None:
        """Join a turn that begins at `head`, and put answers of an earlier run on its tape.

        Conflict if the session has moved on since that run.
        """

    async def reply(self, role: str, listen: Callable[[], Awaitable[Reply]]) -> Reply:
        """Ask a role's model by `listen`, and record its reply."""

    async def answer(self, key: str, ask: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """Ask something outside by `ask`, and record the answer."""

    async def commit(self, work: Work[None]) -> None:
        """Run the commit's statements in one transaction with the record of this step."""
