"""Whose a number is: a claim that carries it must leave nobody out whom the sentence names.

A true number under a true name can still be a lie: somebody else's, from another deed, or told the
other way round. Where the sentence leaves a doubt, no claim carries the number.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleplay.foundation.prose import words
from ruleplay.foundation.prose.clauses import Clause, groups
from ruleplay.foundation.prose.evidence import Evidence
from ruleplay.foundation.prose.record import Record, Recorded
from ruleplay.foundation.prose.reference import Reference


@dataclass(slots=True)
class Ownership:
    """Decides it for one sentence; `named` is everybody it names, `counted` the claims told."""

    record: Record
    whom: Reference
    evidence: Evidence
    named: set[str] = field(default_factory=set)
    counted: list[Recorded] = field(default_factory=list)

    def of_number(
        self, at: int, clause: Clause, value: int, good: list[Recorded]
    ) -> list[Recorded]:
        """Return those of `good`, claims that carry a number, that plainly own it."""
        good = [claim for claim in good if self._closed(claim, clause)]
        if not all(self._belongs(claim, at, clause, value) for claim in good):
            return []
        if len(self.evidence.kinds_of(at, clause, clause.items[value])) != 1:
            good = [claim for claim in good if not self._counted_twice(claim)]
        self.counted.extend(good if len(good) == 1 else ())
        return good

    def _closed(self, claim: Recorded, clause: Clause) -> bool:
        """Whether the claim leaves nobody out whom the sentence names in a place of its own.

        "After A's hit for 18, B has 38 left" is no place for a hit of 18 on somebody else, and
        "the damage A took from Cleave" none for what A dealt. Whoever has a number of the same
        kind in another clause stands apart ("A deals 12 damage and B deals 5").
        """
        kinds = self.record.entity_kinds
        apart = {
            key
            for other in self.whom.clauses
            if other is not clause
            and claim.kind in (self.evidence.kinds_spoken_of(other) or {claim.kind})
            and any(item.sort == "quantity" or item.text == "none" for item in other.items)
            for place in other.names()
            for key in other.items[place].keys
        }
        beside = {kinds.get(key, "") for key in self.named - apart - {claim.subject, claim.object}}
        open_places = {claim.subject, claim.object} - self.named - {""}
        if any(kinds.get(key, "") in beside for key in open_places):
            return False
        here = {key for place in clause.names() for key in clause.items[place].keys}
        return bool(claim.object) or not any(
            other.object in here and other.dimension == claim.dimension
            for other in self._numbers_of(claim.subject)
        )

    def _belongs(self, claim: Recorded, at: int, clause: Clause, value: int) -> bool:
        """Whether a number is plainly the claim's subject's own.

        Where two dealt with each other, both must stand beside the number to tell who did what; a
        number that is nobody else's belongs to who was named last and is not only who caused it.
        """
        if claim.object:
            return not self._mutual(claim) or self._says_who(claim, clause)
        owners = self._owners(claim, at, clause, value)
        return not owners or any(claim.subject in keys for keys in owners)

    def _mutual(self, claim: Recorded) -> bool:
        """Whether the record has the same kind of claim the other way round."""
        return any(
            (other.kind, other.subject, other.object) == (claim.kind, claim.object, claim.subject)
            for other in self.record.by_entity.get(claim.subject, ())
        )

    def _says_who(self, claim: Recorded, clause: Clause) -> bool:
        """Whether grammar tells who did what to whom, also when one of the two stands apart."""
        both = {claim.subject, claim.object}
        places = clause.names()
        here = {key for place in places for key in clause.items[place].keys}
        told_apart = not places or clause.lead in words.RELATIVES or clause.lead == "that"
        if both <= here or not both <= self.named or told_apart:
            return True
        if any(item.sort == "pronoun" for item in clause.items):
            return True
        if clause.has(words.RECEIVES) or clause.has(words.GIVES):
            return True
        marks = words.AGENT | words.PATIENT
        return any(
            clause.before(place) in marks
            for place in places
            if both & set(clause.items[place].keys)
        )

    def _owners(
        self, claim: Recorded, at: int, clause: Clause, value: int
    ) -> list[tuple[str, ...]]:
        """Return the names a number may belong to: the last ones before it, else the next."""
        kinds = self.record.entity_kinds
        kind = kinds.get(claim.subject, "")

        def able(where: Clause) -> list[int]:
            return [
                place
                for place in where.names()
                if any(kinds.get(key, "") == kind for key in where.items[place].keys)
                and where.before(place) not in words.AGENT
            ]

        here = able(clause)
        before, after = [p for p in here if p < value], [p for p in here if p > value]
        if before:
            chosen, where = groups(clause, before)[-1], clause
        elif after:
            chosen, where = groups(clause, after)[0], clause
        else:
            where = next((c for c in reversed(self.whom.clauses[:at]) if able(c)), clause)
            chosen = groups(where, able(where))[-1] if able(where) else []
        return [where.items[place].keys for place in chosen]

    def _counted_twice(self, claim: Recorded) -> bool:
        """Whether a second number means a claim again that is not the only one it could mean."""
        return claim in self.counted and any(
            other.kind != claim.kind and other.dimension == claim.dimension
            for other in self._numbers_of(claim.subject)
        )

    def _numbers_of(self, subject: str) -> list[Recorded]:
        known = self.record.by_entity.get(subject, ())
        return [claim for claim in known if claim.subject == subject and claim.interval]
