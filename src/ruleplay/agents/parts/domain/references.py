"""Finds references in a message: "it", "the second one", "the cheaper of those two".

It also finds words that no vocabulary has and that may name something. A question with such a word
is not about the part mentioned before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import cache
from typing import Literal

from ruleplay.agents.parts.domain.answers import ordinal, places
from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.ids import Span
from ruleplay.agents.parts.domain.phrases import Lexicon
from ruleplay.agents.parts.domain.stopwords import COMMON
from ruleplay.agents.parts.domain.tables import read_table, read_words_of
from ruleplay.agents.parts.domain.tokens import Mention, Word, fold, read_words, words_before

Way = Literal[
    "it", "they", "other", "place", "first", "last", "cheapest", "dearest", "easiest", "quickest",
    "fitting", "misfit", "priced",
]  # fmt: skip
RANKED: tuple[Way, ...] = ("cheapest", "dearest", "easiest", "quickest")
BY_FIT: tuple[Way, ...] = ("misfit", "fitting")
"""References by a verdict given before: "the one that doesn't"."""
_DETERMINED = 4
"""Most words between "for" and what it refers to: "for the left front"."""
_EXCLUDED = 8
"""Most words of a phrase that excludes what follows: "rather than the"."""
_NAMING = 3
"""Fewest letters of an unknown word that may name a part."""
_MOST = 10
"""Cards among which ordinals count; a list never shows more."""


_SUM = re.compile(
    r"(?<![\w.,-])(?P<before>[$€£]\s?)?(?P<amount>\d{1,4}(?:[.,]\d{1,2})?)(?![\d-])"
    r"\s?(?:(?P<after>[$€£])|(?P<unit>[^\W\d]+)\b)?"
)
_STOPS = re.compile(r"[.?!;]\s")
_ORDINAL = re.compile(r"\d{1,3}(?:st|nd|rd|th|e|er|ere|eme|o|a)")
_LIKE_A_NUMBER = re.compile(r"\b\w*\d[\w-]{2,}")
_NUMBERED = re.compile(r"#\s?([1-9])\b")


class Reference(Span):
    """Words that refer to parts shown or mentioned; `place` counts from 0.

    `count` is how many parts are meant ("those two", "the first three"), or 0 if not said. `amount`
    is the price that identifies the part ("the one for 35 bucks").
    """

    way: Way
    place: int = 0
    count: int = 0
    amount: Decimal = Decimal(0)


class _References(Frozen):
    """The schema of `references.toml`."""

    asking: tuple[str, ...]
    it: tuple[str, ...]
    they: tuple[str, ...]
    other: tuple[str, ...]
    cheapest: tuple[str, ...]
    dearest: tuple[str, ...]
    easiest: tuple[str, ...]
    quickest: tuple[str, ...]
    fitting: tuple[str, ...]
    misfit: tuple[str, ...]
    numerals: tuple[tuple[str, ...], ...]
    firsts: tuple[str, ...]
    lasts: tuple[str, ...]
    difficulties: tuple[str, ...]
    hours: tuple[str, ...]
    excluding: tuple[str, ...]
    numbering: tuple[str, ...]
    currencies: tuple[str, ...]
    subjects: tuple[str, ...]
    times: tuple[str, ...]
    joins: tuple[str, ...]
    alternatives: tuple[str, ...]
    before_model: tuple[str, ...]
    machines: tuple[str, ...]
    beside: tuple[str, ...]
    comparing: tuple[str, ...]
    naming: tuple[str, ...]
    articles: tuple[str, ...]
    known: tuple[str, ...]


_OWN_WORDS = {
    "numerals", "firsts", "difficulties", "hours", "excluding", "numbering", "currencies",
    "subjects", "times", "machines", "beside", "comparing",
}  # fmt: skip
_POINTING = [name for name in _References.model_fields if name not in _OWN_WORDS]


@cache
def _table(language: str) -> _References:
    return read_table("references.toml", _References, language)


@cache
def _lexicons(language: str) -> tuple[Lexicon, ...]:
    table = _table(language)
    return (
        Lexicon({name: getattr(table, name) for name in (*RANKED, *BY_FIT)}, ()),
        Lexicon({name: getattr(table, name) for name in ("asking", "other", "they", "it")}, ()),
    )


@cache
def _known(language: str) -> frozenset[str]:
    """Collect the words that name no part, including those that refer or join."""
    table = _table(language)
    phrases = (*table.known, *(form for name in _POINTING for form in getattr(table, name)))
    learnt = read_words_of("plain.en.txt") | read_words_of(f"plain.{language}.txt")
    said = (fold(word) for phrase in phrases for word in phrase.split())
    return frozenset((*COMMON, *learnt, *said))


def find_references(message: str, language: str = "en") -> tuple[Reference, ...]:
    """Find references to parts, the most specific first: price, rank, position, then "it"."""
    words = read_words(message)
    found: list[Reference] = [*_priced(message, language)]
    ranks, plain = _lexicons(language)
    for way, mentions in ranks.mentions(words).items():
        found += (_reference(message, words, m.first, m.last, way) for m in mentions)
    found += _counted(message, words, _table(language))
    for sign in _NUMBERED.finditer(message):
        span = {"text": sign[0], "start": sign.start(), "end": sign.end(), "way": "place"}
        found.append(Reference.model_validate({**span, "place": int(sign[1]) - 1}))
    for place, mention in sorted({*places(words, _MOST, language), *_ordinals(words, language)}):
        after = words[mention.last + 1 : mention.last + 2]
        if any(word.text in _table(language).times for word in after):
            continue  # "like the last time" points at no part
        one = _reference(message, words, mention.first, mention.last, "place")
        found.append(one.model_copy(update={"place": place}))
    for way in ("other", "they", "it"):
        for m in plain.mentions(words).get(way, ()):
            if way == "other" and m.first and words[m.first - 1].text in _table(language).comparing:
                continue  # "is there a video like the other one"
            one = _reference(message, words, m.first, m.last, way)
            counts = (_numeral(word.text, _table(language)) for word in words[m.first : m.last + 1])
            found.append(one.model_copy(update={"count": next(filter(None, counts), 0)}))
    return tuple(found)


def _ordinals(words: Sequence[Word], language: str) -> Iterator[tuple[int, Mention]]:
    """Find every ordinal that no noun follows: "two of the first and one of the second"."""
    table, known = _table(language), _known(language)
    spots = [(ordinal(word.text, _MOST, language), at) for at, word in enumerate(words)]
    spots = [(place, at) for place, at in spots if place is not None and at]
    for place, at in spots if len(spots) > 1 else ():
        after = words[at + 1 : at + 2]
        led = words[at - 1].text in (*table.articles, *table.naming)
        if place is not None and led and all(one.text in known for one in after):
            yield place, Mention(at, at)


def _priced(message: str, language: str) -> Iterator[Reference]:
    """Find prices mentioned: "$35", "35 bucks", "62,90 dollars"."""
    for sum_ in _SUM.finditer(message):
        sign, said = sum_["before"] or sum_["after"], fold(sum_["unit"] or "")
        if sign or said in _table(language).currencies:
            amount = Decimal((sum_["amount"]).replace(",", "."))
            end = sum_.end("unit") if said and not sum_["before"] else sum_.end("amount")
            span = {"text": message[sum_.start() : end], "start": sum_.start(), "end": end}
            yield Reference.model_validate({**span, "way": "priced", "amount": amount})


def worded_price(
    message: str, start: int, end: int, amount: int, language: str
) -> Reference | None:
    """Read a number in words as a price if a currency follows: "about ten dollars"."""
    table, behind = _table(language), read_words(message[end:], 2)
    unit = next((one for one in behind if one.text in table.currencies), None)
    if unit is None or message[start].isdigit() or behind[0].text not in (unit.text, *table.naming):
        return None
    last = end + unit.end
    span = {"text": message[start:last], "start": start, "end": last}
    return Reference.model_validate({**span, "way": "priced", "amount": Decimal(amount)})


def sums_said(message: str) -> list[Decimal]:
    """Find all numbers that may be amounts of money: "340", "$179.45"."""
    return [Decimal(one["amount"].replace(",", ".")) for one in _SUM.finditer(message)]


def sums_said_at(message: str) -> set[int]:
    """Find where sums of money begin that have their currency."""
    return {one.start("amount") for one in _SUM.finditer(message) if one["before"] or one["after"]}


def says_machine(message: str, found: Iterable[Reference], language: str) -> bool:
    """Whether "the other" is said of a machine: "now the other machine"."""
    ends = [one.end for one in found if one.way == "other"]
    after = [word.text for end in ends for word in read_words(message[end:])[:1]]
    return any(word in _table(language).machines for word in after)


def is_standard(message: str, start: int, language: str) -> bool:
    """Whether something is only compared with what is named: "dearer than the seal"."""
    table, before = _table(language), words_before(message, start, 2)
    before = before[:-1] if before[-1:] and before[-1] in table.articles else before
    return bool(before) and before[-1] in table.comparing[1:]


def is_comparative(message: str, one: Reference, language: str) -> bool:
    """Whether a rank compares and picks none: "is it cheaper", unlike "the cheaper one"."""
    before, after = words_before(message, one.start, 1), read_words(message[one.end :])[:1]
    picks = before and before[-1] in (*_table(language).articles, *_table(language).naming)
    most = language == "en" and fold(one.text).split()[-1].endswith("est")
    named = [word for word in after if word.text in ("one", "ones", "1")]
    return not (picks or most or named)


def stands_beside(message: str, start: int, language: str) -> bool:
    """Whether what is named at `start` only says where something is: "it fell behind the stove"."""
    before = words_before(message, start, _DETERMINED)
    while before and before[-1] in (*_table(language).articles, *_known(language)):
        if before[-1] in _table(language).beside:
            return True
        before = before[:-1]
    return bool(before) and before[-1] in _table(language).beside


def numbered_besides(message: str, read: Iterable[Span]) -> bool:
    """Whether a message has a number that was not read; it may be one of "both"."""
    spans = [(one.start, one.end) for one in read]
    return any(
        not any(start < one.end() and one.start() < end for start, end in spans)
        for one in _LIKE_A_NUMBER.finditer(message)
    )


def _counted(message: str, words: Sequence[Word], table: _References) -> Iterator[Reference]:
    """Find "the first two" and "les deux derniers"."""
    for index in range(len(words) - 1):
        one, other = words[index].text, words[index + 1].text
        count = _numeral(one, table) or _numeral(other, table)
        for way, forms in (("first", table.firsts), ("last", table.lasts)):
            if count and (one in forms or other in forms):
                found = _reference(message, words, index, index + 1, way)
                yield found.model_copy(update={"count": count})


def _numeral(word: str, table: _References) -> int:
    return next((n for n, forms in enumerate(table.numerals, 2) if word in forms), 0)


def _reference(message: str, words: Sequence[Word], first: int, last: int, way: str) -> Reference:
    start, end = words[first].start, words[last].end
    return Reference.model_validate(
        {"text": message[start:end], "start": start, "end": end, "way": way}
    )


def foreign_words(
    message: str, covered: Iterable[tuple[int, int]], language: str, vocabulary: frozenset[str]
) -> tuple[Span, ...]:
    """Find words that may name something unknown: in no vocabulary and in no covered span.

    Adjacent words are joined to one span.
    """
    known = _known(language)
    stems = tuple(form[:-1] for form in vocabulary if form.endswith("*"))
    named = bytearray(len(message))
    for start, end in covered:
        named[start:end] = b"\1" * len(named[start:end])
    found: list[Span] = []
    # No word's position, not even that of the word before the first.
    before = after_subject = phrase = -2
    for index, word in enumerate(read_words(message)):
        after_subject = index if word.text in _table(language).subjects else after_subject
        inside = 1 in named[word.start : word.end]
        if inside or word.text in known or len(word.text) < _NAMING or word.text in vocabulary:
            continue
        if word.text.startswith(stems) or _ORDINAL.fullmatch(word.text):
            continue
        if index == after_subject + 1 or any(one.startswith(word.text) for one in vocabulary):
            continue  # a verb, or an abbreviated question word: "vid"
        adjoins = before == index - 1 and phrase == word.phrase and found
        start = found.pop().start if adjoins else word.start
        phrase = word.phrase
        found.append(Span(text=message[start : word.end], start=start, end=word.end))
        before = index
    return tuple(found)


def named_by(message: str, span: Span, language: str, *, before: bool) -> bool:
    """Whether a span stands where a name does: "how much is it *for a gizmo*".

    With `before`, an article is enough: "is *the gizmo* in stock, and is it heavy".
    """
    words = words_before(message, span.start, _DETERMINED)
    table = _table(language)
    named = any(word in table.naming for word in words)
    return named or (before and any(word in table.articles for word in words[-2:]))


def has_machine(message: str, span: Span, model: int, language: str) -> bool:
    """Whether a span names the owner of a model that follows: "my *aunt* has a 4711"."""
    table, known = _table(language), _known(language)
    between = [word.text for word in read_words(message[span.end : model])]
    leading = {*table.before_model, *table.naming} - {*table.articles}
    plain = all(word in known and word not in leading for word in between)
    return 0 < len(between) <= _DETERMINED and plain


def placed_as_names(message: str, strange: Iterable[Span], language: str) -> list[Span]:
    """Keep the unknown words that stand where names do, apart from times such as "last week"."""
    return [
        span
        for span in strange
        if named_by(message, span, language, before=True)
        and not any(word.text in _table(language).times for word in read_words(span.text))
    ]


def excluded(message: str, start: int, language: str) -> bool:
    """Whether what follows position `start` is explicitly not meant: "the arm, not the support".

    So is the front of "pas celui de devant" and "not that of the front".
    """
    table = _table(language)
    begins = max((one.end() for one in _STOPS.finditer(message, 0, start)), default=0)
    words = words_before(message[begins:start], start - begins, _EXCLUDED)
    resuming = {form.split()[0] for form in table.it if " " in form}
    of_one = len(words) > 1 and words[-1] in table.naming and words[-2] in resuming
    words = words[:-2] if of_one else words
    while words and words[-1] in table.articles:
        words.pop()
    before = " ".join(words)
    return any(before == form or before.endswith(f" {form}") for form in table.excluding)


def difficulty(said: str) -> int | None:
    """Rank a catalog's words for difficulty, from 0 (easiest); `None` if they are unknown."""
    levels = _table("en").difficulties
    return levels.index(fold(said)) if fold(said) in levels else None


