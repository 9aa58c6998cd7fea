"""Using and changing equipment: potions, weapons, shields and armour."""

from __future__ import annotations

from typing import Final

from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.fight import REACH
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.intents import Intent
from ruleplay.agents.party.domain.play import Impossible, Play
from ruleplay.agents.party.domain.rulebook import Item
from ruleplay.agents.party.domain.rules.effects import inflict
from ruleplay.agents.party.domain.rules.harm import heal
from ruleplay.agents.party.domain.rules.outfit import outfitted
from ruleplay.agents.party.domain.rules.spending import take
from ruleplay.agents.party.domain.terms import Skill

HEALERS_KIT: Final = "healers-kit"
WORN: Final = ("armour", "shield", "weapon", "offhand")
"""The fields of a creature that say what it wears and wields."""


def nimbler(one: Creature) -> Skill:
    """Return the better of Athletics and Acrobatics, used to resist being grappled."""
    acrobatic = one.check_bonus("acrobatics") > one.check_bonus("athletics")
    return "acrobatics" if acrobatic else "athletics"


def use(play: Play, one: Creature, intent: Intent) -> None:
    """Drink a potion or give it to somebody within 5 feet."""
    item = play.book.items.get(intent.what)
    if item is None or not one.count(intent.what):
        raise Impossible("no-such-item", intent.what)
    if item.kind != "potion":
        raise Impossible("no-use", intent.what)
    target = play.cast.get(intent.target or one.id)
    if target is None or not target.present:
        raise Impossible("no-such-target", intent.target)
    if play.fighting and abs(target.position - one.position) > REACH:
        raise Impossible("out-of-reach", target.id)
    if item.heals and target.hp == target.max_hp:
        raise Impossible("not-hurt", target.id)
    take(play, one.id, "use", "action", intent.what, (target.id,))
    play.add(h.ItemLost(who=one.id, item=intent.what, why="used"))
    if item.heals:
        roll = play.roll(item.heals)
        play.add(h.HealingRolled(by=one.id, what=intent.what, roll=roll))
        heal(play, target.id, roll.total, one.id, "potion")
    if item.inflicts:
        inflict(play, target.id, item.inflicts, intent.what, one.id)


def equip(play: Play, one: Creature, intent: Intent) -> None:
    """Equip a weapon, shield or armour; armour takes too long in a fight."""
    item = play.book.items.get(intent.what)
    if item is None or not one.count(intent.what):
        raise Impossible("no-such-item", intent.what)
    changes = _changes(one, intent.what, item, play)
    if not changes:
        raise Impossible("already-so", intent.what)
    if play.fighting:
        _check_time(play, one, item)
    cost = "action" if item.kind == "shield" else "free"
    spent: dict[str, object] = {} if item.kind == "shield" else {"item": False}
    if cost == "action":
        take(play, one.id, "equip", "action", intent.what)
    else:
        take(play, one.id, "equip", "free", intent.what, (), **spent)
    changed = outfitted(play.the(one.id).model_copy(update=changes), play.book)
    play.add(h.Equipped(who=one.id, creature=changed))


def put_away(play: Play, one: Creature, key: str) -> None:
    """Take off or put away what is worn or wielded, outside a fight."""
    held = {name: "" for name in WORN if getattr(one, name) == key}
    changed = outfitted(one.model_copy(update=held), play.book)
    play.add(h.Equipped(who=one.id, creature=changed))


def _check_time(play: Play, one: Creature, item: Item) -> None:
    if item.kind == "armour":
        raise Impossible("takes-too-long", "armour")
    if item.kind == "weapon" and not play.fight.budget.item:
        raise Impossible("no-free-hand", one.id)


def _changes(one: Creature, key: str, item: Item, play: Play) -> dict[str, object]:
    """Return the fields that change when an item is equipped; empty if nothing does."""
    if item.kind == "armour":
        return {} if one.armour == key else {"armour": key}
    if item.kind == "shield":
        return {} if one.shield == key else {"shield": key, "offhand": "", **_one_handed(one, play)}
    if item.kind != "weapon":
        raise Impossible("no-use", key)
    if one.weapon == key:
        return {}
    both = "two-handed" in item.properties
    light = "light" in item.properties
    kept = one.offhand if light and not both and one.offhand != key else ""
    return {"weapon": key, "offhand": kept, "shield": "" if both else one.shield}


def _one_handed(one: Creature, play: Play) -> dict[str, object]:
    """Put the weapon away if it needs the hand that the shield takes."""
    held = play.book.items.get(one.weapon)
    return {"weapon": ""} if held and "two-handed" in held.properties else {}
