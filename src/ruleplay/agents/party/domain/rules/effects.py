"""Applying and ending effects on creatures, and the concentration that sustains some of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ruleplay.agents.party.domain.creature import Boon, Creature, Effect, Inflicts
from ruleplay.agents.party.domain.fight import LURED
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.play import Play
from ruleplay.agents.party.domain.rules.conditions import HIDDEN, with_implied
from ruleplay.agents.party.domain.terms import Ability, Condition

PRONE: Final = Effect(key="prone", conditions=("prone",))
CASTERS_DC = 1
"""In the data, an `escape` of 1 stands for the save DC of the effect's source."""


def lure(who: str, source: str) -> Effect:
    """Return the effect on a foe that goes after something: until the end of its next turn.

    It comes no closer, and its first blow is harder.
    """
    boon = Boon(dis_attack=True, once=True, pace="none")
    return Effect(key=LURED, source=source, boon=boon, left=1, of=who, at="end")


def inflict(
    play: Play,
    who: str,
    given: Inflicts,
    key: str,
    source: str,
    *,
    rounds: int | None = None,
    save: Ability | str = "",
    dc: int = 0,
    concentration: bool = False,
    slot: int = 0,
) -> bool:
    """Apply an effect from the data; False if the target is dead or immune to all of it."""
    bearer = play.the(who)
    conditions = tuple(
        one for one in with_implied(given.conditions) if not _immune(bearer, one, given.conditions)
    )
    if bearer.dead or (given.conditions and not conditions):
        return False
    left = given.rounds if rounds is None else rounds
    of = source if given.of == "source" else who
    fight = play.cast.fight
    if left and given.at == "end" and fight is not None and fight.actor == of:
        left += 1  # the end of this very turn does not count
    effect = Effect.model_validate(
        {
            "key": given.key or key,
            "source": source,
            "conditions": conditions,
            "boon": given.boon,
            "left": left,
            "of": of,
            "at": given.at,
            "save": save if given.save_ends else "",
            "dc": dc,
            "escape": dc if given.escape == CASTERS_DC else given.escape,
            "wakes": given.wakes,
            "concentration": concentration,
            "hurts": given.hurts,
            "slot": slot,
        }
    )
    bestow(play, who, effect)
    return True


def _immune(bearer: Creature, condition: Condition, wanted: tuple[Condition, ...]) -> bool:
    """Whether a creature is immune to a condition, or to everything that would include it."""
    if condition in wanted:
        return condition in bearer.condition_immune
    bringers = [one for one in wanted if condition in with_implied((one,))]
    return all(one in bearer.condition_immune for one in bringers)


def bestow(play: Play, who: str, effect: Effect) -> None:
    """Apply an effect and its consequences, replacing the same effect from the same source."""
    bearer = play.the(who)
    if not bearer.alive:
        return
    old = bearer.under(effect.key, effect.source)
    if old is not None:
        lift(play, who, old, "over")
    play.add(h.EffectGained(who=who, effect=effect))
    if effect.boon and effect.boon.max_hp:
        _raise_maximum(play, who, effect.boon.max_hp)
    if "incapacitated" in effect.conditions:
        let_go(play, who)


def lift(play: Play, who: str, effect: Effect, why: str) -> None:
    """End an effect and undo what it added."""
    play.add(
        h.EffectEnded.model_validate(
            {"who": who, "key": effect.key, "source": effect.source, "why": why}
        )
    )
    _left_lying(play, who, effect)
    if effect.boon and effect.boon.max_hp:
        _raise_maximum(play, who, -effect.boon.max_hp)
    # "lost" and "over" come from ending the concentration itself, or from replacing the effect.
    if effect.concentration and effect.source != who and why not in ("lost", "over"):
        _idle(play, effect.source)


