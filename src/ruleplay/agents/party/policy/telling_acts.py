"""Turn events of fights, checks, spells, rests and improvised acts into beats with their lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ruleplay.agents.party.domain.exploration.acts import refuge
from ruleplay.agents.party.domain.fight import LURED, REACH, Fight
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import tale as x
from ruleplay.agents.party.domain.rules.conditions import with_implied
from ruleplay.agents.party.domain.seats import DM, TABLE
from ruleplay.agents.party.domain.staging import encounter_of, people
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.terms import Condition
from ruleplay.agents.party.domain.terms_text import ABILITIES, CONDITIONS, SKILLS
from ruleplay.agents.party.policy.handbook import Called, phrase_of
from ruleplay.agents.party.policy.naming import called
from ruleplay.agents.party.policy.refusals import LINES, priced, texts
from ruleplay.agents.party.policy.replies import described
from ruleplay.agents.party.policy.telling import (
    COLON,
    Making,
    Telling,
    answers,
    replies,
    tell_one,
    waiting_here,
)
from ruleplay.story import undone
from ruleplay.story.beats import Item, State, arrow, who
from ruleplay.story.texts import words_of

IMPROVISED = "improvised-"
"""Prefix of the keys of effects that improvised acts have caused."""


@tell_one.register
def _(e: h.FightBegan, t: Telling, before: Table) -> None:
    made = t.opened("other")
    made.key = "initiative"
    made.items.append(_initiative(e.fight, e.fight.order, t))
    foes = [one for one in e.fight.order if one not in t.table.characters]
    made.says.append(f"it comes to a fight with {t.names(foes)}; nobody has struck yet")


@tell_one.register
def _(e: h.PersonsFirst, t: Telling, before: Table) -> None:
    for made in t.blocks:
        if isinstance(made, Making) and made.key == "initiative" and t.table.cast.fight:
            made.items = [_initiative(t.table.cast.fight, e.order, t)]


def _initiative(fight: Fight, order: Sequence[str], t: Telling) -> Item:
    """Build the line of the order of initiative."""
    listed = ", ".join(f"{t.name(one)} {fight.initiative_of(one)}" for one in order)
    return Item(kind="text", text=f"{LINES['initiative'].of(t.lang)}{COLON[t.lang]} {listed}")


@tell_one.register
def _(e: h.FightOver, t: Telling, before: Table) -> None:
    t.loosed = before.cast.fight.loosed if before.cast.fight else ()
    left = e.outcome == "fled" and not _awake(before)
    over = texts("over")["left" if left else e.outcome].of(t.lang)
    fallen = [one.id for one in t.table.party if one.hp == 0 and not one.dead]
    if e.outcome == "fled" and fallen:
        over = LINES["carry"].of(t.lang).format(over=over, who=t.names(fallen))
    t.opened("ending", must=False).told(over, over)


@tell_one.register
def _(e: h.ActionTaken, t: Telling, before: Table) -> None:
    walks = e.act == "flee" and e.who in t.table.characters and not _awake(before)
    text = texts("does").get("walk" if walks else e.act)
    if text is None:
        return
    says = f"{t.name(e.who)} {text.of(t.lang)} {t.names(e.targets)}".strip()
    made = t.opened("other", e.who, *e.targets, must=False).told(text.of(t.lang), says)
    if e.targets:
        made.items.append(who(t.names(e.targets)))
    if e.act == "flee" and e.who in t.table.characters:
        goal = refuge(t.table.expedition, t.book.story, t.table.tale.way)
        if goal:
            name = t.book.story.scenes[goal].name.of(t.lang)
            made.items += [arrow("to"), who(name)]
            made.says.append(f"{'that' if walks else 'the flight'} leads to {name}")


@tell_one.register
def _(e: x.HandLent, t: Telling, before: Table) -> None:
    if not e.to:
        return
    text = texts("does")["help"].of(t.lang)
    made = t.opened("other", e.who, e.to, must=False)
    made.told(text, f"{t.name(e.who)} {text} {t.name(e.to)}").items.append(who(t.name(e.to)))


@tell_one.register
def _(e: h.Moved, t: Telling, before: Table) -> None:
    if e.why == "fled":
        return
    if (drawn := t.about(e.who)) and e.why == "pushed" and t.table.cast.the(e.who).under(LURED):
        drawn.says.append(f"{t.name(e.who)} goes there")
        return
    there = [one.position for one in before.cast.foes_of(e.who)]
    foes = [one.position for one in before.cast.foes_of(e.who) if one.conscious]
    was, now = (min((abs(at - foe) for foe in foes), default=0) for at in (e.origin, e.position))
    if there and not foes and e.origin <= max(there) < e.position - REACH:
        t.opened("move", e.who).told(
            LINES["past"].of(t.lang), f"{t.name(e.who)} gets past the sleeping foes"
        )
        return
    made = Making("move", e.who, must=False)
    way = "comes closer" if now < was else "moves away" if now > was else "moves"
    others = (one for one in before.cast.fighters if one.id != e.who and one.present)
    by = [t.name(one.id) for one in others if abs(one.position - e.position) <= REACH]
    where = f"next to {' and '.join(by)}" if by else "but within reach of nobody"
    made.says.append(f"{t.name(e.who)} {way}, {where}")
    t.blocks.append(made)


@tell_one.register
def _(e: h.AttackRolled, t: Telling, before: Table) -> None:
    cast = t.about(e.attacker)
    spell = cast if cast and cast.kind == "use" and cast.key == e.what else None
    made = spell or t.opened("miss", e.attacker, e.target)
    made.kind, made.key = ("hit" if e.hit else "miss"), "blow"
    made.about.append(e.target)
    dice = f"{t.roll(e.roll)} / {e.ac}" if e.hit else ""
    made.items += [arrow().model_copy(update={"dice": dice}), who(t.name(e.target))]
    if e.critical:
        made.told(LINES["critical"].of(t.lang), kind="state")
    weapon = t.thing(e.what, e.attacker)
    done = "hits" if e.hit else "misses"
    made.says.append(f"{t.name(e.attacker)} {done} {t.name(e.target)} ({weapon})")
    if not e.hit:
        text = LINES["miss"].of(t.lang).format(n=e.roll.total)
        made.told(text, kind="state", dice=f"{t.roll(e.roll)} / {e.ac}")


@tell_one.register
def _(e: h.DamageRolled | h.HealingRolled, t: Telling, before: Table) -> None:
    t.dice.append(t.roll(e.roll))


@tell_one.register
def _(e: h.HitPointsChanged, t: Telling, before: Table) -> None:
    if e.why == "max-hp" or (e.why == "long-rest" and e.amount > 0):
        return
    if e.amount < 0 or (e.raw and before.cast.the(e.who).hp):
        _harm(e, t)
    elif e.amount > 0:
        _heal(e, t)


def _harm(e: h.HitPointsChanged, t: Telling) -> None:
    """Add damage to the beat of its blow; several damage types of one blow are summed up."""
    made = t.about(e.who)
    if made is None or (made.who == e.who and made.about and made.kind in ("hit", "miss")):
        made = t.opened("harm", e.who)
    took = -e.amount
    earlier = next((n for n, item in enumerate(made.items) if item.kind == "harm"), None)
    same = made.key in ("", "blow") or made.about[-1:] == [e.who]
    if earlier is not None and same and made.about[-1:] in ([e.who], []):
        took += int(made.items[earlier].text.lstrip("−").split()[0])
        del made.items[earlier]
    elif made.who != e.who and made.about[-1:] != [e.who]:
        made.told(f"· {t.name(e.who)}")
        made.about.append(e.who)
    text = f"−{took}" if took else LINES["unharmed"].of(t.lang)
    if e.who in t.table.seats and e.hp:
        text += f" {LINES['left'].of(t.lang).format(n=e.hp)}"
    dice, t.dice = " + ".join(t.dice), []
    hurt = f"{t.name(e.who)} is hurt" if took else ""
    made.told(text, hurt, "harm" if took else "text", dice)
    if took:
        made.became(e.who, "hurt")


def _heal(e: h.HitPointsChanged, t: Telling) -> None:
    made = t.about(e.who) or t.last
    if made is None or made.kind not in ("use", "heal") or e.why == "hit-die":
        made = t.opened("heal", e.who)
    elif made.who != e.who:
        made.about.append(e.who)
        made.items += [arrow("for"), who(t.name(e.who))]
    text = f"+{e.amount}"
    if e.who in t.table.seats:
        text += f" {LINES['now'].of(t.lang).format(n=e.hp)}"
    dice, t.dice = " + ".join(t.dice), []
    made.told(text, f"{t.name(e.who)} is healed", "heal", dice)
    made.became(e.who, "healed")


@tell_one.register
def _(e: h.Rested, t: Telling, before: Table) -> None:
    one = before.cast.the(e.who)
    if e.kind == "short" and one.hp == one.max_hp and t.table.is_held(e.who) and not t.about(e.who):
        t.noted(e.who, LINES["unhurt"].of(t.lang), state=None)


Aside = (
    h.TurnBegan | h.TempChanged | h.Endured | h.ConcentrationEnded | x.AttitudeChanged
    | x.EdgeGained
)  # fmt: skip


@tell_one.register
def _(e: Aside, t: Telling, before: Table) -> None:
    """Add remarks about somebody that prose need not show."""
    match e:
        case h.TurnBegan(actor=who, lost="surprised"):
            text = LINES["surprised"].of(t.lang)
        case h.TempChanged(who=who, temp=temp) if temp:
            text = LINES["temp"].of(t.lang).format(n=temp)
        case h.Endured(who=who, success=True):
            text = LINES["endures"].of(t.lang)
        case h.ConcentrationEnded(who=who, why="damage" | "incapacitated"):
            text = LINES["loses_hold"].of(t.lang)
        case x.AttitudeChanged(person=who, amount=amount):
            text = LINES["warms" if amount > 0 else "cools"].of(t.lang)
        case x.EdgeGained(who=who, way=way):
            _stands(who, texts("edge")[way].of(t.lang), t, state=None)
            return
        case _:
            return
    t.noted(who, text, state=None)


Plain = h.Fell | h.CameRound | h.Stabilised | h.Died | h.Hidden | h.Readying | x.Yielded | x.Shaken
BECAME: dict[type[Plain], tuple[str, str, State | None]] = {
    h.Fell: ("down", "goes down, unconscious", "state"),
    h.CameRound: ("up", "", "state"),
    h.Stabilised: ("stable", "", "state"),
    h.Died: ("slain", "dies", "dead"),
    h.Hidden: ("hidden", "", "state"),
    h.Readying: ("ready", "", None),
    x.Yielded: ("yields", "gives up", "yielded"),
    x.Shaken: ("shaken", "", "state"),
}
"""For events that only change somebody's state: key of the line, words for prompts, state."""


