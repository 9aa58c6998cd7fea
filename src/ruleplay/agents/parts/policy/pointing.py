"""Resolves references to parts: "the second", "the cheaper of those two", "the grey one"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from ruleplay.agents.parts.domain.answers import ordinal
from ruleplay.agents.parts.domain.appliances import find_appliances
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.catalog import Verdict
from ruleplay.agents.parts.domain.descriptions import (
    Description,
    head_of,
    leading,
    parts_named,
    qualifiers,
    roundabout,
    vague_at,
)
from ruleplay.agents.parts.domain.ids import ModelFound, Option, Span
from ruleplay.agents.parts.domain.intents import Intent
from ruleplay.agents.parts.domain.references import (
    RANKED,
    Reference,
    difficulty,
    excluded,
    find_references,
    joins_at,
    minutes,
    plain_word,
    worded_price,
)
from ruleplay.agents.parts.domain.slots import (
    OF_PARTS,
    DescriptionSlot,
    Evidence,
    Goal,
    PartSlot,
    UnconfirmedId,
    VerifiedModel,
    VerifiedPart,
)
from ruleplay.agents.parts.domain.stopwords import COMMON
from ruleplay.agents.parts.domain.symptoms import SymptomFound
from ruleplay.agents.parts.domain.tokens import read_words, words_before
from ruleplay.agents.parts.domain.understanding import COMPARED, Understood
from ruleplay.agents.parts.state import State
from ruleplay.telling.number_words import ONE
from ruleplay.telling.numbers import read

OFFERED = 5
"""Most parts that are offered to choose from."""
_STEM = 5
"""Leading letters by which forms of a word are matched."""
_TELLING = 3
"""Fewest letters of a word that may tell parts apart."""
FEW = 4
"""Words that a phrase has fewer of."""
NEAR = Decimal("0.15")
"""Share of a price by which "about ten dollars" may be off."""
_FIGURES = 10
"""Least figure that may be a price without its currency."""
TIED = 3
"""Most parts sharing a rank that are all answered about; of more, the customer is asked."""


class Subject(NamedTuple):
    """The subject of a question: a part, or only a description of one."""

    part: PartSlot | None = None
    description: DescriptionSlot | None = None
    how: str = ""


def says_another(message: str, language: str) -> bool:
    """Whether one more of something is mentioned for the first time: "a second one"."""
    words = [word.text for word in read_words(message)]
    return any(one in ONE and ordinal(two, OFFERED, language) for one, two in pairwise(words))


def without_new(heard: Understood) -> Understood:
    """Drop references to places that point at nothing shown: "there is a second one too"."""
    new = [
        one
        for one in heard.references
        if one.way == "place" and {*words_before(heard.message, one.start, 1)} & ONE
    ]
    kept = tuple(one for one in heard.references if one not in new)
    return heard.model_copy(update={"references": kept}) if new else heard


def with_prices(state: State, heard: Understood) -> Understood:
    """Add the prices that a message has in words, or as the bare figures of a part told of.

    "The one for about ten dollars", and "the 126 one" of three parts.
    """
    message, language = heard.message, heard.language
    worded = (
        worded_price(message, one.start, one.end, int(one.value), language) for one in read(message)
    )
    prices = [one for one in worded if one] + [*_figures(state, heard)]
    new = [one for one in prices if one not in heard.references]
    if not new:
        return heard
    asked = [one for one in heard.intents if one.value != Goal.PRICE or not _holds(one, new)]
    # "And the one at about ten dollars, what is it for?" asks for no price.
    intents = tuple(asked) if any(one.kind == "goal" for one in asked) else heard.intents
    told = (*new, *heard.references)
    return heard.model_copy(update={"references": told, "intents": intents})


def _figures(state: State, heard: Understood) -> Iterator[Reference]:
    """Find the bare figures of which just one part told of has the price."""
    told = {card.number: card for card in (*state.cards, *state.spoken) if card.price}
    spots = [(one.start, one.end) for one in (*heard.found, *heard.references)]
    for one in read(heard.message):
        spoken = one.spoken or one.unit or one.value < _FIGURES
        if spoken or any(start < one.end and one.start < end for start, end in spots):
            continue
        costs = {card.price for card in told.values() if int(card.price or 0) == int(one.value)}
        if len(costs) == 1 and _stands_for_it(heard, one.start, one.end):
            span = {"text": heard.message[one.start : one.end], "start": one.start, "end": one.end}
            yield Reference.model_validate({**span, "way": "priced", "amount": costs.pop()})


def _stands_for_it(heard: Understood, start: int, end: int) -> bool:
    """Whether a bare number stands for something and counts nothing: "the 126 one"."""
    led = not leading(heard.language).isdisjoint(words_before(heard.message, start, 1))
    after = re.match(r"\s?([^\W\d]+)", heard.message[end:])
    return led and (after is None or plain_word(after[1].casefold(), heard.language))


def _holds(intent: Intent, pointing: Iterable[Reference]) -> bool:
    return any(intent.start <= one.start < intent.end for one in pointing)


def of_machine(state: State, heard: Understood) -> State:
    """Leave out parts for other machines if the message says which machine it is about."""
    if not isinstance(state.slots.model, VerifiedModel):
        return state
    if heard.appliance is None and not any(isinstance(one, ModelFound) for one in heard.found):
        return state
    own = ("", state.slots.model.value)
    cards = tuple(card for card in state.cards if card.model in own)
    spoken = tuple(card for card in state.spoken if card.model in own)
    known = {card.number for card in (*cards, *spoken)}
    focus = tuple(number for number in state.focus if number in known)
    return state.but(cards=cards, spoken=spoken, focus=focus or state.focus) if known else state


def narrowed(cards: Sequence[Card], heard: Understood, said: Evidence) -> list[Subject]:
    """Take of several parts of a kind those that are meant, else ask.

    "The cheaper seal" is one of them; "the two seals", "both seals", a few of which more than one
    is meant ("the seals") and what is compared are all.
    """
    lead = words_before(heard.message, said.start, 1)
    place = ordinal(lead[0], OFFERED, heard.language) if lead else None
    if place is not None and place < len(cards):  # "the first motor"
        return [picked([cards[place]], said)]
    near = [one for one in heard.references if one.way in RANKED and _adjoins(heard, one, said)]
    best = best_of([*cards], near[0]) if near and len(cards) > 1 else [*cards]
    they = [one for one in heard.references if one.way == "they" and _adjoins(heard, one, said)]
    counts = {one.count for one in they}
    compared = any((one.kind, one.value) == COMPARED for one in heard.intents)
    behind = re.search(r"[.?!;]", heard.message[said.end :])
    compared = compared and behind is not None and behind[0] == "?"
    few = len(best) <= TIED and (0 in counts or is_plural(said.text))
    if len(best) > 1 and (len(best) in counts or compared or few) and len(best) <= OFFERED:
        return [picked([card], said) for card in best]
    return [picked(best or cards, said)]


def is_plural(text: str) -> bool:
    """Whether the last word names more than one: "bearings", "joints"."""
    words = read_words(text)
    return bool(words) and bool(re.search(r"[^s]s$", words[-1].text))


def counted_at(message: str, language: str, start: int) -> int:
    """Read how many of something are meant that is named at a place: 2 for "both supports"."""
    they = (one for one in find_references(message, language) if one.way == "they")
    counts = (one.count for one in they if message[one.end : start].isspace())
    return max(counts, default=0)


def _adjoins(heard: Understood, one: Reference, said: Evidence) -> bool:
    between = heard.message[min(one.end, said.end) : max(one.start, said.start)]
    return len(between.split()) < FEW and not any(char in ".?!;" for char in between)


def cards_meant(state: State, reference: Reference, count: int = 0) -> list[Card]:
    """Find the cards a reference may mean; several if it is ambiguous, plural, or a tie."""
    cards, spoken = list(state.cards), list(state.spoken)
    focus = [card for card in cards if card.number in state.focus]
    among = _of_these(state, count) if count else focus if len(focus) > 1 else cards
    # "The first two" of a list that has just two refers to the whole conversation instead.
    several = cards if len(cards) > max(count, 1) else spoken
    match reference.way:
        case "they":
            return among[:OFFERED] if len(among) > 1 else []
        case "first":
            return several[:count] if len(several) >= count else []
        case "last":
            return several[-count:] if len(several) >= count else []
        case "other":
            return [card for card in cards if card.number not in state.focus]
        case "place":
            listed = cards if len(cards) > 1 or not spoken else spoken
            lists = dict.fromkeys(card.model for card in listed) if listed is cards else ("",)
            each = [[c for c in listed if c.model == one or len(lists) < 2] for one in lists]
            return [card for own in each for card in own[reference.place : reference.place + 1]]
        case "priced":
            told = {card.number: card for card in (*cards, *spoken)}
            exact = [card for card in told.values() if card.costs(reference.amount)]
            figures = any(map(str.isdigit, reference.text))  # "under 15$" is no price of any
            return exact if figures else exact or _nearly(told.values(), reference.amount)
        case "fitting" | "misfit":
            fit = Verdict.LISTED if reference.way == "fitting" else Verdict.NOT_LISTED
            told = {card.number: card for card in (*spoken, *cards)}
            fitting = [card for card in told.values() if card.fit == fit]
            return [card for card in fitting if card in focus] or fitting[-TIED:]
        case "cheapest" | "dearest" | "easiest" | "quickest":
            some = among if len(among) > 1 else cards if count else spoken
            # Of a list for a complaint, only those count that explain what the likeliest does:
            # a bearing that squeaks mends no ice dispenser, however cheap it is.
            first = {*some[0].fixes} if some else set()
            likely = [card for card in some if first <= {*card.fixes}]
            return best_of(likely if len(likely) > 1 else some, reference)
    return []


def _nearly(cards: Iterable[Card], amount: Decimal) -> list[Card]:
    """Find the only part that costs about so much."""
    near = [card for card in cards if card.price and abs(card.price - amount) <= amount * NEAR]
    return near if len(near) == 1 else []


def told_of(state: State) -> list[Card]:
    """List the parts that the last answer was about individually, if they are few."""
    if state.goal not in OF_PARTS or not state.done:
        return []
    focus = [card for card in state.cards if card.number in state.focus]
    return focus if len(focus) == len(state.focus) <= OFFERED else []


def weighed_now(state: State) -> list[Card]:
    """List the parts that "it" may mean: those told of, of an open choice, or of a short list."""
    part = state.slots.part
    offered = part.options if isinstance(part, UnconfirmedId) and part.pointed else ()
    options = {one.number for one in offered} or {*state.focus}
    known = {card.number: card for card in (*state.spoken, *state.cards)}
    meant = [card for number, card in known.items() if number in options]
    return meant if len(meant) == len(options) <= OFFERED else []


def _of_these(state: State, count: int) -> list[Card]:
    """Find the parts that "those two" means: those of the last answer, else the last mentioned."""
    focus = [card for card in state.cards if card.number in state.focus]
    for group in (focus, list(state.cards)):
        if len(group) == count:
            return group
    return list(state.spoken[-count:]) if len(state.spoken) >= count else []


def best_of(among: list[Card], reference: Reference) -> list[Card]:
    """Find the best by price, difficulty or time; several if they tie."""
    measured: list[tuple[Decimal, Card]] = []
    for card in among:
        value = {"easiest": difficulty(card.difficulty), "quickest": minutes(card.time)}.get(
            reference.way, card.price
        )
        if value is not None:
            measured.append((Decimal(value), card))
    best = max if reference.way == "dearest" else min
    top = best((value for value, _ in measured), default=None)
    return [card for value, card in measured if value == top]


def picked(cards: Sequence[Card], said: Evidence, words: str | None = None) -> Subject:
    """Take the only card, or make a question of several that repeats `words`."""
    if len(cards) == 1:
        return Subject(part=part_of(cards[0], said), how="shown")
    options = tuple(map(option_of, cards[:OFFERED]))
    value = said.text if words is None else words
    slot = UnconfirmedId(value=value, evidence=said, options=options, pointed=True)
    return Subject(part=slot, how="shown")


def part_of(card: Card, said: Evidence) -> VerifiedPart:
    """Make a slot of a shown part, with the words that mean it."""
    return VerifiedPart(
        value=card.number, row=card.row, evidence=said, name=card.name, asked=card.number
    )


def option_of(card: Card) -> Option:
    """Make an option of a shown part."""
    return Option(kind="part", number=card.number, row=card.row, via="number", name=card.name)


def own_words(card: Card) -> list[str]:
    """List the words of a part's name without brand and appliance."""
    kind = card.kind.partition(",")[0]
    name = card.name.casefold().rpartition(kind)[2] if kind else card.name.casefold()
    return [word.text for word in read_words(name) if not word.text.isdigit()]


