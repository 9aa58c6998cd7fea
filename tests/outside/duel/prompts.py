"""What the duel asks models."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.kernel.context import Prompt
from ruleplay.telling.prompt import CITING
from ruleplay.telling.table import Table


def stance(message: str) -> Prompt:
    """Ask for a stance that fits the message."""
    return Prompt(system="You fight a duel. Answer with a stance as JSON.", user=message)


def omen(message: str) -> Prompt:
    """Ask for a sign."""
    return Prompt(system="You read omens. Answer with a sign as JSON.", user=message)


def narrate(tables: Sequence[Table]) -> Prompt:
    """Ask for the tale of what happened."""
    record = "\n\n".join(table.prompt() for table in tables)
    return Prompt(system=f"You tell of a duel.\n\n{CITING}", user=record)
