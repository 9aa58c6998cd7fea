"""Write docs/seeds.md, what the source documents ask and where it is, from docs/seeds.tsv."""

from __future__ import annotations

import csv
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
DATA, PAGE = HERE / "seeds.tsv", HERE / "seeds.md"
STATES = ("works", "differently", "decided against", "missing")
HEAD = """# What the source documents ask

Each agent began as a document that somebody wrote about a program to be. This table has every
requirement of the five documents in our own words, the place in the code where it lives, the test
that holds it, and how it stands. *Differently* and *decided against* say why; *missing* says what.

Generated from `docs/seeds.tsv` by `make seeds`; a test keeps it true and looks up every name.
"""
TITLES = {
    "battle": "battle: a decision graph with preparing stations",
    "raid": "raid: a loop of agent and tools",
    "parts": "parts: slots, goals and requirements",
    "saga": "saga: story and combat in one session graph",
    "party": "party: turns of a DM and characters",
}


class Requirement(NamedTuple):
    """A row: `where` and `test` are a file, `::`, and a name in it; `state` gives its reason."""

    id: str
    agent: str
    requirement: str
    where: str
    test: str
    state: str

    @property
    def standing(self) -> str:
        """The state without its reason."""
        return self.state.partition(": ")[0]


def requirements() -> list[Requirement]:
    """Return the rows of the data file."""
    with DATA.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        return [Requirement(*row) for row in rows]


def page() -> str:
    """Return the page."""
    rows = requirements()
    parts = [HEAD, _summary(rows)]
    for agent in dict.fromkeys(row.agent for row in rows):
        own = [row for row in rows if row.agent == agent]
        parts += [f"\n## {TITLES[agent]}\n", _table(own)]
    return "\n".join(parts)


def _summary(rows: list[Requirement]) -> str:
    counted = {agent: Counter(r.standing for r in rows if r.agent == agent) for agent in TITLES}
    lines = [f"| agent | rows | {' | '.join(STATES)} |", "|---" * (len(STATES) + 2) + "|"]
    for agent, found in [*counted.items(), ("all", Counter(row.standing for row in rows))]:
        numbers = " | ".join(str(found[state]) for state in STATES)
        lines.append(f"| {agent} | {found.total()} | {numbers} |")
    return "\n".join([*lines, ""])


def _table(rows: list[Requirement]) -> str:
    lines = ["| | agent | requirement | where | test | state |", "|---|---|---|---|---|---|"]
    for row in rows:
        test = f"`{row.test}`" if row.test else ""
        lines.append(
            f"| {row.id} | {row.agent} | {row.requirement} | `{row.where}` | {test} | {row.state} |"
        )
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.name}: {len(requirements())} requirements\n")
