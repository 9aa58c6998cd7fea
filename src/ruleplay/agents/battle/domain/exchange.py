"""Plays out one Pokémon against another on paper: who is faster, who faints first, what is left.

This is the seed's matchup rule: the faster one uses its best move, the other answers if it
survives, and so on. Effects at the end of turns (Leftovers, poison, burn) count; switching is
ignored.
"""

from __future__ import annotations

from dataclasses import dataclass

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.damage import accuracy, rolls
from ruleplay.agents.battle.domain.power import speed_of
from ruleplay.agents.battle.domain.results import Outcome
from ruleplay.agents.battle.domain.strikes import Scene, ability_of, grounded, priority_of
from ruleplay.agents.battle.domain.worlds import Fighter

TURNS = 12
"""Turns after which an exchange is a draw."""
ROLLS, GRAINS = 4, 100
"""Steps into which a damage range and health are divided when computing probabilities."""


@dataclass(frozen=True, slots=True)
class Blow:
    """A move's expected damage per use including accuracy, its range in points, its priority."""

    move: str
    expected: float
    low: int
    high: int
    accuracy: float
    priority: int


NO_BLOW = Blow("", 0.0, 0, 0, 1.0, 0)
"""Stands for having no usable move."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """The result of an exchange, with the health left in points."""

    outcome: Outcome
    ours: float
    theirs: float
    turns: int
    faster: bool
    our_blow: Blow
    their_blow: Blow


def blow(name: str, by: Fighter, on: Fighter, scene: Scene) -> Blow:
    """Compute what one use of a move does to this target."""
    move = dex.move(name)
    made = rolls(move, by, on, scene)
    chance = accuracy(move, by, on, scene)
    mean = made.mean if made.hits == 1 else made.low + (made.high - made.low) / 2
    # A move that charges or recharges is used every other turn.
    worth = mean * chance * (0.5 if _slow(name, by, scene) else 1.0)
    return Blow(name, worth, made.low, made.high, chance, priority_of(move, by, scene))


def _slow(name: str, by: Fighter, scene: Scene) -> bool:
    """Check whether a move needs a turn to charge or to recharge."""
    flags = dex.move(name).flags
    if "recharge" in flags:
        return True
    if "charge" not in flags or by.item == "powerherb":
        return False
    sunny = scene.weather in {"sunnyday", "desolateland"}
    return not (sunny and name in {"solarbeam", "solarblade"})


def usable(by: Fighter) -> tuple[str, ...]:
    """List the moves that can be used now."""
    return tuple(move.id for move in by.moves if not move.disabled and move.pp > 0)


def best_blow(by: Fighter, on: Fighter, scene: Scene) -> Blow:
    """Choose the move that does most; among certain knock-outs, by accuracy and then priority."""
    blows = [blow(name, by, on, scene) for name in usable(by)]
    if not blows:
        return NO_BLOW
    kills = [each for each in blows if each.low >= on.hp > 0]
    if kills:
        return max(kills, key=lambda each: (each.accuracy, each.priority, each.low))
    return max(blows, key=lambda each: each.expected)


def faster(ours: Fighter, theirs: Fighter, scene: Scene) -> bool:
    """Check whether ours moves first at equal priority; a speed tie counts as no."""
    mine, other = speed_of(ours, scene), speed_of(theirs, scene)
    return mine < other if "trickroom" in scene.rooms else mine > other


def play_out(ours: Fighter, theirs: Fighter, on_them: Scene, on_us: Scene) -> Exchange:
    """Play an exchange to its end; `on_them` is the scene of our hits, `on_us` of theirs."""
    mine, yours = best_blow(ours, theirs, on_them), best_blow(theirs, ours, on_us)
    quick = faster(ours, theirs, on_them)
    first = _goes_first(mine, yours, quick=quick)
    us, them = float(ours.hp), float(theirs.hp)
    for turn in range(1, TURNS + 1):
        if first:
            them -= mine.expected
            us -= yours.expected if them > 0 else 0
        else:
            us -= yours.expected
            them -= mine.expected if us > 0 else 0
        if us > 0 and them > 0:
            us = min(ours.hp_max, us + between(ours, turn, on_us))
            them = min(theirs.hp_max, them + between(theirs, turn, on_them))
        if us <= 0 or them <= 0:
            break
    outcome: Outcome = "draw"
    if them <= 0 < us:
        outcome = "win"
    elif us <= 0 < them:
        outcome = "lose"
    return Exchange(outcome, max(0.0, us), max(0.0, them), turn, quick, mine, yours)


def _goes_first(mine: Blow, yours: Blow, *, quick: bool) -> bool:
    return mine.priority > yours.priority or (mine.priority == yours.priority and quick)


def odds(ours: Fighter, theirs: Fighter, on_them: Scene, on_us: Scene) -> tuple[float, float]:
    """Compute the chances that ours and theirs win such an exchange, given rolls and misses."""
    mine, yours = best_blow(ours, theirs, on_them), best_blow(theirs, ours, on_us)
    first = _goes_first(mine, yours, quick=faster(ours, theirs, on_them))
    us, them = _fallen(yours, ours, on_us), _fallen(mine, theirs, on_them)
    win = lose = 0.0
    for turn in range(1, TURNS + 1):
        # Theirs faints in this turn, and ours has survived until then: one hit fewer if it moves
        # first.
        win += (them[turn] - them[turn - 1]) * (1 - us[turn - 1 if first else turn])
        lose += (us[turn] - us[turn - 1]) * (1 - them[turn if first else turn - 1])
    return win, lose


def _fallen(by: Blow, on: Fighter, scene: Scene) -> list[float]:
    """Compute the probability that a Pokémon has fainted after each turn of being attacked.

    Health is divided into GRAINS and the range into ROLLS, so the distribution stays small.
    """
    mean = (by.low + by.high) / 2
    lands = min(1.0, by.expected / mean) if mean else 0.0
    heights = [by.low + (by.high - by.low) * part / (ROLLS - 1) for part in range(ROLLS)]
    grain = max(1.0, on.hp_max / GRAINS)
    stands, fallen = {round(on.hp / grain): 1.0}, [0.0]
    for turn in range(1, TURNS + 1):
        after: dict[int, float] = {}
        change = between(on, turn, scene)
        for health, chance in stands.items():
            hurt = [(health * grain - roll, chance * lands / ROLLS) for roll in heights]
            for left, share in (*hurt, (health * grain, chance * (1 - lands))):
                if share and left > 0 and left + change > 0:
                    at = max(1, round(min(on.hp_max, left + change) / grain))
                    after[at] = after.get(at, 0.0) + share
        stands = after
        fallen.append(max(fallen[-1], 1 - sum(stands.values())))
    return fallen


def _ailing(each: Fighter, turn: int) -> float:
    """Look up the share of health that a status costs at the end of this turn."""
    bad = {"brn": 1 / 16, "psn": 1 / 8, "tox": min(15, each.status_turns + turn) / 16}
    return bad.get(each.status, 0.0)


def between(each: Fighter, turn: int, scene: Scene) -> float:
    """Sum up the points gained or lost at the end of a turn."""
    whole, ability = each.hp_max, ability_of(each, scene)
    change = 0.0
    if each.item == "leftovers" or (each.item == "blacksludge" and "poison" in each.types):
        change += whole / 16
    if scene.terrain == "grassyterrain" and grounded(each, scene):
        change += whole / 16
    if ability == "poisonheal" and each.status in {"psn", "tox"}:
        return change + whole / 8
    if ability == "magicguard":
        return change
    change -= whole * _ailing(each, turn)
    if "leechseed" in each.volatiles:
        change -= whole / 8
    if "saltcure" in each.volatiles:
        change -= whole / (4 if {"water", "steel"} & set(each.types) else 8)
    if scene.weather == "sandstorm" and not {"rock", "ground", "steel"} & set(each.types):
        change -= whole / 16
    return change
