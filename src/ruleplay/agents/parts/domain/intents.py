"""Recognises what a customer wants: goals, corrections, answers, and dangers to stop for.

The phrases are in `intents.toml`. Answers to a question (yes, "the second one") are read here too,
because they depend on what was asked. The intents of a message are in order of appearance.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from operator import itemgetter
from typing import Literal

from ruleplay.agents.parts.domain.answers import Asked, read_answers
from ruleplay.agents.parts.domain.appliances import appliance_words
from ruleplay.agents.parts.domain.descriptions import part_words
from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.phrases import (
    Lexicon,
    Mentions,
    Pattern,
    find_pattern,
    parse_pattern,
)
from ruleplay.agents.parts.domain.tables import read_table
from ruleplay.agents.parts.domain.tokens import Mention, Word, fold, read_words
from ruleplay.agents.parts.domain.voice import LANGUAGES

IntentKind = Literal[
    "goal", "correction", "retract", "new_problem", "repeat", "skip", "unknown_model_number",
    "yes", "no", "none_of_these", "choice", "insist", "person", "thanks", "greeting", "bye",
    "order_status", "complaint", "later", "price", "stock", "injection", "out_of_scope", "hazard",
    "cleared", "dismissed", "topic",
]  # fmt: skip


class Intent(Frozen):
    """One thing that a customer wants; the span quotes the words that say so.

    What `value` holds depends on `kind`: the goal's name; the slot to correct ("model", "part",
    "appliance", or "" if not said) or to retract ("model", "part", "symptoms", "last", "all"); the
    kind of danger; the topic out of scope; or the chosen option as it was shown, whose index from 0
    is `option`.
    """

    kind: IntentKind
    value: str = ""
    option: int | None = None
    start: int
    end: int
    text: str


class Phrases(Frozen):
    """How one intent is expressed; `exact` are whole messages."""

    kind: IntentKind
    value: str
    patterns: tuple[str, ...]
    exact: tuple[str, ...] = ()


class _Intents(Frozen):
    """The schema of `intents.toml`."""

    concepts: dict[str, tuple[str, ...]]
    intent: tuple[Phrases, ...]


_ALWAYS_HEARD = ("hazard", "injection")
"""Kinds that count even inside quotation marks."""
_QUOTED = re.compile(r"[\"“”]([^\"“”]{1,2000})[\"“”]")
_ID = re.compile(r"(?=[a-z]*\d)(?:ps\d{3,}|(?=\d*[a-z])[a-z0-9]{5,}|\d{6,})$")


@cache
def _table(language: str = "en") -> _Intents:
    return read_table("intents.toml", _Intents, language)


@cache
def _patterns(language: str) -> tuple[tuple[Phrases, Pattern], ...]:
    intents = _table(language).intent
    return tuple((p, parse_pattern(line)) for p in intents for line in p.patterns)


@cache
def _lexicons(language: str) -> tuple[Lexicon, ...]:
    """Build several lexicons, as within one the longest form hides others but these may overlap."""
    patterns = [pattern for _, pattern in _patterns(language)]
    # Lower-case names in patterns are the words themselves.
    literals = {name for pattern in patterns for name in pattern.names() if name.islower()}
    single = {name: (name,) for name in sorted(literals) if "_" not in name}
    several = {name: (name.replace("_", " "),) for name in sorted(literals) if "_" in name}
    concepts = _table(language).concepts
    appliances = [form for forms in appliance_words(language).values() for form in forms]
    return (
        Lexicon(concepts, ()),
        Lexicon(single, ()),
        Lexicon(several, ()),
        Lexicon({"PART_KIND": part_words(language)}, ()),
        Lexicon({"APPLIANCE": appliances}, ()),
        *(Lexicon({name: concepts[name]}, ()) for name in _OVERLAPPING),
    )


_ASKING = ("goal", "price", "stock")
"""Kinds of intents whose words name no part, apart from the concepts in `_THINGS`."""
_THINGS = ("PART_KIND", "APPLIANCE", "NUMBER", "HUMAN", "STEPS", "HANDLE")


@cache
def question_words(language: str = "en") -> frozenset[str]:
    """List the words that serve to ask, greet or insist, taken from the phrases of such intents."""
    table = _table(language)
    names = {
        name
        for phrases, pattern in _patterns(language)
        if phrases.kind in _ASKING
        for name in pattern.names()
        if name not in _THINGS
    }
    literals = {word for name in names if name.islower() for word in name.split("_")}
    forms = (form for name in names for form in table.concepts.get(name, ()))
    return frozenset({fold(w) for form in forms for w in form.split()} | {*map(fold, literals)})


def dangers(message: str, language: str, *, wet: bool) -> Iterator[Intent]:
    """Find dangers described by words far apart, such as a cord and, elsewhere, that it melted.

    `wet` says that the message reports leaking water, which is dangerous near an outlet or wires.
    """
    words = read_words(message)
    mentions = _mentions(words, language)
    outlets, cords = mentions.get("OUTLET", ()), mentions.get("CORD", ())
    if wet and outlets:
        yield _intent(message, words, outlets[0], "hazard", "water_near_electricity")
    if cords and mentions.get("MOLTEN"):
        yield _intent(message, words, cords[0], "hazard", "hot_cord")


@cache
def _danger_words(language: str) -> tuple[Lexicon, tuple[tuple[Phrases, Pattern], ...]]:
    """Build a lexicon of only the dangers' words, which is quick to search, and its patterns.

    It has what hides these words too: "smoke grey" is no smoke.
    """
    told = tuple((p, pattern) for p, pattern in _patterns(language) if p.kind == "hazard")
    names = {name for _, pattern in told for name in pattern.names()}
    every = _table(language).concepts
    said = {word for name in names for form in every.get(name, ()) for word in form.split()}
    concepts = {
        name: forms
        for name, forms in every.items()
        if name in names or any(said & {*form.split()} for form in forms)
    }
    return Lexicon(concepts, (pattern for _, pattern in told)), told


def dangers_said(message: str, language: str, *, wet: bool) -> Iterator[Intent]:
    """Find dangers in all languages, since a short message's language may be misjudged."""
    yield from dangers(message, language, wet=wet)
    for other in LANGUAGES:
        yield from read_dangers(message, other) if other != language else ()