@tell_one.register
def _(e: Plain, t: Telling, before: Table) -> None:
    line, says, state = next(row for kind, row in BECAME.items() if isinstance(e, kind))
    if isinstance(e, h.Stabilised) and e.who not in t.table.seats:
        line, says = "knocked_out", "is knocked out, not dead"
    elif isinstance(e, x.Yielded) and (foe := t.table.cast.get(e.who)) and not foe.conscious:
        line, says = "tied", "is tied up, and a captive from now on"
    t.noted(e.who, LINES[line].of(t.lang), says, state)
    if isinstance(e, h.Fell | h.Died) and e.who in t.table.characters:
        fell = ("falls", "drops") if isinstance(e, h.Fell) else ("dies",)
        t.tell(t.pick([LINES[key] for key in fell]).of(t.lang).format(who=t.name(e.who)))
    elif isinstance(e, h.Died) and (there := encounter_of(before, t.book)):
        kind = before.cast.the(e.who).kind
        told = (one.dies.of(t.lang) for one in there.foes if one.kind == kind and one.dies)
        t.tell(next(told, ""))


def _outcome(made: Making, t: Telling, roll: h.Rolled, what: str, dc: int, success: bool) -> None:
    mark = "✓" if success else "✗"
    spoken = f"{roll.roll.total} / {dc}, {'success' if success else 'failure'}"
    made.items += [
        Item(kind="skill", text=what),
        Item(
            kind="roll",
            text=f"{roll.roll.total}/{dc} {mark}",
            spoken=spoken,
            dice=t.roll(roll.roll),
        ),
    ]


