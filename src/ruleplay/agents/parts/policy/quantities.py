"""How many of each part a customer wants, read from all that they wrote."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.intents import read_intents
from ruleplay.agents.parts.domain.references import find_references
from ruleplay.agents.parts.domain.slots import Goal
from ruleplay.agents.parts.domain.voice import voice
from ruleplay.agents.parts.policy import replies
from ruleplay.agents.parts.state import Draft, Line, PartFilled, ToolReturned
from ruleplay.telling.number_words import ONE
from ruleplay.telling.numbers import read

MOST = 49
"""The largest number that is taken for a quantity."""
_BEFORE = re.compile(
    r"(?<![\w.,-])(?P<count>[2-9]|[1-4]\d)\s?[x×]?\s{1,3}(?:[^\W\d]{1,24}\s{1,3}){0,2}$"
)
_AFTER = re.compile(r"\s*[x×]\s*(?P<count>[2-9]|[1-4]\d)\b")
_TIMES = re.compile(r"(?<![^\W_])[x×](?=\s?\d)", re.IGNORECASE)
_ONES = ONE - {"a", "an"}
COUNTED_IN = ("en", "fr")
"""Languages whose words for numbers are read; in others there is no total."""
Called = Mapping[str, Sequence[str]]
"""The words that mean a part, by its number."""


class Quantities(NamedTuple):
    """Counts by the part's number; `unclear` are counts of nobody knows what."""

    of: dict[str, int]
    unclear: set[int]

    @property
    def all(self) -> frozenset[float]:
        """All counts that were spoken of."""
        return frozenset(map(float, {*self.of.values(), *self.unclear}))


def total(state: Draft, returned: ToolReturned, said: Sequence[str]) -> list[Line]:
    """Add up this turn's prices, behind the last of several, where a sum is asked for.

    `said` is all that the customer wrote before. Where a count may be of any part, there is no sum.
    """
    if returned.goal is not Goal.PRICE or any(one.goal is Goal.PRICE for one in state.now.queue):
        return []
    earlier = [event for event in state.events if isinstance(event, ToolReturned)]
    every = [one for one in (*earlier, returned) if one.goal is Goal.PRICE]
    cards = {card.number: card for one in every for card in one.cards}
    message, language = state.given.message, state.now.language
    known, here = numbers_of(list(cards.values())), _meant_by(state, tuple(cards))
    counts = quantities([*said, message], known, here, language)
    now = quantities([message], known, here, language).of
    asked = now or any(one.value == "total" for one in read_intents(message, None, language))
    forgotten = counts.of.keys() - now - {card.number for card in state.before.spoken}
    if not asked or counts.unclear or forgotten or language not in COUNTED_IN:
        return []
    wanted = [(card, counts.of.get(card.number, 1)) for card in cards.values()]
    return replies.total(wanted, voice(language))


def _meant_by(state: Draft, numbers: Sequence[str]) -> dict[str, list[str]]:
    """Return the words of this message that mean each part: "it" and "them" where there is one."""
    words: dict[str, list[str]] = {number: [] for number in numbers}
    for event in state.events:
        if isinstance(event, PartFilled) and event.slot.value in words:
            words[event.slot.value].append(event.slot.evidence.text)
    if len(words) == 1:
        pointing = find_references(state.given.message, state.now.language)
        words[numbers[0]] += [one.text for one in pointing if one.way in ("it", "they")]
    return words


def spoken_of(state: Draft, said: Sequence[str]) -> frozenset[float]:
    """Return all counts that the customer ever wrote, whatever they are of."""
    now = state.now
    messages, known = [*said, state.given.message], numbers_of([*now.cards, *now.spoken])
    return quantities(messages, known, {}, now.language).all


def numbers_of(cards: Sequence[Card]) -> dict[str, Sequence[str]]:
    """Return all numbers that each part goes by."""
    return {
        card.number: [*filter(None, (card.number, card.manufacturer_number)), *card.replaces]
        for card in cards
    }


def quantities(messages: Sequence[str], known: Called, here: Called, language: str) -> Quantities:
    """Read the counts of messages, oldest first; words of `here` mean parts in the last alone.

    What was said last of a part counts.
    """
    found = Quantities({}, set())
    for message in messages:
        again, rest = bool(found.of), message
        for start, end, number, named in _places(message, known, here, message is messages[-1]):
            rest = _blanked(rest, start, end) if named else rest
            after, before = _AFTER.match(message[end:]), _BEFORE.search(message[:start])
            if said := after or before:
                found.of[number] = int(said["count"])
                at = end if after else 0
                rest = _blanked(rest, at + said.start(), at + said.end())
        found.unclear.update(_loose(rest, language, least=1 if again else 2))
    return found


def _places(
    message: str, known: Called, here: Called, last: bool
) -> list[tuple[int, int, str, bool]]:
    """Return where parts are spoken of: start, end, which one, and whether by a number."""
    words = [(word, number, True) for number, names in known.items() for word in names]
    if last:
        # "4 of them" of two parts is no count of either.
        shared = [word for names in here.values() for word in set(names)]
        alone = {word for word in shared if shared.count(word) == 1}
        words += [(w, n, False) for n, names in here.items() for w in alone.intersection(names)]
    return [
        (at.start(), at.end(), number, named)
        for word, number, named in words
        for at in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", message, re.IGNORECASE)
    ]


def _loose(rest: str, language: str, least: int) -> set[int]:
    """Return what may be counts in a message, but for those that point: "the two", "all three"."""
    for one in find_references(rest, language):
        if any(number.start for number in read(one.text)):
            rest = _blanked(rest, one.start, one.end)
    counts = (n for n in read(_TIMES.sub(" ", rest)) if n.unit in ("", "x") and not n.odd)
    ones = (
        {1} if least == 1 and not _ONES.isdisjoint(re.findall(r"\w+", rest.casefold())) else set()
    )
    return ones | {int(n.value) or 1 for n in counts if n.spoken or least <= n.value <= MOST}


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]
