"""Reads how many of each part a customer wants, from everything they wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from ruleplay.agents.parts import state as did
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.descriptions import head_of, parts_named
from ruleplay.agents.parts.domain.id_context import is_measure
from ruleplay.agents.parts.domain.intents import read_intents
from ruleplay.agents.parts.domain.reader import SURE, Reading, readings
from ruleplay.agents.parts.domain.references import find_references, only_joins
from ruleplay.agents.parts.domain.slots import Evidence, Goal
from ruleplay.agents.parts.domain.stopwords import COMMON
from ruleplay.agents.parts.domain.tokens import read_words
from ruleplay.agents.parts.domain.voice import voice
from ruleplay.agents.parts.policy import focus, replies
from ruleplay.agents.parts.policy.pointing import is_called, own_words
from ruleplay.agents.parts.state import Draft, Line, State
from ruleplay.telling.number_words import ONE
from ruleplay.telling.numbers import read

MOST = 49
"""Largest number that is read as a quantity."""
NEWEST = 2
"""Latest messages in which a count of unknown reference still prevents a total."""
_BETWEEN = re.compile(r"\s?[x×]?\s{0,3}(?:[^\W\d]{1,24}\s{1,3}){0,2}")
_AFTER = re.compile(r"\s*[x×]\s*(?P<count>[2-9]|[1-4]\d)\b")
_SENTENCES = re.compile(r"[.?!\n]+\s")
_TIMES = re.compile(r"(?<![^\W_])[x×](?=\s?\d)", re.IGNORECASE)
_ONES = ONE - {"a", "an", "un", "une"}
_FEW = 5
"""A message with fewer words, one of them a number, is about that many."""
_NOT_WANTING = (
    "diagnose", "story", "tried", "untold", "howtell", "shipping", "onorder", "quote", "ends",
    "dear", "discount", "effort", "install", "check", "about", "compare", "sure",
)  # fmt: skip
"""What clauses are about whose numbers count no parts."""
COUNTED_IN = ("en", "fr")
"""Languages whose number words are read; in others there are no totals."""
NO_COUNT: Mapping[str, int] = MappingProxyType({})
Place = tuple[int, int, str]
"""Start and end of a mention of a part, and the part's number."""


class Quantities(NamedTuple):
    """Counts by part number; `unclear` are recent counts of unknown reference."""

    of: dict[str, int]
    unclear: set[int]

    @property
    def all(self) -> frozenset[float]:
        """All counts that were mentioned."""
        return frozenset(map(float, {*self.of.values(), *self.unclear}))


def prices(
    state: Draft, returned: did.ToolReturned, found: list[Line], said: Sequence[str]
) -> list[Line]:
    """State prices; after the last of several, add them up if asked for.

    Prices that were stated before are not listed again one by one.
    """
    cards = priced(state) | {card.number: card for card in returned.cards}
    more = any(one.goal is Goal.PRICE for one in state.now.queue)
    words = voice(state.now.language)
    known = {card.number for card in (*state.before.cards, *state.before.spoken)}
    own = {card.number: state.now.count for card in returned.cards if state.now.count}
    summed = [] if more else total(state, cards, said, own if len(own) == 1 else {})
    alone = returned.how == "named" or len(cards) == 1
    if alone or not sums(state) or not known >= cards.keys():
        return [*found, *summed]
    return [] if more else summed or [replies.price(card, words) for card in cards.values()]


def beside_total(state: Draft, lines: Sequence[Line]) -> list[Line]:
    """Leave out prices that a total repeats, where they were told before or only stock is asked."""
    summed = {n for one in lines if one.id.startswith("total:") for n in one.id.split(":")[1:]}
    read = read_intents(state.given.message, None, state.now.language)
    known = {card.number: card for card in (*state.before.cards, *state.before.spoken)}
    again = {f"price:{number}" for number in summed & known.keys()}
    kept = [one for one in lines if one.id not in again]
    if len(kept) < len(lines) and (len(summed) == 1 or any(one.kind == "stock" for one in read)):
        words = voice(state.now.language)
        kept += replies.stocked([known[one] for one in known if one in summed], words)
    return kept