@tell_one.register
def _(e: h.DeathSaved, t: Telling, before: Table) -> None:
    made = t.opened("check", e.who)
    good = e.failed <= before.cast.the(e.who).failed
    _outcome(made, t, e, LINES["death_save"].of(t.lang), 10, good)
    made.says.append(f"{t.name(e.who)} {'holds on' if good else 'slips further'}")
    made.became(e.who, "checked")


@tell_one.register
def _(e: h.SaveRolled, t: Telling, before: Table) -> None:
    if e.automatic:
        return
    what = LINES["save"].of(t.lang).format(ability=ABILITIES[e.ability].of(t.lang))
    made = t.opened("check", e.who, must=False)
    _outcome(made, t, e, what, e.dc, e.success)
    made.says.append(f"{t.name(e.who)} {'withstands' if e.success else 'does not withstand'} it")
    made.became(e.who, "checked")


@tell_one.register
def _(e: h.Checked, t: Telling, before: Table) -> None:
    skill = (SKILLS.get(e.what) or ABILITIES[e.what]).of(t.lang)
    last = t.last
    made = last if last and last.tries and last.who == e.who else t.opened("check", e.who)
    made.tries = False
    made.kind, made.must, made.echo = "check", True, False
    if made.items and (tried := made.items[-1]).kind == "text" and not tried.text.endswith("·"):
        made.items[-1] = tried.model_copy(update={"text": f"{tried.text} ·"})
    _outcome(made, t, e, skill, e.dc, e.success)
    made.says.append(f"{t.name(e.who)}, {skill}: {'succeeds' if e.success else 'fails'}")
    made.became(e.who, "checked")


