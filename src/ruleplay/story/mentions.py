"""Find what words mention: beings, places, things, skills, topics and prepared deeds."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ruleplay.story.texts import Frozen, table
from ruleplay.story.wording import Phrase, akin, find, same

THING = 4
"""Fewest letters of a deed's last word by which its thing alone can mean the deed."""
NEGATORS = frozenset(
    ("not", "never", "don", "dont", "pas", "jamais", "without", "won", "refuse", "nothing", "rien")
)
STEPS = frozenset(("a", "au", "un", "de", "d", "mes", "ses"))
"""After these words French "pas" means a step rather than "not": "à pas de loup"."""
CONDITIONS = frozenset(("if", "si"))
"""Words that make a sentence conditional."""
ELIDED = (("s", "il"), ("s", "ils"))
"""The elided forms of "si": "s'il"."""
POLITE = (" s il vous plait ", " s il te plait ")
"""French for "please", which contains "s'il" but is no condition."""


class Named(Frozen):
    """Something that can be meant, and the phrases by which it is; proper ones come first.

    `here`: in the fight still, on the other side. `told`: players have been told that it can be.
    """

    id: str
    phrases: tuple[Phrase, ...]
    here: bool = True
    told: bool = True


class Scope(Frozen):
    """Everything a message can be about where somebody is; `absent` are people who are not here."""

    mode: str
    beings: tuple[Named, ...] = ()
    places: tuple[Named, ...] = ()
    items: tuple[Named, ...] = ()
    deeds: tuple[Named, ...] = ()
    topics: tuple[tuple[str, Named], ...] = ()
    skills: tuple[Named, ...] = ()
    sold: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()
    remedies: tuple[str, ...] = ()
    absent: tuple[Named, ...] = ()

    @property
    def spoken_of(self) -> tuple[Named, ...]:
        """Everything that can be mentioned here, including topics and deeds."""
        topics = (topic for _, topic in self.topics)
        return (*self.beings, *self.places, *self.items, *self.deeds, *topics)


def mentioned(clause: Phrase, named: Sequence[Named]) -> Named | None:
    """Return what a clause names: the longest phrase wins, then a proper name, then the order."""
    found = [
        (len(phrase), at == 0, one)
        for one in named
        for at, phrase in enumerate(one.phrases)
        if phrase and find(clause, phrase) is not None
    ]
    return max(found, key=lambda each: each[:2])[2] if found else None


def named_at(words: Phrase, at: int, named: Sequence[Named]) -> tuple[int, Named | None]:
    """Find the longest name at a position: its length in words and its owner, or (0, None)."""
    longest, first, room = 0, words[at], len(words) - at
    owner: Named | None = None
    for one in named:
        for phrase in one.phrases:
            # The first word alone rules out nearly every phrase, and slices cost more than it.
            fits = longest < (size := len(phrase)) <= room and same(first, phrase[0])
            if fits and all(map(same, words[at : at + size], phrase)):
                longest, owner = size, one
    return longest, owner


def each_mentioned(words: Phrase, named: Sequence[Named]) -> list[Named]:
    """List everything that words name, in the order of mention."""
    found, at = list[Named](), 0
    while at < len(words):
        size, one = named_at(words, at, named)
        found += [one] if one else []
        at += size or 1
    return found


def only_person(scope: Scope) -> str:
    """Return the only person here, empty if there are none or several."""
    people = {one.id for one in scope.beings if not one.id.startswith("encounter:")}
    return next(iter(people)) if len(people) == 1 else ""


def negated(words: Phrase) -> bool:
    """Whether words contain a negation."""
    return any(
        word in NEGATORS and (word != "pas" or before not in STEPS)
        for before, word in itertools.pairwise(("", *words))
    )


def left_out(words: Phrase, named: Named) -> bool:
    """Whether somebody is named right after a negation, as in "not Sunniva" and "pas à Pell"."""
    joins = (*table("prepositions", "en"), *table("prepositions", "fr"))
    return any(
        named_at(words, at, (named,))[1] is not None
        and (words[at - 1] in NEGATORS or (words[at - 1] in joins and words[at - 2] in NEGATORS))
        for at in range(1, len(words))
    )


def conditional(words: Phrase) -> bool:
    """Whether words are conditional; on what, only a model could tell."""
    said = f" {' '.join(words)} "
    for please in POLITE:
        said = said.replace(please, " ")
    words = tuple(said.split())
    elided = any(pair in ELIDED for pair in itertools.pairwise(words))
    return elided or not CONDITIONS.isdisjoint(words)


def topic_in(words: Phrase, scope: Scope, person: str) -> str:
    """Return the topic of a person that is mentioned, the last one of several; empty for none."""
    found = [
        topic.id
        for owner, topic in scope.topics
        if owner == person and any(find(words, phrase) is not None for phrase in topic.phrases)
    ]
    return found[-1] if found else ""


def deed_in(words: Phrase, scope: Scope, *, hands: bool) -> str:
    """Return the deed all of whose words are there; with `hands` its thing alone suffices.

    Naming the thing counts only if it means a single deed that the player has been told of.
    """
    best, size = "", 0
    for deed in scope.deeds:
        for phrase in deed.phrases:
            if len(phrase) > size and all(any(akin(w, p) for w in words) for p in phrase):
                best, size = deed.id, len(phrase)
    if best or not hands:
        return best
    found = {
        deed.id
        for deed in scope.deeds
        if deed.told
        for phrase in deed.phrases
        if len(phrase[-1]) >= THING and any(same(word, phrase[-1]) for word in words)
    }
    return found.pop() if len(found) == 1 else ""