def read_dangers(message: str, language: str) -> Iterator[Intent]:
    """Find only dangers, in a language that the message was not recognised as."""
    words = read_words(message)
    lexicon, told = _danger_words(language)
    mentions = lexicon.mentions(words)
    for phrases, pattern in told:
        for span in find_pattern(pattern, words, mentions):
            yield _intent(message, words, span, phrases.kind, phrases.value)


_OVERLAPPING = ("IT", "MODEL", "PART_WORD", "PART_NUMBER", "NUMBER", "SYMPTOM_WORD", "NOT")


def read_intents(
    message: str, asked: Asked | None = None, language: str = "en"
) -> tuple[Intent, ...]:
    """Find a message's intents in order; answers count only if something was asked.

    Inside quotation marks only dangers and injections count, unless the whole message is quoted.
    """
    words = read_words(message)
    mentions = _mentions(words, language)
    found = [
        *_phrased(message, words, mentions, asked, language),
        *_exact(message, words, language),
    ]
    if asked is not None:
        found += _answers(message, words, mentions, asked, language)
    quoted = _quotations(message)
    heard = [i for i in found if i.kind in _ALWAYS_HEARD or not _within(quoted, i)]
    return tuple(_distinct(heard))


def _mentions(words: Sequence[Word], language: str) -> Mentions:
    """Find all concepts and words of patterns, and what looks like a number as the concept `ID`."""
    merged: dict[str, list[Mention]] = {"ID": _ids(words)}
    for lexicon in _lexicons(language):
        for name, spots in lexicon.mentions(words).items():
            merged[name] = sorted({*merged.get(name, ()), *spots})
    return merged


def _ids(words: Sequence[Word]) -> list[Mention]:
    """Find words that look like a model or part number, whether or not the catalog has them."""
    return [Mention(i, i) for i, w in enumerate(words) if len(w.text) <= 30 and _ID.match(w.text)]


