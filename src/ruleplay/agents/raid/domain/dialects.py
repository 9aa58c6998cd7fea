"""Names the dialect of a log (client version and line format) from what its lines show."""

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
"""Game by the PROJECT_ID of COMBAT_LOG_VERSION."""


@dataclass(frozen=True)
class Dialect:
    """A described dialect; `verified` if its formats were checked against real logs."""

    label: str
    verified: bool


def describe(seen: Mapping[tuple[int, int], int], date_style: str, build: str) -> Dialect:
    """Describe the dialect from (base fields, advanced block width) pairs seen and their counts."""
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
    """Describe the build from COMBAT_LOG_VERSION's key-value pairs."""
    project = header.get("PROJECT_ID", "")
    return " ".join(filter(None, (PROJECTS.get(project, ""), header.get("BUILD_VERSION", ""))))
