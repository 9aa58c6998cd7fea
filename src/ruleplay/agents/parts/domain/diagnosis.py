"""Which parts explain the stated symptoms best, by what the catalog says they fix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleplay.agents.parts.domain.catalog import Cause, Part


def fold(symptom: str) -> str:
    """Fold a symptom for comparison: case, spaces and curly apostrophes differ between sources."""
    straight = symptom.replace("’", "'").replace("‘", "'")
    return " ".join(straight.casefold().split())


def rank(parts: Iterable[Part], stated: Sequence[str]) -> tuple[Cause, ...]:
    """Rank parts by the share of stated symptoms they fix, then by how specific they are to them.

    Parts that fix none of them are left out; ties go to the part number.
    """
    asked = {fold(symptom): symptom for symptom in stated}
    causes = [_cause(part, asked) for part in parts]
    return tuple(
        sorted(
            (cause for cause in causes if cause.fixes),
            key=lambda cause: (-cause.share, -cause.precision, cause.part.number),
        )
    )


def _cause(part: Part, asked: dict[str, str]) -> Cause:
    fixes = tuple(symptom for symptom in part.symptoms if fold(symptom) in asked)
    return Cause(
        part=part,
        fixes=fixes,
        share=len(fixes) / len(asked) if asked else 0.0,
        precision=len(fixes) / len(part.symptoms) if part.symptoms else 0.0,
        why=_why(fixes, len(asked), len(part.symptoms)),
    )


def _why(fixes: tuple[str, ...], asked: int, listed: int) -> str:
    told = ", ".join(fixes)
    return f"fixes {len(fixes)} of {asked} stated symptoms ({told}); {listed} listed for this part"