def hard(said: str) -> bool:
    """Whether a catalog's words for difficulty promise no easy work."""
    easy = difficulty("easy")
    return easy is None or (difficulty(said) or 0) > easy


def minutes(said: str) -> int | None:
    """Read the longest time in a catalog's words, in minutes: 30 for "15 - 30 mins"."""
    words = [word.text for word in read_words(said)]
    numbers = [int(word) for word in words if word.isdigit()]
    unit = 60 if any(word in _table("en").hours for word in words) else 1
    return max(numbers) * unit if numbers else None


def plain_word(word: str, language: str) -> bool:
    """Whether a word names nothing: one of common talk, or a very short one."""
    return word in _known(language) or len(word) < _NAMING


def is_article(word: str, language: str) -> bool:
    """Whether a word only leads to a noun: "the"."""
    return word in _table(language).articles


def speaks(word: str, language: str) -> bool:
    """Whether a word says who does something: "I"."""
    return fold(word) in _table(language).subjects


def joined(text: str, language: str) -> bool:
    """Whether the text between two things enumerates them, with a comma or an "and"."""
    return any(char in text for char in ",&+") or bool(joins_at(text, language))


def joins_at(text: str, language: str) -> list[int]:
    """Find the end positions of words that join two things."""
    joins = (*_table(language).joins, *_table(language).alternatives)
    return [word.end for word in read_words(text) if word.text in joins]


