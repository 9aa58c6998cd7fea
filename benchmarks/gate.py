"""How the gate does on sentences that its authors did not write: `python -m benchmarks.gate`.

Three worlds, three sets of templates by other authors, an automatic adversary. `swapped` are lies
that only move a true number to another true name; `mix` are lies and truths of all kinds.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime

from tests.foundation.gate_corpus_held_out import WORLDS, corpus
from tests.foundation.test_gate_held_out import lexicon, measure

from ruleplay.foundation.prose.checks import checker

SAMPLES = 6_000


def swapped(world: str, held_out: int) -> dict[str, int]:
    """Count the swapped numbers that got through."""
    check = checker(lexicon(world))
    lies = list(corpus(world, 6, SAMPLES, held_out=held_out, only="numbers swapped"))
    through = sum(not check(lie.sentence, lie.facts).problems for lie in lies)
    return {"lies": len(lies), "through": through}


def main() -> None:
    """Print the figures of every set and world."""
    sets = {
        held_out: {
            world: {
                "swapped": swapped(world, held_out),
                "mix": {
                    name: value
                    for name, value in measure(world, 5, SAMPLES, held_out).items()
                    if name != "examples"
                },
            }
            for world in WORLDS
        }
        for held_out in (1, 2, 3)
    }
    told = {
        "command": "python -m benchmarks.gate",
        "date": datetime.now(UTC).date().isoformat(),
        "result": sets,
    }
    sys.stdout.write(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