def _left_lying(play: Play, who: str, effect: Effect) -> None:
    """Keep a creature prone when it wakes up: unconsciousness ends, the fall does not."""
    one = play.the(who)
    if "unconscious" in effect.conditions and one.conscious and not one.has("prone"):
        play.add(h.EffectGained(who=who, effect=PRONE))


def _idle(play: Play, caster: str) -> None:
    """End a concentration with no target left, unless the spell can be aimed at others again."""
    one = play.cast.get(caster)
    spell = play.book.spells.get(one.concentration) if one else None
    if one is None or spell is None or spell.sustain:
        return
    held = (
        effect for bearer in play.cast.creatures if bearer.id != caster for effect in bearer.effects
    )
    if not any(effect.concentration and effect.source == caster for effect in held):
        end_concentration(play, caster, "ended")


def _raise_maximum(play: Play, who: str, amount: int) -> None:
    """Change the hit point maximum; a rise also adds hit points, a drop only caps them."""
    one = play.the(who)
    top = max(1, one.max_hp + amount)
    play.add(h.MaxHpChanged(who=who, amount=top - one.max_hp, max_hp=top))
    risen = amount if amount > 0 and one.hp > 0 else 0
    hp = min(top, one.hp + risen)
    if hp != one.hp:
        play.add(h.HitPointsChanged(who=who, amount=hp - one.hp, hp=hp, why="max-hp"))


def let_go(play: Play, who: str) -> None:
    """End the concentration and the grapples of a creature that can no longer act."""
    end_concentration(play, who, "incapacitated")
    release(play, who)


def release(play: Play, grappler: str) -> None:
    """End a creature's grapples."""
    for one in play.cast.creatures:
        held = one.under("grappled", grappler)
        if held:
            lift(play, one.id, held, "lost")


def concentrate(play: Play, who: str, spell: str) -> None:
    """Start concentrating; any earlier concentration ends (SRD 5.1)."""
    end_concentration(play, who, "another")
    play.add(h.ConcentrationBegan(who=who, spell=spell))


def end_concentration(play: Play, who: str, why: str) -> None:
    """End a creature's concentration, if any, and every effect it sustained."""
    spell = play.the(who).concentration
    if not spell:
        return
    play.add(h.ConcentrationEnded.model_validate({"who": who, "spell": spell, "why": why}))
    for one in play.cast.creatures:
        for effect in one.effects:
            if effect.concentration and effect.source == who:
                lift(play, one.id, effect, "lost")


def come_into_sight(play: Play, who: str, before: Creature | None = None) -> None:
    """End hiding and invisibility after an attack or a spell.

    `before` is the creature before the act, so that an invisibility cast by the act itself stays.
    """
    for effect in (before or play.the(who)).effects:
        if effect.key in HIDDEN and play.the(who).under(effect.key, effect.source) is effect:
            if effect.concentration and effect.source and play.cast.get(effect.source):
                # Ending the concentration also removes the effect from everyone else it sustained.
                end_concentration(play, effect.source, "ended")
            else:
                lift(play, who, effect, "spent")


def expire(play: Play, who: str, moment: str) -> None:
    """End the effects that run out at this moment (`start` or `end`) of a creature's turn."""
    _end(play, lambda one: one.of == who and one.at == moment and one.left == 1)


def let_time_pass(play: Play, rounds: int) -> None:
    """Let rounds pass outside a fight and end the effects that run out meanwhile."""
    _end(play, lambda one: 0 < one.left <= rounds)
    play.add(h.TimePassed(rounds=rounds))


def _end(play: Play, due: Callable[[Effect], bool]) -> None:
    for one in play.cast.creatures:
        for effect in filter(due, one.effects):
            # Ending one effect can end others; skip those that are already gone.
            if play.the(one.id).under(effect.key, effect.source) is effect:
                _run_out(play, one.id, effect)


def _run_out(play: Play, who: str, effect: Effect) -> None:
    if effect.concentration and effect.source == who and play.the(who).concentration:
        end_concentration(play, who, "time")
    else:
        lift(play, who, effect, "time")
