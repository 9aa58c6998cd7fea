"""Tells which of some parts the words of a message single out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleplay.agents.parts.domain.cards import Card, Spread
from ruleplay.agents.parts.domain.descriptions import parts_named, qualifiers
from ruleplay.agents.parts.domain.references import plain_word
from ruleplay.agents.parts.domain.slots import (
    DescriptionSlot,
    Evidence,
    Goal,
    Question,
    UnconfirmedId,
)
from ruleplay.agents.parts.domain.stopwords import COMMON
from ruleplay.agents.parts.domain.tokens import read_words
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.policy.pointing import name_words, part_of, unexcluded_words
from ruleplay.agents.parts.state import State

_TOLD = 2
"""Parts that were told of last, of which a variant may be one."""
_FEW = 3
"""Most parts that are told of one by one anyway."""
_SHORTEST = 4
"""Fewest letters of a word that is compared with the names of parts."""


def singled_out(cards: Sequence[Card], heard: Understood) -> list[Card]:
    """Select the parts whose names have most of the words that tell some of them apart.

    Words that a message says are not meant do not count; empty if no word tells any apart.
    """
    text = unexcluded_words(heard.message, heard.language)
    return having(cards, text, heard.language, (one.terms[0] for one in heard.named))


def having(
    cards: Sequence[Card], text: str, language: str, named: Iterable[str] = ()
) -> list[Card]:
    """Select the parts whose names have most of the words of a text that tell some apart."""
    terms = {*qualifiers(text, language), *named}
    terms |= {word.text for word in read_words(text) if _may_tell(word.text, language)}
    names = [name_words(card.name) for card in cards]
    telling = [term for term in terms if not all(_has(name, term) for name in names)]
    scores = [sum(_has(name, term) for term in telling) for name in names]
    best = max(scores, default=0)
    return [card for card, score in zip(cards, scores, strict=True) if score == best > 0]


def of_described(
    cards: Sequence[Card], described: DescriptionSlot, message: str, language: str
) -> tuple[Card, ...]:
    """Narrow what a search has found to the one that the words behind a description single out.

    "The support, the rear one, not the front": what tells parts apart need not stand at the name.
    """
    if described.sort == "roundabout":  # which is told by all its words
        return tuple(cards)
    begins, text = described.evidence.start, unexcluded_words(message, language)
    others = (one.start for one in parts_named(message, language))
    ends = min((at for at in others if at >= described.evidence.end), default=len(text))
    only = having(cards, " ".join(qualifiers(text[begins:ends], language)), "en")
    return tuple(only) if len(only) == 1 else tuple(cards)


def of_spread(found: Spread, text: str, language: str) -> Spread:
    """Narrow many parts of any model to the one that the words of a text single out."""
    only = having(found.cards, text, language)
    if found.near or len(only) != 1 or found.count <= _FEW:
        return found
    return found.model_copy(update={"cards": tuple(only), "count": 1})


def _may_tell(word: str, language: str) -> bool:
    return len(word) >= _SHORTEST and word not in COMMON and not plain_word(word, language)


def _has(name: Sequence[str], term: str) -> bool:
    return any(word.startswith(term) or term.startswith(word) for word in name if len(word) > 2)


def _is_so(card: Card, said: Sequence[str]) -> bool:
    return all(_has(name_words(card.name), word) for word in said)


def told_apart(state: State, heard: Understood, asked: Question) -> Question:
    """Settle by the words of a message which of several shown parts a question is about.

    "The water one" after a button for water and a lever for ice is neither a choice nor a search.
    """
    if heard.wishes is not None:
        return asked
    part, known = asked.part, {card.number: card for card in (*state.spoken, *state.cards)}
    options = part.options if isinstance(part, UnconfirmedId) and part.pointed else ()
    among = [known[one.number] for one in options if one.number in known]
    about = asked.description
    if about is not None and about.sort == "variant":
        told = {*state.focus, *(one.number for one in state.spoken[-_TOLD:])}
        among = [card for number, card in known.items() if number in told]
        among = among if any(_is_so(card, about.said) for card in among) else []
    only = singled_out(among, heard) if len(among) > 1 else []
    if len(only) != 1:
        return asked
    said = about.evidence if about else part.evidence if part else None
    turn, text = said.turn if said else 0, heard.message
    whole = Evidence(turn=turn, start=0, end=len(text), text=text)
    spot = said if said and said.text and said.text in text else whole
    goal = Goal.ABOUT if asked.goal is Goal.FIND else asked.goal
    taken = {"part": part_of(only[0], spot), "description": None, "how": "shown", "goal": goal}
    return asked.model_copy(update=taken)
