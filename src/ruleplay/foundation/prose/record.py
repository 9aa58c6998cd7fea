"""The facts of a turn, indexed for reading: which claims carry a value, and who is spoken of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from ruleplay.foundation.claims import Claim, Fact
from ruleplay.foundation.prose.lexicon import Lexicon, Outcome, Phrases, Unit, common_units
from ruleplay.foundation.prose.numbers import Interval
from ruleplay.foundation.prose.spelling import fold
from ruleplay.foundation.telling.sentences import Sentences

_LIST_MARK = re.compile(r"^\s*(?:[-*•>#]+|\d{1,3}[.)])\s+")
_ARTICLE = re.compile(r"^(?:the|an?|le|la|les|une?|l['’])\s*", re.IGNORECASE)
_PLAIN_WORD = re.compile(r"(?<![.!?] )(?<!^)\b[a-zà-ÿ]{3,}\b")


@dataclass(frozen=True, slots=True)
class Recorded:
    """A claim of the record, folded for comparison; `interval` when its value is a number."""

    fact: str
    kind: str
    subject: str
    object: str
    symbol: str
    interval: Interval | None = None
    dimension: str = ""
    bounded: str = ""


@dataclass(slots=True)
class Vocabulary:
    """A lexicon made ready: phrase tables, and the kinds that names and units stand for."""

    lexicon: Lexicon
    names: Phrases[str] = field(default_factory=Phrases)
    numbered: set[str] = field(default_factory=set)
    outcomes: Phrases[Outcome] = field(default_factory=Phrases)
    units: Phrases[Unit] = field(default_factory=Phrases)
    entity_kinds: dict[str, str] = field(default_factory=dict)
    pronouns: dict[str, tuple[str, ...]] = field(default_factory=dict)
    bases: dict[str, Unit] = field(default_factory=dict)
    rounding: dict[str, Decimal] = field(default_factory=dict)
    rounded: set[str] = field(default_factory=set)
    trends: Phrases[tuple[str, int]] = field(default_factory=Phrases)
    told_by_words: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()
    words: set[str] = field(default_factory=set)
    id_pattern: re.Pattern[str] | None = None

    @classmethod
    def of(cls, lexicon: Lexicon) -> Vocabulary:
        """Compile a lexicon; costs some milliseconds, done once."""
        made = cls(lexicon)
        made._add_entities()
        if lexicon.id_patterns:
            made.id_pattern = re.compile("|".join(lexicon.id_patterns), re.IGNORECASE)
        made.told_by_words = frozenset(outcome.kind for outcome in lexicon.outcomes)
        made.counted = frozenset(each.kind for each in lexicon.measures if each.counts)
        for outcome in lexicon.outcomes:
            made.outcomes.add(outcome.phrase, outcome)
            made.words.update(fold(outcome.phrase).split())
        made.words.update(fold(word) for word in lexicon.words)
        made._add_units()
        return made

    def _add_entities(self) -> None:
        for entity in self.lexicon.entities:
            key = fold(entity.name)
            self.entity_kinds[key] = entity.kind
            self.pronouns[key] = tuple(fold(word) for word in entity.pronouns)
            for name in (entity.name, *entity.aliases):
                alike, _, number = fold(name).rpartition(" ")
                if number.isdecimal():
                    self.numbered.add(alike)
                self.names.add(name, key)
                # French puts its articles together with prepositions: "du gobelin".
                self.names.add(_ARTICLE.sub("", name), key)

    def _add_units(self) -> None:
        common = common_units()
        kinds: dict[str, set[str]] = {}
        for measure in self.lexicon.measures:
            for word in measure.units:
                kinds.setdefault(fold(word), set()).add(measure.kind)
                self.bases.setdefault(measure.kind, common.get(fold(word), Unit("")))
            for sign, words in ((1, measure.higher), (-1, measure.lower)):
                for word in words:
                    self.trends.add(word, (measure.kind, sign))
            if measure.rounds:
                self.rounded.add(measure.kind)
            if measure.round_to is not None:
                self.rounding[measure.kind] = measure.round_to
        for word, unit in common.items():
            self.units.add(word, unit)
        self._add_kind_names(kinds, common)
        for word, owners in kinds.items():
            if word not in common:
                self.units.add(word, Unit("", Fraction(1), frozenset(owners)))
                self.words.update(word.split())

    def _add_kind_names(self, kinds: dict[str, set[str]], common: dict[str, Unit]) -> None:
        """Take a kind's own name as evidence of it, unless it already means something else."""
        for measure in self.lexicon.measures:
            for word in _name_forms(measure.kind):
                if word not in common and not self.outcomes.find([*word.split(), ""], 0):
                    kinds.setdefault(word, set()).add(measure.kind)


