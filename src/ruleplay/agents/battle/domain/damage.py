"""The damage of a move: the range that the real simulator rolls, in points and as a fraction.

This is the formula of generation 9 as Showdown's simulator applies it. poke-env's calculator is not
used: it takes types from a move's entry and not from its use, averages several hits, misses Huge
Power (because of a typo), auras, Rage Fist and Last Respects, and always counts Stakeout. See
docs/decisions/0012-battles-are-read-and-fought-by-our-own-rules.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.dex import Move
from ruleplay.agents.battle.domain.force import attack, defense
from ruleplay.agents.battle.domain.mechanics import of_types
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.power import ONE, base_power, chain, modify
from ruleplay.agents.battle.domain.results import Damage
from ruleplay.agents.battle.domain.strikes import (
    Scene,
    ability_of,
    answer,
    category_of,
    grounded,
    shielding,
    type_of,
    untouched,
)
from ruleplay.agents.battle.domain.worlds import Fighter

RESIST_BERRIES = of_types("resist_berries")
UNPREDICTABLE = frozenset({"counter", "mirrorcoat", "metalburst", "comeuppance", "bide", "present"})
"""Moves whose damage depends on damage taken before, or on luck alone."""


@dataclass(frozen=True, slots=True)
class Rolls:
    """The points that one use takes if it hits, all its hits together: lowest and highest."""

    low: int
    high: int
    effectiveness: float = 1.0
    hits: float = 1.0

    @property
    def mean(self) -> float:
        """The middle of the range."""
        return (self.low + self.high) / 2


NOTHING = Rolls(0, 0, 0.0)
"""No damage, because of immunity or failure."""


def scene_of(position: Position, *, defending: str = "theirs") -> Scene:
    """Collect a position's circumstances of a hit, with the screens of the defending side."""
    side = position.theirs if defending == "theirs" else position.ours
    other = position.ours if defending == "theirs" else position.theirs
    actives = [mon.ability for mon in (position.ours.active, position.theirs.active) if mon]
    return Scene(
        weather=position.field.sky,
        terrain=position.field.ground,
        rooms=frozenset(each.id for each in position.field.rooms),
        screens=frozenset(
            each.id
            for each in side.conditions
            if each.id in {"reflect", "lightscreen", "auroraveil"}
        ),
        gas="neutralizinggas" in actives,
        fainted=sum(mon.fainted for mon in other.team),
    )


def rolls(move: Move, by: Fighter, on: Fighter, scene: Scene, *, crit: bool = False) -> Rolls:
    """Compute the points that one use of a move takes from the target if it hits."""
    if not move.damaging or move.id in UNPREDICTABLE:
        return NOTHING
    kind = type_of(move, by, scene)
    effect = answer(move, kind, by, on, scene)
    if effect == 0 or untouched(move, kind, by, on, scene) or _washed_out(kind, scene):
        return NOTHING
    shield = shielding(by, on, move, scene)
    if shield == "wonderguard" and effect <= 1:
        return NOTHING
    fixed = _fixed(move, by, on)
    if fixed is not None:
        return Rolls(fixed, fixed, 1.0)
    # Mimikyu's Disguise and Eiscue's Ice Face absorb one hit, and change the forme.
    if (shield == "disguise" and on.species in {"mimikyu", "mimikyutotem"}) or (
        shield == "iceface" and on.species == "eiscue" and category_of(move, by, on) == "physical"
    ):
        return Rolls(0, 0, effect)
    critical = (crit or move.always_critical) and shield not in {"battlearmor", "shellarmor"}
    return _several(move, kind, effect, by, on, scene, critical)


def _washed_out(kind: str, scene: Scene) -> bool:
    """Check whether primal weather makes a Fire or Water move fail."""
    return (kind == "fire" and scene.weather == "primordialsea") or (
        kind == "water" and scene.weather == "desolateland"
    )