@tell_one.register
def _(e: h.Contested, t: Telling, before: Table) -> None:
    made = t.opened("check", e.who, e.other)
    skill = (SKILLS.get(e.what) or ABILITIES[e.what]).of(t.lang)
    dice = " / ".join(t.roll(one) for one in e.rolls)
    made.items += [
        arrow(),
        who(t.name(e.other)),
        Item(kind="skill", text=f"({skill})"),
        Item(kind="roll", text="✓" if e.success else "✗", dice=dice),
    ]
    made.says.append(
        f"{t.name(e.who)} {'gets' if e.success else 'does not get'} the better of {t.name(e.other)}"
    )
    made.became(e.who, "checked")


@tell_one.register
def _(e: h.SpellCast, t: Telling, before: Table) -> None:
    made = t.opened("use", e.who)
    made.key = e.spell
    spell = t.book.rules.spells.get(e.spell)
    untold = spell and spell.friendly and not (spell.inflicts or spell.heal or spell.temp)
    whom = [one for one in e.targets if untold and one != e.who]  # of others effects will tell
    on = "".join(f" on {t.name(one)}" for one in whom)
    made.told(t.thing(e.spell), f"{t.name(e.who)} casts {t.thing(e.spell)}{on}", "skill")
    for one in whom:
        made.items += [arrow("on"), who(t.name(one))]
        made.about.append(one)


@tell_one.register
def _(e: h.PowerUsed | h.FeatureUsed, t: Telling, before: Table) -> None:
    what = t.thing(e.power, e.who) if isinstance(e, h.PowerUsed) else t.thing(e.feature)
    t.opened("use", e.who).told(what, f"{t.name(e.who)}: {what}", "skill")