def _name_forms(kind: str) -> tuple[str, ...]:
    """Return a kind's name as words, singular and plural: it is evidence of the kind."""
    name = fold(kind.replace("_", " "))
    return (name, name[:-1]) if name.endswith("s") else (name, f"{name}s")


@dataclass(slots=True)
class Record:
    """The facts of one reply, ready to be asked; built once per facts."""

    facts: tuple[Fact, ...]
    claims: list[Recorded] = field(default_factory=list)
    numeric: list[Recorded] = field(default_factory=list)
    by_kind: dict[str, list[Recorded]] = field(default_factory=dict)
    names: Phrases[str] = field(default_factory=Phrases)
    outcomes: Phrases[Outcome] = field(default_factory=Phrases)
    entity_kinds: dict[str, str] = field(default_factory=dict)
    by_entity: dict[str, list[Recorded]] = field(default_factory=dict)
    by_fact: dict[str, list[Recorded]] = field(default_factory=dict)
    numbered: set[str] = field(default_factory=set)
    dimensions: dict[str, set[str]] = field(default_factory=dict)
    value_kinds: dict[str, set[str]] = field(default_factory=dict)
    acting_kinds: set[str] = field(default_factory=set)
    valued: dict[str, list[Recorded]] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    says: dict[str, list[str]] = field(default_factory=dict)

    def add(self, fact: Fact, claim: Claim, read: tuple[Interval, str, str] | None) -> None:
        """Index one claim; `read` is its value as a number, if it is one."""
        interval, dimension, bounded = read or (None, "", "")
        made = Recorded(
            fact.id,
            claim.kind,
            fold(claim.subject),
            fold(claim.object),
            fold(claim.value),
            interval,
            dimension,
            bounded,
        )
        self.claims.append(made)
        if made.interval:
            self.numeric.append(made)
            self.numbered.add(made.kind)
            self.dimensions.setdefault(made.dimension, set()).add(made.kind)
        self.by_kind.setdefault(made.kind, []).append(made)
        self.by_fact.setdefault(fact.id, []).append(made)
        for key in (made.subject, made.object):
            if key:
                self.by_entity.setdefault(key, []).append(made)

    def settle(self, vocabulary: Vocabulary) -> None:
        """Name what the facts name and the lexicon does not; learn their words."""
        self.entity_kinds.update(vocabulary.entity_kinds)
        for key in self.by_entity:
            if key not in self.entity_kinds:
                self.names.add(key, key)
                self.entity_kinds[key] = ""
        for claim in self.claims:
            self.acting_kinds.add(self.entity_kinds.get(claim.subject, ""))
            if claim.symbol in self.entity_kinds:
                self.valued.setdefault(claim.symbol, []).append(claim)
                kinds = self.value_kinds.setdefault(claim.kind, set())
                kinds.add(self.entity_kinds[claim.symbol])
            elif claim.interval is None and len(claim.symbol) > 2:
                self.outcomes.add(
                    claim.symbol, Outcome(phrase="-", kind=claim.kind, value=claim.symbol)
                )
        for kind in self.by_kind:
            self.words.update(kind.split("_"))
        for fact in self.facts:
            self.words.update(_PLAIN_WORD.findall(fact.says))
            self._learn_says(fact)

    def _learn_says(self, fact: Fact) -> None:
        """Learn a fact's words, whole and by the units a reply is cut into."""
        units = Sentences()
        for said in (fact.says, *units.feed(fact.says), *units.close()):
            folded = " ".join(fold(_LIST_MARK.sub("", said)).split()).lstrip("✓ ").rstrip(" .!")
            facts = self.says.setdefault(folded, [])
            if folded and fact.id not in facts:
                facts.append(fact.id)


def rounds_to(stated: Interval, recorded: Interval, step: Decimal) -> bool:
    """Whether `stated` is `recorded` rounded to a multiple of `step` (halves either way)."""
    half = Fraction(step) / 2
    multiple = (stated.low / Fraction(step)).denominator == 1
    close = abs(stated.low - recorded.low) <= half and abs(stated.high - recorded.high) <= half
    return stated.low == stated.high and multiple and close


def rounds_figures(stated: Interval, recorded: Interval) -> bool:
    """Whether `stated` is an exact `recorded` rounded to the two or more figures it is told in."""
    if stated.low != stated.high or recorded.low != recorded.high or not stated.low:
        return False
    step = Fraction(1, 1000)
    while (stated.low / (10 * step)).denominator == 1:
        step *= 10
    figures = abs(stated.low) / step >= 10
    return figures and abs(stated.low - recorded.low) <= step / 2


def same_facts(known: Sequence[Fact], given: Sequence[Fact]) -> bool:
    """Whether two fact sequences hold the very same facts."""
    return len(known) == len(given) and all(a is b for a, b in zip(known, given, strict=True))
