"""The words of the rules that data and code share, and the tables that hang on them (SRD 5.1)."""

from __future__ import annotations

from typing import Final, Literal, get_args

Ability = Literal["str", "dex", "con", "int", "wis", "cha"]
Skill = Literal[
    "acrobatics", "animal-handling", "arcana", "athletics", "deception", "history", "insight",
    "intimidation", "investigation", "medicine", "nature", "perception", "performance",
    "persuasion", "religion", "sleight-of-hand", "stealth", "survival",
]  # fmt: skip
DamageType = Literal[
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison",
    "psychic", "radiant", "slashing", "thunder",
]  # fmt: skip
Condition = Literal[
    "blinded", "charmed", "deafened", "exhaustion", "frightened", "grappled", "incapacitated",
    "invisible", "paralyzed", "petrified", "poisoned", "prone", "restrained", "stunned",
    "unconscious",
]  # fmt: skip
Size = Literal["tiny", "small", "medium", "large", "huge", "gargantuan"]
CreatureType = Literal[
    "aberration", "beast", "celestial", "construct", "dragon", "elemental", "fey", "fiend",
    "giant", "humanoid", "monstrosity", "ooze", "plant", "undead",
]  # fmt: skip
ClassKey = Literal[
    "barbarian", "bard", "cleric", "druid", "fighter", "monk", "paladin", "ranger", "rogue",
    "sorcerer", "warlock", "wizard",
]  # fmt: skip
Archetype = Literal[
    "brute", "soldier", "skirmisher", "archer", "caster", "beast", "lurker", "coward"
]
"""How a creature fights when its tactics are left to code."""

ABILITIES: Final[tuple[Ability, ...]] = get_args(Ability)
SKILLS: Final[tuple[Skill, ...]] = get_args(Skill)
DAMAGE_TYPES: Final[tuple[DamageType, ...]] = get_args(DamageType)
CONDITIONS: Final[tuple[Condition, ...]] = get_args(Condition)
SIZES: Final[tuple[Size, ...]] = get_args(Size)
CLASSES: Final[tuple[ClassKey, ...]] = get_args(ClassKey)

_SKILLS_OF: Final[dict[Ability, tuple[Skill, ...]]] = {
    "str": ("athletics",),
    "dex": ("acrobatics", "sleight-of-hand", "stealth"),
    "int": ("arcana", "history", "investigation", "nature", "religion"),
    "wis": ("animal-handling", "insight", "medicine", "perception", "survival"),
    "cha": ("deception", "intimidation", "performance", "persuasion"),
}
ABILITY_OF: Final[dict[Skill, Ability]] = {
    skill: ability for ability, skills in _SKILLS_OF.items() for skill in skills
}
XP_OF_CR: Final[dict[float, int]] = {
    0: 10, 0.125: 25, 0.25: 50, 0.5: 100, 1: 200, 2: 450, 3: 700, 4: 1100, 5: 1800, 6: 2300,
    7: 2900, 8: 3900, 9: 5000, 10: 5900, 11: 7200, 12: 8400, 13: 10000, 14: 11500, 15: 13000,
    16: 15000, 17: 18000, 18: 20000, 19: 22000, 20: 25000, 21: 33000, 22: 41000, 23: 50000,
    24: 62000, 25: 75000, 26: 90000, 27: 105000, 28: 120000, 29: 135000, 30: 155000,
}  # fmt: skip
"""Experience for a monster by challenge rating (a CR 0 without attacks is worth nothing)."""
LEVEL_AT: Final = (0, 300, 900, 2_700, 6_500)
"""Experience at which levels 1 to 5 begin."""
ROUNDS_A_MINUTE: Final = 10
SHORT_REST_ROUNDS, LONG_REST_ROUNDS = 600, 4_800


def modifier(score: int) -> int:
    """Return the modifier of an ability score."""
    return (score - 10) // 2


def proficiency_of_level(level: int) -> int:
    """Return the proficiency bonus of a character of a level."""
    return 2 + (max(level, 1) - 1) // 4


def proficiency_of_cr(cr: float) -> int:
    """Return the proficiency bonus of a monster of a challenge rating."""
    return 2 + max(0, int(cr) - 1) // 4


def level_for(xp: int) -> int:
    """Return the level that experience amounts to, at most 5."""
    return sum(xp >= least for least in LEVEL_AT)