def named_kind(card: Card) -> str:
    """Join the words of a part's name without brand and appliance."""
    return " ".join(own_words(card))


def named_like(card: Card) -> DescriptionSlot | None:
    """Describe a part by its name without brand and appliance; `None` if that leaves nothing."""
    head, words = head_of(card.name), own_words(card)
    if head not in words:
        return None
    said = tuple(word for word in words if word != head)
    nowhere = Evidence(turn=0, start=0, end=0, text="")
    # A part of the same kind may be called otherwise: a "gasket" is a "seal".
    kinds = next((one.terms for one in parts_named(" ".join(words)) if head in one.terms), (head,))
    own = () if len(kinds) > 1 else (head,)
    terms = {"terms": (*kinds, *said), "strong": kinds, "said": said, "own": own}
    return DescriptionSlot(value=named_kind(card), evidence=nowhere, **terms)


def right_one(state: State, pointing: Sequence[Reference]) -> DescriptionSlot | None:
    """Describe the part that "the right one" means where none that was told of fits."""
    wanted = [one for one in pointing if one.way == "fitting" and not cards_meant(state, one)]
    known = [card for card in state.spoken if card.number in state.focus]
    return named_like(known[0]) if wanted and len(known) == 1 else None


def by_kind(cards: Iterable[Card]) -> dict[str, list[Card]]:
    """Group cards by the kind that their names say, in order."""
    found: dict[str, list[Card]] = {}
    for one in cards:
        found.setdefault(named_kind(one), []).append(one)
    return found


