"""Predicts the opponent's next action: moves and switches with probabilities, and the reasons.

The signals are the seed's. For moves: the strongest one, a knock-out within reach, status moves
where no knock-out threatens. For switches: we outspeed and knock out, we wall them, our types beat
theirs, they have little health left. Benchmarks compare the predictions with what opponents then
did.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.analysis import RECOVERY
from ruleplay.agents.battle.domain.damage import damage, scene_of
from ruleplay.agents.battle.domain.exchange import best_blow, faster, usable
from ruleplay.agents.battle.domain.position import Mon, Position
from ruleplay.agents.battle.domain.results import (
    Candidate,
    Damage,
    Expected,
    Inference,
    Matchups,
    WeightedSet,
)
from ruleplay.agents.battle.domain.strikes import Scene
from ruleplay.agents.battle.domain.worlds import Fighter, our_fighters, their_fighter

TOP = 8
"""Candidates kept in a prediction."""
SHARP = 5.0
"""How strongly a better move is preferred: the inverse temperature of the softmax."""

HURT, HURT_STAYS = 0.4, 0.8
"""Hurt Pokémon switch less: in 11% of 2,069 free choices below this health, 14% of 6,127 above.

Counted in 155 battles between searching players (`benchmarks/results/battle_switching.json`).
"""


@dataclass(frozen=True, slots=True)
class _View:
    """Their active Pokémon with its possible sets, against ours."""

    position: Position
    mon: Mon
    ours: Fighter
    sets: tuple[WeightedSet, ...]
    on_us: Scene
    on_them: Scene


def predict(
    position: Position,
    inference: Inference,
    matchups: Matchups,
    habits: Mapping[str, float] | None = None,
) -> Expected:
    """Predict the opponent's next action; empty if they have nobody on the field.

    `habits` may contain `switch_rate`, the share of this opponent's actions so far that were
    switches.
    """
    mon = position.theirs.active
    ours = next((each for each in our_fighters(position) if each.active), None)
    if mon is None or ours is None:
        return Expected(predictions=(), summary="Nobody stands to be predicted.")
    if mon.fainted:
        return _replacement(position, matchups)
    sets = inference.guesses[mon.ident].sets
    view = _View(
        position, mon, ours, sets, scene_of(position, defending="ours"), scene_of(position)
    )
    switch, why = _switch_chance(view, matchups, (habits or {}).get("switch_rate"))
    moves = _moves(view)
    switches = _switches(position, matchups, why)
    if not moves or not switches:
        switch = 0.0 if moves else 1.0
    found = [_scaled(each, 1 - switch) for each in moves] + [
        _scaled(each, switch) for each in switches
    ]
    return _expected(found, switch, mon)


def _scaled(each: Candidate, factor: float) -> Candidate:
    return each.model_copy(update={"probability": each.probability * factor})


def _expected(found: list[Candidate], switch: float, mon: Mon) -> Expected:
    found = [each for each in found if each.probability > 0]
    found.sort(key=lambda each: -each.probability)
    kept = within_carried(found[:TOP])
    return Expected(
        predictions=tuple(kept), switch_chance=switch, summary=summarise(kept, switch, mon.name)
    )


def within_carried(found: Sequence[Candidate]) -> list[Candidate]:
    """Normalise the probabilities to one, with no move likelier than its Pokémon has it."""
    shares = [each.probability for each in found]
    # Capping one candidate raises the others, which may then need capping: at worst once for each.
    for _ in found:
        free = [place for place, each in enumerate(found) if shares[place] < each.carried]
        rest = 1 - sum(share for place, share in enumerate(shares) if place not in free)
        whole = sum(shares[place] for place in free)
        if whole <= 0:
            break
        for place in free:
            shares[place] = min(found[place].carried, shares[place] * rest / whole)
    total = sum(shares) or 1.0
    return [
        each.model_copy(update={"probability": share / total})
        for each, share in zip(found, shares, strict=True)
    ]


def _moves(view: _View) -> list[Candidate]:
    """List all moves it may have, weighted by the probability of having them and their value."""
    weights: dict[str, float] = {}
    carried: dict[str, float] = {}
    effects: dict[str, Damage] = {}
    for each, scores in _scored(view):
        peak = max(score for score, _ in scores.values())
        powers = {name: math.exp(SHARP * (score - peak)) for name, (score, _) in scores.items()}
        whole = sum(powers.values())
        for name, power in powers.items():
            weights[name] = weights.get(name, 0.0) + each.chance * power / whole
            carried[name] = carried.get(name, 0.0) + each.chance
            # The damage shown is that of the likeliest set, which comes first.
            effects.setdefault(name, scores[name][1])
    total = sum(weights.values()) or 1.0
    return [
        _candidate(name, weight / total, effects[name], view).model_copy(
            update={"carried": min(1.0, carried[name] / total)}
        )
        for name, weight in weights.items()
    ]


def _scored(view: _View) -> Iterator[tuple[WeightedSet, dict[str, tuple[float, Damage]]]]:
    """Yield each set with the values of its moves.

    Sets differ in few things that matter to damage, so equal hits are computed only once.
    """
    known: dict[object, tuple[float, Damage]] = {}
    for each in view.sets:
        by = their_fighter(view.mon, each.set)
        alike = (each.set.item, each.set.ability, each.set.stats)
        names = usable(by) or ("struggle",)
        keys = {name: (name, *alike) for name in names}
        for name in names:
            if keys[name] not in known:
                known[keys[name]] = _worth(name, by, view)
        yield each, {name: known[keys[name]] for name in names}


def _worth(name: str, by: Fighter, view: _View) -> tuple[float, Damage]:
    """Score a move by the share of our health it takes, plus half a knock-out."""
    hit = damage(name, by, view.ours, view.on_us)
    left = max(0.01, view.ours.share)
    if not dex.knows_move(name):
        return 0.0, hit
    if dex.move(name).damaging:
        worth = min(1.0, hit.mean / left) * hit.accuracy + 0.5 * hit.ko_chance(left)
        return worth, hit
    return _status_worth(name, by, view), hit


def _status_worth(name: str, by: Fighter, view: _View) -> float:
    """Score a status move by what it could still achieve."""
    move, ours, sides = dex.move(name), view.ours, view.position
    if move.heal or name in {"rest", "wish", "shoreup", "morningsun", "synthesis", "moonlight"}:
        return 0.9 * (1 - by.share) if by.share < 0.75 else 0.0
    if move.side_condition:
        standing = sides.ours if move.target == "foeSide" else sides.theirs
        return 0.0 if standing.layers(move.side_condition) else 0.55
    if move.self_boosts:
        raised = sum(amount for _, amount in move.self_boosts if amount > 0)
        return (0.25 + 0.1 * raised) * by.share if by.boosts.raised < 4 else 0.1
    if move.status or name in {"yawn", "leechseed"}:
        return 0.0 if ours.status or "leechseed" in ours.volatiles else 0.5
    return 0.25


def _candidate(name: str, chance: float, hit: Damage, view: _View) -> Candidate:
    ours = view.ours
    named = view.position.ours.member(ours.ident).name
    told = f"{named} takes {percent(hit)} from {dex.move_name(name)}" if hit.high else ""
    ko = hit.ko_chance(max(0.001, ours.share))
    reason = "can KO" if ko > 0.5 else ("their strongest hit" if hit.mean > 0.4 else "")
    if not hit.high:
        reason = "no effect on us" if dex.move(name).damaging else "a status move"
    return Candidate(
        kind="move",
        action=name,
        name=dex.move_name(name),
        probability=chance,
        damage=hit,
        ko_chance=ko,
        damage_to_us=told,
        reasoning=reason,
    )


def percent(hit: Damage) -> str:
    """Format a damage range in whole percent: `87-102%`."""
    return f"{round(hit.low * 100)}-{round(hit.high * 100)}%"


def _switch_chance(view: _View, matchups: Matchups, habit: float | None) -> tuple[float, str]:
    """Estimate how likely they switch, with the strongest reason."""
    position, mon = view.position, view.mon
    if not position.theirs.bench and not position.theirs.unseen:
        return 0.0, ""
    if trapped(view.mon, view.ours) or mon.must_recharge or mon.charging:
        return 0.0, ""
    by = their_fighter(mon, view.sets[0].set)
    ours = best_blow(view.ours, by, view.on_them)
    theirs = best_blow(by, view.ours, view.on_us)
    first = faster(view.ours, by, view.on_them)
    they_kill = theirs.low >= view.ours.hp and (not first or theirs.priority > 0)
    # Probabilities that each reason adds, set so that switches are forecast as often as they come.
    signals = [
        (0.22, "we outspeed and KO", first and ours.low >= by.hp),
        (0.10, "we wall them", _walls(view.ours, theirs.expected)),
        (0.08, "our types beat theirs", ours.expected > 0.6 * by.hp_max),
        (0.05, "they lose the exchange", _loses(matchups, view)),
        (0.05, "their stages are low", _lowered(mon)),
    ]
    chance, why = 0.04, ""
    for weight, reason, holds in signals:
        if holds:
            chance, why = chance + weight, why or reason
    # Whoever is about to knock us out or has boosted itself rather stays.
    if they_kill:
        chance *= 0.3
    if mon.boosts.raised >= 2:
        chance *= 0.4
    if mon.hp < HURT:
        chance *= HURT_STAYS
    if habit is not None:
        chance = 0.5 * chance + 0.5 * habit
    return min(0.8, chance), why


def _walls(ours: Fighter, taken: float) -> bool:
    """Check whether they cannot break us: they do little damage, and we heal it."""
    heals = any(
        move.id in RECOVERY or dex.move(move.id).heal
        for move in ours.moves
        if move.pp > 0 and not move.disabled
    )
    return taken < 0.15 * ours.hp_max and (heals or ours.item == "leftovers")


def _lowered(mon: Mon) -> bool:
    return min(mon.boosts.atk, mon.boosts.spa) <= -2


def _loses(matchups: Matchups, view: _View) -> bool:
    pair = matchups.of(view.ours.ident, view.mon.ident)
    return pair is not None and pair.outcome == "win"


def trapped(mon: Mon, by: Fighter) -> bool:
    """Check whether a Pokémon cannot switch out against this one."""
    if "ghost" in mon.types or mon.item == "shedshell":
        return False
    if {"partiallytrapped", "trapped", "ingrain", "noretreat", "lockedmove"} & mon.effects:
        return True
    if by.ability == "shadowtag" and mon.ability != "shadowtag":
        return True
    if by.ability == "magnetpull" and "steel" in mon.types:
        return True
    flies = "flying" in mon.types or mon.ability == "levitate" or mon.item == "airballoon"
    return by.ability == "arenatrap" and not flies


def _switches(position: Position, matchups: Matchups, why: str) -> list[Candidate]:
    """List their possible switches, weighted by how they do against our active Pokémon."""
    ours = position.ours.active
    weights: list[tuple[str, str, float]] = []
    for mon in position.theirs.bench:
        pair = matchups.of(ours.ident, mon.ident) if ours else None
        weights.append((mon.ident, mon.name, math.exp(2 * _standing(pair, mon))))
    if position.theirs.unseen:
        weights.append(("", "one not yet seen", 0.6 * position.theirs.unseen))
    total = sum(weight for _, _, weight in weights) or 1.0
    return [
        Candidate(
            kind="switch",
            action=ident,
            name=name,
            probability=weight / total,
            reasoning=why or "a better matchup",
        )
        for ident, name, weight in weights
    ]


def _standing(pair: object, mon: Mon) -> float:
    from ruleplay.agents.battle.domain.results import Matchup

    if not isinstance(pair, Matchup):
        return 0.0
    worth = {"lose": 1.0, "draw": 0.2, "win": -0.6}[pair.outcome]
    return worth - pair.our_damage + 0.3 * (mon.hp - 0.5)


def _replacement(position: Position, matchups: Matchups) -> Expected:
    found = _switches(position, matchups, "they must replace a fallen Pokémon")
    return Expected(
        predictions=tuple(sorted(found, key=lambda each: -each.probability)),
        switch_chance=1.0,
        summary="They must send in a replacement.",
    )


def summarise(kept: Sequence[Candidate], switch: float, name: str) -> str:
    """Phrase the prediction for a Pokémon, the likeliest first."""
    if not kept:
        return "Nothing to expect."
    best = next((each for each in kept if each.kind == "move"), None)
    parts = []
    if best is not None:
        hurt = f" ({best.damage_to_us})" if best.damage_to_us else ""
        parts.append(f"{name} most likely uses {best.name} at {best.probability:.0%}{hurt}")
    if switch >= 0.05:
        away = next((each for each in kept if each.kind == "switch"), None)
        to = f", most likely to {away.name}" if away and away.action else ""
        parts.append(f"switches with {switch:.0%}{to}")
    return "; ".join(parts) + "."
