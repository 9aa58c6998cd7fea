"""`python -m benchmarks.raid.nights`: write the nights of the raid demo anew."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import NightPlan, PullPlan

from ruleplay.agents.raid.adapters.demo import SHIPPED

_FIRST = NightPlan(
    pulls=(
        PullPlan(649, "missed", at=0.5, bloodlust=None),
        PullPlan(649, "kill", trash=0),
        PullPlan(650, "tank", at=0.3, bloodlust=12.0),
        PullPlan(650, "kill", deaths=2, trash=0),
    ),
    health=0.1,
    roster=1,
)
_SECOND = replace(
    _FIRST,
    start=_FIRST.start + timedelta(days=7),
    pulls=(
        PullPlan(649, "kill"),
        PullPlan(650, "kill", bloodlust=8.0),
        PullPlan(651, "nova", at=0.6, bloodlust=None),
    ),
    power=1.1,
)
NIGHTS = {"demo-week-1.txt": (20261112, _FIRST), "demo-week-2.txt": (20261119, _SECOND)}
"""The demo's logs by name, each with its seed and plan."""


def written() -> Iterator[tuple[str, bytes]]:
    """Yield the demo's logs: name and text."""
    for name, (seed, plan) in NIGHTS.items():
        yield name, "".join(generate_night(seed, plan)[0]).encode()


if __name__ == "__main__":
    SHIPPED.mkdir(exist_ok=True)
    for name, text in written():
        (SHIPPED / f"{name}.gz").write_bytes(gzip.compress(text, 9, mtime=0))
