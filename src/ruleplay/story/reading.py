"""The part that prompts for reading messages have in common."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.story.acts import Act
from ruleplay.telling.prompt import told

READ = told("ruleplay.story", "read")
"""Instructions for readings, the same for all agents with a game master."""


def lines(**lists: str) -> str:
    """Format the lists of ids in a prompt, one on each line; empty ones are left out."""
    return "\n".join(f"{name}: {listed}" for name, listed in lists.items() if listed)


def hung(acts: Sequence[Act], prose: str) -> str:
    """Word what is to be read in a turn that goes on: acts that hung on what `prose` has told.

    The answer may be empty; those of its acts that still have `when` answer stay open.
    """
    what = "\n".join(f"- {act.text or act.item or act.to or act.do}" for act in acts)
    return f"Told in this turn:\n{prose}\n{told('ruleplay.story', 'hung').format(what=what)}"
