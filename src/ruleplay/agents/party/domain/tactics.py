"""The policy for creatures that neither a human nor a model plays.

Plans are made one step at a time, so that they can follow the dice. Everything here is a proposal;
the rules decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import (
    ENCOUNTERS,
    HARMS,
    Choice,
    castable,
    choices,
    past,
    wounded,
)
from ruleplay.agents.party.domain.creature import Attack, Creature
from ruleplay.agents.party.domain.dice import average
from ruleplay.agents.party.domain.exploration.acts import Option, dm_options, options, waiting
from ruleplay.agents.party.domain.fight import LURED, Budget
from ruleplay.agents.party.domain.intents import Intent
from ruleplay.agents.party.domain.mastering import astray
from ruleplay.agents.party.domain.rulebook import Spell
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.table import Table

KEPT_SLOTS = 1
"""Spell slots that healers keep in reserve for a companion who falls."""
STEPS = 14
"""The most steps that are tried in one turn."""
REACH = 5
TIMID = ("coward", "beast")
FAR = ("archer", "caster")
HIT_SHARE = 0.6
"""The assumed chance to hit when options are compared."""
OPENERS = {
    "bless": 14.0,
    "shield-of-faith": 4.0,
    "hunters-mark": 7.0,
    "hex": 7.0,
    "mage-armor": 3.0,
}
"""The value of buffs at the start of a fight, on the scale of expected damage."""


def wishes(table: Table, book: Book, who: str) -> Iterator[Intent]:
    """Propose what a creature does next in a fight, best first; ending the turn comes last."""
    fight, me = table.cast.fight, table.cast.the(who)
    if fight is None:
        return
    foes = sorted(
        table.cast.foes_of(who),
        key=lambda one: (me.side == "party" and table.tale.attitude(one.id) > 0, _appeal(me, one)),
    )
    budget = fight.budget
    if not foes:
        yield Intent(act="end")
        return
    if me.has("prone") and budget.movement:
        yield Intent(act="stand")
    if _would_flee(table, me):
        yield Intent(act="flee")
    if table.tale.spares(me.id) or _left_beyond(table, foes):
        yield from (step for way in past(table, me) for step in way.steps)
    if table.tale.spares(me.id):
        foes = [one for one in foes if one.conscious]
    drawn = bool(me.under(LURED))
    for step in _deeds(table, book, me, foes, budget):
        if not drawn or step.act in HARMS:  # those within reach it still harms
            yield step
    yield Intent(act="end")


def _deeds(
    table: Table, book: Book, me: Creature, foes: list[Creature], budget: Budget
) -> Iterator[Intent]:
    """Yield uses for the bonus action, the action and the attacks that are left."""
    if budget.bonus:
        yield from _quick(table, book, me, foes)
    if budget.action:
        yield from _aid(table, book, me)
    if not foes:
        return  # nobody is left to fight: whoever helps nobody waits
    if budget.action:
        yield from _harm(table, book, me, foes, budget)
    elif budget.attacks:
        yield from _strikes(me, foes, budget)
    if budget.attacked and budget.bonus:
        yield from (Intent(act="offhand", target=foe.id) for foe in foes)
    if budget.action:
        yield Intent(act="dodge")


def _appeal(me: Creature, foe: Creature) -> tuple[int, int, int, int, str]:
    """Sort foes: those able to act come first, then the nearer, then the weaker."""
    away = abs(me.position - foe.position)
    harmless = 2 if foe.hp == 0 else int(foe.has("incapacitated"))
    return (harmless, 0 if away <= REACH else away // 30 + 1, foe.hp, foe.position, foe.id)


def _would_flee(table: Table, me: Creature) -> bool:
    if me.id in table.seats:
        return _left_behind(table, me)
    if me.type == "beast" and (table.tale.attitude(me.id) > 0 or me.id in table.tale.shaken):
        return True
    if me.archetype not in TIMID:
        return False
    alone = not any(one.conscious for one in table.cast.friends_of(me.id))
    return alone and me.hp * 3 <= me.max_hp


def _left_beyond(table: Table, foes: Sequence[Creature]) -> bool:
    """Tell whether a person at the table has gone past all foes."""
    persons = (one for one in table.party if table.is_held(one.id) and one.present)
    return any(one.position > max(foe.position for foe in foes) for one in persons)


def _left_behind(table: Table, me: Creature) -> bool:
    """Tell whether the persons at the table have fled and their companion fights on alone."""
    persons = [seat for seat in table.characters if table.is_held(seat)]
    fled = (one.gone for one in map(table.cast.get, persons) if one)
    return bool(persons) and me.id not in persons and all(fled)


def _quick(table: Table, book: Book, me: Creature, foes: list[Creature]) -> Iterator[Intent]:
    """Yield what costs a bonus action: healing words, second wind, rage, a mark."""
    friends = table.cast.friends_of(me.id)
    needy = [one for one in friends if one.hp == 0]
    if me.hp * 2 <= me.max_hp and not any(one.conscious for one in friends):
        needy.append(me)  # there is nobody to lift them up
    for one in needy:
        yield from (
            Intent(act="cast", what=key, target=one.id) for key in _healing(book, me, "bonus")
        )
    if me.hp * 2 <= me.max_hp and _has(me, "second-wind"):
        yield Intent(act="feature", what="second-wind", target=me.id)
    if foes and _has(me, "rage") and not me.under("rage"):
        yield Intent(act="feature", what="rage", target=me.id)
    if foes and not me.concentration:
        for key in ("hunters-mark", "hex"):
            spell = book.rules.spells.get(key)
            if key in me.spells and spell and castable(me, spell):
                yield Intent(act="cast", what=key, target=foes[0].id)


def _has(me: Creature, feature: str) -> bool:
    found = me.feature(feature)
    return bool(found and (found.left or not found.most))


def _healing(book: Book, me: Creature, cost: str) -> Iterator[str]:
    for key in me.spells:
        spell = book.rules.spells.get(key)
        if spell and spell.heal and spell.cost == cost and castable(me, spell):
            yield key


def _aid(table: Table, book: Book, me: Creature) -> Iterator[Intent]:
    """Yield help for those who are down, and for the actor when badly hurt."""
    for one in table.cast.friends_of(me.id):
        if one.hp or one.dead:
            continue
        near = abs(me.position - one.position) <= REACH
        cures = [
            Intent(act="cast", what=key, target=one.id) for key in _healing(book, me, "action")
        ]
        if _has(me, "lay-on-hands"):
            cures.append(Intent(act="feature", what="lay-on-hands", target=one.id, slot=5))
        cures += [Intent(act="use", what=key, target=one.id) for key in _potions(book, me)]
        if not one.stable and me.id in table.seats and _sinking(table, book, one):
            cures.append(Intent(act="stabilise", target=one.id))
        if cures and not near and _reachable(table, me, one):
            yield Intent(act="move", target=one.id, distance=REACH)
        if near or any(intent.act == "cast" for intent in cures):
            yield from cures
    yield from _rousing(table, me)
    if me.hp * 3 <= me.max_hp and me.id in table.seats:
        yield from (
            Intent(act="cast", what=key, target=me.id) for key in _healing(book, me, "action")
        )
        yield from (Intent(act="use", what=key, target=me.id) for key in _potions(book, me))


def _rousing(table: Table, me: Creature) -> Iterator[Intent]:
    """Yield waking friends nearby who were put to sleep; beasts never do it."""
    for one in table.cast.friends_of(me.id) if me.type == "humanoid" else ():
        asleep = one.hp > 0 and any(effect.wakes for effect in one.effects)
        if asleep and abs(me.position - one.position) <= REACH:
            yield Intent(act="wake", target=one.id)


def _sinking(table: Table, book: Book, one: Creature) -> bool:
    """Tell whether somebody down needs hands now: nobody has a word for them, or time is short."""
    healers = (each for each in table.cast.friends_of(one.id) if each.conscious)
    return one.failed > 1 or not any(any(_healing(book, each, "bonus")) for each in healers)


def _potions(book: Book, me: Creature) -> list[str]:
    carried = [held.item for held in me.inventory]
    return [key for key in carried if key in book.rules.items and book.rules.items[key].heals]


def _reachable(table: Table, me: Creature, other: Creature) -> bool:
    fight = table.cast.fight
    left = fight.budget.movement if fight else 0
    return abs(me.position - other.position) - REACH <= left


def _harm(
    table: Table, book: Book, me: Creature, foes: list[Creature], budget: Budget
) -> Iterator[Intent]:
    """Yield attacks, powers and spells, the most promising first."""
    promised: list[tuple[float, int, Intent]] = []
    for power in me.powers:
        damage = sum(average(one.dice) for one in power.damage) or 6
        targets = tuple(one.id for one in foes[: power.targets])
        intent = Intent(act="power", what=power.key, target=foes[0].id, targets=targets)
        promised.append((damage * len(targets) * 0.8 + 3, len(promised), intent))
    for key in me.spells:
        spell = book.rules.spells.get(key)
        if spell and spell.cost == "action" and _affordable(book, me, spell):
            worth, intent = _spell(table, me, key, spell, foes)
            promised.append((worth, len(promised), intent))
    best = max((_worth(one) for one in me.attacks), default=0.0)
    threshold = best * HIT_SHARE * max(1, len(me.multiattack[0]) if me.multiattack else 1)
    for worth, _, intent in sorted(promised, key=lambda one: (-one[0], one[1])):
        if worth > threshold:
            yield intent
    yield from _strikes(me, foes, budget)


def _affordable(book: Book, me: Creature, spell: Spell) -> bool:
    """Tell whether somebody has a slot for a spell, and another one for a friend who falls."""
    if spell.level and any(_healing(book, me, "bonus")) and sum(me.slots) < KEPT_SLOTS + 1:
        return False
    return castable(me, spell)


def _lulled(spell: Spell, foes: list[Creature]) -> list[Creature]:
    """Return whom a spell that affects so many hit points probably affects, the weakest first."""
    left, found = average(spell.pool), []
    for one in sorted(foes, key=lambda one: (one.hp, one.id)):
        immune = one.type in spell.not_types or "charmed" in one.condition_immune
        if immune or not one.conscious:
            continue
        left -= one.hp
        if left < 0:
            break
        found.append(one)
    return found[: spell.targets]


def _spell(
    table: Table, me: Creature, key: str, spell: Spell, foes: list[Creature]
) -> tuple[float, Intent]:
    """Return the expected value of a spell, and the intent to cast it."""
    cost = 2.5 * spell.level
    if spell.pool:
        reached = _lulled(spell, foes)
        targets = tuple(one.id for one in reached)
        intent = Intent(act="cast", what=key, target=(*targets, "")[0], targets=targets)
        return sum(one.hp for one in reached) - cost if reached else 0.0, intent
    if spell.damage:
        count = max(1, min(spell.targets, len(foes)))
        targets = tuple(one.id for one in foes[:count])
        damage = sum(average(one.dice) for one in spell.damage) * max(1, spell.rays)
        share = 0.8 if spell.half or spell.how == "auto" else HIT_SHARE
        intent = Intent(act="cast", what=key, target=foes[0].id, targets=targets)
        return damage * share * count - cost, intent
    if me.concentration and spell.concentration:
        return 0.0, Intent(act="cast", what=key)
    if key in OPENERS and table.cast.fight and table.cast.fight.round <= 2 and not me.under(key):
        friends = (me, *table.cast.friends_of(me.id))[: spell.targets]
        intent = Intent(
            act="cast", what=key, target=friends[0].id, targets=tuple(one.id for one in friends)
        )
        return OPENERS[key], intent
    if spell.how == "save" and spell.inflicts:
        return 6.0 - cost, Intent(act="cast", what=key, target=foes[0].id)
    return 0.0, Intent(act="cast", what=key)


def _worth(attack: Attack) -> float:
    return sum(average(one.dice) for one in attack.damage)


def _strikes(me: Creature, foes: list[Creature], budget: Budget) -> Iterator[Intent]:
    """Yield melee attacks within reach, then moves towards foes, then ranged attacks."""
    melee = sorted(
        (one for one in me.attacks if one.reach), key=lambda one: (-_worth(one), one.key)
    )
    shots = sorted(
        (one for one in me.attacks if one.range), key=lambda one: (-_worth(one), one.key)
    )
    engaged = any(abs(me.position - foe.position) <= REACH and foe.conscious for foe in foes)
    if shots and not engaged and (me.archetype in FAR or not melee):
        yield from _shots(me, foes, shots)
    for foe in foes:
        away = abs(me.position - foe.position)
        for attack in melee:
            if away <= attack.reach:
                yield Intent(act="attack", target=foe.id, what=attack.key)
    for foe in foes:
        reach = max((one.reach for one in melee), default=0)
        if reach and budget.movement >= abs(me.position - foe.position) - reach > 0:
            yield Intent(act="move", target=foe.id, distance=reach)
    yield from _shots(me, foes, shots)
    if melee and not engaged:
        yield Intent(act="move", target=foes[0].id, distance=REACH)
        if budget.action:
            yield Intent(act="dash")


def _shots(me: Creature, foes: list[Creature], shots: list[Attack]) -> Iterator[Intent]:
    for foe in foes:
        away = abs(me.position - foe.position)
        for attack in shots:
            if away <= attack.range:
                yield Intent(act="attack", target=foe.id, what=attack.key)


def choose_venture(table: Table, book: Book, seat: str, chance: Random) -> Choice | None:
    """Return how a seat explores when nobody decides for it, or None to wait."""
    now, story = table.expedition, book.story
    if seat == DM:
        offered: tuple[Option, ...] = dm_options(now, story, table.characters)
        if not astray(table):
            offered = tuple(one for one in offered if one.does.act != "hint")
        if waiting(now, story) and chance.random() < 0.5:
            return None  # the characters may still talk, or slip past
    else:
        offered = options(now, story, seat, wounded=wounded(table))
    able = {
        one.id
        for one in choices(table, book, seat)
        if not (table.led and seat != DM and one.venture and one.venture.act in ENCOUNTERS)
    }
    offered = tuple(one for one in offered if one.id in able)
    if not offered:
        return None
    wanted = [one for one in offered if one.weight == offered[0].weight]
    if len(offered) > len(wanted) and offered[len(wanted)].weight >= 40 and chance.random() < 0.25:
        wanted = [offered[len(wanted)]]
    picked = chance.choice(wanted).id
    return next((one for one in choices(table, book, seat) if one.id == picked), None)