def only_joins(text: str, language: str) -> bool:
    """Whether a text is one word or sign that joins two things, with or without an article."""
    articles = _table(language).articles
    said = [word.text for word in read_words(text) if word.text not in articles]
    if not said:
        return any(sign in text for sign in "+&")
    return len(said) == 1 and bool(joins_at(text, language))


def alternatives_at(text: str, language: str) -> list[tuple[int, int]]:
    """Find the spans of words such as "or", which say that it is one of two things."""
    ors = _table(language).alternatives
    return [(word.start, word.end) for word in read_words(text) if word.text in ors]


def numbering(text: str, language: str) -> bool:
    """Whether the text between a noun and a number says that the number is the noun's."""
    words = [word.text for word in read_words(text)]
    return len(words) <= _DETERMINED and any(word in _table(language).numbering for word in words)


def follows_model_word(message: str, start: int, language: str) -> bool:
    """Whether a number stands where a model does: "fits 4711"."""
    words = words_before(message, start, 2)
    before = _table(language).before_model
    return bool(words) and (words[-1] in before or (len(words[-1]) < 3 and words[0] in before))


def counting(pointing: Sequence[Reference]) -> tuple[list[Reference], list[Reference]]:
    """Find the references that count or rank, and those that pick one by rank or price."""
    counted = [one for one in pointing if one.count or one.way in (*RANKED, "place")]
    return counted, [one for one in pointing if one.way in (*RANKED, "priced")]
