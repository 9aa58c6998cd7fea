"""The demo reports: two invented nights a week apart, so that the agent works at once.

Bosses and spells are real, the raid and what happened to it were generated: see
`benchmarks/raid/nights`.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory

from ruleplay.agents.raid.adapters.log_import import import_logs

MARK = "demo"
"""A file of this name in `RULEPLAY_HOME/raid` says that the demo was made."""
SHIPPED = Path(__file__).parents[1] / "demo"
NAMES = ("demo-week-1.txt", "demo-week-2.txt")


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
    mark.write_text("\n".join(NAMES) + "\n", "utf-8")
    return True


def write_demo(folder: Path) -> list[Path]:
    """Unpack the demo's logs into a folder; returns them, the older first."""
    written = [folder / name for name in NAMES]
    for path in written:
        path.write_bytes(gzip.decompress((SHIPPED / f"{path.name}.gz").read_bytes()))
    return written
