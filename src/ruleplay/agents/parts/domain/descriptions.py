"""Finds which part a customer describes without a number: "the wheel on the upper rack broke".

The vocabulary is in `descriptions.toml`; its terms are the words that catalogs use in names.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, pairwise
from typing import NamedTuple

from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.negation import negated, resolved_after
from ruleplay.agents.parts.domain.phrases import Lexicon
from ruleplay.agents.parts.domain.references import joins_at, plain_word
from ruleplay.agents.parts.domain.tables import read_table
from ruleplay.agents.parts.domain.tokens import Mention, Word, read_words, words_before

# In part names the head noun comes before the first of these: "Spray Arm Support, Upper".
_FIRST_PHRASE = re.compile(r" - |,|\(| with | and | for ")
_LEADING = 4
"""Words between something and its place are fewer."""
_FAR = 10
"""Words from which on a cue such as "broke" no longer refers to a part."""
PLACES = frozenset(["upper", "lower", "left", "right", "front", "rear", "middle", "inner", "outer"])
"""Words for a place that only one of several like parts can have."""
_TO = "to"
"""What makes a verb of an English noun: "to mount"."""


class Description(Frozen):
    """A described part: words to search part names for, and the kind of part.

    Of the `terms`, one should occur in a part's name, and the first is the usual word; `weak` terms
    ("upper", "rack") only affect the ranking. `broken` and `wanted` say what the customer reports
    about the part; with neither it was only mentioned. The span covers the part's words, and also
    the words that report it broken.
    """

    terms: tuple[str, ...]
    weak: tuple[str, ...]
    kind: str
    broken: bool
    wanted: bool
    start: int
    end: int
    text: str


class Kind(Frozen):
    """A kind of part: the words customers use, and the words catalogs use."""

    kind: str
    says: tuple[str, ...]
    terms: tuple[str, ...]


class _Vocabulary(Frozen):
    """The schema of `descriptions.toml`."""

    broken: tuple[str, ...]
    wanted: tuple[str, ...]
    joins: tuple[str, ...]
    articles: tuple[str, ...]
    vague: tuple[str, ...]
    of: tuple[str, ...]
    corrects: tuple[str, ...]
    tails: tuple[str, ...]
    kind: tuple[Kind, ...]
    qualifiers: dict[str, tuple[str, ...]]
    sits: dict[str, tuple[str, ...]]


class _Noun(NamedTuple):
    """Adjacent words that name one part; the last of its kinds is the head, as in "rack wheel"."""

    first: int
    last: int
    kinds: tuple[str, ...]


@cache
def _vocabulary(language: str = "en") -> _Vocabulary:
    return read_table("descriptions.toml", _Vocabulary, language)


@cache
def _kinds(language: str = "en") -> dict[str, Kind]:
    return {kind.kind: kind for kind in _vocabulary(language).kind}


@cache
def _kind_lexicon(language: str = "en") -> Lexicon:
    return Lexicon({kind.kind: kind.says for kind in _vocabulary(language).kind}, ())


@cache
def _detail_lexicon(language: str = "en") -> Lexicon:
    return Lexicon(_vocabulary(language).qualifiers, ())


@cache
def _cue_lexicon(language: str = "en") -> Lexicon:
    words = _vocabulary(language)
    cues = {"broken": words.broken, "wanted": words.wanted, "joins": words.joins}
    return Lexicon({**cues, "corrects": words.corrects}, ())


def part_words(language: str = "en") -> tuple[str, ...]:
    """List all forms by which customers name kinds of parts."""
    return tuple(dict.fromkeys(form for kind in _vocabulary(language).kind for form in kind.says))


def part_terms(message: str, language: str = "en") -> Description | None:
    """Find the part that a message describes, or `None` if it names no kind of part.

    Of several, the one closest to a word such as "broke", "missing" or "need" is meant. In "the
    wheel on the upper rack" the wheel is the part, and the rack only says which wheel.
    """
    words = read_words(message)
    heads = _heads(words, language)
    if not heads:
        return None
    cues = _cue_lexicon(language).mentions(words)
    both = sorted((*cues.get("broken", ()), *cues.get("wanted", ())))
    noun = min(heads, key=lambda n: (_distance(words, n, both), n.first))
    near = _nearest(words, noun, cues.get("broken", ()))
    return _description(message, words, noun, near, language)


_LONG = 5
"""Letters than which a word is longer of which an article may be cut off: "leau" stays."""
_ELIDED = ("l", "d")
"""Articles and prepositions that are elided before a vowel."""


def parts_named(message: str, language: str = "en") -> tuple[Description, ...]:
    """Find every part that a message names by its kind, each with only its own words."""
    words = read_words(message)
    if language == "fr":
        words = tuple(_unglued(word) for word in words)
    return tuple(
        _description(message, words, noun, None, language) for noun in _heads(words, language)
    )


def _unglued(word: Word) -> Word:
    """Cut an article off a noun where the apostrophe is left out: "lelement"."""
    cut = word._replace(text=word.text[1:], start=word.start + 1)
    glued = len(word.text) > _LONG and word.text[:1] in _ELIDED and not _heads((word,), "fr")
    return cut if glued and _heads((cut,), "fr") else word


def parts_denied(message: str, language: str = "en") -> tuple[str, ...]:
    """Quote the parts that a message says it is not: "it's not the bulb"."""
    words = read_words(message)
    denied = [n for n in _nouns(words, language) if negated(words, Mention(n.first, n.last))]
    broken = _cue_lexicon(language).mentions(words).get("broken", ())
    # "The noise is gone" has none, but "the seal is gone" needs one.
    lost = [
        noun
        for noun in denied
        if resolved_after(words, noun.last) and _nearest(words, noun, broken) is not None
    ]
    left = (noun for noun in denied if noun not in lost)
    return tuple(message[words[n.first].start : words[n.last].end] for n in left)


def in_compound(message: str, noun: Description, language: str) -> bool:
    """Whether a noun is a piece of a word that names something else: the lock of "twist-lock"."""
    before = words_before(message, noun.start, 1)
    joined = message[: noun.start].endswith("-") and bool(before)
    return joined and not any(
        qualifiers(one, language) or plain_word(one, language) for one in before
    )


def each_once(parts: Sequence[Description]) -> tuple[Description, ...]:
    """Drop bare nouns that repeat a part named more fully before: "a drain pump, two pumps"."""
    return tuple(
        one
        for at, one in enumerate(parts)
        if one.weak or not any(one.kind == other.kind and other.weak for other in parts[:at])
    )


def qualifiers(text: str, language: str = "en") -> tuple[str, ...]:
    """Find the catalog's words for side, place or purpose in a text."""
    found = _detail_lexicon(language).mentions(read_words(text))
    return tuple(dict.fromkeys(term for name in found for term in name.split()))


