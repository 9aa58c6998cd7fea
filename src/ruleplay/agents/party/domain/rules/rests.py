"""Short and long rests, exhaustion, and the difficulty of encounters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final, Literal

from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Boon, Creature, Effect
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.play import Impossible, Play
from ruleplay.agents.party.domain.rulebook import Rulebook
from ruleplay.agents.party.domain.rules.effects import bestow, let_time_pass, lift
from ruleplay.agents.party.domain.rules.harm import die, heal
from ruleplay.agents.party.domain.terms import LONG_REST_ROUNDS, SHORT_REST_ROUNDS, XP_OF_CR

Difficulty = Literal["trivial", "easy", "medium", "hard", "deadly"]
LETHAL_EXHAUSTION, HALVING_EXHAUSTION = 6, 4
THRESHOLDS: Final = ((25, 50, 75, 100), (50, 100, 150, 200), (75, 150, 225, 400),
                     (125, 250, 375, 500), (250, 500, 750, 1100))  # fmt: skip
"""Experience that makes an encounter easy, medium, hard or deadly for one character, by level."""
CROWDS: Final = ((1, 1.0), (2, 1.5), (6, 2.0), (10, 2.5), (14, 3.0))
"""Pairs of (number of foes at most, experience multiplier); above the last one it is 4."""
RECOVERIES: Final = ("arcane-recovery", "natural-recovery")
"""Features that recover spell slots during a short rest."""
# The multipliers in order, with one step beyond either end for small and large parties.
STEPS: Final = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0)


def short_rest(
    cast: Cast,
    book: Rulebook,
    dice: Mapping[str, int] | None = None,
    spending: Collection[str] | None = None,
) -> tuple[h.Happening, ...]:
    """Take a short rest of one hour (raises Impossible in a fight).

    `dice` are how many hit dice each one spends; left out, each of the `spending` (or everybody)
    spends them while a die would not be wasted. Pact slots and features come back; who lay stable
    comes round with one hit point.
    """
    play = Play(cast, book)
    if play.fighting:
        raise Impossible("in-a-fight")
    let_time_pass(play, SHORT_REST_ROUNDS)
    for ident in _resting(cast):
        one = play.the(ident)
        if one.hp == 0:
            heal(play, ident, 1, why="hit-die")
        spends = spending is None or ident in spending
        wanted = (None if dice is None else dice.get(ident, 0)) if spends else 0
        _spend_hit_dice(play, ident, wanted)
        slots = _recovered(play, one) if spends else one.slots
        slots = one.max_slots if "warlock" in one.classes else slots
        hit_dice = play.the(ident).hit_dice
        play.add(h.Rested(who=ident, kind="short", slots=slots, hit_dice=hit_dice))
    return tuple(play.happened)


def _resting(cast: Cast) -> list[str]:
    return [one.id for one in cast.side("party") if one.level]


def _spend_hit_dice(play: Play, who: str, wanted: int | None) -> None:
    spent = 0
    while True:
        one = play.the(who)
        missing = one.max_hp - one.hp
        worth = missing > 0 if wanted is not None else missing >= one.hit_die // 2 + 1
        if not one.hit_dice or not worth or (wanted is not None and spent >= wanted):
            return
        bonus = one.mod("con")
        roll = play.roll(f"1d{one.hit_die}{bonus:+d}" if bonus else f"1d{one.hit_die}")
        play.add(h.HitDieSpent(who=who, roll=roll, left=one.hit_dice - 1))
        heal(play, who, max(0, roll.total), why="hit-die")
        spent += 1


def _recovered(play: Play, one: Creature) -> tuple[int, ...]:
    """Return the slots after a short rest; Arcane and Natural Recovery restore some."""
    feature = next((own for key in RECOVERIES if (own := one.feature(key))), None)
    if feature is None or not feature.left:
        return one.slots
    # The feature restores slots of combined levels up to half the level, rounded up; highest first.
    budget = (one.level + 1) // 2
    slots = list(one.slots)
    for level in range(len(slots), 0, -1):
        while slots[level - 1] < one.max_slots[level - 1] and budget >= level:
            slots[level - 1] += 1
            budget -= level
    if tuple(slots) != one.slots:
        play.add(h.FeatureUsed(who=one.id, feature=feature.key, amount=1, left=feature.left - 1))
    return tuple(slots)


def long_rest(cast: Cast, book: Rulebook) -> tuple[h.Happening, ...]:
    """Take a long rest of eight hours (raises Impossible in a fight).

    Restores all hit points, slots and features and half of the hit dice (at least one), and removes
    one level of exhaustion.
    """
    play = Play(cast, book)
    if play.fighting:
        raise Impossible("in-a-fight")
    let_time_pass(play, LONG_REST_ROUNDS)
    for ident in _resting(cast):
        tire(play, ident, -1)
        one = play.the(ident)
        if one.hp == 0:
            heal(play, ident, 1, why="long-rest")
        heal(play, ident, one.max_hp, why="long-rest")
        back = max(1, one.level // 2)
        hit_dice = min(one.level, one.hit_dice + back)
        play.add(h.Rested(who=ident, kind="long", slots=one.max_slots, hit_dice=hit_dice))
    return tuple(play.happened)


def tire(play: Play, who: str, levels: int = 1) -> None:
    """Change the exhaustion level; 4 halves the hit point maximum, 6 kills (SRD 5.1)."""
    one = play.the(who)
    old = one.under("exhaustion")
    level = max(0, min(LETHAL_EXHAUSTION, one.exhaustion + levels))
    if not one.alive or "exhaustion" in one.condition_immune or level == one.exhaustion:
        return
    if old:
        lift(play, who, old, "over")
    if level == LETHAL_EXHAUSTION:
        die(play, who, why="exhaustion")
    elif level:
        top = play.the(who).max_hp
        boon = Boon(max_hp=top // 2 - top) if level >= HALVING_EXHAUSTION else None
        effect = Effect(key="exhaustion", conditions=("exhaustion",), level=level, boon=boon)
        bestow(play, who, effect)


def difficulty(levels: Iterable[int], ratings: Iterable[float]) -> Difficulty:
    """Return how hard foes of these challenge ratings are for characters of these levels."""
    sizes = [max(1, min(level, len(THRESHOLDS))) for level in levels]
    foes = list(ratings)
    worth = sum(XP_OF_CR[cr] for cr in foes) * multiplier(len(foes), len(sizes))
    sums = [sum(THRESHOLDS[level - 1][step] for level in sizes) for step in range(4)]
    names: tuple[Difficulty, ...] = ("trivial", "easy", "medium", "hard", "deadly")
    return names[sum(worth >= least for least in sums)]


def multiplier(foes: int, party: int) -> float:
    """Return the experience multiplier; it shifts one step for parties under 3 or from 6 up."""
    base = next((times for most, times in CROWDS if foes <= most), 4.0)
    step = STEPS.index(base) + (party < 3) - (party >= 6)
    return STEPS[max(0, min(step, len(STEPS) - 1))]
