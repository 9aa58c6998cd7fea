"""Determines the goal of a message that names things but asks nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from ruleplay.agents.parts.domain.appliances import canonical_appliances, related
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.descriptions import (
    Description,
    head_of,
    led_to_place,
    qualifiers,
)
from ruleplay.agents.parts.domain.ids import Choice, Found, ModelFound, Option, PartFound, Span
from ruleplay.agents.parts.domain.numbers import normal
from ruleplay.agents.parts.domain.reader import (
    PROBABLE,
    TOPICS,
    VERY_SURE,
    clause_of,
    part_share,
    readings,
)
from ruleplay.agents.parts.domain.references import (
    BY_FIT,
    RANKED,
    Reference,
    Way,
    excluded,
    joined,
    stands_beside,
)
from ruleplay.agents.parts.domain.slots import (
    CARD_GOALS,
    OF_PARTS,
    DescriptionSlot,
    Evidence,
    Goal,
    ModelSlot,
    PartSlot,
    Question,
    UnconfirmedId,
    UnknownId,
    VerifiedModel,
    VerifiedPart,
)
from ruleplay.agents.parts.domain.tokens import read_words, words_before
from ruleplay.agents.parts.domain.understanding import WITHDRAWN, Understood
from ruleplay.agents.parts.policy.clauses import ASKING
from ruleplay.agents.parts.policy.pointing import (
    TIED,
    Subject,
    cards_meant,
    description_slot,
    is_called,
    of_machine,
    option_meant,
    own_words,
    part_of,
    picked,
    surely_called,
    told_of,
    unexcluded_words,
    with_words,
)
from ruleplay.agents.parts.policy.quantities import (
    back_to_one,
    counted,
    quantities,
    standing,
    wanting,
)
from ruleplay.agents.parts.state import State

_LONG = 8
"""Fewest characters of a model's number that no order or telephone has."""
_NAMING = 5
"""Most words of a sentence that only names a part."""
_SHORT = 8
"""Most words of a message that may name a part by one property: "drain one too, actually"."""
_NUMBER = re.compile(r"\d{3}")
_BARE_WORDS = 3
"""Most words of a message that only picks a variant: "the freezer one"."""
_STOPS = re.compile(r"[.,;:!?\n]")
_DEAR = ("dear", "by_price")
"""Side questions about the price of the part spoken of, or a cheaper one of its kind."""
_OF_ALL = ("sure", "how_tell", "tried", "dear", "clean", "help")
"""Side questions about everything shown, so that references and names in them raise no question."""


class Numbers(NamedTuple):
    """The numbers of a message as slots."""

    parts: tuple[PartSlot, ...]
    models: tuple[ModelSlot, ...]


def said_before(state: State, found: Found, heard: Understood) -> Found:
    """Accept an uncertain number that was shown before, or that what stands beside it vouches for.

    That is the shape of another model's number ("does it fit CDC400B and CDU250V", "how about
    71072"), or for a long number the kind of machine: "mum's dishwasher leaks 66512413N410".
    """
    models = [state.slots.model, *(file.slots.model for file in state.others)]
    known = [one.value for one in models if isinstance(one, VerifiedModel)]
    known += [one.model.number for one in heard.found if isinstance(one, ModelFound)]
    if not (isinstance(found, Choice) and found.reason == "confirm" and len(found.options) == 1):
        return found
    only = found.options[0]
    if only.kind == "part" and only.number in {one.number for one in (*state.cards, *state.spoken)}:
        return PartFound(text=found.text, start=found.start, end=found.end, part=only)
    alike = any(_form(only.number) == _form(one) for one in known)
    if only.kind != "model" or not (alike or _is_of_kind(only, heard)):
        return found
    return ModelFound(text=found.text, start=found.start, end=found.end, model=only)