def parts_at(text: str, language: str = "en") -> tuple[str, ...]:
    """Find the catalog's words for the parts located at a place that a text mentions."""
    sits = Lexicon(_vocabulary(language).sits, ())
    return tuple(sits.mentions(read_words(text)))


def roundabout(message: str, noun: Description, language: str = "en") -> int | None:
    """Find where a roundabout description begins, which names a part only to explain another.

    "The thing you push your cup on" is not a cup; but "a piece of the shelf" is about the shelf, so
    words such as "of" and articles do not count as an explanation. `None` if `noun` is named
    plainly.
    """
    words = read_words(message[: noun.end])
    at = next((place for place, word in enumerate(words) if word.start >= noun.start), len(words))
    spots = _vague_lexicon(language).mentions(words[:at]).get("vague", ())
    last = spots[-1] if spots else None
    if last is None or at >= len(words) or words[last.first].phrase != words[at].phrase:
        return None
    own = {*_vocabulary(language).articles, *_vocabulary(language).of}
    between = [word for word in words[last.last + 1 : at] if word.text not in own]
    return words[last.first].start if 0 < len(between) < _FAR else None


def vague_at(message: str, language: str = "en") -> int | None:
    """Find where a description without a noun begins ("the thing that holds …"), or `None`."""
    words = read_words(message)
    spots = _vague_lexicon(language).mentions(words).get("vague", ())
    return words[spots[0].first].start if spots else None


