"""The part that prompts for reading messages have in common."""

from __future__ import annotations

from ruleplay.telling.prompt import told

READ = told("ruleplay.story", "read")
"""Instructions for readings, the same for all agents with a game master."""


def lines(**lists: str) -> str:
    """Format the lists of ids in a prompt, one on each line; empty ones are left out."""
    return "\n".join(f"{name}: {listed}" for name, listed in lists.items() if listed)
