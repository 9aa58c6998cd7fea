"""Turns rule acts of a reading into steps, with those that bring a target in reach; takes them."""

from __future__ import annotations

from functools import partial
from itertools import takewhile

from ruleplay.agents.party.domain import effecting
from ruleplay.agents.party.domain.choices import approach, in_area
from ruleplay.agents.party.domain.exploration.acts import RESTS
from ruleplay.agents.party.domain.fight import REACH
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.creatures import FeatureUsed
from ruleplay.agents.party.domain.happenings.exploration import DayBroke, ShortRestTaken
from ruleplay.agents.party.domain.intents import Intent, Refusal
from ruleplay.agents.party.domain.performance import Done, Performance, dart_of
from ruleplay.agents.party.domain.rules.rests import RECOVERIES
from ruleplay.agents.party.domain.rules.spells import AIMED
from ruleplay.agents.party.domain.rules.spending import QUICK
from ruleplay.story.acts import EVERYBODY, MASTER, Act


def steps_of(now: Performance, act: Act) -> tuple[Intent, ...]:
    """Return a rule act as intents, preceded by the move that brings its target within reach."""
    table = now.play.table
    me, other = table.cast.the(now.who), table.cast.get(act.to)
    what = {"attack": lambda: _attack(now, act)}.get(act.item, lambda: act.with_)()
    if act.item == "shove":
        what = "away" if act.stunt and act.stunt.kind == "place" else "prone"
    if act.item in ("power", "feature", "ready") and not what and me.attacks:
        what = me.attacks[0].key if act.item == "ready" else what
    target = act.to if other else (me.id if act.item in ("feature", "use") else act.to)
    step = Intent.model_validate(
        {
            "act": act.item,
            "target": target if target not in (EVERYBODY, MASTER) else "",
            "targets": _around(now, act),
            "what": what,
            "spare": act.spare,
            "pulled": act.stunt is not None,
        }
    )
    return (*nearer(now, act, what), step)


def _around(now: Performance, act: Act) -> tuple[str, ...]:
    """Return a spell's further targets: foes in its area, or all those who share its rays."""
    spell, table = now.play.book.rules.spells.get(act.with_), now.play.table
    aimed = table.cast.get(act.to)
    more = [*takewhile(lambda one: dart_of(one, act), now.coming)]
    if more and spell and spell.rays > 1:
        return tuple(one.to for one in (act, *more) for _ in range(one.count))
    if act.item != "cast" or spell is None or aimed is None:
        return ()
    return in_area(table, table.cast.the(now.who), spell, aimed)


def nearer(now: Performance, act: Act, what: str) -> tuple[Intent, ...]:
    """Return the move that brings an act's target within reach, if it needs one."""
    table = now.play.table
    me, other = table.cast.the(now.who), table.cast.get(act.to)
    close = act.item in ("attack", "grapple", "shove", "help", "stabilise", "wake", "use")
    if not now.fighting or other is None or other.id == me.id or not close:
        return ()
    attack = me.attack(what) if act.item == "attack" else None
    if attack and attack.range and abs(me.position - other.position) <= attack.range:
        return ()
    return approach(table, me, other, attack.reach if attack and attack.reach else REACH)


def _attack(now: Performance, act: Act) -> str:
    me = now.play.table.cast.the(now.who)
    found = me.attack(act.with_) or (me.attacks[0] if me.attacks else None)
    return found.key if found else ""


def readied(now: Performance, act: Act) -> str:
    """Return the attack or cantrip to ready by the rules; empty for anything else."""
    if act.when != "trigger" or not now.fighting:
        return ""
    spell = now.play.book.rules.spells.get(act.with_)
    aims = act.item == "cast" and spell and not spell.level and spell.how in AIMED
    blow = act.item in ("attack", "ready")
    return act.with_ if aims else _attack(now, act) if blow else ""


def bless(now: Performance, act: Act) -> Done:
    """Cast a friendly spell on a person of the story, who has no numbers that it could change."""
    if refused := effecting.pay_for(now.play, now.who, act.with_):
        return now.took(refused)
    now.used = True
    now.play.add(t.Did(who=now.who, text=act.text or act.with_, to=act.to))
    return True


def use_feature(now: Performance, act: Act) -> Done:
    """Use a feature outside a fight; those restored by a rest are already back."""
    key, done = act.with_, now.play.done
    rests = any(one.do == "pick" and one.item in RESTS for one in now.coming)
    rested = any(isinstance(one, ShortRestTaken | DayBroke) for one in done)
    if key in RECOVERIES and (rests or rested):
        one = now.play.table.cast.the(now.who)
        used = any(isinstance(own, FeatureUsed) and own.feature == key for own in done)
        spent = key not in {own.key for own in one.features if own.left}
        if rests or used or any(isinstance(own, DayBroke) for own in done):
            return True
        return now.took(Refusal(reason="feature-spent" if spent else "no-slot-lost", about=key))
    refused = now.play.step(now.who, steps_of(now, act)[-1])
    only = refused and refused.reason == "no-fight"
    return now.took(Refusal(reason="only-at-rest", about=key) if only else refused)


def step_on(now: Performance, steps: tuple[Intent, ...]) -> Done:
    """Take several steps; only the last one is the act itself, moving closer may fail."""
    for n, step in enumerate(map(partial(quick, now), steps)):
        refused = now.play.step(now.who, step)
        if refused and n + 1 == len(steps):
            return now.took(refused)
        now.used = now.used or refused is None
        if not now.mine or not now.fighting:
            break
    now.last = effecting.struck(now.play)
    return True


def quick(now: Performance, step: Intent) -> Intent:
    """Replace a step by its Cunning Action variant once the action is spent."""
    fight, one = now.play.table.cast.fight, now.play.table.cast.get(now.who)
    spent = fight and not fight.budget.action and fight.budget.bonus
    if not (spent and one and step.act in QUICK and one.has_feature("cunning-action")):
        return step
    return Intent(act="feature", what=f"cunning-{step.act}", target=one.id)


def bring_stunt(now: Performance, act: Act) -> Done:
    """Apply the one extra effect wished for on a hit, if the attack did hit."""
    if now.last and act.stunt and now.fighting:
        wished = (act.stunt,)
        if not effecting.bring(now.play, now.seat, wished, success=True, band=act.band):
            effecting.reward(now.play, now.seat, act)
    return True
