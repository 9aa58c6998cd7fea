"""Derives armour class, speed traits and attacks from a character's equipment."""

from __future__ import annotations

from collections.abc import Iterator

from ruleplay.agents.party.domain.creature import Attack, Creature, Damage, Power
from ruleplay.agents.party.domain.rulebook import Item, Rulebook
from ruleplay.agents.party.domain.terms import Ability
from ruleplay.story.texts import Text

UNARMED = "unarmed"
UNARMED_NAME = Text(en="unarmed strike", fr="coup à mains nues")
MEDIUM_DEX = 2
MARTIAL_ARTS = (4, 4, 4, 4, 6)
"""The size of a monk's martial arts die at levels 1 to 5."""
MONK_WEAPONS = ("shortsword",)
NOISY, FAST, SLOWED = "noisy-armour", "fast", "slowed-by-armour"
BREATH = "breath-weapon"


def outfitted(creature: Creature, book: Rulebook) -> Creature:
    """Return a character with armour class, attacks and traits derived from its equipment.

    Monsters keep the numbers of their stat block. Weapons in the pack are listed as attacks too,
    because drawing one is part of the attack.
    """
    if not creature.classes:
        return creature
    own = tuple(one for one in creature.traits if one not in (NOISY, FAST, SLOWED))
    return creature.model_copy(
        update={
            "ac": base_armour_class(creature, book),
            "attacks": tuple(weapon_attacks(creature, book)),
            "traits": (*own, *_worn_traits(creature, book)),
            "powers": tuple(_breath(creature)),
        }
    )


def _worn_traits(creature: Creature, book: Rulebook) -> Iterator[str]:
    """Iterate over the traits that armour, or going without it, brings."""
    worn = book.items.get(creature.armour)
    if worn and worn.noisy:
        yield NOISY
    # Heavy armour slows whoever is too weak for it, except dwarves (SRD 5.1, "Armor" and "Dwarf").
    if worn and worn.strength > creature.abilities["str"] and "dwarf" not in creature.kind:
        yield SLOWED
    heavy = worn is not None and worn.category == "heavy"
    if creature.has_feature("fast-movement") and not heavy:
        yield FAST
    bare = worn is None and not creature.shield
    if creature.has_feature("unarmored-movement") and bare:
        yield FAST


def _breath(creature: Creature) -> Iterator[Power]:
    """Yield the breath weapon of a dragonborn."""
    if creature.has_feature(BREATH):
        yield Power(
            key=BREATH,
            name=Text(en="breath of fire", fr="souffle de feu"),
            range=15,
            targets=2,
            save="dex",
            dc=8 + creature.proficiency + creature.mod("con"),
            damage=(Damage(dice="2d6", type="fire"),),
        )


def base_armour_class(creature: Creature, book: Rulebook) -> int:
    """Return the armour class from armour, shield, Dexterity and features that replace it."""
    dex = creature.mod("dex")
    worn, held = book.items.get(creature.armour), book.items.get(creature.shield)
    shield = held.ac if held else 0
    if worn is not None:
        most = {"light": dex, "medium": min(dex, MEDIUM_DEX)}.get(worn.category, 0)
        style = 1 if creature.has_feature("style-defense") else 0
        return worn.ac + worn.magic + most + shield + style
    # Alternative formulas don't add up: the best one counts (SRD 5.1, "Armor Class").
    bases = [10 + dex + shield]
    if creature.has_feature("unarmored-defense-barbarian"):
        bases.append(10 + dex + creature.mod("con") + shield)
    if creature.has_feature("unarmored-defense-monk") and not shield:
        bases.append(10 + dex + creature.mod("wis"))
    if creature.has_feature("draconic-resilience"):
        bases.append(13 + dex + shield)
    return max(bases)


def weapon_attacks(creature: Creature, book: Rulebook) -> list[Attack]:
    """Return an attack for every weapon carried, the one in hand first, unarmed last."""
    held = [creature.weapon, creature.offhand]
    packed = [one.item for one in creature.inventory]
    keys = [key for key in dict.fromkeys((*held, *packed)) if key in book.items]
    found = [
        weapon_attack(creature, key, book.items[key])
        for key in keys
        if book.items[key].is_weapon and creature.count(key)
    ]
    return [*found, unarmed(creature)]