def _is_of_kind(only: Option, heard: Understood) -> bool:
    """Whether a long number of letters and digits is a model of the machine that is named."""
    form, kind = _form(only.number), heard.appliance.appliance if heard.appliance else ""
    mixed = only.likeness == 1 and len(form) >= _LONG and len({*form}) > 1
    return mixed and any(related(one, kind) for one in canonical_appliances(only.appliance))


def _form(number: str) -> str:
    """Reduce a number to its shape: "WF2C" has the shape "AA0A"."""
    return "".join("0" if char.isdigit() else "A" for char in normal(number))


def summed_up(
    state: State, heard: Understood, named: Sequence[Subject], turn: int
) -> list[Subject]:
    """Find the parts of a total: those counted, all of the last answer, or all mentioned.

    An earlier total changes with what is excluded from it, and with a part's quantity.
    """
    counts = [one for one in heard.references if one.way == "they" and one.count]
    told, said = told_of(state), Evidence(turn=turn, start=0, end=0, text="")
    here = quantities([heard.message], told, heard.language)
    if any(one.value == "total" for one in heard.intents):
        count = max((one.count for one in counts), default=0)
        beside = counts and len(named) == 1 and counts[0].start < place_of(named[0].part)
        if chosen := _ranked_beside(state, heard, named, count):
            return [Subject(part=part_of(chosen, said), how="antecedent"), *named]
        told = _summed(state, told, count) if not (here.of or here.unclear) else told
        # "and the lever, how much in all?" goes on from what the last answer was about.
        adds = len(named) == 1 and not (counts or here.of or here.unclear)
        if adds and told and not (named[0].part and named[0].part.value == told[-1].number):
            return [*(Subject(part=part_of(one, said), how="antecedent") for one in told), *named]
        told = told if beside or not named else []
    elif state.goal is Goal.PRICE and len(told) > 1:
        left = unexcluded(state.but(cards=tuple(told)), heard, turn).cards
        told = [*left] if len(left) < len(told) or here.of else []
    else:
        return []
    own = {one.part.value for one in named if one.part}
    every = [Subject(part=part_of(card, said), how="antecedent") for card in told]
    added = [one for one in every if one.part and one.part.value not in own]
    return (
        [*added, *named] if len(every) > 1 or (every and len(every) < len(told_of(state))) else []
    )


def _ranked_beside(
    state: State, heard: Understood, named: Sequence[Subject], count: int
) -> Card | None:
    """Find the part that is summed up with the only one named: "the cheaper of the two and X"."""
    ranks = [one for one in heard.references if one.way in RANKED]
    among = of_machine(state, heard)
    cards = cards_meant(among, ranks[0], count) if ranks and len(named) == 1 else []
    own = named[0].part.value if named and named[0].part else ""
    return cards[0] if len(cards) == 1 and cards[0].number != own else None


def _summed(state: State, told: Sequence[Card], count: int) -> list[Card]:
    """Choose the parts of a total: the last answer's, else those spoken of, else those shown.

    `count` is how many are meant, or 0.
    """
    shown = [card for card in state.cards if card.number not in state.focus]
    shown = [*(card for card in state.cards if card.number in state.focus), *shown]
    # Nobody buys all that a list names for one problem.
    shown = shown if count and len(shown) <= TIED else []
    for some in (told, state.spoken[-count:], shown):
        if len(some) > 1 and count in (0, len(some)):
            return [*some]
    return [*told]


def place_of(part: PartSlot | None) -> int:
    """Find the position of a part in its message; -1 for None."""
    return part.evidence.start if part else -1


def in_symptom(heard: Understood, noun: Description) -> bool:
    """Whether a noun is part of a complaint ("the door does not close") or only locates it.

    "It drips near the motor" asks for no motor.
    """
    if any(s.start < noun.end and noun.start < s.end for s in heard.symptoms):
        return True
    if stands_beside(heard.message, noun.start, heard.language):
        return True  # "water under the door", "found it behind the drawer"
    asked = [one.start for one in heard.intents if one.kind in ASKING]
    behind = [one.end for one in heard.symptoms if one.end <= noun.start]
    between = [heard.message[end : noun.start] for end in behind[-1:]]
    apart = noun.wanted or any(end <= start < noun.start for end in behind for start in asked)
    return not apart and any(
        not _STOPS.search(one) and not joined(one, heard.language) for one in between
    )


