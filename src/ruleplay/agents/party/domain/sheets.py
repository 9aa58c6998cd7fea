"""A character's full sheet, as its player and the DM see it."""

from __future__ import annotations

from pydantic import JsonValue

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.creature import Attack, Creature
from ruleplay.agents.party.domain.persona import Persona
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.terms import ABILITIES, ABILITY_OF, SKILLS
from ruleplay.agents.party.domain.terms_text import ABILITIES as ABILITY_NAMES
from ruleplay.agents.party.domain.terms_text import CONDITIONS, DAMAGE, health
from ruleplay.agents.party.domain.terms_text import SKILLS as SKILL_NAMES
from ruleplay.story.texts import Lang

Sheet = dict[str, JsonValue]


def sheet_of(one: Creature, table: Table, book: Book) -> Sheet:
    """Return everything about a character, with names in the table's language."""
    lang = table.lang
    return {
        **summary(one, lang),
        "abilities": {
            key: {
                "name": ABILITY_NAMES[key].of(lang),
                "score": one.abilities[key],
                "modifier": one.mod(key),
                "save": one.save_bonus(key),
                "proficient": key in one.saves,
            }
            for key in ABILITIES
        },
        "skills": [
            {
                "key": key,
                "name": SKILL_NAMES[key].of(lang),
                "ability": ABILITY_OF[key],
                "bonus": one.check_bonus(key),
                "proficient": bool(one.skills.get(key)),
            }
            for key in SKILLS
        ],
        "passive_perception": one.passive("perception"),
        "speed": one.speed,
        "proficiency": one.proficiency,
        "attacks": [_attack(attack, lang) for attack in one.attacks],
        **_magic(one, book, lang),
        **_kept(one, book, lang),
        "hit_dice": {"left": one.hit_dice, "die": one.hit_die},
        "death_saves": {"passed": one.passed, "failed": one.failed},
        "xp": one.xp,
        "persona": _persona(table.personas.get(one.id, Persona()), lang),
    }


def _magic(one: Creature, book: Book, lang: Lang) -> Sheet:
    """Return which spells a creature can cast, and its spell slots."""
    levels = {key: spell.level for key, spell in book.rules.spells.items()}
    return {
        "spell_dc": one.spell_dc if one.casting else None,
        "spells": [
            {"id": key, "name": book.effect(key).of(lang), "level": levels.get(key, 0)}
            for key in one.spells
        ],
        "slots": [
            {"level": at + 1, "left": left, "max": most}
            for at, (left, most) in enumerate(zip(one.slots, one.max_slots, strict=False))
            if most
        ],
    }


def _kept(one: Creature, book: Book, lang: Lang) -> Sheet:
    """Return the inventory and the features of a creature."""
    worn = (one.weapon, one.offhand, one.armour, one.shield)
    return {
        "inventory": [
            {
                "id": held.item,
                "name": book.item(held.item).of(lang),
                "count": held.count,
                "in_use": held.item in worn,
            }
            for held in one.inventory
        ],
        "features": [
            {
                "id": each.key,
                "name": book.effect(each.key).of(lang),
                "left": each.left,
                "max": each.most,
                "per": each.per,
            }
            for each in one.features
        ],
    }


def summary(one: Creature, lang: Lang) -> Sheet:
    """Return what the whole party may see of one of its characters."""
    return {
        "id": one.id,
        "seat": one.id,
        "name": one.name.of(lang),
        "race": one.kind,
        "class": ", ".join(one.classes),
        "level": one.level,
        "ac": one.ac,
        "hp": one.hp,
        "max_hp": one.max_hp,
        "temp": one.temp,
        "health": health(one),
        "conditions": [{"key": key, "name": CONDITIONS[key].of(lang)} for key in one.conditions],
        "concentration": one.concentration or None,
    }


def _attack(attack: Attack, lang: Lang) -> Sheet:
    damage = " + ".join(f"{d.dice} {DAMAGE[d.type].of(lang)}" for d in attack.damage)
    numbers = attack.model_dump(include={"bonus", "reach", "range"})
    return {"id": attack.key, "name": attack.name.of(lang), "damage": damage, **numbers}


def _persona(persona: Persona, lang: Lang) -> Sheet:
    return {
        "personality": persona.personality.of(lang),
        "voice": persona.voice.of(lang),
        "goals": [goal.of(lang) for goal in persona.goals],
        "bonds": [bond.of(lang) for bond in persona.bonds],
    }
