"""The beings of a night while it is simulated."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.raid.nights.tables import Spec, Swing

NOBODY = "0000000000000000"
RAIDER, LOGGER, PET, ENEMY = "0x514", "0x511", "0x1114", "0xa48"
"""Unit flags: a raid member, the one who logs, their pets, a hostile creature."""


@dataclass(eq=False, slots=True)
class Unit:
    """A being: players' health is logged as a percentage, others' as it is."""

    guid: str
    name: str
    flags: str
    hp: int
    hp_max: int
    x: float = 0.0
    y: float = 0.0
    owner: str = NOBODY
    power_kind: int = 0
    power: int = 0
    power_max: int = 0
    level: int = 72
    dead: bool = False
    swing: Swing = (0, 0, 0.0)
    head: str = ""
    facing: float = 0.0

    def __post_init__(self) -> None:
        self.head = f'{self.guid},"{self.name}",{self.flags},0x0'

    @property
    def is_player(self) -> bool:
        """Tell whether it is a player."""
        return self.guid.startswith("Player")


@dataclass(eq=False, slots=True)
class Enemy(Unit):
    """A creature that fights the raid; `held_by` is the player it strikes."""

    npc: int = 0
    boss: bool = False
    council: bool = False
    active: bool = True
    engaged: bool = False
    held_by: Player | None = None
    growth: float = 1.0
    casting_until: float = 0.0


@dataclass(eq=False, slots=True)
class PetUnit(Unit):
    """A hunter's or warlock's pet."""

    master: Player | None = None


@dataclass(eq=False, slots=True)
class Player(Unit):
    """A raider: what they play, how they prepared, and what they are doing."""

    spec: Spec | None = None
    pet: PetUnit | None = None
    party: int = 0
    skill: float = 1.0
    idle: float = 0.0
    clumsy: float = 1.0
    skips: frozenset[int] = frozenset()
    ready: dict[tuple[int, str], float] = field(default_factory=dict)
    cursed_until: float = 0.0
    hasty_until: float = 0.0

    @property
    def plays(self) -> Spec:
        """Return the specialisation; every player of a raid has one."""
        if self.spec is None:
            raise ValueError(f"{self.name!r} plays nothing")
        return self.spec

    @property
    def is_melee(self) -> bool:
        """Tell whether they stand beside the boss."""
        return self.plays.melee or self.plays.role == "tank"
