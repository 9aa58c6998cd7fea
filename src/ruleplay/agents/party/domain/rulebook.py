"""The data of the rules: the subset of the SRD 5.1 that is in the YAML files.

Every name is given in English and French. Keys are lower-case words with hyphens.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from ruleplay.agents.party.domain.creature import Attack, Damage, Formula, Inflicts, Power
from ruleplay.agents.party.domain.terms import (
    Ability,
    Archetype,
    ClassKey,
    Condition,
    CreatureType,
    Size,
    Skill,
)
from ruleplay.story.texts import Frozen, Phrasing, Text, expect

Small = Annotated[int, Field(ge=0, le=30)]
School = Literal[
    "abjuration", "conjuration", "divination", "enchantment", "evocation", "illusion",
    "necromancy", "transmutation",
]  # fmt: skip


class Term(Frozen):
    """A term of the rules: its name, what it means in a sentence, words by which it is meant.

    `asked` is a question that it answers, in English; one is like it in any words or language.
    """

    name: Text
    text: Text
    words: Phrasing = Phrasing()
    asked: str = ""


class Race(Frozen):
    """A people or a lineage of one: what it adds, and its traits."""

    name: Text
    text: Text
    abilities: dict[Ability, Annotated[int, Field(ge=1, le=2)]]
    choose: Annotated[int, Field(ge=0, le=2)] = 0
    size: Literal["small", "medium"] = "medium"
    speed: int = 30
    darkvision: int = 0
    traits: tuple[str, ...] = ()
    skills: tuple[Skill, ...] = ()
    choose_skills: Small = 0
    weapons: tuple[str, ...] = ()
    resist: tuple[str, ...] = ()
    cantrips: tuple[str, ...] = ()
    hp_a_level: Small = 0
    words: Phrasing = Phrasing()


class LevelRow(Frozen):
    """What a class has at one level; features come on top of those of the levels before."""

    features: tuple[str, ...] = ()
    slots: tuple[int, ...] = ()
    cantrips: Small = 0
    known: Small = 0


class CharacterClass(Frozen):
    """A class at levels 1 to 5. `known` 0 in its rows: spells are prepared, level and modifier."""

    name: Text
    text: Text
    hit_die: Literal[6, 8, 10, 12]
    primary: tuple[Ability, ...]
    saves: tuple[Ability, Ability]
    armour: tuple[Literal["light", "medium", "heavy", "shield"], ...] = ()
    weapons: tuple[str, ...]
    skills: tuple[Skill, ...]
    choose: Small
    casting: Ability | Literal[""] = ""
    pact: bool = False
    half: bool = False
    cantrips: tuple[str, ...] = ()
    kit: tuple[str, ...]
    levels: tuple[LevelRow, LevelRow, LevelRow, LevelRow, LevelRow]
    words: Phrasing = Phrasing()


class FeatureRule(Frozen):
    """A feature of a class or trait of a people or monster; `uses` is how often, by `per`."""

    name: Text
    text: Text
    uses: Literal["", "once", "twice", "pool", "ability", "level", "rage"] = ""
    per: Literal["", "short", "long"] = ""
    cost: Literal["", "action", "bonus", "reaction", "free"] = ""
    words: Phrasing = Phrasing()


class Item(Frozen):
    """A thing: weapon, armour, shield, potion, ammunition or gear; prices in copper pieces."""

    name: Text
    kind: Literal[
        "weapon", "armour", "shield", "ammunition", "potion", "gear", "tool", "treasure", "service"
    ]  # fmt: skip
    category: Literal["", "simple", "martial", "light", "medium", "heavy"] = ""
    damage: Damage | None = None
    versatile: Formula | Literal[""] = ""
    reach: Small = 0
    range: int = 0
    long: int = 0
    properties: tuple[str, ...] = ()
    uses: str = ""
    ac: Small = 0
    strength: Small = 0
    noisy: bool = False
    heals: Formula | Literal[""] = ""
    inflicts: Inflicts | None = None
    magic: Annotated[int, Field(ge=0, le=3)] = 0
    price: Annotated[int, Field(ge=0)] = 0
    weight: Annotated[float, Field(ge=0)] = 0
    gender: Literal["m", "f", "mp", "fp"] = "m"
    words: Phrasing = Phrasing()

    @property
    def is_weapon(self) -> bool:
        """Whether the item can be used to strike."""
        return self.kind == "weapon"


class Spell(Frozen):
    """A spell as far as numbers go.

    `how`: an attack roll (`melee`, `ranged`), a `save`, or neither (`auto`). Targets are up to
    `targets` creatures within `range` feet (0: the caster alone, 5: touch) and within `radius` of
    each other where one is given; `from_self` areas begin at the caster. `upcast` and `heal_upcast`
    are dice a slot level more, `more_targets` creatures; `scales` says that a cantrip gains dice at
    level 5. `rays` are separate attack rolls. `rounds` of duration (10 a minute). `pool` counts hit
    points in order, lowest first, as sleep does. While a spell with `sustain` lasts, doing it again
    costs that and no slot.
    """

    name: Text
    text: Text
    level: Annotated[int, Field(ge=0, le=9)]
    school: School
    classes: tuple[ClassKey, ...]
    cost: Literal["action", "bonus", "reaction", "long"] = "action"
    range: int = 0
    radius: int = 0
    from_self: bool = False
    targets: Annotated[int, Field(ge=1)] = 1
    friendly: bool = False
    how: Literal["melee", "ranged", "save", "auto"] = "auto"
    save: Ability | Literal[""] = ""
    half: bool = False
    damage: tuple[Damage, ...] = ()
    damage_ability: bool = False
    upcast: Formula | Literal[""] = ""
    rays: Small = 1
    more_rays: Small = 0
    scales: bool = False
    heal: Formula | Literal[""] = ""
    heal_upcast: Formula | Literal[""] = ""
    heal_ability: bool = False
    temp: Formula | Literal[""] = ""
    temp_upcast: Small = 0
    pool: Formula | Literal[""] = ""
    more_targets: Small = 0
    concentration: bool = False
    ritual: bool = False
    rounds: Annotated[int, Field(ge=0)] = 0
    inflicts: Inflicts | None = None
    ends: tuple[str, ...] = ()
    push: Small = 0
    not_types: tuple[CreatureType, ...] = ()
    only_types: tuple[CreatureType, ...] = ()
    sustain: Literal["", "action", "bonus"] = ""
    special: str = ""
    words: Phrasing = Phrasing()

    @model_validator(mode="after")
    def _hold_together(self) -> Self:
        if (self.how == "save") != bool(self.save):
            raise ValueError("`how: save` and an ability `save` belong together")
        if self.scales and self.level:
            raise ValueError("only a cantrip scales with the caster's level")
        return self


class Monster(Frozen):
    """A kind of monster; numbers as its stat block has them, arithmetic checked by the tests."""

    name: Text
    text: Text
    type: CreatureType
    tags: tuple[str, ...] = ()
    size: Size = "medium"
    cr: Annotated[float, Field(ge=0, le=30)]
    archetype: Archetype
    ac: Annotated[int, Field(ge=5, le=30)]
    hp: Annotated[int, Field(ge=1)]
    hit_dice: Formula
    speed: int = 30
    fly: int = 0
    darkvision: int = 0
    blindsight: int = 0
    abilities: tuple[int, int, int, int, int, int]
    saves: tuple[Ability, ...] = ()
    skills: dict[Skill, Annotated[int, Field(ge=1, le=2)]] = Field(default_factory=dict)
    bonuses: dict[str, int] = Field(default_factory=dict)
    resist: tuple[str, ...] = ()
    vulnerable: tuple[str, ...] = ()
    immune: tuple[str, ...] = ()
    condition_immune: tuple[Condition, ...] = ()
    traits: tuple[str, ...] = ()
    attacks: tuple[Attack, ...] = ()
    multiattack: tuple[tuple[str, ...], ...] = ()
    powers: tuple[Power, ...] = ()
    casting: Ability | Literal[""] = ""
    caster_level: Small = 0
    spells: tuple[str, ...] = ()
    slots: tuple[int, ...] = ()
    words: Phrasing = Phrasing()
    exceptions: dict[str, str] = Field(default_factory=dict)


class Rulebook(Frozen):
    """All of it; every key that one entry names is an entry of another.

    `pocket_money` is what each character brings to the party's purse, in copper pieces.
    """

    conditions: dict[Condition, Term]
    terms: dict[str, Term] = Field(default_factory=dict)
    glossary: dict[str, Term] = Field(default_factory=dict)
    races: dict[str, Race]
    classes: dict[ClassKey, CharacterClass]
    features: dict[str, FeatureRule]
    items: dict[str, Item]
    spells: dict[str, Spell]
    monsters: dict[str, Monster]
    pocket_money: Annotated[int, Field(ge=0, le=100_000)] = 0

    @cached_property
    def item_names(self) -> tuple[str, ...]:
        """The English names of all items, sorted."""
        return tuple(sorted({one.name.en for one in self.items.values()}))

    @model_validator(mode="after")
    def _know_what_is_named(self) -> Self:
        for key, race in self.races.items():
            expect(race.traits, self.features, f"race {key!r}: trait")
            expect(race.cantrips, self.spells, f"race {key!r}: cantrip")
        for klass, one in self.classes.items():
            expect(one.kit, self.items, f"class {klass!r}: item")
            for row in one.levels:
                expect(row.features, self.features, f"class {klass!r}: feature")
        for key, monster in self.monsters.items():
            expect(monster.traits, self.features, f"monster {key!r}: trait")
            expect(monster.spells, self.spells, f"monster {key!r}: spell")
            known = {one.key for one in monster.attacks}
            named = [*sum(monster.multiattack, ()), *sum((p.attacks for p in monster.powers), ())]
            expect((one for one in named if one != "*"), known, f"monster {key!r}: attack")
        for key, item in self.items.items():
            expect((item.uses,) if item.uses else (), self.items, f"item {key!r}: ammunition")
        return self
