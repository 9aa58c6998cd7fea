"""What conditions and effects do to what somebody can do (SRD 5.1, appendix "Conditions")."""

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
"""Conditions that others bring with them."""
HELPLESS: tuple[Condition, ...] = ("paralyzed", "petrified", "stunned", "unconscious")
"""Those who have one fail Strength and Dexterity saves and are attacked with advantage."""
HIDDEN = ("hidden", "invisibility")
"""Effects that end when their bearer attacks or casts."""


def with_implied(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Return conditions with those that they bring."""
    return tuple(dict.fromkeys(each for one in conditions for each in (one, *IMPLIED.get(one, ()))))


def boons(creature: Creature) -> Iterator[Boon]:
    """Yield what bends somebody's numbers."""
    return (effect.boon for effect in creature.effects if effect.boon is not None)


def can_act(creature: Creature) -> bool:
    """Whether somebody can take actions."""
    if not creature.present or creature.hp == 0 or creature.has("incapacitated"):
        return False
    return not any(boon.no_actions for boon in boons(creature))


def can_react(cast: Cast, creature: Creature) -> bool:
    """Whether somebody has a reaction left and can take it."""
    fight = cast.fight
    if fight is None or not can_act(creature) or creature.id in fight.reacted:
        return False
    if creature.id in fight.surprised or creature.id not in fight.order:
        return False
    return not any(boon.no_reactions for boon in boons(creature))


def cost_of_a_foot(creature: Creature) -> int:
    """Return the feet of movement that a foot of the way costs; who is prone crawls (SRD 5.1)."""
    return 2 if creature.has("prone") else 1


def pace(creature: Creature) -> int:
    """Return somebody's speed in feet as it is now."""
    if creature.has("grappled", "restrained", *HELPLESS) or creature.exhaustion >= 5:
        return 0
    speed = max(creature.speed, creature.fly) + sum(boon.speed for boon in boons(creature))
    speed += 10 * (("fast" in creature.traits) - ("slowed-by-armour" in creature.traits))
    paces = {boon.pace for boon in boons(creature)}
    if "none" in paces:
        return 0
    speed *= 2 if "double" in paces else 1
    if "half" in paces or creature.exhaustion >= 2:
        speed //= 2
    return max(0, speed)


def armour_class(creature: Creature) -> int:
    """Return somebody's armour class as it is now."""
    given = list(boons(creature))
    own = creature.ac
    if not creature.armour:
        shield = 2 if creature.shield else 0
        bases = (one.base_ac + creature.mod("dex") + shield for one in given if one.base_ac)
        own = max([own, *bases])
    own = max([own, *(one.least_ac for one in given)])
    return own + sum(one.ac for one in given)


def fears(cast: Cast, creature: Creature) -> bool:
    """Whether somebody is frightened of one who is there to be seen."""
    for effect in creature.effects:
        if "frightened" in effect.conditions:
            cause = cast.get(effect.source)
            if cause is None or cause.present:
                return True
    return False


def attack_edges(
    cast: Cast, attacker: Creature, target: Creature, attack: Attack, distance: int
) -> tuple[list[str], list[str]]:
    """Return why an attack roll has advantage, and why disadvantage."""
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
    """Whether others cannot see somebody."""
    return creature.has("invisible") or any(one.key == "hidden" for one in creature.effects)


def flanked(cast: Cast, attacker: Creature, target: Creature) -> bool:
    """Whether one of the attacker's side who can act stands next to the target."""
    return any(
        can_act(one) and abs(one.position - target.position) <= REACH
        for one in cast.friends_of(attacker.id)
    )


def threatened(cast: Cast, creature: Creature) -> bool:
    """Whether a foe who can act stands next to somebody."""
    return any(
        can_act(one) and abs(one.position - creature.position) <= REACH
        for one in cast.foes_of(creature.id)
    )


def fails_outright(creature: Creature, ability: Ability) -> bool:
    """Whether a condition fails a saving throw whatever the dice say."""
    return ability in ("str", "dex") and creature.has(*HELPLESS)


def save_edges(
    creature: Creature, ability: Ability, *, magical: bool, against: tuple[str, ...]
) -> tuple[list[str], list[str]]:
    """Return why a saving throw has advantage, and why disadvantage.

    `against` are the conditions and damage types that it is to keep off.
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
    """Return why an ability check has advantage, and why disadvantage."""
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
    """Return what damage of a type counts for, in halves: 0 immune, 1 resisted, 2, 4 vulnerable."""
    names = {damage}
    if not magical and damage in ("bludgeoning", "piercing", "slashing"):
        names.add("nonmagical")
    petrified = creature.has("petrified")
    if names & {*creature.immune} or (petrified and damage == "poison"):
        return 0
    lent = {kind for boon in boons(creature) for kind in boon.resist}
    resisted = bool(names & {*creature.resist, *lent}) or petrified
    vulnerable = bool(names & {*creature.vulnerable})
    if resisted == vulnerable:
        return 2
    return 1 if resisted else 4
