"""How fights, checks, spells and rests are told: facts, with what each of them claims."""

from __future__ import annotations

from itertools import groupby

from ruleplay.agents.party.domain import happenings as h
from ruleplay.agents.party.domain.rules.conditions import with_implied
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.terms import Condition
from ruleplay.agents.party.domain.terms_text import ABILITIES, SKILLS
from ruleplay.agents.party.policy import fight_phrases as phrases
from ruleplay.agents.party.policy.telling import Telling, claim, tell_one
from ruleplay.agents.party.policy.telling_blows import tell_harm


@tell_one.register
def _(e: h.FightBegan, t: Telling, before: Table) -> None:
    fight = e.fight
    claims = [claim("initiative", t.name(who), fight.initiative_of(who)) for who in fight.order]
    listed = [
        f"{t.names([*group])} ({total})"
        for total, group in groupby(fight.order, fight.initiative_of)
    ]
    t.say(phrases.INITIATIVE, *claims, listed=", ".join(listed))


@tell_one.register
def _(e: h.FightOver, t: Telling, before: Table) -> None:
    t.fought = True
    t.loosed = before.cast.fight.loosed if before.cast.fight else ()
    t.say(phrases.OVER[e.outcome])


@tell_one.register
def _(e: h.TurnBegan, t: Telling, before: Table) -> None:
    if e.lost in phrases.LOST:
        t.say(phrases.LOST[e.lost], must=False, join="a", a=(e.actor,))


@tell_one.register
def _(e: h.ActionTaken, t: Telling, before: Table) -> None:
    text = phrases.DOES.get(e.act)
    if text is None:
        return
    claims = (claim("guards", t.name(e.who)),) if e.act == "dodge" else ()
    t.say(text, *claims, must=False, join="a", a=(e.who,), b=tuple(e.targets))


@tell_one.register
def _(e: h.Moved, t: Telling, before: Table) -> None:
    if e.why == "pushed":
        t.say(phrases.PUSHED, must=False, a=(e.who,))
        return
    foes = [one.position for one in before.cast.foes_of(e.who) if one.conscious]
    was, now = (min((abs(at - foe) for foe in foes), default=0) for at in (e.origin, e.position))
    text = phrases.CLOSES if now < was else phrases.WITHDRAWS if now > was else phrases.MOVES
    t.say(text, must=False, join="a", a=(e.who,))


@tell_one.register
def _(e: h.HitPointsChanged, t: Telling, before: Table) -> None:
    if e.why == "max-hp" or (e.why == "long-rest" and e.amount > 0):
        return
    if e.amount < 0 or (e.raw and before.cast.the(e.who).hp):
        tell_harm(e, t)
    elif e.amount > 0:
        _healing(e, t)


def _healing(e: h.HitPointsChanged, t: Telling) -> None:
    """Tell healing; of a character also how many hit points that makes."""
    b, claims = t.name(e.who), [claim("heals", t.name(e.who), e.amount)]
    if e.who in t.table.seats:
        claims.append(claim("hp", b, e.hp))
        t.say(phrases.HEALS_TO, *claims, b=(e.who,), n=e.amount, m=e.hp)
    else:
        t.say(phrases.HEALS, *claims, b=(e.who,), n=e.amount)


@tell_one.register
def _(e: h.TempChanged, t: Telling, before: Table) -> None:
    if e.temp:
        t.say(phrases.TEMP, claim("temp", t.name(e.who), e.temp), b=(e.who,), n=e.temp)


@tell_one.register
def _(e: h.Fell, t: Telling, before: Table) -> None:
    t.say(phrases.FALLS, claim("unconscious", t.name(e.who)), b=(e.who,))


@tell_one.register
def _(e: h.CameRound, t: Telling, before: Table) -> None:
    t.say(phrases.COMES_ROUND, claim("wakes", t.name(e.who)), join="b", b=(e.who,))


@tell_one.register
def _(e: h.Stabilised, t: Telling, before: Table) -> None:
    t.say(phrases.STABLE, claim("stable", t.name(e.who)), b=(e.who,))


@tell_one.register
def _(e: h.Died, t: Telling, before: Table) -> None:
    b = t.name(e.who)
    if e.by and e.by != e.who:
        claims = (claim("kills", t.name(e.by), "", b), claim("dies", b))
        t.say(t.pick(phrases.KILLS), *claims, a=(e.by,), b=(e.who,))
    else:
        t.say(phrases.DIES, claim("dies", b), b=(e.who,))


@tell_one.register
def _(e: h.Endured, t: Telling, before: Table) -> None:
    if e.success:
        t.say(phrases.ENDURES, must=False, b=(e.who,))


@tell_one.register
def _(e: h.DeathSaved, t: Telling, before: Table) -> None:
    good = e.failed <= before.cast.the(e.who).failed
    claims = (claim("roll", t.name(e.who), e.roll.total),)
    t.say(phrases.DEATH_SAVE[good], *claims, b=(e.who,), n=e.roll.total)


@tell_one.register
def _(e: h.SaveRolled, t: Telling, before: Table) -> None:
    b, ability = t.name(e.who), ABILITIES[e.ability].of(t.lang)
    claims = (
        claim("roll", b, e.roll.total),
        claim("difficulty", b, e.dc),
        claim("succeeds" if e.success else "fails", b),
    )
    t.say(phrases.SAVE[e.success], *claims, b=(e.who,), n=e.roll.total, m=e.dc, ability=ability)