def total(
    state: Draft,
    cards: Mapping[str, Card],
    said: Sequence[str],
    own: Mapping[str, int] = NO_COUNT,
) -> list[Line]:
    """Add up this turn's prices if a total is asked for, or if an earlier total changes.

    `said` is everything the customer wrote before, and `own` the count that the question has. If it
    is unclear which part a count belongs to, the customer is asked. What a model has read is not
    counted once more.
    """
    message, language = state.given.message, state.now.language
    # "Do I need two?" is a question, not a quantity.
    untold = any(isinstance(one, did.Answered) and one.topic == "untold" for one in state.events)
    if (untold and len(cards) < 2) or _alternatives(state, cards):
        return []
    known = list(cards.values())
    texts = [] if state.led else [*said, wanting(message)]
    counts, now = (quantities(one, known, language) for one in (texts, texts[-1:]))
    # "Six of the sleeves, and would there be a discount?" still wants six of the sleeves.
    read = readings(message, ())
    apart = [] if state.led else [_without_asides(message, read[1:] or read)]
    beside = quantities(apart, known, language).of
    counts.of.update({**beside, **state.now.wanted, **own})
    now.of.update({**beside, **own})
    # "The three" of three parts is no quantity, unlike "two of this, and two of that".
    every = set() if len(cards) < 2 or _repeated(message, language, len(cards)) else {len(cards)}
    unclear = counts.unclear - every
    alone = set() if state.led else _alone(state, counts, now)
    # With a single part in question, a lone number can only be its quantity.
    if len(cards) == 1 and len(alone) == 1 and not now.of:
        (number,), unclear = cards, set()
        counts.of[number] = now.of[number] = alone.pop()
    fewer = _sum_told(state) > cards.keys() and len(cards) > 1
    asked = _asks_sum(state)
    several = any(counts.of.get(number, 1) > 1 for number in cards)
    asks = asked or several or now.of or (fewer and not now.unclear)
    if not asks or language not in COUNTED_IN:
        return []
    # A wrong total is worse than a question.
    if unclear and cards.keys() - counts.of.keys():
        words = voice(language)
        return [replies.said("ask:count", words.say("how_many"))] if asked else []
    # "Thirty-seven and change" is what it costs.
    sums = {card.number: int(card.price or 0) for card in known}
    many = {number: count for number, count in counts.of.items() if count != sums.get(number)}
    wanted = [(card, many.get(card.number, 1)) for card in known]
    return replies.total(wanted, voice(language))


def wanting(message: str) -> str:
    """Blank the clauses whose numbers are no quantities: "the milk went bad twice", "1 or 2?"."""
    return _without_asides(message, readings(message, ()))


def _without_asides(message: str, read: Sequence[Reading]) -> str:
    for one in read:
        if one.goal in _NOT_WANTING and one.sure >= SURE:
            message = _blanked(message, one.start, one.end)
    return message


def _alone(state: Draft, counts: Quantities, now: Quantities) -> set[int]:
    """Find the counts of a message that stand alone, as those of its only part."""
    message, language = (
        _of_named(wanting(state.given.message), state.now.language),
        state.now.language,
    )
    # "Qty 4 whl?", but not "the one with 9" of the numbers offered.
    bare = len(read_words(message)) < _FEW and not (state.before.asked or state.before.missing)
    alone = {1} if back_to_one(message, language) else now.unclear & standing(message)
    alone = alone or (now.unclear if bare else set())
    pairs = alone or {*_pairs(message, language)}
    return pairs or (counts.unclear if _asks_sum(state) and not counts.of else set())


def _of_named(message: str, language: str) -> str:
    """Blank the sentences that name no part, if others do: "2 of each. Got the seal too?"."""
    ends = [0, *(one.end() for one in _SENTENCES.finditer(message)), len(message)]
    spots = [one.start for one in parts_named(message, language)]
    for start, end in pairwise(ends) if spots else ():
        if not any(start <= spot < end for spot in spots):
            message = _blanked(message, start, end)
    return message


def _pairs(message: str, language: str) -> list[int]:
    """Find the counts of references to the only part: "the dispenser, two of them".

    "Both" and "the two" are two parts, never two pieces of one.
    """
    they = [one for one in find_references(message, language) if one.way == "they" and one.count]
    return [one.count for one in they if read(one.text.split()[0])]


def priced(state: Draft) -> dict[str, Card]:
    """Collect the parts whose prices this turn has stated, by number.

    A search states a price too where it settles on one part.
    """
    every = [one for one in state.events if isinstance(one, did.ToolReturned)]
    told = [one for one in every if one.goal is Goal.PRICE or _settles(one)]
    return {card.number: card for one in told for card in one.cards}