def surely_called(name: str, slot: DescriptionSlot) -> bool:
    """Whether a part is itself what was described, and not a piece of it or something for it."""
    if slot.sort == "roundabout":
        return False
    head, kinds = head_of(name), slot.own or slot.strong
    if kinds and not is_called(head, kinds):
        return False
    return all(is_called(name, (word,)) for word in (*slot.own, *slot.said))


def kind_of(name: str, slot: DescriptionSlot) -> bool:
    """Whether a loose word for its kind may mean a part in sight, as "the fan" may mean a motor.

    Any place or purpose that was mentioned must be in its name.
    """
    named = slot.sort != "roundabout" and is_called(head_of(name), slot.strong)
    return named and all(is_called(name, (word,)) for word in (*slot.own, *slot.said))


def says_no_more(name: str, slot: DescriptionSlot) -> bool:
    """Whether a name has only words of the description: "inlet valve" for a water valve.

    The name needs two words or more, since a "filter" may be any.
    """
    own = name_words(name)
    said = (*slot.own, *slot.said, *slot.terms)
    return len(own) > 1 and slot.sort != "roundabout" and all(is_called(w, said) for w in own)


def name_words(name: str) -> list[str]:
    """List the words of a name behind brand and appliance."""
    machines = find_appliances(name)
    words = read_words(name[machines[-1].end :] if machines else name)
    return [word.text for word in words if not word.text.isdigit()]


