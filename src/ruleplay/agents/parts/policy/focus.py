"""Finds which parts a message without numbers is about: those named, shown or mentioned last."""

from __future__ import annotations

import re

from ruleplay.agents.parts import state as did
from ruleplay.agents.parts.domain.appliances import find_appliances, is_inside
from ruleplay.agents.parts.domain.cards import Card, Spread
from ruleplay.agents.parts.domain.catalog import Verdict
from ruleplay.agents.parts.domain.descriptions import Description, parts_named
from ruleplay.agents.parts.domain.diagnosis import fold
from ruleplay.agents.parts.domain.reader import asked_as
from ruleplay.agents.parts.domain.references import excluded, find_references, sums_said
from ruleplay.agents.parts.domain.slots import Goal, UnconfirmedId, VerifiedModel, VerifiedPart
from ruleplay.agents.parts.domain.tokens import read_words
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.domain.voice import Voice, voice
from ruleplay.agents.parts.policy import replies, weighing
from ruleplay.agents.parts.policy.pointing import (
    by_kind,
    is_called,
    own_words,
)
from ruleplay.agents.parts.state import Draft, Line, State

SHORT = 2
"""Most words of a question that merely names what may come with a part."""
FEW = 3
"""Most parts that can be ordered without naming them."""
_LONG = 5
"""Leading letters by which telling words are compared; most common words are shorter."""
_STOPS = re.compile(r"[.?!;,:\n]")


def known_to_fix(state: Draft) -> list[Line]:
    """Say that the part mentioned last is known for a symptom stated now."""
    told = {fold(one.slot.value) for one in state.events if isinstance(one, did.SymptomHeard)}
    words, card = voice(state.now.language), next(iter(in_focus(state)), None)
    fixed = [words.label(one) for one in card.symptoms if fold(one) in told] if card else []
    gaps = {"part": replies.called(card), "what": words.listed(fixed)} if card else {}
    return [replies.told("fixes", "fixes_it", words, found=True, **gaps)] if fixed else []


def told_of(state: Draft, topic: str, words: Voice, contact: str = "") -> list[Line]:
    """Answer a side question about parts shown or mentioned last; empty if it is about none."""
    meant = in_focus(state)
    match topic:
        case "untold":
            return [untold(state, contact, words)]
        case "on_order":
            reach = replies.reached(contact, words)
            dated = replies.told("aside:date", "no_date", words, contact=reach)
            return [*(replies.price(one, words) for one in meant), dated] if meant else []
        case "quote" if sums := sums_said(state.given.message):
            return [line for one in meant for line in weighing.quoted(max(sums), one, words)]
        case "tried":
            return [tried(state, words)]
        case "sure":
            return surest(state, words)
        case "by_price" if len(pointed_at(state.before)) > 1 and len(state.before.focus) != 1:
            return []
        case "dear" | "by_price":
            return [weighing.dear(one, words) for one in meant if not _names_another(state, one)]
    return []


def goes_with(state: Draft) -> list[Card]:
    """Find the part that a few words may ask about, which name nothing of the model: "screws?"."""
    short = "?" in state.given.message and len(read_words(state.given.message)) <= SHORT
    return in_focus(state) if short and state.before.done else []


def _names_another(state: Draft, card: Card) -> bool:
    """Whether a message names parts, but not this one: "the stop or the clip, what's cheaper"."""
    nouns = parts_named(state.given.message, state.now.language)
    return bool(nouns) and not any(is_called(card.name, one.terms) for one in nouns)


def untold(state: Draft, contact: str, words: Voice) -> Line:
    """Say what the catalog does not tell, of the part asked about: "does it come with a hose?"."""
    quote = asked_as(state.given.message, "untold")
    return replies.untold(_asked_of(state), quote, contact, words)


def _asked_of(state: Draft) -> list[Card]:
    """Find the part that stands first in a question about it, else those spoken of last."""
    message, language = state.given.message, state.now.language
    its = [one.start for one in find_references(message, language) if one.way == "it"]
    first = parts_named(message, language)[:1]
    known = {card.number: card for card in (*state.now.spoken, *state.now.cards)}
    filled = [event.slot.value for event in state.events if isinstance(event, did.PartFilled)]
    if len(named := [one for one in filled if one in message]) == 1:
        return [known[one] for one in named if one in known]
    raised = [event.question for event in state.events if isinstance(event, did.QuestionRaised)]
    sought = [one.description.evidence.text for one in raised if one.description]
    if any(noun.text in sought for noun in first):
        return []  # what is looked for now is not yet known
    for noun in first if not its or (first and first[0].start < its[0]) else ():
        words = (*noun.terms[:1], *(word.text for word in read_words(noun.text)))
        shown = [one for one in known.values() if is_called(one.name, words)]
        if 0 < len(shown) < FEW:
            return shown
        if raised or (its and not shown):
            return []
    meant = filled or _meant_now(state) or state.before.focus
    return [known[one] for one in meant if one in known] if len(meant) <= FEW else []