def of_trouble(heard: Understood, noun: Description) -> bool:
    """Whether a noun is part of a complaint, or of a clause that tells more of it."""
    if in_symptom(heard, noun) or not heard.symptoms:
        return in_symptom(heard, noun)
    clause = clause_of(noun, readings(heard.message, heard.found))
    return clause.goal == "diagnose" and clause.sure >= VERY_SURE


def variant_of(state: State, heard: Understood, turn: int) -> Subject | None:
    """Find the part that a mere colour or place describes, of the kind mentioned last.

    "I'd rather have the beige one" after a white handle means a beige handle, shown or yet to be
    found.
    """
    known = {card.number: card for card in (*state.spoken, *state.cards)}
    focus = [known[number] for number in state.focus if number in known]
    focus = [card for card in focus if all(_sits_at(heard, card, noun) for noun in heard.named)]
    heads = {head_of(card.name) for card in focus}
    said = list(
        dict.fromkeys(q for span in kept_words(heard) for q in qualifiers(span, heard.language))
    )
    asks = heard.goals or any(one.kind == "topic" for one in heard.intents)
    asks = asks and heard.wishes is None  # a model has separated the question from the part
    most = 2 if asks and not heard.named else _SHORT
    short = len(read_words(heard.message)) <= most or heard.has("correction")
    short = short and not _NUMBER.search(heard.message)  # "it says 3002 at the end"
    strange = any(qualifiers(span.text, heard.language) for span in heard.foreign)
    named = any(_is_told_apart(heard, span) for span in heard.foreign)
    if not heads or not said or heard.found or named or not (strange or short):
        return None
    if heard.has("thanks") and "?" not in heard.message:
        return None  # "thanks, you're the top"
    shown = [card for card in known.values() if all(is_called(card.name, (w,)) for w in said)]
    shown = [card for card in shown if head_of(card.name) in heads]
    whole = Evidence(turn=turn, start=0, end=len(heard.message), text=heard.message)
    if shown and (len(heads) == 1 or len(shown) < len(known)):
        # "The freezer one" of two gaskets and a knob.
        return picked(shown, whole, "" if len(shown) > 1 else None)
    head = heads.pop() if len(heads) == 1 else ""
    own = [word.text for span in kept_words(heard) for word in read_words(span)]
    own = [word for word in own if qualifiers(word, heard.language)]
    beside = [word for card in focus for word in own_words(card)]
    called = dict.fromkeys((*(own or said), *(one.terms[0] for one in heard.named)))
    slot = DescriptionSlot(
        value=" ".join([*called, head] if heard.language == "en" else called),
        terms=tuple(dict.fromkeys((head, *said, *beside))),
        strong=(head,), said=tuple(said), own=(head,), sort="variant", evidence=whole,
    )  # fmt: skip
    return Subject(description=slot, how="named") if head else None


def _is_told_apart(heard: Understood, strange: Span) -> bool:
    """Whether a word such as "left" tells an unknown thing apart: "does the left bracelet fit"."""
    before = words_before(heard.message, strange.start, 1)
    after = [one.text for one in read_words(heard.message[strange.end :])[:1]]
    own = qualifiers(strange.text, heard.language)
    return not own and any(qualifiers(one, heard.language) for one in (*before, *after))


def _resumed(state: State, heard: Understood, noun: Description) -> bool:
    """Whether a bare noun is another word for the part that is asked about: "the flap, is it …"."""
    untold = [one for one in heard.intents if one.value == "untold"]
    its = [one.start for one in heard.references if one.way == "it"]
    bare = not (noun.weak or heard.goals or heard.foreign) and len(state.focus) == 1
    return bare and any(noun.end <= at < one.end for one in untold for at in its)