def is_called(name: str, terms: Iterable[str]) -> bool:
    """Whether a word of a name begins with one of the terms, or is a compound ending with it."""
    words = [word.text for word in read_words(name)]
    return any(
        word.startswith(term) or (len(term) > _TELLING and word.endswith(term))
        for term in terms
        for word in words
    )


def description_slot(heard: Understood, noun: Description, turn: int) -> DescriptionSlot:
    """Make a slot of a noun; `said` are the words before it, which the part's name must have."""
    if (begin := roundabout(heard.message, noun, heard.language)) is not None:
        return _roundabout(heard, noun, begin, turn)
    foreign = [s for s in heard.foreign if s.text.casefold() != heard.brand.casefold()]
    before = [s for s in foreign if heard.message[s.end : noun.start].isspace()]
    start = before[-1].start if before else noun.start
    text = heard.message[start : noun.end]
    own = [word.text for word in read_words(text)]
    said = [term for term in qualifiers(text, heard.language) if term not in noun.terms[:1]]
    strange = [word.text for span in before[-1:] for word in read_words(span.text)]
    behind = _own_behind(heard, noun)
    # "Top" is "upper" in the names of parts.
    said += [word for word in strange if not qualifiers(word, heard.language)]
    if heard.language != "en":
        # In other languages such words also follow the noun: "le bras du bas".
        more = qualifiers(behind, heard.language)
        said += [term for term in more if term not in noun.terms]
    return DescriptionSlot(
        value=text + _told_apart(behind, heard.language),
        terms=tuple(dict.fromkeys((*noun.terms, *noun.weak, *said))),
        strong=noun.terms,
        said=tuple(dict.fromkeys(said)),
        own=_own(heard.language, noun, own),
        without=_excluded(heard, noun),
        evidence=Evidence(turn=turn, start=start, end=noun.end, text=text),
    )


