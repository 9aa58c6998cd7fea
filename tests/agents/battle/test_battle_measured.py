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
from tests.samples import some

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
FORMATS = list(dict.fromkeys(row.split("\t")[0] for row in ROWS))


def _question(row: str) -> Question:
    name, attacker, move, defender, field, targets = row.split("\t")
    lies = tuple(filter(None, field.split(", ")))
    return Question(
        attacker=attacker, move=move, defender=defender, field=lies, format=name,
        targets=int(targets),
    )  # fmt: skip


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


def _told_to(package: Path, asked: Question) -> dict[str, object]:
    """Write a question as the measure takes it."""
    known, items = find_format(package, asked.format), item_names(package)
    pool, move = empty_pool(asked.format), dex.to_id(asked.move)
    one, other = (
        read_specimen(text, pool, level=known.level, items=items)
        for text in (asked.attacker, asked.defender)
    )
    return {
        "gen": int(asked.format[3]),
        "doubles": known.game == "doubles",
        "move": move,
        "targets": asked.targets,
        "attacker": _told(one, move),
        "defender": _told(other, "splash"),
        **read_scene(asked.field).model_dump(mode="json"),
    }


@pytest.mark.parametrize("name", some(FORMATS, 6))
def test_ranges_are_those_of_turns_that_were_played(name: str, showdown: Path) -> None:
    cases = some([asked for asked in map(_question, ROWS) if asked.format == name], 2)
    played = _measured(showdown, [_told_to(showdown, asked) for asked in cases])
    for asked, measured in zip(cases, played, strict=True):
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
