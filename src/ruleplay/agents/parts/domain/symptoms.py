"""Maps customers' words to the catalog's symptoms: "water on the floor" is "Leaking".

The vocabulary is in `symptoms.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from ruleplay.agents.parts.domain.appliances import canonical_appliances, find_appliance, related
from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.negation import negated, set_aside, things_of, without_praise
from ruleplay.agents.parts.domain.phrases import Lexicon, Pattern, find_pattern, parse_pattern
from ruleplay.agents.parts.domain.tables import read_table
from ruleplay.agents.parts.domain.tokens import Mention, Word, read_words

LACKS = re.compile(r"\b(?:not?|won[’']t) (\w{0,4})", re.IGNORECASE)
"""How a symptom's name says that a machine does not do something, with the verb's beginning."""


class SymptomFound(Frozen):
    """A symptom of the catalog found in a message; the span quotes the customer's words.

    An `implied` symptom was not stated: it follows from a broken part that was ("torn gasket").
    """

    symptom: str
    start: int
    end: int
    text: str
    implied: bool = False


class Name(Frozen):
    """What the catalog calls a meaning on some appliances."""

    name: str
    appliances: tuple[str, ...]


class Meaning(Frozen):
    """One thing that can be wrong: how customers express it and what the catalog calls it."""

    id: str
    patterns: tuple[str, ...]
    implied: tuple[str, ...] = ()
    names: tuple[Name, ...]
    beats: tuple[str, ...] = ()


class _Symptoms(Frozen):
    """The schema of `symptoms.toml`."""

    concepts: dict[str, tuple[str, ...]]
    meaning: tuple[Meaning, ...]


class _Match(NamedTuple):
    """Where a pattern of a meaning matches, as word indexes."""

    meaning: Meaning
    first: int
    last: int
    implied: bool


@cache
def _table(language: str = "en") -> _Symptoms:
    return read_table("symptoms.toml", _Symptoms, language)


@cache
def _patterns(language: str) -> tuple[tuple[Meaning, Pattern, bool], ...]:
    meanings = _table(language).meaning
    said = [(m, parse_pattern(line), False) for m in meanings for line in m.patterns]
    return (*said, *((m, parse_pattern(line), True) for m in meanings for line in m.implied))


@cache
def _lexicon(language: str) -> Lexicon:
    patterns = (pattern for _, pattern, _ in _patterns(language))
    return Lexicon(_table(language).concepts, patterns)


def catalog_symptoms() -> tuple[str, ...]:
    """List the symptoms that the vocabulary covers, written as in the catalog."""
    return tuple(dict.fromkeys(n.name for m in _table().meaning for n in m.names))


@lru_cache(4096)
def fold_symptom(symptom: str) -> str:
    """Fold a symptom for comparison, so that "Won’t start" equals "Will Not Start"."""
    words = " ".join(word.text for word in read_words(symptom))
    return words.replace("will not", "wont").replace("does not", "doesnt")


def symptom_for(symptom: str, appliance: str) -> str | None:
    """Translate a symptom to its name on an appliance; `None` if it only occurs on others.

    This is for symptoms found before the appliance was known. Symptoms and appliances that the
    vocabulary lacks stay as they are.
    """
    kinds = canonical_appliances(appliance)
    wanted = fold_symptom(symptom)
    meanings = [m for m in _table().meaning if any(fold_symptom(n.name) == wanted for n in m.names)]
    if not kinds or not meanings:
        return symptom
    if any(
        fold_symptom(n.name) == wanted and _fits(n, kinds, exact=True)
        for m in meanings
        for n in m.names
    ):
        return symptom
    names = (_name(meaning, kinds) for meaning in meanings)
    return next((name.name for name in names if name), None)


def one_name(known: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Restrict each symptom to the kinds of appliance on which this is its name."""
    kept = {
        name: [one for one in kinds if symptom_for(name, one) == name]
        for name, kinds in known.items()
    }
    return {name: kinds for name, kinds in kept.items() if kinds}


def called(meaning: str, appliance: str) -> str | None:
    """Look up the catalog's name of a meaning on an appliance; `None` if it has none there."""
    kinds = canonical_appliances(appliance)
    known = [one for one in _table().meaning if one.id == meaning]
    names = (_name(one, kinds) or (None if kinds else one.names[0]) for one in known)
    return next((name.name for name in names if name), None)


def one_complaint(one: str, other: str) -> bool:
    """Whether two symptoms are names of one meaning on different appliances."""
    return one == other or other in other_names(one)


def other_names(symptom: str) -> tuple[str, ...]:
    """List the other names of a symptom's meaning."""
    every = ([name.name for name in meaning.names] for meaning in _table().meaning)
    names = dict.fromkeys(name for one in every if symptom in one for name in one)
    return tuple(name for name in names if name != symptom)


def of_one_thing(one: str, other: str) -> bool:
    """Whether two symptoms are failures of one device, such as not making and not releasing ice."""
    things = [things_of(name) for name in (one, other) if LACKS.search(name)]
    apart = len(things) == 2 and not one_complaint(one, other)
    return apart and not things[0].isdisjoint(things[1])


