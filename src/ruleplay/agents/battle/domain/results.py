"""The results of the analyses, as nodes, prompts, traces and pages read them.

All are frozen, JSON-compatible and small. Damage is a fraction of full health, as lowest and
highest roll; probabilities are between 0 and 1; each result has a `summary` in words.
"""

from __future__ import annotations

import operator
from typing import Literal

from pydantic import Field

from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.orders import Order
from ruleplay.agents.battle.domain.position import Stats

Outcome = Literal["win", "lose", "draw"]


class JointSet(Frozen):
    """One complete build of a species, as the generator made it."""

    species: str
    level: int
    item: str
    ability: str
    moves: tuple[str, ...]
    tera: str
    stats: Stats
    role: str = ""


class WeightedSet(Frozen):
    """A set with its probability among those that fit the observations.

    `set.tera` is the likeliest tera type; `teras` has all of them with their probabilities.
    """

    set: JointSet
    chance: float
    teras: tuple[tuple[str, float], ...] = ()


class Guess(Frozen):
    """The sets one opposing Pokémon may have, the likeliest first; `note` says how they were found.

    `exact` is False if no set of the pool fits all observations, so the nearest were kept.
    `from_pool` is False if the pool does not have the species, so the set was made from its dex
    entry.
    """

    ident: str
    sets: tuple[WeightedSet, ...]
    exact: bool = True
    from_pool: bool = True
    note: str = ""
    items: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    """All items of fitting sets, including sets too unlikely to be kept."""

    @property
    def best(self) -> JointSet:
        """The likeliest set."""
        return self.sets[0].set


class Inference(Frozen):
    """The guesses about all revealed opposing Pokémon, by ident."""

    guesses: dict[str, Guess] = Field(default_factory=dict)
    summary: str = ""


class TeamAnalysis(Frozen):
    """The analysis of our team, as idents and types under each heading."""

    win_conditions: tuple[str, ...]
    sweepers: tuple[str, ...]
    uncovered_types: tuple[str, ...]
    threats_to_sweepers: tuple[str, ...]
    shared_weaknesses: tuple[tuple[str, int], ...]
    preserve: tuple[str, ...]
    expendable: tuple[str, ...]
    summary: str = ""


class Strategy(Frozen):
    """The battle plan; `text` is what prompts quote."""

    plan: tuple[str, ...]
    preserve: tuple[str, ...] = ()
    expendable: tuple[str, ...] = ()
    text: str = ""


class Damage(Frozen):
    """The effect of one use of a move that hits, as fractions of the target's full health."""

    low: float
    high: float
    accuracy: float = 1.0
    effectiveness: float = 1.0
    hits: float = 1.0

    @property
    def mean(self) -> float:
        """The middle of the range."""
        return (self.low + self.high) / 2

    def ko_chance(self, hp: float) -> float:
        """Compute the chance that one use takes this much health, with evenly distributed rolls."""
        if hp <= self.low:
            return self.accuracy
        if hp > self.high or self.high <= 0:
            return 0.0
        return self.accuracy * (self.high - hp) / max(self.high - self.low, 1e-9)


class Matchup(Frozen):
    """One of ours against one of theirs, played out from their current state."""

    ours: str
    theirs: str
    outcome: Outcome
    our_remaining: float
    their_remaining: float
    turns: int
    faster: bool
    our_best: str = ""
    their_best: str = ""
    our_damage: float = 0.0
    their_damage: float = 0.0
    notes: str = ""
    stamp: str = ""


class Matchups(Frozen):
    """All pairs that can still meet; `recomputed` counts those that were outdated."""

    pairs: tuple[Matchup, ...]
    recomputed: int = 0
    summary: str = ""

    def of(self, ours: str, theirs: str) -> Matchup | None:
        """Find a pair's result; None if it was never computed."""
        for pair in self.pairs:
            if pair.ours == ours and pair.theirs == theirs:
                return pair
        return None


class Candidate(Frozen):
    """A possible action of the opponent; a switch's `action` is an ident, "" for an unseen Pokémon.

    `carried` is the probability that the action is possible at all, that is, that its set has the
    move.
    """

    kind: Literal["move", "switch"]
    action: str
    name: str
    probability: float
    damage: Damage | None = None
    ko_chance: float = 0.0
    damage_to_us: str = ""
    reasoning: str = ""
    carried: float = Field(default=1.0, exclude_if=lambda share: share >= 1)


class Expected(Frozen):
    """The opponent's likely actions, the likeliest first; the probabilities sum to one."""

    predictions: tuple[Candidate, ...]
    switch_chance: float = 0.0
    summary: str = ""


class TargetDamage(Frozen):
    """The effect of a move on one possible target."""

    ident: str
    name: str
    damage: Damage
    ko_chance: float


class MoveOption(Frozen):
    """One of our moves, ranked; `score` only serves to order the options."""

    order: Order
    move: str
    name: str
    rank: int
    score: float
    damage: Damage
    ko_chance: float
    on_switches: tuple[TargetDamage, ...] = ()
    damage_to_active: str = ""
    damage_to_switches: str = ""
    accuracy: int = 100
    priority: int = 0
    recoil: float = 0.0
    immune: bool = False
    reasoning: str = ""


class MoveOptions(Frozen):
    """Our usable moves, the best first."""

    moves: tuple[MoveOption, ...] = ()
    choice_locked: bool = False
    locked_move: str | None = None
    summary: str = ""


class SwitchOption(Frozen):
    """A possible switch; `hazards` and `hit` are fractions of its full health."""

    order: Order
    ident: str
    name: str
    rank: int
    score: float
    hazards: float
    hit: float
    survives: bool
    hp_after: float
    outcome: Outcome | None = None
    damage_on_switch: str = ""
    matchup_result: str = ""
    reasoning: str = ""


class SwitchOptions(Frozen):
    """Our possible switches, the best first."""

    switches: tuple[SwitchOption, ...] = ()
    summary: str = ""


class TeraAnalysis(Frozen):
    """Whether to terastallize now, and what theirs may turn into; `gain` is in units of score."""

    our_tera_available: bool = False
    opponent_tera_available: bool = False
    recommendation: Order | None = None
    gain: float = 0.0
    opponent_types: tuple[tuple[str, float], ...] = ()
    summary: str = ""


class Line(Frozen):
    """A search's evaluation of one order: its share of visits and its value, 0 to 1."""

    order: Order
    share: float
    value: float


class SearchVerdict(Frozen):
    """A search's result, the best order first; the shares sum to one over the legal orders."""

    engine: str
    lines: tuple[Line, ...]
    worlds: int = 0
    visits: int = 0
    milliseconds: float = 0.0
    reply: tuple[tuple[str, float], ...] = ()
    summary: str = ""


class Scored(Frozen):
    """An order with its score and the reason."""

    order: Order
    score: float
    why: str = ""


class Decision(Frozen):
    """The choice: `order` has the best score among the legal orders, `scores` has them all."""

    order: Order
    scores: tuple[Scored, ...]
    summary: str = ""
