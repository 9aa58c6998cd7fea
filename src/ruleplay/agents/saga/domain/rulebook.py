"""Contents of the rules: peoples, skills, equipment and bestiary, as the YAML files have them."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from ruleplay.story.morale import Nature
from ruleplay.story.texts import Frozen, Lang, Phrasing, Text, expect, fold

Stat = Literal["strength", "agility", "constitution", "intelligence", "wisdom", "charisma"]
STATS: tuple[Stat, ...] = (
    "strength",
    "agility",
    "constitution",
    "intelligence",
    "wisdom",
    "charisma",
)
StatusKind = Literal[
    "poisoned",
    "bleeding",
    "burning",
    "stunned",
    "frightened",
    "blessed",
    "guarding",
    "defending",
    "aiming",
    "shaken",
    "prone",
    "blinded",
    "restrained",
    "distracted",
    "slowed",
    "grappled",
    "deafened",
    "hidden",
]
Archetype = Literal["aggressive", "brute", "archer", "coward", "leader", "beast", "guardian"]
Small = Annotated[int, Field(ge=0, le=100)]
Amount = Annotated[int, Field(ge=0, le=10_000)]


class Characteristic(Frozen):
    """One of the six characteristics."""

    name: Text


class PointBuy(Frozen):
    """How characteristics are bought: from `lowest` up, each step at a price, within a budget."""

    budget: Small
    lowest: Small
    highest: Small
    dear_from: Small
    skill_ranks: Small
    ranks_at_most: Small


class Skill(Frozen):
    """A skill: the characteristic it rests on, and the words by which it is meant."""

    name: Text
    stat: Stat
    words: Phrasing = Phrasing()


class Race(Frozen):
    """A people: what it adds to characteristics, and the cultures it has."""

    name: Text
    bonuses: dict[Stat, Annotated[int, Field(ge=-4, le=4)]]
    cultures: tuple[str, ...]


class Culture(Frozen):
    """Where somebody grew up: skills learned there, and what one sets out with."""

    name: Text
    skills: dict[str, Annotated[int, Field(ge=1, le=3)]]
    kit: dict[str, Annotated[int, Field(ge=1, le=50)]]
    coin: Amount = 0


class Inflicted(Frozen):
    """A status that something brings: for how many of the bearer's turns, how strong."""

    kind: StatusKind
    rounds: Annotated[int, Field(ge=1, le=20)]
    power: Small = 0


class Item(Frozen):
    """A thing. `damage` makes a weapon, `absorbs` armour, `heals` or `cures` a remedy.

    A service (a bed, a supper) is paid for and had at once: nobody carries it. `verbs` are what one
    does with this weapon and with no other.
    """

    name: Text
    kind: Literal[
        "weapon", "armour", "remedy", "ammunition", "tool", "treasure", "natural", "service"
    ]
    damage: Small = 0
    absorbs: Small = 0
    ranged: bool = False
    uses: str = ""
    heals: Small = 0
    cures: tuple[StatusKind, ...] = ()
    grants: Inflicted | None = None
    inflicts: Inflicted | None = None
    price: Amount = 0
    gender: Literal["m", "f", "mp", "fp"] = "m"
    words: Phrasing = Phrasing()
    verbs: Phrasing = Phrasing()

    def the(self, lang: Lang) -> str:
        """Return the name with its definite article, elided in French: "l'arc"."""
        name = self.name.of(lang)
        if lang == "en":
            return f"the {name}"
        if self.gender in ("mp", "fp"):
            return f"les {name}"
        elided = fold(name)[:1] in "aeiouy"
        return f"l'{name}" if elided else f"{'la' if self.gender == 'f' else 'le'} {name}"

    def one(self, lang: Lang) -> str:
        """Return the name with its indefinite article; English plurals have none."""
        name = self.name.of(lang)
        if lang == "fr":
            plural = self.gender in ("mp", "fp")
            return f"{'des' if plural else 'une' if self.gender == 'f' else 'un'} {name}"
        if name.endswith("s"):
            return name
        return f"{'an' if fold(name)[:1] in 'aeiou' else 'a'} {name}"


class Beast(Frozen):
    """A kind of adversary or ally, as it enters a fight."""

    name: Text
    hp: Annotated[int, Field(ge=1, le=500)]
    stats: dict[Stat, Small]
    weapon: str
    armour: str = ""
    archetype: Archetype
    nature: Nature | Literal[""] = ""
    far: bool = False
    xp: Amount = 0
    coin: Amount = 0
    loot: tuple[str, ...] = ()
    words: Phrasing = Phrasing()


class Rulebook(Frozen):
    """All of it; every key that one entry names is an entry of another."""

    characteristics: dict[Stat, Characteristic]
    point_buy: PointBuy
    skills: dict[str, Skill]
    races: dict[str, Race]
    cultures: dict[str, Culture]
    items: dict[str, Item]
    bestiary: dict[str, Beast]

    @model_validator(mode="after")
    def _know_what_is_named(self) -> Self:
        for key, race in self.races.items():
            expect(race.cultures, self.cultures, f"race {key}: culture")
        for key, culture in self.cultures.items():
            expect(culture.skills, self.skills, f"culture {key}: skill")
            expect(culture.kit, self.items, f"culture {key}: item")
        for key, beast in self.bestiary.items():
            armour = (beast.armour,) if beast.armour else ()
            expect((beast.weapon, *armour, *beast.loot), self.items, f"beast {key}: item")
        for key, item in self.items.items():
            expect((item.uses,) if item.uses else (), self.items, f"item {key}: ammunition")
        return self