def _meant_now(state: Draft) -> list[str]:
    """List the parts that this message points at, or that the answer to it puts first."""
    raised = [event.question for event in state.events if isinstance(event, did.QuestionRaised)]
    pointed = [one.part.value for one in raised if isinstance(one.part, VerifiedPart)]
    unsure = [one.part.options for one in raised if isinstance(one.part, UnconfirmedId)]
    pointed += [option.number for options in unsure for option in options]
    first = [event.about for event in state.events if isinstance(event, did.Answered)]
    return list(dict.fromkeys(filter(None, pointed or first)))


def surest(state: Draft, words: Voice) -> list[Line]:
    """Say what to check first of the parts shown or, if one is ruled out, what is left."""
    cards = state.before.cards
    if meant := _named_in(state, not_meant=True):
        left = [card for card in cards if card != meant[0]]
        return [replies.tried(left, words) if left else replies.aside("left_none", words)]
    named = _named_in(state) if state.now.slots.symptoms else []
    if 0 < len(named) < FEW:
        called = parts_named(state.given.message, state.now.language)[0].text
        known = [one for one in named if one.fixes]
        return [replies.conjecture(called, [one], words) for one in known] or [
            replies.conjecture(called, (), words)
        ]
    shared = [
        one for one in state.before.spoken for own in cards[:1] if {*one.fixes} & {*own.fixes}
    ]
    only = len(cards) == 1 >= len(shared) and state.before.goal is Goal.DIAGNOSE
    alone = [replies.conjecture("", cards, words), replies.aside("left_none", words)]
    return alone if only else weighing.sure(cards, words)


def tried(state: Draft, words: Voice) -> Line:
    """Acknowledge what was tried already, and say which of the parts shown are left."""
    out, pointed = _named_in(state), in_focus(state)
    named = parts_named(state.given.message, state.now.language)
    ruled_out = out if named else pointed
    left = [card for card in state.before.cards if card not in ruled_out]
    return replies.tried(left if named or pointed else [], words)


def _named_in(state: Draft, *, not_meant: bool = False) -> list[Card]:
    """Find the shown cards that a message names, or with `not_meant` those that it excludes."""
    message, language = state.given.message, state.now.language
    nouns = parts_named(message, language)
    if not_meant:
        nouns = tuple(one for one in nouns if excluded(message, one.start, language))
    named = [
        card for card in state.before.cards if any(is_called(card.name, n.terms) for n in nouns)
    ]
    said = [word.text[:_LONG] for noun in nouns for word in read_words(noun.text)]
    said = [word for word in (*said, *(w for n in nouns for w in n.weak)) if len(word) == _LONG]
    # Long words such as "circulation" tell parts of one kind apart; short ones rarely do.
    exact = [card for card in named if any(is_called(card.name, (word,)) for word in said)]
    return exact if len(nouns) == 1 and exact else named


def conjectured(state: Draft) -> Description | None:
    """Find the part that a question names as a possible cause: "it leaks, is it the seal?".

    A question that itself complains does not count: "does the door leak?".
    """
    message, told = state.given.message, state.now.slots.symptoms
    said = (one.evidence for one in told)
    # Evidence may be from an earlier turn, so it has to match this message's text.
    spots = [one.start for one in said if message.startswith(one.text, one.start)]
    for noun in parts_named(message, state.now.language):
        asked = _STOPS.search(message, noun.end)
        begins = max((one.end() for one in _STOPS.finditer(message, 0, noun.start)), default=0)
        complains = asked and any(begins <= spot < asked.start() for spot in spots)
        if asked and asked[0] == "?" and not complains:
            return noun
    return None


def wants_cheaper(state: Draft, topic: str) -> bool:
    """Whether a side question about a price asks for something cheaper."""
    ranks = asks_of_price(state.given.message, state.now.language)
    return topic == "by_price" or (topic == "dear" and ranks)


def asks_of_price(message: str, language: str) -> bool:
    """Whether parts are compared by price."""
    return any(one.way in ("cheapest", "dearest") for one in find_references(message, language))