def _sits_at(heard: Understood, card: Card, noun: Description) -> bool:
    """Whether a noun only says where a part sits: "for the left door" of a door gasket."""
    named = own_words(card)
    begins = bool(named) and is_called(named[0], noun.terms)
    return begins and led_to_place(heard.message, noun.start, heard.language)


def contrasted(state: State, heard: Understood) -> Understood:
    """Read "not drain, fill" as a choice of hose if hoses were discussed, not as a complaint.

    The same applies to a bare "freezer" after two gaskets.
    """
    kept = " ".join(kept_words(heard))
    symptoms = tuple(one for one in heard.symptoms if one.text in kept)
    meant = heard.model_copy(update={"symptoms": symptoms, "suspected": ()})
    bare = heard.goals == (Goal.DIAGNOSE,) and len(read_words(heard.message)) <= _BARE_WORDS
    if symptoms or not (heard.symptoms or bare) or variant_of(state, meant, 0) is None:
        return heard
    left = tuple(one for one in heard.intents if one.value != Goal.DIAGNOSE)
    return meant.model_copy(update={"intents": left})


def kept_words(heard: Understood) -> list[str]:
    """Split a message at punctuation, without what it says is not meant."""
    return re.split(r"[,;.!?]", unexcluded_words(heard.message, heard.language))


def unexcluded(state: State, heard: Understood, turn: int) -> State:
    """Leave out the parts that a message excludes: "not the blade, the other"."""
    others = _excluded(heard, turn)
    left = [card for card in state.cards if not any(surely_called(card.name, o) for o in others)]
    if not others or len(left) in (0, len(state.cards)):
        return state
    focus = tuple(card.number for card in state.cards if card not in left)
    return state.but(cards=tuple(left), focus=focus)


def excludes(heard: Understood, card: Card, turn: int) -> bool:
    """Whether a message says that a part is not the one: "it's not the seal"."""
    taken_back = " ".join(one.text for one in heard.intents if one.value == WITHDRAWN)
    heads = {word.text for word in read_words(taken_back)}
    named = any(surely_called(card.name, one) for one in _excluded(heard, turn))
    return named or head_of(card.name) in heads


def _excluded(heard: Understood, turn: int) -> list[DescriptionSlot]:
    return [
        description_slot(heard, noun, turn)
        for noun in heard.named
        if excluded(heard.message, noun.start, heard.language)
    ]


def goal_of_names(state: State, heard: Understood, numbers: Numbers) -> Goal | None:
    """Determine what the numbers and part nouns of a message ask for, if anything."""
    answered = state.goal if state.done else None
    if heard.has("order_status"):
        return None
    if not numbers.parts and summed_up(state, heard, (), 0):
        return Goal.PRICE
    if numbers.parts:
        return _goal_of_parts(state, heard, numbers)
    nouns = [noun for noun in heard.named if not in_symptom(heard, noun)]
    instead = heard.spared or state.done or state.goal is None or _waits_for_part(state)
    if heard.symptoms and instead:
        # A part named before its complaint, after a search, is what is looked for now.
        known = {slot.value for slot in state.slots.symptoms}
        told = all(one.symptom in known for one in heard.symptoms) or answered is Goal.FIND
        sought = state.done and told and nouns and nouns[0].start < heard.symptoms[0].start
        return _known_noun(state, heard, nouns) if sought else Goal.DIAGNOSE
    if _may_complain(state, heard, nouns):
        return Goal.DIAGNOSE  # the reply asks which complaint it is
    if numbers.models and (goal := _goal_of_models(state, heard, numbers, nouns)) != "":
        return goal
    asides = [one for one in heard.intents if one.kind == "topic"]
    nouns = [
        one
        for one in nouns
        if _sought_anew(state, heard, one)
        or not any(
            a.start <= one.start < (a.end if a.value != "untold" else one.end) for a in asides
        )
    ]
    nouns = [one for one in nouns if not _resumed(state, heard, one)]
    of_all = any(one.value in _OF_ALL for one in asides) and not nouns
    dear = any(one.value in _DEAR for one in asides) and len(state.focus) == 1
    dear = dear or asks_cheaper(state, heard)
    if dear or (of_all and not ranked(state, heard)):
        return None  # "which would you try first" is about all that was shown
    if not nouns and not heard.intents and variant_of(state, heard, 0):
        return _goal_of_nouns(state, heard, nouns)
    other = any(one.way == "other" for one in heard.references)
    back = heard.appliance or (other and state.others)
    if back and not nouns and not heard.intents and (state.done or not state.goal):
        return goal_of_case(state)  # "back to my fridge"
    bare = not (nouns or heard.intents)
    strange = bare and any(_is_told_apart(heard, one) for one in heard.foreign)
    meant = Goal.CHECK if "check" in heard.perhaps else Goal.FIND
    return meant if strange else _goal_of_nouns(state, heard, nouns)


