"""Finds the parts that a message names by kind, among those shown or by a description."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.descriptions import (
    PLACES,
    Description,
    head_of,
    leads_to_place,
    qualifiers,
    vague_at,
)
from ruleplay.agents.parts.domain.ids import Choice, ModelFound, PartFound, Span
from ruleplay.agents.parts.domain.intents import Intent
from ruleplay.agents.parts.domain.reader import TOPICS, VERY_SURE, Reading, clause_of, readings
from ruleplay.agents.parts.domain.references import (
    RANKED,
    Reference,
    excluded,
    is_article,
    is_standard,
    joined,
    numbering,
    plain_word,
)
from ruleplay.agents.parts.domain.slots import DescriptionSlot, Goal, VerifiedPart
from ruleplay.agents.parts.domain.tokens import read_words, words_before
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.policy.clauses import ASKING, Clause
from ruleplay.agents.parts.policy.pointing import (
    Subject,
    counted_at,
    description_slot,
    is_called,
    kind_of,
    narrowed,
    picked,
    surely_called,
)
from ruleplay.agents.parts.policy.unasked import in_symptom
from ruleplay.agents.parts.state import State

_ANDS = re.compile(r"\s(?:and|&|with)\s", re.IGNORECASE)
_BEYOND = 1
"""Most words by which a complaint may exceed what is said to be broken: "the lever is loose"."""
_COPULAS = ("is", "est", "es")
"""Words that say what something is."""
_NAMING = 4
"""Words between a part and what completes its name are fewer."""


def nouns_meant(state: State, heard: Understood, clause: Clause, turn: int) -> Iterator[Subject]:
    """Find the parts named by kind, except nouns that only say what a number is."""
    before: list[Subject] = []
    for noun in heard.named:
        if not clause.holds(noun.start) or in_symptom(heard, noun):
            continue
        if excluded(heard.message, noun.start, heard.language):
            continue
        if heard.goals and is_standard(heard.message, noun.start, heard.language):
            continue  # "dearer than the seal. Is it easy?"
        if _only_told(heard, noun, clause) or _accessory(heard, noun) or _holds_it(heard, noun):
            continue
        if apposed(heard, noun) or any(_is_piece(heard, one, noun) for one in before):
            continue
        fits = clause.goal is Goal.CHECK
        before = _more_meant(state, heard, noun, turn)
        before = before or noun_meant(state, heard, noun, turn, fits=fits)
        yield from before


def asks_what_it_is(state: State, heard: Understood) -> bool:
    """Whether a question only describes the part spoken of: "is that the thing you pull?"."""
    begins = vague_at(heard.message, heard.language)
    its = [one.start for one in heard.references if one.way == "it"]
    only = {*heard.goals} <= {Goal.ABOUT, Goal.FIND} and not (heard.found or heard.symptoms)
    asks = only and "?" in heard.message and len(state.focus) == 1 and state.done
    return asks and begins is not None and bool(its) and min(its) <= begins


def _is_piece(heard: Understood, before: Subject, noun: Description) -> bool:
    """Whether a noun only completes the name of the part before it: "the latch w the gasket"."""
    part = before.part
    if not isinstance(part, VerifiedPart) or not is_called(part.name, noun.terms):
        return False
    between = heard.message[part.evidence.end : noun.start]
    stopped = any(char in ".?!;" for char in between) or joined(between, heard.language)
    return not stopped and len(between.split()) < _NAMING


def _accessory(heard: Understood, noun: Description) -> bool:
    """Whether a noun is what may come with a part: "does it come with the screws?".

    Beside another question the part has to stand before it: "the cheaper one, has it its screws?".
    """
    asked = [one for one in heard.intents if one.value == "untold"]
    told = [one.start for one in heard.references] + [one.start for one in heard.named]
    behind = [one for one in asked if any(one.start <= at < noun.start for at in told)]
    beside = any(noun.start < one.end for one in behind)
    goals = [one.start for one in heard.intents if one.kind in ASKING]
    alone = [one for one in asked if not any(one.start <= at < one.end for at in goals)]
    # "What do I pay for both, and do the screws come with it?"
    beside = beside or any(one.start <= noun.start < one.end for one in alone)
    return beside or (not heard.goals and any(one.start <= noun.start for one in asked))


def _holds_it(heard: Understood, noun: Description) -> bool:
    """Whether a noun is merely where "it" is: "you got it on the shelf?"."""
    its = [one.end for one in heard.references if one.way == "it" and one.end <= noun.start]
    if not any(isinstance(one, PartFound) for one in heard.found):
        return False  # "how much is it for the basket" asks of the basket
    between = heard.message[max(its) : noun.start] if its else ""
    return leads_to_place(between, heard.language) and not (noun.broken or noun.wanted)


def _only_told(heard: Understood, noun: Description, clause: Clause) -> bool:
    """Whether a noun is in a statement before the question, which names its own part.

    "I have cleaned the filter. How much is the pump?" asks nothing about the filter.
    """
    asking = [one.start for one in heard.intents if one.kind in ASKING]
    asking = [start for start in asking if clause.holds(start)]
    asking = asking or [one.start for one in heard.references if one.way in RANKED]
    if not asking or len({*heard.goals}) > 1:
        return False
    stops = [at for at, char in enumerate(heard.message[:-1]) if char in ".?!;\n"]
    ends = [at for at in stops if heard.message[at + 1].isspace()]
    start = max((at for at in ends if at < asking[0]), default=0)
    asked = next((at for at in stops if at >= asking[0]), len(heard.message))
    end = asked if heard.message[asked:].count("?") == 1 else len(heard.message)
    nouns = [one for one in heard.named if start < one.start < end]
    own = [one for one in nouns if not in_symptom(heard, one)]
    points = any(start < one.start < end for one in heard.references)
    told_after = noun.start > end  # "which is easier? I never took a panel off"
    return (told_after and (points or bool(own))) or (noun.start < start and bool(own))


def apposed(heard: Understood, noun: Description) -> bool:
    """Whether a noun only accompanies a part's number, or names a part whose number is given."""
    # "It says M1 on the door".
    if any(
        found.end <= noun.start
        and leads_to_place(heard.message[found.end : noun.start], heard.language)
        for found in heard.found
    ):
        return True
    for found in heard.found:
        if isinstance(found, ModelFound) or getattr(found, "kind", "") == "model":
            continue
        between = heard.message[min(noun.end, found.end) : max(noun.start, found.start)]
        close = len(between.split()) <= 1 and not any(char in ".?!;" for char in between)
        if (close and not joined(between, heard.language)) or numbering(between, heard.language):
            return True
        names = [one.name for one in found.options] if isinstance(found, Choice) and close else []
        names += [found.part.name] if isinstance(found, PartFound) else []
        if any(is_called(name, noun.terms) for name in names):
            return True
        nameless = isinstance(found, PartFound) and not found.part.name
        if nameless and not joined(between.strip(",.;:!? "), heard.language):
            return True  # "filtre a o ULTRAWF"; "what is PS1, a start relay?"
    return False


