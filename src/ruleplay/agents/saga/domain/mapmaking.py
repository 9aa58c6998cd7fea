"""Lay out a scenario's places on a map.

The layout uses all places, so it does not shift when a player discovers more of them.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, hypot, pi, sin

from ruleplay.agents.saga.domain.scenario import Scenario

Spot = tuple[float, float]
ROUNDS = 160
"""Iterations after which places hardly move."""
LENGTH = 0.32
"""Ideal length of a way, on a map of length 1."""


def spots(scenario: Scenario) -> dict[str, Spot]:
    """Return the position of each place: x to the right and y downwards, from 0 to 1."""
    ways = {(key, way.to) for key, place in scenario.places.items() for way in place.exits}
    return dict(_laid(tuple(scenario.places), tuple(sorted(ways))))


@lru_cache(maxsize=32)
def _laid(keys: tuple[str, ...], ways: tuple[tuple[str, str], ...]) -> tuple[tuple[str, Spot], ...]:
    """Run the force-directed layout of Fruchterman and Reingold, starting from a spiral.

    Nothing is random, so a scenario always gets the same map.
    """
    at = {key: _first(n, len(keys)) for n, key in enumerate(keys)}
    for step in range(ROUNDS):
        heat = 0.08 * (1 - step / ROUNDS)
        moved = {key: _force(key, at, ways) for key in keys}
        for key, (dx, dy) in moved.items():
            far = hypot(dx, dy) or 1.0
            reach = min(far, heat) / far
            at[key] = (at[key][0] + dx * reach, at[key][1] + dy * reach)
    return tuple(_fitted(at).items())


def _first(number: int, count: int) -> Spot:
    angle, far = 2.4 * number, 0.1 + 0.4 * number / max(1, count)
    return 0.5 + far * cos(angle + pi), 0.5 + far * sin(angle)


def _force(key: str, at: dict[str, Spot], ways: tuple[tuple[str, str], ...]) -> Spot:
    x, y = at[key]
    dx = dy = 0.0
    for other, (ox, oy) in at.items():
        far = max(0.01, hypot(x - ox, y - oy))
        if other != key:
            push = LENGTH * LENGTH / far / len(at)
            dx, dy = dx + (x - ox) / far * push, dy + (y - oy) / far * push
        if (key, other) in ways or (other, key) in ways:
            pull = far * far / LENGTH / 4
            dx, dy = dx - (x - ox) / far * pull, dy - (y - oy) / far * pull
    return dx, dy


def _fitted(at: dict[str, Spot]) -> dict[str, Spot]:
    if not at:
        return at
    left, top = min(x for x, _ in at.values()), min(y for _, y in at.values())
    wide = max(x for x, _ in at.values()) - left or 1.0
    high = max(y for _, y in at.values()) - top or 1.0
    return {
        k: (round((x - left) / wide, 3), round((y - top) / high, 3)) for k, (x, y) in at.items()
    }
