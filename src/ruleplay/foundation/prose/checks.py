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
from ruleplay.foundation.prose.lexicon import Lexicon, Outcome
from ruleplay.foundation.prose.linking import (
    attached,
    count_lists,
    identify,
    links_of,
    only_lists,
    pair_with_most,
    unlinked,
)
from ruleplay.foundation.prose.matching import (
    carries_number,
    carries_outcome,
    could_mean,
    in_base,
    read_value,
)
from ruleplay.foundation.prose.mentions import Mention, scan
from ruleplay.foundation.prose.record import Record, Recorded, Vocabulary, same_facts
from ruleplay.foundation.prose.reference import Reference
from ruleplay.foundation.prose.spelling import normalise

_CACHED = 8
_FALLBACK = 2
_RESPECTIVELY = frozenset(("respectively", "respectivement"))
_LISTED = frozenset(("neither", "nor", "ni", "none", "aucun"))
_AT_MOST_OPENING = 8
_SAID = frozenset(("word", "break", "pronoun", "cue"))


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


def _is_neutral(opener: str) -> bool:
    """Whether what stands before a sentence says nothing of its truth ("In short")."""
    said = opener.lstrip("-*•># ").split()
    loaded = words.NEGATORS | words.CONDITIONS | words.DENIALS | words.NEARLY | words.EXCEPT
    plain = all(word.isalpha() and word not in loaded for word in said)
    return plain and len(said) <= _AT_MOST_OPENING and set(said) <= words.OPENING


def _without_opener(text: str) -> str:
    """Cut off a neutral opener ("As it stands, …"): its words are no part of what is told."""
    for mark in (": ", ", "):
        opener, found, rest = text.partition(mark)
        if found and rest and _is_neutral(opener.casefold()):
            return rest[:1].upper() + rest[1:]
    return text