def _may_complain(state: State, heard: Understood, nouns: Sequence[Description]) -> bool:
    """Whether a message probably complains, though it is unclear about what."""
    told = heard.description and (heard.description.wanted or heard.description.broken)
    likely = heard.perhaps[:1] == ("diagnose",) and not (told or variant_of(state, heard, 0))
    bare = not nouns and not heard.intents and state.goal is None
    if completes(state) or (state.goal is None and state.slots.description):
        return False
    if state.done and variant_of(state, heard, 0):
        return False  # "and the one for the ice"
    new = state.goal is None or state.done
    return bool(heard.suspected) and new and (bare or likely)


def _sought_anew(state: State, heard: Understood, noun: Description) -> bool:
    """Whether a noun is searched for anew: "and the white wheel, top or bottom I can't tell"."""
    slot = description_slot(heard, noun, 0)
    unsure = any(one.value == "how_tell" for one in heard.intents) and "find" in heard.perhaps
    return unsure and not any(surely_called(card.name, slot) for card in state.cards)


def _waits_for_part(state: State) -> bool:
    """Whether the open question is about a part that has not been named."""
    part = state.slots.part
    # A number that nobody knows was said to be unknown: what else is said is not about it.
    open_ = part is None or (isinstance(part, UnconfirmedId) and (part.pointed or part.strange))
    return state.missing[:1] == ("part",) and open_


def _goal_of_models(
    state: State, heard: Understood, numbers: Numbers, nouns: Sequence[Description]
) -> Goal | Literal[""] | None:
    """Determine what a model's number asks, again or anew; "" if that is unclear."""
    answered = state.goal if state.done else None
    if heard.symptoms and completes(state):
        return Goal.DIAGNOSE if state.goal in OF_PARTS else None
    if completes(state) and not heard.goals:
        return None  # where the label was names no part: "found it, behind the crisper"
    sought = heard.description and heard.description.wanted
    if state.goal is None and not sought and (state.slots.symptoms or state.slots.description):
        return Goal.DIAGNOSE if state.slots.symptoms else Goal.FIND
    wanted = heard.description and (heard.description.wanted or heard.description.broken)
    if nouns and (state.done or state.goal is None or (completes(state) and wanted)):
        goal = _known_noun(state, heard, nouns)
        return Goal.CHECK if goal is Goal.ABOUT else goal  # "it's a B in fact. And the switch?"
    if answered in CARD_GOALS:
        again = Goal.FIND if state.slots.description else None
        return Goal.CHECK if state.focus else again
    if answered in OF_PARTS and isinstance(state.slots.part, UnknownId):
        return goal_of_case(state)  # a number that nobody knows is told once
    if answered:
        return answered
    return state.goal if len(numbers.models) > 1 and state.goal in OF_PARTS else ""


def goal_of_case(state: State) -> Goal | None:
    """Determine what to ask again about a machine that the customer comes back to."""
    slots = state.slots
    if not isinstance(slots.model, VerifiedModel) or not (slots.symptoms or slots.description):
        return None
    return Goal.DIAGNOSE if state.slots.symptoms else Goal.FIND