def _intent(
    message: str,
    words: Sequence[Word],
    span: tuple[int, int],
    kind: IntentKind,
    value: str = "",
    option: int | None = None,
) -> Intent:
    start, end = words[span[0]].start, words[span[1]].end
    text = message[start:end]
    return Intent(kind=kind, value=value, option=option, start=start, end=end, text=text)


def _phrased(
    message: str, words: Sequence[Word], mentions: Mentions, asked: Asked | None, language: str
) -> Iterator[Intent]:
    # Corrections span punctuation: "no, wait. It's the other model".
    """Find the intents whose patterns match."""
    joined = [word._replace(phrase=0) for word in words]
    for phrases, pattern in _patterns(language):
        correction = phrases.kind == "correction"
        for span in find_pattern(pattern, joined if correction else words, mentions):
            if correction and _goes_on(words, *span):
                continue  # "dead, no lights. PS1 fits?"
            value = _slot(words, mentions, span, asked) if correction else phrases.value
            yield _intent(message, words, span, phrases.kind, value)


def _goes_on(words: Sequence[Word], first: int, last: int) -> bool:
    """Whether the first word of a match belongs to the words after it, and the last does not."""
    phrases = [word.phrase for word in words[first : first + 2]]
    return len({*phrases}) == 1 and words[last].phrase != phrases[0]


def _exact(message: str, words: Sequence[Word], language: str) -> Iterator[Intent]:
    """Find the intent that a short message expresses as a whole: "fix it", "skip"."""
    if not words or len(words) > 8:
        return
    said = " ".join(word.text for word in words)
    polite = " ".join(word.text for word in words if word.text not in ("please", "just"))
    for phrases in _table(language).intent:
        if said in phrases.exact or polite in phrases.exact:
            yield _intent(message, words, (0, len(words) - 1), phrases.kind, phrases.value)


def _quotations(message: str) -> list[tuple[int, int]]:
    whole = message.strip()
    return [quoted.span() for quoted in _QUOTED.finditer(message) if quoted[0] != whole]


def _within(quotations: list[tuple[int, int]], intent: Intent) -> bool:
    index = bisect_right(quotations, intent.start, key=itemgetter(0)) - 1
    return index >= 0 and intent.end <= quotations[index][1]


def _distinct(found: Iterable[Intent]) -> Iterator[Intent]:
    """Sort intents; of overlapping ones that say the same, only the first and longest is kept."""
    ends: dict[tuple[str, str], int] = {}
    retracted = -1
    for intent in sorted(found, key=lambda i: (i.start, -i.end, i.kind, i.value)):
        key = (intent.kind, intent.value)
        if intent.start < ends.get(key, -1):
            continue
        if intent.kind == "retract" and intent.start < retracted:
            continue
        ends[key] = intent.end
        retracted = intent.end if intent.kind == "retract" else retracted
        yield intent


def _slot(
    words: Sequence[Word], mentions: Mentions, span: tuple[int, int], asked: Asked | None
) -> str:
    """Find which slot a correction is about: the one named, else the one asked for, else ""."""
    first, last = span
    for slot, name in (("model", "MODEL"), ("part", "PART_NUMBER"), ("appliance", "APPLIANCE")):
        if any(first <= m.first and m.last <= last + 1 for m in mentions.get(name, ())):
            return slot
    ids = [m for m in mentions.get("ID", ()) if first <= m.first and m.last <= last]
    if any(words[m.first].text.startswith("ps") for m in ids):
        return "part"
    return asked.kind if asked is not None and asked.kind in ("model", "part") else ""


def _answers(
    message: str, words: Sequence[Word], mentions: Mentions, asked: Asked, language: str
) -> Iterator[Intent]:
    """Find answers to the question asked, including "I don't know" for a model number."""
    for answer in read_answers(words, asked, language):
        value = "" if answer.option is None else asked.options[answer.option]
        yield _intent(message, words, answer.span, answer.kind, value, answer.option)
    if asked.kind == "model":
        for mention in (*mentions.get("DONT_KNOW", ()), *mentions.get("WHERE", ())):
            yield _intent(message, words, mention, "unknown_model_number")
