"""What a model for tests is told of a call beside its messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from ruleplay.telling.table import Table


@dataclass(frozen=True)
class Briefing:
    """What a rehearsal is told about a call and a real model is not.

    The kernel passes it as `briefing=` to `ainvoke` and `astream` of a `Rehearsal`. `schema` is
    the JSON schema of the wanted proposal, `tools` are descriptions (name, description,
    parameters), `attempt` counts from 0 and grows with each repair.
    """

    role: str
    facts: tuple[Table, ...] = ()
    schema: Mapping[str, JsonValue] | None = None
    tools: tuple[Mapping[str, JsonValue], ...] = ()
    attempt: int = 0
