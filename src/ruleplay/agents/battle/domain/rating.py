"""Elo-like ratings from wins and losses, by the model of Bradley and Terry (Biometrika 39, 1952).

The odds of winning are the ratio of the players' strengths. The fit has a weak prior, one drawn
battle against an average player each, so that an unbeaten player has a rating, too. The intervals
come from the curvature of the likelihood.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.standing import Z95

ELO = 400 / math.log(10)
"""Rating points per unit of log odds."""
ROUNDS = 200
"""Iterations at most."""
NEAR = 1e-9
"""The fit has converged when no strength changes by more, in log odds."""


@dataclass(frozen=True)
class Match:
    """The results of two players against each other; a tie is half a win for each."""

    one: str
    other: str
    wins: int
    losses: int
    ties: int = 0


class Rated(Frozen):
    """A player's rating in Elo points relative to the mean of all, with its 95% interval."""

    name: str
    rating: float
    low: float
    high: float
    wins: float
    battles: int


def rated(matches: Sequence[Match]) -> tuple[Rated, ...]:
    """Rate all players, the best first."""
    names = sorted({name for match in matches for name in (match.one, match.other)})
    strengths = dict.fromkeys(names, 0.0)
    for _ in range(ROUNDS):
        steps = {name: _step(name, strengths, matches) for name in names}
        strengths = {name: strengths[name] + step for name, (step, _) in steps.items()}
        if all(abs(step) < NEAR for step, _ in steps.values()):
            break
    mean = sum(strengths.values()) / len(names) if names else 0.0
    found = [_rated(name, strengths, mean, matches) for name in names]
    return tuple(sorted(found, key=lambda each: -each.rating))


def _step(name: str, strengths: dict[str, float], matches: Sequence[Match]) -> tuple[float, float]:
    """Compute half a Newton step for one player, and the information about its strength.

    All players are updated at once; a full step for each would overshoot.
    """
    against_mean = _chance(strengths[name])
    slope, information = 0.5 - against_mean, against_mean * (1 - against_mean)
    for foe, won, played in _of(name, matches):
        chance = _chance(strengths[name] - strengths[foe])
        slope += won - played * chance
        information += played * chance * (1 - chance)
    return 0.5 * slope / information, information


def _of(name: str, matches: Sequence[Match]) -> list[tuple[str, float, int]]:
    """List a player's opponents, with the points won and the battles played."""
    found = []
    for match in matches:
        played = match.wins + match.losses + match.ties
        if match.one == name:
            found.append((match.other, match.wins + match.ties / 2, played))
        elif match.other == name:
            found.append((match.one, match.losses + match.ties / 2, played))
    return found


def _chance(gap: float) -> float:
    return 1 / (1 + math.exp(-gap))


def _rated(name: str, strengths: dict[str, float], mean: float, matches: Sequence[Match]) -> Rated:
    """Convert a player's strength to Elo points with an interval."""
    _, information = _step(name, strengths, matches)
    rating, spread = ELO * (strengths[name] - mean), ELO * Z95 / math.sqrt(information)
    met = _of(name, matches)
    return Rated(
        name=name,
        rating=round(rating, 1),
        low=round(rating - spread, 1),
        high=round(rating + spread, 1),
        wins=sum(won for _, won, _ in met),
        battles=sum(played for _, _, played in met),
    )
