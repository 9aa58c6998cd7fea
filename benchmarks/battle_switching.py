"""How often players of recorded battles switch, by the health of whoever stands there.

    python -m benchmarks.battle_switching FOLDER_OF_LOGS

Counts free choices only: a turn in which a player moved or switched first thing, with somebody to
switch to. Switches after a knock-out, by a pivot move or forced out are none.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path

from ruleplay.agents.battle.domain.chronicle import Chronicle
from ruleplay.agents.battle.domain.standing import Standing

EDGES = (0.2, 0.4, 0.6, 0.8, 1.0)


def band(health: float) -> str:
    """Return the fifth of full health that a share falls into; full health is one of its own."""
    if health >= 1:
        return "full"
    top = next(edge for edge in EDGES if health < edge)
    return f"{top - 0.2:.1f}-{top:.1f}"


def count(lines: list[str], counts: dict[str, list[int]]) -> None:
    """Add one battle's free choices to the counts of (stayed, switched) by band."""
    chronicle = Chronicle()
    acted: set[str] = set()
    for line in lines:
        parts = line.split("|")
        kind = parts[1] if len(parts) > 2 else ""
        side = parts[2][:2] if kind in {"move", "switch"} else ""
        if side and side not in acted and chronicle.turn:
            standing = chronicle.active(side)
            if standing is not None and standing.hp > 0:
                counts[band(standing.hp)][kind == "switch"] += 1
            acted.add(side)
        elif kind in {"cant", "drag", "faint"}:
            acted.add(parts[2][:2])
        elif kind == "turn":
            acted = set()
        chronicle.take(parts)


def main() -> None:
    """Print the shares with Wilson's intervals as JSON."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    files = sorted(Path(sys.argv[1]).glob("*.log"))
    for file in files:
        count(file.read_text(encoding="utf-8").splitlines(), counts)
    shares = {}
    for name, (stayed, switched) in sorted(counts.items()):
        standing = Standing(wins=switched, losses=stayed)
        low, high = (round(each, 3) for each in standing.interval)
        shares[name] = {"choices": stayed + switched, "switched": round(standing.win_rate, 3),
                        "ci95": [low, high]}  # fmt: skip
    told = {"battles": len(files), "by_health": shares}
    sys.stdout.write(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
