"""The options open to a seat, with ids: for quick replies, hints and the models' choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.creature import Attack, Creature
from ruleplay.agents.party.domain.exploration.acts import (
    RESTS,
    Exploration,
    dm_options,
    options,
)
from ruleplay.agents.party.domain.fight import REACH
from ruleplay.agents.party.domain.intents import Intent
from ruleplay.agents.party.domain.labels import venture_label
from ruleplay.agents.party.domain.rulebook import Spell
from ruleplay.agents.party.domain.rules.conditions import cost_of_a_foot, pace
from ruleplay.agents.party.domain.rules.spending import QUICK
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.terms_text import TERMS
from ruleplay.story.texts import Frozen, Text, words_of

AT_MOST = 40
"""The most options that are listed."""
LOSS = 3
"""The party should rest once it has lost one in this many of its hit points."""
WAIT, PAST = "wait", "past"
TOLD = 4
"""Letters of the words of an option by which somebody's words name it."""
HEALS = ("second-wind", "lay-on-hands")
QUIET = ("cast", "use", "feature", "stabilise")
HARMS = ("attack", "offhand", "cast", "power")
"""Steps that harm the foe at whom they are aimed."""
ENCOUNTERS, DECEIT = ("parley", "sneak", "provoke"), "deception"
"""Ways to deal with those who wait, any of which may begin a fight; and the skill of lies."""
PATIENT = ("begin", "hint")
"""Acts allowed in a scene before the humans at the table have had a turn there."""


class Choice(Frozen):
    """Something to choose: how it is called, and what it is, a venture or steps in a fight."""

    id: str
    label: Text
    venture: Exploration | None = None
    steps: tuple[Intent, ...] = ()


WAITING = Choice(id=WAIT, label=Text(en="wait", fr="attendre"), steps=(Intent(act="end"),))


def choices(table: Table, book: Book, seat: str) -> tuple[Choice, ...]:
    """Return a seat's options, the most sensible first and waiting last; empty out of turn."""
    if table.mode == "ended":
        return ()
    if table.mode == "combat":
        return _in_fight(table, book, seat)
    if table.is_fallen(seat):
        return ()
    return (*_on_the_way(table, book, seat), WAITING)[-AT_MOST:]


def can(table: Table, book: Book, seat: str) -> tuple[Choice, ...]:
    """Return everything a seat could do, including its spells and items outside a fight."""
    offered = choices(table, book, seat)
    if table.cast.fight or table.cast.get(seat) is None or not table.expedition.begun:
        return offered
    party = {one.id for one in table.party}  # foes who were left behind are not here
    free = (
        one
        for one in fight_choices(table, book, seat)
        if one.id.split(":")[0] in QUIET and {step.target for step in one.steps} <= {*party, ""}
    )
    return (*offered[:-1], *free, *offered[-1:])


def strikes_fallen(one: Choice, table: Table) -> bool:
    """Whether an option harms a foe who lies there, struck down or asleep."""
    lie = {foe.id for foe in table.cast.creatures if foe.side != "party" and not foe.conscious}
    return any(step.target in lie and step.act in HARMS for step in one.steps)


def distinct(offered: Sequence[Choice]) -> Iterator[Choice]:
    """Reorder options so that each kind comes up once first: one attack, one spell and so on."""
    seen: set[str] = set()
    later: list[Choice] = []
    for one in offered:
        kind = one.id.split(":")[0]
        if kind in seen and kind not in ("go", "talk", "deed"):
            later.append(one)
        else:
            seen.add(kind)
            yield one
    yield from later


def named_in(offered: Sequence[Choice], text: str) -> Choice | None:
    """Return the option that a text names most fully, with or without its verb; else None."""
    said = {*words_of(text)}

    def named(one: Choice) -> int:
        verb = TERMS["choices"].get(one.id.split(":")[0])
        plain = {*words_of(" ".join(verb.both))} if verb and ":" in one.id else set[str]()
        labels = (
            {word for word in words_of(label) if len(word) >= TOLD} - plain
            for label in one.label.both
        )
        return max((len(words) for words in labels if said >= words), default=0)

    best = max(offered, key=named, default=None)
    return best if best and named(best) else None