def _roundabout(heard: Understood, noun: Description, start: int, turn: int) -> DescriptionSlot:
    """Make a slot of a description by function: no word is the head, and all weigh the same."""
    end = noun.end + len(_behind(heard, noun).rstrip())
    text = heard.message[start:end]
    words = [word.text for word in read_words(text) if word.text not in COMMON]
    own = [word[:_STEM] for word in words if len(word) > _TELLING and heard.language == "en"]
    terms = (*noun.terms, *noun.weak, *qualifiers(text, heard.language), *own)
    said = Evidence(turn=turn, start=start, end=end, text=text)
    return DescriptionSlot(
        value=text, terms=tuple(dict.fromkeys(terms)), sort="roundabout", evidence=said
    )


def by_purpose(heard: Understood, strange: Span, turn: int) -> DescriptionSlot | None:
    """Make a slot of a description without a noun: "the thing that holds the cutlery"."""
    start = vague_at(heard.message, heard.language)
    if start is None or start > strange.start:
        return None
    text = re.split(r"[.,;!?]", heard.message[start:])[0].rstrip()
    terms = qualifiers(text, heard.language)
    said = Evidence(turn=turn, start=start, end=start + len(text), text=text)
    slot = DescriptionSlot(value=text, terms=terms, sort="roundabout", evidence=said)
    return slot if terms else None


def _behind(heard: Understood, noun: Description) -> str:
    """Return the text after a noun that still belongs to it."""
    after = heard.message[noun.end :]
    ends = [other.start - noun.end for other in heard.named if other.start >= noun.end]
    ends += [found.start - noun.end for found in heard.found if found.start >= noun.end]
    ends += [place for place, char in enumerate(after) if char in ".,;:!?"]
    ends += joins_at(after, heard.language)
    return after[: min(ends, default=len(after))]


def _own_behind(heard: Understood, noun: Description) -> str:
    """Return the text after a noun up to the first word of a sentence: not "va dessus"."""
    behind, language = _behind(heard, noun), heard.language
    said = (one for one in read_words(behind) if one.text not in leading(language))
    ends = (one.start for one in said if plain_word(one.text, language))
    return behind[: next(ends, len(behind))]


def in_words(slot: DescriptionSlot, words: str, language: str) -> DescriptionSlot:
    """Add what else the words say that a model quoted for a part: "the arm at the top"."""
    more = [term for term in qualifiers(words, language) if term not in slot.terms]
    told = {"value": words, "terms": (*slot.terms, *more), "said": (*slot.said, *more)}
    return slot.model_copy(update=told if more else {})


def _told_apart(behind: str, language: str) -> str:
    """Cut the words behind a noun after those that tell it apart: "du haut" of "du haut, merci"."""
    every = qualifiers(behind, language) if language != "en" else ()
    ends = (word.end for word in read_words(behind) if every)
    return next((behind[:end] for end in ends if qualifiers(behind[:end], language) == every), "")