@cache
def _vague_lexicon(language: str = "en") -> Lexicon:
    return Lexicon({"vague": _vocabulary(language).vague}, ())


def only_names(text: str, language: str = "en") -> bool:
    """Whether a text is just the name of a part: "and the door of the butter tray?"."""
    words = read_words(text)
    left = {word.text for word in words} - {*_vocabulary(language).articles, *_join_forms(language)}
    named = [*_kind_lexicon(language).mentions(words).values()]
    covered = [*chain(*named), *chain(*_detail_lexicon(language).mentions(words).values())]
    told = {word.text for one in covered for word in words[one.first : one.last + 1]}
    return bool(named) and left <= told


def leading(language: str = "en") -> frozenset[str]:
    """Return articles and words such as "on", which lead to a part, its place or its price."""
    return frozenset((*_vocabulary(language).articles, *_join_forms(language)))


def leads_to_place(text: str, language: str = "en") -> bool:
    """Whether a text only leads to a place or purpose: "on the", "behind my"."""
    words = [word.text for word in read_words(text)]
    own, joins = leading(language), _join_forms(language)
    return 0 < len(words) < _LEADING and own.issuperset(words) and not joins.isdisjoint(words)


def led_to_place(message: str, start: int, language: str = "en") -> bool:
    """Whether a place or purpose is named at a position: the door of "for the left door"."""
    before = words_before(message, start, _LEADING)
    return not _join_forms(language).isdisjoint(before)


def head_of(name: str) -> str:
    """Find the word of a part's name that says what it is: "support" of "Spray Arm Support"."""
    first = _FIRST_PHRASE.split(name)[0]
    words = [word.text for word in read_words(first) if not word.text.isdigit()]
    # Names also end in words such as "assembly" or "kit", which say nothing about the part.
    tails = _vocabulary().tails
    return next((word for word in reversed(words) if word not in tails), "")


def heads_of(name: str) -> tuple[str, ...]:
    """Find what each phrase of a part's name says that it is or has, of a kit all its words."""
    phrases = [[word.text for word in read_words(one)] for one in _FIRST_PHRASE.split(name)]
    tails = {*_vocabulary().tails}
    each = (words if {*words[-1:]} & tails else [head_of(" ".join(words))] for words in phrases)
    return tuple(filter(None, chain.from_iterable(each)))


def _heads(words: tuple[Word, ...], language: str) -> list[_Noun]:
    """Find the parts that are meant; those set aside only count if there are no others."""
    nouns = _nouns(words, language)
    heads = [noun for i, noun in enumerate(nouns) if not _belongs(words, nouns, i, language)]
    # Drop parts that are corrected a few words later: "the hinge, I mean the spring".
    spots = _cue_lexicon(language).mentions(words).get("corrects", ()) if len(heads) > 1 else ()
    withdrawn = [
        one
        for one, after in pairwise(heads)
        if any(one.last < spot.first and spot.last < after.first for spot in spots)
    ]
    heads = [one for one in heads if one not in withdrawn]
    meant = [noun for noun in heads if not negated(words, Mention(noun.first, noun.last))]
    return meant or heads


def _description(
    message: str, words: tuple[Word, ...], noun: _Noun, near: Mention | None, language: str
) -> Description:
    first = min(noun.first, near.first) if near else noun.first
    last = max(noun.last, near.last) if near else noun.last
    head = _kinds(language)[noun.kinds[-1]]
    start, end = words[first].start, words[last].end
    wanted = _cue_lexicon(language).mentions(words).get("wanted", ())
    return Description(
        terms=head.terms,
        weak=_details(words, noun, head, language),
        kind=head.kind,
        broken=near is not None,
        wanted=_nearest(words, noun, wanted) is not None,
        start=start,
        end=end,
        text=message[start:end],
    )


