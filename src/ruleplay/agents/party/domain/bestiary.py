"""Creates creatures from monster stat blocks."""

from __future__ import annotations

from collections.abc import Iterator

from ruleplay.agents.party.domain.creature import Creature, Feature
from ruleplay.agents.party.domain.dice import terms
from ruleplay.agents.party.domain.rulebook import Monster, Rulebook
from ruleplay.agents.party.domain.terms import ABILITIES, proficiency_of_cr
from ruleplay.story.texts import Text

USABLE = {"reckless": "reckless-attack", "cunning-action": "cunning-action"}
"""Monster traits that are used like a class feature."""


def enlist(
    book: Rulebook, kind: str, ident: str, name: Text | None = None, hp: int | None = None
) -> Creature:
    """Create a monster with average hit points unless `hp` is given (raises KeyError)."""
    return as_creature(book.monsters[kind], kind, ident, name, hp=hp)


def as_creature(
    monster: Monster,
    kind: str,
    ident: str,
    name: Text | None = None,
    side: str = "foes",
    hp: int | None = None,
) -> Creature:
    """Create a creature from a stat block."""
    top = max(1, hp if hp is not None else monster.hp)
    die = next((term for term in terms(monster.hit_dice) if term.count), None)
    bonuses = dict(monster.bonuses)
    if monster.caster_level:
        bonuses["caster-level"] = monster.caster_level
    return Creature(
        id=ident,
        name=name or monster.name,
        kind=kind,
        side=side,
        type=monster.type,
        tags=monster.tags,
        size=monster.size,
        cr=monster.cr,
        proficiency=proficiency_of_cr(monster.cr),
        archetype=monster.archetype,
        abilities=dict(zip(ABILITIES, monster.abilities, strict=True)),
        saves=monster.saves,
        skills=dict(monster.skills),
        bonuses=bonuses,
        ac=monster.ac,
        hp=top,
        max_hp=top,
        hit_die=die.sides if die else 8,
        hit_dice=die.count if die else 1,
        speed=monster.speed,
        fly=monster.fly,
        darkvision=monster.darkvision,
        resist=monster.resist,
        vulnerable=monster.vulnerable,
        immune=monster.immune,
        condition_immune=monster.condition_immune,
        traits=monster.traits,
        attacks=monster.attacks,
        multiattack=monster.multiattack,
        powers=monster.powers,
        features=(
            *_tallies(monster),
            *(Feature(key=USABLE[trait]) for trait in monster.traits if trait in USABLE),
        ),
        spells=monster.spells,
        casting=monster.casting,
        slots=monster.slots,
        max_slots=monster.slots,
        mortal=True,
    )


def _tallies(monster: Monster) -> Iterator[Feature]:
    """Yield what a monster can do a few times only, or again once a die says so."""
    for power in monster.powers:
        if power.uses or power.recharge:
            uses = max(1, power.uses)
            per = "recharge" if power.recharge else "long"
            yield Feature(key=power.key, left=uses, most=uses, per=per)