def completes(state: State) -> bool:
    """Whether the open question waits for a model; further questions come after it."""
    return not state.done and state.goal is not None and state.missing[:1] == ("model",)


def _goal_of_parts(state: State, heard: Understood, numbers: Numbers) -> Goal | None:
    """Read a bare part number as the last question again, or as a question about fit."""
    spots = [one.evidence for one in numbers.parts]
    known = {slot.value for slot in state.slots.symptoms}
    new = any(one.symptom not in known for one in heard.symptoms)
    tells = new and heard.perhaps[:1] == ("diagnose",) and "?" not in heard.message
    if heard.symptoms and (heard.tried or heard.has("complaint") or tells):
        return Goal.DIAGNOSE  # "I put the pump PS1 in, and it still won't drain"
    if not heard.symptoms and counted(heard.message, spots):
        return Goal.PRICE  # "3 filters PS1 and a pump PS2"
    if numbers.models and not heard.symptoms:
        return Goal.CHECK if state.goal not in OF_PARTS or state.done else state.goal
    sought = state.goal is Goal.FIND and not state.done  # the part is found now
    if completes(state) and state.goal is Goal.DIAGNOSE and heard.perhaps[:1] == ("diagnose",):
        return Goal.ABOUT  # no model is at hand, but the number on the old part
    if state.goal is not None and not (state.done or sought):
        return state.goal if len(numbers.parts) > 1 and state.goal in OF_PARTS else None
    if state.goal in OF_PARTS:
        return state.goal
    if any(one.value == "returns" for one in heard.intents):
        return None  # "the handle PS1 broke again, I want my money back"
    shown = {card.number for card in state.cards}
    told = all(part.value in shown for part in numbers.parts)
    fits = isinstance(state.slots.model, VerifiedModel) and not (state.goal and told)
    if fits:
        return Goal.CHECK
    return Goal.PRICE if heard.has("topic") else Goal.ABOUT  # briefly, next to another question


def _goal_of_nouns(state: State, heard: Understood, nouns: Sequence[Description]) -> Goal | None:
    """Determine the goal of a message with part nouns or references only."""
    if state.goal is not None and not state.done:
        return _goal_of_open(state, heard, nouns)
    known = state.goal is not None or isinstance(state.slots.model, VerifiedModel)
    if nouns and known:
        return _known_noun(state, heard, nouns)
    wanted = any(noun.broken or noun.wanted for noun in (heard.description,) if noun)
    wanted = wanted and bool(nouns or not (heard.named and heard.has("topic")))
    if wanted or (nouns and not heard.symptoms and _is_all_said(heard, nouns[0])):
        return Goal.FIND
    if (variant := variant_of(state, heard, 0)) is not None:
        return Goal.FIND if variant.description else _again(state, heard)
    pointing = [one for one in heard.references if one.way not in ("it", "they", *RANKED)]
    pointing = [one for one in pointing if one.way != "priced" or cards_meant(state, one)]
    ranks = ranked(state, heard)
    if ranks and not heard.symptoms:
        return Goal.EFFORT if ranks[0] in ("easiest", "quickest") else Goal.PRICE
    priced = state.goal is Goal.PRICE and state.done and not heard.intents
    counts = "?" not in heard.message or priced  # "and if I only need two?"
    more = state.focus and standing(wanting(heard.message)) and counts
    if more or one_left(state, heard):
        return Goal.PRICE  # "make it 3"
    strange = any(with_words(state, span, heard.language) for span in heard.foreign)
    known = bool(state.cards or state.spoken) and not heard.symptoms
    return _again(state, heard) if (pointing or strange) and known else None


