"""Turns rule acts of a reading into intents, with the steps that bring a target within reach."""

from __future__ import annotations

from itertools import takewhile

from ruleplay.agents.party.domain.choices import approach, in_area
from ruleplay.agents.party.domain.fight import REACH
from ruleplay.agents.party.domain.intents import Intent
from ruleplay.agents.party.domain.performance import Performance, dart_of
from ruleplay.agents.party.domain.rules.spells import AIMED
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
