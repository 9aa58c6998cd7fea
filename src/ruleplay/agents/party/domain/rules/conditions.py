"""How conditions and effects change a creature's numbers and options.

Source: SRD 5.1, appendix "Conditions", and the traits of races and monsters.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Attack, Boon, Creature
from ruleplay.agents.party.domain.fight import REACH
from ruleplay.agents.party.domain.terms import ABILITY_OF, Ability, Condition

IMPLIED: dict[Condition, tuple[Condition, ...]] = {
    "paralyzed": ("incapacitated",),
    "petrified": ("incapacitated",),
    "stunned": ("incapacitated",),
    "unconscious": ("incapacitated", "prone"),
}
"""Conditions that include other conditions."""
HELPLESS: tuple[Condition, ...] = ("paralyzed", "petrified", "stunned", "unconscious")
"""A creature with one of these fails Strength and Dexterity saves and is easier to hit."""
HIDDEN = ("hidden", "invisibility")
"""Effects that end when the creature attacks or casts a spell."""


def with_implied(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Return the conditions together with those they include."""
    return tuple(dict.fromkeys(each for one in conditions for each in (one, *IMPLIED.get(one, ()))))


def boons(creature: Creature) -> Iterator[Boon]:
    """Iterate over the modifiers of all effects on a creature."""
    return (effect.boon for effect in creature.effects if effect.boon is not None)


def can_act(creature: Creature) -> bool:
    """Whether a creature can take actions."""
    if not creature.present or creature.hp == 0 or creature.has("incapacitated"):
        return False
    return not any(boon.no_actions for boon in boons(creature))


def can_react(cast: Cast, creature: Creature) -> bool:
    """Whether a creature has its reaction left and is able to use it."""
    fight = cast.fight
    if fight is None or not can_act(creature) or creature.id in fight.reacted:
        return False
    if creature.id in fight.surprised or creature.id not in fight.order:
        return False
    return not any(boon.no_reactions for boon in boons(creature))


def cost_of_a_foot(creature: Creature) -> int:
    """Return the movement that one foot costs: 2 when prone (crawling, SRD 5.1), else 1."""
    return 2 if creature.has("prone") else 1


def pace(creature: Creature) -> int:
    """Return the current speed in feet."""
    if creature.has("grappled", "restrained", *HELPLESS) or creature.exhaustion >= 5:
        return 0
    speed = max(creature.speed, creature.fly) + sum(boon.speed for boon in boons(creature))
    speed += 10 * (("fast" in creature.traits) - ("slowed-by-armour" in creature.traits))
    paces = {boon.pace for boon in boons(creature)}
    if "none" in paces:
        return 0
    # The SRD halves a speed after all additions, so the order of these steps matters.
    speed *= 2 if "double" in paces else 1
    if "half" in paces or creature.exhaustion >= 2:
        speed //= 2
    return max(0, speed)


def armour_class(creature: Creature) -> int:
    """Return the current armour class."""
    given = list(boons(creature))
    own = creature.ac
    if not creature.armour:
        shield = 2 if creature.shield else 0
        bases = (one.base_ac + creature.mod("dex") + shield for one in given if one.base_ac)
        own = max([own, *bases])
    # A floor (such as Barkskin's 16) replaces a lower armour class before bonuses are added.
    own = max([own, *(one.least_ac for one in given)])
    return own + sum(one.ac for one in given)


def fears(cast: Cast, creature: Creature) -> bool:
    """Whether a creature is frightened and the cause is still present."""
    for effect in creature.effects:
        if "frightened" in effect.conditions:
            cause = cast.get(effect.source)
            if cause is None or cause.present:
                return True
    return False


def attack_edges(
    cast: Cast, attacker: Creature, target: Creature, attack: Attack, distance: int
) -> tuple[list[str], list[str]]:
    """Return the reasons for advantage and for disadvantage on an attack roll."""
    ranged = distance > attack.reach
    gains = [*_gains(attacker, target, distance)]
    if "pack-tactics" in attacker.traits and flanked(cast, attacker, target):
        gains.append("pack-tactics")
    losses = [*_losses(attacker, target, distance)]
    if fears(cast, attacker):
        losses.append("frightened")
    if ranged and attack.range and distance > attack.range:
        losses.append("long-range")
    if ranged and cast.fight is not None and threatened(cast, attacker):
        losses.append("foe-at-hand")
    # Small creatures have disadvantage with heavy weapons (SRD 5.1, "Weapon Properties").
    if "heavy" in attack.properties and attacker.size in ("small", "tiny"):
        losses.append("heavy")
    return gains, losses


def _gains(attacker: Creature, target: Creature, distance: int) -> Iterator[str]:
    if target.has("blinded", "restrained", *HELPLESS):
        yield "exposed"
    if target.has("prone") and distance <= REACH:
        yield "prone"
    if unseen(attacker):
        yield "unseen"
    if any(boon.adv_attack and boon.mark in ("", target.id) for boon in boons(attacker)):
        yield "aided"
    if any(boon.adv_against for boon in boons(target)):
        yield "marked"
    if "blood-frenzy" in attacker.traits and target.hp < target.max_hp:
        yield "blood-frenzy"


