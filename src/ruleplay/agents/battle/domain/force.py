"""Attack and defence as the damage formula uses them: stats with stages and all modifiers.

Modifiers are in 4096ths, chained as in Showdown's simulator (generation 9): 6144 is 1.5, 8192 is 2,
2048 is 0.5.
"""

from __future__ import annotations

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.dex import Move
from ruleplay.agents.battle.domain.power import ONE, chain, modify
from ruleplay.agents.battle.domain.strikes import (
    Scene,
    ability_of,
    at_stage,
    category_of,
    shielding,
)
from ruleplay.agents.battle.domain.worlds import Fighter

PINCH = {"overgrow": "grass", "blaze": "fire", "torrent": "water", "swarm": "bug"}
"""Abilities that strengthen a type at a third of full health or less."""
TYPE_ABILITIES = {
    "steelworker": ("steel", 6144),
    "dragonsmaw": ("dragon", 6144),
    "transistor": ("electric", 5325),
    "rockypayload": ("rock", 6144),
    "waterbubble": ("water", 8192),
}
"""Abilities that strengthen moves of a type, with the modifier."""
IGNORES_STAGES = {"sacredsword", "darkestlariat", "chipaway"}
"""Moves that ignore the target's stages of defence."""
AIMED_AT_DEF = {"psyshock", "psystrike", "secretsword"}
"""Special moves that are calculated against Defense."""


def attack(move: Move, kind: str, by: Fighter, on: Fighter, scene: Scene, crit: bool) -> int:
    """Compute the attacking stat with its stage and all modifiers."""
    physical = category_of(move, by, on) == "physical"
    stat = "atk" if physical else "spa"
    # Foul Play uses the target's Attack, Body Press the user's Defense.
    source = on if move.id == "foulplay" else by
    if move.id == "bodypress":
        stat = "def"
    stage = source.boosts[stat]
    shield = shielding(by, on, move, scene)
    # Critical hits ignore stages that would weaken them; Unaware ignores all of the other side.
    if shield == "unaware" or (crit and stage < 0):
        stage = 0
    value = at_stage(source.stats[stat], stage)
    return max(
        1, modify(value, chain(_attack_factors(move, kind, physical, by, on, scene, shield)))
    )


def _attack_factors(
    move: Move, kind: str, physical: bool, by: Fighter, on: Fighter, scene: Scene, shield: str
) -> list[int]:
    """Collect the modifiers of the attacking stat, in 4096ths."""
    ability, item = ability_of(by, scene), by.item
    sunny = scene.weather in {"sunnyday", "desolateland"}
    typed, factor = TYPE_ABILITIES.get(ability, ("none", ONE))
    ruin = "tabletsofruin" if physical else "vesselofruin"
    table = (
        (physical and ability in {"hugepower", "purepower"}, 8192),
        (physical and ability in {"hustle", "gorillatactics"}, 6144),
        (physical and ability == "guts" and bool(by.status), 6144),
        (physical and "slowstart" in by.volatiles, 2048),
        (item == ("choiceband" if physical else "choicespecs"), 6144),
        (not physical and ability == "solarpower" and sunny, 6144),
        (ability == "defeatist" and by.hp * 2 <= by.hp_max, 2048),
        (PINCH.get(ability) == kind and by.hp * 3 <= by.hp_max, 6144),
        (typed == kind, factor),
        (kind == "fire" and ability == "flashfire" and "flashfire" in by.volatiles, 6144),
        (ability == "stakeout" and scene.incoming, 8192),
        (item == "lightball" and by.species.startswith("pikachu"), 8192),
        # These abilities of the target reduce the attacking stat, not the damage itself.
        (shield == "thickfat" and kind in {"fire", "ice"}, 2048),
        (shield in {"heatproof", "waterbubble"} and kind == "fire", 2048),
        (shield == "purifyingsalt" and kind == "ghost", 2048),
        # A Ruin ability weakens everybody who does not have it.
        (ability_of(on, scene) == ruin != ability, 3072),
    )
    return [factor for holds, factor in table if holds] + _paradox(by, physical, scene)


def _paradox(by: Fighter, physical: bool, scene: Scene) -> list[int]:
    """Collect the modifiers of Protosynthesis, Quark Drive, Orichalcum Pulse and Hadron Engine."""
    stat = "atk" if physical else "spa"
    found = []
    # The server announces which stat is boosted; it is part of the effect's id.
    if {f"protosynthesis{stat}", f"quarkdrive{stat}"} & by.volatiles:
        found.append(5325)
    ability = ability_of(by, scene)
    if physical and ability == "orichalcumpulse" and scene.weather in {"sunnyday", "desolateland"}:
        found.append(5461)
    if not physical and ability == "hadronengine" and scene.terrain == "electricterrain":
        found.append(5461)
    return found


def defense(move: Move, by: Fighter, on: Fighter, scene: Scene, crit: bool) -> int:
    """Compute the defending stat with its stage and all modifiers."""
    physical = category_of(move, by, on) == "physical" or move.id in AIMED_AT_DEF
    stat = "def" if physical else "spd"
    # Wonder Room swaps Defense and Special Defense; items and abilities still go by the move.
    if "wonderroom" in scene.rooms:
        stat = "spd" if physical else "def"
    stage = on.boosts[stat]
    ignored = move.id in IGNORES_STAGES or ability_of(by, scene) == "unaware"
    if ignored or (crit and stage > 0):
        stage = 0
    value = at_stage(on.stats[stat], stage)
    return max(1, modify(value, chain(_defense_factors(move, physical, by, on, scene))))


def _defense_factors(
    move: Move, physical: bool, by: Fighter, on: Fighter, scene: Scene
) -> list[int]:
    """Collect the modifiers of the defending stat, in 4096ths."""
    shield, found = shielding(by, on, move, scene), []
    if physical:
        if scene.weather == "snowscape" and "ice" in on.types:
            found.append(6144)
        if shield == "furcoat":
            found.append(8192)
        if (shield == "marvelscale" and on.status) or (
            shield == "grasspelt" and scene.terrain == "grassyterrain"
        ):
            found.append(6144)
    else:
        if scene.weather == "sandstorm" and "rock" in on.types:
            found.append(6144)
        if on.item == "assaultvest":
            found.append(6144)
    if on.item == "eviolite" and dex.evolves(on.species):
        found.append(6144)
    stat = "def" if physical else "spd"
    if {f"protosynthesis{stat}", f"quarkdrive{stat}"} & on.volatiles:
        found.append(5325)
    ruin = "swordofruin" if physical else "beadsofruin"
    if ability_of(by, scene) == ruin != ability_of(on, scene):
        found.append(3072)
    return found
