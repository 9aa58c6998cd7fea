"""How the raid planner does on others' wordings: `python -m benchmarks.raid_wordings SET`.

`first` was written before the planner's phrases were looked at, `second` after it was widened for
what the first had shown. A set is measured once before anything is changed for it; later figures
only say that nothing was lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.raid.asking import bench_wordings
from benchmarks.raid.questions import read_wordings

FOLDER = Path(__file__).parent / "raid_wordings"
SEEDS = {"first": 9001, "second": 9101}


def main() -> None:
    """Print the figures of a set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("set", choices=sorted(SEEDS))
    name = parser.parse_args().set
    texts = read_wordings((FOLDER / f"{name}.toml").read_text("utf-8"))
    result = asyncio.run(bench_wordings(texts, SEEDS[name]))
    told = {
        "command": f"python -m benchmarks.raid_wordings {name}",
        "date": datetime.now(UTC).date().isoformat(),
        "result": result.model_dump(mode="json"),
    }
    sys.stdout.write(json.dumps(told, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