def _nouns(words: tuple[Word, ...], language: str) -> list[_Noun]:
    """Find the nouns for kinds of parts; adjacent ones are joined."""
    spots = sorted(
        (mention, kind)
        for kind, mentions in _kind_lexicon(language).mentions(words).items()
        for mention in mentions
    )
    nouns: list[_Noun] = []
    for mention, kind in spots:
        if language == "en" and words[max(0, mention.first - 1)].text == _TO:
            continue  # "how long to mount it"
        if nouns and _same_noun(words, nouns[-1], mention):
            # Adjacent kinds form one noun: in "rack wheel" the wheel is the head.
            held = nouns.pop()
            nouns.append(_Noun(held.first, mention.last, (*held.kinds, kind)))
        else:
            nouns.append(_Noun(mention.first, mention.last, (kind,)))
    return nouns


def _same_noun(words: tuple[Word, ...], noun: _Noun, mention: Mention) -> bool:
    return mention.first == noun.last + 1 and words[mention.first].phrase == words[noun.last].phrase


def _belongs(words: tuple[Word, ...], nouns: list[_Noun], index: int, language: str) -> bool:
    """Whether a noun only says where the one before it is: "the wheel on the upper rack"."""
    if index == 0:
        return False
    before, noun = nouns[index - 1], nouns[index]
    if words[before.last].phrase != words[noun.first].phrase or noun.first - before.last > 5:
        return False
    joins, between = _join_forms(language), words[before.last + 1 : noun.first]
    apart = [at for at, word in enumerate(between, 1) if joins_at(word.text, language)]
    near = between[max(apart, default=0) :]
    determined = bool(apart) and len(near) == 1  # "the thermostat and that valve"
    return not determined and any(word.text in joins for word in near)


@cache
def _join_forms(language: str = "en") -> frozenset[str]:
    return frozenset(_vocabulary(language).joins)


def _distance(words: tuple[Word, ...], noun: _Noun, cues: Sequence[Mention]) -> int:
    near = _nearest(words, noun, cues)
    return _FAR if near is None else max(near.first - noun.last, noun.first - near.last)


def _nearest(words: tuple[Word, ...], noun: _Noun, cues: Sequence[Mention]) -> Mention | None:
    """Find the nearest cue in the same phrase, less than `_FAR` words away."""

    def distance(cue: Mention) -> int:
        return max(cue.first - noun.last, noun.first - cue.last)

    phrase = words[noun.first].phrase
    # Cues are sorted, so those around the insertion point suffice; a scan of all would be
    # quadratic.
    after = bisect_left(cues, Mention(noun.first, 0))
    around = cues[max(0, after - 2) : after + 3]
    # A cue in another phrase is about something else.
    near = [c for c in around if words[c.first].phrase == phrase and distance(c) < _FAR]
    return min(near, key=distance, default=None)


def _details(words: tuple[Word, ...], noun: _Noun, head: Kind, language: str) -> tuple[str, ...]:
    """List the weak terms: the noun's other kinds, and qualifiers in the same phrase."""
    other = (_kinds(language)[kind].terms[0] for kind in noun.kinds[:-1])
    around = _around(words, noun, language)
    said = (name for name in _detail_lexicon(language).mentions(around) for name in name.split())
    weak: Iterator[str] = (term for source in (other, said) for term in source)
    return tuple(dict.fromkeys(term for term in weak if term not in head.terms[:1]))


def _around(words: tuple[Word, ...], noun: _Noun, language: str) -> tuple[Word, ...]:
    """Take the words of the noun's phrase near it, up to an "and" on either side."""
    phrase, first = words[noun.first].phrase, max(0, noun.first - _FAR)
    last = noun.last + 1 + _FAR
    apart = [at for at, one in enumerate(words[first:last], first) if joins_at(one.text, language)]
    first = max([first, *(at for at in apart if at < noun.first)])
    last = min([last, *(at for at in apart if at > noun.last)])
    return tuple(word for word in words[first:last] if word.phrase == phrase)
