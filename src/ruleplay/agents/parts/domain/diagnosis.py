"""Ranks parts by how well they explain the stated symptoms, going by what the catalog says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from ruleplay.agents.parts.domain.catalog import Cause, Part
from ruleplay.agents.parts.domain.descriptions import head_of
from ruleplay.agents.parts.domain.references import hard
from ruleplay.agents.parts.domain.stopwords import COMMON
from ruleplay.agents.parts.domain.tokens import read_words

_STEM = 4
"""Leading letters by which forms of a word are matched, as in "closing" and "close"."""


def fold(symptom: str) -> str:
    """Fold a symptom for comparison: sources differ in case, spacing and curly apostrophes."""
    straight = symptom.replace("’", "'").replace("‘", "'")
    return " ".join(straight.casefold().split())


def rank(
    parts: Iterable[Part], stated: Sequence[str], said: Sequence[str] = ()
) -> tuple[Cause, ...]:
    """Rank parts by the share of stated symptoms that they fix; parts that fix none are left out.

    Among equals come first parts whose names have words of the customer (`said`) or of the
    symptoms, then parts with fewer symptoms in all, since those are more specific. The catalog has
    no more on how likely a part is the cause; what is easy to put in and cheap is tried first.
    """
    asked = {fold(symptom) for symptom in stated}
    fixed = ((part, tuple(s for s in part.symptoms if fold(s) in asked)) for part in parts)
    causes = [
        Cause(part=part, fixes=fixes, share=len(fixes) / len(asked))
        for part, fixes in fixed
        if fixes
    ]

    def place(cause: Cause) -> tuple[float, int, int, bool, bool, Decimal, str]:
        part = cause.part
        named = _named(part.name, [*said, *stated])
        dear = (hard(part.difficulty), part.price is None, part.price or Decimal(0))
        return (-cause.share, -named, len(part.symptoms), *dear, part.number)

    return tuple(sorted(causes, key=place))


def _named(name: str, said: Sequence[str]) -> int:
    """Count the words of a name that were mentioned; its head noun counts twice."""
    words = (word.text for line in said for word in read_words(line))
    told = {word[:_STEM] for word in words if word not in COMMON}
    own = {word.text[:_STEM] for word in read_words(name)}
    return len(told & own) + (head_of(name)[:_STEM] in told)
