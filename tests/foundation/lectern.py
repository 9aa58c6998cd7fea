"""A context alone, without a session: for what asks a model and what hands out chance."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from ruleplay.kernel.context import Context
from ruleplay.models.scripted import Rehearsal
from ruleplay.models.streaming import Models
from ruleplay.records.events import EVERYONE, Json
from ruleplay.records.stream import Name
from ruleplay.records.tape import Tape
from ruleplay.settings import Settings

SPEAKER = "scripted"
MINUTE = 60.0


class Lapse(asyncio.Event):
    """Time that passes at once: whoever waits for it finds the loop's clock `seconds` later.

    So no deadline depends on how fast a machine is: one of a minute is over when a script says so.
    """

    def __init__(self, seconds: float = 2 * MINUTE) -> None:
        super().__init__()
        self._seconds = seconds

    async def wait(self) -> bool:  # type: ignore[override]  # typeshed says Literal[True]
        """Let the time pass, and what waits for it happen."""
        loop, seconds = asyncio.get_running_loop(), self._seconds
        now = loop.time
        loop.time = lambda: now() + seconds  # type: ignore[method-assign]  # its clock
        for _ in range(9):
            await asyncio.sleep(0)
        return True


class Lectern:
    """A context whose every role is spoken by one model, and what its readers have heard."""

    def __init__(
        self, model: Rehearsal | None = None, tape: Tape | None = None, **settings: object
    ) -> None:
        self.heard: list[tuple[Name, Json, tuple[str, ...]]] = []
        models = Models(Settings.model_validate({"home": Path(), **settings}))
        if model is not None:
            models.stand_ins[SPEAKER] = model
        self.context: Context[None] = Context(
            session="s",
            turn="t",
            seat="red",
            number=1,
            seed="seed",
            at=datetime(2026, 1, 1, tzinfo=UTC),
            world=None,
            tape=tape or Tape(),
            models=models.for_session({"": SPEAKER} if model else {}),
            publish=self._hear,
        )

    @property
    def text(self) -> str:
        """What readers saw streamed."""
        return "".join(str(body["text"]) for name, body, _ in self.heard if name == "text")

    def _hear(self, name: Name, body: Json, audience: tuple[str, ...] = (EVERYONE,)) -> None:
        self.heard.append((name, body, audience))

    def replayed(self) -> Lectern:
        """Return a context that plays back what this one has recorded, without a model."""
        return Lectern(tape=Tape(tuple(self.context.calls), self.context.tape.outside))
