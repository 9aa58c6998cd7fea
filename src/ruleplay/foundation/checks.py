"""The claim reader: does one fact carry the subject, value and object of each clause?

`checker(lexicon)` makes the `Check` an agent's gate uses. A sentence is normalised, its mentions
found, cut into clauses, and every number, outcome word and name in a clause must be carried by a
claim of the record about that very subject and object. What cannot be decided is a problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ruleplay.foundation import words
from ruleplay.foundation.claims import Check, Fact, Reading
from ruleplay.foundation.clauses import RESUMED, VALUES, Clause, cut, groups, roles
from ruleplay.foundation.comparisons import Comparison, compare, find_comparison
from ruleplay.foundation.lexicon import Lexicon
from ruleplay.foundation.matching import carries_number, carries_outcome, read_value
from ruleplay.foundation.mentions import Mention, scan
from ruleplay.foundation.record import Record, Recorded, Vocabulary, same_facts
from ruleplay.foundation.spelling import normalise

_CACHED = 8
_RESPECTIVELY = frozenset(("respectively", "respectivement"))
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
            record.add(fact, claim, read_value(claim.value, vocabulary, record))
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
        self._clauses: list[Clause] = []
        self._topic: tuple[str, ...] = ()
        self._patient: tuple[str, ...] = ()
        self._agent: tuple[str, ...] = ()
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
            left = set(before.replace(",", " ").split()) & (words.NEGATORS | words.CONDITIONS)
            if left or before[-1:].isalnum() or (after and after[0] not in _ENDINGS):
                continue
            if after[1:2].isdigit() or "?" in after:
                continue
            self._tells[fact] = None
            self._topic = (subject,) if subject else self._topic
            spaced = " ".join(text.split())
            if len(spaced) != len(folded):
                return text
            text = f"{spaced[:at]} {spaced[at + len(said) :]}"
            folded = text.casefold()
        return text

    def _read_clauses(self, mentions: list[Mention]) -> None:
        self._clauses = cut(mentions)
        if self._respective():
            return
        negated_lead = False
        for at, clause in enumerate(self._clauses):
            negated = self._negations(clause, negated_lead)
            self._read_clause(at, clause, negated)
            opens = at + 1 < len(self._clauses) and self._clauses[at + 1].lead in ("that", "que")
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
        return marked if active else {}

    def _read_clause(self, at: int, clause: Clause, negated: dict[int, bool]) -> None:
        comparison = find_comparison(clause, self._vocabulary, self._record)
        if comparison is not None:
            self._compare(comparison, clause)
            self._remember(clause)
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
        self._remember(clause)

    def _refuse_strangers(self, clause: Clause) -> None:
        """A clause that claims something and starts with an unknown word that seems to be somebody."""
        named = bool(clause.names())
        for item in clause.items:
            if item.sort == "foreign" and item.starts and (item.acts or not named):
                self._problems.append(f"unknown name {item.text!r}")

    def _repeats(self, at: int, clause: Clause, negated: bool) -> bool:
        """Read "… but B does not" and "as did B": the last clause's outcomes, said of B."""
        if not at or not clause.names() or not clause.has(words.ALSO):
            return False
        before = self._clauses[at - 1]
        values = [replace(before.items[place], negated=negated) for place in before.values()]
        kept = [item for item in clause.items if item.sort == "name"]
        self._clauses[at] = Clause(clause.lead, [*kept, *values])
        self._read_clause(at, self._clauses[at], {})
        return True

    def _without_values(self, at: int, clause: Clause, negated: bool) -> None:
        """A clause without values is free, unless it repeats a claim ("as did Aria") or links names."""
        if at and self._clauses[at - 1].values() and self._repeats(at, clause, negated):
            return
        names = clause.names()
        following = self._clauses[at + 1 : at + 2]
        if not names and following and following[0].values() and not following[0].names():
            # "Gorak: 7 damage" speaks of somebody unknown.
            strangers = [item.text for item in clause.items if item.sort == "foreign"]
            if strangers and len(clause.items) <= len(strangers) + 1:
                self._problems.append(f"unknown name {strangers[0]!r}")
        valued = [place for place in names if clause.items[place].keys[0] in self._record.valued]
        others = [place for place in names if place not in valued]
        if valued and others:
            self._linked(clause, valued, others)
        self._remember(clause)

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

    def _compare(self, comparison: Comparison, clause: Clause) -> None:
        subject = self._keys(clause, comparison.subjects) or list(self._topic)
        told = compare(comparison, subject, self._record, self._vocabulary)
        if told is None:
            self._problems.append(f"comparison not in the record: {comparison.text!r}")
            return
        for fact in told:
            self._tells[fact] = None

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
            claim for claim in self._record.claims if carries_number(claim, item, self._vocabulary)
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
        good = self._about_whom(at, clause, value, found) if found else []
        if not good:
            self._problems.append(f"not in the record: {item.text!r}")
            for claim in found:
                self._about.setdefault(claim.fact)
            return None
        return good

    def _free_outcome(self, clause: Clause) -> bool:
        """A question or condition that names nobody asserts nothing ("Is it leaking?")."""
        asked = self._question or clause.lead in words.CONDITIONS
        asked = asked or clause.has(words.CONDITIONS)
        return asked and not any(other.names() for other in self._clauses)

    def _about_whom(
        self, at: int, clause: Clause, value: int, found: list[Recorded]
    ) -> list[Recorded]:
        kinds = self._record.entity_kinds
        acts = {kinds.get(claim.subject, "") for claim in found}
        suffers = {kinds.get(claim.object, "") for claim in found if claim.object}
        names = clause.names()
        if suffers and not acts & suffers:
            return self._typed(at, clause, value, found, acts, suffers)
        if suffers:
            return self._directed(at, clause, value, found, acts | suffers)
        fitting = [place for place in names if self._kind_in(clause, place, acts)]
        subjects = self._subjects(clause, value, fitting)
        return self._for_subjects(at, clause, value, found, subjects)

    def _kind_in(self, clause: Clause, place: int, kinds: set[str]) -> bool:
        return any(
            self._record.entity_kinds.get(key, "") in kinds for key in clause.items[place].keys
        )

    def _typed(
        self,
        at: int,
        clause: Clause,
        value: int,
        found: list[Recorded],
        acts: set[str],
        suffers: set[str],
    ) -> list[Recorded]:
        """Subject and object are of different kinds (a part, a model): order does not matter."""
        names = clause.names()
        objects = [place for place in names if self._kind_in(clause, place, suffers)]
        fitting = [place for place in names if self._kind_in(clause, place, acts)]
        keys = [clause.items[place].keys for place in objects] or self._earlier(at, suffers)
        if keys:
            wanted = [set(one) for one in keys]
            found = [claim for claim in found if any(claim.object in one for one in wanted)]
            if objects and not all(any(c.object in one for c in found) for one in wanted):
                return []
        subjects = self._subjects(clause, value, fitting)
        good = self._for_subjects(at, clause, value, found, subjects)
        if keys or not good:
            return good
        return good if len({claim.object for claim in good}) == 1 else []

    def _earlier(self, at: int, kinds: set[str]) -> list[tuple[str, ...]]:
        """Return the last name of such a kind earlier in the sentence."""
        for clause in reversed(self._clauses[:at]):
            for place in reversed(clause.names()):
                if self._kind_in(clause, place, kinds):
                    return [clause.items[place].keys]
        return []

    def _subjects(self, clause: Clause, value: int, fitting: list[int]) -> list[int]:
        """Return the places of the names a one-sided claim is about."""
        if len(fitting) < 2:
            return fitting
        strung = groups(clause, fitting)
        if len(strung) == 1:
            return fitting
        before = [group for group in strung if group[-1] < value]
        after = [group for group in strung if group[0] > value]
        direct = roles(clause, fitting, value)
        if direct.passive and direct.agents and direct.patients:
            return direct.patients
        if clause.items[value].sort == "outcome" and after and before:
            return after[0] if self._touches(clause, value, after[0][0]) else before[-1]
        if len(before) == 1:
            return before[0]
        if before:
            return direct.patients or before[-1]
        return after[0]

    def _touches(self, clause: Clause, value: int, name: int) -> bool:
        between = clause.items[value + 1 : name]
        return all(item.text not in words.FUNCTION - words.DETERMINERS for item in between)

    def _for_subjects(
        self, at: int, clause: Clause, value: int, found: list[Recorded], subjects: list[int]
    ) -> list[Recorded]:
        if not subjects:
            return self._unnamed(at, clause, value, found)
        good: list[Recorded] = []
        for place in subjects:
            mine = [claim for claim in found if claim.subject in clause.items[place].keys]
            if not mine or len({claim.subject for claim in mine}) > 1:
                return []
            good.extend(mine)
        return good

    def _unnamed(
        self, at: int, clause: Clause, value: int, found: list[Recorded]
    ) -> list[Recorded]:
        """The clause names nobody: who it continues, or the only one the record leaves."""
        if clause.has(words.EVERY):
            return self._everyone(clause, found)
        known = self._antecedents(at, clause, {claim.kind for claim in found})
        if known is None:
            return found if len({claim.subject for claim in found}) == 1 else []
        return [claim for claim in found if claim.subject in known]

    def _everyone(self, clause: Clause, found: list[Recorded]) -> list[Recorded]:
        kinds = {claim.kind for claim in found}
        whole = {claim.subject for claim in self._record.claims if claim.kind in kinds}
        two = not (clause.has(frozenset(("both", "neither"))) and len(whole) != 2)
        return found if two and {claim.subject for claim in found} == whole else []

    def _antecedents(self, at: int, clause: Clause, kinds: set[str]) -> set[str] | None:
        """Return who a clause without a fitting name is about; None when the sentence is silent."""
        record = self._record
        able = self._of_their_kind({c.subject for c in record.claims if c.kind in kinds})
        pronoun = next((item.text for item in clause.items if item.sort == "pronoun"), "")
        leaves = clause.has(words.LEAVES) and bool(self._patient)
        if leaves or (pronoun in words.OBJECT_PRONOUNS and self._patient):
            return set(self._patient)
        before = [c.items[p].keys for c in self._clauses[:at] for p in c.names()]
        fitting = [keys for keys in before if set(keys) & able]
        if not fitting:
            after = [c.items[p].keys for c in self._clauses[at + 1 :] for p in c.names()]
            fitting = [keys for keys in after if set(keys) & able][:1]
            if not fitting and self._topic:
                return set(self._topic)
            return set(fitting[0]) if fitting else None
        if clause.lead == RESUMED:
            return set(fitting[-2] if len(fitting) > 1 else fitting[-1])
        if clause.lead in words.RELATIVES or clause.aside:
            return set(fitting[-1])
        if pronoun:
            return self._meant_by(pronoun, fitting)
        topic = set(self._topic) & able
        return topic or set(fitting[-1])

    def _of_their_kind(self, keys: set[str]) -> set[str]:
        """Widen who is recorded to all who could be meant: everything of the same kinds."""
        kinds = {self._record.entity_kinds.get(key, "") for key in keys}
        return {key for key, kind in self._record.entity_kinds.items() if kind in kinds}

    def _meant_by(self, pronoun: str, fitting: list[tuple[str, ...]]) -> set[str]:
        pronouns = self._vocabulary.pronouns
        possible = {
            key
            for keys in fitting
            for key in keys
            if not pronouns.get(key) or pronoun in pronouns[key]
        }
        return possible if len(possible) == 1 else set()

    def _directed(
        self, at: int, clause: Clause, value: int, found: list[Recorded], kinds: set[str]
    ) -> list[Recorded]:
        """Subject and object are of one kind: grammar says who acts on whom."""
        places = [place for place in clause.names() if self._kind_in(clause, place, kinds)]
        cast = roles(clause, places, value)
        passive = cast.passive or (clause.has(words.RECEIVES) and not clause.has(words.GIVES))
        if cast.agents and not cast.patients and self._acted_on(clause, cast.agents[0], passive):
            cast.agents, cast.patients = [], cast.agents
        agents = [clause.items[place].keys for place in cast.agents]
        patients = [clause.items[place].keys for place in cast.patients]
        if not agents and not patients:
            known = self._antecedents(at, clause, {claim.kind for claim in found})
            if known is not None:
                own = [tuple(known)]
                agents = ([self._agent] if self._agent else []) if passive else own
                patients = own if passive else ([self._patient] if self._patient else [])
            elif len({(claim.subject, claim.object) for claim in found}) != 1:
                return []
        elif not agents or not patients:
            agents, patients = self._completed(at, clause, agents, patients)
        return self._between(found, agents, patients)

    def _acted_on(self, clause: Clause, place: int, passive: bool) -> bool:
        """Whether a lone name follows its verb ("who hit Aria", "she hits Aria")."""
        if passive or clause.before(place) in words.AGENT or clause.items[place].owner:
            return False
        ahead = clause.items[:place]
        while ahead and ahead[-1].text in words.DETERMINERS:
            ahead = ahead[:-1]
        if any(item.sort == "pronoun" and item.text in words.SUBJECT_PRONOUNS for item in ahead):
            return True
        return bool(ahead) and ahead[-1].sort == "outcome"

    def _completed(
        self,
        at: int,
        clause: Clause,
        agents: list[tuple[str, ...]],
        patients: list[tuple[str, ...]],
    ) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
        """Fill the missing side from the rest of the sentence."""
        near = (*reversed(self._clauses[:at]), *self._clauses[at + 1 :])
        used = {key for keys in (*agents, *patients) for key in keys}
        given = (agents or patients)[0][0]
        kind = self._record.entity_kinds.get(given, "")
        pool = [
            c.items[p].keys
            for c in near
            for p in reversed(c.names())
            if self._kind_in(c, p, {kind})
        ]
        pool.sort(key=lambda keys: bool(used & set(keys)))
        gapped = agents and self._agent and clause.lead in words.SOFT and self._gapped(clause)
        if gapped:
            return [self._agent], agents
        if not pool:
            stranger = any(item.acts for other in self._clauses for item in other.items)
            return ([], [()]) if stranger else (agents, patients)
        if agents:
            return agents, [pool[0]]
        return (
            [self._agent] if self._agent and not used & set(self._agent) else [pool[0]]
        ), patients

    def _gapped(self, clause: Clause) -> bool:
        """Whether the verb is left out ("… and Borin for 5")."""
        return all(
            item.sort in ("name", "quantity", "cue", "pronoun") or item.text in words.FUNCTION
            for item in clause.items
        )

    def _between(
        self,
        found: list[Recorded],
        agents: list[tuple[str, ...]],
        patients: list[tuple[str, ...]],
    ) -> list[Recorded]:
        good: list[Recorded] = []
        if () in patients:
            return good  # somebody unknown takes part
        for acting in agents or [()]:
            for suffering in patients or [()]:
                mine = [
                    claim
                    for claim in found
                    if (not acting or claim.subject in acting)
                    and (not suffering or claim.object in suffering)
                ]
                if not mine:
                    return []
                good.extend(mine)
        self._agent = agents[0] if agents else (good[0].subject,)
        self._patient = patients[0] if patients else ()
        return good

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

    def _remember(self, clause: Clause) -> None:
        names = clause.names()
        if not names or clause.aside:
            return
        places = groups(clause, names)[0]
        self._topic = tuple(key for place in places for key in clause.items[place].keys)

    def _respective(self) -> bool:
        """Read "A and B cost 5 and 7 respectively": pairs in order."""
        items = [item for clause in self._clauses for item in clause.items]
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
                for claim in self._record.by_entity.get(key, ()):
                    self._about.setdefault(claim.fact)