def weapon_attack(creature: Creature, key: str, item: Item) -> Attack:
    """Return the attack with a weapon: ability, proficiency, fighting style and magic bonus."""
    ability = _ability(creature, key, item)
    trained = {key, item.category} & {*creature.proficient} or item.category == ""
    ranged = not item.reach
    bonus = creature.mod(ability) + item.magic + (creature.proficiency if trained else 0)
    if ranged and creature.has_feature("style-archery"):
        bonus += 2
    extra = creature.mod(ability) + item.magic
    alone = not creature.offhand or creature.offhand == key
    duels = creature.has_feature("style-dueling") and item.reach and alone
    if duels and "two-handed" not in item.properties:
        extra += 2
    again = "r2" if creature.has_feature("style-great-weapon") else ""
    heavy = "two-handed" in item.properties
    dice = item.damage.dice if item.damage else "1"
    if _martial(creature, key, item):
        dice = _larger(dice, f"1d{martial_die(creature)}")
    kind = item.damage.type if item.damage else "bludgeoning"
    one_handed = Damage(dice=_sum(dice + (again if heavy else ""), extra), type=kind)
    both: tuple[Damage, ...] = ()
    if item.versatile:
        # The Dueling style requires the other hand to be free of weapons, so its bonus doesn't
        # apply.
        plain = creature.mod(ability) + item.magic
        both = (Damage(dice=_sum(item.versatile + again, plain), type=kind),)
    return Attack(
        key=key,
        name=item.name,
        ability=ability,
        bonus=bonus,
        reach=item.reach,
        range=item.range,
        long=item.long,
        damage=(one_handed,),
        two_handed=both if creature.weapon == key else (),
        properties=item.properties,
        magical=item.magic > 0,
        uses=item.uses or (key if "thrown" in item.properties else ""),
    )


def unarmed(creature: Creature) -> Attack:
    """Return the unarmed attack; a monk's uses the martial arts die."""
    monk = creature.has_feature("martial-arts")
    ability: Ability = "dex" if monk and creature.mod("dex") > creature.mod("str") else "str"
    die = f"1d{martial_die(creature)}" if monk else "1"
    amount = _sum(die, creature.mod(ability))
    return Attack(
        key=UNARMED,
        name=UNARMED_NAME,
        ability=ability,
        bonus=creature.mod(ability) + creature.proficiency,
        reach=5,
        damage=(Damage(dice=amount, type="bludgeoning"),),
        properties=("unarmed",),
    )


def martial_die(creature: Creature) -> int:
    """Return the size of the monk's martial arts die."""
    return MARTIAL_ARTS[max(0, min(creature.classes.get("monk", 1), len(MARTIAL_ARTS)) - 1)]


def offhand_attack(creature: Creature, attack: Attack, item: Item) -> Attack:
    """Return an off-hand attack: no ability modifier on damage unless it is negative."""
    if creature.has_feature("style-two-weapon"):
        return attack
    own = min(0, creature.mod(attack.ability)) + item.magic
    dice = item.damage.dice if item.damage else "1"
    kind = attack.damage[0].type
    return attack.model_copy(
        update={"damage": (Damage(dice=_sum(dice, own), type=kind),), "two_handed": ()}
    )


def is_monk_weapon(key: str, item: Item) -> bool:
    """Whether a weapon counts as a monk weapon."""
    simple = item.category == "simple" and item.reach > 0
    return key in MONK_WEAPONS or (simple and not {"heavy", "two-handed"} & {*item.properties})


def _martial(creature: Creature, key: str, item: Item) -> bool:
    return creature.has_feature("martial-arts") and is_monk_weapon(key, item)


def _ability(creature: Creature, key: str, item: Item) -> Ability:
    """Return the attack ability: Dexterity for ranged weapons, the better one with finesse."""
    free = "finesse" in item.properties or _martial(creature, key, item)
    if free:
        return "dex" if creature.mod("dex") > creature.mod("str") else "str"
    return "str" if item.reach else "dex"


def _larger(one: str, other: str) -> str:
    """Return the larger of two single dice."""
    return max(one, other, key=lambda dice: int(dice.rpartition("d")[2] or 1) if "d" in dice else 1)


def _sum(dice: str, extra: int) -> str:
    """Return dice plus a bonus as a formula; constants are added up."""
    if "d" not in dice:
        return str(max(0, int(dice) + extra))
    return f"{dice}{extra:+d}" if extra else dice