def found_total(state: Draft, returned: did.ToolReturned, said: Sequence[str]) -> list[Line]:
    """Add up what several searches have found, after the last one, if a total is asked for."""
    cards = priced(state) | {card.number: card for card in returned.cards}
    read = read_intents(state.given.message, None, state.now.language)
    prices = any(one.kind == "price" for one in read)  # "have you got both?" adds nothing up
    last = prices and _settles(returned) and not state.now.queue
    return total(state, cards, said) if last and len(cards) > 1 and _asks_sum(state) else []


def _settles(returned: did.ToolReturned) -> bool:
    return returned.goal in (Goal.DIAGNOSE, Goal.FIND) and len(returned.cards) == 1


def back_to_one(message: str, language: str) -> bool:
    """Whether a message reduces the count to one: "scratch that, just the one"."""
    words = {word.text for word in read_words(message)}
    back = any(
        one.kind in ("retract", "correction") for one in read_intents(message, None, language)
    )
    return back and not words.isdisjoint(ONE - {"a", "an"})


def _alternatives(state: Draft, cards: Mapping[str, Card]) -> bool:
    """Whether some parts are alternatives for one noun; nobody buys all of those."""
    raised = (one.question for one in state.events if isinstance(one, did.QuestionRaised))
    parts = {one.part.value: one.part.evidence for one in raised if one.part}
    said = [one for number, one in parts.items() if number in cards and one.text]
    twice = {(one.start, one.end): one.text for one in said if said.count(one) > 1}
    return any(parts_named(text, state.now.language) for text in twice.values())


def sums(state: Draft) -> bool:
    """Whether a message asks for a total, or may change one that was stated before."""
    return _asks_sum(state) or bool(_sum_told(state))


def _asks_sum(state: Draft) -> bool:
    """Whether a total is asked for; the price of "both" implies one."""
    message, language = state.given.message, state.now.language
    read = read_intents(message, None, language)
    counted = any(one.way == "they" and one.count for one in find_references(message, language))
    stock = any(one.kind == "stock" for one in read)
    # "Which of the two is cheaper" buys neither.
    asked = (one.question for one in state.events if isinstance(one, did.QuestionRaised))
    compares = any(one.cheapest for one in asked) or focus.asks_of_price(message, language)
    guessed = (counted or _adds(message, language)) and not (stock or compares or state.led)
    return guessed or any(one.value == "total" for one in read)


def _adds(message: str, language: str) -> bool:
    """Whether a message adds up parts: "the flap + the spring", "that one plus the pin"."""
    pointing = [one for one in find_references(message, language) if one.way in ("it", "other")]
    spots = [(one.start, one.end) for one in parts_named(message, language)]
    spots = sorted([*spots, *((one.start, one.end) for one in pointing)])
    between = [message[one[1] : two[0]] for one, two in pairwise(spots)]
    return any("+" in text or _plus(text, language) for text in between)


def _plus(text: str, language: str) -> bool:
    return only_joins(text, language) and any(w.text == "plus" for w in read_words(text))


def _sum_told(state: Draft) -> set[str]:
    """Return the parts whose prices the last answer stated, if there were several."""
    several = state.before.goal is Goal.PRICE and len(state.before.focus) > 1
    return {*state.before.focus} if several else set()


def standing(message: str) -> set[int]:
    """Find counts that are not followed by a noun that they may count: "3 please"."""
    behind = (
        (one, re.match(r"\W*?(?:\s(\w+)|[,.;:!?]|$)", message[one.end :])) for one in read(message)
    )
    values = {int(one.value) for one, next_ in behind if next_ and (next_[1] or "for") in COMMON}
    return {value for value in values if 1 < value <= MOST}


def wanted(state: State, messages: Sequence[str], *, led: bool = False) -> Quantities:
    """Count each part mentioned in the conversation, and find other recent counts.

    Of a message that a model `led`, its counts are those of the state; the others may be said.
    """
    known = {card.number: card for card in (*state.cards, *state.spoken)}
    found = quantities(messages, list(known.values()), state.language)
    if led:
        return Quantities({**state.wanted}, {*map(int, found.all)})
    return found._replace(of=found.of | state.wanted)


def numbers_of(cards: Sequence[Card]) -> dict[str, Sequence[str]]:
    """List all numbers by which each part is known."""
    return {
        card.number: [*filter(None, (card.number, card.manufacturer_number)), *card.replaces]
        for card in cards
    }


