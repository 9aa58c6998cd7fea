"""Splits single log lines, honouring quotes and brackets, and reports what is wrong with them.

This is the slow path, for lines that the vectorised reader cannot parse.
"""

from __future__ import annotations

import re

LONGEST_LINE = 1 << 16
"""Bytes. The longest genuine lines, COMBATANT_INFO, have a few thousand."""

STAMP = re.compile(
    rb"(\d{1,2})/(\d{1,2})(?:/(\d{4}))? (\d{2}):(\d{2}):(\d{2})\.(\d{3})\d{0,3}"
    rb"([+-]\d{1,2}(?:[.:]\d{1,2})?)?(?:  |\t)"
)
"""`M/D HH:MM:SS.mmm` or `M/D/YYYY HH:MM:SS.fff[f][+tz|-tz]`, then two spaces or a tab."""

_OPENING = {ord("("): ord(")"), ord("["): ord("]")}
_SPECIAL = re.compile(rb'[",()\[\]]')
_UNQUOTED = re.compile(rb"(?:[^,()\[\]]|\[[^\[\]]*\]|\((?:[^()\[\]]|\([^()\[\]]*\))*\))*+(?:,|$)")
"""A field and its comma in unquoted text, with brackets nested at most two deep."""
_QUOTE, _COMMA, _ESCAPE = ord('"'), ord(","), ord("\\")


class BadLine(ValueError):
    """A line violates the grammar; the message says how."""


def split_fields(text: bytes) -> list[bytes]:
    """Split at commas outside quotes and brackets; fields keep their original spelling.

    Raises BadLine for an unclosed quote or bracket, or a closing bracket without an opening one.
    """
    # Fast path; if its matches do not cover the text, brackets nest deeper or are unbalanced.
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
    """Drop the empty match that `findall` adds after a last part without a comma."""
    ended = len(parts) > 1 and not parts[-2].endswith(b",")
    return parts[:-1] if ended else parts


def _end_of_quote(text: bytes, at: int) -> int:
    """Find the closing quote of the one that opens at `at`; a backslash escapes quotes."""
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
    """Decode a field: quotes removed, `nil` as "", invalid UTF-8 escaped."""
    if field == b"nil":
        return ""
    if len(field) > 1 and field[0] == field[-1] == _QUOTE:
        field = field[1:-1].replace(b'\\"', b'"')
    return field.decode(errors="backslashreplace")


def read_mask(field: bytes) -> int:
    """Parse a bit mask (unit flags, spell schools), hexadecimal or decimal; -1 if invalid."""
    try:
        value = int(field, 16 if field[:2] in {b"0x", b"0X"} else 10)
    except ValueError:
        return -1
    return value if value < 1 << 32 else -1


def shown(line: bytes, length: int = 500) -> str:
    """Shorten a line for display, with unprintable characters escaped."""
    text = line[: length * 4].rstrip(b"\r\n").decode(errors="backslashreplace")
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)[:length]


def is_quoted(field: bytes) -> bool:
    """Whether a field is a quoted name or `nil`."""
    return field == b"nil" or (len(field) > 1 and field[:1] == field[-1:] == b'"')
