"""Adds to an answer about one part the facts that its message may have asked for as well.

What a message asks is often heard wrong, whatever the certainty, but which part it is about is not:
so what is likely to be wanted is told beside what was surely heard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleplay.agents.parts import state as did
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.catalog import Verdict
from ruleplay.agents.parts.domain.reader import (
    ASKED,
    DOUBT,
    GOALS,
    LIKELY,
    SURE,
    Reading,
    quoted,
    readings,
)
from ruleplay.agents.parts.domain.references import find_references
from ruleplay.agents.parts.domain.slots import CARD_GOALS, Goal
from ruleplay.agents.parts.domain.stopwords import COMMON
from ruleplay.agents.parts.domain.tokens import read_words
from ruleplay.agents.parts.domain.understanding import POLICIES
from ruleplay.agents.parts.domain.unread import unknown_thing
from ruleplay.agents.parts.domain.voice import voice
from ruleplay.agents.parts.policy import replies
from ruleplay.agents.parts.policy.pointing import name_words
from ruleplay.agents.parts.policy.subjects import SEARCHES
from ruleplay.agents.parts.state import Draft, Line

_LEAST = {"fit": 0.3, "price": 0.12, "fixes": 0.3, "work": 0.3}
"""Least probability of a question whose answer is told beside another, by kind of fact.

A price is asked for in many words and told in few; of the rest, what nobody asked for only delays
the answer that they wait for.
"""
_ASKS = {
    "fit": ("check",),
    "price": ("price", "onorder", "dear", "discount"),
    "fixes": ("diagnose", "about", "sure"),
    "work": ("effort", "install", "tools"),
}
"""What the reader may hear, by the kind of fact that answers it."""
_TOLD_BY = {
    Goal.CHECK: ("fit",), Goal.PRICE: ("price",), Goal.EFFORT: ("work",),
    Goal.INSTALL: ("work", "fit"), Goal.ABOUT: tuple(_ASKS), Goal.REPLACED: ("price",),
}  # fmt: skip
"""The facts that the answer to a question has."""


_STOCKED = "In Stock"
"""The catalog's word for what is on the shelf: when anything else comes is asked about it too."""
_FILLED = (did.ModelFilled, did.PartFilled, did.SymptomHeard)
_FEWEST = 3
"""Fewer words than this and one more make no question that has to be answered."""


def told_too(state: Draft, lines: Sequence[Line], earlier: Iterable[str]) -> list[Line]:
    """List facts of the one part that a turn is about, as far as its reply does not tell them.

    `earlier` are the replies in sight, whose facts are told again only if surely asked for.
    """
    returned = [one for one in state.events if isinstance(one, did.ToolReturned)]
    cards = {card.number: card for one in returned for card in one.cards}
    goals = {one.goal for one in returned}
    if any(isinstance(one, did.SafetyStopped) for one in state.events):
        return []  # nothing is sold in that turn
    if len(cards) > 1 and goals <= {*CARD_GOALS, *SEARCHES}:
        apart = [one for one in returned if one.goal in CARD_GOALS and one.how != "compared"]
        priced = [card for one in apart for card in one.cards]
        return _fits_of_new(state, priced)
    if len(cards) != 1 or not goals <= {*CARD_GOALS, Goal.CHECK, Goal.INSTALL} or state.now.asked:
        return []
    (card,) = cards.values()
    told = {kind for goal in goals for kind in _TOLD_BY.get(goal, ())}
    read = readings(state.given.message, ())
    shares = asked_for(read)
    if Goal.CHECK in goals:  # "are you sure it's for mine" is about the fit
        shares["fixes"] = _most(read, ("diagnose", "about"))
    told |= {"price", "work"} if any(one.id == f"card:{card.number}" for one in lines) else set()
    if "shipping" in {one.topic for one in state.events if isinstance(one, did.Answered)}:
        shares["price"] = max(shares["price"], 1.0 if card.availability != _STOCKED else 0.0)
    wanted = [kind for kind in _ASKS if shares[kind] >= _LEAST[kind] and kind not in told]
    seen = _in_sight(card, [*earlier], voice(state.now.language).label(card.time))
    seen |= {"fixes"} if any(one.fixes for one in _before(state, card)) else set()
    asked = {one.goal for one in read if one.sure >= LIKELY}  # of some clause the likeliest
    surely = {kind for kind in wanted if _ASKS[kind][0] in asked}
    kinds = [kind for kind in wanted if kind in surely or kind not in seen]
    asks = card.fit == Verdict.NOT_LISTED or _is_new(state, card) or bool(state.unread)
    if asks and "fit" not in {*told, *kinds, *seen}:
        kinds = ["fit", *kinds]
    return replies.facts(card, voice(state.now.language), kinds)


