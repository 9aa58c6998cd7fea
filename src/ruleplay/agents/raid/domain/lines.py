"""One line at a time: splitting with quotes and brackets, and what is wrong with a line.

The slow, careful way; lines that the fast way cannot read come here.
"""

from __future__ import annotations

import re

LONGEST_LINE = 1 << 16
"""Bytes; the longest lines are COMBATANT_INFO, at most a few thousand."""

STAMP = re.compile(
    rb"(\d{1,2})/(\d{1,2})(?:/(\d{4}))? (\d{2}):(\d{2}):(\d{2})\.(\d{3})\d{0,3}"
    rb"([+-]\d{1,2}(?:[.:]\d{1,2})?)?(?:  |\t)"
)
"""`M/D HH:MM:SS.mmm` or `M/D/YYYY HH:MM:SS.fff[f][+tz|-tz]`, then two spaces or a tab."""

_OPENING = {ord("("): ord(")"), ord("["): ord("]")}
_SPECIAL = re.compile(rb'[",()\[\]]')
_UNQUOTED = re.compile(rb"(?:[^,()\[\]]|\[[^\[\]]*\]|\((?:[^()\[\]]|\([^()\[\]]*\))*\))*+(?:,|$)")
"""A field and its comma, in text without quotes: brackets at most two deep."""
_QUOTE, _COMMA, _ESCAPE = ord('"'), ord(","), ord("\\")


class BadLine(ValueError):
    """The line does not follow the grammar; the message says where."""


def split_fields(text: bytes) -> list[bytes]:
    """Split at commas that stand outside quotes and brackets; fields stay as they are written.

    Raises BadLine for a quote or bracket that is not closed, or closed without having been opened.
    """
    parts = [] if _QUOTE in text else _UNQUOTED.findall(text)
    if parts and sum(map(len, parts)) == len(text):
        return [part[:-1] if part.endswith(b",") else part for part in _until_end(parts)]
    return _split_slowly(text)


def _split_slowly(text: bytes) -> list[bytes]:
    fields, start, expected, quoted_to = [], 0, bytearray(), 0
    for found in _SPECIAL.finditer(text):
        at, char = found.start(), text[found.start()]
        if at < quoted_to:
            continue
        if char == _COMMA:
            if not expected:
                fields.append(text[start:at])
                start = at + 1
        elif char == _QUOTE:
            quoted_to = _end_of_quote(text, at) + 1
        elif char in _OPENING:
            expected.append(_OPENING[char])
        elif expected and char == expected[-1]:
            expected.pop()
        else:
            raise BadLine(f"a {chr(char)!r} that closes nothing")
    if expected:
        raise BadLine(f"the bracket is not closed with {chr(expected[-1])!r}")
    return [*fields, text[start:]]


def _until_end(parts: list[bytes]) -> list[bytes]:
    """Leave out the empty match that follows a last part without comma."""
    ended = len(parts) > 1 and not parts[-2].endswith(b",")
    return parts[:-1] if ended else parts


def _end_of_quote(text: bytes, at: int) -> int:
    """Return where the quote that opens at `at` is closed."""
    closing = at + 1
    while True:
        closing = text.find(b'"', closing)
        if closing < 0:
            raise BadLine("the quote is not closed")
        if text[closing - 1] != _ESCAPE or closing - 1 == at:
            return closing
        closing += 1


def split_list(field: bytes) -> list[bytes]:
    """Split `(…)` or `[…]` into its elements; an empty list has none."""
    if len(field) < 2 or _OPENING.get(field[0]) != field[-1]:
        raise BadLine("a list in brackets is expected")
    inner = field[1:-1]
    return split_fields(inner) if inner else []


def text_of(field: bytes) -> str:
    """Return the text of a field: quotes taken off, `nil` as empty, odd bytes escaped."""
    if field == b"nil":
        return ""
    if len(field) > 1 and field[0] == field[-1] == _QUOTE:
        field = field[1:-1].replace(b'\\"', b'"')
    return field.decode(errors="backslashreplace")


def read_mask(field: bytes) -> int:
    """Read flags or schools, hexadecimal or not; -1 when it is neither."""
    try:
        value = int(field, 16 if field[:2] in {b"0x", b"0X"} else 10)
    except ValueError:
        return -1
    return value if value < 1 << 32 else -1


def shown(line: bytes, length: int = 500) -> str:
    """Return the beginning of a line so that it can be listed: odd characters escaped."""
    text = line[: length * 4].rstrip(b"\r\n").decode(errors="backslashreplace")
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)[:length]


def is_quoted(field: bytes) -> bool:
    """Whether a field is a name as lines have it: in quotes, or nil."""
    return field == b"nil" or (len(field) > 1 and field[:1] == field[-1:] == b'"')