def _leads(heard: Understood, one: Reference, noun: Description) -> bool:
    """Whether "the other" stands right before a noun: "the other latch"."""
    return one.start < noun.end and len(heard.message[one.end : noun.start].split()) <= 1


def noun_meant(
    state: State, heard: Understood, noun: Description, turn: int, *, fits: bool = False
) -> list[Subject]:
    """Match a noun with the parts shown; if none matches, it is looked for in the catalog.

    `fits` says that its fit is asked; then it may have been shown for another model.
    """
    slot = description_slot(heard, noun, turn)
    model = state.slots.model.value if state.slots.model else ""
    elsewhere = any(isinstance(found, ModelFound) for found in heard.found) and not fits
    own = ("", model, *((card.model for card in state.spoken) if fits else ()))
    spoken = () if elsewhere else (card for card in state.spoken if card.model in own)
    other = any(one.way == "other" and _leads(heard, one, noun) for one in heard.references)
    cards = [card for card in state.cards if not _sits_elsewhere(card.name, noun)]
    for known in (cards, [card for card in spoken if not _sits_elsewhere(card.name, noun)]):
        shown = [card for card in known if surely_called(card.name, slot)]
        if other and (left := [card for card in shown if card.number not in state.focus]):
            shown = left
        elif other:
            continue  # "any other basket you have?"
        if shown:
            telling = [term for term in slot.terms if term not in slot.strong]
            exact = [card for card in shown if all(is_called(card.name, (t,)) for t in telling)]
            exact = _told_by(heard, noun, shown) or exact
            focus = [card for card in exact or shown if (card.number,) == state.focus]
            meant = exact or shown if slot.said else focus or exact or shown
            return narrowed(meant, heard, slot.evidence)
    part = state.slots.part
    if other:
        return [Subject(description=slot, how="named")]
    named = part if isinstance(part, VerifiedPart) and part.name else None
    if named and surely_called(named.name, slot) and not _sits_elsewhere(named.name, noun):
        return [Subject(part=named, how="shown")]
    if not elsewhere and (placed := _placed(state, heard, noun)):
        return [picked(placed, slot.evidence)]
    kindred = [] if elsewhere else [card for card in cards if kind_of(card.name, slot)]
    if kindred:
        return narrowed(kindred, heard, slot.evidence)
    pieces = [] if elsewhere else _having(state, slot)
    sought = Subject(description=slot, how="named")
    return [picked(pieces, slot.evidence) if len(pieces) == 1 else sought]


