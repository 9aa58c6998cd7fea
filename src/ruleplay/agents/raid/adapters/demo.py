"""The demo reports: two invented nights a week apart, so that the agent works at once.

Bosses and spells are real, the raid and what happened to it are generated (`domain/nights`).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from ruleplay.agents.raid.adapters.log_import import import_logs
from ruleplay.agents.raid.domain.nights.night import generate_night
from ruleplay.agents.raid.domain.nights.plan import NightPlan, PullPlan

MARK = "demo"
"""A file of this name in `RULEPLAY_HOME/raid` says that the demo was made."""
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


def ensure_demo(home: Path) -> bool:
    """Make and import the demo reports unless that was done before; tells whether it was now.

    A user who deletes them keeps them deleted. Killed in between, it is done again: the same nights
    give the same report codes, so nothing is doubled.
    """
    mark = home / "raid" / MARK
    if mark.exists():
        return False
    with TemporaryDirectory(prefix="ruleplay-demo-") as scratch:
        import_logs(tuple(write_demo(Path(scratch))), home)
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.write_text("\n".join(NIGHTS) + "\n", "utf-8")
    return True


def write_demo(folder: Path) -> list[Path]:
    """Write the demo's logs into a folder; returns them, the older first."""
    written = []
    for name, (seed, plan) in NIGHTS.items():
        path = folder / name
        lines, _ = generate_night(seed, plan)
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
        written.append(path)
    return written
