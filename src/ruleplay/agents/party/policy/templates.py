"""Plain prose from facts: what is told when no model holds the pen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ruleplay.foundation.claims import Fact

PARAGRAPH = 5
"""Facts of one paragraph."""


def rendered(blocks: Sequence[str | Fact], opening: str) -> str:
    """Return passages and facts as text, in the order in which they came about.

    The first run of facts that is long opens with a sentence that claims nothing.
    """
    parts: list[str] = []
    for are_facts, group in groupby(blocks, lambda block: isinstance(block, Fact)):
        if are_facts:
            facts = [one for one in group if isinstance(one, Fact)]
            parts.append(told(facts, opening))
            opening = "" if len(facts) >= PARAGRAPH else opening
        else:
            parts += [str(one) for one in group]
    return "\n\n".join(parts)


def told(facts: Sequence[Fact], opening: str) -> str:
    """Return the facts as paragraphs; many of them begin with the opening."""
    lines = [fact.says for fact in facts]
    blocks = [" ".join(lines[at : at + PARAGRAPH]) for at in range(0, len(lines), PARAGRAPH)]
    if opening and len(lines) >= PARAGRAPH:
        blocks[0] = f"{opening} {blocks[0]}"
    return "\n\n".join(blocks)
