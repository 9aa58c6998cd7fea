"""What really happened in a night: the generator's own record, kept while it writes.

Times are seconds since the pull's start; `line` is the 1-based number of the log line. Rules:
damage is the sum of `amount` of SWING_, RANGE_, SPELL_, SPELL_PERIODIC_DAMAGE and DAMAGE_SHIELD by
the player, whoever is hit; pets and overkill are apart; healing is `amount - overheal`.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Totals:
    """A player's sums in a pull or a night, and while it is written, so far."""

    damage: int = 0
    pet_damage: int = 0
    overkill: int = 0
    healing: int = 0
    overheal: int = 0
    absorbed: int = 0
    taken: int = 0
    avoidable: int = 0
    deaths: int = 0
    interrupts: int = 0
    dispels: int = 0
    casts: int = 0
    active: float = 0.0


@dataclass(frozen=True)
class Death:
    """A raider's death: the killing blow, the damage of the five seconds before, the last heal."""

    player: str
    seconds: float
    killer: str
    spell_id: int
    spell: str
    amount: int
    overkill: int
    line: int
    burst: int
    since_heal: float | None


@dataclass(frozen=True)
class EnemyDeath:
    """A creature's death."""

    name: str
    npc: int
    seconds: float
    boss: bool
    line: int


@dataclass(frozen=True)
class EnemyCast:
    """A spell that could have been interrupted: when, and who stopped it ("": nobody)."""

    caster: str
    spell_id: int
    spell: str
    seconds: float
    stopped_by: str
    line: int


@dataclass(frozen=True)
class Dispel:
    """A debuff taken off: by whom, from whom."""

    player: str
    target: str
    spell_id: int
    spell: str
    seconds: float
    line: int


@dataclass(frozen=True)
class Use:
    """A cooldown, potion or Bloodlust used."""

    player: str
    spell_id: int
    spell: str
    seconds: float
    line: int


@dataclass(frozen=True)
class Uptime:
    """How long a debuff was on a boss; the pull's whole length is the denominator."""

    spell_id: int
    spell: str
    target: str
    seconds: float


@dataclass(frozen=True)
class Mana:
    """A healer's mana: the lowest and the last logged, as fractions."""

    player: str
    lowest: float
    last: float


@dataclass(frozen=True)
class PhaseStart:
    """A phase and when it began."""

    name: str
    seconds: float


@dataclass(frozen=True)
class PullTruth:
    """All that is known of a pull. `boss_hp` is 0 for a kill; `story` is how it ended.

    `lost_at` is when a wipe began to be one: the first death after it is the cause.
    """

    fight: int
    encounter: int
    name: str
    start_line: int
    end_line: int
    start_ms: int
    seconds: float
    kill: bool
    story: str
    boss_hp: float
    lost_at: float | None
    totals: dict[str, Totals]
    deaths: tuple[Death, ...]
    enemy_deaths: tuple[EnemyDeath, ...]
    casts: tuple[EnemyCast, ...]
    dispels: tuple[Dispel, ...]
    bloodlust: tuple[Use, ...]
    cooldowns: tuple[Use, ...]
    potions: tuple[Use, ...]
    uptimes: tuple[Uptime, ...]
    mana: tuple[Mana, ...]
    phases: tuple[PhaseStart, ...]
    avoidable: dict[str, dict[str, int]]


@dataclass
class GroundTruth:
    """The truth of a night; complete once its lines have been read to the end."""

    pulls: list[PullTruth] = field(default_factory=list)
    totals: dict[str, Totals] = field(default_factory=dict)
    pets: dict[str, str] = field(default_factory=dict)
    lines: int = 0
    seconds: float = 0.0
    pull_seconds: float = 0.0
    no_flask: tuple[str, ...] = ()
    no_food: tuple[str, ...] = ()
    no_oil: tuple[str, ...] = ()
    no_enchant: tuple[tuple[str, str], ...] = ()
    no_gem: tuple[tuple[str, str], ...] = ()
    slow: str = ""
    clumsy: str = ""
    unused: tuple[tuple[str, int, str], ...] = ()
    roles: dict[str, str] = field(default_factory=dict)
    classes: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def trash_seconds(self) -> float:
        """Seconds of the night that belong to no pull."""
        return round(self.seconds - self.pull_seconds, 3)
