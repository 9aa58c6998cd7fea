"""The journal of a durable turn in DBOS: each model call and slow outside answer is a step."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from dbos import DBOS, AsyncSQLAlchemyDatasource
from dbos import error as dbos_errors
from pydantic import BaseModel, Field, JsonValue

from ruleplay.errors import Conflict
from ruleplay.records.tape import Reply, Tape

if TYPE_CHECKING:
    from ruleplay.kernel.context import Context
    from ruleplay.records.events import Json
    from ruleplay.records.turns import Head
    from ruleplay.storage.database import Work

Kept = TypeVar("Kept")
STEP = "heard "
"""Prefix of the names of a journal's steps; stored, so it must not change."""


class StepOutput(BaseModel, frozen=True):
    """The output of a step: what arrived since the step before, by position on the tape.

    `version` is the session's when the turn began. If it has changed, the recorded replies belong
    to prompts about another state, and the turn cannot be resumed.
    """

    version: int
    replies: dict[str, dict[int, Reply]] = Field(default_factory=dict)
    answers: dict[str, dict[int, JsonValue]] = Field(default_factory=dict)


class StepJournal:
    """The journal of one run of a turn; `earlier` has the step outputs of crashed runs."""

    def __init__(
        self, datasource: AsyncSQLAlchemyDatasource, at: datetime, earlier: Iterable[Json]
    ) -> None:
        self._datasource, self._at = datasource, at
        self._earlier = [StepOutput.model_validate(piece) for piece in earlier]
        self._version = 0
        self._tape = Tape()
        self._replies: dict[str, int] = defaultdict(int)
        self._answers: dict[str, int] = defaultdict(int)

    def attach(self, context: Context[Any], head: Head) -> None:
        """Attach to a turn, and load its tape with what crashed runs received; see `Journal`."""
        if any(piece.version != head.version for piece in self._earlier):
            raise Conflict("the session moved on while this turn was interrupted; send it again")
        replies = _in_order(piece.replies for piece in self._earlier)
        answers = _in_order(piece.answers for piece in self._earlier)
        self._version, self._tape = head.version, context.tape
        self._replies |= {role: len(received) for role, received in replies.items()}
        self._answers |= {key: len(received) for key, received in answers.items()}
        context.tape.resume(replies, answers)
        context.at, context.journal = self._at, self

    async def reply(self, role: str, listen: Callable[[], Awaitable[Reply]]) -> Reply:
        """Call a role's model in a step."""
        place = self._replies[role]
        self._replies[role] += 1
        received: list[Reply] = []

        async def step() -> Json:
            received.append(await listen())
            return self._piece(replies={role: {place: received[0]}})

        await _keep(role, step)
        return received[0]

    async def answer(self, key: str, ask: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """Ask a slow outside question in a step."""
        place = self._answers[key]
        self._answers[key] += 1
        received: list[JsonValue] = []

        async def step() -> Json:
            received.append(await ask())
            return self._piece(answers={key: {place: received[0]}})

        await _keep(key.partition(" ")[0], step)
        return received[0]

    async def commit(self, work: Work[None]) -> None:
        """Run the turn's commit and record its step in one transaction.

        DBOS checks in it that this run still owns the workflow, so a run that was cancelled or
        superseded cannot commit.
        """

        async def step() -> None:
            connection = await self._datasource.sql_session().connection()
            await connection.run_sync(work)

        sqlite = self._datasource.engine.dialect.name == "sqlite"
        await self._datasource.run_tx_step_async(
            {"name": "commit", "isolation_level": "SERIALIZABLE" if sqlite else "READ COMMITTED"},
            step,
        )

    def _piece(
        self,
        replies: dict[str, dict[int, Reply]] | None = None,
        answers: dict[str, dict[int, JsonValue]] | None = None,
    ) -> Json:
        kept = {**self._answered_at_once(), **(answers or {})}
        received = StepOutput(version=self._version, replies=replies or {}, answers=kept)
        return received.model_dump(mode="json", exclude_defaults=True)

    def _answered_at_once(self) -> dict[str, dict[int, JsonValue]]:
        """Collect quick answers since the last step: they have no step of their own."""
        found: dict[str, dict[int, JsonValue]] = {}
        for key, answers in self._tape.outside.items():
            if new := {n: answers[n] for n in range(self._answers[key], len(answers))}:
                found[key] = new
                self._answers[key] = len(answers)
        return found


async def _keep(name: str, step: Callable[[], Awaitable[Json]]) -> None:
    """Run a step that is interrupted when the turn is cancelled, even by another process."""
    try:
        await DBOS.run_step_async({"name": f"{STEP}{name}", "preemptible": True}, step)
    except dbos_errors.DBOSWorkflowCancelledError as error:
        raise asyncio.CancelledError from error


def _in_order(pieces: Iterable[Mapping[str, Mapping[int, Kept]]]) -> dict[str, list[Kept]]:
    """Merge step outputs into lists by position, up to a gap, which parallel branches leave."""
    merged: dict[str, dict[int, Kept]] = defaultdict(dict)
    for piece in pieces:
        for name, kept in piece.items():
            merged[name] |= kept
    found: dict[str, list[Kept]] = {}
    for name, kept in merged.items():
        found[name] = []
        while len(found[name]) in kept:
            found[name].append(kept[len(found[name])])
    return found
