"""What a test model learns about a call in addition to its messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from ruleplay.telling.table import Table


@dataclass(frozen=True)
class Briefing:
    """Information about a call that a `Rehearsal` gets and a real model does not.

    The kernel passes it as `briefing=` to `ainvoke` and `astream`. `facts` are the tables that the
    reply may cite, `schema` is the JSON schema of the requested proposal, `tools` are descriptions
    (name, description, parameters), and `attempt` counts repairs, from 0.
    """

    role: str
    facts: tuple[Table, ...] = ()
    schema: Mapping[str, JsonValue] | None = None
    tools: tuple[Mapping[str, JsonValue], ...] = ()
    attempt: int = 0