def _on_the_way(table: Table, book: Book, seat: str) -> Iterator[Choice]:
    now, story = table.expedition, book.story
    if seat == DM:
        offered = dm_options(now, story, able(table))
    else:
        offered = options(now, story, seat, wounded=wounded(table))
    held_back = table.awaited and not table.is_held(seat)
    for option in offered:
        if option.does.act == "talk" and option.does.target in table.tale.gone:
            continue
        if held_back and option.does.act not in PATIENT:
            continue
        # Where persons lead, they alone say where to go, and whether an hour or a night is spent.
        led = table.led and seat != DM and not table.is_held(seat)
        if led and (
            option.does.act in ("go", *RESTS) or not _harmless(option.does, table, book, seat)
        ):
            continue
        yield Choice(id=option.id, label=venture_label(option.does, story), venture=option.does)


def _harmless(does: Exploration, table: Table, book: Book, seat: str) -> bool:
    """Whether a companion may do this unasked: it begins no fight, and deceives nobody."""
    asked = table.undone(seat) or any(one.to == seat for one in table.tale.waiting)
    story = book.story
    section = story.talks.get(does.topic) or story.deeds.get(does.target)
    lies = section is not None and section.test is not None and DECEIT in section.test.skills
    return bool(asked) or not (does.act in ENCOUNTERS or lies)


def able(table: Table) -> tuple[str, ...]:
    """Return the ids of the characters who can act."""
    return tuple(one.id for one in table.party if one.conscious and one.present)


def wounded(table: Table) -> bool:
    """Whether the party should rest: somebody badly hurt, or half of a caster's slots spent."""
    living = [one for one in table.party if one.alive]
    spent = any(any(one.max_slots) and sum(one.slots) * 2 <= sum(one.max_slots) for one in living)
    hurt = any(one.hp * 2 < one.max_hp for one in living)
    lost = sum(one.max_hp - one.hp for one in living) * LOSS
    return spent or hurt or lost > sum(one.max_hp for one in living)


def _in_fight(table: Table, book: Book, seat: str) -> tuple[Choice, ...]:
    fight = table.cast.fight
    if fight is None or seat not in (fight.actor, DM):
        return ()
    if seat == DM and fight.actor in table.characters:
        return ()
    me = table.cast.the(fight.actor)
    left = 0 if pace(me) == 0 else fight.budget.movement // cost_of_a_foot(me)
    near = [
        one
        for one in fight_choices(table, book, me.id)
        if one.steps[0].act != "move" or one.id == PAST or _gap(table, me, one.steps[0]) <= left
    ]
    far = [one for one in _ways(table, me) if left and _gap(table, me, one.steps[0]) > left]
    strikes = [one for one in near if one.steps[-1].act == "attack"]
    return (*strikes, *far, *near[len(strikes) :])


def _gap(table: Table, me: Creature, step: Intent) -> int:
    """Return the feet of movement that a step needs."""
    return abs(table.cast.the(step.target).position - me.position) - step.distance


def _ways(table: Table, me: Creature) -> Iterator[Choice]:
    for foe in table.cast.foes_of(me.id):
        label = Text(en=f"move toward {foe.name.en}", fr=f"avancer vers {foe.name.fr}")
        for step in approach(table, me, foe, REACH):
            yield Choice(id=f"approach:{foe.id}", label=label, steps=(step,))


