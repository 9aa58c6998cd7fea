"""Shows in a terminal which parts of a reply the record vouches for, and which are opinion."""

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
"""Characters of an opinion that are quoted."""


def told_markdown(turn: Turn, whole: str) -> str:
    """Format a turn's reply as Markdown; `whole` is the text with its asides."""
    if not turn.spans or not whole.startswith(turn.reply):
        return whole
    return laid_out(turn.spans) + whole[len(turn.reply) :]


def remarks(spans: Sequence[Span]) -> list[str]:
    """List what plain text cannot mark: doubted clauses with their lines, and opinions."""
    doubted = [f"? {span.text.strip()}: {'; '.join(span.lines)}" for span in spans if is_open(span)]
    views = [_short(span.text) for span in spans if span.state == "view"]
    told = f"~ own view, not from the record: {' / '.join(views)}"
    return [*doubted, *([told] if views else [])]


def is_open(span: Span) -> bool:
    """Whether a span's lines are always shown."""
    return span.state == "doubted" and bool(span.lines)


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= SHOWN else f"{plain[:SHOWN].rsplit(' ', 1)[0]} …"


def numbered(spans: Sequence[Span]) -> list[str]:
    """List the record's lines that a reply cites, numbered, as `!sources` prints them."""
    return [f"{number:3}  {line}" for number, line in enumerate(lines_of(spans), 1)]
