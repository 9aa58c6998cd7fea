"""State of a fight: fighters, order of initiative, and what the current one may still do."""

from __future__ import annotations

import operator
from typing import Annotated, Literal

from pydantic import Field

from ruleplay.agents.saga.domain.intents import Act
from ruleplay.agents.saga.domain.rulebook import Archetype, Stat, StatusKind
from ruleplay.story.texts import Frozen, Text

HERO = "hero"
"""The hero's id in a fight."""
ROUNDS_AT_MOST = 30
"""A fight that lasts longer is ended without a winner."""

Outcome = Literal[
    "player_win", "player_flee", "player_die", "npc_flee", "truce", "forced_end", "error_abort"
]
Cost = Literal["major", "minor", "reaction", "none"]

COSTS: dict[Act, Cost] = {
    "attack": "major",
    "defend": "major",
    "flee": "major",
    "intimidate": "major",
    "first_aid": "major",
    "pass": "major",
    "withdraw": "minor",
    "close_in": "minor",
    "guard": "minor",
    "aim": "minor",
    "use": "minor",
    "equip": "minor",
}
"""Cost of each act; unlisted ones are free, or do not belong to fights."""


class Status(Frozen):
    """A status that lasts: for how many more of the bearer's turns, how strong."""

    kind: StatusKind
    rounds: Annotated[int, Field(ge=1)]
    power: int = 0


class Combatant(Frozen):
    """Somebody in a fight."""

    id: str
    name: Text
    kind: str = ""
    side: Literal["party", "foes"]
    hp: Annotated[int, Field(ge=0)]
    max_hp: Annotated[int, Field(ge=1)]
    stats: dict[Stat, int]
    weapon: str = ""
    armour: str = ""
    archetype: Archetype = "aggressive"
    far: bool = False
    fled: bool = False
    statuses: tuple[Status, ...] = ()
    yielded: bool = Field(default=False, exclude_if=operator.not_)

    @property
    def alive(self) -> bool:
        """Whether any hit points are left."""
        return self.hp > 0

    @property
    def present(self) -> bool:
        """Whether they can act and be attacked."""
        return self.alive and not self.fled and not self.yielded

    @property
    def fallen(self) -> bool:
        """Whether an ally is down, and can still be saved as long as the fight lasts."""
        return self.side == "party" and self.id != HERO and not self.alive

    def has(self, *kinds: StatusKind) -> bool:
        """Whether the fighter has one of these statuses."""
        return any(status.kind in kinds for status in self.statuses)


class Fight(Frozen):
    """The combat state; `spent` are the costs that the one to move has paid this turn."""

    combat_id: str
    encounter: str
    place: str
    round: int = 1
    turn: int = 0
    order: tuple[str, ...]
    initiative: tuple[int, ...]
    combatants: tuple[Combatant, ...]
    spent: tuple[Cost, ...] = ()
    reacted: tuple[str, ...] = ()
    opened: bool = False

    @property
    def actor(self) -> str:
        """Id of the fighter whose turn it is."""
        return self.order[self.turn]

    def get(self, ident: str) -> Combatant | None:
        """Return a combatant by id, None if unknown."""
        return next((one for one in self.combatants if one.id == ident), None)

    def the(self, ident: str) -> Combatant:
        """Return a combatant by id (KeyError if unknown)."""
        found = self.get(ident)
        if found is None:
            raise KeyError(ident)
        return found

    def side(self, side: str) -> tuple[Combatant, ...]:
        """Return the fighters of a side who are still in the fight."""
        return tuple(one for one in self.combatants if one.side == side and one.present)

    def foes_of(self, ident: str) -> tuple[Combatant, ...]:
        """Return somebody's opponents who are still in the fight."""
        return self.side("party" if self.the(ident).side == "foes" else "foes")

    def friends_of(self, ident: str) -> tuple[Combatant, ...]:
        """Return the others on somebody's side who are still in the fight."""
        mine = self.the(ident).side
        return tuple(one for one in self.side(mine) if one.id != ident)

    def with_(self, ident: str, **changes: object) -> Fight:
        """Return a copy of the fight with one combatant changed."""
        made = tuple(
            one.model_copy(update=changes) if one.id == ident else one for one in self.combatants
        )
        return self.model_copy(update={"combatants": made})

    def next_turn(self) -> tuple[int, int]:
        """Return the round and the index in `order` of the next fighter who is present."""
        turn, current = self.turn, self.round
        for _ in self.order:
            turn += 1
            if turn == len(self.order):
                turn, current = 0, current + 1
            if self.the(self.order[turn]).present:
                return current, turn
        return current, self.turn


def check_combat_status(fight: Fight) -> Outcome | None:
    """Return how the fight has ended, None while it goes on.

    `error_abort` means an inconsistent state: the hero is missing, or the order names other
    fighters than there are.
    """
    hero = fight.get(HERO)
    if hero is None or set(fight.order) != {one.id for one in fight.combatants}:
        return "error_abort"
    if not hero.alive:
        return "player_die"
    if hero.fled:
        return "player_flee"
    if not fight.side("foes"):
        fallen = any(o.side == "foes" and (not o.alive or o.yielded) for o in fight.combatants)
        return "player_win" if fallen else "npc_flee"
    return "forced_end" if fight.round > ROUNDS_AT_MOST else None
