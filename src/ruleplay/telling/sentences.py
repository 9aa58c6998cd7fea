"""Splits streamed text into units to check: sentence, list item, heading, table row, line.

A unit is released as early as is safe: at a newline, or at closing punctuation followed by a space
and something that can start a sentence, in English and French. The units joined are exactly the
input, and they do not depend on how the text was split into chunks.
"""

from __future__ import annotations

import re

MAX_UNIT = 2_000
"""Characters from which a unit is cut, so that one without punctuation is not held back for ever.
"""
_LOOKAHEAD = 64
"""Characters after a stop for which the decision may wait."""
_STOP = re.compile(r"[\n.!?…。！？]")
_TAIL = re.compile(
    r"[.!?…。！？]*(?:[ \u00a0\u202f]?[»›]|[\"'”’)\]*_~`}])*(?:[ \u00a0\u202f][!?]+)*"
    r"(?:[ \u00a0\u202f]?\[(?=[^\[\]\n]*\br\d)[^\[\]\n]{1,160}\][*_]*)*"
)
"""What closes a sentence, including tags after its full stop."""
_SPACES = re.compile(r"[ \t\u00a0\u202f\u2009]*")
_WORD_BEFORE = re.compile(
    r"(?:^|[\s(\[«“\"'*_/—–-])((?:[^\W\d_]\.[ \u00a0\u202f]?){0,12}[^\W\d_]{1,24})$"
)
_LIST_MARK = re.compile(r"[\s>]*(?:[-*•+]\s+)?(?:[*_]{0,2})(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})$")
_OPENERS = "\"'“‘«‹([{*_~`#>-–—•$€£+|¿¡&@<"
_CLAUSE = re.compile(r"[,;:—–][ \u00a0\u202f]")
# English and French; a full stop after these rarely ends a sentence.
_ABBREVIATIONS = frozenset(
    re.findall(
        r"\S+",
        """mr mrs ms mx dr prof st sr jr hon rev gen col capt lt sgt vs approx e.g i.e eg ie cf viz
    al fig eq ca inc ltd co dept est min max avg incl excl resp mme mmes mlle mlles mm me
    ex p.ex env av ap apr chap vol art ref réf tél tel mgr ste temp""",
    )
)
_BEFORE_NUMBER = frozenset(re.findall(r"\w+", "no nos nr n pp p fig vol ch art sec eq lv lvl"))


def _closed(text: str, start: int) -> bool:
    """Whether a bracket that opens here has closed, or is too long for a tag."""
    return "]" in text[start : start + 170] or "\n" in text[start:] or len(text) - start > 170


