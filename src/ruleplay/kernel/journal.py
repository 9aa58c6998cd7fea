"""Where a turn's slow answers may be kept as they come: a run after a crash goes on from there."""

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
        """Put itself into a turn that begins at `head`, and what an earlier run heard on its tape.

        Conflict when the session has moved on since that run.
        """

    async def reply(self, role: str, listen: Callable[[], Awaitable[Reply]]) -> Reply:
        """Listen to a role's model and keep its reply."""

    async def answer(self, key: str, ask: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """Ask something outside and keep the answer."""

    async def commit(self, work: Work[None]) -> None:
        """Run the statements of the turn's commit in one transaction that also marks the step."""
