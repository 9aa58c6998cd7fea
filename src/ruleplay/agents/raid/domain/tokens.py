"""Cuts a chunk of log lines into tokens, all at once and without copying them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ruleplay.agents.raid.domain.numerals import MARGIN, Bytes, Ints, Mask, Words, words_of

Text: TypeAlias = bytes | memoryview

_COMMA, _NEWLINE, _RETURN = ord(","), ord("\n"), ord("\r")
_PIECE = 1 << 18
"""Bytes searched at a time, few enough to stay in the processor's cache."""


@dataclass(frozen=True)
class Tokens:
    """Tokenised lines: token 0 is the event name, the others follow between separators.

    `ends` holds the ends of all tokens, line after line; a line's begin at `first` and number
    `width`; `events` is where its token 0 starts.
    """

    buffer: Bytes
    words: Words
    ends: Ints
    first: Ints
    width: Ints
    events: Ints

    def bounds(self, lines: Ints, number: int) -> tuple[Ints, Ints]:
        """Start and end of one token of these lines."""
        at = self.first[lines] + number
        start = self.ends[at - 1] + 1 if number else self.events[lines]
        return start, self.ends[at]

    def span(self, lines: Ints, number: int | Ints, count: int) -> tuple[Ints, Ints]:
        """Start and end of `count` consecutive tokens; not for token 0."""
        at = self.first[lines] + number
        return self.ends[at - 1] + 1, self.ends[at + count - 1]

    def last(self, lines: Ints) -> tuple[Ints, Ints]:
        """Start and end of the last token of these lines, which must have at least two."""
        at = self.first[lines] + self.width[lines] - 1
        return self.ends[at - 1] + 1, self.ends[at]


@dataclass(frozen=True)
class Lines:
    """Lines of a chunk: their bounds in the padded buffer, and their separators.

    `starts` minus MARGIN are byte offsets in the chunk; `ends` exclude CR and LF.
    """

    buffer: Bytes
    words: Words
    starts: Ints
    ends: Ints
    separators: Ints
    first: Ints
    width: Ints

    def text(self, line: int) -> bytes:
        """Copy a line's bytes, without its line end."""
        return self.buffer[self.starts[line] : self.ends[line]].tobytes()

    def tokens(self, events: Ints) -> Tokens:
        """Tokenise the lines at their separators, given where each event starts."""
        return Tokens(self.buffer, self.words, self.separators, self.first, self.width, events)


def cut_lines(chunk: Text) -> Lines:
    """Find all lines and separators of a chunk of whole lines; the last may lack its LF."""
    closed = chunk[-1:] == b"\n" or not chunk
    buffer = np.empty(len(chunk) + (not closed) + 2 * MARGIN, np.uint8)
    buffer[:MARGIN] = buffer[MARGIN + len(chunk) :] = 0
    buffer[MARGIN : MARGIN + len(chunk)] = np.frombuffer(chunk, np.uint8)
    if not closed:
        buffer[MARGIN + len(chunk)] = _NEWLINE
    separators = np.concatenate(
        [_find_separators(buffer, at) for at in range(0, len(buffer), _PIECE)]
    )
    line_ends = np.flatnonzero(buffer[separators] == _NEWLINE)
    newlines = separators[line_ends]
    starts = np.concatenate([np.array([MARGIN]), newlines[:-1] + 1]) if len(newlines) else newlines
    ends = newlines - ((buffer[newlines - 1] == _RETURN) & (newlines > starts))
    # The last "separator" of a line is its end, without the CR.
    separators[line_ends] = ends
    width = np.diff(line_ends, prepend=-1)
    return Lines(buffer, words_of(buffer), starts, ends, separators, line_ends - width + 1, width)


def _find_separators(buffer: Bytes, start: int) -> Ints:
    """Find commas and line ends in one piece of the buffer."""
    piece = buffer[start : start + _PIECE]
    found = piece == _NEWLINE
    found |= piece == _COMMA
    places = np.flatnonzero(found)
    places += start
    return places


def tokens_of(lines: Sequence[Sequence[bytes]]) -> Tokens:
    """Build tokens from lines already split with regard to quotes and brackets."""
    text = b"".join(b",".join(fields) + b"\n" for fields in lines)
    buffer = np.zeros(len(text) + 2 * MARGIN, np.uint8)
    buffer[MARGIN : MARGIN + len(text)] = np.frombuffer(text, np.uint8)
    lengths = np.array([len(token) + 1 for fields in lines for token in fields], np.int64)
    ends = MARGIN + np.cumsum(lengths) - 1
    width = np.array([len(fields) for fields in lines], np.int64)
    first = np.cumsum(width) - width
    events = np.where(first > 0, ends[first - 1] + 1, MARGIN)
    return Tokens(buffer, words_of(buffer), ends, first, width, events)


def spells(buffer: Bytes, start: Ints, end: Ints, text: bytes) -> Mask:
    """Mask of the tokens that equal this short text."""
    same: Mask = end - start == len(text)
    for at, char in enumerate(text):
        same &= buffer[start + at] == char
    return same
