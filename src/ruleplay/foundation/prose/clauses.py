"""Cuts what a sentence mentions into clauses, and says who acts on whom in each."""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleplay.foundation.prose import words
from ruleplay.foundation.prose.mentions import Mention

RESUMED = "(resumed)"
_RELATIVE = frozenset(("who", "which", "that", "whom", "qui", "que"))
_MAY_EXCLUDE = words.DETERMINERS | frozenset(
    ("not", "pas", "non", "of", "than", "unlike", "de", "que", "à")
)
VALUES = ("quantity", "outcome")


@dataclass(slots=True)
class Clause:
    """A stretch of mentions that is read at once; `lead` is the word that opened it."""

    lead: str = ""
    items: list[Mention] = field(default_factory=list)
    aside: bool = False
    held: bool = False

    def drop_contents(self) -> None:
        """Take "fits" out of "I don't know whether it fits": the phrase before says it all."""
        for at, item in enumerate(self.items):
            if item.sort == "outcome" and item.text.rpartition(" ")[2] in words.CONDITIONS:
                kinds = {one.kind for one in item.outcome}
                for other in self.items[at + 1 :]:
                    if other.sort == "outcome" and {one.kind for one in other.outcome} <= kinds:
                        other.sort = "word"

    def drop_attributes(self) -> None:
        """Take "listed" out of "the listed price is $5": it only describes the measure."""
        for at, item in enumerate(self.items[:-1]):
            if item.sort == "outcome" and self.items[at + 1].sort == "cue":
                item.sort = "word" if self.counts() else item.sort

    def values(self) -> list[int]:
        """Return the places of what is to be checked: quantities and outcomes."""
        return [at for at, item in enumerate(self.items) if item.sort in VALUES]

    def counts(self) -> bool:
        """Whether a number stands in the clause."""
        return any(item.sort == "quantity" for item in self.items)

    def names(self) -> list[int]:
        """Return the places of the names that take part (not "instead of X")."""
        return [
            at
            for at, item in enumerate(self.items)
            if item.sort == "name" and not self._excluded(at)
        ]

    def has(self, vocabulary: frozenset[str]) -> bool:
        """Whether a grammar word of the set occurs."""
        return any(item.text in vocabulary for item in self.items if item.sort != "name")

    def before(self, at: int) -> str:
        """Return the word in front of a name, past articles and one adjective."""
        at -= 1
        while at >= 0 and self.items[at].text in words.DETERMINERS:
            at -= 1
        if at < 0:
            return ""
        item = self.items[at]
        if item.sort == "word" and at and item.text not in words.FUNCTION:
            previous = self.items[at - 1].text
            if previous in words.DETERMINERS and at > 1:
                previous = self.items[at - 2].text
            if previous in words.AGENT | words.PATIENT | words.INSTRUMENT:
                return previous
        return item.text if item.sort not in ("name", "quantity") else ""

    def _excluded(self, at: int) -> bool:
        if not at or self.items[at - 1].text not in _MAY_EXCLUDE:
            return False
        texts = [item.text for item in self.items[max(0, at - 4) : at]]
        while texts and texts[-1] in words.DETERMINERS:
            texts.pop()
        for size in (1, 2, 3):
            found = words.EXCLUDERS.find(texts, len(texts) - size) if len(texts) >= size else None
            if found and found[0] == size:
                return True
        return False


def cut(mentions: list[Mention]) -> list[Clause]:
    """Cut a sentence into clauses; what stands in brackets is a clause of its own ("aside")."""
    done: list[Clause] = []
    outer: list[Clause] = []
    clause = Clause()
    for at, item in enumerate(mentions):
        if item.text == "(" and item.sort == "break":
            if clause.values():
                done.append(clause)
                outer.append(Clause(",", []))
            else:
                outer.append(clause)
                clause.held = True
                done.append(Clause(clause.lead, list(clause.items)))
            clause = Clause("(", aside=True)
        elif item.text == ")" and outer:
            done.append(clause)
            clause = outer.pop()
        elif item.sort == "break" and _splits(clause, mentions, at):
            done.append(clause)
            clause = Clause(item.text)
        elif clause.lead in _RELATIVE and item.text in words.BE and clause.values():
            # "The goblin that Aria hit for 12 | is dead": the main clause goes on.
            done.append(clause)
            clause = Clause(RESUMED, [item])
        else:
            clause.items.append(item)
    return [clause for clause in (*done, *outer, clause) if clause.items]


def _splits(clause: Clause, mentions: list[Mention], at: int) -> bool:
    """Whether a break word ends the clause, or only strings names or words together."""
    text = mentions[at].text
    if not clause.items:
        return text not in words.SOFT
    if text in ("que", "as", "that"):
        return not _compares(clause, mentions, at)
    if text not in words.SOFT:
        return True
    if not clause.values() and not any(item.text == "than" for item in clause.items):
        # "Aria, hit by …" goes on; "Aria ducks, and the troll …" and "If …, it …" do not.
        if text in (":", "|"):
            return text == ":" and (not clause.names() or _opens_anew(mentions, at))
        conditional = text == "," and clause.lead in words.CONDITIONS
        return conditional or (_opens_anew(mentions, at) and _has_verb(clause))
    return not _strings_names(mentions, at)


def _opens_anew(mentions: list[Mention], at: int) -> bool:
    """Whether a subject follows a comma or "and": a pronoun or a name."""
    skipped = (*words.DETERMINERS, "and", "et", "but")
    rest = [item for item in mentions[at + 1 : at + 4] if item.text not in skipped]
    if not rest:
        return False
    return rest[0].text in words.SUBJECT_PRONOUNS or rest[0].sort == "name"


