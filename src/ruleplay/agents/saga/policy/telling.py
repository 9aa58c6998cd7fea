"""Plain prose from facts: what is told when no model holds the pen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ruleplay.agents.saga.domain.texts import Lang, Text
from ruleplay.foundation.claims import Fact

SHORT = 3
"""Facts that are not yet a paragraph of their own."""


def told(facts: Sequence[Fact], paragraphs: Collection[int], mood: Text | None, lang: Lang) -> str:
    """Return the facts as paragraphs; a longer turn opens with a mood, which claims nothing.

    `paragraphs` are the numbers of the facts before which one may end.
    """
    blocks = [" ".join(fact.says for fact in block) for block in _blocks(facts, paragraphs)]
    if mood and len(facts) > SHORT:
        blocks[0] = f"{mood.of(lang)} {blocks[0]}"
    return "\n\n".join(blocks)


def _blocks(facts: Sequence[Fact], paragraphs: Collection[int]) -> Iterator[Sequence[Fact]]:
    begin = 0
    for at in sorted(paragraphs):
        if at - begin >= SHORT and at < len(facts):
            yield facts[begin:at]
            begin = at
    if facts[begin:]:
        yield facts[begin:]