def quantities(messages: Sequence[str], cards: Sequence[Card], language: str) -> Quantities:
    """Read the counts in messages, the oldest first; later ones replace earlier ones.

    A count stands next to a part's number, or to a noun that fits only one of the cards.
    """
    found, known = Quantities({}, set()), numbers_of(cards)
    for place, message in enumerate(messages, 1):
        again, rest, unpointed = bool(found.of), message, _unpointed(message, language)
        named = [*_places(message, known), *_nouns(message, cards, language)]
        named += _counted_from(message, cards, language) if place == len(messages) else []
        for start, end, number in named:
            rest = _blanked(rest, start, end)
            if said := _count_at(unpointed, start, end):
                found.of[number] = said[0]
                rest = _blanked(rest, *said[1:])
            elif len(named) == 1 and (pairs := _pairs(message, language)):
                found.of[number] = max(pairs)
        # Old numbers of unknown reference no longer matter.
        if place > len(messages) - NEWEST:
            found.unclear.update(_loose(rest, language, least=1 if again else 2))
    return found


def counted(message: str, spots: Sequence[Evidence]) -> bool:
    """Whether more than one of something is wanted that is at one of the spots."""
    counts = (_count_at(message, one.start, one.end) for one in spots)
    return any(one is not None and one[0] > 1 for one in counts)


def _counted_from(message: str, cards: Sequence[Card], language: str) -> Iterator[Place]:
    """Find the places of parts in a list: "two of the first and one of the second"."""
    placed = [one for one in find_references(message, language) if one.way == "place"]
    for one in placed if len(placed) > 1 else ():
        yield from ((one.start, one.end, card.number) for card in cards[one.place : one.place + 1])


def _nouns(message: str, cards: Sequence[Card], language: str) -> Iterator[Place]:
    """Find nouns that fit only one of the cards, and the names of cards: "six friction sleeves"."""
    for noun in parts_named(message, language):
        called = [card.number for card in cards if is_called(card.name, noun.terms[:1])]
        yield from ((noun.start, noun.end, number) for number in called if len(called) == 1)
    words = read_words(message)
    for at, word in enumerate(words):
        named = [one for one in cards if _is_head(word.text, head_of(one.name))]
        own = {*own_words(named[0])} if len(named) == 1 else set[str]()
        first = at
        while first and words[first - 1].text in own:
            first -= 1
        if named and own:
            yield words[first].start, word.end, named[0].number


def _is_head(word: str, head: str) -> bool:
    return bool(head) and word in (head, f"{head}s")


def _count_at(message: str, start: int, end: int) -> tuple[int, int, int] | None:
    """Find the count next to a mention, and where it is."""
    if after := _AFTER.match(message[end:]):
        return int(after["count"]), end + after.start(), end + after.end()
    # The number closest to the mention counts, so the search goes backwards.
    for number in reversed(read(_TIMES.sub(" ", message[:start]))):
        if measured(message, number.start, number.end):
            continue
        near = _BETWEEN.fullmatch(message[number.end : start]) and number.unit in ("", "x")
        if near and 1 <= number.value <= MOST and not message[: number.start][-1:].isalnum():
            return int(number.value), number.start, number.end
    return None


def _places(message: str, known: Mapping[str, Sequence[str]]) -> Iterator[Place]:
    """Find the numbers of parts in a message."""
    for number, names in known.items():
        for name in names:
            for at in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", message, re.IGNORECASE):
                yield at.start(), at.end(), number


def _unpointed(message: str, language: str) -> str:
    """Blank references with a count behind their first word: "those two" parts, "the two"."""
    for one in find_references(message, language):
        if any(number.start for number in read(one.text)):
            message = _blanked(message, one.start, one.end)
    return message


def _loose(rest: str, language: str, least: int) -> set[int]:
    """Find other counts in a message, except those in references: "the two", "all three"."""
    text = _TIMES.sub(" ", _unpointed(rest, language))
    counts = (n for n in read(text) if n.unit in ("", "x") and not n.odd)
    counts = (n for n in counts if not measured(text, n.start, n.end))
    ones = (
        {1} if least == 1 and not _ONES.isdisjoint(re.findall(r"\w+", rest.casefold())) else set()
    )
    return ones | {int(n.value) or 1 for n in counts if n.spoken or least <= n.value <= MOST}


def _repeated(message: str, language: str, count: int) -> bool:
    """Whether a message has a count more than once, apart from its references."""
    text = _unpointed(message, language)
    return sum(one.value == count and one.unit == "" for one in read(text)) > 1


def measured(text: str, start: int, end: int) -> bool:
    """Whether a number is a measure: "a 30 cm hose"."""
    unit = re.match(r"\s?([^\W\d]+)", text[end:])
    return unit is not None and is_measure(f"{text[start:end]}{unit[1]}")


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]
