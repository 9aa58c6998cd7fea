"""Names that a misspelt one may stand for."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz, process

from ruleplay.agents.battle.domain.dex import to_id

ALIKE = 70
"""Minimum similarity, out of 100, of a name that is offered."""
OFFERED = 3
"""Names that are offered at most."""


def nearest(written: str, names: Iterable[str]) -> tuple[str, ...]:
    """Find the names that are written most like this, best first; empty if none is near."""
    found = process.extract(
        to_id(written),
        list(names),
        scorer=fuzz.ratio,
        processor=to_id,
        limit=OFFERED,
        score_cutoff=ALIKE,
    )
    best = max((score for _, score, _ in found), default=0.0)
    return tuple(name for name, score, _ in found if score >= best - 10)


def offer(written: str, names: Iterable[str]) -> str:
    """Word the question after a name that is not known; "" if nothing is near."""
    found = nearest(written, names)
    return f" (did you mean {' or '.join(found)}?)" if found else ""
