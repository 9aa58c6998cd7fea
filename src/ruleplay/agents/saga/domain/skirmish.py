"""Turns of a fight: the hero's acts, everybody else's in order of initiative, and the end.

A fight may end after any act, so `settle` is asked each time before going on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleplay.agents.saga.domain import archetypes, combat_acts, readiness, spoils
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.blows import apply_damage, weapon_of
from ruleplay.agents.saga.domain.fight import HERO, ROUNDS_AT_MOST, Cost, check_combat_status
from ruleplay.agents.saga.domain.intents import Intent, Plan
from ruleplay.agents.saga.domain.play import Play

HURTING = ("poisoned", "bleeding", "burning")
"""Statuses that cost hit points at the start of the bearer's turn."""
AT_TURN_START = ("guarding", "defending")
"""Statuses that end at the start of the bearer's next turn."""


def fight_on(play: Play, intents: Sequence[Intent], plans: Mapping[str, Plan]) -> None:
    """Play the hero's turn, and everybody else's up to the hero's next one.

    Intents are checked before anybody moves, so a refusal changes nothing.
    """
    if check_combat_status(play.fight) == "error_abort":
        spoils.conclude(play, "error_abort")
        return
    if any(intent.act == "force_end" for intent in intents):
        spoils.conclude(play, "forced_end")
        return
    if refusal := first_refusal(play, intents):
        play.add(refusal)
        return
    if all(intent.act in combat_acts.FREE for intent in intents):
        for intent in intents:
            play.add(combat_acts.consulted(intent.act))
        return
    if not play.fight.opened:
        play.add(h.FightOpened(actor=play.fight.actor))
        begin_turn(play)
        until_hero(play, plans)
    if play.game.fight and play.fight.actor == HERO:
        hero_turn(play, intents, plans)


def first_refusal(play: Play, intents: Sequence[Intent]) -> h.Refused | None:
    """Return why the intents cannot all be done in one turn, None if they can."""
    paid: list[Cost] = list(play.fight.spent) if play.fight.actor == HERO else []
    for intent in intents:
        if problem := combat_acts.problem(play, intent):
            return problem
        for cost in combat_acts.costs_of(play, intent):
            if cost in paid:
                far = cost == "minor" and combat_acts.closes_in(play, intent)
                reason = "too_far" if far else f"no_{cost}_left"
                return h.Refused(reason=reason, about=intent.target if far else "")
            paid.append(cost)
    return None


def hero_turn(play: Play, intents: Sequence[Intent], plans: Mapping[str, Plan]) -> None:
    """Let the hero act. The turn ends once the major action is spent, else it stays open."""
    if play.fight.the(HERO).has("stunned"):
        play.add(h.TurnSkipped(who=HERO, why="stunned"))
        end_turn(play)
        until_hero(play, plans)
        return
    for intent in intents:
        if not (play.game.fight and play.fight.actor == HERO):
            return
        if problem := combat_acts.problem(play, intent):
            play.add(problem)  # others have moved since the intents were checked
            continue
        combat_acts.act(play, intent)
        if settle(play):
            return
    if "major" in play.fight.spent:
        end_turn(play)
        until_hero(play, plans)


def until_hero(play: Play, plans: Mapping[str, Plan]) -> None:
    """Play the others' turns up to the hero's next one, or to the end of the fight."""
    # Bounded, so that a broken initiative order cannot loop for ever.
    for _ in range(2 * len(play.fight.order)):
        if settle(play) or play.fight.actor == HERO:
            return
        npc_turn(play, plans)
        if settle(play):
            return
        end_turn(play)


def npc_turn(play: Play, plans: Mapping[str, Plan]) -> None:
    """Play the current fighter's turn: by a model's plan if it is legal, else by archetype."""
    me = play.fight.the(play.fight.actor)
    if me.has("stunned"):
        play.add(h.TurnSkipped(who=me.id, why="stunned"))
        return
    weapon = weapon_of(play, me)
    plan = plans.get(me.id)
    if plan is None or combat_acts.plan_problem(play, plan):
        plan = archetypes.decide(play.fight, me.id, bool(weapon and weapon.ranged))
    if plan.act == "close_in" and plan.target:  # who goes for somebody strikes them
        plan = plan.model_copy(update={"act": "attack"})
    if plan.act in ("attack", "withdraw") and plan.target == HERO:
        readiness.spring(play, me.id)
        if play.game.fight is None:
            return  # the hero has run
        if not (play.fight.the(me.id).present and play.fight.the(HERO).present):
            return
    combat_acts.carry_out(play, plan)


def end_turn(play: Play) -> None:
    """End a turn: statuses age, and the next fighter's turn begins."""
    if settle(play):
        return
    actor = play.fight.the(play.fight.actor)
    if actor.present:
        for status in actor.statuses:
            if status.kind not in AT_TURN_START:
                left = status.rounds - 1
                play.add(h.StatusAged(who=actor.id, kind=status.kind, rounds=left))
    _advance(play)
    begin_turn(play)


def _advance(play: Play) -> None:
    """Let the next fighter move.

    Whoever was quicker than the hero has moved before them in the message that opened the fight,
    so the second round begins with the hero: the player answers each round of the others.
    """
    current, turn = play.fight.next_turn()
    opening = any(isinstance(one, h.FightOpened) for one in play.done)
    if opening and (play.fight.round, current) == (1, 2) and play.fight.the(HERO).present:
        turn = play.fight.order.index(HERO)
    play.add(h.TurnAdvanced(round=current, turn=turn, actor=play.fight.order[turn]))


def begin_turn(play: Play) -> None:
    """Begin a turn: defences end, and poison, bleeding and fire cost hit points.

    If these fell the fighter the next one's turn begins.
    """
    if play.fight.round > ROUNDS_AT_MOST:
        settle(play)
        return
    actor = play.fight.the(play.fight.actor)
    if actor.id == HERO and play.fight.round > 1:  # what was readied before the fight still holds
        readiness.lapse(play)
    for status in actor.statuses:
        if status.kind in AT_TURN_START:
            play.add(h.StatusAged(who=actor.id, kind=status.kind, rounds=0))
        elif status.kind in HURTING and play.fight.the(actor.id).alive and status.power:
            apply_damage(play, actor.id, status.power, cause=status.kind)
    if not actor.present or not play.fight.the(actor.id).alive:
        if settle(play):
            return
        _advance(play)
        begin_turn(play)


def settle(play: Play) -> bool:
    """Conclude the fight if it is over, and return whether it is."""
    if play.game.fight is None:
        return True
    outcome = check_combat_status(play.fight)
    if outcome is None:
        return False
    spoils.conclude(play, outcome)
    return True
