"""Decides whether to terastallize now, and estimates what theirs may turn into.

Gain is measured in health: the additional damage of our best move, the damage their expected moves
no longer do, and knock-outs gained or escaped. Terastallizing is possible once, so it must gain
more than `COST`.
"""

from __future__ import annotations

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.damage import damage, scene_of
from ruleplay.agents.battle.domain.orders import MoveOrder
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Expected, Inference, TeraAnalysis, WeightedSet
from ruleplay.agents.battle.domain.strikes import Scene
from ruleplay.agents.battle.domain.worlds import Fighter, our_fighters, their_fighter

COST = 0.35
"""What terastallizing must gain with four or more of ours left, since it cannot be repeated."""


def weigh_tera(position: Position, inference: Inference, expected: Expected) -> TeraAnalysis:
    """Decide whether to terastallize and with which move, and list their possible tera types."""
    available = any(isinstance(o, MoveOrder) and o.tera for o in position.legal)
    theirs = not position.theirs.tera_used
    types = _their_types(position, inference) if theirs else ()
    us = next((each for each in our_fighters(position) if each.active), None)
    mon = position.theirs.active
    if not available or us is None or mon is None or mon.fainted:
        return TeraAnalysis(
            our_tera_available=available,
            opponent_tera_available=theirs,
            opponent_types=types,
            summary=_idle(position, types),
        )
    them = their_fighter(mon, inference.guesses[mon.ident].best)
    order, gain, why = _best(position, us, them, expected)
    worth = gain > _price(position)
    return TeraAnalysis(
        our_tera_available=True,
        opponent_tera_available=theirs,
        recommendation=order if worth else None,
        gain=round(gain, 4),
        opponent_types=types,
        summary=_summary(us, order, gain, why, worth, types),
    )


def _price(position: Position) -> float:
    """Compute the gain required: the fewer of ours are left, the less there is to save it for."""
    return COST * min(1.0, position.ours.alive / 4)


def _best(
    position: Position, us: Fighter, them: Fighter, expected: Expected
) -> tuple[MoveOrder, float, str]:
    """Find the best move to terastallize with, what it gains, and why."""
    changed = us.as_tera()
    on_them, on_us = scene_of(position), scene_of(position, defending="ours")
    saved, why_saved = _saved(us, changed, them, expected, on_us)
    found = []
    for order in position.legal:
        if isinstance(order, MoveOrder) and order.tera:
            more, why = _more(order.move, us, changed, them, on_them)
            found.append((order, more + saved, why or why_saved))
    return max(found, key=lambda each: each[1] + _worth_using(each[0].move, changed, them, on_them))


def _worth_using(move: str, us: Fighter, them: Fighter, scene: Scene) -> float:
    hit = damage(move, us, them, scene)
    return min(1.0, hit.mean / max(0.05, them.share)) * hit.accuracy


def _more(
    move: str, us: Fighter, changed: Fighter, them: Fighter, scene: Scene
) -> tuple[float, str]:
    """Compute what a move gains over our best one, if its user terastallizes."""
    left = max(0.01, them.share)
    with_tera = damage(move, changed, them, scene)
    without = [damage(each.id, us, them, scene) for each in us.moves if not each.disabled]
    plain = max((min(1.0, hit.mean / left) * hit.accuracy for hit in without), default=0.0)
    plain_ko = max((hit.ko_chance(left) for hit in without), default=0.0)
    gain = min(1.0, with_tera.mean / left) * with_tera.accuracy - plain
    ko = with_tera.ko_chance(left) - plain_ko
    gain += 0.5 * max(0.0, ko)
    return gain, f"{dex.move_name(move)} gains a KO" if ko > 0.3 else ""


def _saved(
    us: Fighter, changed: Fighter, them: Fighter, expected: Expected, scene: Scene
) -> tuple[float, str]:
    """Compute how much less their expected moves do once our type has changed."""
    gain, escaped = 0.0, 0.0
    left = max(0.01, us.share)
    for each in expected.predictions:
        if each.kind != "move":
            continue
        before = damage(each.action, them, us, scene)
        after = damage(each.action, them, changed, scene)
        less = min(1.0, before.mean / left) - min(1.0, after.mean / left)
        gain += each.probability * less * before.accuracy
        escaped += each.probability * (before.ko_chance(left) - after.ko_chance(left))
    return gain + 0.5 * escaped, "it survives their expected move" if escaped > 0.3 else ""


def _their_types(position: Position, inference: Inference) -> tuple[tuple[str, float], ...]:
    """List the tera types of their active Pokémon with their probabilities."""
    mon = position.theirs.active
    if mon is None or mon.ident not in inference.guesses:
        return ()
    chances: dict[str, float] = {}
    for each in inference.guesses[mon.ident].sets:
        for kind, chance in _teras(each):
            chances[kind] = chances.get(kind, 0.0) + each.chance * chance
    ranked = sorted(chances.items(), key=lambda each: -each[1])
    return tuple((kind, round(chance, 3)) for kind, chance in ranked[:4])


def _teras(each: WeightedSet) -> tuple[tuple[str, float], ...]:
    return each.teras or ((each.set.tera, 1.0),)


def _idle(position: Position, types: tuple[tuple[str, float], ...]) -> str:
    ours = "Our tera is used." if position.ours.tera_used else "We cannot terastallize now."
    return f"{ours} {_theirs(types)}".strip()


def _theirs(types: tuple[tuple[str, float], ...]) -> str:
    if not types:
        return ""
    told = " or ".join(f"{kind} ({chance:.0%})" for kind, chance in types[:2])
    return f"They may still terastallize, here into {told}."


def _summary(
    us: Fighter,
    order: MoveOrder,
    gain: float,
    why: str,
    worth: bool,
    types: tuple[tuple[str, float], ...],
) -> str:
    reason = f": {why}" if why else ""
    told = (
        f"Terastallizing into {us.tera_type} with {dex.move_name(order.move)} pays now{reason}."
        if worth
        else f"Terastallizing into {us.tera_type} gains too little now; keep it."
    )
    return f"{told} {_theirs(types)}".strip()
