"""Which dialect a log is written in, as its lines themselves tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ruleplay.agents.raid.domain.grammar import MODERN_BASE, OLD_BASE, VERIFIED_WIDTHS

PROJECTS: Mapping[str, str] = {
    "1": "retail",
    "2": "Classic Era",
    "5": "Burning Crusade Classic",
    "11": "Wrath Classic",
    "14": "Cataclysm Classic",
    "19": "Mists of Pandaria Classic",
}
"""PROJECT_ID of COMBAT_LOG_VERSION."""


@dataclass(frozen=True)
class Dialect:
    """A dialect in words; `verified` when real logs of each kind of line have been read."""

    label: str
    verified: bool


def describe(seen: Mapping[tuple[int, int], int], date_style: str, build: str) -> Dialect:
    """Name the dialect from the lines seen, by base fields and width of the advanced block."""
    widths = sorted({width for base, width in seen if base == MODERN_BASE and width})
    forms = []
    if any(base == OLD_BASE for base, _ in seen):
        forms.append("3.3.5a")
    forms += [f"advanced block of {width} fields" for width in widths]
    if not forms:
        forms.append("no advanced block")
    label = " and ".join(forms)
    if len(forms) > 1:
        label = f"mixed: {label}"
    if build:
        label += f", {build}"
    label += f", dates {date_style or 'unknown'}"
    verified = set(widths) <= VERIFIED_WIDTHS
    return Dialect(label if verified else f"{label} (unverified dialect)", verified)


def describe_build(header: Mapping[str, str]) -> str:
    """Name a build from the pairs of COMBAT_LOG_VERSION."""
    project = header.get("PROJECT_ID", "")
    return " ".join(filter(None, (PROJECTS.get(project, ""), header.get("BUILD_VERSION", ""))))