def fight_choices(table: Table, book: Book, who: str) -> tuple[Choice, ...]:
    """Return what a creature could do on its turn in a fight."""
    me = table.cast.the(who)
    strikes = [*_strikes(table, me)]
    least = len(strikes) // max(1, len(me.attacks))
    always = [*_aid(table, book, me), *past(table, me), *_stances(me)]
    magic = [*_powers(table, me), *_spells(table, book, me)]
    found = [*of_each(magic, AT_MOST - 1 - least - len(always)), *always]
    room = max(AT_MOST - 1 - len(found), least)
    spare = len(strikes) - room
    # Where not all fit, second weapons go first, then spells' last targets: whom one can strike,
    # and how one can stand, is shown in any case.
    second = [one for one in strikes if me.attacks and one.steps[-1].what != me.attacks[0].key]
    dropped = {one.id for one in second[len(second) - spare :]} if spare > 0 else set()
    kept = [one for one in strikes if one.id not in dropped]
    return (*(*kept, *found)[: AT_MOST - 1], WAITING)


def of_each(magic: Sequence[Choice], most: int) -> Iterator[Choice]:
    """Take `most` options in their order, the first targets of every spell before further ones."""
    nth: Counter[str] = Counter()
    places = []
    for at, one in enumerate(magic):
        spell = one.id.rpartition(":")[0]
        places.append((nth[spell], at))
        nth[spell] += 1
    yield from (magic[at] for at in sorted(at for _, at in sorted(places)[: max(most, 0)]))


def approach(table: Table, me: Creature, other: Creature, reach: int) -> tuple[Intent, ...]:
    """Return the move needed to get within reach, if any."""
    if abs(me.position - other.position) <= max(reach, 5):
        return ()
    return (Intent(act="move", target=other.id, distance=max(reach, 5)),)


def past(table: Table, me: Creature) -> Iterator[Choice]:
    """Offer one of the party the way past foes of whom nobody is awake, to their far side."""
    foes = table.cast.foes_of(me.id) if me.id in table.characters else ()
    if not foes or any(one.conscious for one in foes):
        return
    beyond = max(one.position for one in foes) + 2 * REACH
    gap = beyond - me.position
    runs = () if gap <= pace(me) else (Intent(act="dash"),)
    if 0 < gap <= pace(me) * (1 + len(runs)):
        steps = (*runs, Intent(act="move", to=beyond))
        yield Choice(id=PAST, label=TERMS["choices"][PAST], steps=steps)


def _choice(act: str, what: str, target: Creature, name: Text, steps: tuple[Intent, ...]) -> Choice:
    verb = TERMS["choices"][act]
    label = Text(
        en=verb.en.format(b=target.name.en, w=name.en),
        fr=verb.fr.format(b=target.name.fr, w=name.fr),
    )
    return Choice(id=f"{act}:{what}:{target.id}", label=label, steps=steps)


def _strikes(table: Table, me: Creature) -> Iterator[Choice]:
    foes = sorted(
        table.cast.foes_of(me.id), key=lambda one: (abs(one.position - me.position), one.hp)
    )
    for foe in foes:
        for attack in me.attacks:
            steps = (
                *_into_range(table, me, foe, attack),
                Intent(act="attack", target=foe.id, what=attack.key),
            )
            yield _choice("attack", attack.key, foe, attack.name, steps)


def _into_range(table: Table, me: Creature, foe: Creature, attack: Attack) -> tuple[Intent, ...]:
    if attack.range and abs(me.position - foe.position) <= attack.range:
        return ()
    return approach(table, me, foe, attack.reach or attack.range)


def _powers(table: Table, me: Creature) -> Iterator[Choice]:
    foes = table.cast.foes_of(me.id)
    for power in me.powers:
        if foes:
            near = min(foes, key=lambda one: (abs(one.position - me.position), one.id))
            targets = tuple(one.id for one in foes[: power.targets])
            steps = (Intent(act="power", what=power.key, target=near.id, targets=targets),)
            yield _choice("power", power.key, near, power.name, steps)


