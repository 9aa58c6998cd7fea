"""The claim reader: whether one fact carries the subject, value and object of each clause.

`checker(lexicon)` makes the `Check` an agent's gate uses. A sentence is normalised, its mentions
found, cut into clauses, and every number, outcome word and name in a clause must be carried by a
claim of the record about that very subject and object. What cannot be decided is a problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from ruleplay.foundation.claims import Check, Fact, Reading
from ruleplay.foundation.prose import words
from ruleplay.foundation.prose.clauses import VALUES, Clause, cut
from ruleplay.foundation.prose.comparisons import Comparison, compare, find_comparison
from ruleplay.foundation.prose.lexicon import Lexicon
from ruleplay.foundation.prose.matching import carries_number, carries_outcome, in_base, read_value
from ruleplay.foundation.prose.mentions import Mention, scan
from ruleplay.foundation.prose.record import Record, Recorded, Vocabulary, same_facts
from ruleplay.foundation.prose.reference import Reference
from ruleplay.foundation.prose.spelling import normalise

_CACHED = 8
_FALLBACK = 2
_RESPECTIVELY = frozenset(("respectively", "respectivement"))
_LISTED = frozenset(("neither", "nor", "ni", "none", "aucun"))
_ENDINGS = frozenset('.!?,;:)"»')


def checker(lexicon: Lexicon) -> Check:
    """Compile a lexicon into a check; the check indexes each facts sequence once."""
    vocabulary = Vocabulary.of(lexicon)
    cache: list[Record] = []

    def check(sentence: str, facts: Sequence[Fact]) -> Reading:
        record = next((known for known in cache if same_facts(known.facts, facts)), None)
        if record is None:
            record = _index(vocabulary, facts)
            cache.insert(0, record)
            del cache[_CACHED:]
        return Reader(vocabulary, record).read(sentence)

    return check


def _index(vocabulary: Vocabulary, facts: Sequence[Fact]) -> Record:
    record = Record(tuple(facts))
    for fact in facts:
        for claim in fact.claims:
            read = read_value(claim.value, vocabulary, record)
            record.add(fact, claim, in_base(read, claim.kind, vocabulary) if read else None)
    record.settle(vocabulary)
    return record


class Reader:
    """Reads one sentence against one record."""

    def __init__(self, vocabulary: Vocabulary, record: Record) -> None:
        self._vocabulary = vocabulary
        self._record = record
        self._problems: list[str] = []
        self._tells: dict[str, None] = {}
        self._about: dict[str, None] = {}
        self._whom = Reference(vocabulary, record)
        self._question = False
        self._doubt = False

    def read(self, sentence: str) -> Reading:
        """Return what the sentence tells, what is wrong with it, and the facts it is about."""
        text = self._without_says(normalise(sentence))
        mentions = scan(text, self._vocabulary, self._record)
        self._question = text.rstrip(' "').endswith("?")
        for item in mentions:
            if item.sort == "foreign" and not item.starts:
                self._problems.append(f"unknown name or id {item.text!r}")
        if any(item.sort in VALUES or item.sort == "name" for item in mentions):
            self._read_clauses(mentions)
        self._note_about(mentions)
        told = () if self._problems else tuple(self._tells)
        return Reading(tells=told, problems=tuple(self._problems), about=tuple(self._about))

    def _without_says(self, text: str) -> str:
        """Take out template sentences of the record: those are supported as they stand."""
        folded = " ".join(text.casefold().split())
        for said, fact, subject in self._record.says:
            at = folded.find(said)
            if at < 0:
                continue
            before, after = folded[:at], folded[at + len(said) :]
            # What negates it, supposes it or says it of others too is read as a sentence.
            rest = set(f"{before} {after}".replace(",", " ").split())
            left = rest & (words.NEGATORS | words.CONDITIONS | words.ALSO | words.EXCEPT)
            if left or before[-1:].isalnum() or (after and after[0] not in _ENDINGS):
                continue
            if after[1:2].isdigit() or "?" in after:
                continue
            self._tells[fact] = None
            self._whom.topic = (subject,) if subject else self._whom.topic
            spaced = " ".join(text.split())
            if len(spaced) != len(folded):
                return text
            text = f"{spaced[:at]} {spaced[at + len(said) :]}"
            folded = text.casefold()
        return text

    def _read_clauses(self, mentions: list[Mention]) -> None:
        self._whom.clauses = cut(mentions)
        if self._respective():
            return
        negated_lead = False
        for at, clause in enumerate(self._whom.clauses):
            negated = self._negations(clause, negated_lead)
            self._read_clause(at, clause, negated)
            opens = at + 1 < len(self._whom.clauses) and self._whom.clauses[at + 1].lead in (
                "that",
                "que",
            )
            negated_lead = bool(negated) and opens and not clause.values()

    def _negations(self, clause: Clause, lead: bool) -> dict[int, bool]:
        """Mark the values under a negation; return the places where one is active."""
        active, skip = lead, 0
        marked: dict[int, bool] = {-1: True} if lead else {}
        texts = [item.text for item in clause.items]
        ne = False
        for at, item in enumerate(clause.items):
            skip -= 1
            if words.NOT_NEGATING.find(texts, at):
                skip = 3
            if item.text == "ne":
                ne = True
            answer = item.text in ("no", "non") and texts[at + 1 : at + 2] in ([","], ["."], [])
            paired = item.text in ("nor", "ni") and any(marked.values())
            if answer or paired:
                continue
            negator = item.text in words.NEGATORS or (ne and item.text in ("plus", "guère"))
            if item.sort in ("word", "break") and negator and skip <= 0:
                active = not active
                marked[at] = active
            if item.sort in VALUES:
                item.negated = active
                far = active and "," in texts[max(marked) if marked else 0 : at]
                loose = far and not clause.has(_LISTED)
                if loose or (at and texts[at - 1] in words.NEARLY):
                    item.outcome = ()
        return marked if active else {}

    def _read_clause(self, at: int, clause: Clause, negated: dict[int, bool]) -> None:
        comparison = find_comparison(clause, self._vocabulary, self._record)
        if comparison is not None:
            self._compare(at, comparison, clause)
            self._whom.remember(clause)
            return
        values = clause.values()
        if not values:
            self._without_values(at, clause, bool(negated))
            return
        self._refuse_strangers(clause)
        good: list[Recorded] = []
        for value in values:
            found = self._support(at, clause, value)
            if found is None:
                return
            good.extend(found)
        self._cover(clause, good)
        for claim in good:
            self._tells[claim.fact] = None
        self._whom.remember(clause)

    def _refuse_strangers(self, clause: Clause) -> None:
        """Refuse a claim that starts with an unknown word that seems to be somebody."""
        named = bool(clause.names())
        for item in clause.items:
            if item.sort == "foreign" and item.starts and (item.acts or not named):
                self._problems.append(f"unknown name {item.text!r}")

    def _repeats(self, at: int, clause: Clause, negated: bool) -> bool:
        """Read "… but B does not" and "as did B": the last clause's outcomes, said of B."""
        if not at or not clause.names() or not clause.has(words.ALSO):
            return False
        before = self._whom.clauses[at - 1]
        values = [replace(before.items[place], negated=negated) for place in before.values()]
        kept = [item for item in clause.items if item.sort == "name"]
        self._whom.clauses[at] = Clause(clause.lead, [*kept, *values])
        self._read_clause(at, self._whom.clauses[at], {})
        return True

    def _without_values(self, at: int, clause: Clause, negated: bool) -> None:
        """Let a clause without values pass, unless it repeats a claim or links names."""
        if at and self._whom.clauses[at - 1].values() and self._repeats(at, clause, negated):
            return
        names = clause.names()
        following = self._whom.clauses[at + 1 : at + 2]
        if not names and following and following[0].values() and not following[0].names():
            # "Gorak: 7 damage" speaks of somebody unknown.
            strangers = [item.text for item in clause.items if item.sort == "foreign"]
            if strangers and len(clause.items) <= len(strangers) + 1:
                self._problems.append(f"unknown name {strangers[0]!r}")
        valued = [place for place in names if clause.items[place].keys[0] in self._record.valued]
        others = [place for place in names if place not in valued]
        if valued and others:
            self._linked(clause, valued, others)
        if not valued:
            self._refuse_unlinked(clause, names)
        self._whom.remember(clause)

    def _refuse_unlinked(self, clause: Clause, names: list[int]) -> None:
        """Refuse to bring names together of two kinds that the record links, but not these."""
        kinds = self._record.entity_kinds
        keys = [clause.items[place].keys[0] for place in names]
        for left, right in combinations(keys, 2):
            pair = {kinds.get(left, ""), kinds.get(right, "")}
            could = len(pair) == 2 and pair in self._record.linked_kinds
            if could and not self._is_linked({right}, {left}):
                self._problems.append(f"{left!r} and {right!r} are not linked in the record")

    def _linked(self, clause: Clause, valued: list[int], others: list[int]) -> None:
        """Names that are values of claims ("Aria wields the axe") must belong to their subject."""
        subjects = {key for place in others for key in clause.items[place].keys}
        for place in valued:
            claims = self._record.valued[clause.items[place].keys[0]]
            found = [claim for claim in claims if {claim.subject, claim.object} & subjects]
            if not found:
                self._problems.append(f"{clause.items[place].text!r} does not belong there")
            for claim in found:
                self._tells[claim.fact] = None

    def _compare(self, at: int, comparison: Comparison, clause: Clause) -> None:
        subject = self._keys(clause, comparison.subjects) or list(self._whom.topic)
        if not comparison.kinds and at:
            # "Mira did 9 damage, twice as much as Tov" compares what was just told.
            said = self._whom.clauses[at - 1].items
            kinds = {kind for item in said for kind in item.kinds}
            comparison = replace(comparison, kinds=tuple(sorted(kinds)))
        told = compare(comparison, subject, self._record)
        if told is None:
            self._problems.append(f"comparison not in the record: {comparison.text!r}")
            return
        for fact in told:
            self._tells[fact] = None
        if comparison.superlative:
            for value in clause.values():
                if clause.items[value].sort == "quantity":
                    good = self._support(at, clause, value)
                    self._tells.update(dict.fromkeys(claim.fact for claim in good or ()))

    def _keys(self, clause: Clause, places: Iterable[int]) -> list[str]:
        return [clause.items[place].keys[0] for place in places]

    def _candidates(self, clause: Clause, item: Mention) -> list[Recorded]:
        """Return the claims that carry a value, whoever they are about."""
        if item.sort == "outcome":
            return [
                claim
                for outcome in item.outcome
                for claim in self._record.by_kind.get(outcome.kind, ())
                if carries_outcome(claim, outcome, item.negated)
            ]
        if item.negated:
            return []
        found = [
            claim for claim in self._record.numeric if carries_number(claim, item, self._vocabulary)
        ]
        return self._of_cued_kind(clause, item, found)

    def _of_cued_kind(self, clause: Clause, item: Mention, found: list[Recorded]) -> list[Recorded]:
        """Narrow a bare number to the kinds the clause speaks of."""
        if item.kinds or item.dimension or not found:
            return found
        cued = {kind for other in clause.items if other.sort == "cue" for kind in other.kinds}
        cued |= {
            outcome.kind
            for other in clause.items
            for outcome in other.outcome
            if any(claim.interval for claim in self._record.by_kind.get(outcome.kind, ()))
        }
        return [claim for claim in found if claim.kind in cued] if cued else found

    def _support(self, at: int, clause: Clause, value: int) -> list[Recorded] | None:
        """Return the claims that carry the value about who the clause is about; None: a problem."""
        item = clause.items[value]
        if item.sort == "outcome" and self._free_outcome(clause):
            return []
        found = self._candidates(clause, item)
        good = self._whom.about_whom(at, clause, value, found) if found else []
        if not good:
            self._problems.append(f"not in the record: {item.text!r}")
            self._note_meant(clause, item, found)
            return None
        return good

    def _note_meant(self, clause: Clause, item: Mention, found: list[Recorded]) -> None:
        """Note what the record says of this kind about those named, else who has that value."""
        kinds = {claim.kind for claim in found} | item.kinds
        kinds |= {outcome.kind for outcome in item.outcome}
        if item.dimension:
            numeric = self._record.numeric
            kinds |= {claim.kind for claim in numeric if claim.dimension == item.dimension}
        named = {key for place in clause.names() for key in clause.items[place].keys}
        named = named or set(self._whom.topic)
        about = [
            claim
            for kind in sorted(kinds)
            for claim in self._record.by_kind.get(kind, ())
            if claim.subject in named
        ]
        for claim in about or found:
            self._about.setdefault(claim.fact)

    def _free_outcome(self, clause: Clause) -> bool:
        """Whether a question or condition names nobody, so asserts nothing ("Is it leaking?")."""
        asked = self._question or clause.lead in words.CONDITIONS
        asked = asked or clause.has(words.CONDITIONS)
        return asked and not any(other.names() for other in self._whom.clauses)

    def _cover(self, clause: Clause, good: list[Recorded]) -> None:
        """Every name in the clause must take part in what is told, or be linked to it."""
        if not good:
            return
        told: set[str] = set()
        for claim in good:
            for other in self._record.by_fact[claim.fact]:
                told |= {other.subject, other.object, other.symbol}
        heads = {key for claim in good for key in (claim.subject, claim.object) if key}
        kinds = self._record.entity_kinds
        told_kinds = {kinds[key] for key in told if key in kinds}
        for place in clause.names():
            keys = set(clause.items[place].keys)
            if keys & told:
                continue
            same = {kinds.get(key, "") for key in keys} & told_kinds
            if same or not self._is_linked(keys, heads):
                self._problems.append(f"{clause.items[place].text!r} takes no part in this")

    def _is_linked(self, keys: set[str], heads: set[str]) -> bool:
        linked = (
            {claim.subject, claim.object, claim.symbol}
            for key in heads
            for claim in self._record.by_entity.get(key, ())
        )
        return any(keys & ends for ends in linked)

    def _respective(self) -> bool:
        """Read "A and B cost 5 and 7 respectively": pairs in order."""
        items = [item for clause in self._whom.clauses for item in clause.items]
        if not any(item.text in _RESPECTIVELY for item in items):
            return False
        names = [item for item in items if item.sort == "name"]
        values = [item for item in items if item.sort == "quantity"]
        kinds = frozenset(kind for item in items for kind in item.kinds)
        dimension = next((item.dimension for item in values if item.dimension), "")
        if len(names) != len(values):
            self._problems.append("an unequal list with 'respectively'")
            return True
        for name, value in zip(names, values, strict=True):
            value.kinds, value.dimension = value.kinds or kinds, value.dimension or dimension
            found = [
                claim
                for claim in self._candidates(Clause(), value)
                if claim.subject in name.keys and not claim.object
            ]
            if not found:
                self._problems.append(f"not in the record: {name.text!r} {value.text!r}")
            for claim in found:
                self._tells[claim.fact] = None
        return True

    def _note_about(self, mentions: list[Mention]) -> None:
        """Note the facts whose subjects a refused sentence names, and what it told rightly."""
        if not self._problems:
            return
        self._about.update(self._tells)
        if self._about:
            return
        for item in mentions:
            for key in item.keys:
                for claim in self._record.by_entity.get(key, ())[:_FALLBACK]:
                    self._about.setdefault(claim.fact)
