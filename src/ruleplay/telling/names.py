"""Finds the names of the record in prose: players, abilities, bosses, parts; longest first."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_STOP = re.compile(r"[.!?…]")
_PLURAL = ("s", "es", "'s", "’s")
_JOINS = frozenset(("and", "et", "und", "to", "à", "bis", "or", "ou"))
_BETWEEN = re.compile(r"[\s,/–-]*(?:and|et|und|to|à|bis|or|ou)?[\s]*", re.IGNORECASE)
_COUNTED = re.compile(r"[^\W\d_]+[\s#°-]*\d+")
_DECIMALS = re.compile(r"[.,:]\d")
KEPT = 64
"""Texts whose names are kept: a clause is looked through more than once."""
DISTINCTIVE = 5
"""Letters of a word of a longer name that stands for the whole ("Horsemen")."""


class Found(NamedTuple):
    """A name in a text: where it stands, and what the record calls it."""

    start: int
    end: int
    name: str


class Names:
    """An index of names. One-word names are heard with their capital only: "melee" is a word.

    `pairs` are (as written, as the record has it): a realm-less player stands for the full name.
    A word of a longer name stands for it when no other name has that word and it is capitalised.
    """

    def __init__(self, names: Iterable[str] = (), pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._by_word: dict[str, list[tuple[tuple[str, ...], str, str]]] = defaultdict(list)
        self._heard: dict[str, list[Found]] = {}
        known = {name: name for name in names} | dict(pairs)
        for written, name in known.items():
            self._add(written, name)
        self._add_distinctive(known)
        for entries in self._by_word.values():
            entries.sort(key=lambda entry: -len(entry[0]))
        self.unbroken = tuple(written for written in known if _STOP.search(written))
        """Names with a stop inside or at their end, where no sentence ends."""
        self.starts = tuple(written for written in known if written[:1].islower())
        """Names without a capital, which begin a sentence all the same."""

    def _add(self, written: str, name: str) -> None:
        words = _WORD.findall(written)
        if words and any(len(word) > 2 or not word.islower() for word in words):
            parts = tuple(word.casefold() for word in words)
            self._by_word[parts[0]].append((parts, written, name))

    def _add_distinctive(self, known: dict[str, str]) -> None:
        owners: dict[str, set[str]] = defaultdict(set)
        for written, name in known.items():
            for word in _WORD.findall(written):
                owners[word].add(name)
        for written, name in known.items():
            words = _WORD.findall(written)
            for word in words if len(words) > 1 else ():
                if len(word) >= DISTINCTIVE and word[0].isupper() and owners[word] == {name}:
                    self._add(word, name)

    def find(self, text: str) -> list[Found]:
        """Return the names in a text, in order, none inside another; the last texts are kept."""
        if text not in self._heard:
            if len(self._heard) >= KEPT:
                self._heard.clear()
            self._heard[text] = self._find(text)
        return self._heard[text]

    def _find(self, text: str) -> list[Found]:
        words = list(_WORD.finditer(text))
        found: list[Found] = []
        at = 0
        while at < len(words):
            hit = self._at(text, words, at)
            if hit is None:
                at += 1
                continue
            found.append(hit[0])
            at += hit[1]
            if hit[0].name[-1:].isdigit():
                more, at = self._series(text, words, at, hit[0])
                found += more
        return found

    def _series(
        self, text: str, words: list[re.Match[str]], at: int, first: Found
    ) -> tuple[list[Found], int]:
        """Go on with "pulls 3, 4 and 6": numbers that are names with the word before them."""
        found: list[Found] = []
        word, end = first.name.split(" ")[0], first.end
        while at < len(words):
            step = 2 if words[at][0].casefold() in _JOINS else 1
            last = at + step - 1
            if last >= len(words) or not _BETWEEN.fullmatch(text[end : words[last].start()]):
                break
            known = self._named(f"{word} {words[last][0]}")
            if not known or _DECIMALS.match(text, words[last].end()):
                break
            found.append(Found(words[last].start(), words[last].end(), known))
            at, end = last + 1, words[last].end()
        return found, at

    def _named(self, written: str) -> str:
        parts = tuple(word.casefold() for word in _WORD.findall(written))
        entries = self._by_word.get(parts[0], ()) if parts else ()
        return next((name for words, _, name in entries if words == parts), "")

    def _at(self, text: str, words: list[re.Match[str]], at: int) -> tuple[Found, int] | None:
        for first, plain in _stems(words[at][0].casefold()):
            for parts, written, name in self._by_word.get(first, ()):
                count = len(parts)
                if at + count > len(words) or not _same(words, at, parts, plain):
                    continue
                start, end = words[at].start(), words[at + count - 1].end()
                if count == 1 and not _capital(text[start:end], written):
                    continue
                if (
                    count == 2
                    and parts[0].isalpha()
                    and parts[1].isdigit()
                    and not _counted(text, start, end)
                ):
                    continue
                if written[-1:] in "!?" and text[end : end + 1] == written[-1]:
                    end += 1
                return Found(start, end, name), count
        return None

    def blanked(self, text: str, found: Iterable[Found]) -> str:
        """Return the text with names replaced by blanks of the same length."""
        for hit in found:
            text = text[: hit.start] + " " * (hit.end - hit.start) + text[hit.end :]
        return text


def _stems(word: str) -> list[tuple[str, bool]]:
    """Return a word as it stands and without a plural or genitive ending."""
    stems = [(word, False)]
    stems += [(word[: -len(end)], True) for end in _PLURAL if word.endswith(end) and len(word) > 3]
    return stems


def _same(words: list[re.Match[str]], at: int, parts: tuple[str, ...], shortened: bool) -> bool:
    if len(parts) == 1:
        return True
    heard = [word[0].casefold() for word in words[at : at + len(parts)]]
    if shortened:  # "pulls 3" for "pull 3"
        return len(parts) == 2 and parts[1].isdigit() and heard[1] == parts[1]
    if heard[:-1] != list(parts[:-1]):
        return False
    return any(stem == parts[-1] for stem, _ in _stems(heard[-1]))


def _counted(text: str, start: int, end: int) -> bool:
    """Whether the number of "pull 2" is whole and its own: "the pulls, 2.88M" names none."""
    return bool(_COUNTED.fullmatch(text, start, end)) and not _DECIMALS.match(text, end)


def _capital(heard: str, written: str) -> bool:
    """Whether a one-word name is written as a name; one that has no capital needs its own case."""
    return heard[0].isupper() or not written[0].isupper()


def within(name: str, text: str) -> bool:
    """Whether a name stands in the words of a row (lower case): whole, or without its realm."""
    low = name.casefold()
    if _stands(low, text):
        return True
    bare = low.split("-")[0]
    return bare != low and len(bare) > 2 and _stands(bare, text)


def ends_span(name: str, said: str, heading: str) -> bool:
    """Whether a name counts to an end of a span that a heading has, and that is said whole.

    "Over pulls 1-7" names "pull 1", which alone would be one of them and not all.
    """
    kind, _, number = name.casefold().rpartition(" ")
    for span in re.finditer(rf"\b{re.escape(kind)}s? (\d+) ?[-–] ?(\d+)", heading.casefold()):
        ends = span.groups()
        if number in ends and re.search(r"\b{}\b\D{{1,6}}\b{}\b".format(*ends), said):
            return True
    return False


def _stands(name: str, text: str) -> bool:
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not (before.isalnum() or after.isalnum()):
            return True
        at = text.find(name, at + 1)
    return False


def realmless(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield a player's name without its realm, as people write it."""
    for name in names:
        bare, dash, realm = name.partition("-")
        if dash and len(bare) > 2 and realm[:1].isupper() and " " not in name:
            yield bare, name