def _spells(table: Table, book: Book, me: Creature) -> Iterator[Choice]:
    for key in me.spells:
        spell = book.rules.spells.get(key)
        if spell is None or spell.cost in ("long", "reaction") or not castable(me, spell):
            continue
        helpful = spell.friendly or bool(spell.heal or spell.temp)
        friends = (me, *table.cast.friends_of(me.id)) if spell.range else (me,)
        whom = friends if helpful else table.cast.foes_of(me.id)
        for target in whom:
            if spell.heal and target.hp == target.max_hp:
                continue
            near = in_area(table, me, spell, target)
            cast = Intent(act="cast", what=key, target=target.id, targets=near)
            steps: tuple[Intent, ...] = (cast,)
            if spell.range <= 5 and target.id != me.id:
                steps = (*approach(table, me, target, 5), *steps)
            yield _choice("cast", key, target, spell.name, steps)


def in_area(table: Table, me: Creature, spell: Spell, aimed: Creature) -> tuple[str, ...]:
    """List the foes whom an area spell at one of them reaches, that one first.

    Its circle lies where it holds the most of them. Next come the nearest, or the weakest for a
    spell that takes these first.
    """
    if not spell.radius or spell.friendly or aimed.side == me.side or not table.cast.fight:
        return ()
    far = spell.radius if spell.from_self else spell.range
    foes = [
        one
        for one in table.cast.foes_of(me.id)
        if (one.conscious or not spell.pool) and abs(one.position - me.position) <= far
    ]
    across = 2 * spell.radius
    circles = [
        [one for one in foes if 0 <= one.position - first.position <= across]
        for first in (aimed, *foes)
        if 0 <= aimed.position - first.position <= across
    ]
    most = max(circles, key=len)
    away = {one.id: abs(one.position - aimed.position) for one in most}
    most.sort(key=lambda one: one.hp if spell.pool else away[one.id])
    return tuple(dict.fromkeys((aimed.id, *(one.id for one in most))))[: spell.targets]


def castable(me: Creature, spell: Spell) -> bool:
    """Whether a creature has a slot for a spell."""
    return spell.level == 0 or any(me.slots[spell.level - 1 :])


def _aid(table: Table, book: Book, me: Creature) -> Iterator[Choice]:
    friends = table.cast.friends_of(me.id)
    for held in me.inventory:
        item = book.rules.items.get(held.item)
        if item is None or not (item.heals or item.inflicts) or item.kind != "potion":
            continue
        for target in (me, *(one for one in friends if one.hp == 0)):
            steps = (
                *approach(table, me, target, 5),
                Intent(act="use", what=held.item, target=target.id),
            )
            yield _choice("use", held.item, target, item.name, steps)
    for feature in me.features:
        rule = book.rules.features.get(feature.key)
        if feature.key in HEALS and me.hp == me.max_hp:
            continue
        if feature.key == "cunning-action":
            yield from _quick(me)
        elif (
            rule and rule.cost in ("action", "bonus", "free") and (feature.left or not feature.most)
        ):
            steps = (Intent(act="feature", what=feature.key, target=me.id),)
            yield _choice("feature", feature.key, me, rule.name, steps)
    for one in friends:
        if one.dying:
            steps = (*approach(table, me, one, 5), Intent(act="stabilise", target=one.id))
            label = Text(en=f"stabilise {one.name.en}", fr=f"stabiliser {one.name.fr}")
            yield Choice(id=f"stabilise:{one.id}", label=label, steps=steps)


def _quick(me: Creature) -> Iterator[Choice]:
    """Offer Cunning Action: dash, disengage or hide as a bonus action."""
    for act in QUICK:
        told, beside = TERMS["stances"][act], TERMS["choices"]["quick"]
        label = Text(en=beside.en.format(w=told.en), fr=beside.fr.format(w=told.fr))
        step = Intent(act="feature", what=f"cunning-{act}", target=me.id)
        yield Choice(id=f"feature:cunning-{act}:{me.id}", label=label, steps=(step,))


def _stances(me: Creature) -> Iterator[Choice]:
    for act, label in TERMS["stances"].items():
        if act != "stand" or me.has("prone"):
            yield Choice.model_validate({"id": act, "label": label, "steps": ({"act": act},)})