def in_focus(state: Draft) -> list[Card]:
    """Find the one part that "is it white" can refer to: named now, or else mentioned last."""
    before, named = state.before, _named_in(state)
    if len(named) == 1:
        return named
    told = [event.slot.value for event in state.events if isinstance(event, did.PartFilled)]
    known = {card.number: card for card in (*before.spoken, *before.cards)}
    # A part filled in this turn takes precedence over the one mentioned before.
    meant = [number for number in told or before.focus if number in known]
    return [known[number] for number in meant] if len(meant) == 1 else []


def put_first(state: State, heard: Understood, topic: str) -> str:
    """Find which of the parts shown the answer to a side question puts first."""
    nouns = parts_named(heard.message, heard.language)
    if topic == "compare" and asks_of_price(heard.message, heard.language):
        priced = [one for one in pointed_at(state) if one.price is not None]
        least = min(priced, key=lambda one: one.price or 0, default=None)
        return least.number if least else ""
    named = [one for one in state.cards if any(is_called(one.name, n.terms) for n in nouns)]
    if nouns and topic != "tried":
        return named[0].number if len(named) == 1 else ""
    if not nouns and topic != "sure":
        return ""
    left = [one for one in state.cards if one not in named]
    return left[0].number if left and len(state.cards) > 1 else ""


def told_fit(before: State, returned: did.ToolReturned) -> bool:
    """Whether the question repeats a fit that was already confirmed."""
    if returned.how != "antecedent":
        return False
    part, model = str(returned.args["part"]), str(returned.args["model"])
    known = (one for one in (*before.cards, *before.spoken) if one.number == part)
    return any(one.fit == Verdict.LISTED and one.model == model for one in known)


def to_buy(draft: Draft) -> list[Card]:
    """List the parts that an order would be for: those mentioned last, if they are few.

    "Both" are the last two that were told of.
    """
    state, message = draft.now, draft.given.message
    counts = [one.count for one in find_references(message, state.language) if one.way == "they"]
    if max(counts, default=0) > max(len(state.focus), 1):
        return list(state.spoken[-max(counts) :])
    known = {card.number: card for card in (*state.cards, *state.spoken)}
    meant = [known[number] for number in state.focus if number in known]
    return meant if len(meant) <= FEW else []


def ways(state: Draft) -> set[str]:
    """Return the ways in which a message points at something: "other", "cheapest"."""
    return {one.way for one in find_references(state.given.message, state.now.language)}


def each_machine(state: Draft) -> list[State]:
    """Look at the case as if it were that of each machine that the message names, or as it is."""
    named = find_appliances(state.given.message, state.now.language)
    every = dict.fromkeys(one.appliance for one in named)
    kinds = [one for one in every if not any(is_inside(one, other) for other in every)]
    return [state.now.but(appliance=kind) for kind in kinds if len(kinds) > 1] or [state.now]


def names_machine(state: Draft) -> bool:
    """Whether a message names an appliance."""
    return bool(find_appliances(state.given.message, state.now.language))


def suspected(state: Draft, spread: Spread, words: Voice, *, priced: bool = False) -> Line:
    """Say which parts are known for the symptoms, and whether one that was named is among them."""
    known = [cards[0] for cards in by_kind(spread.cards).values()]
    nouns = parts_named(state.given.message, state.now.language)
    said = {one.text for one in read_words(state.given.message) if len(one.text) > _LONG}
    heads = [one.terms[0] for one in nouns]
    named = [one for one in known if is_called(one.name, heads) or said & {*own_words(one)}]
    found = named if conjectured(state) else None
    file = state.now.cases[0]
    return weighing.suspected(spread, None if priced else found, words, file, priced=priced)


def pointed_at(state: State) -> list[Card]:
    """List the parts that "those two" can refer to: of the open choice, or else the last ones."""
    part = state.slots.part
    # Options of an open choice are what the customer is looking at.
    waiting = {one.number for one in part.options} if isinstance(part, UnconfirmedId) else set()
    known = {card.number: card for card in (*state.spoken, *state.cards)}
    chosen = waiting or {*state.focus}
    cards = [card for number, card in known.items() if number in chosen]
    return cards if len(cards) > 1 else list(state.spoken[-2:])


def recalled(state: Draft, words: Voice) -> list[Line]:
    """List again the parts last shown for the machine that a message comes back to."""
    model, back = state.now.slots.model, any(isinstance(e, did.CaseResumed) for e in state.events)
    if not (back and isinstance(model, VerifiedModel)):
        return []
    own = [card for card in state.now.spoken if card.model == model.value]
    last = [card for card in own if card.number in state.now.focus] or own
    cards = [replies.card_line(card, words, explains=len(last) == 1) for card in last]
    return [replies.model_fact(model, words), *cards] if cards else []
