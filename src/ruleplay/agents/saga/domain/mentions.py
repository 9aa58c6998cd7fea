"""What words mention: beings, places, things, topics and what a scenario prepared."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.saga.domain import lexemes
from ruleplay.agents.saga.domain.scope import Named, Scope
from ruleplay.agents.saga.domain.wording import Phrase, find, same

THING = 4
"""Letters from which on a deed's last word names a thing."""


def mentioned(clause: Phrase, named: Sequence[Named]) -> Named | None:
    """Return what a clause names: by the most words, then by the order of the scope."""
    best: tuple[int, Named] | None = None
    for one in named:
        for phrase in one.phrases:
            if phrase and find(clause, phrase) is not None and (not best or len(phrase) > best[0]):
                best = (len(phrase), one)
    return best[1] if best else None


def merely_names(clause: Phrase, being: Named) -> bool:
    """Whether a clause names somebody and says nothing else."""
    names = {word for phrase in being.phrases for word in phrase}
    return all(
        word in lexemes.FILLERS or any(same(word, name) for name in names) for word in clause
    )


def only_person(scope: Scope) -> str:
    """Return who is there to be talked to, when it is one person."""
    people = {one.id for one in scope.beings if not one.id.startswith("encounter:")}
    return next(iter(people)) if len(people) == 1 else ""


def negated(words: Phrase) -> bool:
    """Whether something is said not to be meant."""
    if not lexemes.NEGATORS & set(words):
        return False
    return all(find(words, phrase) is None for phrase in lexemes.UNNEGATED)


def stows(clause: Phrase) -> bool:
    """Whether a clause is about putting a weapon away."""
    return any(find(clause, phrase) is not None for phrase in lexemes.STOWING)


def topic_in(words: Phrase, scope: Scope, person: str) -> str:
    """Return the topic of a person that is mentioned; what merely greets comes last."""
    found = [
        topic.id
        for owner, topic in scope.topics
        if owner == person and any(find(words, phrase) is not None for phrase in topic.phrases)
    ]
    return found[-1] if found else ""


def handled(words: Phrase, scope: Scope) -> str:
    """Return the deed whose thing is named beside a verb of doing something with the hands."""
    if all(find(words, phrase) is None for phrase in lexemes.HANDLING):
        return ""
    found = {
        deed.id
        for deed in scope.deeds
        if deed.told
        for phrase in deed.phrases
        if len(phrase[-1]) >= THING and any(same(word, phrase[-1]) for word in words)
    }
    return found.pop() if len(found) == 1 else ""