def _goal_of_open(state: State, heard: Understood, nouns: Sequence[Description]) -> Goal | None:
    """Determine what names or describes a part while a question is open."""
    if nouns and state.missing[:1] == ("part",) and state.slots.part is None:
        return state.goal  # "how much is it" – "the drain pump"
    dear = any(one.way in ("cheapest", "dearest") for one in heard.references)
    if dear and completes(state) and state.slots.description:
        return Goal.PRICE  # "which is the cheapest?" of what is looked for
    return Goal.FIND if nouns and _passes_over(state, heard) else None


def _again(state: State, heard: Understood) -> Goal:
    """Choose the goal for a part that is only referred to: its price, if prices were the topic.

    The same applies beside questions to the shop: "the one at 179, can I return it?". Of "the
    other one" is asked what was asked of the first.
    """
    other = any(one.way == "other" for one in heard.references) or heard.has("correction")
    other = other or heard.appliance is not None
    asked = isinstance(state.slots.part, UnconfirmedId) and state.slots.part.pointed
    if state.goal in OF_PARTS and other and (state.done or asked):
        return state.goal
    priced = state.goal is Goal.PRICE and state.done
    return Goal.PRICE if priced or _of_the_shop(heard) else Goal.ABOUT


def _of_the_shop(heard: Understood) -> bool:
    return any(one.kind == "topic" and one.value not in _OF_ALL for one in heard.intents)


def one_left(state: State, heard: Understood) -> bool:
    """Whether the quantity of the part mentioned last is reduced to one: "just the one"."""
    told = state.goal is Goal.PRICE and state.done and len(state.focus) == 1
    return told and not heard.named and back_to_one(heard.message, heard.language)


def ranked(state: State, heard: Understood) -> list[Way]:
    """List the rankings by which a message picks one of several parts shown: "the cheapest"."""
    several = len({card.number for card in (*state.cards, *state.spoken)}) > 1
    return [one.way for one in heard.references if several and one.way in RANKED]


def asks_cheaper(state: State, heard: Understood) -> bool:
    """Whether another of the kind of the only part spoken of is wanted: "a cheaper pump?"."""
    cheaper = any(one.way == "cheapest" for one in heard.references) and bool(heard.named)
    cards = state.mentioned
    alike = len(cards) == 1 and all(is_called(cards[0].name, one.terms) for one in heard.named)
    asked = any(one.kind in ASKING for one in heard.intents) or heard.wishes is not None
    return cheaper and alike and state.done and not (asked or ranked(state, heard))


def cheaper_too(heard: Understood) -> bool:
    """Whether a clause of its own asks for a cheaper part than is named: "PS1? any cheaper?"."""
    ranks = [one for one in heard.references if one.way == "cheapest"]
    parts = [one for one in heard.found if isinstance(one, PartFound)]
    said = [*heard.named, *heard.intents, *heard.found]
    read = readings(heard.message, heard.found)[1:]
    asked = [one for one in read if one.text.rstrip().endswith("?")]
    return bool(heard.named or parts) and any(
        TOPICS.get(clause.goal) in _DEAR
        and any(clause.start <= one.start < clause.end for one in ranks)
        and not any(clause.start <= one.start < clause.end for one in said)
        for clause in asked
    )


def _is_all_said(heard: Understood, noun: Description) -> bool:
    """Whether a sentence only names a part: "the lamp of the fridge"."""
    ends = [at for at, char in enumerate(heard.message) if char in ".?!;"]
    start = max((at + 1 for at in ends if at < noun.start), default=0)
    end = min((at for at in ends if at >= noun.end), default=len(heard.message))
    asks = any(one.kind in ASKING or one.kind == "topic" for one in heard.intents)
    told = heard.message[start:end]
    machine = heard.appliance.text if heard.appliance else ""
    return not asks and len(read_words(told)) - len(read_words(machine)) <= _NAMING


def _passes_over(state: State, heard: Understood) -> bool:
    """Whether a part is named instead of choosing from the open options."""
    part = state.slots.part
    waits = isinstance(part, UnconfirmedId) and bool(part.options)
    return waits and isinstance(part, UnconfirmedId) and option_meant(state, heard, part) is None