def _sits_elsewhere(name: str, noun: Description) -> bool:
    """Whether a part's name has another place than a noun: no lower arm is "the middle arm"."""
    own, said = PLACES.intersection(qualifiers(name)), PLACES.intersection(noun.weak)
    return bool(own and said) and own.isdisjoint(said)


def _more_meant(state: State, heard: Understood, noun: Description, turn: int) -> list[Subject]:
    """Look for a kind of which more are meant than were shown: "both supports" after one."""
    slot = description_slot(heard, noun, turn)
    called = {c.number for c in (*state.cards, *state.spoken) if surely_called(c.name, slot)}
    count = counted_at(heard.message, heard.language, noun.start)
    return [Subject(description=slot, how="named")] if 0 < len(called) < count else []


def _having(state: State, slot: DescriptionSlot) -> list[Card]:
    """List the parts shown that are also, or have, what was described.

    An "adjuster and wheel assembly" has a wheel.
    """
    known = {card.number: card for card in (*state.cards, *state.spoken)}.values()
    heads = {card.number: [head_of(one) for one in _ANDS.split(card.name)] for card in known}
    joined = [card for card in known if len(heads[card.number]) > 1]
    have = [
        c for c in joined if any(is_called(h, slot.own or slot.strong) for h in heads[c.number])
    ]
    return [card for card in have if all(is_called(card.name, (word,)) for word in slot.said)]


def _told_by(heard: Understood, noun: Description, shown: Sequence[Card]) -> list[Card]:
    """Find the only one of several parts that the word right before a noun means: "tub gasket"."""
    before = words_before(heard.message, noun.start, 1)
    if not before or len(shown) < 2 or plain_word(before[0], heard.language):
        return []
    found = [one for one in shown if is_called(one.name, before)]
    return found if len(found) == 1 else []


def _placed(state: State, heard: Understood, noun: Description) -> list[Card]:
    """Find the only one of the parts spoken of last that a mere place means: "the door one"."""
    place = qualifiers(noun.text, heard.language)
    points = any(one.way == "it" and one.start < noun.start for one in heard.references)
    cards = state.mentioned if place and points else []
    found = [one for one in cards if all(is_called(one.name, (word,)) for word in place)]
    return found if len(found) == 1 < len(cards) else []


def also_broken(state: State, heard: Understood, asked_in: Sequence[Clause]) -> list[Clause]:
    """Search for a part that broke as well ("it leaks and a wheel broke off"), or only for it.

    Parts that are named beside known symptoms, or apart from what sounds like a symptom, count too.
    """
    if [one.goal for one in asked_in] != [Goal.DIAGNOSE]:
        return [*asked_in]
    told = [one for one in (heard.description,) if one and one.broken]
    if any(_covers(one, heard) for one in told):
        return [Clause(Goal.FIND, told[0].start, told[0].end)]  # "my bake element split"
    known = {slot.value for slot in state.slots.symptoms}
    if not (known or heard.symptoms or heard.named) and (asked := _strange_asked(heard)):
        return [Clause(Goal.FIND, asked.start, asked.end)]
    new = [one for one in heard.symptoms if one.symptom not in known]
    nouns = [one for one in told or heard.named if not in_symptom(heard, one)]
    asking = [one for one in heard.intents if one.value == Goal.DIAGNOSE]
    read = readings(heard.message, heard.found)
    # "A wheel has come off" tells of no fault that the catalog knows.
    asking = [one for one in asking if _complains(clause_of(one, read))]
    apart = not heard.symptoms and not any(
        one.start < noun.end and noun.start < one.end for one in asking for noun in nouns
    )
    if not nouns or not (told or apart or (heard.symptoms and not new)):
        return [*asked_in]
    sought = Clause(Goal.FIND, nouns[0].start, nouns[0].end)
    return [*asked_in, sought] if new else [sought]


