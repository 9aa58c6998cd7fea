"""The claim reader: whether one fact carries the subject, value and object of each clause.

`checker(lexicon)` makes the `Check` an agent's gate uses. A sentence is normalised, its mentions
found, cut into clauses, and every number, outcome word and name in a clause must be carried by a
claim of the record about that very subject and object. What cannot be decided is a problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ruleplay.foundation.claims import Check, Fact, Reading
from ruleplay.foundation.prose import words
from ruleplay.foundation.prose.clauses import VALUES, Clause, cut, groups
from ruleplay.foundation.prose.comparisons import Comparison, compare, find_comparison, order_of
from ruleplay.foundation.prose.evidence import Evidence
from ruleplay.foundation.prose.lexicon import Lexicon
from ruleplay.foundation.prose.linking import (
    count_lists,
    equated,
    identify,
    only_lists,
    owned,
    pair_with_most,
    strangers,
    unlinked,
)
from ruleplay.foundation.prose.matching import in_base, read_value
from ruleplay.foundation.prose.mentions import Mention, scan
from ruleplay.foundation.prose.openings import is_denied, told_verbatim, without_opener
from ruleplay.foundation.prose.ownership import Ownership
from ruleplay.foundation.prose.record import Record, Recorded, Vocabulary, same_facts
from ruleplay.foundation.prose.reference import Reference
from ruleplay.foundation.prose.spelling import normalise
from ruleplay.foundation.prose.wording import negations, turned

_CACHED = 8
_FALLBACK = 2
_RESPECTIVELY = frozenset(("respectively", "respectivement"))


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
        self._evidence = Evidence(vocabulary, record)
        self._question = False
        self._loose: list[Mention] = []
        self._heads: set[str] = set()
        self._ownership = Ownership(record, self._whom, self._evidence)

    def read(self, sentence: str) -> Reading:
        """Return what the sentence tells, what is wrong with it, and the facts it is about."""
        text = normalise(sentence)
        told = told_verbatim(text, self._record)
        if told is not None:
            return told
        mentions = scan(without_opener(text), self._vocabulary, self._record)
        self._question = text.rstrip(' "').endswith("?")
        for item in mentions:
            if item.sort == "foreign" and not item.starts:
                self._problems.append(f"unknown name or id {item.text!r}")
        if any(item.sort in VALUES or item.sort == "name" for item in mentions):
            self._read_mentions(mentions)
        self._note_about(mentions)
        cited = () if self._problems else tuple(self._tells)
        return Reading(tells=cited, problems=tuple(self._problems), about=tuple(self._about))

    def _read_mentions(self, mentions: list[Mention]) -> None:
        """Read who is who, what is a share of what, then clause by clause."""
        mentions, strange = identify(mentions, self._record)
        self._problems.extend(f"{text!r} is not the name of that" for text in strange)
        if not pair_with_most(mentions, self._record):
            self._problems.append("a part of a whole the record does not have")
        if any(item.sort in VALUES for item in mentions) and is_denied(mentions):
            self._problems.append("what is denied or doubted cannot be told")
        count_lists(mentions)
        named = (item.keys for item in mentions if item.sort == "name")
        self._ownership.named = {key for keys in named for key in keys}
        self._read_clauses(mentions)

    def _read_clauses(self, mentions: list[Mention]) -> None:
        self._whom.clauses = self._evidence.clauses = cut(mentions)
        if self._respective():
            return
        denied = False
        for at, clause in enumerate(self._whom.clauses):
            negated = negations(clause, denied)
            self._read_clause(at, clause, negated)
            denied = denied or self._denies_the_rest(at, clause, negated)
        self._refuse_loose()

    def _refuse_loose(self) -> None:
        """Refuse names beside a claim that have no part in it ("A died because of B")."""
        if not self._heads or self._vocabulary.lexicon.atmosphere:
            return
        for item in self._loose:
            if not set(item.keys) & self._heads:
                self._problems.append(f"nothing tells what {item.text!r} has to do with it")

    def _denies_the_rest(self, at: int, clause: Clause, negated: dict[int, bool]) -> bool:
        """Whether the clause denies all that follows ("it is not true that …").

        "Not (A and B)" can't be decided: it is a problem unless one outcome is all that follows.
        """
        rest = self._whom.clauses[at + 1 :]
        if clause.values() or not rest or rest[0].lead not in ("that", "que"):
            return False
        if clause.has(words.DOUBTING):
            self._problems.append("what is doubted cannot be told")
        if not negated:
            return False
        values = [other.items[place] for other in rest for place in other.values()]
        if len(values) > 1 or (not values and any(other.names() for other in rest)):
            self._problems.append("what is denied can't be told apart")
        return True

    def _read_clause(self, at: int, clause: Clause, negated: dict[int, bool]) -> None:
        self._ordered(at, clause)
        comparison = find_comparison(clause, self._vocabulary, self._record)
        if comparison is not None:
            self._compare(at, comparison, clause)
            self._whom.remember(clause)
            return
        clause.drop_contents()
        clause.drop_attributes()
        values = clause.values()
        self._problems.extend(turned(clause, values))
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
        self._contrast(at, clause, good)
        self._cite(good)
        self._whom.remember(clause)

    def _refuse_strangers(self, clause: Clause) -> None:
        """Refuse a claim that starts with an unknown word: it may be somebody."""
        for item in clause.items:
            if item.sort == "foreign" and item.starts:
                self._problems.append(f"unknown name {item.text!r}")

    def _repeats(self, at: int, clause: Clause, negated: bool) -> bool:
        """Read "… but B does not" and "as did B": the last clause's outcomes, said of B."""
        if not at or not clause.names() or not self._whom.clauses[at - 1].values():
            return False
        said = [item.text for item in clause.items if item.sort != "name" and item.text != "."]
        ends = bool(said) and clause.items[-1 - (clause.items[-1].text == ".")].text
        elliptic = ends in words.AUXILIARIES | words.TRAILING or clause.has(words.LIKEWISE)
        if not elliptic and not (
            set(said) <= words.ELLIPSIS and set(said) & (words.AUXILIARIES | words.TRAILING)
        ):
            return False
        if not all(text in words.ELLIPSIS or text.endswith("ly") for text in said):
            self._problems.append("a repetition that can't be read")
            return True
        before = self._whom.clauses[at - 1]
        values = [replace(before.items[place], negated=negated) for place in before.values()]
        kept = [item for item in clause.items if item.sort == "name"]
        self._whom.clauses[at] = Clause(clause.lead, [*kept, *values])
        self._read_clause(at, self._whom.clauses[at], {})
        return True

    def _without_values(self, at: int, clause: Clause, negated: bool) -> None:
        """Let a clause without values pass when it names one thing, or only lists several."""
        if self._repeats(at, clause, negated) or self._tops(at, clause):
            return
        if clause.has(words.UNLIKE):
            self._problems.append("nothing tells what is unlike")
        following = next(iter(self._whom.clauses[at + 1 : at + 2]), Clause())
        names = clause.names()
        alone = not following.names() or len(clause.items) == 1
        if alone and not names and following.values() and following.lead not in ("!", "?", "."):
            # "Gorak: 7 damage", "Zarquon, with 7 damage" may speak of somebody unknown.
            self._refuse_strangers(clause)
        links = {place: owned(clause, place, self._record) for place in names}
        names = [place for place in names if not links[place]]
        called = equated(clause, names, self._record)
        self._cite([*called, *(claim for found in links.values() for claim in found)])
        listed = clause.held and len(groups(clause, names, loose=True)) == 1
        if called or listed or following.aside or only_lists(clause, names, self._question):
            return  # what stands before a bracket is read again with what follows it
        if len(set(self._keys(clause, names))) > 1 and following.values() and not following.names():
            # "A attacks B but misses": the claim is of those two.
            joined = Clause(following.lead, [*clause.items, *following.items])
            self._whom.clauses[at + 1] = joined
            return
        self._refuse_relation(at, clause, names)
        self._whom.remember(clause)

    def _refuse_relation(self, at: int, clause: Clause, names: list[int]) -> None:
        """Refuse to bring names together in words that no claim is recognised by."""
        self._loose.extend(clause.items[place] for place in names)
        keys = set(self._keys(clause, names))
        earlier = self._whom.clauses[at - 1] if at and clause.lead != ";" else Clause()
        if names and not earlier.values():
            keys.update(self._keys(earlier, earlier.names()))
        if not names or len(keys) < 2:
            return
        strange = [clause.items[names[-1]].text]
        if self._vocabulary.lexicon.atmosphere:
            strange = unlinked(clause, names, self._record)
        for text in strange:
            self._problems.append(f"nothing tells what {text!r} has to do with it")

    def _cite(self, claims: Iterable[Recorded]) -> None:
        self._tells.update(dict.fromkeys(claim.fact for claim in claims))

    def _tops(self, at: int, clause: Clause) -> bool:
        """Check "…, the most of all" by the kind that was just told."""
        said = [item.text for item in clause.items if item.text in words.SUPERLATIVES]
        if not said or not at or clause.names() or not self._whom.clauses[at - 1].values():
            return False
        kinds = tuple(sorted(self._evidence.kinds_spoken_of(self._whom.clauses[at - 1])))
        sign = words.SUPERLATIVES[said[0]]
        asked = Comparison(said[0], (), (), kinds, sign, superlative=True)
        told = compare(asked, list(self._whom.topic), self._record)
        if told is None:
            self._problems.append(f"not in the record: {said[0]!r}")
        self._tells.update(dict.fromkeys(told or ()))
        return True

    def _ordered(self, at: int, clause: Clause) -> None:
        """Check "before B", "ahead of B" by the numbers of the kind that is spoken of."""
        sign = order_of(clause)
        names = clause.names()
        if not sign or not names:
            return
        opens = clause.lead in words.ORDERS
        earlier = self._whom.clauses[at - 1] if at else Clause()
        subjects = self._keys(earlier, earlier.names()) or list(self._whom.topic)
        others = names
        if not opens and len(names) > 1:
            subjects, others = self._keys(clause, names[:1]), names[1:]
        if not subjects:
            return
        kinds = self._evidence.kinds_spoken_of(clause) or self._evidence.kinds_spoken_of(earlier)
        asked = Comparison(
            "order", (), tuple(self._keys(clause, others)), tuple(sorted(kinds)), sign
        )
        told = compare(asked, subjects, self._record)
        if told is None:
            self._problems.append(f"order not in the record: {clause.items[names[0]].text!r}")
        self._tells.update(dict.fromkeys(told or ()))
        self._heads.update(self._keys(clause, names), subjects)

    def _compare(self, at: int, comparison: Comparison, clause: Clause) -> None:
        subject = self._keys(clause, comparison.subjects) or list(self._whom.topic)
        if not comparison.others and not comparison.superlative and at:
            earlier = self._whom.clauses[at - 1]
            others = [key for key in self._keys(earlier, earlier.names()) if key not in subject]
            comparison = replace(comparison, others=tuple(others))
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

    def _support(self, at: int, clause: Clause, value: int) -> list[Recorded] | None:
        """Return the claims that carry the value about who the clause is about; None: a problem."""
        item = clause.items[value]
        if item.sort == "outcome" and self._free_outcome(clause):
            return []
        found = self._evidence.candidates(at, clause, item)
        good = self._whom.about_whom(at, clause, value, found) if found else []
        good = self._evidence.of_one_kind(at, clause, item, good)
        if item.sort == "quantity":
            good = self._ownership.of_number(at, clause, value, good)
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
        """Every name in the clause must take part in what is told, or belong to who does."""
        if not good:
            return
        for claim in good:
            self._heads |= {claim.subject, claim.object, claim.symbol}
        atmosphere = self._vocabulary.lexicon.atmosphere
        for text in strangers(clause, good, self._record, atmosphere):
            self._problems.append(f"{text!r} takes no part in this")

    def _contrast(self, at: int, clause: Clause, good: list[Recorded]) -> None:
        """Check "unlike B": the opposite must be recorded of B."""
        if not clause.has(words.UNLIKE):
            return
        taking = set(clause.names())
        objects = {claim.object for claim in good}
        for place, item in enumerate(clause.items):
            if item.sort != "name" or place in taking:
                continue
            for value in clause.values():
                said = clause.items[value]
                found = self._evidence.candidates(
                    at, clause, replace(said, negated=not said.negated)
                )
                if not any(c.subject in item.keys and c.object in objects for c in found):
                    self._problems.append(f"the opposite is not recorded of {item.text!r}")

    def _respective(self) -> bool:
        """Read "A and B cost 5 and 7 respectively": pairs in order."""
        items = [item for clause in self._whom.clauses for item in clause.items]
        if not any(item.text in _RESPECTIVELY for item in items):
            return False
        claims, problems = self._evidence.respective(items)
        self._cite(claims)
        self._problems.extend(problems)
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
