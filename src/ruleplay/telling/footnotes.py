"""Formats a checked reply as Markdown for terminals, exports and `!sources`.

Cited clauses stay as they are, with footnote marks; the model's own view is in italics; under a
doubted clause, the record's line is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ruleplay.telling.citing import Span
from ruleplay.telling.segments import mark_of

_MARKED = re.compile(r"[*_|`]")


def lines_of(spans: Sequence[Span]) -> tuple[str, ...]:
    """List the record's lines that a reply is based on, each once, in order."""
    return tuple(dict.fromkeys(line for span in spans for line in span.lines))


def laid_out(
    spans: Sequence[Span],
    tame: Callable[[str], str] = lambda text: text,
    mark: Callable[[Sequence[int]], str] = lambda numbers: "",
) -> str:
    """Format a reply: views in italics, lines of the record under doubted clauses.

    `tame` escapes a piece of text, and `mark` writes the footnote marks of a clause.
    """
    numbers = {line: number for number, line in enumerate(lines_of(spans), 1)}
    pieces: list[str] = []
    opened: list[str] = []
    for at, span in enumerate(spans):
        marks = mark([numbers[line] for line in span.lines])
        text = _viewed(tame(span.text)) if span.state == "view" else _marked(tame(span.text), marks)
        first, end, rest = text.partition("\n")
        after = rest or "".join(one.text for one in spans[at + 1 : at + 3])
        if opened and end and not after.startswith("|"):
            # The line with a doubted clause ends here, or the last row of its table does.
            text = first + _opened(opened, tame) + end + rest
            opened = []
        pieces.append(text)
        if span.state == "doubted":
            opened += span.lines
    return "".join(pieces) + _opened(opened, tame)


def _opened(lines: Sequence[str], tame: Callable[[str], str]) -> str:
    return "".join(f"\n> ↳ {tame(line)}" for line in dict.fromkeys(lines)) + ("\n" if lines else "")


def _viewed(text: str) -> str:
    """Italicise each line of a view, except lines with markup of their own."""
    return "\n".join(_italic(line) for line in text.split("\n"))


def _italic(line: str) -> str:
    mark = mark_of(line)
    body = line[len(mark) :].rstrip()
    if not body or _MARKED.search(body.replace("\\", "")):
        return line
    return f"{mark}*{body}*{line[len(mark) + len(body) :]}"


def _marked(text: str, marks: str) -> str:
    """Insert footnote marks after a clause, before its closing punctuation and space."""
    found = re.fullmatch(r"(.*?)([\s.,;:!?|]*)", text, re.DOTALL)
    return f"{found[1]}{marks}{found[2]}" if found and marks else text