def _losses(attacker: Creature, target: Creature, distance: int) -> Iterator[str]:
    if attacker.has("blinded", "poisoned", "prone", "restrained"):
        yield "hampered"
    if attacker.exhaustion >= 3:
        yield "exhaustion"
    if target.has("prone") and distance > REACH:
        yield "prone"
    if unseen(target):
        yield "unseen"
    if any(boon.dis_attack and boon.mark in ("", target.id) for boon in boons(attacker)):
        yield "hindered"
    if any(boon.dis_against for boon in boons(target)) and not target.has("incapacitated"):
        yield "guarded"


def unseen(creature: Creature) -> bool:
    """Whether a creature is hidden or invisible."""
    return creature.has("invisible") or any(one.key == "hidden" for one in creature.effects)


def flanked(cast: Cast, attacker: Creature, target: Creature) -> bool:
    """Whether an ally of the attacker who can act is within 5 feet of the target."""
    return any(
        can_act(one) and abs(one.position - target.position) <= REACH
        for one in cast.friends_of(attacker.id)
    )


def threatened(cast: Cast, creature: Creature) -> bool:
    """Whether a foe who can act is within 5 feet, which hampers ranged attacks."""
    return any(
        can_act(one) and abs(one.position - creature.position) <= REACH
        for one in cast.foes_of(creature.id)
    )


def fails_outright(creature: Creature, ability: Ability) -> bool:
    """Whether a condition makes a saving throw fail regardless of the roll."""
    return ability in ("str", "dex") and creature.has(*HELPLESS)


def save_edges(
    creature: Creature, ability: Ability, *, magical: bool, against: tuple[str, ...]
) -> tuple[list[str], list[str]]:
    """Return the reasons for advantage and for disadvantage on a saving throw.

    `against` names the conditions and damage types that the save would prevent.
    """
    gains = [*_save_gains(creature, ability, magical, against)]
    losses: list[str] = []
    if ability == "dex" and creature.has("restrained"):
        losses.append("restrained")
    if creature.exhaustion >= 3:
        losses.append("exhaustion")
    if any(ability in boon.dis_saves for boon in boons(creature)):
        losses.append("hindered")
    return gains, losses


def _save_gains(
    creature: Creature, ability: Ability, magical: bool, against: tuple[str, ...]
) -> Iterator[str]:
    if any(ability in boon.adv_saves for boon in boons(creature)):
        yield "aided"
    if magical and "magic-resistance" in creature.traits:
        yield "magic-resistance"
    if magical and ability in ("int", "wis", "cha") and "gnome-cunning" in creature.traits:
        yield "gnome-cunning"
    if "frightened" in against and {"brave", "halfling-brave"} & {*creature.traits}:
        yield "brave"
    if {"charmed", "frightened"} & {*against} and "dark-devotion" in creature.traits:
        yield "dark-devotion"
    if "charmed" in against and "fey-ancestry" in creature.traits:
        yield "fey-ancestry"
    if {"poison", "poisoned"} & {*against} and "dwarven-resilience" in creature.traits:
        yield "dwarven-resilience"
    wary = ability == "dex" and creature.has_feature("danger-sense")
    if wary and not creature.has("blinded", "deafened", "incapacitated"):
        yield "danger-sense"


def check_edges(cast: Cast, creature: Creature, what: str) -> tuple[list[str], list[str]]:
    """Return the reasons for advantage and for disadvantage on an ability check."""
    ability = ABILITY_OF.get(what, what)  # type: ignore[call-overload]
    gains = ["aided"] if any(ability in boon.adv_checks for boon in boons(creature)) else []
    if what == "perception" and "keen-senses" in creature.traits:
        gains.append("keen-senses")
    losses = ["hampered"] if creature.has("poisoned") else []
    if creature.exhaustion >= 1:
        losses.append("exhaustion")
    if what == "perception" and creature.has("blinded"):
        losses.append("blinded")
    if fears(cast, creature):
        losses.append("frightened")
    if any(ability in boon.dis_checks for boon in boons(creature)):
        losses.append("hindered")
    if what == "stealth" and "noisy-armour" in creature.traits:
        losses.append("noisy-armour")
    return gains, losses


def factor_for(creature: Creature, damage: str, *, magical: bool) -> int:
    """Return the damage factor in halves: 0 immune, 1 resistant, 2 normal, 4 vulnerable.

    Halves keep the arithmetic in integers: damage is `amount * factor // 2`, rounded down.
    """
    names = {damage}
    if not magical and damage in ("bludgeoning", "piercing", "slashing"):
        names.add("nonmagical")
    petrified = creature.has("petrified")
    if names & {*creature.immune} or (petrified and damage == "poison"):
        return 0
    lent = {kind for boon in boons(creature) for kind in boon.resist}
    resisted = bool(names & {*creature.resist, *lent}) or petrified
    vulnerable = bool(names & {*creature.vulnerable})
    # Resistance and vulnerability to the same damage cancel out.
    if resisted == vulnerable:
        return 2
    return 1 if resisted else 4