@tell_one.register
def _(e: h.EffectGained, t: Telling, before: Table) -> None:
    effect, had = e.effect, before.cast.the(e.who).conditions
    if stance := texts("stances").get(effect.key.removeprefix(IMPROVISED)):
        _stands(e.who, stance.of(t.lang), t)
    for key in headlines(tuple(one for one in effect.conditions if one not in had)):
        asleep = key == "unconscious" and effect.wakes
        t.noted(e.who, (LINES["asleep"] if asleep else CONDITIONS[key]).of(t.lang))
    spell = t.book.rules.spells.get(effect.key)
    if spell and not effect.conditions and spell.range:
        made = t.last
        if made and made.kind == "use" and made.key == effect.key and made.who != e.who:
            if made.about and made.items[-1].kind == "who":
                made.items[-1] = who(f"{made.items[-1].text}, {t.name(e.who)}")
            else:
                made.items += [arrow("on"), who(t.name(e.who))]
            made.about.append(e.who)


def _stands(who_: str, stance: str, t: Telling, state: State | None = "state") -> None:
    """Add how somebody stands now; of several in the same way, in a row, it is said once."""
    last = t.last
    if last and len(last.items) > 1 and last.items[-1].text == stance:
        before = last.items[-2]
        last.items[-2] = before.model_copy(update={"text": f"{before.text}, {t.name(who_)}"})
        last.says.append(f"{t.name(who_)} {stance}")
        last.about.append(who_)
        if state:
            last.became(who_, state)
        return
    t.noted(who_, stance, state=state)


