"""Movement in a fight: positions in feet along a line, opportunity and readied attacks."""

from __future__ import annotations

from ruleplay.agents.party.domain.creature import Attack, Creature
from ruleplay.agents.party.domain.fight import FLED_AT, REACH
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.play import Impossible, Play
from ruleplay.agents.party.domain.rules.conditions import (
    can_act,
    can_react,
    cost_of_a_foot,
    pace,
    unseen,
)
from ruleplay.agents.party.domain.rules.effects import lift
from ruleplay.agents.party.domain.rules.spells import aimed
from ruleplay.agents.party.domain.rules.strikes import strike


def destination(play: Play, who: str, target: str, to: int | None, distance: int) -> int:
    """Return the position a move leads to, given or as near to the target as wished.

    Raises Impossible if it is too far, the target is unknown or no movement is left.
    """
    one = play.the(who)
    left = play.fight.budget.movement // cost_of_a_foot(one)
    if to is not None:
        if abs(to - one.position) > left:
            raise Impossible("too-far", str(abs(to - one.position)), str(left))
        return to
    other = play.cast.get(target)
    if other is None or other.id not in play.fight.order:
        raise Impossible("no-such-target", target)
    wish = distance or REACH
    gap = abs(other.position - one.position)
    toward = 1 if other.position >= one.position else -1
    if gap != wish and not left:
        raise Impossible("no-movement", who)
    if gap >= wish:
        return one.position + toward * min(gap - wish, left)
    return one.position - toward * min(wish - gap, left)


def walk(play: Play, who: str, place: int, why: str = "walk") -> None:
    """Walk to a place, provoking opportunity attacks; a creature that is stopped stays there."""
    one = play.the(who)
    if place == one.position:
        raise Impossible("already-there", who)
    _check_way(play, one, place)
    for stop, foe, attack in _strikes_at(play, one, place):
        _step(play, who, stop, why)
        if not can_react(play.cast, play.the(foe)) or (_merciful(play, foe) and why == "fled"):
            continue
        play.add(
            h.ActionTaken(
                who=foe, act="opportunity", cost="reaction", what=attack.key, targets=(who,)
            )
        )
        play.spare = _merciful(play, foe)
        strike(play, foe, who, attack)
        if _stopped(one, play.the(who)):
            return
    _step(play, who, place, why)
    spring(play, who)


def _merciful(play: Play, who: str) -> bool:
    return who in play.mercy


def _stopped(before: Creature, now: Creature) -> bool:
    """Whether an attack on the way ended the walk: incapacitated, held or knocked prone."""
    tripped = now.has("prone") and not before.has("prone")
    return tripped or not can_act(now) or pace(now) == 0


def _check_way(play: Play, one: Creature, place: int) -> None:
    if pace(one) == 0:
        raise Impossible("cannot-move", one.id)
    if play.fight.budget.movement <= 0:
        raise Impossible("no-movement", one.id)
    for effect in one.effects:
        cause = play.cast.get(effect.source)
        if "frightened" in effect.conditions and cause is not None and cause.present:
            nearer = abs(cause.position - place) < abs(cause.position - one.position)
            if nearer:
                raise Impossible("frightened", cause.id)


def _step(play: Play, who: str, place: int, why: str) -> None:
    one = play.the(who)
    if place == one.position:
        return
    cost = cost_of_a_foot(one)
    play.add(
        h.Moved.model_validate(
            {
                "who": who,
                "origin": one.position,
                "position": place,
                "spent": abs(place - one.position) * cost,
                "why": why,
            }
        )
    )
    for other in play.cast.creatures:
        held = other.under("grappled", who)
        if held:
            # A grappled creature is dragged along.
            play.add(h.Moved(who=other.id, origin=other.position, position=place, why="pushed"))
    for held in play.the(who).effects:
        holder = play.cast.get(held.source)
        if held.key == "grappled" and holder and abs(holder.position - place) > REACH:
            lift(play, who, held, "escaped")


def _strikes_at(play: Play, one: Creature, place: int) -> list[tuple[int, str, Attack]]:
    """Return the opportunity attacks on the way, nearest first.

    Each is the last place within the foe's reach, the foe's id and its attack.
    """
    if play.fight.budget.disengaged or "flyby" in one.traits or unseen(one):
        return []
    low, high = sorted((one.position, place))
    found = []
    for foe in play.cast.foes_of(one.id):
        attack = best_melee(foe)
        if attack is None or not can_react(play.cast, foe) or foe.has("blinded"):
            continue
        near = min(max(foe.position, low), high)
        if abs(near - foe.position) > attack.reach or abs(place - foe.position) <= attack.reach:
            continue
        edge = foe.position + (attack.reach if place > foe.position else -attack.reach)
        found.append((min(max(edge, low), high), foe.id, attack))
    return sorted(found, key=lambda row: (abs(row[0] - one.position), row[1]))


def best_melee(creature: Creature) -> Attack | None:
    """Return the melee attack for opportunity attacks, the weapon in hand first."""
    able = [one for one in creature.attacks if one.reach]
    in_hand = [one for one in able if one.key in ("", creature.weapon)]
    return next(iter(in_hand or able), None)


def spring(play: Play, who: str) -> None:
    """Trigger attacks readied against a creature that moved or attacked within their range."""
    for waiting in play.fight.readied:
        one, mover = play.the(waiting.who), play.the(who)
        attack = one.attack(waiting.attack) or aimed(play, one, waiting.attack)
        if one.side == mover.side or attack is None or not can_react(play.cast, one):
            continue
        far = abs(one.position - mover.position)
        if far > max(attack.reach, attack.range) or not mover.present or mover.hp == 0:
            continue
        play.add(
            h.ActionTaken(
                who=one.id, act="readied", cost="reaction", what=attack.key, targets=(who,)
            )
        )
        play.spare = _merciful(play, one.id)
        strike(play, one.id, who, attack)


def run_away(play: Play, who: str) -> None:
    """Run from the foes as far as movement allows; far enough from all of them, one has escaped."""
    one = play.the(who)
    foes = [foe.position for foe in play.cast.foes_of(who) if can_act(foe)]
    reach = play.fight.budget.movement // cost_of_a_foot(one)
    if reach:
        walk(play, who, one.position + _away(one, foes) * reach, "fled")
    now = play.the(who)
    if can_act(now) and all(abs(place - now.position) >= FLED_AT for place in foes):
        for each in (who, *(o.id for o in play.cast.creatures if o.under("grappled", who))):
            if play.the(each).side == one.side:
                play.add(h.GotAway(who=each))


def _away(one: Creature, foes: list[int]) -> int:
    """Return the direction (1 or -1) with fewer foes; on a tie the party runs backwards."""
    ahead = sum(place > one.position for place in foes)
    behind = len(foes) - ahead
    if ahead == behind:
        return -1 if one.side == "party" else 1
    return -1 if ahead > behind else 1
