"""The model of a creature in play, used for characters and monsters alike."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from ruleplay.agents.party.domain.dice import FORMULA
from ruleplay.agents.party.domain.terms import (
    ABILITY_OF,
    Ability,
    Archetype,
    Condition,
    CreatureType,
    DamageType,
    Size,
    Skill,
    modifier,
)
from ruleplay.story.texts import Frozen, Text

Formula = Annotated[str, Field(pattern=FORMULA)]
Moment = Literal["start", "end"]


class Damage(Frozen):
    """Damage of one type: `dice` are rolled anew for each strike."""

    dice: Formula
    type: DamageType

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        """Also accept `1d6+2 slashing`, the notation of stat blocks."""
        if isinstance(value, str):
            dice, _, kind = value.partition(" ")
            return {"dice": dice, "type": kind}
        return value


class Boon(Frozen):
    """How an effect bends its bearer's numbers, for good or ill; dice are signed, as `+1d4`.

    `base_ac` replaces 10 in the armour class of the unarmoured, `least_ac` is its floor;
    `adv_attack` and the like give advantage or disadvantage, `adv_against` to the bearer's
    attackers. `bonus_damage` adds to the bearer's weapon hits on `mark` (empty: on everyone).
    """

    ac: int = 0
    base_ac: int = 0
    least_ac: int = 0
    attack: str = ""
    save: str = ""
    check: str = ""
    bonus_damage: Damage | None = None
    melee_bonus: int = 0
    mark: str = ""
    resist: tuple[DamageType, ...] = ()
    speed: int = 0
    pace: Literal["", "half", "double", "none"] = ""
    max_hp: int = 0
    adv_attack: bool = False
    dis_attack: bool = False
    adv_against: bool = False
    dis_against: bool = False
    adv_saves: tuple[Ability, ...] = ()
    dis_saves: tuple[Ability, ...] = ()
    adv_checks: tuple[Ability, ...] = ()
    dis_checks: tuple[Ability, ...] = ()
    no_reactions: bool = False
    no_actions: bool = False
    no_healing: bool = False
    once: bool = False


class Effect(Frozen):
    """Something that is upon a creature for a time: a condition, a spell, a stance.

    `left` counts down at the `at` of `of`'s turns; 0 lasts until it is taken away. `save` against
    `dc` at the end of each of the bearer's turns ends it, an action does against `escape`. `wakes`
    ends it on any damage. `concentration` ties it to its source's concentration on `key`. `hurts`
    is damage at the start of the bearer's turns. `level` is that of exhaustion.
    """

    key: str
    source: str = ""
    conditions: tuple[Condition, ...] = ()
    boon: Boon | None = None
    left: Annotated[int, Field(ge=0)] = 0
    of: str = ""
    at: Moment = "start"
    save: Ability | Literal[""] = ""
    dc: int = 0
    escape: int = 0
    wakes: bool = False
    concentration: bool = False
    hurts: Damage | None = None
    slot: int = 0
    level: Annotated[int, Field(ge=0, le=6)] = 0


class Inflicts(Frozen):
    """An effect as data has it, before it is upon somebody."""

    key: str = ""
    conditions: tuple[Condition, ...] = ()
    boon: Boon | None = None
    rounds: Annotated[int, Field(ge=0)] = 0
    of: Literal["source", "bearer"] = "source"
    at: Moment = "start"
    save_ends: bool = False
    escape: int = 0
    wakes: bool = False
    hurts: Damage | None = None


class Rider(Frozen):
    """What a hit brings besides its damage: a save against more damage or an effect.

    `drains` lowers the hit point maximum by what the hit did, until a long rest.
    """

    save: Ability | Literal[""] = ""
    dc: int = 0
    damage: tuple[Damage, ...] = ()
    half: bool = False
    drains: bool = False
    inflicts: Inflicts | None = None
    not_types: tuple[CreatureType, ...] = ()
    largest: Size = "gargantuan"


class Attack(Frozen):
    """A way to strike: `reach` feet hand to hand, `range` and `long` feet from afar (0: not so).

    With `charge` its rider and `charge_damage` come only after a move of so many feet.
    """

    key: str
    name: Text
    ability: Ability = "str"
    bonus: int
    reach: Annotated[int, Field(ge=0)] = 0
    range: Annotated[int, Field(ge=0)] = 0
    long: Annotated[int, Field(ge=0)] = 0
    damage: tuple[Damage, ...]
    two_handed: tuple[Damage, ...] = ()
    properties: tuple[str, ...] = ()
    magical: bool = False
    uses: str = ""
    charge: int = 0
    charge_damage: tuple[Damage, ...] = ()
    rider: Rider | None = None

    @property
    def finesse(self) -> bool:
        """Whether the attack qualifies for Sneak Attack: finesse or ranged."""
        return "finesse" in self.properties or not self.reach


class Power(Frozen):
    """A special action of a monster: everyone it is aimed at saves, or suffers it.

    `recharge` is the least face of a d6 that brings it back at the start of a turn; `uses` a day.
    """

    key: str
    name: Text
    range: int = 0
    targets: Annotated[int, Field(ge=1)] = 1
    save: Ability | Literal[""] = ""
    dc: int = 0
    ability: Ability | Literal[""] = ""
    damage: tuple[Damage, ...] = ()
    half: bool = True
    inflicts: Inflicts | None = None
    recharge: Annotated[int, Field(ge=0, le=6)] = 0
    uses: Annotated[int, Field(ge=0)] = 0
    cost: Literal["action", "bonus"] = "action"
    attacks: tuple[str, ...] = ()


class Feature(Frozen):
    """A feature, with what is left of it until the next rest of that kind (most 0: unlimited)."""

    key: str
    left: Annotated[int, Field(ge=0)] = 0
    most: Annotated[int, Field(ge=0)] = 0
    per: Literal["", "short", "long", "recharge"] = ""


class Carried(Frozen):
    """So many of an item."""

    item: str
    count: Annotated[int, Field(ge=1)] = 1


class Creature(Frozen):
    """Somebody. Characters have classes and a level, monsters a challenge rating.

    `position` is where they stand in a fight, in feet along a line. `skills` maps to the times
    the proficiency bonus counts (2: expertise); `bonuses` holds what stat blocks add to that.
    `weapon` and `offhand` are items in hand; `attacks` what can be struck with. `slots` counts
    the spell slots left from level 1 up. `mortal` creatures die at 0 hit points without saves.
    """

    id: str
    name: Text
    kind: str
    side: str = "party"
    type: CreatureType = "humanoid"
    tags: tuple[str, ...] = ()
    size: Size = "medium"
    classes: dict[str, int] = Field(default_factory=dict)
    level: Annotated[int, Field(ge=0, le=20)] = 0
    cr: float = 0
    xp: Annotated[int, Field(ge=0)] = 0
    proficiency: int = 2
    archetype: Archetype = "soldier"
    abilities: dict[Ability, int]
    saves: tuple[Ability, ...] = ()
    skills: dict[Skill, int] = Field(default_factory=dict)
    bonuses: dict[str, int] = Field(default_factory=dict)
    ac: int = 10
    hp: Annotated[int, Field(ge=0)]
    max_hp: Annotated[int, Field(ge=1)]
    temp: Annotated[int, Field(ge=0)] = 0
    hit_die: int = 8
    hit_dice: int = 0
    speed: int = 30
    fly: int = 0
    darkvision: int = 0
    resist: tuple[str, ...] = ()
    vulnerable: tuple[str, ...] = ()
    immune: tuple[str, ...] = ()
    condition_immune: tuple[Condition, ...] = ()
    traits: tuple[str, ...] = ()
    effects: tuple[Effect, ...] = ()
    concentration: str = ""
    attacks: tuple[Attack, ...] = ()
    multiattack: tuple[tuple[str, ...], ...] = ()
    powers: tuple[Power, ...] = ()
    features: tuple[Feature, ...] = ()
    spells: tuple[str, ...] = ()
    casting: Ability | Literal[""] = ""
    slots: tuple[int, ...] = ()
    max_slots: tuple[int, ...] = ()
    armour: str = ""
    shield: str = ""
    weapon: str = ""
    offhand: str = ""
    proficient: tuple[str, ...] = ()
    inventory: tuple[Carried, ...] = ()
    passed: Annotated[int, Field(ge=0, le=3)] = 0
    failed: Annotated[int, Field(ge=0, le=3)] = 0
    stable: bool = False
    dead: bool = False
    gone: bool = False
    mortal: bool = False
    position: int = 0

    def mod(self, ability: Ability) -> int:
        """Return an ability modifier."""
        return modifier(self.abilities[ability])

    def save_bonus(self, ability: Ability) -> int:
        """Return the bonus to a saving throw."""
        trained = self.proficiency if ability in self.saves else 0
        return self.mod(ability) + trained + self.bonuses.get(f"save:{ability}", 0)

    def check_bonus(self, skill: Skill | Ability) -> int:
        """Return the bonus to a check with a skill or a plain ability."""
        ability = ABILITY_OF.get(skill, skill)  # type: ignore[arg-type]
        times = self.skills.get(skill, 0)  # type: ignore[arg-type]
        trained = self.proficiency * times
        if not trained and self.has_feature("jack-of-all-trades"):
            trained = self.proficiency // 2
        return self.mod(ability) + trained + self.bonuses.get(skill, 0)

    def passive(self, skill: Skill) -> int:
        """Return the passive score of a skill: 10 plus the check bonus."""
        return 10 + self.check_bonus(skill)

    @property
    def spell_dc(self) -> int:
        """Return the save DC of the creature's spells."""
        return 8 + self.spell_attack

    @property
    def spell_attack(self) -> int:
        """Return the spell attack bonus."""
        own = self.mod(self.casting) if self.casting else 0
        return self.proficiency + own + self.bonuses.get("spell", 0)

    @property
    def alive(self) -> bool:
        """Whether the creature is not dead; unconscious counts as alive."""
        return not self.dead

    @property
    def conscious(self) -> bool:
        """Whether the creature is alive and awake."""
        return not self.dead and self.hp > 0 and not self.has("unconscious")

    @property
    def present(self) -> bool:
        """Whether the creature is alive and has not left the fight."""
        return not self.dead and not self.gone

    @property
    def dying(self) -> bool:
        """Whether the creature is at 0 hit points, neither dead nor stable."""
        return self.hp == 0 and not self.dead and not self.stable

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Return the creature's conditions, without duplicates, sorted by name."""
        return tuple(sorted({one for effect in self.effects for one in effect.conditions}))

    @property
    def exhaustion(self) -> int:
        """Return the exhaustion level, 0 to 6."""
        return next((one.level for one in self.effects if one.key == "exhaustion"), 0)

    def has(self, *conditions: Condition) -> bool:
        """Whether the creature has any of these conditions."""
        return any(one in conditions for effect in self.effects for one in effect.conditions)

    def under(self, key: str, source: str = "") -> Effect | None:
        """Return an effect by key, and by source if one is given."""
        return next(
            (one for one in self.effects if one.key == key and source in ("", one.source)), None
        )

    def attack(self, key: str) -> Attack | None:
        """Return an attack by key."""
        return next((one for one in self.attacks if one.key == key), None)

    def power(self, key: str) -> Power | None:
        """Return a special action by key."""
        return next((one for one in self.powers if one.key == key), None)

    def feature(self, key: str) -> Feature | None:
        """Return a feature by key."""
        return next((one for one in self.features if one.key == key), None)

    def has_feature(self, key: str) -> bool:
        """Whether the creature has this feature."""
        return any(one.key == key for one in self.features)

    def count(self, item: str) -> int:
        """Return how many of an item the creature carries."""
        return sum(one.count for one in self.inventory if one.item == item)