def _known_noun(state: State, heard: Understood, nouns: Sequence[Description]) -> Goal:
    """Choose the goal for a bare noun: about a part shown, or a search."""
    slots = [description_slot(heard, noun, 0) for noun in nouns]
    shown = any(surely_called(card.name, slot) for slot in slots for card in state.cards)
    told = Goal.PRICE if _of_the_shop(heard) else Goal.ABOUT
    return told if shown else Goal.FIND


def of_known_trouble(
    state: State, heard: Understood, raised: Sequence[Question]
) -> Sequence[Question]:
    """Leave out a diagnosis of what no symptom is known for, beside questions about parts."""
    told = heard.symptoms or state.slots.symptoms or heard.wishes is not None
    kept = [one for one in raised if one.goal is not Goal.DIAGNOSE]
    of_parts = any(
        (one.goal is Goal.FIND and heard.description is not None)
        or (one.goal in (*OF_PARTS, Goal.FIND) and (one.part or one.description))
        for one in kept
    )
    # "It's a Frigidaire, I think" complains of nothing while a part is looked for.
    sought = state.goal is Goal.FIND and not state.done and state.slots.description
    return kept if (of_parts or sought) and not told else raised


def fits_too(state: State, heard: Understood, numbers: Numbers) -> bool:
    """Whether a complaint of another machine asks whether the part fits that too: "same seal?"."""
    told = state.goal in OF_PARTS and state.done and len(state.focus) == 1
    known = [one.name for one in (*state.spoken, *state.cards) if one.number in state.focus]
    others = [one for one in heard.named if not any(is_called(name, one.terms) for name in known)]
    asks = heard.message.rstrip().endswith("?") and not (numbers.parts or others)
    return told and asks and len(numbers.models) == 1


def both_machines(state: State, heard: Understood) -> tuple[ModelSlot, ...]:
    """Find the machines of all cases if a part is wanted for all: "a valve for both"."""
    slots = [*(file.slots.model for file in state.others), state.slots.model]
    known = tuple(slot for slot in slots if isinstance(slot, VerifiedModel))
    counts = [one.count for one in heard.references if one.way == "they"]
    return known if heard.named and len(known) > 1 and len(known) in counts else ()


def just_settled(state: State, pointing: Sequence[Reference], turn: int) -> Subject | None:
    """Take the part that the message picks of an open choice: "the cheaper one then, got it?"."""
    part, ranks = state.slots.part, pointing and pointing[0].way in (*RANKED, "it", "they")
    taken = isinstance(part, VerifiedPart) and part.evidence.turn == turn
    return Subject(part=part, how="antecedent") if taken and ranks else None


def of_something(heard: Understood, raised: Iterable[Question]) -> Iterator[Question]:
    """Leave out what was not asked, of nothing: "can I return it if it isn't the right one?"."""
    asked = heard.goals and not any(one.way in BY_FIT for one in heard.references)
    for one in raised:
        if asked or one.goal not in CARD_GOALS or one.part or one.description:
            yield one


def new_things(heard: Understood) -> list[Span]:
    """Find unknown parts that a sentence of its own complains of: "the front plate is cracked".

    What is asked after it is asked of that, and of nothing that was shown before.
    """
    read = readings(heard.message, heard.found)
    asked = max((one.start for one in heard.intents if one.kind in ASKING), default=0)
    before = [one for one in heard.foreign if one.end < asked and not heard.named]
    around = [(one, clause_of(one, read)) for one in before]
    return [
        one
        for one, clause in around
        if clause is not read[0] and clause.goal == "diagnose" and clause.sure >= VERY_SURE
        if part_share(heard.message, one.start, one.end, heard.found) >= PROBABLE
    ]


def stands_before(heard: Understood, pointing: Reference, strange: Span) -> bool:
    """Whether words point at something in a sentence before that of an unknown part."""
    behind = heard.message[: strange.start]
    return pointing.start <= max(behind.rfind(char) for char in ".?!;")
