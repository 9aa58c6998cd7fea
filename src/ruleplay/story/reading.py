"""What every reader of inputs is told: the static part of a prompt, the same for all stories."""

from __future__ import annotations

from ruleplay.telling.prompt import told

READ = told("ruleplay.story", "read")


def lines(**lists: str) -> str:
    """Return the lists of a reading's prompt, one a line; empty ones are left out."""
    return "\n".join(f"{name}: {listed}" for name, listed in lists.items() if listed)
