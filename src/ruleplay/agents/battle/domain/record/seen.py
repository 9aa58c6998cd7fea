"""The record of one Pokémon, and of a move whose messages are still coming in."""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleplay.agents.battle.domain.position import Hit, SpeedSeen

STAGED = frozenset({"atk", "def", "spa", "spd", "spe", "accuracy", "evasion"})
"""Stats that have stages."""


@dataclass
class Seen:
    """One Pokémon as shown by the messages so far.

    `moves` maps moves to the PP used, `effects` maps effects to the turn they began in and their
    layers.
    """

    ident: str
    species: str
    base: str
    level: int
    gender: str = ""
    active: bool = False
    place: str = "a"
    """Its place on the field; `b` is the second place in double battles."""
    hp: float = 1.0
    hp_now: int | None = None
    hp_max: int | None = None
    status: str = ""
    asleep_for: int = 0
    poisoned_for: int = 0
    rested: bool = False
    boosts: dict[str, int] = field(default_factory=dict)
    tera: str = ""
    item: str | None = None
    first_item: str | None = None
    ability: str | None = None
    own_ability: str | None = None
    moves: dict[str, int] = field(default_factory=dict)
    effects: dict[str, tuple[int, int]] = field(default_factory=dict)
    types: tuple[str, ...] = ()
    added_type: str = ""
    last_move: str | None = None
    entered: int = 0
    used_since_entry: list[str] = field(default_factory=list)
    transformed: str | None = None
    recharging: bool = False
    charging: str | None = None
    disabled: str | None = None
    substitute: bool = False
    times_hit: int = 0
    ruled_out_items: set[str] = field(default_factory=set)
    ruled_out_abilities: set[str] = field(default_factory=set)
    speeds: list[SpeedSeen] = field(default_factory=list)

    @property
    def side(self) -> str:
        """Its player, p1 or p2."""
        return self.ident[:2]

    @property
    def stages(self) -> dict[str, int]:
        """Its stages other than zero, limited to valid stats and values."""
        return {
            stat: max(-6, min(6, stage))
            for stat, stage in self.boosts.items()
            if stage and stat in STAGED
        }


@dataclass
class Strike:
    """A move in progress: the circumstances when it began, and its damage so far."""

    by: str
    move: str
    on: str = ""
    crit: bool = False
    hits: int = 0
    damage: float = 0.0
    before: float = 0.0
    capped: bool = False
    at: Hit | None = None


def shows_item(mon: Seen, item: str) -> None:
    """Record an item; the first one shown is the one it came with."""
    mon.item = item
    if mon.first_item is None:
        mon.first_item = item
