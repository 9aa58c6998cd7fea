"""What a table understands of players' words: `python -m benchmarks.party_utterances SET`.

`first` was written before the words that are understood were looked at; `later` at the same time,
and measured for the first time after they had been widened for what `first` had shown. `last` was
written after they had been widened for both, by somebody who knew them, and measured once.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from os import cpu_count

from tests.agents.party import utterances
from tests.agents.party.hearing import missed

SETS = {
    "first": (utterances.ENGLISH, utterances.FRENCH),
    "later": (utterances.LATER_ENGLISH, utterances.LATER_FRENCH),
    "last": (utterances.LAST_ENGLISH, utterances.LAST_FRENCH),
}


def main() -> None:
    """Print how much of a set is understood, and what of it is not."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("set", choices=sorted(SETS))
    name = parser.parse_args().set
    result = {}
    for said in SETS[name]:
        not_understood = missed(said)
        result[said[0].lang] = {
            "said": len(said),
            "understood": len(said) - len(not_understood),
            "missed": not_understood,
        }
    told = {
        "command": f"python -m benchmarks.party_utterances {name}",
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {"cores": cpu_count()},
        "result": result,
    }
    sys.stdout.write(json.dumps(told, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
