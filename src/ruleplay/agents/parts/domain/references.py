"""What a message points at without naming it: "it", "the second one", "the cheaper of those two".

And what it may name that nobody knows: a word that is neither here nor in any other vocabulary. A
question with such a word in it is not about the part that was spoken of before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.parts.domain.answers import places
from ruleplay.agents.parts.domain.ids import Span
from ruleplay.agents.parts.domain.phrases import Lexicon
from ruleplay.agents.parts.domain.stopwords import COMMON
from ruleplay.agents.parts.domain.tables import read_table
from ruleplay.agents.parts.domain.tokens import Word, fold, read_words

Way = Literal["it", "they", "other", "place", "cheapest", "dearest", "easiest", "quickest"]
_DETERMINED = 4
"""Words between "for" and what it names: "for the left front"."""
_MOST = 10
"""Cards that "the ninth" can count; a list never shows more."""


class Reference(Span):
    """Words that point at parts shown or spoken of; `place` counts from 0."""

    way: Way
    place: int = 0


class _References(BaseModel):
    """The contents of `references.toml`."""

    model_config = ConfigDict(frozen=True)

    it: tuple[str, ...]
    they: tuple[str, ...]
    other: tuple[str, ...]
    cheapest: tuple[str, ...]
    dearest: tuple[str, ...]
    easiest: tuple[str, ...]
    quickest: tuple[str, ...]
    joins: tuple[str, ...]
    before_model: tuple[str, ...]
    naming: tuple[str, ...]
    articles: tuple[str, ...]
    known: tuple[str, ...]


@cache
def _table(language: str) -> _References:
    return read_table("references.toml", _References, language)


@cache
def _lexicons(language: str) -> tuple[Lexicon, ...]:
    table = _table(language)
    ranked = ("cheapest", "dearest", "easiest", "quickest")
    return (
        Lexicon({name: getattr(table, name) for name in ranked}, ()),
        Lexicon({name: getattr(table, name) for name in ("other", "they", "it")}, ()),
    )


@cache
def _known(language: str) -> frozenset[str]:
    """Fold the words that name no part, of all that point and all that join too."""
    table = _table(language)
    phrases = (
        *table.known,
        *(form for name in _References.model_fields for form in getattr(table, name)),
    )
    return frozenset((*COMMON, *(fold(word) for phrase in phrases for word in phrase.split())))


def find_references(message: str, language: str = "en") -> tuple[Reference, ...]:
    """Find what points at parts, the most telling first: by rank, by place, then "it"."""
    words = read_words(message)
    found: list[Reference] = []
    ranks, plain = _lexicons(language)
    for way, mentions in ranks.mentions(words).items():
        found += (_reference(message, words, m.first, m.last, way) for m in mentions)
    for place, mention in places(words, _MOST, language):
        one = _reference(message, words, mention.first, mention.last, "place")
        found.append(one.model_copy(update={"place": place}))
    for way in ("other", "they", "it"):
        for m in plain.mentions(words).get(way, ()):
            found.append(_reference(message, words, m.first, m.last, way))
    return tuple(found)


def _reference(message: str, words: Sequence[Word], first: int, last: int, way: str) -> Reference:
    start, end = words[first].start, words[last].end
    return Reference.model_validate(
        {"text": message[start:end], "start": start, "end": end, "way": way}
    )


def foreign_words(
    message: str, covered: Iterable[tuple[int, int]], language: str, vocabulary: frozenset[str]
) -> tuple[Span, ...]:
    """Find the words that may name something: in no vocabulary, and in no covered span.

    Neighbours are one span.
    """
    spans, known = list(covered), _known(language)
    stems = [form[:-1] for form in vocabulary if form.endswith("*")]
    found: list[Span] = []
    before = -2
    for index, word in enumerate(read_words(message)):
        inside = any(start < word.end and word.start < end for start, end in spans)
        if inside or word.text in known or len(word.text) < 2 or word.text in vocabulary:
            continue
        if any(word.text.startswith(stem) for stem in stems):
            continue
        start = found.pop().start if before == index - 1 and found else word.start
        found.append(Span(text=message[start : word.end], start=start, end=word.end))
        before = index
    return tuple(found)


def named_by(message: str, span: Span, language: str, *, before: bool) -> bool:
    """Tell whether words stand where a name does: "how much is it *for a gizmo*".

    With `before`, an article is enough: "is *the gizmo* in stock, and is it heavy".
    """
    words = [word.text for word in read_words(message[: span.start])][-_DETERMINED:]
    table = _table(language)
    named = any(word in table.naming for word in words)
    return named or (before and any(word in table.articles for word in words[-2:]))


def joined(text: str, language: str) -> bool:
    """Tell whether the text between two things says that they are two."""
    words = {word.text for word in read_words(text)}
    return "," in text or "&" in text or any(word in words for word in _table(language).joins)


def follows_model_word(message: str, start: int, language: str) -> bool:
    """Tell whether a number stands where a model does: "fits 4711"."""
    words = [word.text for word in read_words(message[:start])][-2:]
    before = _table(language).before_model
    return bool(words) and (words[-1] in before or (len(words[-1]) < 3 and words[0] in before))
