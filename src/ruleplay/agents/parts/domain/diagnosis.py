"""Which parts explain the stated symptoms best, by what the catalog says they fix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleplay.agents.parts.domain.catalog import Cause, Part
from ruleplay.agents.parts.domain.descriptions import head_of
from ruleplay.agents.parts.domain.stopwords import COMMON
from ruleplay.agents.parts.domain.tokens import read_words

_STEM = 4
"""Letters that forms of a word share: "closing" and "close"."""


def fold(symptom: str) -> str:
    """Fold a symptom for comparison: case, spaces and curly apostrophes differ between sources."""
    straight = symptom.replace("’", "'").replace("‘", "'")
    return " ".join(straight.casefold().split())


def rank(
    parts: Iterable[Part], stated: Sequence[str], said: Sequence[str] = ()
) -> tuple[Cause, ...]:
    """Rank parts by the share of stated symptoms they fix, then by how few they fix in all.

    Between the two comes what is spoken of: a part whose name has the words that were `said`, or
    those of the symptoms. Parts that fix none are left out; ties go to the part number.
    """
    asked = {fold(symptom) for symptom in stated}
    fixed = ((part, tuple(s for s in part.symptoms if fold(s) in asked)) for part in parts)
    causes = [
        Cause(part=part, fixes=fixes, share=len(fixes) / len(asked))
        for part, fixes in fixed
        if fixes
    ]

    def place(cause: Cause) -> tuple[float, int, int, str]:
        named = _named(cause.part.name, [*said, *stated])
        return (-cause.share, -named, len(cause.part.symptoms), cause.part.number)

    return tuple(sorted(causes, key=place))


def _named(name: str, said: Sequence[str]) -> int:
    """Count the words of a name that are spoken of; what it is counts twice."""
    words = (word.text for line in said for word in read_words(line))
    told = {word[:_STEM] for word in words if word not in COMMON}
    own = {word.text[:_STEM] for word in read_words(name)}
    return len(told & own) + (head_of(name)[:_STEM] in told)
