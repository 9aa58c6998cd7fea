"""Durable turns: queued, taken by a worker, and resumed after a crash.

The work's id is SESSION/KEY, with the turn's idempotency key, so a key is one turn however often
it is sent, and to whichever process. Live items go to the bus of the process that runs the turn.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING, Self

from pydantic import BaseModel

from ruleplay.durable.desk import Desk
from ruleplay.durable.engine import Engine, Perform, Queue, check_name
from ruleplay.durable.journal import STEP, StepJournal
from ruleplay.kernel.turn import HEAD, check_key, now, run_turn, same_input
from ruleplay.records.given import Given, check_given

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ruleplay.kernel.host import Host
    from ruleplay.records.events import Json
    from ruleplay.records.turns import Turn

TURNS = Queue("turns", at_once=32, by_part=True)
WORK = "turn"


class Asked(BaseModel, frozen=True):
    """The request for a turn, stored as the work's input: all that a later run needs."""

    session: str
    turn: str
    at: datetime
    given: Given
    seat: str
    key: str
    after: str | None
    version: int | None = None


class Runner:
    """Queues a host's turns, and runs turns that any process has queued."""

    def __init__(self, host: Host, desk: Desk) -> None:
        self._host, self._desk = host, desk
        self._closing = False
        self._engine: Engine

    @classmethod
    async def open(
        cls,
        host: Host,
        name: str,
        queues: Sequence[Queue] = (),
        works: Mapping[str, Perform] | None = None,
    ) -> Self:
        """Start to take turns under a stable worker name, and `works` from further `queues`."""
        check_name(name)
        url = host.settings.database_url
        self = cls(host, await Desk.open(url))
        self._engine = await Engine.open(
            name, url, host.store.database, (TURNS, *queues), {WORK: self._perform, **(works or {})}
        )
        return self

    async def run(
        self,
        session: str,
        given: Given,
        *,
        seat: str = "",
        key: str | None = None,
        after: str | None = HEAD,
        turn: str = "",
        version: int | None = None,
    ) -> Turn:
        """Handle one input like `run_turn`, in whichever process takes it from the queue.

        Cancelling this cancels the turn, except while this process shuts down, when other workers
        continue it.
        """
        check_given(given)
        check_key(key)
        _, earlier = await self._host.store.read(session, key)
        if earlier:
            return same_input(earlier, given, seat)
        asked = Asked(
            session=session,
            turn=turn,
            at=now(),
            given=given,
            seat=seat,
            key=key or turn,
            after=after,
            version=version,
        )
        ident = await self._unused(f"{session}/{asked.key}")
        await self._desk.put(TURNS.name, WORK, ident, asked.model_dump(mode="json"), session)
        try:
            await self._desk.outcome(ident)
        except asyncio.CancelledError:
            if not self._closing:
                await asyncio.shield(self._cancel(ident))
            raise
        _, stored = await self._host.store.read(session, asked.key)
        if stored is None:
            raise RuntimeError(f"the turn {asked.key!r} ended without being stored")
        return same_input(stored, given, seat)

    async def _unused(self, ident: str) -> str:
        """Return the first of `ident`, `ident#2`, … whose work has not failed.

        A failed turn leaves its key free, but DBOS never runs an id again.
        """
        tried, number = ident, 1
        while (work := await self._desk.find(tried)) and work.status in ("failed", "cancelled"):
            number += 1
            tried = f"{ident}#{number}"
        return tried

    async def _cancel(self, ident: str) -> None:
        await self._desk.cancel(ident)
        self._engine.interrupt(ident)

    async def _perform(self, engine: Engine, ident: str, given: Json) -> Json:
        """Run a queued turn, from where an earlier run crashed if there was one."""
        asked = Asked.model_validate(given)
        earlier = await engine.recorded(ident)
        received = [kept for _, name, kept in earlier if name.startswith(STEP)]
        turn = await run_turn(
            self._host,
            asked.session,
            asked.given,
            seat=asked.seat,
            key=asked.key,
            after=asked.after,
            turn=asked.turn,
            version=asked.version,
            journal=StepJournal(engine.datasource, asked.at, received),
        )
        return {"turn": turn.id}

    def hand_back(self) -> None:
        """Leave turns that are cancelled from now on to other workers."""
        self._closing = True

    async def close(self, grace: float = 0) -> None:
        """Take no more turns, and requeue those that do not end within `grace` seconds."""
        self.hand_back()
        await self._engine.close(self._desk, grace)
        await self._desk.close()