def _fits_of_new(state: Draft, cards: Iterable[Card]) -> list[Line]:
    """Say of each part whether it is listed for the model that the message has given."""
    words = voice(state.now.language)
    new = [card for card in cards if _is_new(state, card)]
    return [line for card in new for line in replies.facts(card, words, ["fit"])]


def _is_new(state: Draft, card: Card) -> bool:
    """Whether a part's model was given just now, or since it was shown for another.

    Who names a model wants a part for it.
    """
    filled = {one.slot.value for one in state.events if isinstance(one, did.ModelFilled)}
    shown = {one.model for one in _before(state, card)} - {""}
    return bool(card.model) and (card.model in filled or bool(shown - {card.model}))


def _before(state: Draft, card: Card) -> list[Card]:
    known = (*state.before.cards, *state.before.spoken)
    return [one for one in known if one.number == card.number]


def asked_for(read: Sequence[Reading]) -> dict[str, float]:
    """Return how likely each kind of fact is asked for, anywhere in what was read."""
    return {kind: _most(read, labels) for kind, labels in _ASKS.items()}


def _most(read: Sequence[Reading], labels: Sequence[str]) -> float:
    """Find how likely any of these labels is in any clause."""
    return max(one.shares.get(label, 0) for one in read for label in labels)


def answers(state: Draft, quote: str) -> bool:
    """Whether what a turn has found answers a clause that was not read, or makes it idle.

    "What do you think it is?" is answered by the list of what it may be.
    """
    found = [one.goal for one in state.events if isinstance(one, did.ToolReturned)]
    found += [Goal.DIAGNOSE for one in state.lines if one.id.startswith("suspected:")]
    read = readings(quote, ())[:1]
    plain = read[0].sure < SURE and not unknown_thing(quote, state.now.language)
    if plain and (found or state.lines):
        return True  # "if I may ask": nothing in it asks for anything else
    topics = {one.topic for one in state.events if isinstance(one, did.Answered)}
    if read[0].goal in POLICIES and not topics.isdisjoint(POLICIES):
        return True  # "can I send it back, how many days do I get?"
    likeliest = max(read[0].shares, key=lambda label: read[0].shares[label], default="")
    listed = not {*SEARCHES}.isdisjoint(found)
    # "And the other one? Both in stock?"
    points = any(one.way != "it" for one in find_references(quote, state.now.language))
    told = points or any(share >= LIKELY for share in asked_for(read).values())
    settled = likeliest in (*GOALS, "sure") or ((listed or told) and likeliest != "untold")
    return bool(found) and settled


def passed_over(state: Draft) -> str:
    """Quote the clauses that end in a question mark and that nothing of a turn is about."""
    message = state.given.message
    raised = [one.question for one in state.events if isinstance(one, did.QuestionRaised)]
    about = [s.evidence for one in raised for s in (one.part, one.description, one.model) if s]
    about += [one.slot.evidence for one in state.events if isinstance(one, _FILLED)]
    turn = max((one.turn for one in about), default=0)
    spots = [one for one in about if one.turn == turn and one.text]
    topics = {one.topic for one in state.events if isinstance(one, did.Answered)}
    done = topics | {one.goal for one in raised}
    # What a complaint asks, the list of causes or the question about it answers.
    if "untold" in topics or not done.isdisjoint(SEARCHES) or state.now.missing[:1] == ("part",):
        return ""
    shown = [c for one in state.events if isinstance(one, did.ToolReturned) for c in one.cards]
    named = {word for card in shown for word in name_words(card.name)} - COMMON
    return " … ".join(
        quoted(one.text)
        for one in readings(message, ())[1:]
        if one.text.rstrip().endswith("?")
        and one.words > _FEWEST
        and not any(one.start <= spot.start < one.end for spot in spots)
        and not any(
            ASKED.get(label) in done for label, share in one.shares.items() if share >= DOUBT
        )
        and not named & {word.text for word in read_words(one.text)}
        and not answers(state, one.text)
    )


def _in_sight(card: Card, earlier: Sequence[str], time: str) -> set[str]:
    """List the kinds of facts that replies in sight have told of a part."""
    own = [text for text in earlier if card.number in text]
    price = f"{card.price}" if card.price else ""
    told = {"price"} if any(price and price.split(".")[0] in text for text in own) else set[str]()
    told |= {"work"} if any(time and time in text for text in own) else set()
    return told | ({"fit"} if any(card.model and card.model in text for text in own) else set())