def _excluded(heard: Understood, noun: Description) -> tuple[str, ...]:
    """List the stems of nouns that the message says are not meant."""
    others = (
        other
        for other in heard.named
        if other.kind != noun.kind and excluded(heard.message, other.start, heard.language)
    )
    return tuple(
        dict.fromkeys(word.text[:_STEM] for other in others for word in read_words(other.text))
    )


def _own(language: str, noun: Description, words: Sequence[str]) -> tuple[str, ...]:
    """List the stems of the noun's words; only English has words that catalogs use."""
    if language != "en":
        return ()
    kind = [word.text for word in read_words(noun.text)]
    meant = (w for w in words if w in kind and w not in ("the", "a"))
    # "Pumps" are each called a pump.
    forms = ((word, [*qualifiers(word), *filter(word.startswith, noun.terms)]) for word in meant)
    return tuple(next(iter(known), word[:_STEM]) for word, known in forms)


def with_words(state: State, span: Span, language: str) -> list[Card]:
    """Find the shown cards whose names have a span's words, or the catalog's words for them."""
    words = [word.text[:_STEM] for word in read_words(span.text)]
    meant = list(qualifiers(span.text, language)) or words
    return [card for card in state.cards if all(is_called(card.name, (w,)) for w in meant)]


def evidence(span: Span | Intent | SymptomFound, turn: int) -> Evidence:
    """Quote a span of the message as evidence."""
    return Evidence(turn=turn, start=span.start, end=span.end, text=span.text)


def option_meant(state: State, heard: Understood, slot: UnconfirmedId) -> Option | None:
    """Find the only option that a description fits: "the cheaper one", "the grey one"."""
    numbers = [option.number for option in slot.options]
    cards = tuple(card for card in state.cards if card.number in numbers)
    among = state.but(cards=cards, focus=(), spoken=())
    for reference in heard.references:
        if reference.count:
            continue
        meant = (
            cards_meant(among, reference) if reference.way not in ("it", "they", "place") else []
        )
        if len(meant) == 1 and len(cards) == len(numbers):
            return slot.options[numbers.index(meant[0].number)]
    fitting = [o for o in slot.options if all(_fits(o.name, noun) for noun in heard.named)]
    meant_now = unexcluded_words(heard.message, heard.language)
    told = [term for noun in heard.named for term in noun.weak]
    terms = [term for noun in heard.named for term in noun.terms[:1]]
    terms += [term for term in told if term in qualifiers(meant_now, heard.language)]
    terms += [w.text for s in heard.foreign for w in read_words(meant_now[s.start : s.end])]
    if not heard.named:  # "the fridge one" of two gaskets
        terms += qualifiers(meant_now, heard.language)
    else:  # "does the rack *kit* have both *sides*"
        words = (word.text for word in read_words(meant_now))
        terms += [word[:_STEM] for word in words if len(word) >= _TELLING and word not in COMMON]
    score = [sum(is_called(option.name, (term,)) for term in terms) for option in fitting]
    best = max(score, default=0)
    return fitting[score.index(best)] if best and score.count(best) == 1 else None


def unexcluded_words(message: str, language: str) -> str:
    """Blank what a message says is not meant, up to the next punctuation or "and"."""
    text = message
    for word in read_words(message):
        if not excluded(message, word.start, language):
            continue
        rest = message[word.start :]
        stop = re.search(r"[.,;:!?\n]", rest)
        ends = [*([stop.start()] if stop else []), *joins_at(rest, language)]
        end = word.start + min(ends, default=len(rest))
        text = text[: word.start] + " " * (end - word.start) + text[end:]
    return text


def _fits(name: str, noun: Description) -> bool:
    """Whether a noun may mean a part: "heating element" is not a "Defrost Heater"."""
    said = [word.text for word in read_words(noun.text)]
    # A word that the customer used outweighs the catalog's synonyms for it.
    exact = [term for term in noun.terms if any(word.startswith(term) for word in said)]
    return is_called(name, exact or noun.terms)


def only_points(quote: str, language: str) -> bool:
    """Whether a quote names no part but points at one: "s'il est bon"."""
    pointing = any(one.way == "it" for one in find_references(quote, language))
    return pointing and not parts_named(quote, language)
