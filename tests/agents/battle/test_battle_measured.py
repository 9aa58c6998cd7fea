"""The calculator against whole turns played in the simulator, with its own dice.

The measure plays the very hit many times with fixed seeds and reads the log. It shares no code with
the calculator: neither the way the move is used, nor how damage is seen.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from ruleplay.agents.battle.adapters.calculator import (
    Calculation,
    Question,
    _told,
    answer,
    read_scene,
)
from ruleplay.agents.battle.adapters.formats import find_format
from ruleplay.agents.battle.adapters.printed import item_names
from ruleplay.agents.battle.adapters.set_pool import empty_pool
from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.policy.specimen import read_specimen

SCRIPT = Path(__file__).with_name("measure_hits.cjs")
TIMES = 120
"""Turns played of each case; four times as many up to generation 2, which have 39 rolls."""
ENOUGH = 100
"""Measured hits from which both ends of sixteen rolls were seen (each is missed once in 600,
and the seeds are fixed)."""
ROWS = (Path(__file__).with_name("hit_cases.tsv")).read_text(encoding="utf-8").splitlines()[1:]
CASES = [(*row.split("\t")[:5], int(row.split("\t")[5])) for row in ROWS]
FORMATS = list(dict.fromkeys(str(case[0]) for case in CASES))


def _measured(
    package: Path, asked: Sequence[dict[str, object]]
) -> list[dict[str, list[list[int]]]]:
    """Play cases in one process."""
    command = ["node", str(SCRIPT), str(package), str(TIMES)]
    made = subprocess.run(
        command, input=json.dumps(asked).encode(), capture_output=True, check=True, timeout=500
    )
    found: list[dict[str, list[list[int]]]] = json.loads(made.stdout)
    return found


def _asked(
    package: Path, name: str, attacker: str, move: str, defender: str, field: str, targets: int
) -> dict[str, object]:
    known = find_format(package, name)
    told = {
        side: _told(
            read_specimen(text, empty_pool(name), level=known.level, items=item_names(package)),
            dex.to_id(move) if side == "attacker" else "splash",
        )
        for side, text in (("attacker", attacker), ("defender", defender))
    }
    scene = read_scene(tuple(filter(None, field.split(", "))))
    return {
        "gen": int(name[3]),
        "doubles": known.game == "doubles",
        "move": dex.to_id(move),
        "targets": targets,
        **told,
        **scene.model_dump(mode="json"),
    }


@pytest.mark.parametrize("name", FORMATS)
def test_ranges_are_those_of_turns_that_were_played(name: str, showdown: Path) -> None:
    cases = [case for case in CASES if case[0] == name]
    played = _measured(showdown, [_asked(showdown, *case) for case in cases])
    for case, measured in zip(cases, played, strict=True):
        asked = Question(
            attacker=case[1], move=case[2], defender=case[3], format=name, targets=case[5],
            field=tuple(filter(None, case[4].split(", "))),
        )  # fmt: skip
        found = asyncio.run(answer(showdown, empty_pool(name), asked))
        _check(found, measured["plain"], measured["critical"])


def _check(found: Calculation, plain: list[list[int]], critical: list[list[int]]) -> None:
    assert bool(plain) != found.always_critical, found.text
    usual = critical if found.always_critical else plain
    assert all(low <= hit <= high for (low, high), hit in _pairs(found.by_hit, usual)), found.text
    assert {len(hits) for hits in usual} <= {*range(found.hits[0], found.hits[1] + 1)}
    for at, ends in enumerate(found.by_hit):
        seen = [hits[at] for hits in usual if len(hits) > at]
        if len(found.by_hit) == found.hits[1] and len(seen) >= ENOUGH:
            assert (min(seen), max(seen)) == ends, found.text
    low, high = found.critical
    assert all(low <= sum(hits) <= high for hits in critical if found.hits == (1, 1)), found.text


def _pairs(
    by_hit: Sequence[tuple[int, int]], played: Sequence[Sequence[int]]
) -> list[tuple[tuple[int, int], int]]:
    """Pair each measured hit with its range; where one roll serves all hits, their sum."""
    if len(by_hit) >= max(map(len, played)):
        return [pair for hits in played for pair in zip(by_hit, hits, strict=False)]
    (whole,) = by_hit
    return [(whole, hits[0] * max(map(len, played))) for hits in played]
