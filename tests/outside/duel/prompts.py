"""What the duel asks models."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.foundation.claims import Fact
from ruleplay.foundation.context import Prompt


def stance(message: str) -> Prompt:
    """Ask for a stance that fits the message."""
    return Prompt(system="You fight a duel. Answer with a stance as JSON.", user=message)


def omen(message: str) -> Prompt:
    """Ask for a sign."""
    return Prompt(system="You read omens. Answer with a sign as JSON.", user=message)


def narrate(facts: Sequence[Fact]) -> Prompt:
    """Ask for the tale of what happened."""
    return Prompt(system="You tell of a duel.", user="\n".join(fact.says for fact in facts))
