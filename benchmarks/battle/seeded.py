"""What foreseeing the opponent is worth, in battles of the same teams and as many visits each.

    python -m benchmarks.battle.seeded --battles 100 --visits 10000
    python -m benchmarks.battle.seeded --battles 100 --visits 10000 --each-other

Battles are held in Showdown's simulator by their seeds, and searches make a number of visits, so a
busy machine changes nothing. Against `heuristics` each seed is played twice, with the prediction
and without it; against each other, twice with the teams exchanged.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Protocol

from ruleplay.agents.battle.adapters import engine
from ruleplay.agents.battle.adapters.contest import Contest
from ruleplay.agents.battle.adapters.opponents import BaselineChooser
from ruleplay.agents.battle.adapters.player import Witness
from ruleplay.agents.battle.adapters.showdown_package import require_package
from ruleplay.agents.battle.adapters.world import World
from ruleplay.agents.battle.domain.chances import as_chances
from ruleplay.agents.battle.domain.memory import Memory
from ruleplay.agents.battle.domain.sets import SetPool, opponent_sets
from ruleplay.agents.battle.policy.assessment import assess
from ruleplay.records.events import Json
from ruleplay.settings import Settings

SCRIPT = Path(__file__).with_name("play_seeded.cjs")
FORMAT = "gen9randombattle"
MOST_TURNS = 300
NAMES = {"p1": "One", "p2": "Two"}


class Side(Protocol):
    """Whoever answers a contest's requests."""

    async def choose(self, contest: Contest) -> str:
        """Answer the open request."""


class Searching:
    """Our policy with a search of so many visits, told what to expect of them or not."""

    def __init__(self, pool: SetPool, visits: int, seed: str, *, foreseeing: bool) -> None:
        self._pool, self._visits, self._foreseeing = pool, visits, foreseeing
        self._rng, self._witness = Random(seed), Witness()

    async def choose(self, contest: Contest) -> str:
        """Answer the open request."""
        position = self._witness.position(contest)
        inference = opponent_sets(position, self._pool)
        expected = assess(position, inference, Memory(), None).expected
        verdict = engine.search(
            position, inference, self._pool, 0, self._rng, visits=self._visits,
            expected=expected if self._foreseeing else None,
        )  # fmt: skip
        found = assess(position, inference, Memory(), as_chances(verdict, position))
        return position.wire(found.decision.order)


class Simulator:
    """Showdown's simulator in a process of its own."""

    def __init__(self, package: Path) -> None:
        self._process = subprocess.Popen(
            ("node", str(SCRIPT), str(package), FORMAT),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def told(self, given: Json) -> dict:  # type: ignore[type-arg]
        """Pass on a line, and return what it answers."""
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError("both are pipes")
        self._process.stdin.write(json.dumps(given) + "\n")
        self._process.stdin.flush()
        found: dict = json.loads(self._process.stdout.readline())  # type: ignore[type-arg]
        return found

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.wait()

    async def play(self, seed: int, sides: dict[str, Side], *, swap: bool = False) -> float:
        """Play a battle and return 1 if the first side wins it, 0.5 for no end."""
        contests = {
            role: Contest("battle-seeded", name, FORMAT, BaselineChooser("random"), _unsent, 60)
            for role, name in NAMES.items()
        }
        found = self.told({"start": seed, "swap": swap})
        while not found["ended"] and found["turn"] < MOST_TURNS:
            choices: Json = {}
            for role, seen in found["sides"].items():
                for line in seen["lines"]:
                    contests[role].read(line)
                if seen["request"]:
                    contests[role].read("|request|" + json.dumps(seen["request"]))
                    choice = await sides[role].choose(contests[role])
                    choices[role] = choice.removeprefix("/choose ")
            found = self.told(choices)
        return {"One": 1.0, "Two": 0.0}.get(found["winner"], 0.5)


async def _unsent(_room: str, _text: str) -> bool:
    return True


async def main(battles: int, visits: int, first: int, *, each_other: bool) -> Json:
    """Play the battles of so many seeds, and say how many each way of searching won."""
    home = Settings().home
    simulator = Simulator(await asyncio.to_thread(require_package, home))
    pool = World(home).pool(FORMAT)
    won: dict[str, list[float]] = {"foreseeing": [], "without": []}
    for seed in range(first, first + battles):
        for way in won:

            def ours(seed: int = seed, way: str = way, *, foreseeing: bool) -> Searching:
                return Searching(pool, visits, f"{seed}/{way}", foreseeing=foreseeing)

            if each_other:
                swap = way == "without"
                pair: dict[str, Side] = {"p1": ours(foreseeing=True), "p2": ours(foreseeing=False)}
                result = await simulator.play(seed, pair, swap=swap)
                won["foreseeing"].append(result)
                won["without"].append(1 - result)
            else:
                pair = {
                    "p1": ours(foreseeing=way == "foreseeing"),
                    "p2": BaselineChooser("heuristics"),
                }
                won[way].append(await simulator.play(seed, pair))
        said = {way: sum(results) for way, results in won.items()}
        sys.stderr.write(f"{seed}: {json.dumps(said)}\n")
    simulator.close()
    wins: Json = {way: [*results] for way, results in won.items()}
    return {"visits": visits, "first_seed": first, "each_other": each_other, "won": wins}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--battles", type=int, default=100)
    parser.add_argument("--visits", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--each-other", action="store_true")
    given = parser.parse_args()
    report = asyncio.run(
        main(given.battles, given.visits, given.first, each_other=given.each_other)
    )
    sys.stdout.write(json.dumps(report) + "\n")