def _no_doubt(mentions: list[Mention]) -> bool:
    texts = [item.text for item in mentions]
    return any(words.NOT_NEGATING.find(texts, at) for at in range(len(texts)))


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
        self._loose: list[Mention] = []
        self._heads: set[str] = set()

    def read(self, sentence: str) -> Reading:
        """Return what the sentence tells, what is wrong with it, and the facts it is about."""
        text = normalise(sentence)
        told = self._told_verbatim(text)
        if told is not None:
            return told
        mentions = scan(_without_opener(text), self._vocabulary, self._record)
        self._question = text.rstrip(' "').endswith("?")
        for item in mentions:
            if item.sort == "foreign" and not item.starts:
                self._problems.append(f"unknown name or id {item.text!r}")
        if any(item.sort in VALUES or item.sort == "name" for item in mentions):
            self._read_mentions(mentions)
        self._note_about(mentions)
        cited = () if self._problems else tuple(self._tells)
        return Reading(tells=cited, problems=tuple(self._problems), about=tuple(self._about))

    def _told_verbatim(self, text: str) -> Reading | None:
        """Pass a template sentence of the record as it stands, alone or after a neutral opener."""
        folded = " ".join(text.casefold().split()).lstrip("-*•>#✓ ").rstrip(" .!")
        facts = self._record.says.get(folded)
        if facts is None:
            for mark in (":", ","):
                opener, found, rest = folded.partition(f"{mark} ")
                if found and _is_neutral(opener):
                    facts = facts or self._record.says.get(rest.lstrip("✓ "))
        return Reading(tells=tuple(facts)) if facts else None

    def _read_mentions(self, mentions: list[Mention]) -> None:
        """Read who is who, what is a share of what, then clause by clause."""
        mentions, strange = identify(mentions, self._record)
        self._problems.extend(f"{text!r} is not the name of that" for text in strange)
        if not pair_with_most(mentions, self._record):
            self._problems.append("a part of a whole the record does not have")
        denied = any(item.sort == "word" and item.text in words.DENIALS for item in mentions)
        if denied and not _no_doubt(mentions) and any(item.sort in VALUES for item in mentions):
            self._problems.append("what is denied or doubted cannot be told")
        count_lists(mentions)
        self._read_clauses(mentions)

    def _read_clauses(self, mentions: list[Mention]) -> None:
        self._whom.clauses = cut(mentions)
        if self._respective():
            return
        denied = False
        for at, clause in enumerate(self._whom.clauses):
            negated = self._negations(clause, denied)
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

    def _negations(self, clause: Clause, lead: bool) -> dict[int, bool]:
        """Mark the values under a negation; return the places where one is active."""
        active, skip = lead, 0
        marked: dict[int, bool] = {-1: True} if lead else {}
        texts = [item.text for item in clause.items]
        ne = False
        doubted = False
        for at, item in enumerate(clause.items):
            skip -= 1
            doubted = doubted or item.text in words.DOUBTING
            if words.NOT_NEGATING.find(texts, at):
                skip = 3
            if item.text == "ne" and words.AFTER_NE & set(texts[at + 1 : at + 6]):
                ne = True
                active = not active
                marked[at] = active
            if ne and item.text in words.AFTER_NE:
                continue
            answer = item.text in ("no", "non") and texts[at + 1 : at + 2] in ([","], ["."], [])
            paired = item.text in ("nor", "ni") and any(marked.values())
            if answer or paired:
                continue
            negator = item.text in words.NEGATORS
            if item.sort in ("word", "break") and negator and skip <= 0:
                active = not active
                marked[at] = active
            if item.sort in VALUES:
                item.negated = active
                far = active and "," in texts[max(marked) if marked else 0 : at]
                loose = far and not clause.has(_LISTED)
                if loose or doubted or (at and texts[at - 1] in words.NEARLY):
                    item.outcome = ()
        return marked if active else {}

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
        self._refuse_turned(clause, values)
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
        for claim in good:
            self._tells[claim.fact] = None
        self._whom.remember(clause)

    def _refuse_turned(self, clause: Clause, values: list[int]) -> None:
        """Refuse words that turn a claim into another: "would have", "per second", "only X"."""
        texts = [item.text if item.sort in _SAID else "" for item in clause.items]
        if clause.has(words.RIVALS) and (values or clause.names()):
            self._problems.append("nothing tells who the others are")
        if not values:
            return
        found = any(text and words.UNREAL.find(texts, at) for at, text in enumerate(texts))
        numbers = any(clause.items[at].sort == "quantity" for at in values)
        ends = [text for text in texts if text != "."][-2:]
        sole = any(
            set(texts[max(0, at - 2) : at][-1 - (texts[at - 1 : at] == ["the"]) :]) & words.SOLE
            for at in clause.names()
        )
        ranked = bool(clause.names()) and ends[-1:] != [""] and ends[:1] != ["at"]
        ranked = ranked and bool(set(ends[-1:]) & words.LAST_WORDS)
        if found or sole or ranked or (numbers and clause.has(words.DIVERTS)):
            self._problems.append("said in words that make it another claim")
        if numbers and clause.has(words.DOUBTING):
            self._problems.append("what is doubted cannot be told")

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
        if not elliptic and not (set(said) <= words.ELLIPSIS and set(said) & (words.AUXILIARIES | words.TRAILING)):
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
        if self._repeats(at, clause, negated):
            return
        names = clause.names()
        following = self._whom.clauses[at + 1 : at + 2]
        if not names and following and following[0].values():
            # "Gorak: 7 damage", "Zarquon, with 7 damage" may speak of somebody unknown.
            if not following[0].names() or len(clause.items) == 1:
                if following[0].lead not in ("!", "?", "."):
                    self._refuse_strangers(clause)
        names = [place for place in names if not self._held(clause, place)]
        keys = {clause.items[place].keys[0] for place in names}
        if clause.lead != ";" and at and not self._whom.clauses[at - 1].values():
            earlier = self._whom.clauses[at - 1]
            beside = {earlier.items[place].keys[0] for place in earlier.names()}
        else:
            beside = set()
        if self._equates(clause, names):
            return
        if at + 1 < len(self._whom.clauses) and self._whom.clauses[at + 1].aside:
            return  # read again with what stands after the bracket
        if clause.held and len(groups(clause, names, loose=True)) == 1:
            return
        if len(keys) > 1 and following and following[0].values() and not following[0].names():
            # "A attacks B but misses": the claim is of those two.
            joined = Clause(following[0].lead, [*clause.items, *following[0].items])
            self._whom.clauses[at + 1] = joined
            return
        if only_lists(clause, names, self._question):
            return
        self._loose.extend(clause.items[place] for place in names)
        if names and len(keys | beside) > 1:
            if self._vocabulary.lexicon.atmosphere:
                strange = unlinked(clause, names, self._record)
            else:
                strange = [clause.items[names[-1]].text]
            self._problems.extend(f"nothing tells what {text!r} has to do with it" for text in strange)
        self._whom.remember(clause)

    def _held(self, clause: Clause, place: int) -> bool:
        """Whether a name is recorded as belonging to its owner in front ("Aria's axe")."""
        if not attached(clause, place):
            return False
        owner = set(clause.items[place - 1].keys)
        links = links_of(clause, place, owner, self._record)
        self._tells.update(dict.fromkeys(claim.fact for claim in links))
        return bool(links)

    def _equates(self, clause: Clause, names: list[int]) -> bool:
        """Read "our drain pump is PS1": a claim that the one is called the other."""
        if len(names) != 2:
            return False
        between = {item.text for item in clause.items[names[0] + 1 : names[1]]}
        if not between & words.BE or not between <= words.BE | words.DETERMINERS:
            return False
        one, other = (set(clause.items[place].keys) for place in names)
        found = [
            claim
            for thing, title in ((one, other), (other, one))
            for key in title
            for claim in self._record.valued.get(key, ())
            if claim.subject in thing
        ]
        self._tells.update(dict.fromkeys(claim.fact for claim in found))
        return bool(found) and not clause.has(words.NEGATORS)

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
        kinds = self._kinds_spoken_of(clause) or self._kinds_spoken_of(earlier)
        asked = Comparison(
            "order", (), tuple(self._keys(clause, others)), tuple(sorted(kinds)), sign
        )
        told = compare(asked, subjects, self._record)
        if told is None:
            self._problems.append(f"order not in the record: {clause.items[names[0]].text!r}")
        self._tells.update(dict.fromkeys(told or ()))
        self._heads.update(self._keys(clause, names), subjects)

    def _kinds_spoken_of(self, clause: Clause) -> set[str]:
        """Return the kinds with numbers that a clause's words are evidence of."""
        numbered = self._record.numbered
        kinds = {kind for item in clause.items for kind in item.kinds}
        kinds |= {one.kind for item in clause.items for one in item.outcome}
        return kinds & numbered

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

    def _candidates(self, at: int, clause: Clause, item: Mention) -> list[Recorded]:
        """Return the claims that carry a value, whoever they are about."""
        if item.sort == "outcome":
            return [
                claim
                for outcome in item.outcome
                for claim in self._record.by_kind.get(outcome.kind, ())
                if carries_outcome(claim, outcome, item.negated)
                and self._names_value(clause, outcome, claim)
            ]
        if item.negated or item.counts:
            return []
        kinds = self._evidenced(at, clause, item)
        if item.dimension == "times":
            # "died twice" counts deaths; "hits twice" is no damage.
            kinds = {kind for kind in kinds if kind.endswith("s")}
            if not kinds:
                return []
        return [
            claim
            for claim in self._record.numeric
            if (not kinds or claim.kind in kinds)
            and carries_number(claim, item, self._vocabulary)
            and not (not claim.dimension and clause.has(words.CHANGES) and not claim.object)
        ]

    def _names_value(self, clause: Clause, outcome: Outcome, claim: Recorded) -> bool:
        """Whether "fixes" is said of the very value the clause names ("made by Acme")."""
        if outcome.value:
            return True
        kinds = self._record.value_kinds.get(outcome.kind)
        if not kinds:
            return True
        known = self._record.entity_kinds
        at = self._whom.clauses.index(clause) if clause in self._whom.clauses else 0
        wanted: list[tuple[str, ...]] = []
        for spoken in (clause, *reversed(self._whom.clauses[:at])):
            named = [spoken.items[place].keys for place in spoken.names()]
            wanted = [keys for keys in named if {known.get(key, "") for key in keys} & kinds]
            if wanted:
                break
        return not wanted or any(claim.symbol in keys for keys in wanted)

    def _evidenced(self, at: int, clause: Clause, item: Mention) -> set[str]:
        """Return the kinds a number may be of, by its unit and the words around; empty: any."""
        cued = self._kinds_spoken_of_beside(clause, item)
        if item.kinds:
            return (set(item.kinds) & cued) or set(item.kinds)
        if item.dimension and item.dimension != "times":
            of_dimension = self._record.dimensions.get(
                "%" if item.dimension == "share" else item.dimension, set()
            )
            told = cued & of_dimension
            if told or not of_dimension & self._vocabulary.told_by_words:
                return told
            # Such a kind is told by its own words ("died at 1:15"), in this clause or before.
            earlier = {
                kind
                for other in self._whom.clauses
                for kind in self._kinds_spoken_of(other)
            }
            return (earlier & of_dimension) or (
                of_dimension - self._vocabulary.told_by_words or {"nothing"}
            )
        if cued or not at:
            return cued
        for earlier in reversed(self._whom.clauses[:at]):
            found = self._kinds_spoken_of(earlier)
            for other in earlier.items:
                if other.sort == "quantity" and other.dimension and not found:
                    found = set(self._record.dimensions.get(other.dimension, ()))
            if found:
                return found
        return set()

    def _kinds_spoken_of_beside(self, clause: Clause, item: Mention) -> set[str]:
        """Return the kinds cued in a clause by words other than the units of its other numbers."""
        rest = [other for other in clause.items if other.sort != "quantity"]
        found = self._kinds_spoken_of(Clause(clause.lead, rest))
        if found or item.dimension:
            return found
        return self._kinds_spoken_of(clause)

    def _of_one_kind(
        self, at: int, clause: Clause, item: Mention, good: list[Recorded]
    ) -> list[Recorded]:
        """Keep the claims of the one kind a number can be of; none when nothing tells which."""
        kinds = self._evidenced(at, clause, item)
        if item.sort != "quantity" or len(kinds) == 1 or not good:
            return good
        named = {key for place in clause.names() for key in clause.items[place].keys}
        paired = all(claim.object and {claim.subject, claim.object} <= named for claim in good)
        possible = [
            claim
            for told in good
            for claim in self._record.by_entity.get(told.subject, ())
            if claim.interval
            and claim.subject == told.subject
            and (not paired or claim.object == told.object)
            and (not kinds or claim.kind in kinds)
            and could_mean(claim, item, self._vocabulary)
        ]
        if len({claim.kind for claim in possible}) > 1 and not paired:
            # Who is named alone has rather than does: "9 hit points" are not those healed.
            possible = [claim for claim in possible if not claim.object]
        left = {claim.kind for claim in possible}
        return [claim for claim in good if claim.kind in left] if len(left) == 1 else []

    def _support(self, at: int, clause: Clause, value: int) -> list[Recorded] | None:
        """Return the claims that carry the value about who the clause is about; None: a problem."""
        item = clause.items[value]
        if item.sort == "outcome" and self._free_outcome(clause):
            return []
        found = self._candidates(at, clause, item)
        good = self._whom.about_whom(at, clause, value, found) if found else []
        good = self._of_one_kind(at, clause, item, good)
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
        heads = {key for claim in good for key in (claim.subject, claim.object) if key}
        self._heads |= heads | {claim.symbol for claim in good}
        facts = {claim.fact for claim in good}
        acting = {claim.subject for claim in good}
        told = heads | {claim.symbol for claim in good}
        kinds = {claim.kind for claim in good}
        atmosphere = self._vocabulary.lexicon.atmosphere
        for place in clause.names():
            if set(clause.items[place].keys) & told:
                continue
            held = clause.before(place) in words.INSTRUMENT
            links = links_of(
                clause, place, heads if attached(clause, place) else acting, self._record
            )
            if not links or not (
                atmosphere
                or held
                or attached(clause, place)
                or any(link.kind in kinds or link.fact in facts for link in links)
            ):
                self._problems.append(f"{clause.items[place].text!r} takes no part in this")

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
                found = self._candidates(at, clause, replace(said, negated=not said.negated))
                if not any(c.subject in item.keys and c.object in objects for c in found):
                    self._problems.append(f"the opposite is not recorded of {item.text!r}")

    def _respective(self) -> bool:
        """Read "A and B cost 5 and 7 respectively": pairs in order."""
        items = [item for clause in self._whom.clauses for item in clause.items]
        if not any(item.text in _RESPECTIVELY for item in items):
            return False
        names = [item for item in items if item.sort == "name"]
        numbered = self._record.numbered
        if any(
            item.text in words.NEGATORS or any(one.kind not in numbered for one in item.outcome)
            for item in items
        ):
            self._problems.append("more than a list with 'respectively'")
        values = [item for item in items if item.sort == "quantity"]
        kinds = frozenset(kind for item in items for kind in item.kinds)
        kinds |= {one.kind for item in items for one in item.outcome}
        dimension = next((item.dimension for item in values if item.dimension), "")
        if len(names) != len(values):
            self._problems.append("an unequal list with 'respectively'")
            return True
        for name, value in zip(names, values, strict=True):
            value.kinds, value.dimension = value.kinds or kinds, value.dimension or dimension
            found = [
                claim
                for claim in self._candidates(0, Clause("", [value]), value)
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
