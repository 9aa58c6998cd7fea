"""Finds the record's names in prose: players, abilities, bosses, parts; the longest first."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_STOP = re.compile(r"[.!?…]")
_PLURAL = ("s", "es", "'s", "’s")
# What joins the numbers of a series: "pulls 2, 3 and 6".
_SERIES = re.compile(r"[\s,/–-]*(?:(?:and|et|und|to|à|bis|or|ou)\s+)?(\d+)(?![.,:]?\d)")
_RANGE = re.compile(r"(?:[–-]|\b(?:to|à|bis))\s*\Z")
_BEGINS = re.compile(r", \d+(?= (?!(?:and|et|und|or|ou|to|à|bis) )\w)")
"""A number behind a comma that begins a clause: the 5 of "pulls 1 to 6, 5 of them"."""
_COUNTING = re.compile(r"[\s#°-]*")
_CAPITAL = re.compile(r" ([^\W\d_]\w+)")
DISTINCTIVE = 5
"""Fewest letters of a word that stands for a longer name ("Horsemen")."""


class Found(NamedTuple):
    """A name in a text: its position, and how the record spells it."""

    start: int
    end: int
    name: str


class Names:
    """An index of names; one-word names match only with their capital ("melee" is a word).

    `pairs` map what people write to the record's name, such as a player without the realm. A
    capitalised word of a longer name stands for it, if no other name has that word.
    """

    def __init__(self, names: Iterable[str] = (), pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._by_word: dict[str, list[tuple[tuple[str, ...], str, str]]] = defaultdict(list)
        known = {name: name for name in names} | dict(pairs)
        self._known = frozenset(known)
        for written, name in known.items():
            self._add(written, name)
        self._add_distinctive(known)
        # Longest first, so that "Heating Element" is found before "Heating".
        for entries in self._by_word.values():
            entries.sort(key=lambda entry: -len(entry[0]))
        self.unbroken = tuple(written for written in known if _STOP.search(written))
        """Names with a full stop or similar inside or at the end, where no sentence ends."""
        self.starts = tuple(written for written in known if written[:1].islower())
        """Names in lower case, which can begin a sentence all the same."""

    def _add(self, written: str, name: str) -> None:
        """Index a name, unless it consists of short lower-case words only."""
        words = _WORD.findall(written)
        if any(len(word) > 2 or not word.islower() for word in words):
            parts = tuple(word.casefold() for word in words)
            self._by_word[parts[0]].append((parts, written, name))

    def _add_distinctive(self, known: dict[str, str]) -> None:
        """Index words that occur in only one name."""
        owners: dict[str, set[str]] = defaultdict(set)
        for written, name in known.items():
            for word in _WORD.findall(written):
                owners[word].add(name)
        for written, name in known.items():
            for word in _WORD.findall(written):
                if len(word) >= DISTINCTIVE and word[0].isupper() and owners[word] == {name}:
                    self._add(word, name)

    def find(self, text: str) -> list[Found]:
        """Find the names in a text, in order and without overlaps."""
        words, found, at = list(_WORD.finditer(text)), list[Found](), 0
        while at < len(words):
            hit, count = self._at(text, words, at)
            at += count
            while hit:
                found.append(hit)
                hit = self._next(text, hit)
            while found and at < len(words) and words[at].start() < found[-1].end:
                at += 1
        return found

    def _next(self, text: str, last: Found) -> Found | None:
        """Continue a numbered series: "3" and "6" in "pulls 2, 3 and 6" are names too."""
        word, _, number = last.name.rpartition(" ")
        more = _SERIES.match(text, last.end) if number.isdigit() else None
        if _RANGE.search(text[: last.start]) and _BEGINS.match(text, last.end):
            return None
        named = f"{word} {more[1]}" if more else ""
        return Found(more.start(1), more.end(1), named) if more and named in self._known else None

    def _at(self, text: str, words: list[re.Match[str]], at: int) -> tuple[Found | None, int]:
        """Find a name that begins at a word; also returns how many words to go on."""
        for first, plain in _stems(words[at][0].casefold()):
            for parts, written, name in self._by_word.get(first, ()):
                count = len(parts)
                if at + count > len(words) or not _same(words, at, parts, plain):
                    continue
                start, end = words[at].start(), words[at + count - 1].end()
                if count == 1 and not _capital(text[start:end], written):
                    continue
                if count > 1 and parts[-1].isdigit():
                    last, number = words[at + count - 2 : at + count]
                    if not _COUNTING.fullmatch(text, last.end(), number.start()):
                        continue  # "the pulls, 2.88M" has no name, nor has "Living Mass, 2 died"
                if count == 1 and parts[0] != name.casefold() and _goes_on(text, end, name):
                    continue  # "Hateful Strike" is not Smashspite the Hateful
                # "High Voltage!" includes its exclamation mark.
                if written[-1:] in "!?" and text[end : end + 1] == written[-1]:
                    end += 1
                return Found(start, end, name), count
        return None, 1

    def blanked(self, text: str, found: Iterable[Found]) -> str:
        """Replace names by blanks of the same length."""
        for hit in found:
            text = text[: hit.start] + " " * (hit.end - hit.start) + text[hit.end :]
        return text


def _goes_on(text: str, end: int, name: str) -> bool:
    """Whether a word that stands for a longer name is followed by a capitalised one not of it."""
    after = _CAPITAL.match(text, end)
    return after is not None and after[1][0].isupper() and after[1] not in name


def _stems(word: str) -> list[tuple[str, bool]]:
    """List a word as it is, and without a plural or genitive ending."""
    stems = [(word, False)]
    stems += [(word[: -len(end)], True) for end in _PLURAL if word.endswith(end) and len(word) > 3]
    return stems


def _same(words: list[re.Match[str]], at: int, parts: tuple[str, ...], shortened: bool) -> bool:
    """Whether the words at a position match those of a name, allowing for endings."""
    if len(parts) == 1:
        return True
    heard = [word[0].casefold() for word in words[at : at + len(parts)]]
    if shortened:  # "pulls 3" for "pull 3"
        return len(parts) == 2 and parts[1].isdigit() and heard[1] == parts[1]
    if heard[:-1] != list(parts[:-1]):
        return False
    return any(stem == parts[-1] for stem, _ in _stems(heard[-1]))


def _capital(heard: str, written: str) -> bool:
    """Whether a one-word name is capitalised like a name; one in lower case need not be."""
    return heard[0].isupper() or not written[0].isupper()


def within(name: str, text: str) -> bool:
    """Whether a row's text (in lower case) has a name as whole words, with or without its realm."""
    low = name.casefold()
    if _stands(low, text):
        return True
    bare = low.split("-")[0]
    return bare != low and len(bare) > 2 and _stands(bare, text)


def _stands(name: str, text: str) -> bool:
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not (before.isalnum() or after.isalnum()):
            return True
        at = text.find(name, at + 1)
    return False


def realmless(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pair players' names without their realms, as people write them, with the full names."""
    for name in names:
        bare, dash, realm = name.partition("-")
        if dash and len(bare) > 2 and realm[:1].isupper() and " " not in name:
            yield bare, name
