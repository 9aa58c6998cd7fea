"""The board: everything that changes during a simulation, copied before it is modified."""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleplay.agents.battle.domain.worlds import Fighter

STATS = ("atk", "def", "spa", "spd", "spe", "accuracy", "evasion")
PLACE = {stat: place for place, stat in enumerate(STATS)}
"""Index of each stat in a body's stages."""
LEVEL = (0,) * len(STATS)
"""No stages."""
SCREENS = {"reflect", "lightscreen", "auroraveil"}
"""Conditions that reduce damage."""
HAZARDS = {"stealthrock": 1, "spikes": 3, "toxicspikes": 2, "stickyweb": 1}
"""Entry hazards with their maximum number of layers."""
Choice = tuple[str, str, bool]
"""("move", id, tera) or ("switch", place, False) or ("pass", "", False)."""

PASS: Choice = ("pass", "", False)


@dataclass(slots=True)
class Body:
    """The changing part of a fighter; copied before it is modified."""

    hp: int
    status: str = ""
    slept: int = 0
    stages: tuple[int, ...] = LEVEL
    tera: bool = False
    item: str = ""
    volatiles: frozenset[str] = frozenset()
    locked: str = ""
    substitute: int = 0
    species: str = ""

    def copy(self) -> Body:
        """Make a copy that may be modified."""
        return Body(
            self.hp,
            self.status,
            self.slept,
            self.stages,
            self.tera,
            self.item,
            self.volatiles,
            self.locked,
            self.substitute,
            self.species,
        )


@dataclass(slots=True)
class Half:
    """One side: its bodies, which of them is active, its conditions, and whether tera is left."""

    bodies: list[Body]
    at: int
    hazards: dict[str, int] = field(default_factory=dict)
    screens: dict[str, int] = field(default_factory=dict)
    tera_left: bool = True
    trapped: bool = False

    def copy(self) -> Half:
        """Make a copy that may be modified; only the active body is copied with it.

        The others are shared between boards, so `enter` copies a body before it becomes active.
        """
        bodies = list(self.bodies)
        bodies[self.at] = bodies[self.at].copy()
        return Half(bodies, self.at, dict(self.hazards), dict(self.screens), self.tera_left, False)

    @property
    def active(self) -> Body:
        """The body on the field."""
        return self.bodies[self.at]

    @property
    def alive(self) -> int:
        """The number of bodies that can still fight."""
        return sum(body.hp > 0 for body in self.bodies)


@dataclass(slots=True)
class Board:
    """Both sides and the field."""

    halves: tuple[Half, Half]
    weather: str = ""
    weather_left: int = 0
    terrain: str = ""
    terrain_left: int = 0
    rooms: frozenset[str] = frozenset()

    @property
    def over(self) -> bool:
        """Whether one side has nobody left."""
        return any(half.alive == 0 for half in self.halves)


@dataclass(frozen=True, slots=True)
class Shot:
    """The effect of a move here: points, probability to hit, priority."""

    low: int
    high: int
    accuracy: float
    priority: int
    blocked: bool


@dataclass(slots=True)
class Kept:
    """Caches: shots, speeds and the results of pairs."""

    shots: dict[tuple[object, ...], Shot] = field(default_factory=dict)
    speeds: dict[tuple[object, ...], int] = field(default_factory=dict)
    standings: dict[tuple[object, ...], float] = field(default_factory=dict)


def body_of(who: Fighter) -> Body:
    """Extract the changing part of a fighter in its current state."""
    stages = tuple(who.boosts[stat] for stat in STATS)
    locked = ""
    usable = [move.id for move in who.moves if not move.disabled and move.pp > 0]
    if who.active and len(usable) == 1 and len(who.moves) > 1:
        locked = usable[0]
    volatiles = who.volatiles
    if who.seen and who.seen.must_recharge:
        volatiles |= {"mustrecharge"}
    return Body(
        hp=max(0, who.hp),
        status="" if who.status == "fnt" else who.status,
        slept=who.status_turns,
        stages=stages,
        tera=who.terastallized,
        item=who.item,
        volatiles=volatiles,
        locked=locked,
        substitute=who.hp_max // 4 if "substitute" in volatiles else 0,
        species=who.species,
    )
