"""The rules' words in both languages: conditions, abilities, skills, damage, how somebody looks."""

from __future__ import annotations

from typing import Final, Literal

from ruleplay.agents.party.domain.creature import Creature
from ruleplay.story.texts import Text

Health = Literal["unhurt", "hurt", "bloodied", "dying", "stable", "dead"]
SEATS: Final = {
    "dm": Text(en="DM", fr="MJ"),
    "table": Text(en="Table", fr="Table"),
}
CONDITIONS: Final = {
    "blinded": Text(en="blinded", fr="aveuglé"),
    "charmed": Text(en="charmed", fr="charmé"),
    "deafened": Text(en="deafened", fr="assourdi"),
    "exhaustion": Text(en="exhausted", fr="épuisé"),
    "frightened": Text(en="frightened", fr="effrayé"),
    "grappled": Text(en="grappled", fr="agrippé"),
    "incapacitated": Text(en="incapacitated", fr="neutralisé"),
    "invisible": Text(en="invisible", fr="invisible"),
    "paralyzed": Text(en="paralyzed", fr="paralysé"),
    "petrified": Text(en="petrified", fr="pétrifié"),
    "poisoned": Text(en="poisoned", fr="empoisonné"),
    "prone": Text(en="prone", fr="à terre"),
    "restrained": Text(en="restrained", fr="entravé"),
    "stunned": Text(en="stunned", fr="étourdi"),
    "unconscious": Text(en="unconscious", fr="inconscient"),
}
ABILITIES: Final = {
    "str": Text(en="Strength", fr="Force"),
    "dex": Text(en="Dexterity", fr="Dextérité"),
    "con": Text(en="Constitution", fr="Constitution"),
    "int": Text(en="Intelligence", fr="Intelligence"),
    "wis": Text(en="Wisdom", fr="Sagesse"),
    "cha": Text(en="Charisma", fr="Charisme"),
}
SKILLS: Final = {
    "acrobatics": Text(en="Acrobatics", fr="Acrobaties"),
    "animal-handling": Text(en="Animal Handling", fr="Dressage"),
    "arcana": Text(en="Arcana", fr="Arcanes"),
    "athletics": Text(en="Athletics", fr="Athlétisme"),
    "deception": Text(en="Deception", fr="Tromperie"),
    "history": Text(en="History", fr="Histoire"),
    "insight": Text(en="Insight", fr="Intuition"),
    "intimidation": Text(en="Intimidation", fr="Intimidation"),
    "investigation": Text(en="Investigation", fr="Investigation"),
    "medicine": Text(en="Medicine", fr="Médecine"),
    "nature": Text(en="Nature", fr="Nature"),
    "perception": Text(en="Perception", fr="Perception"),
    "performance": Text(en="Performance", fr="Représentation"),
    "persuasion": Text(en="Persuasion", fr="Persuasion"),
    "religion": Text(en="Religion", fr="Religion"),
    "sleight-of-hand": Text(en="Sleight of Hand", fr="Escamotage"),
    "stealth": Text(en="Stealth", fr="Discrétion"),
    "survival": Text(en="Survival", fr="Survie"),
}
DAMAGE: Final = {
    "acid": Text(en="acid", fr="d'acide"),
    "bludgeoning": Text(en="bludgeoning", fr="contondants"),
    "cold": Text(en="cold", fr="de froid"),
    "fire": Text(en="fire", fr="de feu"),
    "force": Text(en="force", fr="de force"),
    "lightning": Text(en="lightning", fr="de foudre"),
    "necrotic": Text(en="necrotic", fr="nécrotiques"),
    "piercing": Text(en="piercing", fr="perforants"),
    "poison": Text(en="poison", fr="de poison"),
    "psychic": Text(en="psychic", fr="psychiques"),
    "radiant": Text(en="radiant", fr="radiants"),
    "slashing": Text(en="slashing", fr="tranchants"),
    "thunder": Text(en="thunder", fr="de tonnerre"),
}
HEALTH: Final[dict[Health, Text]] = {
    "unhurt": Text(en="unhurt", fr="indemne"),
    "hurt": Text(en="hurt", fr="quelques plaies"),
    "bloodied": Text(en="badly hurt", fr="mal en point"),
    "dying": Text(en="dying", fr="à l'agonie"),
    "stable": Text(en="down, but stable", fr="à terre, mais stable"),
    "dead": Text(en="dead", fr="sans vie"),
}


def condition_name(key: str) -> Text:
    """Return what a condition is called."""
    return CONDITIONS.get(key) or Text(en=key, fr=key)


def health(one: Creature) -> Health:
    """Return how somebody looks to those who cannot count their hit points."""
    if one.dead:
        return "dead"
    if one.hp == 0:
        return "stable" if one.stable else "dying"
    if one.hp >= one.max_hp:
        return "unhurt"
    return "bloodied" if one.hp * 2 <= one.max_hp else "hurt"