@tell_one.register
def _(e: h.Checked, t: Telling, before: Table) -> None:
    a = t.name(e.who)
    skill = (SKILLS.get(e.what) or ABILITIES[e.what]).of(t.lang)
    claims = (
        claim("roll", a, e.roll.total),
        claim("difficulty", a, e.dc),
        claim("succeeds" if e.success else "fails", a),
    )
    t.say(phrases.CHECK[e.success], *claims, a=(e.who,), n=e.roll.total, m=e.dc, skill=skill)


@tell_one.register
def _(e: h.Contested, t: Telling, before: Table) -> None:
    t.say(phrases.CONTEST[e.success], a=(e.who,), b=(e.other,))


@tell_one.register
def _(e: h.SpellCast, t: Telling, before: Table) -> None:
    spell = t.thing(e.spell)
    t.say(phrases.CASTS, claim("casts", t.name(e.who), spell), a=(e.who,), spell=spell)


@tell_one.register
def _(e: h.PowerUsed, t: Telling, before: Table) -> None:
    power = t.thing(e.power, e.who)
    t.say(phrases.USES_FEATURE, claim("uses", t.name(e.who), power), a=(e.who,), feature=power)


@tell_one.register
def _(e: h.FeatureUsed, t: Telling, before: Table) -> None:
    feature = t.thing(e.feature)
    t.say(phrases.USES_FEATURE, claim("uses", t.name(e.who), feature), a=(e.who,), feature=feature)


@tell_one.register
def _(e: h.EffectGained, t: Telling, before: Table) -> None:
    effect, had = e.effect, before.cast.the(e.who).conditions
    if effect.conditions == ("prone",) and t.follows(phrases.AWAKE, e.who):
        t.take_back()
        wakes, lies = claim("wakes", t.name(e.who)), claim("prone", t.name(e.who))
        t.say(phrases.AWAKE_LYING, wakes, lies, must=False, join="b", b=(e.who,))
        return
    for key in headlines(tuple(one for one in effect.conditions if one not in had)):
        asleep = key == "unconscious" and effect.wakes
        text = phrases.ASLEEP if asleep else phrases.CONDITION[key]
        brought = [one for one in effect.conditions if one in with_implied((key,))]
        claims = tuple(claim(one, t.name(e.who)) for one in brought)
        t.say(text, *claims, join="b", b=(e.who,))
    spell = t.book.rules.spells.get(effect.key)
    if spell and not effect.conditions and (spell.range or not t.follows(phrases.CASTS, e.who)):
        name = t.thing(effect.key)
        lies = claim("upon", t.name(e.who), name)
        t.say(phrases.UPON, lies, must=False, join="b", b=(e.who,), effect=name)


def headlines(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Return conditions without those that another one of them brings.

    >>> headlines(("unconscious", "incapacitated", "prone"))
    ('unconscious',)
    """
    brought = {each for one in conditions for each in with_implied((one,)) if each != one}
    return tuple(one for one in conditions if one not in brought)


@tell_one.register
def _(e: h.EffectEnded, t: Telling, before: Table) -> None:
    was, now = before.cast.the(e.who), t.table.cast.the(e.who)
    if not now.conscious or t.follows(phrases.DOES["stand"], e.who):
        return
    ended = was.under(e.key, e.source)
    for key in headlines(tuple(one for one in was.conditions if not now.has(one))):
        awake = key == "unconscious" and ended is not None and ended.wakes
        text = phrases.AWAKE if awake else phrases.CONDITION_OVER[key]
        t.say(text, claim(f"{key}-over", t.name(e.who)), must=False, join="b", b=(e.who,))


@tell_one.register
def _(e: h.ConcentrationEnded, t: Telling, before: Table) -> None:
    if e.why in ("damage", "incapacitated"):
        t.say(phrases.LOSES_HOLD, claim("loses", t.name(e.who)), a=(e.who,))


@tell_one.register
def _(e: h.Hidden, t: Telling, before: Table) -> None:
    t.say(phrases.HIDES, must=False, a=(e.who,))


@tell_one.register
def _(e: h.Readying, t: Telling, before: Table) -> None:
    t.say(phrases.READIES, must=False, a=(e.who,))


@tell_one.register
def _(e: h.ItemGained, t: Telling, before: Table) -> None:
    text = phrases.PICKS_UP if (e.who, e.item) in t.loosed else phrases.GETS
    claims = (claim("gets", t.name(e.who), t.thing(e.item)), claim("count", t.name(e.who), e.count))
    t.say(text, *claims[: 1 + (e.count > 1)], a=(e.who,), w=t.a_thing(e.item, count=e.count))


@tell_one.register
def _(e: h.ItemLost, t: Telling, before: Table) -> None:
    if e.why in phrases.USES:
        claims = (claim("uses", t.name(e.who), t.thing(e.item)),)
        t.say(phrases.USES[e.why], *claims, a=(e.who,), w=t.a_thing(e.item, count=e.count))


@tell_one.register
def _(e: h.GotAway, t: Telling, before: Table) -> None:
    t.say(phrases.FLEES, claim("flees", t.name(e.who)), join="b", b=(e.who,))


@tell_one.register
def _(e: h.XpGained, t: Telling, before: Table) -> None:
    t.say(phrases.XP, claim("xp", t.name(e.who), e.amount), join="a", a=(e.who,), n=e.amount)


@tell_one.register
def _(e: h.LevelReached, t: Telling, before: Table) -> None:
    t.say(phrases.LEVEL, claim("level", t.name(e.who), e.level), a=(e.who,), n=e.level)