def _fixed(move: Move, by: Fighter, on: Fighter) -> int | None:
    """Compute the damage of moves that take a fixed share or number of points."""
    match move.id:
        case "superfang" | "naturesmadness" | "ruination":
            return max(1, on.hp // 2)
        case "finalgambit":
            return by.hp
        case "endeavor":
            return max(0, on.hp - by.hp)
        case "fissure" | "guillotine" | "horndrill" | "sheercold":
            return on.hp if by.level >= on.level else 0
        case _:
            pass
    if move.fixed == "level":
        return by.level
    return int(move.fixed) if move.fixed.isdigit() else None


def _several(
    move: Move, kind: str, effect: float, by: Fighter, on: Fighter, scene: Scene, crit: bool
) -> Rolls:
    """Sum up a move's hits: from the fewest at the lowest roll to the most at the highest."""
    if move.id in {"tripleaxel", "triplekick"}:
        return _growing(move, kind, effect, by, on, scene, crit)
    low, high = _one(move, kind, effect, by, on, scene, crit)
    fewest, most = move.multihit
    if (fewest, most) == (1, 1):
        return Rolls(low, high, effect)
    if scene.every or ability_of(by, scene) == "skilllink":
        fewest = most
    # Loaded Dice guarantees four of two to five hits.
    elif by.item == "loadeddice":
        fewest = max(fewest, min(4, most))
    # Two and three hits have 35% each, four and five 15% each.
    mean = 3.1 if (fewest, most) == (2, 5) else (fewest + most) / 2
    # Multiscale and Shadow Shield only protect at full health, so not from the later hits.
    later_low, later_high = low, high
    if on.hp >= on.hp_max and shielding(by, on, move, scene) in {"multiscale", "shadowshield"}:
        hurt = replace(on, hp=on.hp_max - 1)
        later_low, later_high = _one(move, kind, effect, by, hurt, scene, crit)
    # Each hit of Population Bomb checks accuracy anew, so it may end after the first.
    if move.id == "populationbomb" and by.item != "loadeddice" and not scene.every:
        fewest = 1
    return Rolls(low + later_low * (fewest - 1), high + later_high * (most - 1), effect, mean)


def _growing(
    move: Move, kind: str, effect: float, by: Fighter, on: Fighter, scene: Scene, crit: bool
) -> Rolls:
    """Compute Triple Axel and Triple Kick, which hit harder each time and end with a miss."""
    made = [
        _one(replace(move, power=move.power * times), kind, effect, by, on, scene, crit)
        for times in (1, 2, 3)
    ]
    # If the first hits, 1 + 0.9 + 0.9² = 2.7 hits on average: each has 90% accuracy.
    fewest = made if scene.every else made[:1]
    return Rolls(sum(low for low, _ in fewest), sum(high for _, high in made), effect, 2.7)


def _one(
    move: Move, kind: str, effect: float, by: Fighter, on: Fighter, scene: Scene, crit: bool
) -> tuple[int, int]:
    """Compute the lowest and highest roll of one hit."""
    power = base_power(move, kind, by, on, scene)
    if power == 0:
        return 0, 0
    strength = attack(move, kind, by, on, scene, crit)
    guard = defense(move, by, on, scene, crit)
    # The order of these steps and their rounding follow `getDamage` and `modifyDamage` in
    # Showdown's `sim/battle-actions.ts`; another order is off by a point here and there.
    base = (2 * by.level // 5 + 2) * power * strength // max(1, guard) // 50 + 2
    base = modify(base, _sky(move, kind, on, scene))
    if crit:
        base = base * 3 // 2
    stab = _stab(kind, by, scene)
    final = chain(_final(move, kind, effect, by, on, scene, crit))
    burnt = _burnt(move, by, scene)
    # Fickle Beam has a chance of 30% to double its power.
    if move.id == "ficklebeam":
        return (
            _rolled(base, 85, stab, effect, burnt, final),
            2 * _rolled(base, 100, stab, effect, burnt, final),
        )
    return (
        _rolled(base, 85, stab, effect, burnt, final),
        _rolled(base, 100, stab, effect, burnt, final),
    )


def _rolled(base: int, roll: int, stab: int, effect: float, burnt: bool, final: int) -> int:
    """Apply the random factor (85 to 100 percent), same-type bonus, types, burn and the rest."""
    made = modify(base * roll // 100, stab)
    made = int(made * effect)
    if burnt:
        made = modify(made, 2048)
    return max(1, modify(made, final))


def _burnt(move: Move, by: Fighter, scene: Scene) -> bool:
    """Check whether a burn halves this move's damage."""
    return (
        by.status == "brn"
        and category_of(move, by) == "physical"
        and move.id != "facade"
        and ability_of(by, scene) != "guts"
    )


def _sky(move: Move, kind: str, on: Fighter, scene: Scene) -> int:
    """Look up the modifier of sun and rain."""
    sunny = scene.weather in {"sunnyday", "desolateland"}
    rainy = scene.weather in {"raindance", "primordialsea"}
    if on.item == "utilityumbrella":
        return ONE
    if sunny and (kind == "fire" or move.id == "hydrosteam"):
        return 6144
    if rainy and kind == "water":
        return 6144
    if (sunny and kind == "water") or (rainy and kind == "fire"):
        return 2048
    return ONE


def _stab(kind: str, by: Fighter, scene: Scene) -> int:
    """Look up the same-type bonus: 1.5; 2 if tera and own type agree; more with Adaptability."""
    ability = ability_of(by, scene)
    own = kind in by.own_types
    if by.terastallized and by.tera_type == "stellar":
        return (8192 if own else 4915) if kind != "typeless" else ONE
    fluid = ability in {"protean", "libero"} and not by.terastallized
    fluid = fluid and "typechange" not in by.volatiles
    tera = by.terastallized and kind == by.tera_type
    if not (own or tera or fluid):
        return ONE
    if ability == "adaptability" and kind in by.types:
        return 9216 if own and tera else 8192
    return 8192 if own and tera else 6144


def _final(
    move: Move, kind: str, effect: float, by: Fighter, on: Fighter, scene: Scene, crit: bool
) -> list[int]:
    """Collect the modifiers that apply after everything else, in 4096ths."""
    ability, shield = ability_of(by, scene), shielding(by, on, move, scene)
    physical = category_of(move, by, on) == "physical"
    screened = not crit and ability != "infiltrator" and _screened(move, physical, scene)
    touching = "contact" in move.flags and ability != "longreach" and by.item != "protectivepads"
    stomped = "minimize" in on.volatiles and move.id in STOMPS
    table = (
        (screened, 2048),
        (on.hp >= on.hp_max and shield in {"multiscale", "shadowshield"}, 2048),
        (shield in {"filter", "solidrock", "prismarmor"} and effect > 1, 3072),
        (shield == "fluffy" and touching, 2048),
        (shield == "fluffy" and kind == "fire", 8192),
        (shield == "icescales" and not physical, 2048),
        (shield == "punkrock" and "sound" in move.flags, 2048),
        (ability == "tintedlens" and effect < 1, 8192),
        (ability == "neuroforce" and effect > 1, 5120),
        (ability == "sniper" and crit, 6144),
        (move.id in {"collisioncourse", "electrodrift"} and effect > 1, 5461),
        ("glaiverush" in on.volatiles or stomped, 8192),
        (by.item == "lifeorb", 5324),
        (by.item == "expertbelt" and effect > 1, 4915),
        (RESIST_BERRIES.get(on.item) == kind and (effect > 1 or kind == "normal"), 2048),
    )
    return [factor for holds, factor in table if holds]


STOMPS = frozenset(
    {"bodyslam", "stomp", "heavyslam", "heatcrash", "dragonrush", "flyingpress", "supercellslam"}
)
"""Moves that do double damage to a target that used Minimize."""


def _screened(move: Move, physical: bool, scene: Scene) -> bool:
    if move.id in {"brickbreak", "psychicfangs", "ragingbull"}:
        return False
    return "auroraveil" in scene.screens or (
        ("reflect" if physical else "lightscreen") in scene.screens
    )


def accuracy(move: Move, by: Fighter, on: Fighter, scene: Scene) -> float:
    """Compute the probability that a move hits, including stages and abilities."""
    sure = "noguard" in {ability_of(by, scene), ability_of(on, scene)}
    if move.accuracy >= 1.0 and move.id not in {"thunder", "hurricane"} and _unstaged(by, on):
        return 1.0
    rainy = scene.weather in {"raindance", "primordialsea"}
    stormy = move.id in {"thunder", "hurricane", "bleakwindstorm", "wildboltstorm", "sandsearstorm"}
    cold = move.id == "blizzard" and scene.weather in {"snowscape", "hail"}
    if sure or (stormy and rainy) or cold or "glaiverush" in on.volatiles:
        return 1.0
    if move.id == "toxic" and "poison" in by.types:
        return 1.0
    if move.target in {"self", "allySide", "foeSide", "all"}:
        return 1.0
    chance = move.accuracy
    if move.id in {"thunder", "hurricane"} and scene.weather == "sunnyday":
        chance = 0.5
    stage = max(-6, min(6, by.boosts.accuracy - on.boosts.evasion))
    chance *= (3 + stage) / 3 if stage >= 0 else 3 / (3 - stage)
    ability = ability_of(by, scene)
    chance *= {"compoundeyes": 1.3, "victorystar": 1.1}.get(ability, 1.0)
    if ability == "hustle" and category_of(move, by, on) == "physical":
        chance *= 0.8
    return max(0.0, min(1.0, chance * (1.1 if by.item == "widelens" else 1.0)))


def _unstaged(by: Fighter, on: Fighter) -> bool:
    return by.boosts.accuracy >= 0 >= on.boosts.evasion and by.ability != "hustle"


def damage(name: str, by: Fighter, on: Fighter, scene: Scene, *, crit: bool = False) -> Damage:
    """Compute a move's damage as fractions of the target's full health."""
    move = dex.move(name)
    made = rolls(move, by, on, scene, crit=crit)
    whole = max(1, on.hp_max)
    return Damage(
        low=made.low / whole,
        high=made.high / whole,
        accuracy=accuracy(move, by, on, scene),
        effectiveness=made.effectiveness,
        hits=made.hits,
    )


def feels_ground(each: Fighter, scene: Scene) -> bool:
    """Check whether hazards on the ground affect a Pokémon."""
    return grounded(each, scene)
