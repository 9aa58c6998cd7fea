"""What a position is worth to the search, learnt from battles inside the engine.

`python -m benchmarks.battle.tuning play FILE.npz --battles 2500 --seed 1` plays battles between
teams of Showdown's generator, each side with its share of one search, and keeps what every
position looked like and who won. `… fit FILE.npz… [--write]` learns weights from such files, and
`… match --battles 400` plays them against the published values, both sides seeing everything, with
`--visits` for either side, the teams swapped after each battle.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from ruleplay.agents.battle.adapters.engine import EXPLORATION, WEIGHTS, pokemon_of, weights
from ruleplay.agents.battle.adapters.set_pool import load_pool
from ruleplay.agents.battle.domain.sets import SetPool
from ruleplay.agents.battle.domain.worlds import unseen_fighter

if TYPE_CHECKING:
    import poke_engine as engine  # type: ignore[import-untyped,import-not-found,unused-ignore]

POINTS = 80
"""Points that are odds of e to 1: the engine's scale."""
SHARPNESS = 2.0
"""How much surer the search is than who wins: 1 won 50% of 260 battles, 1.5 61% of 400, 2 68%."""
WANDERS = 0.25
"""How often a move is drawn by its visits instead of being the most visited one."""
MOST_TURNS = 200
FOLDS = 5
STEADY = {"tailwind": 7.0}
"""Points of what is too rare in random battles to be learnt."""


def main() -> None:
    """Play, fit or match."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.battle.tuning")
    parser.add_argument("what", choices=["play", "fit", "match"])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--pool", type=Path, required=True, help="…/battle/sets/….json.gz")
    parser.add_argument("--battles", type=int, default=400)
    parser.add_argument("--visits", type=int, nargs=2, default=(3000, 3000))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--write", action="store_true", help="write what was learnt as the product's"
    )
    asked = parser.parse_args()
    if asked.what == "fit":
        fit(asked.files, write=asked.write)
    elif asked.what == "play":
        play(load_pool(asked.pool), asked.files[0], asked.battles, asked.visits[0], asked.seed)
    else:
        match(load_pool(asked.pool), asked.battles, asked.visits, asked.seed)


def play(pool: SetPool, file: Path, battles: int, visits: int, seed: int) -> None:
    """Keep features, outcomes and the number of the battle of every position."""
    rng, rows, won, battle = Random(seed), list[list[float]](), list[float](), list[int]()
    for number in range(battles):
        seen, outcome = _played(_start(_team(pool, rng), _team(pool, rng)), visits, rng)
        if outcome is not None:
            rows += seen
            won += [outcome] * len(seen)
            battle += [number] * len(seen)
    np.savez_compressed(file, features=np.array(rows, np.float32), won=won, battle=battle)


def _played(
    state: engine.State, visits: int, rng: Random
) -> tuple[list[list[float]], float | None]:
    """Play a battle; return its positions' features and who won, None for no end."""
    import poke_engine as engine

    seen = list[list[float]]()
    for turn in range(MOST_TURNS):
        if _winner(state) is not None:
            break
        seen += [engine.features(state)] if turn else []
        found = _search(state, visits, rng, learnt=False)
        stray = rng.random() < WANDERS
        choices = [_pick(side, rng, stray=stray) for side in (found.side_one, found.side_two)]
        after = _after(state, choices, rng)
        if after is None:
            break
        state = after
    return seen, _winner(state)


def fit(files: Sequence[Path], *, write: bool) -> None:
    """Learn weights by logistic regression, and say how well they foretell battles left out."""
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]
    from sklearn.metrics import log_loss  # type: ignore[import-untyped]

    kept = [np.load(file) for file in files]
    features = np.concatenate([one["features"] for one in kept])
    won = np.concatenate([one["won"] for one in kept])
    battle = np.concatenate([one["battle"] + at * 1_000_000 for at, one in enumerate(kept)])
    scale = features.std(0) + 1e-3
    both, outcome = np.concatenate([features, -features]) / scale, np.concatenate([won, 1 - won])
    left_out = np.tile(battle % FOLDS == 0, 2)
    model = LogisticRegression(C=0.01, fit_intercept=False, max_iter=400)
    model.fit(both[~left_out], outcome[~left_out])
    loss = log_loss(outcome[left_out], model.predict_proba(both[left_out])[:, 1])
    model.fit(both, outcome)
    names = [*json.loads(WEIGHTS.read_text())["weights"]]
    points = model.coef_[0] / scale * POINTS * SHARPNESS
    learnt = {name: round(float(each), 1) for name, each in zip(names, points, strict=True)}
    learnt |= {name: each * SHARPNESS for name, each in STEADY.items()}
    told = {"made": "python -m benchmarks.battle.tuning", "sharpness": SHARPNESS, "weights": learnt}
    if write:
        WEIGHTS.write_text(json.dumps(told, indent=1) + "\n")
    said = {"positions": len(won), "log_loss": round(float(loss), 4), **told}
    sys.stdout.write(json.dumps(said, indent=1) + "\n")