def find_symptoms(
    message: str,
    known: tuple[str, ...] | None = None,
    appliance: str = "",
    *,
    implied: bool = False,
    language: str = "en",
) -> tuple[SymptomFound, ...]:
    """Find the catalog's symptoms in a message, in order of appearance, each once.

    `known` restricts the result to these strings, written as there; those that the vocabulary lacks
    are found if the message has them literally. With an `appliance`, in the catalog's or a
    customer's words, symptoms of other appliances are left out. Symptoms that the customer denies
    ("no longer leaking") are never returned. With `implied`, a message that states no symptom may
    yield those that follow from a broken part it names; these are good for a question, but must not
    fill a slot.
    """
    words = read_words(without_praise(message))
    given = canonical_appliances(appliance)
    kinds = given or _named_in(message, language)
    found: dict[str, _Spot] = {}
    for match in _unbeaten(_matches(words, language)):
        name = _name(match.meaning, kinds) or (None if given else match.meaning.names[0])
        written = name and _as_written(name.name, known)
        if written and not set_aside(words, Mention(match.first, match.last)):
            spot = _Spot(match.first, match.last, match.implied)
            found[written] = min(found.get(written, spot), spot, key=_Spot.order)
    for symptom, mention in _literal(words, known):
        found.setdefault(symptom, _Spot(mention.first, mention.last, implied=False))
    # A stated symptom makes those that merely follow from a broken part superfluous.
    if any(not spot.implied for spot in found.values()) or not implied:
        found = {symptom: spot for symptom, spot in found.items() if not spot.implied}
    in_order = sorted(found.items(), key=lambda item: (item[1].first, item[1].last, item[0]))
    return tuple(_found(message, words, symptom, spot) for symptom, spot in in_order)


class _Spot(NamedTuple):
    first: int
    last: int
    implied: bool

    def order(self) -> tuple[bool, int, int]:
        """Prefer stated symptoms, then earlier and longer ones."""
        return self.implied, self.first, -self.last


def _found(message: str, words: tuple[Word, ...], symptom: str, spot: _Spot) -> SymptomFound:
    start, end = words[spot.first].start, words[spot.last].end
    text = message[start:end]
    return SymptomFound(symptom=symptom, start=start, end=end, text=text, implied=spot.implied)


def _named_in(message: str, language: str) -> tuple[str, ...]:
    """Read the appliance that the message names; a freezer may be part of a refrigerator."""
    found = find_appliance(message, language)
    if found is None:
        return ()
    return ("refrigerator",) if related(found.appliance, "refrigerator") else (found.appliance,)


def _matches(words: tuple[Word, ...], language: str) -> Iterator[_Match]:
    mentions = _lexicon(language).mentions(words)
    for meaning, pattern, implied in _patterns(language):
        for first, last in find_pattern(pattern, words, mentions):
            yield _Match(meaning, first, last, implied)


def _unbeaten(matches: Iterator[_Match]) -> list[_Match]:
    """Keep the best match of each meaning, and drop meanings that a more specific one beats."""
    best: dict[str, _Match] = {}
    for match in matches:
        held = best.setdefault(match.meaning.id, match)
        if (match.implied, match.first, -match.last) < (held.implied, held.first, -held.last):
            best[match.meaning.id] = match
    # Implied symptoms are too weak to beat one that was stated.
    beaten = {
        other for match in best.values() if not match.implied for other in match.meaning.beats
    }
    return [match for name, match in best.items() if name not in beaten]


def _fits(name: Name, kinds: tuple[str, ...], *, exact: bool) -> bool:
    if exact:
        return any(kind in name.appliances for kind in kinds)
    return any(related(kind, other) for kind in kinds for other in name.appliances)


def _name(meaning: Meaning, kinds: tuple[str, ...]) -> Name | None:
    """Choose a meaning's name on these appliances: an exact one, else that of a related one."""
    for exact in (True, False):
        for name in meaning.names:
            if _fits(name, kinds, exact=exact):
                return name
    return None


def _as_written(name: str, known: tuple[str, ...] | None) -> str | None:
    if known is None:
        return name
    return name if name in known else _folded(known).get(fold_symptom(name))


@lru_cache(maxsize=8)
def _folded(known: tuple[str, ...]) -> dict[str, str]:
    # Reversed, so that of several spellings the first one counts.
    return {fold_symptom(symptom): symptom for symptom in reversed(known)}


def _literal(
    words: tuple[Word, ...], known: tuple[str, ...] | None
) -> Iterator[tuple[str, Mention]]:
    """Find symptoms that the vocabulary lacks but the message has word for word."""
    for symptom, mentions in _strangers(known or ()).mentions(words).items():
        yield from ((symptom, m) for m in mentions if not negated(words, m))


@lru_cache(maxsize=8)
def _strangers(known: tuple[str, ...]) -> Lexicon:
    ours = {fold_symptom(name) for name in catalog_symptoms()}
    others = [symptom for symptom in known if symptom and fold_symptom(symptom) not in ours]
    forms = {symptom: (" ".join(w.text for w in read_words(symptom)),) for symptom in others}
    return Lexicon({symptom: form for symptom, form in forms.items() if form[0]}, ())
