"""A turn's context without a host."""

from __future__ import annotations

from datetime import UTC, datetime

from ruleplay.agents.party.adapters.tables import Library
from ruleplay.kernel.context import Context
from ruleplay.models.streaming import Models
from ruleplay.records.tape import Tape
from ruleplay.settings import Settings


def context_for(world: Library, number: int = 1) -> Context[Library]:
    """Return a context with model `rules`."""
    models = Models(Settings(model="rules"))
    return Context(
        session="s",
        turn="t",
        seat="dm",
        number=number,
        seed="seed",
        at=datetime(2026, 1, 1, tzinfo=UTC),
        world=world,
        tape=Tape(),
        models=models.for_session({}),
    )
