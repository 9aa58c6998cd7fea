"""Recognises answers to a question that was just asked: yes, no, none, "the second one"."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple

from pydantic import Field

from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.phrases import Lexicon
from ruleplay.agents.parts.domain.tables import read_table
from ruleplay.agents.parts.domain.tokens import Mention, Word, read_words

AnswerKind = Literal["yes", "no", "none_of_these", "choice"]


class Asked(Frozen):
    """The question that the customer was asked last, with the options as they were shown."""

    kind: Literal[
        "goal", "meant", "model", "part", "symptoms", "description", "confirm", "choice", "told"
    ]
    options: tuple[str, ...] = ()
    person: bool = Field(default=False, exclude_if=operator.not_)
    """Whether the question offered to hand over to a person."""


class Answer(NamedTuple):
    """An answer, the words that give it, and the index of the option it picks."""

    kind: AnswerKind
    span: Mention
    option: int | None = None


class _Answers(Frozen):
    """The schema of `answers.toml`."""

    yes: tuple[str, ...]
    no: tuple[str, ...]
    none: tuple[str, ...]
    plain: tuple[str, ...]
    after_no: tuple[str, ...]
    hesitation: tuple[str, ...]
    filler: tuple[str, ...]
    cues: tuple[str, ...]
    counted: tuple[str, ...]
    last: tuple[str, ...]
    bare: tuple[str, ...]
    ordinals: tuple[tuple[str, ...], ...]


@cache
def _table(language: str) -> _Answers:
    return read_table("answers.toml", _Answers, language)


@cache
def _lexicon(language: str) -> Lexicon:
    return Lexicon({"yes": _table(language).yes, "no": _table(language).no}, ())


@cache
def _none_lexicon(language: str) -> Lexicon:
    return Lexicon({"none": _table(language).none}, ())


def read_answers(words: Sequence[Word], asked: Asked, language: str = "en") -> Iterator[Answer]:
    """Find yes, no, "none of these" and the chosen option, as answers to the question `asked`."""
    yield from _yes_or_no(words, _table(language), _lexicon(language))
    for mention in _none_lexicon(language).mentions(words).get("none", ()):
        if asked.options or mention.first == 0:
            yield Answer("none_of_these", mention)
    for option, span in _chosen(words, asked.options, _table(language)):
        yield Answer("choice", span, option)


def places(words: Sequence[Word], count: int, language: str) -> Iterator[tuple[int, Mention]]:
    """Find which of `count` listed things is meant by position: "the second one" is 1."""
    yield from _placed_options(words, count, _table(language))


def ordinal(word: str, count: int, language: str) -> int | None:
    """Read a word that can only say a position among `count` things: "second", not "two"."""
    table = _table(language)
    return None if word in table.bare else _place(word, count, table)


def _yes_or_no(words: Sequence[Word], table: _Answers, lexicon: Lexicon) -> Iterator[Answer]:
    """Find a yes or no at the beginning of a message; "no ice" and "right side" are neither."""
    # Hesitation before the answer does not count: "well, yes".
    start = next(
        (i for i, word in enumerate(words) if word.text not in table.hesitation), len(words)
    )
    said = lexicon.mentions(words[start : start + 8])
    kinds: tuple[AnswerKind, ...] = ("yes", "no")
    for kind in kinds:
        for mention in said.get(kind, ())[:1]:
            span = Mention(mention.first + start, mention.last + start)
            if mention.first == 0 and _stands_alone(words, span, table):
                yield Answer(kind, span)


def _stands_alone(words: Sequence[Word], span: Mention, table: _Answers) -> bool:
    """Whether a yes or no is an answer of its own and not the start of a phrase."""
    word, after = words[span.last], words[span.last + 1 : span.last + 2]
    if not after or after[0].phrase != word.phrase or word.text in table.plain:
        return True
    return words[span.first].text == "no" and after[0].text in table.after_no


def _chosen(
    words: Sequence[Word], options: tuple[str, ...], table: _Answers
) -> Iterator[tuple[int, Mention]]:
    """Find the options that a message picks, by name or else by position in the list."""
    # A name is more reliable than a position, since names may contain numerals.
    named = list(_named_options(words, options))
    yield from named or _placed_options(words, len(options), table)


def _named_options(
    words: Sequence[Word], options: tuple[str, ...]
) -> Iterator[tuple[int, Mention]]:
    texts = [" ".join(word.text for word in read_words(option)) for option in options]
    forms = {str(index): (text,) for index, text in enumerate(texts) if text}
    for name, mentions in Lexicon(forms, ()).mentions(words).items():
        yield int(name), mentions[0]


def _placed_options(
    words: Sequence[Word], count: int, table: _Answers
) -> Iterator[tuple[int, Mention]]:
    """Find an option by its position, but only where the word cannot mean something else.

    Bare numerals need a cue before them ("number two") or must be all that a short message says;
    ordinals may also end a phrase or stand before a counted noun ("the second part").
    """
    meant = [i for i, word in enumerate(words[:12]) if word.text not in table.filler]
    alone = meant if len(words) <= 12 else []
    for index, word in enumerate(words):
        place = _place(word.text, count, table)
        if place is None:
            continue
        cued = index > 0 and words[index - 1].text in table.cues
        ordinal = word.text not in table.bare
        ends = index + 1 == len(words) or words[index + 1].phrase != word.phrase
        if (
            cued
            or alone == [index]
            or (ordinal and (ends or words[index + 1].text in table.counted))
        ):
            yield place, Mention(index, index)
            return


def _place(text: str, count: int, table: _Answers) -> int | None:
    """Read a word as a position among `count` things, from 0; `None` if it is none."""
    if text in table.last and count:
        return count - 1
    for place, names in enumerate(table.ordinals[:count]):
        # "a" may mean option A, but with a single option it is just an article.
        if text in names and not (text == "a" and count < 2):
            return place
    return None