class Sentences:
    """Splits a stream: `feed` chunks and take finished units; `close` returns the rest.

    `unbroken` are names with stops inside, and `starts` names in lower case that can begin a
    sentence.
    """

    def __init__(
        self, max_unit: int = MAX_UNIT, unbroken: tuple[str, ...] = (), starts: tuple[str, ...] = ()
    ) -> None:
        self._unbroken, self._name_starts = unbroken, starts
        self._text = ""
        self._scan = 0
        self._fence = False
        self._line_start = True
        self._max = max_unit

    def feed(self, chunk: str) -> list[str]:
        """Take a chunk; returns the units that are certainly complete."""
        self._text += chunk
        return self._units()

    def close(self) -> list[str]:
        """End the stream; returns what is left, which may be incomplete."""
        units = self._units(final=True)
        if self._text:
            units.append(self._text)
        self._text, self._scan = "", 0
        return units

    def _units(self, final: bool = False) -> list[str]:
        units: list[str] = []
        while (end := self._end(final)) is not None:
            unit, self._text, self._scan = self._text[:end], self._text[end:], 0
            # Inside a code block, stops do not end units.
            if self._line_start and unit.lstrip().startswith(("```", "~~~")):
                self._fence = not self._fence
            self._line_start = unit.endswith("\n")
            units.append(unit)
        return units

    def _end(self, final: bool) -> int | None:
        """Find where the first unit ends; `None` while that is uncertain."""
        while (found := _STOP.search(self._text, self._scan)) and found.start() < self._max:
            end = self._newline(found.start()) if found[0] == "\n" else self._stop(found, final)
            if end is None:
                break
            if end > 0:
                return end if end <= self._max else self._cut()
            # Negative results mean "no end here": the search continues at that position.
            self._scan = -end
        if len(self._text) > self._max + _LOOKAHEAD:
            return self._cut()
        return None

    def _newline(self, at: int) -> int:
        return at + 1 if self._text[:at].strip() else -(at + 1)

    def _stop(self, found: re.Match[str], final: bool) -> int | None:
        """Judge closing punctuation: the unit's end, minus the next place to look, or None."""
        text, at = self._text, found.start()
        if any(self._within(name, at) for name in self._unbroken):
            return -(at + 1)
        tail = _TAIL.match(text, at)
        after = tail.end() if tail else at + 1
        spaces = _SPACES.match(text, after)
        start = spaces.end() if spaces else after
        if start >= len(text) or start - after > _LOOKAHEAD // 2 or after - at > _LOOKAHEAD // 2:
            if start >= len(text) and len(text) - at < _LOOKAHEAD:
                return -len(text) if final else None
            return start
        # What follows may be a tag, which belongs to this sentence.
        if text[start] == "[" and not final and not _closed(text, start):
            return None
        if start == after or text[start] == "\n" or self._holds_together(at, after):
            return -after
        if text[start] in "»›":
            return -start
        if not final and any(name.startswith(text[start:]) for name in self._name_starts):
            return None  # this may be the beginning of a name
        return start if self._starts(at, after, text[start]) else -after

    def _holds_together(self, at: int, after: int) -> bool:
        """Whether the line is one unit (table row, code), or the stop ends a list item's number."""
        line = self._text[self._text.rfind("\n", 0, at) + 1 : at]
        at_start = self._line_start or "\n" in self._text[:at]
        if self._fence or (at_start and line.lstrip().startswith("|")):
            return True
        return at_start and self._text[at] == "." and bool(_LIST_MARK.fullmatch(line))

    def _within(self, name: str, at: int) -> bool:
        """Whether the stop at `at` belongs to a name ("High Voltage!")."""
        start = max(0, at - len(name) + 1)
        found = self._text.find(name, start, at + len(name))
        return start <= found <= at < found + len(name)

    def _starts(self, at: int, after: int, char: str) -> bool:
        """Whether `char` can begin a sentence after the stop at `at`."""
        if char.islower():
            rest = self._text[after:].lstrip()
            return any(rest.startswith(name) for name in self._name_starts)
        if not (char.isalnum() or char in _OPENERS or ord(char) > 0x2000):
            return False
        if self._text[at] != "." or after - at > 1:
            return True
        word = _WORD_BEFORE.search(self._text[max(0, at - 24) : at])
        return not (word and _abbreviates(word[1], char))

    def _cut(self) -> int:
        """Find where to break an over-long unit: at a clause, at a space, or anywhere."""
        head = self._text[: self._max]
        clauses = [found.end() for found in _CLAUSE.finditer(head, self._max // 2)]
        return clauses[-1] if clauses else (head.rfind(" ", self._max // 2) + 1 or self._max)


def _abbreviates(word: str, char: str) -> bool:
    """Whether a stop after a word belongs to the word, given the character that follows."""
    low = re.sub(r"\s", "", word.lower())
    if low in _ABBREVIATIONS or (char.isdigit() and low in _BEFORE_NUMBER):
        return True
    # Initials continue ("J. R. Hartley"); but "I" is a word, and "3 p.m." can end a sentence.
    initial = word != "I" and (len(word) == 1 or "." in word)
    return initial and word[-1].isupper() and char.isupper()


def bounded(text: str, limit: int) -> str:
    """Shorten a reply for later prompts, at the end of a sentence or table row."""
    if len(text) <= limit:
        return text
    cutter, kept = Sentences(), ""
    for unit in (*cutter.feed(text), *cutter.close()):
        if len(kept) + len(unit) > limit:
            break
        kept += unit
    return f"{kept.rstrip() or text[:limit].rsplit(' ', 1)[0]} …"
