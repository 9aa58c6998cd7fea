"""What a turn's tables know: their names and words, and what the asker said of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from functools import cached_property

from ruleplay.telling.names import Names, realmless, within
from ruleplay.telling.numbers import Number, read
from ruleplay.telling.table import Table, named_in
from ruleplay.telling.tags import Tag, TagError, parse

SHORTEST_STEM = 3
"""Letters of a stem; "up" would be found in "up to"."""
LEANING = 12
"""The largest number in words that may lean on the rows cited just before it."""
COUNTED = re.compile(r"\w+ (\d{1,3})\Z")
"""A name that counts: "pull 2"."""
_WORD = re.compile(r"\w+")


class Record:
    """The tables of a turn, and the asker's words (`said`, in lower case) and `amounts`."""

    def __init__(
        self,
        tables: Sequence[Table],
        names: Iterable[str],
        vocabulary: Iterable[str],
        about: str,
        amounts: Collection[float],
    ) -> None:
        self.tables = {table.id: table for table in tables}
        known = [*names, *named_in(tables)]
        self.names = Names(known, realmless(known))
        self.vocabulary = {word.casefold() for term in vocabulary for word in _WORD.findall(term)}
        self.said, self.amounts = about.casefold(), frozenset(amounts)
        self._owners = {table.whose(row + 1) for table in tables for row in range(len(table.rows))}

    def parsed(self, tags: Iterable[str]) -> list[Tag]:
        """Return the tags that can be read."""
        found: list[Tag] = []
        for written in tags:
            with suppress(TagError):
                found.append(parse(written, self.tables, self.counts))
        return found

    def asked(self, name: str) -> bool:
        """Whether an id is the asker's own word, and none that a row is about."""
        return name not in self._owners and within(name, self.said)

    def numbered(self, number: Number) -> bool:
        """Whether a number is one that the asker spoke of."""
        said = number.text.strip().casefold()
        exact = bool(re.search(rf"(?<![\d.,]){re.escape(said)}(?![\d.,]*\d)", self.said))
        return exact or (number.word and number.value in self.counts)

    @cached_property
    def counts(self) -> frozenset[float]:
        """The plain numbers that the asker spoke of, in figures or words."""
        plain = (one for one in read(self.said) if not one.unit and not one.odd)
        return frozenset(one.value for one in plain if 0 < one.value < LEANING) | self.amounts

    def goes_by(self, name: str, owners: Collection[str]) -> bool:
        """Whether any row about one of these has a name: a part's other numbers."""
        meant = {*owners} - {""}
        return any(o in meant and within(name, t.words_of(row)) for t, row, o in self._owned)

    def stands_with(self, name: str, texts: Sequence[str]) -> bool:
        """Whether a name is of what these texts give by its number: the boss of "pull 2"."""
        return any(
            within(owner, text) and within(name, table.text_of(row))
            for table, row, owner in self._owned
            if COUNTED.fullmatch(owner)
            for text in texts
        )

    @cached_property
    def _owned(self) -> list[tuple[Table, int, str]]:
        """Each row that can be cited, with whom it is about."""
        rows = ((t, row) for t in self.tables.values() for row in range(1, len(t.rows) + 1))
        return [(table, row, table.whose(row)) for table, row in rows]

    def knows(self, word: str) -> bool:
        """Whether a capitalised word belongs to the record or to the field."""
        low = word.casefold().removesuffix("'s").removesuffix("’s")
        parts, known = _WORD.findall(low), self.vocabulary | self._record_words
        if " " in low:
            return self.stands(low)
        return all({part, part.rstrip("s")} & known for part in parts)

    def stands(self, words: str) -> bool:
        """Whether words stand together in the record."""
        return any(within(words, text) for text in self._texts)

    @cached_property
    def _texts(self) -> list[str]:
        """The rows of the record in words, and its columns and notes."""
        tables = self.tables.values()
        texts = [t.text_of(row) for t in tables for row in range(len(t.rows) + 1)]
        return texts + [
            w.casefold() for t in tables for w in (*(c.said for c in t.columns), *t.notes)
        ]

    @cached_property
    def _record_words(self) -> set[str]:
        return {word for text in self._texts for word in _WORD.findall(text)}

    def stems(self, text: str) -> set[str]:
        """Return the measure stems that a text speaks in."""
        return {found[0].casefold() for found in self._stems.finditer(text)}

    @cached_property
    def _stems(self) -> re.Pattern[str]:
        tables = self.tables.values()
        stems = {stem for t in tables for c in t.columns for stem in c.stems}
        stems |= {stem for table in tables for stem in table.stems}
        stems = {stem for stem in stems if len(stem) >= SHORTEST_STEM}
        longest = sorted(stems, key=lambda stem: (-len(stem), stem))
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest)) or '(?!)'})", re.IGNORECASE)
