"""Who a clause is about: named subjects and objects, pronouns, what is left understood."""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleplay.foundation.prose import words
from ruleplay.foundation.prose.clauses import RESUMED, Clause, groups, roles
from ruleplay.foundation.prose.record import Record, Recorded, Vocabulary

_LINKED = frozenset(("who", "which", "that", "whom", "qui", "que"))
_MEANWHILE = frozenset(("as", "when", "while"))
_TOGETHER = _LINKED | _MEANWHILE | {"because"}
Keys = tuple[str, ...]


@dataclass(slots=True)
class Reference:
    """Resolves who acts and who is acted on, clause after clause of one sentence.

    `topic`: who the last clause spoke of first; `agent`, `patient`: who acted on whom last.
    """

    vocabulary: Vocabulary
    record: Record
    clauses: list[Clause] = field(default_factory=list)
    topic: Keys = ()
    agent: Keys = ()
    patient: Keys = ()
    waits: bool = False
    unsaid: list[Recorded] = field(default_factory=list)

    def about_whom(
        self, at: int, clause: Clause, value: int, found: list[Recorded]
    ) -> list[Recorded]:
        """Return those of `found`, claims that carry a value, about whom the clause names."""
        kinds = self.record.entity_kinds
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
            self.record.entity_kinds.get(key, "") in kinds for key in clause.items[place].keys
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

    def _earlier(self, at: int, kinds: set[str]) -> list[Keys]:
        """Return the last name of such a kind earlier in the sentence."""
        for clause in reversed(self.clauses[:at]):
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
        if clause.has(words.GIVES) and clause.before(subjects[0]) in words.PATIENT:
            return []  # "damage done to A" is no damage of A's
        for place in subjects:
            mine = [claim for claim in found if claim.subject in clause.items[place].keys]
            if not mine or len({claim.subject for claim in mine}) > 1:
                return []
            good.extend(mine)
        return good

    def _unnamed(
        self, at: int, clause: Clause, value: int, found: list[Recorded]
    ) -> list[Recorded]:
        """Take who a nameless clause continues, or the only one the record leaves."""
        if clause.has(words.EVERY):
            return self._everyone(clause, found)
        known = self._antecedents(at, clause, {claim.kind for claim in found})
        if known is None:
            # Who was named in an earlier sentence is not known: only one may have this at all.
            kinds = {claim.kind for claim in found}
            able = {c.subject for kind in kinds for c in self.record.by_kind[kind]}
            if len(able) != 1:
                return []
            self.topic = (found[0].subject,)
            return found
        return [claim for claim in found if claim.subject in known]

    def _everyone(self, clause: Clause, found: list[Recorded]) -> list[Recorded]:
        kinds = {claim.kind for claim in found}
        whole = {claim.subject for claim in self.record.claims if claim.kind in kinds}
        two = not (clause.has(frozenset(("both", "neither"))) and len(whole) != 2)
        return found if two and {claim.subject for claim in found} == whole else []

    def _antecedents(self, at: int, clause: Clause, kinds: set[str]) -> set[str] | None:
        """Return who a clause without a fitting name is about; None when the sentence is silent."""
        record = self.record
        able = self._of_their_kind({c.subject for c in record.claims if c.kind in kinds})
        pronoun = next((item.text for item in clause.items if item.sort == "pronoun"), "")
        leaves = clause.has(words.LEAVES) and bool(self.patient)
        if leaves or (pronoun in words.OBJECT_PRONOUNS and self.patient):
            return set(self.patient)
        before = [c.items[p].keys for c in self.clauses[:at] for p in c.names()]
        fitting = [keys for keys in before if set(keys) & able]
        if not fitting:
            after = [c.items[p].keys for c in self.clauses[at + 1 :] for p in c.names()]
            fitting = [keys for keys in after if set(keys) & able][:1]
            if not fitting and self.topic:
                return set(self.topic)
            return set(fitting[0]) if fitting else None
        if clause.lead == RESUMED:
            return set(fitting[-2] if len(fitting) > 1 else fitting[-1])
        if clause.lead in words.RELATIVES or clause.aside:
            return set(fitting[-1])
        if pronoun:
            return self._meant_by(pronoun, fitting)
        topic = set(self.topic) & able
        return topic or set(fitting[-1])

    def _of_their_kind(self, keys: set[str]) -> set[str]:
        """Widen who is recorded to all who could be meant: everything of the same kinds."""
        kinds = {self.record.entity_kinds.get(key, "") for key in keys}
        return {key for key, kind in self.record.entity_kinds.items() if kind in kinds}

    def _meant_by(self, pronoun: str, fitting: list[Keys]) -> set[str]:
        pronouns = self.vocabulary.pronouns
        possible = {
            key
            for keys in fitting
            for key in keys
            if not pronouns.get(key) or pronoun in pronouns[key]
        }
        return possible if len(possible) == 1 else set()

    def _directed(  # noqa: C901  # one case after another of who acts on whom
        self, at: int, clause: Clause, value: int, found: list[Recorded], kinds: set[str]
    ) -> list[Recorded]:
        """Subject and object are of one kind: grammar says who acts on whom."""
        places = [place for place in clause.names() if self._kind_in(clause, place, kinds)]
        cast = roles(clause, places, value)
        if cast.unclear:
            return []
        passive = cast.passive or (clause.has(words.RECEIVES) and not clause.has(words.GIVES))
        if cast.agents and not cast.patients and self._acted_on(clause, cast.agents[0], passive):
            cast.agents, cast.patients = [], cast.agents
        if clause.has(words.OBJECT_PRONOUNS) and not cast.patients:
            found = [claim for claim in found if self._may_mean(clause, claim.object)]
        alone = len({c.subject for one in found for c in self.record.by_kind[one.kind]}) == 1
        both = bool(cast.agents and cast.patients)
        if not alone and not both and self._unknown_pronoun(at, clause):
            return []
        if not cast.agents and not passive and self._unknown_agent(clause):
            return []
        agents = [clause.items[place].keys for place in cast.agents]
        patients = [clause.items[place].keys for place in cast.patients]
        if not agents and not patients:
            known = self._antecedents(at, clause, {claim.kind for claim in found})
            if known is None and not alone:
                return []
            if known is not None:
                agents, patients = self._continued(clause, tuple(known), passive)
        elif not both:
            waited = self.waits and bool(patients) and bool(self.agent)
            agents, patients = self._completed(at, clause, agents, patients, passive)
            agents = [self.agent] if waited else agents  # "Hit by A, B takes 4 damage"
        by = any(clause.before(place) in words.AGENT for place in cast.agents)
        self.waits = bool(cast.agents) and not cast.patients and (by or not clause.counts())
        meanwhile = clause.lead in _MEANWHILE and self.unsaid and not cast.patients
        if meanwhile and agents and not any(c.subject in agents[0] for c in self.unsaid):
            return []  # "B takes 4 damage as A strikes": then it is A who did it
        return self._between(found, agents, patients)

    def _continued(
        self, clause: Clause, known: Keys, passive: bool
    ) -> tuple[list[Keys], list[Keys]]:
        """Say who acts on whom in a clause without names that goes on about `known`."""
        if passive:
            return ([self.agent] if self.agent else []), [known]
        turned = bool(self.agent) and clause.has(words.OBJECT_PRONOUNS)
        patients = [self.patient] if self.patient else []
        return [self.agent if turned else known], patients

    def _unknown_pronoun(self, at: int, clause: Clause) -> bool:
        """Whether somebody acts who was not named in this sentence ("He hits the wolf")."""
        named = any(other.names() for other in self.clauses[:at])
        first = next((item for item in clause.items if item.sort in ("pronoun", "name")), None)
        spoken = first is not None and first.text in words.SUBJECT_PRONOUNS
        return not named and spoken

    def _unknown_agent(self, clause: Clause) -> bool:
        """Whether something we do not know acts ("the dragon deals 8 damage to B")."""
        items = clause.items
        for at, item in enumerate(items[:-2]):
            acts = items[at + 2].text in words.GIVES or items[at + 2].sort == "outcome"
            if item.text in words.DETERMINERS and items[at + 1].sort == "word" and acts:
                return True
        return False

    def _may_mean(self, clause: Clause, key: str) -> bool:
        """Whether the clause's object pronoun can stand for an entity."""
        known = self.vocabulary.pronouns.get(key)
        said = [item.text for item in clause.items if item.text in words.OBJECT_PRONOUNS]
        return not known or any(text in known for text in said)

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
        agents: list[Keys],
        patients: list[Keys],
        passive: bool,
    ) -> tuple[list[Keys], list[Keys]]:
        """Fill the missing side from the rest of the sentence."""
        back, forth = self.clauses[:at], self.clauses[at + 1 :]
        marked = any(clause.before(place) in words.AGENT for place in clause.names())
        near = (*reversed(back), *(forth if marked and not back else ()))
        used = {key for keys in (*agents, *patients) for key in keys}
        given = (agents or patients)[0][0]
        kind = self.record.entity_kinds.get(given, "")
        pool = [
            c.items[p].keys
            for c in near
            for p in reversed(c.names())
            if self._kind_in(c, p, {kind})
        ]
        pool.sort(key=lambda keys: bool(used & set(keys)))
        if (
            agents
            and passive
            and not patients
            and self.agent
            and clause.lead in words.SOFT | {"but"}
        ):
            return agents, [self.agent]  # "A hits B and is hit by C"
        gapped = agents and self.agent and clause.lead in words.SOFT and self._gapped(clause)
        if gapped:
            return [self.agent], agents
        if not pool:
            stranger = any(item.starts for other in self.clauses for item in other.items)
            return ([], [()]) if stranger else (agents, patients)
        told_before = bool(back) and bool(back[-1].values()) and not marked
        pronoun = clause.has(words.OBJECT_PRONOUNS) or clause.lead in _TOGETHER
        if agents and (pronoun or not told_before):
            return agents, [self.patient if told_before and self.patient else pool[0]]
        if patients and (not told_before or clause.lead in _LINKED):
            return [pool[0]], patients
        if patients and not passive and self.agent:
            return [self.agent], patients  # "A hit B and wounded C"
        return agents, patients

    def _gapped(self, clause: Clause) -> bool:
        """Whether the verb is left out ("… and Borin for 5")."""
        return all(
            item.sort in ("name", "quantity", "cue", "pronoun") or item.text in words.FUNCTION
            for item in clause.items
        )

    def _between(
        self,
        found: list[Recorded],
        agents: list[Keys],
        patients: list[Keys],
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
        self.unsaid = [] if agents else good
        self.agent = agents[0] if agents else (good[0].subject,)
        self.patient = patients[0] if patients else ()
        return good

    def remember(self, clause: Clause) -> None:
        """Note who a clause spoke of, for the next one."""
        names = clause.names()
        if not names or clause.aside or clause.lead in ("who", "which", "whom", "qui", "que"):
            return
        places = groups(clause, names)[0]
        self.topic = tuple(key for place in places for key in clause.items[place].keys)