def _has_verb(clause: Clause) -> bool:
    """Whether something is said of the clause's first name, as far as one can tell without it."""
    names = clause.names()
    after = clause.items[names[0] + 1 :] if names else []
    return any(item.sort in ("word", "foreign") and _may_be_verb(item.text) for item in after)


def _may_be_verb(text: str) -> bool:
    return text.isalpha() and text not in (words.FUNCTION | words.AND) - words.AUXILIARIES


def _compares(clause: Clause, mentions: list[Mention], at: int) -> bool:
    texts = [item.text for item in clause.items]
    if mentions[at].text in ("que", "that"):
        return bool({"plus", "moins", "aussi", "autant", "fois"} & set(texts[-6:]))
    if {"as", "same", "equal", "identical"} & set(texts[-4:]):
        return True
    return any(item.text == "as" for item in mentions[at + 2 : at + 5])


def _strings_names(mentions: list[Mention], at: int) -> bool:
    """Whether only further names of a list follow ("for A and B")."""
    named = False
    for item in mentions[at + 1 :]:
        if item.sort == "break":
            break
        if item.sort == "name":
            named = True
        elif item.text in words.AUXILIARIES or item.text == "ne":
            return False  # "…, B does not"
        elif item.sort != "word" or item.text not in words.FUNCTION | words.EVERY | {"."}:
            return False
    return named


def groups(clause: Clause, places: list[int], loose: bool = False) -> list[list[int]]:
    """Put names strung together ("A, B and C") into one group each; `loose`: by commas alone."""
    found: list[list[int]] = []
    for place in places:
        if found and _joined(clause, found[-1][-1], place, loose):
            found[-1].append(place)
        else:
            found.append([place])
    return found


def _joined(clause: Clause, left: int, right: int, loose: bool) -> bool:
    between = clause.items[left + 1 : right]
    texts = [item.text for item in between if item.text not in words.DETERMINERS | words.TITLES]
    strung = all(text in words.AND or text in ("neither", "either") for text in texts)
    commas = texts != [","] or loose
    return bool(texts) and strung and commas and not clause.items[left].owner


@dataclass(slots=True)
class Roles:
    """Who acts, who is acted on; empty when the clause does not say."""

    agents: list[int] = field(default_factory=list)
    patients: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    passive: bool = False
    unclear: bool = False


def roles(clause: Clause, places: list[int], value: int) -> Roles:
    """Say which of the names at `places` acts and which is acted on, for the value at `value`."""
    made = Roles(passive=_passive(clause))
    receives = clause.has(words.RECEIVES) and not clause.has(words.GIVES)
    unmarked: list[list[int]] = []
    for group in groups(clause, places):
        mark = _mark(clause, group[0], receives)
        target = {"agent": made.agents, "patient": made.patients, "other": made.others}.get(mark)
        if target is None:
            unmarked.append(group)
        else:
            target.extend(group)
    _place(clause, made, unmarked, receives, value)
    return made


def _mark(clause: Clause, at: int, receives: bool) -> str:
    before = clause.before(at)
    if before in words.INSTRUMENT:
        return "other"
    if before == "from" and clause.has(words.DRAINS):
        return "patient"
    if before in words.AGENT or (receives and before in ("to", "de", "du", "à")):
        return "agent"
    if before == "of" and at >= 3 and clause.items[at - 2].text == "hands":
        return "agent"
    if before in words.PATIENT:
        return "patient"
    return "agent" if clause.items[at].owner and _owns_subject(clause, at) else ""


def _owns_subject(clause: Clause, at: int) -> bool:
    """Whether "A's blow" stands first, so that A acts through it."""
    return not any(item.sort == "name" for item in clause.items[:at])


def _passive(clause: Clause) -> bool:
    items = clause.items
    for at, item in enumerate(items):
        if item.text not in words.BE:
            continue
        for follower in items[at + 1 : at + 4]:
            text = follower.text.rpartition(" ")[2]
            if text in words.PARTICIPLES or text.endswith(("ed", "en", "é", "ée")):
                return follower.sort in ("outcome", "word", "cue")
            if follower.sort == "name":
                break
    return False


def _place(
    clause: Clause, made: Roles, unmarked: list[list[int]], receives: bool, value: int
) -> None:
    """Give the unmarked names their roles by voice and order."""
    if not unmarked:
        return
    first, rest = unmarked[0], unmarked[1:]
    if made.agents:
        made.patients.extend(first)
    elif made.patients:
        made.agents.extend(first)
    elif rest and _obscured(clause, first[-1], rest[0][0], value):
        made.unclear = True
    elif made.passive or receives:
        made.patients.extend(first)
        made.agents.extend(rest.pop(0) if rest else [])
    elif rest and _adjacent(clause, first[-1], rest[0][0]) and value > rest[0][0]:
        made.agents.extend(rest.pop(0))
        made.patients.extend(first)
    else:
        made.agents.extend(first)
        made.patients.extend(rest.pop(0) if rest else [])
    for group in rest:
        made.others.extend(group)


def _obscured(clause: Clause, left: int, right: int, value: int) -> bool:
    """Whether a preposition between two names leaves open who acts ("reels under B").

    A "for" right after the outcome is part of how it is said ("listed for M").
    """
    between = range(left + 1, right)
    said = [at for at in between if clause.items[at].text in words.OBSCURING]
    fixed = value + 1 if clause.items[value].sort == "outcome" else -1
    return any(at != fixed or clause.items[at].text != "for" for at in said)


def _adjacent(clause: Clause, left: int, right: int) -> bool:
    """Whether nothing that could be a verb stands between ("the goblin, whom Aria hits")."""
    between = clause.items[left + 1 : right]
    return all(item.text in words.DETERMINERS or item.sort == "break" for item in between)