def headlines(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Drop conditions that another one of them implies.

    >>> headlines(("unconscious", "incapacitated", "prone"))
    ('unconscious',)
    """
    brought = {each for one in conditions for each in with_implied((one,)) if each != one}
    return tuple(one for one in conditions if one not in brought)


@tell_one.register
def _(e: h.EffectEnded, t: Telling, before: Table) -> None:
    was, now = before.cast.the(e.who), t.table.cast.the(e.who)
    if e.key == LURED and e.why == "time" and now.conscious:
        _stands(e.who, LINES["lured"].of(t.lang), t)
    if not now.conscious or (t.last and t.last.kind == "other" and t.about(e.who)):
        return
    ended = was.under(e.key, e.source)
    for key in headlines(tuple(one for one in was.conditions if not now.has(one))):
        if key == "unconscious" and ended is not None and ended.wakes:
            t.noted(e.who, LINES["awake"].of(t.lang), state=None)
        else:
            over = LINES["no_longer"].of(t.lang).format(what=CONDITIONS[key].of(t.lang))
            t.noted(e.who, over, state=None)


@tell_one.register
def _(e: h.ItemGained, t: Telling, before: Table) -> None:
    if (e.who, e.item) in t.loosed:
        return
    count = f" ×{e.count}" if e.count > 1 else ""
    _gain(t, e.who, f"+ {t.thing(e.item)}{count}", t.thing(e.item))


def _gain(t: Telling, actor: str, text: str, what: str) -> None:
    made = t.opened("gain", actor, must=False).told(text, f"{t.name(actor)} gets {what}", "gain")
    made.gained.append(what)
    made.became(actor, "gained")


@tell_one.register
def _(e: h.ItemLost, t: Telling, before: Table) -> None:
    if e.why in ("used", "given", "sold"):
        what = t.thing(e.item)
        parts = f"{t.name(e.who)} parts with {what}"
        t.opened("loss", e.who, must=False).told(f"− {what}", parts, "loss")


@tell_one.register
def _(e: h.GotAway, t: Telling, before: Table) -> None:
    if e.who not in t.table.tale.captives and before.cast.the(e.who).conscious:
        if e.who in t.table.characters and not _awake(before):
            t.noted(e.who, LINES["leaves"].of(t.lang), "leaves", state=None)
        else:
            t.noted(e.who, LINES["gone"].of(t.lang), "gets away", state="fled")


def _awake(table: Table) -> bool:
    """Whether anybody who is fought is awake: else the party walks away, and flees from nobody."""
    return any(one.side != "party" and one.conscious for one in table.cast.fighters if one.present)


@tell_one.register
def _(e: h.XpGained, t: Telling, before: Table) -> None:
    last = t.last
    text = LINES["xp"].of(t.lang).format(n=e.amount)
    if last and last.kind == "gain" and last.key == text:
        last.items[0] = who(f"{last.items[0].text}, {t.name(e.who)}")
        return
    t.opened("gain", e.who, must=False).told(text, kind="gain").key = text


@tell_one.register
def _(e: h.LevelReached, t: Telling, before: Table) -> None:
    _gain(t, e.who, LINES["level"].of(t.lang).format(n=e.level), "")


@tell_one.register
def _(e: x.Did, t: Telling, before: Table) -> None:
    if e.said and not e.tries:
        _account(e, t)
        return
    if e.held:
        text = LINES["holds"].of(t.lang).format(what=e.text)
        made = t.opened("other", e.who, must=False)
        made.told(text, f"{t.name(e.who)} does as was promised ({e.text}), and no more")
        return
    paid = (one for one in t.blocks if isinstance(one, Making) and one.key == "pays")
    for one in paid if e.to else ():
        if not one.about:
            one.says = [f"the party pays {t.name(e.to)}: {t.name(e.who)} {e.text or 'gives it'}"]
            one.about.append(e.to)
    made = t.opened("say" if e.to else "other", e.who, e.to)
    made.echo, made.tries = True, e.tries
    if e.to and e.to != e.who:
        made.items += [arrow("to"), who(t.name(e.to))]
    if (
        e.text and not e.said
    ):  # the line begins with the character's name, so a repetition is removed
        made.told(e.text.removeprefix(f"{t.name(e.who)} "))
    whom = t.name(e.to) if e.to else "whoever was spoken to"
    tried = (
        f"{t.name(e.who)} tries it, with these words: {e.text} (no others are spoken; {whom} "
        "answers once, by how it ends: these words, and whatever else was asked or offered)"
    )
    made.says.append(tried if e.said else f"{t.name(e.who)}: {e.text or '…'}")
    if e.said:  # what comes of the roll is their answer to these words
        whose = {e.to} if e.to else {*waiting_here(t)}
        t.blocks = [one for one in t.blocks if not any(answers(one, to) for to in whose)]
        t.answered |= whose
    elif e.to in people(t.table, t.book) and not e.tries:
        replies(e.who, e.to, e.text, t)


def _account(e: x.Did, t: Telling) -> None:
    """Add reported speech, as a passage rather than as something that happened."""
    told = LINES["tells_to"] if e.to else LINES["tells"]
    t.tell(told.of(t.lang).format(who=t.name(e.who), to=t.towards(e.to), text=e.text))
    t.spoken.add((e.who, e.to))
    replies(e.who, e.to, e.text, t)


@tell_one.register
def _(e: x.Parted, t: Telling, before: Table) -> None:
    text = LINES["stays_here" if e.scene else "with_us"].of(t.lang)
    t.opened("move", e.who, must=False).told(text, f"{t.name(e.who)} {text}", "state")


@tell_one.register
def _(e: x.Overheard, t: Telling, before: Table) -> None:
    place, story = t.book.story.scenes[e.scene], t.book.story
    names = t.names(e.beings)
    text = LINES["hears_there" if names else "hears_nobody"].of(t.lang)
    made = t.about(e.who) or t.opened("detail", e.who)
    told = text.format(place=place.name.of(t.lang), who=names)
    groups = dict.fromkeys(one.partition("/")[0] for one in e.beings)
    rows = (story.encounters[one].text.of(t.lang) for one in groups if one in story.encounters)
    what = " ".join(rows) if names else ""
    heard = f"; tell what is heard of it: {what}" if what else ""
    made.told(f"— {told}", f"{t.name(e.who)} {told}{heard}")


@tell_one.register
def _(e: x.Noticed, t: Telling, before: Table) -> None:
    if e.who == DM:
        t.tell(e.text)
        return
    made = t.about(e.who) or t.opened("detail", e.who)
    made.told(f"— {e.text}", f"{t.name(e.who)} sees: {e.text}")


@tell_one.register
def _(e: x.Withheld, t: Telling, before: Table) -> None:
    checks = (
        one
        for one in reversed(t.blocks)
        if isinstance(one, Making) and (one.kind, one.who) == ("check", e.who)
    )
    made = next(checks, t.last) if e.kind == "item" else t.last
    made = made or t.opened("other", e.who, must=False)
    text = texts("withheld").get(e.kind, LINES["nothing_more"]).of(t.lang).format(who=t.name(e.who))
    made.told(f"({text})", f"not brought about: {e.kind} of {t.name(e.who)} ({e.why})")


@tell_one.register
def _(e: x.InVain, t: Telling, before: Table) -> None:
    made = t.opened("vain", e.who)
    why, _, price = e.why.partition(":")
    known = undone.IN_VAIN | texts("vain")
    text = _lacks(e, t) or (_seen(e, t) if why == "all_seen" else "") or known[why].of(t.lang)
    if why == "fellows":
        text = text.format(who=t.name(price))
    elif price:
        # The refusal for lack of coin replaces the person's answer to the order.
        t.blocks = [one for one in t.blocks if isinstance(one, str) or one.key != (e.text or "-")]
        text += f" ({priced(int(price), t.lang)})"
    quoted = f"{undone.quoted((e.text,), t.lang)} — {text}" if e.text else text
    orders = bool(price) and why != "fellows"
    wants = "orders it, and whoever sells it declines" if orders else "wants what cannot be"
    made.told(quoted, f"{t.name(e.who)} {wants} ({text}): {e.text}")


def _seen(e: x.InVain, t: Telling) -> str:
    """Repeat what was told before about something that is searched again."""
    found = described(e.text, t.table, t.book, TABLE)
    return " ".join((*found, texts("answers")["no_more"].of(t.lang))) if found else ""


def _lacks(e: x.InVain, t: Telling) -> str:
    """Name the spell or feature that somebody wanted to use and does not have."""
    one, rules, said = t.table.cast.get(e.who), t.book.rules, words_of(e.text)
    if e.why not in ("not_able", "not_carried") or one is None:
        return ""
    own = {*one.spells, *one.traits, *(feature.key for feature in one.features)}
    known: dict[str, Called] = {**rules.features, **rules.spells}
    named = {key: phrase_of(said, what, key) for key, what in known.items() if key not in own}
    key = max(named, key=lambda key: len(named[key]))
    plain = len(named[key]) > 1 or len(said) <= len(named[key]) + 1
    if not named[key] or not plain:
        return ""
    lacks = LINES["not_on_sheet"].of(t.lang).format(what=known[key].name.of(t.lang))
    has = ", ".join(t.thing(one) for one in one.spells) if key in rules.spells else ""
    return LINES["sheet_has"].of(t.lang).format(lacks=lacks, what=has) if has else lacks


@tell_one.register
def _(e: x.KeepsakeGained, t: Telling, before: Table) -> None:
    _gain(t, e.who, LINES["keeps"].of(t.lang).format(what=e.text), e.text)


@tell_one.register
def _(e: x.KeepsakeGiven, t: Telling, before: Table) -> None:
    if e.mended:
        t.tell(LINES["mended"].of(t.lang).format(what=e.text))
        return
    made = t.opened("loss", e.who, e.to, must=False)
    to = f", and {t.name(e.to)} has it" if e.to else ""
    made.told(f"− {e.text}", f"{t.name(e.who)} parts with {e.text}{to}", "loss")
    if e.to:
        made.items += [arrow("to"), who(t.name(e.to))]


@tell_one.register
def _(e: x.MarkMade, t: Telling, before: Table) -> None:
    text = e.text or texts("marks")[e.what].of(t.lang)
    if t.blocks[-1:] != [text]:
        t.opened("other", must=False).told(text, text)


@tell_one.register
def _(e: x.Followed | x.PersonLeft, t: Telling, before: Table) -> None:
    if isinstance(e, x.PersonLeft) and e.struck:
        text = LINES["struck_down"].of(t.lang)
        t.noted(e.person, text, "is struck down, and others carry the body away", state="dead")
        return
    stays = isinstance(e, x.Followed)
    left = e.person in before.tale.captives
    text = LINES["follows" if stays else "stays" if left else "gone"].of(t.lang)
    if left and not stays:
        t.noted(e.person, text, "is left behind", state=None)
        return
    t.noted(e.person, text, state=None if stays else "fled")


@tell_one.register
def _(e: x.Unmoved, t: Telling, before: Table) -> None:
    last, why = t.last, e.why and f" ({texts('unmoved')[e.why].of(t.lang)})"
    if last and last.key == f"unmoved{why}" and e.who not in (last.who, *last.about):
        last.items[0] = who(f"{last.items[0].text}, {t.name(e.who)}")
        last.about.append(e.who)
        last.says.append(f"{t.name(e.who)} does not give way")
        return
    text = f"{LINES['unmoved'].of(t.lang)}{why}"
    t.noted(e.who, text, f"does not give way, without a roll{why}", state=None)
    if t.last and t.last.who == e.who and len(t.last.items) == 2:
        t.last.key = f"unmoved{why}"


@tell_one.register
def _(e: x.TimeSpent, t: Telling, before: Table) -> None:
    t.opened("time", must=False).told(LINES["minutes"].of(t.lang).format(n=e.minutes))


@tell_one.register
def _(e: x.DetailEstablished, t: Telling, before: Table) -> None:
    if e.author == DM or not e.text:
        t.tell(e.text)
        return
    # A promise whose text begins with its author's name needs no line that names them again.
    promised = e.kind == "promise" and words_of(e.text)[:1] != words_of(t.name(e.author))[:1]
    text = LINES["promised"].of(t.lang).format(what=e.text) if promised else f"— {e.text}"
    same = t.about(e.author) if e.kind != "promise" else None
    made = same or t.opened("detail", e.author if promised else "", must=False)
    if not any(item.text == e.text for item in made.items):
        made.told(text)
    made.says.append(f"this is so: {e.text}")


@tell_one.register
def _(e: x.PersonActs, t: Telling, before: Table) -> None:
    if e.how == "agrees":
        made = t.opened("other", e.person, e.to, must=False)
        made.items.clear()
        made.says.append(f"{t.name(e.person)} takes {t.name(e.to)}'s wager")
    if not e.text:
        return
    words = e.text.strip('“”"«» ')
    # A text with a quotation in it, or with the speaker's own name, tells how somebody speaks.
    name, *parts = called(t.name(e.person))
    named = name.casefold() in words.casefold() or {*parts} & {*re.findall(r"\w+", words)}
    tells = {*'“”"«»'} & {*words} or named
    speaks = e.how in ("speaks", "offers", "warns", "asks") and not tells
    t.tell(LINES["says"].of(t.lang).format(who=t.name(e.person), text=words) if speaks else e.text)


@tell_one.register
def _(e: x.Complicated, t: Telling, before: Table) -> None:
    t.tell(e.text)


@tell_one.register
def _(e: x.Spotlit, t: Telling, before: Table) -> None:
    t.tell(LINES["turns_to"].of(t.lang).format(to=t.name(e.seat), text=e.text))


@tell_one.register
def _(e: x.AskedBack, t: Telling, before: Table) -> None:
    asked = texts("asked").get(e.question)
    question = asked.of(t.lang) if asked else e.question
    offered = [
        texts("yes_no")[one].of(t.lang) if one in texts("yes_no") else one for one in e.choices
    ]
    rows = "\n".join(f"{at}. {one}" for at, one in enumerate(offered, 1))
    t.back.add(text := f"{question}\n{rows}")
    t.tell(text, e.ears)


@tell_one.register
def _(e: x.LeftUndone, t: Telling, before: Table) -> None:
    t.tell(undone.told(e.texts, e.why, t.lang), e.ears)
