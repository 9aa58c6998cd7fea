"""Plain prose from facts: what is told when no model holds the pen."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.saga.domain.texts import Lang
from ruleplay.agents.saga.policy.phrases import MOOD
from ruleplay.foundation.claims import Fact

PARAGRAPH = 5
"""Facts of one paragraph."""


def told(facts: Sequence[Fact], lang: Lang, turn: int) -> str:
    """Return the facts as paragraphs; a longer turn opens with a sentence that claims nothing."""
    lines = [fact.says for fact in facts]
    blocks = [" ".join(lines[at : at + PARAGRAPH]) for at in range(0, len(lines), PARAGRAPH)]
    if len(lines) > PARAGRAPH - 1:
        blocks[0] = f"{MOOD[turn % len(MOOD)].of(lang)} {blocks[0]}"
    return "\n\n".join(blocks)
