"""What a stated value may be of: the kinds its unit and the words around it are evidence of.

A number is bound to a claim only when its kind is told (by a unit, a cue word, an outcome phrase),
or when those it is said of have just one number it could be. Several possible: none.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleplay.foundation.prose import words
from ruleplay.foundation.prose.clauses import Clause
from ruleplay.foundation.prose.lexicon import Outcome
from ruleplay.foundation.prose.matching import carries_number, carries_outcome, could_mean
from ruleplay.foundation.prose.mentions import Mention
from ruleplay.foundation.prose.record import Record, Recorded, Vocabulary


@dataclass(slots=True)
class Evidence:
    """Finds the claims a value can be, in one sentence's clauses."""

    vocabulary: Vocabulary
    record: Record
    clauses: list[Clause] = field(default_factory=list)

    def candidates(self, at: int, clause: Clause, item: Mention) -> list[Recorded]:
        """Return the claims that carry a value, whoever they are about."""
        if item.sort == "outcome":
            return [
                claim
                for outcome in item.outcome
                for claim in self.record.by_kind.get(outcome.kind, ())
                if carries_outcome(claim, outcome, item.negated, clause.counts())
                and self._names_value(clause, outcome, claim)
            ]
        if item.negated or item.counts:
            return []
        kinds = self.kinds_of(at, clause, item)
        if item.dimension == "times":
            # "died twice" counts deaths; "hits twice" is no damage.
            kinds &= self.vocabulary.counted
            if not kinds:
                return []
        return [
            claim
            for claim in self.record.numeric
            if (not kinds or claim.kind in kinds)
            and carries_number(claim, item, self.vocabulary)
            and not (not claim.dimension and clause.has(words.CHANGES) and not claim.object)
        ]

    def _names_value(self, clause: Clause, outcome: Outcome, claim: Recorded) -> bool:
        """Whether "fixes" is said of the very value the clause names ("made by Acme")."""
        if outcome.value:
            return True
        kinds = self.record.value_kinds.get(outcome.kind)
        if not kinds:
            return True
        known = self.record.entity_kinds
        at = self.clauses.index(clause) if clause in self.clauses else 0
        wanted: list[tuple[str, ...]] = []
        for spoken in (clause, *reversed(self.clauses[:at])):
            named = [spoken.items[place].keys for place in spoken.names()]
            wanted = [keys for keys in named if {known.get(key, "") for key in keys} & kinds]
            if wanted:
                break
        return not wanted or any(claim.symbol in keys for keys in wanted)

    def kinds_of(self, at: int, clause: Clause, item: Mention) -> set[str]:
        """Return the kinds a number may be of, by its unit and the words around; empty: any."""
        cued = self._kinds_spoken_of_beside(clause, item)
        if item.kinds:
            leading = self._leading_cues(clause, item)
            return (set(item.kinds) & cued) or leading or set(item.kinds)
        if item.dimension and item.dimension != "times":
            return self._of_dimension(item.dimension, cued)
        if cued or not at:
            return cued
        for earlier in reversed(self.clauses[:at]):
            found = self.kinds_spoken_of(earlier)
            for other in earlier.items:
                if other.sort == "quantity" and other.dimension and not found:
                    found = set(self.record.dimensions.get(other.dimension, ()))
            if found:
                return found
        return set()

    def _leading_cues(self, clause: Clause, item: Mention) -> set[str]:
        """Return the kinds cued right before a number: "a maximum of 42 HP" tells of no HP left."""
        found: set[str] = set()
        for other in clause.items:
            if other is item:
                break
            if other.sort == "quantity":
                found = set()
            elif other.sort == "cue":
                found = set(other.kinds) & self.record.numbered
        return found

    def _of_dimension(self, dimension: str, cued: set[str]) -> set[str]:
        """Return the kinds measured in a common unit that the words leave possible."""
        possible = self.record.dimensions.get("%" if dimension == "share" else dimension, set())
        told = cued & possible
        by_words = possible & self.vocabulary.told_by_words
        if told or not by_words:
            return told
        # Such a kind is told by its own words ("died at 1:15"), somewhere in the sentence.
        spoken = {kind for other in self.clauses for kind in self.kinds_spoken_of(other)}
        return (spoken & possible) or (possible - by_words) or {"nothing"}

    def _kinds_spoken_of_beside(self, clause: Clause, item: Mention) -> set[str]:
        """Return the kinds cued in a clause by words other than the units of its other numbers."""
        rest = [other for other in clause.items if other.sort != "quantity"]
        found = self.kinds_spoken_of(Clause(clause.lead, rest))
        if found or item.dimension:
            return found
        return self.kinds_spoken_of(clause)

    def of_one_kind(
        self, at: int, clause: Clause, item: Mention, good: list[Recorded]
    ) -> list[Recorded]:
        """Keep the claims of the one kind a number can be of; none when nothing tells which."""
        kinds = self.kinds_of(at, clause, item)
        if item.sort != "quantity" or len(kinds) == 1 or not good:
            return good
        named = {key for place in clause.names() for key in clause.items[place].keys}
        paired = all(claim.object and {claim.subject, claim.object} <= named for claim in good)
        possible = [
            claim
            for told in good
            for claim in self.record.by_entity.get(told.subject, ())
            if claim.interval
            and claim.subject == told.subject
            and (not paired or claim.object == told.object)
            and (not kinds or claim.kind in kinds)
            and could_mean(claim, item, self.vocabulary)
        ]
        if len({claim.kind for claim in possible}) > 1 and not paired:
            # Who is named alone has rather than does: "9 hit points" are not those healed.
            possible = [claim for claim in possible if not claim.object]
        left = {claim.kind for claim in possible}
        return [claim for claim in good if claim.kind in left] if len(left) == 1 else []

    def kinds_spoken_of(self, clause: Clause) -> set[str]:
        """Return the kinds with numbers that a clause's words are evidence of."""
        numbered = self.record.numbered
        kinds = {kind for item in clause.items for kind in item.kinds}
        kinds |= {one.kind for item in clause.items for one in item.outcome}
        return kinds & numbered

    def respective(self, items: list[Mention]) -> tuple[list[Recorded], list[str]]:
        """Pair the names and numbers of "A and B cost 5 and 7 respectively", in order.

        Returns the claims told and the problems found.
        """
        names = [item for item in items if item.sort == "name"]
        values = [item for item in items if item.sort == "quantity"]
        kinds = frozenset(kind for item in items for kind in item.kinds)
        kinds |= {one.kind for item in items for one in item.outcome}
        dimension = next((item.dimension for item in values if item.dimension), "")
        negated = any(item.text in words.NEGATORS for item in items)
        if negated or kinds - self.record.numbered or not (kinds or dimension):
            return [], ["more than a list with 'respectively'"]
        if len(names) != len(values):
            return [], ["an unequal list with 'respectively'"]
        claims: list[Recorded] = []
        problems: list[str] = []
        for name, value in zip(names, values, strict=True):
            value.kinds, value.dimension = value.kinds or kinds, value.dimension or dimension
            found = [
                claim
                for claim in self.candidates(0, Clause("", [value]), value)
                if claim.subject in name.keys and not claim.object
            ]
            claims += found
            if not found:
                problems.append(f"not in the record: {name.text!r} {value.text!r}")
        return claims, problems
