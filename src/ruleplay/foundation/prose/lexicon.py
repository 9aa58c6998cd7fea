"""What an agent declares as checkable: entities, outcome words, measures, ids; phrase tables.

An agent fills a `Lexicon`; `Phrases` finds its words in a sentence, longest first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict

from ruleplay.foundation.prose.spelling import TOKEN, fold


class Entity(BaseModel):
    """A thing that facts speak of under `name`; `aliases` are other words for it ("the pump").

    `kind` tells apart what can stand where ("part", "model", "creature"). An alias may be shared:
    then it passes only when the record leaves one reading. `pronouns`: those that may mean it;
    empty for any.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    kind: str = ""
    aliases: tuple[str, ...] = ()
    pronouns: tuple[str, ...] = ()


class Outcome(BaseModel):
    """A phrase that claims `value` of `kind`; an empty value stands for whatever is recorded.

    `negated` is the value the phrase claims under a negation ("does not fit"); without one a
    negated phrase passes only as a claim "not <value>" of the record.
    """

    model_config = ConfigDict(frozen=True)

    phrase: str
    kind: str
    value: str = ""
    negated: str = ""


class Measure(BaseModel):
    """A kind whose value is a number: the unit words it is written with, and how it is rounded.

    `higher` and `lower` are comparing words ("costlier", "cheapest") for more and less of it.
    `round_to`: a stated number may be the recorded one rounded to this step; exact when None.
    `rounds`: it may also be rounded to two figures or more where the sentence says so ("about 510",
    "512k"). `counts`: it is how often something happened, so "twice" states it ("died twice").
    """

    model_config = ConfigDict(frozen=True)

    kind: str
    units: tuple[str, ...] = ()
    higher: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    round_to: Decimal | None = None
    rounds: bool = False
    counts: bool = False


class Lexicon(BaseModel):
    """Everything checkable for one agent. Numbers are always checkable; `labels` precede free ones.

    `id_patterns` are regular expressions of ids, so that a foreign one is seen although unknown;
    `words` are capitalised words that are no names. A clause that names several entities in words
    no claim is recognised by is refused; with `atmosphere` it passes when it holds no number,
    outcome, comparison or id (for storytellers).
    """

    model_config = ConfigDict(frozen=True)

    entities: tuple[Entity, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    measures: tuple[Measure, ...] = ()
    id_patterns: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    atmosphere: bool = False


class Unit(NamedTuple):
    """A unit word: its dimension, how many of the dimension's base it is, the kinds it stands for.

    No kinds: any kind of this dimension.
    """

    dimension: str
    factor: Fraction = Fraction(1)
    kinds: frozenset[str] = frozenset()


def _units(dimension: str, factor: Fraction, words: str) -> Iterator[tuple[str, Unit]]:
    return ((word, Unit(dimension, factor)) for word in words.split("|"))


def common_units() -> dict[str, Unit]:
    """Return units every agent shares: money, time, shares, counts; in English and French."""
    one = Fraction(1)
    rows = (
        ("usd", one, "$|usd|dollar|dollars|us dollars|us $|bucks"),
        ("usd", Fraction(1, 100), "cents|¢"),
        ("eur", one, "€|eur|euro|euros"),
        ("gbp", one, "£|gbp|pound|pounds sterling"),
        ("time", one, "s|sec|secs|second|seconds|seconde|secondes"),
        ("time", Fraction(60), "min|mins|minute|minutes"),
        ("time", Fraction(3600), "h|hr|hrs|hour|hours|heure|heures"),
        ("time", Fraction(86400), "day|days|jour|jours"),
        ("%", one, "%|percent|per cent|pour cent|pct|percentage points"),
        ("times", one, "times|time|fois|x"),
    )
    return {word: unit for row in rows for word, unit in _units(*row)}


T = TypeVar("T")


def words_of(text: str) -> tuple[str, ...]:
    """Cut a phrase the way sentences are cut: words, figures, single signs."""
    return tuple(found[0] for found in TOKEN.finditer(fold(text)))


class Phrases(Generic[T]):
    """Phrases of several words with what they mean, looked up at a place in a list of words."""

    def __init__(self, entries: Iterable[tuple[str, T]] = ()) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], list[T]]]] = {}
        for phrase, meaning in entries:
            self.add(phrase, meaning)

    def add(self, phrase: str, meaning: T) -> None:
        """Add a meaning of a phrase; phrases without words are ignored."""
        words = words_of(phrase)
        if not words:
            return
        rows = self._by_first.setdefault(words[0], [])
        for known, meanings in rows:
            if known == words:
                if meaning not in meanings:
                    meanings.append(meaning)
                return
        rows.append((words, [meaning]))
        rows.sort(key=lambda row: -len(row[0]))

    def find(self, words: list[str], at: int) -> tuple[int, list[T]] | None:
        """Return the longest phrase that starts at `words[at]`: its length and meanings."""
        for known, meanings in self._by_first.get(words[at], ()):
            size = len(known)
            if size == 1 or tuple(words[at : at + size]) == known:
                return size, meanings
        return None
