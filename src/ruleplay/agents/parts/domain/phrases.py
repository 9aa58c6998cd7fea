"""Matches customers' words against a vocabulary: concepts, and patterns of concepts.

A *concept* is a name for many forms of one idea (`LEAK`: "leaking", "drips", "leeking"). A
*pattern* is a line such as `NOT > DRAIN` or `WATER FLOOR|UNDER`. Upper case names a concept, lower
case is a word itself (`in_stock` is two words, `leak*` any word that begins so). `>` fixes the
order, `A|B` means either, `!X` must not be between the others, `~X` not near them, and `+X` must
not be negated. The words of a match are in one phrase, with at most `GAP` words between neighbours.

Everything takes time linear in the length of the message (one Aho-Corasick pass, no backtracking),
because messages are untrusted and may be long.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import ahocorasick  # type: ignore[import-not-found]  # a C extension without stubs

from ruleplay.agents.parts.domain.negation import negated
from ruleplay.agents.parts.domain.tokens import Mention, Word, fold

GAP = 4
"""Most words between two neighbours of a match ("won't let the water drain")."""
NEAR = 5
"""Words on each side in which `~X` must not occur."""

_SPELLING_FROM = 8
"""Fewest letters of a word whose typos are recognised; shorter ones have too many real words one
typo away ("closing", "costing"). Of a form of two words, the second counts."""
_SPELLING_TO = 16


Mentions = Mapping[str, Sequence[Mention]]


class Pattern(NamedTuple):
    """A compiled pattern line: alternatives per element, whether ordered, and exclusions."""

    elements: tuple[tuple[str, ...], ...]
    affirmed: tuple[bool, ...]
    ordered: bool
    not_between: tuple[str, ...]
    not_near: tuple[str, ...]

    def names(self) -> Iterator[str]:
        """Iterate over every concept or word that the pattern mentions."""
        for element in self.elements:
            yield from element
        yield from self.not_between
        yield from self.not_near


def parse_pattern(line: str) -> Pattern:
    """Compile a pattern line; `ValueError` if it has no element to look for."""
    parts = [part for part in line.split() if part != ">"]
    between = tuple(name for p in parts if p[0] == "!" for name in p[1:].split("|"))
    near = tuple(name for p in parts if p[0] == "~" for name in p[1:].split("|"))
    wanted = [part for part in parts if part[0] not in "!~"]
    if not wanted:
        raise ValueError(f"pattern {line!r} looks for nothing")
    return Pattern(
        elements=tuple(tuple(part.lstrip("+").split("|")) for part in wanted),
        affirmed=tuple(part.startswith("+") for part in wanted),
        ordered=">" in line.split(),
        not_between=between,
        not_near=near,
    )


class Lexicon:
    """Finds concepts in a message; `concepts` maps each name to its forms.

    A form is one or more words; a trailing `*` matches any ending. Of overlapping forms the longest
    wins, so "ice maker" hides "ice". Long words are also recognised with one typo.
    """

    def __init__(self, concepts: Mapping[str, Iterable[str]], patterns: Iterable[Pattern]) -> None:
        named: dict[str, tuple[str, ...]] = {}
        for concept, forms in concepts.items():
            for form in forms:
                key = _key(form)
                named[key] = (*named.get(key, ()), concept)
        literals = {name for pattern in patterns for name in pattern.names() if name.islower()}
        for literal in sorted(literals):
            key = _key(literal.replace("_", " "))
            named[key] = (*named.get(key, ()), literal)
        self._spellings = _spellings(named)
        self._automaton = ahocorasick.Automaton()
        for key, names in named.items():
            self._automaton.add_word(key, (key, names))
        self._automaton.make_automaton()

    def mentions(self, words: Sequence[Word]) -> Mentions:
        """Find where each concept is mentioned, in order of appearance."""
        found: dict[str, list[Mention]] = {}
        for first, last, names in self._longest(words):
            for name in names:
                found.setdefault(name, []).append(Mention(first, last))
        return found

    def _longest(self, words: Sequence[Word]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Keep only the longest of overlapping matches, from left to right."""
        by_first: dict[int, dict[int, list[str]]] = {}
        for first, last, names in self._raw(words):
            by_first.setdefault(first, {}).setdefault(last, []).extend(names)
        covered = -1
        for first in sorted(by_first):
            last = max(by_first[first])
            if first <= covered:
                continue
            yield first, last, tuple(dict.fromkeys(by_first[first][last]))
            covered = last

    def _raw(self, words: Sequence[Word]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Find all exact matches, and misspelt words among those without any."""
        text, starts = _joined(words)
        # Only words without an exact match are checked for typos.
        recognised = bytearray(len(words))
        matches = self._automaton.iter(text) if len(self._automaton) else ()
        for end, (key, names) in matches:
            first = bisect_left(starts, end - len(key) + 1)
            last = first + key.count("\x01") - 1
            recognised[first : last + 1] = b"\x01" * (last - first + 1)
            yield first, last, names
        for index, word in enumerate(words):
            if recognised[index] or not _SPELLING_FROM <= len(word.text) <= _SPELLING_TO:
                continue
            before = words[index - 1].text + "\x02\x01" if index else ""  # "lave vaiselle"
            if before and (names := self._misspelt(before + word.text)):
                yield index - 1, index, names
            elif names := self._misspelt(word.text):
                yield index, index, names

    def _misspelt(self, text: str) -> tuple[str, ...]:
        for slip in _slips(text):
            if slip in self._spellings:
                return self._spellings[slip]
        return ()


def _key(form: str) -> str:
    """Wrap each word in marks, so that matches begin and end at word boundaries."""
    if not form or "*" in form[:-1]:
        raise ValueError(f"form {form!r}: words, with `*` only at the very end")
    wrapped = "".join(f"\x01{fold(word)}\x02" for word in form.split())
    # Without the closing mark the form matches any ending.
    return wrapped[:-2] if form.endswith("*") else wrapped


def _joined(words: Sequence[Word]) -> tuple[str, list[int]]:
    starts: list[int] = []
    position = 0
    for word in words:
        starts.append(position)
        position += len(word.text) + 2
    return "".join(f"\x01{word.text}\x02" for word in words), starts


def _slips(word: str) -> Iterator[str]:
    """Yield a word and its variants with one letter deleted.

    If deletions of two words meet, they differ by at most a missing, extra, wrong or swapped
    letter. The first letter is kept, since it is hardly ever mistyped.
    """
    yield word
    for cut in range(1, len(word)):
        yield word[:cut] + word[cut + 1 :]


def _spellings(named: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    known: dict[str, tuple[str, ...]] = {}
    for key, names in named.items():
        word = key.strip("\x01\x02")
        *before, last = word.split("\x02\x01")
        whole = key.endswith("\x02") or before  # one word with any ending has too many variants
        if len(before) < 2 and whole and len(last) >= _SPELLING_FROM:
            for slip in _slips(word):
                known.setdefault(slip, names)
    return known


def find_pattern(
    pattern: Pattern, words: Sequence[Word], mentions: Mentions
) -> Iterator[tuple[int, int]]:
    """Yield the first and last word index of every place where a pattern matches."""
    if not all(any(name in mentions for name in element) for element in pattern.elements):
        return
    spots = [_spots(element, mentions) for element in pattern.elements]
    # Starting from the rarest element keeps the work small.
    anchor = 0 if pattern.ordered else min(range(len(spots)), key=lambda i: len(spots[i]))
    for mention in spots[anchor]:
        chosen = _grow(pattern, spots, anchor, mention)
        if chosen and _holds(pattern, words, mentions, chosen):
            yield min(m.first for m in chosen), max(m.last for m in chosen)


def _spots(element: tuple[str, ...], mentions: Mentions) -> Sequence[Mention]:
    if len(element) == 1:
        return mentions[element[0]]
    return sorted({mention for name in element for mention in mentions.get(name, ())})


def _grow(
    pattern: Pattern, spots: Sequence[Sequence[Mention]], anchor: int, mention: Mention
) -> tuple[Mention, ...]:
    """Choose the nearest mention of every other element; empty if one has none."""
    chosen = {anchor: mention}
    for index, places in enumerate(spots):
        if index == anchor:
            continue
        # A few mentions on each side suffice to find one without overlap, and keep the search
        # linear.
        after = bisect_left(places, Mention(mention.last + 1, 0))
        around = places[after : after + 2]
        if not pattern.ordered:
            around = [*places[max(0, after - 3) : after], *around]
        free = [m for m in around if not any(_overlap(m, c) for c in chosen.values())]
        if not free:
            return ()
        near = mention
        chosen[index] = min(free, key=lambda m: max(m.first - near.last, near.first - m.last))
        mention = chosen[index] if pattern.ordered else mention
    return tuple(chosen[index] for index in range(len(spots)))


def _overlap(one: Mention, other: Mention) -> bool:
    return one.first <= other.last and other.first <= one.last


def _holds(
    pattern: Pattern, words: Sequence[Word], mentions: Mentions, chosen: Sequence[Mention]
) -> bool:
    """Whether the chosen mentions satisfy the conditions on distance, exclusion and negation."""
    placed = sorted(chosen)
    first, last = placed[0].first, placed[-1].last
    if words[first].phrase != words[last].phrase:
        return False
    if any(right.first - left.last > GAP + 1 for left, right in pairwise(placed)):
        return False
    if _any_within(pattern.not_between, mentions, first, last):
        return False
    if _any_within(pattern.not_near, mentions, first - NEAR, last + NEAR):
        return False
    affirmed = zip(pattern.affirmed, chosen, strict=True)
    return not any(must and negated(words, mention) for must, mention in affirmed)


def _any_within(names: tuple[str, ...], mentions: Mentions, first: int, last: int) -> bool:
    for name in names:
        places = mentions.get(name, ())
        index = bisect_left(places, Mention(max(0, first), 0))
        if index < len(places) and places[index].last <= last:
            return True
    return False
