"""Replies that cite, in a terminal: what is vouched for, what is doubted, what is a view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleplay.telling.footnotes import laid_out, lines_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ruleplay.records.turns import Turn
    from ruleplay.telling.citing import Span

LEGEND = (
    "In italics: the teller's own view. The rest is from the record; !sources prints its lines."
)
SHOWN = 70
"""Characters of a view by which it is recognised."""


def told_markdown(turn: Turn, whole: str) -> str:
    """Return a turn's reply as Markdown for a terminal; `whole` is the text with its asides."""
    if not turn.spans or not whole.startswith(turn.reply):
        return whole
    return laid_out(turn.spans) + whole[len(turn.reply) :]


def remarks(spans: Sequence[Span]) -> list[str]:
    """Return what plain text cannot show of a reply: lines of doubted clauses, and its views."""
    doubted = [f"? {span.text.strip()}: {'; '.join(span.lines)}" for span in spans if is_open(span)]
    views = [_short(span.text) for span in spans if span.state == "view"]
    told = f"~ own view, not from the record: {' / '.join(views)}"
    return [*doubted, *([told] if views else [])]


def is_open(span: Span) -> bool:
    """Whether a span's lines are shown without being asked for."""
    return span.state == "doubted" and bool(span.lines)


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= SHOWN else f"{plain[:SHOWN].rsplit(' ', 1)[0]} …"


def numbered(spans: Sequence[Span]) -> list[str]:
    """Return the record's lines that a reply rests on, numbered, as `!sources` prints them."""
    return [f"{number:3}  {line}" for number, line in enumerate(lines_of(spans), 1)]
