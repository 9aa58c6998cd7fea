"""A turn's context without a host."""

from __future__ import annotations

from datetime import UTC, datetime

from ruleplay.agents.party.adapters.tables import Library
from ruleplay.foundation.context import Context
from ruleplay.foundation.llm.listening import Models
from ruleplay.foundation.settings import Settings
from ruleplay.foundation.tape import Tape


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