def match(pool: SetPool, battles: int, visits: Sequence[int], seed: int) -> None:
    """Play the learnt weights against the published values, and say who won in which time."""
    rng, won, played, seconds = Random(seed), 0.0, 0, [0.0, 0.0]
    while played < battles:
        teams = _team(pool, rng), _team(pool, rng)
        for pair in (teams, teams[::-1]):
            outcome = _duel(_start(*pair), visits, rng, seconds)
            if outcome is not None:
                won, played = won + outcome, played + 1
    told: dict[str, object] = {
        "battles": played,
        "won": won,
        "share": round(won / played, 4),
        "visits": [*visits],
    }
    told["seconds"] = [round(one, 1) for one in seconds]
    sys.stdout.write(json.dumps(told) + "\n")


def _duel(
    state: engine.State, visits: Sequence[int], rng: Random, seconds: list[float]
) -> float | None:
    """Return 1 where the first side, with the learnt weights, wins; None for no end."""
    for _ in range(MOST_TURNS):
        if (winner := _winner(state)) is not None:
            return winner
        began = time.perf_counter()
        ours = _search(state, visits[0], rng, learnt=True)
        between = time.perf_counter()
        theirs = _search(state, visits[1], rng, learnt=False)
        seconds[0] += between - began
        seconds[1] += time.perf_counter() - between
        chosen = [_pick(ours.side_one, rng), _pick(theirs.side_two, rng)]
        after = _after(state, chosen, rng)
        if after is None:
            return None
        state = after
    return None


def _team(pool: SetPool, rng: Random) -> list[engine.Pokemon]:
    made = (pool.made_set(*mate) for mate in pool.mates(rng.randrange(len(pool.teams))))
    return [pokemon_of(unseen_fighter(place, each)) for place, each in enumerate(made, 1)]


def _start(one: list[engine.Pokemon], two: list[engine.Pokemon]) -> engine.State:
    import poke_engine as engine

    return engine.State(side_one=engine.Side(pokemon=one), side_two=engine.Side(pokemon=two))


def _search(state: engine.State, visits: int, rng: Random, *, learnt: bool) -> engine.MctsResult:
    import poke_engine as engine

    own = list(weights()) if learnt else []
    return engine.monte_carlo_tree_search(
        state, iterations=visits, exploration=EXPLORATION, seed=rng.getrandbits(32), weights=own
    )


def _pick(side: Sequence[engine.MctsSideResult], rng: Random, *, stray: bool = False) -> str:
    if not side:
        return "none"
    best = max(side, key=lambda each: each.visits)
    chosen = rng.choices(side, [each.visits + 1 for each in side])[0] if stray else best
    word: str = chosen.move_choice.lower()
    return word.removeprefix("switch ").replace("no move", "none")


def _after(state: engine.State, choices: Sequence[str], rng: Random) -> engine.State | None:
    """Return what comes of two choices; None for what the engine cannot play out."""
    import poke_engine as engine

    try:
        outcomes = engine.generate_instructions(state, *choices)
    except ValueError:
        return None
    if not outcomes:
        return None
    chosen = rng.choices(outcomes, [each.percentage for each in outcomes])[0]
    return state.apply_instructions(chosen)


def _winner(state: engine.State) -> float | None:
    for loser, outcome in ((state.side_one, 0.0), (state.side_two, 1.0)):
        if all(mon.hp <= 0 for mon in loser.pokemon):
            return outcome
    return None


if __name__ == "__main__":
    main()