def _strange_asked(heard: Understood) -> Span | None:
    """Find the unknown thing of a clause that asks: "you sell phone screens? Mine cracked"."""
    read = readings(heard.message, heard.found)
    asked = (one for one in heard.foreign if clause_of(one, read).text.rstrip().endswith("?"))
    return next(asked, None)


def _complains(one: Reading) -> bool:
    """Whether a clause is surely a complaint that is known, unlike that of a stuck button."""
    return one.complaint != "none" and one.complaint_sure >= VERY_SURE


def without_resumed(state: State, heard: Understood) -> Understood:
    """Leave out the part spoken of where a message says what it is, and names another."""
    resumed = [one for one in heard.named if _only_says_which(state, heard, one)]
    left = tuple(one for one in heard.named if one not in resumed)
    if heard.wishes is not None or not (resumed and left):
        return heard
    told = heard.description
    gone = told and any(told.start <= one.start < told.end for one in resumed)
    return heard.model_copy(update={"named": left, "description": left[0] if gone else told})


def of_part_in_sight(state: State, heard: Understood) -> Understood:
    """Read a question about the part spoken of that complains of nothing as one without an answer.

    "At what temperature does that thermostat open?" tells of no fault.
    """
    troubles = heard.symptoms or state.slots.symptoms or heard.description is None
    rules = heard.wishes is None and heard.goals == (Goal.DIAGNOSE,) and not heard.found
    if troubles or not (rules and state.done and state.focus and "?" in heard.message):
        return heard
    known = (*state.cards, *state.spoken)
    slots = [description_slot(heard, noun, 0) for noun in heard.named]
    if not all(any(surely_called(one.name, slot) for one in known) for slot in slots):
        return heard
    span = {"start": 0, "end": len(heard.message), "text": heard.message}
    untold = Intent.model_validate({"kind": "topic", "value": TOPICS["untold"], **span})
    kept = [one for one in heard.intents if one.value != Goal.DIAGNOSE]
    told = {"intents": (*kept, untold), "suspected": (), "description": None}
    return heard.model_copy(update=told)


def _only_says_which(state: State, heard: Understood, noun: Description) -> bool:
    """Whether a noun only says what the part spoken of is: "that's the door seal, right"."""
    behind = re.search(r"[.,;:!?\n]", heard.message[noun.end :])
    its = [one for one in heard.references if one.way == "it" and one.end <= noun.start]
    between = [(one.text, heard.message[one.end : noun.start].split()) for one in its[:1]]
    says = any(
        0 < len(words) < _NAMING and (text[-1] == "s" or words[0] in _COPULAS)
        for text, words in between
    )
    slot = description_slot(heard, noun, 0)
    known = [one for one in (*state.spoken, *state.cards) if one.number in state.focus]
    asks = behind is not None and behind[0] == "?"
    return says and not asks and any(surely_called(one.name, slot) for one in known)


def _covers(broken: Description, heard: Understood) -> bool:
    """Whether a complaint says no more than that a specific part is broken."""
    named = [one for one in heard.named if broken.start <= one.start and one.end <= broken.end]
    # "The lever is loose" is told of the lever, whatever complaint it sounds like.
    other = [
        one for one in named if not any(is_called(s.symptom, one.terms) for s in heard.symptoms)
    ]
    telling = bool(other) or any(one.weak or len(read_words(one.text)) > 1 for one in named)
    beyond = [
        text
        for one in heard.symptoms
        for text in (heard.message[one.start : broken.start], heard.message[broken.end : one.end])
    ]
    return telling and all(_lead_in(text, heard.language) <= _BEYOND for text in beyond)


def _lead_in(text: str, language: str) -> int:
    """Count the words of a text: one of "anyway the", but two of "M1 the"."""
    words = read_words(text)
    told = words if any(map(str.isdigit, text)) else ()
    return len(told or [one for one in words if not is_article(one.text, language)])
