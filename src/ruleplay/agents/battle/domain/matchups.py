"""Plays out every pair that can still meet, and recomputes only pairs whose circumstances changed.

A pair is stale if health (in steps of 5%), status, stages, item, ability, tera, usable moves, the
guessed set or anything on the field changed; all of this is in its `stamp`.
"""

from __future__ import annotations

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.damage import scene_of
from ruleplay.agents.battle.domain.exchange import Exchange, play_out
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Inference, Matchup, Matchups
from ruleplay.agents.battle.domain.strikes import Scene
from ruleplay.agents.battle.domain.worlds import Fighter, likeliest_world

STEP = 20
"""Steps in which health is compared."""


def matchups(position: Position, inference: Inference, cache: Matchups | None = None) -> Matchups:
    """Play out all pairs of living Pokémon that were seen, reusing those in `cache` if valid."""
    world = likeliest_world(position, inference)
    on_them, on_us = scene_of(position), scene_of(position, defending="ours")
    ground = _ground(position, on_them, on_us)
    known = {(pair.ours, pair.theirs): pair for pair in (cache.pairs if cache else ())}
    pairs: list[Matchup] = []
    recomputed = 0
    for ours in world.ours:
        for theirs in world.theirs:
            if ours.hp <= 0 or theirs.hp <= 0:
                continue
            stamp = f"{_stamp(ours)}/{_stamp(theirs)}/{ground}"
            kept = known.get((ours.ident, theirs.ident))
            if kept is None or kept.stamp != stamp:
                recomputed += 1
                kept = _pair(ours, theirs, play_out(ours, theirs, on_them, on_us), stamp)
            pairs.append(kept)
    return Matchups(pairs=tuple(pairs), recomputed=recomputed, summary=_summary(position, pairs))


def _ground(position: Position, on_them: Scene, on_us: Scene) -> str:
    rooms = ",".join(sorted(on_them.rooms))
    screens = ",".join(sorted(on_them.screens)) + "|" + ",".join(sorted(on_us.screens))
    return f"{on_them.weather}.{on_them.terrain}.{rooms}.{screens}.{int(on_them.gas)}"


def _stamp(each: Fighter) -> str:
    stages = "".join(str(each.boosts[stat]) for stat in ("atk", "def", "spa", "spd", "spe"))
    usable = "+".join(move.id for move in each.moves if not move.disabled and move.pp)
    volatiles = "+".join(sorted(each.volatiles))
    return (
        f"{each.species}.{each.hp * STEP // max(1, each.hp_max)}.{each.status}.{stages}."
        f"{each.item}.{each.ability}.{int(each.terastallized)}.{usable}.{volatiles}"
    )


def _pair(ours: Fighter, theirs: Fighter, played: Exchange, stamp: str) -> Matchup:
    our_damage = played.our_blow.expected / max(1, theirs.hp_max)
    their_damage = played.their_blow.expected / max(1, ours.hp_max)
    return Matchup(
        ours=ours.ident,
        theirs=theirs.ident,
        outcome=played.outcome,
        our_remaining=played.ours / max(1, ours.hp_max),
        their_remaining=played.theirs / max(1, theirs.hp_max),
        turns=played.turns,
        faster=played.faster,
        our_best=played.our_blow.move,
        their_best=played.their_blow.move,
        our_damage=round(our_damage, 4),
        their_damage=round(their_damage, 4),
        notes=_notes(ours, theirs, played),
        stamp=stamp,
    )


def _notes(ours: Fighter, theirs: Fighter, played: Exchange) -> str:
    speed = "we outspeed" if played.faster else "they outspeed or tie"
    mine = hits_needed(theirs.hp, played.our_blow.expected)
    yours = hits_needed(ours.hp, played.their_blow.expected)
    return (
        f"{speed}; {_named(played.our_blow.move)} {_hko(mine)}, "
        f"their {_named(played.their_blow.move)} {_hko(yours)}"
    )


def hits_needed(hp: float, per_hit: float) -> int:
    """Count the expected hits until this health is gone; 99 if they do no damage."""
    return 99 if per_hit <= 0 else max(1, -(-int(hp) // max(1, int(per_hit))))


def _hko(hits: int) -> str:
    if hits >= 9:
        return "never KOs"
    return "KOs" if hits == 1 else f"{hits}HKOs"


def _named(move: str) -> str:
    return dex.move_name(move) if move else "nothing"


def _summary(position: Position, pairs: list[Matchup]) -> str:
    active = position.theirs.active
    if active is None or active.fainted:
        return "Nobody of theirs stands to be matched."
    against = [pair for pair in pairs if pair.theirs == active.ident]
    wins = [position.ours.member(p.ours).name for p in against if p.outcome == "win"]
    if not wins:
        return f"Nobody of ours beats {active.name} one on one."
    return f"{', '.join(wins)} beat{'s' if len(wins) == 1 else ''} {active.name} one on one."
