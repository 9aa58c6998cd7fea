"""Splits a sentence into segments: what each tag vouches for, and what no tag does."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from ruleplay.telling.names import Names
from ruleplay.telling.numbers import read
from ruleplay.telling.tags import TAG

_CONNECTOR = re.compile(r"[\s,;]*+(?:and|et|und|&|/)?[\s,;]*")
_LEAD = re.compile(r"[;:]|\s[–—-]\s|—")
_MARK = re.compile(
    r"\s*(?:>\s*)*(?:(?:[-*•+]|#{1,6})\s+)?(?:[*_]{0,2}\d{1,3}[.)]\s+)?(?:\[[ x]\]\s+)?"
)
_TAIL = re.compile(r"[\s.,;:!?…)»”\"'*_|]*")
_RULE = re.compile(r"[\s|:\-–=]*")
KINDS = ("none", "not", "all", "everyone", "most", "else", "alone", "absolute")
"""Kinds of words that raise doubt; "absolute" combines "none", "everyone" and "most"."""

PROPER_LEAD = 4
"""Words, besides names, from which a lead before a colon is a statement of its own."""


@dataclass(frozen=True)
class Segment:
    """A piece of a sentence with the tags that close it; without tags, nothing vouches for it.

    `text` is what readers see, and `reads` is what is checked: in a table, it includes the row's
    first cell. `cell` marks cells of a row that has tags.
    """

    text: str
    tags: tuple[str, ...] = ()
    reads: str = ""
    cell: bool = False


class Cutter:
    """Splits the sentences of one reply in order, since a table's header precedes its rows.

    `says` tells whether a text has a word of a kind.
    """

    def __init__(
        self,
        names: Names,
        says: Callable[[str, str], bool] = lambda kind, text: False,
    ) -> None:
        self._names, self._says = names, says
        self._headed = False

    def cut(self, unit: str) -> list[Segment]:
        """Split a unit into segments; their texts joined are the unit without its tags."""
        # Models like to put tags in code spans.
        unit = unit.replace("`", "")
        if unit.lstrip().startswith("|") and unit.count("|") > 1:
            return self._row(unit)
        # Any line that is not a table row ends the table.
        self._headed = self._headed and not unit.strip()
        lead = mark_of(unit)
        segments = list(self._sentence(unit[len(lead) :]))
        return [Segment(lead), *segments] if lead.strip() else _prefixed(lead, segments)

    def _sentence(self, text: str) -> Iterator[Segment]:
        """Split a sentence after its tags; what follows the last tag has none."""
        pieces: list[tuple[str, list[str]]] = []
        last = 0
        for tag in TAG.finditer(text):
            piece = text[last : tag.start()]
            # Tags joined by commas or "and" vouch for the same piece.
            if pieces and _CONNECTOR.fullmatch(piece):
                pieces[-1][1].append(tag[0])
            else:
                pieces.append((piece.rstrip() if piece.strip() else piece, [tag[0]]))
            last = tag.end()
        for piece, tags in pieces:
            yield from self._parted(piece, tuple(tags))
        if rest := text[last:]:
            yield Segment(rest)

    def _parted(self, piece: str, tags: tuple[str, ...]) -> Iterator[Segment]:
        """Separate a leading statement without numbers from the clause that its tag vouches for.

        "Nobody died: no pull has a death [r2.deaths]" is one statement, however.
        """
        at = 0
        for mark in _LEAD.finditer(piece):
            rest, lead = piece[mark.end() :], piece[: mark.start()]
            found = self._names.find(lead)
            goes_on = mark[0] == ";" or (rest.strip() and self._names.find(rest))
            bare = self._names.blanked(lead, found)
            named = found and len(bare.split()) < PROPER_LEAD
            whole = (mark[0] == ":" and named) or self._says("absolute", lead)
            if goes_on and lead.strip(" *_") and not whole and not read(bare):
                at = mark.end()
        if at:
            yield Segment(piece[:at])
        yield Segment(piece[at:], tags)

    def _row(self, unit: str) -> list[Segment]:
        """Split a table row into cells; a first row without tags is the header."""
        if _RULE.fullmatch(unit):
            return [Segment(unit)]
        cells, tagged = unit.split("|"), bool(TAG.search(unit))
        if not self._headed and not tagged:
            self._headed = True
            return [Segment(unit)]
        self._headed, segments = True, list[Segment]()
        first = TAG.sub("", cells[1]).strip(" *_\n")
        for place, cell in enumerate(cells):
            for piece in self._sentence(cell):
                reads = f"{first if place > 1 else ''}: {piece.text}" if piece.tags else ""
                segments.append(replace(piece, reads=reads, cell=tagged))
            if place + 1 < len(cells):
                segments.append(Segment("|", cell=tagged))
        return segments


def _prefixed(lead: str, segments: list[Segment]) -> list[Segment]:
    if not lead or not segments:
        return segments
    first = segments[0]
    return [Segment(lead + first.text, first.tags, first.reads), *segments[1:]]


def mark_of(line: str) -> str:
    """Return the mark of a list item, heading or quotation with which a line begins, or ""."""
    found = _MARK.match(line)
    return found[0] if found else ""


def is_tail(text: str) -> bool:
    """Whether a piece is only the punctuation that closes what precedes it."""
    return bool(_TAIL.fullmatch(text))


@cache
def word_patterns() -> Mapping[str, re.Pattern[str]]:
    """Compile the words of all languages by kind, all together because people mix languages."""
    text = files("ruleplay.telling").joinpath("words.toml").read_text("utf-8")
    spoken = [*tomllib.loads(text).values()]
    for words in spoken:
        words["absolute"] = [*words["none"], *words["everyone"], *words["most"]]
    # After these words, "personne" is a person and not nobody: "une seule personne".
    unless = "".join(rf"(?<!\b{word} )" for words in spoken for word in words.get("person", ()))
    return {kind: _any((w for words in spoken for w in words[kind]), unless) for kind in KINDS}


def _any(words: Iterable[str], unless: str) -> re.Pattern[str]:
    ways = (f"{unless if word == 'personne' else ''}{re.escape(word)}" for word in words)
    return re.compile(rf"\b(?:{'|'.join(ways)})\b", re.IGNORECASE)
