"""What the mind finds out, in the shapes that nodes, prompts, traces and pages read.

Everything is frozen, JSON-able and small. Damage is a fraction of full health, low and high roll;
chances lie between zero and one; each finding has a `summary` in words.
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
    """One way a species is built: everything about it at once, as the generator made it."""

    species: str
    level: int
    item: str
    ability: str
    moves: tuple[str, ...]
    tera: str
    stats: Stats
    role: str = ""


class WeightedSet(Frozen):
    """A set with its chance among those that still fit what was seen.

    `set.tera` is the likeliest tera type, `teras` has them all with their chances.
    """

    set: JointSet
    chance: float
    teras: tuple[tuple[str, float], ...] = ()


class Guess(Frozen):
    """What one opposing Pokémon may carry, likeliest first; `note` says how it was found.

    `exact` is False when no set of the pool fits everything seen and the nearest were kept;
    `from_pool` is False when the pool does not know the species and its dex entry had to do.
    """

    ident: str
    sets: tuple[WeightedSet, ...]
    exact: bool = True
    from_pool: bool = True
    note: str = ""
    items: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    """Every item that a fitting set carries, also of the sets too unlikely to be kept."""

    @property
    def best(self) -> JointSet:
        """The likeliest set."""
        return self.sets[0].set


class Inference(Frozen):
    """The guesses for every opposing Pokémon that was revealed, by ident."""

    guesses: dict[str, Guess] = Field(default_factory=dict)
    summary: str = ""


class TeamAnalysis(Frozen):
    """Our team as it was built: idents under each heading, types under theirs."""

    win_conditions: tuple[str, ...]
    sweepers: tuple[str, ...]
    uncovered_types: tuple[str, ...]
    threats_to_sweepers: tuple[str, ...]
    shared_weaknesses: tuple[tuple[str, int], ...]
    preserve: tuple[str, ...]
    expendable: tuple[str, ...]
    summary: str = ""


class Strategy(Frozen):
    """The plan for the battle; `text` is the document that the prompts quote."""

    plan: tuple[str, ...]
    preserve: tuple[str, ...] = ()
    expendable: tuple[str, ...] = ()
    text: str = ""


class Damage(Frozen):
    """What one use of a move does: fractions of the target's full health before accuracy."""

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
        """Return the chance that one use brings this much health to zero, rolls taken as even."""
        if hp <= self.low:
            return self.accuracy
        if hp > self.high or self.high <= 0:
            return 0.0
        return self.accuracy * (self.high - hp) / max(self.high - self.low, 1e-9)


class Matchup(Frozen):
    """One of ours against one of theirs, played out from where they stand."""

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
    """Every pair that can still meet; `recomputed` counts those that were stale."""

    pairs: tuple[Matchup, ...]
    recomputed: int = 0
    summary: str = ""

    def of(self, ours: str, theirs: str) -> Matchup | None:
        """Return the pair's matchup, None where it was never computed."""
        for pair in self.pairs:
            if pair.ours == ours and pair.theirs == theirs:
                return pair
        return None


class Candidate(Frozen):
    """One thing the opponent may do; a switch's `action` is an ident, "" for one not yet seen.

    `carried` is how likely it can do that at all: a move is used by no more sets than have it.
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
    """What the opponent will do: likeliest first, probabilities sum to one."""

    predictions: tuple[Candidate, ...]
    switch_chance: float = 0.0
    summary: str = ""


class TargetDamage(Frozen):
    """What a move does to one possible target."""

    ident: str
    name: str
    damage: Damage
    ko_chance: float


class MoveOption(Frozen):
    """One of our moves, ranked. `score` orders the options and means nothing beyond them."""

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
    """Our moves, best first."""

    moves: tuple[MoveOption, ...] = ()
    choice_locked: bool = False
    locked_move: str | None = None
    summary: str = ""


class SwitchOption(Frozen):
    """One of ours who could come in; `hazards` and `hit` are fractions of its full health."""

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
    """Who could come in, best first."""

    switches: tuple[SwitchOption, ...] = ()
    summary: str = ""


class TeraAnalysis(Frozen):
    """Whether terastallizing now pays, and what theirs would do; `gain` is in the scores' unit."""

    our_tera_available: bool = False
    opponent_tera_available: bool = False
    recommendation: Order | None = None
    gain: float = 0.0
    opponent_types: tuple[tuple[str, float], ...] = ()
    summary: str = ""


class Line(Frozen):
    """What a search thinks of one order: its share of the visits and its value, 0 to 1."""

    order: Order
    share: float
    value: float


class SearchVerdict(Frozen):
    """What a search found, best first. `shares` sum to one over legal orders."""

    engine: str
    lines: tuple[Line, ...]
    worlds: int = 0
    visits: int = 0
    milliseconds: float = 0.0
    reply: tuple[tuple[str, float], ...] = ()
    summary: str = ""


class Scored(Frozen):
    """An order with its score and what the score is made of."""

    order: Order
    score: float
    why: str = ""


class Decision(Frozen):
    """The choice: `order` is the best-scored of the legal orders, `scores` has them all."""

    order: Order
    scores: tuple[Scored, ...]
    summary: str = ""
