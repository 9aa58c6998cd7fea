"""What an answer may draw on: the battle, what is asked of it, and how things are said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ruleplay.agents.battle.domain.faceoff import (
    Faceoff,
    defences,
    face_off,
    move_chances,
    tera_chances,
)
from ruleplay.agents.battle.domain.meaning import Heard, Named, Thing, options
from ruleplay.agents.battle.domain.naming import display, move_name
from ruleplay.agents.battle.domain.orders import (
    DefaultOrder,
    MoveOrder,
    Order,
    SwitchOrder,
    TeamOrder,
)
from ruleplay.agents.battle.domain.phrases import listed, order_said, percent, say, type_name
from ruleplay.agents.battle.domain.position import Mon, Position, Side
from ruleplay.agents.battle.domain.results import Candidate, Guess, Inference
from ruleplay.agents.battle.state import DecisionTrace, State

SURELY = 0.98
RARELY = 0.03


@dataclass(frozen=True)
class Scene:
    """What an answer may draw on: the battle, what is asked, and what is printed of things."""

    state: State
    position: Position
    inference: Inference
    heard: Heard
    printed: Mapping[str, str] = field(default_factory=dict)

    def say(self, key: str, **values: object) -> str:
        """Return a sentence in the language of the question.

        Shares stand in it as percentages, orders and Pokémon as they are called.
        """
        return say(self.heard.language, key, **{name: self._told(v) for name, v in values.items()})

    def _told(self, value: object) -> object:
        match value:
            case float():
                return percent(value)
            case Mon():
                return self.mon(value)
            case MoveOrder() | SwitchOrder() | TeamOrder() | DefaultOrder():
                return self.order(value)
        return value

    def order(self, order: Order) -> str:
        """Return an order in words."""
        return order_said(self.heard.language, order, self.position)

    def mon(self, mon: Mon) -> str:
        """Return how one is called."""
        return display(self.position, mon.ident)

    def about(self, pair: Faceoff) -> Scene:
        """Return the same question about these two."""
        return self.of(Thing("ours", pair.ours.ident), Thing("theirs", pair.theirs.ident))

    def of(self, *things: Thing) -> Scene:
        """Return the same question about these things."""
        named = Named(tuple((thing,) for thing in things))
        return replace(self, heard=replace(self.heard, named=named))

    @cached_property
    def theirs(self) -> Mon | None:
        """The one of theirs that is asked about: named, spoken of before, or on the field."""
        return self._subject("theirs", self.position.theirs)

    @cached_property
    def ours(self) -> Mon | None:
        """The one of ours, likewise."""
        return self._subject("ours", self.position.ours)

    @property
    def subject(self) -> Mon | None:
        """Who is asked about alone: whoever is named, else whose the question says, or theirs."""
        mine = options(self.heard.named, "ours") or self.heard.side == "ours"
        return self.ours if mine and not options(self.heard.named, "theirs") else self.theirs

    def _subject(self, kind: str, side: Side) -> Mon | None:
        idents = [thing.id for thing in options(self.heard.named, kind)]
        spoken = self.state.spoken
        if not idents and spoken and self.follows:
            idents = [getattr(spoken, kind)]
        elif not idents and spoken and spoken.topic == "danger" and kind == "theirs":
            idents = [pairs[0].theirs.ident for pairs in self.by_danger[:1]]  # "who handles it?"
        named = next((mon for mon in side.team if mon.ident in idents), None)
        return named or side.active or next((mon for mon in side.team if not mon.fainted), None)

    @property
    def follows(self) -> bool:
        """Whether the question goes on about what was asked before."""
        named, spoken = self.heard.named, self.state.spoken
        return (
            self.heard.topic in ("tera", "crit") and not named.of("ours", "theirs") and bool(spoken)
        )

    @property
    def move(self) -> str:
        """The move that is asked about, or was before; "" for none."""
        moves = options(self.heard.named, "move")
        if moves:
            return moves[0].id
        return self.state.spoken.move if self.state.spoken and self.follows else ""

    @property
    def trace(self) -> DecisionTrace | None:
        """The decision in this position."""
        return self.state.trace

    @cached_property
    def guess(self) -> Guess | None:
        """What the one of theirs may carry."""
        return self.inference.guesses.get(self.theirs.ident) if self.theirs else None

    def pair(self, tera: str = "") -> Faceoff | None:
        """Return the two that are asked about, played out; None where one is missing."""
        if self.ours is None or self.theirs is None or self.guess is None:
            return None
        return face_off(self.position, self.ours, self.theirs, self.guess, tera, self.endured)

    def pairs(self) -> tuple[Faceoff, ...]:
        """Return all who still stand, each of ours against each of theirs."""
        guesses = self.inference.guesses
        return tuple(
            face_off(self.position, us, them, guesses[them.ident])
            for them in self.position.theirs.team
            for us in self.position.ours.team
            if them.ident in guesses and not (us.fainted or them.fainted)
        )

    @cached_property
    def by_danger(self) -> list[list[Faceoff]]:
        """The pairs of each of theirs, the most dangerous of them first."""
        met: dict[str, list[Faceoff]] = {}
        for pair in self.pairs():
            met.setdefault(pair.theirs.ident, []).append(pair)
        return sorted(met.values(), key=lambda pairs: -sum(pair.loses for pair in pairs))

    @cached_property
    def with_own_tera(self) -> Faceoff | None:
        """The pair once ours has terastallized; None where it cannot."""
        us, them, guess = self.ours, self.theirs, self.guess
        if us is None or them is None or guess is None or self.position.ours.tera_used:
            return None
        if not us.active or not us.tera_type:
            return None
        return face_off(self.position, us, them, guess, own_tera=True)

    @property
    def endured(self) -> str:
        """A move of theirs that is asked about, whether they have it or not; "" for none."""
        topic, spoken = self.heard.topic, self.state.spoken
        goes_on = topic == "tera" and spoken is not None and spoken.topic == "survive"
        mine = self.ours is not None and self.move in self.ours.known_moves
        theirs = self.guess is not None and self.move in dict(move_chances(self.guess))
        return self.move if (topic == "survive" or goes_on) and (theirs or not mine) else ""


def as_shares(scene: Scene, shares: Sequence[tuple[str, float]], most: int) -> str:
    """Return names with their chances, the likeliest ones; a sure one without."""
    told = [one for one in shares if one[1] >= RARELY][:most] or list(shares[:1])
    return ", ".join(
        name if chance >= SURELY else scene.say("share", name=name, chance=chance)
        for name, chance in told
    )


def teras(scene: Scene, mon: Mon, guess: Guess) -> list[tuple[str, float]]:
    """Return what theirs may terastallize into, as types are called, with chances."""
    kinds = tera_chances(mon, guess)
    return [(type_name(scene.heard.language, kind), chance) for kind, chance in kinds]


def roughly(scene: Scene) -> Iterable[str]:
    """Say where what theirs carries is a guess."""
    if scene.guess and scene.theirs and not scene.guess.from_pool:
        yield scene.say("guessed", mon=scene.theirs)
    elif scene.guess and "random" not in scene.position.format:
        yield scene.say("usage")


def upper(text: str) -> str:
    """Return a text as it begins a sentence."""
    return text[:1].upper() + text[1:]


def and_listed(scene: Scene, parts: Iterable[str]) -> str:
    """Return parts as one enumeration."""
    return listed(scene.heard.language, parts)


def defence(scene: Scene, name: str, types: tuple[str, ...]) -> str:
    """Say what some types are weak to, resist and are immune to; `name` is who has them."""
    weak, strong, none = (types_said(scene, kinds) for kinds in defences(types))
    return scene.say("explain_defence", name=name, weak=weak, strong=strong, none=none)


def types_said(scene: Scene, kinds: Sequence[str]) -> str:
    """Return types as one enumeration, or that there are none."""
    names = [type_name(scene.heard.language, kind) for kind in kinds]
    return and_listed(scene, names) if names else scene.say("nothing")


def action(scene: Scene, one: Candidate) -> str:
    """Return what the opponent may do in words."""
    if one.kind == "move":
        return move_name(one.action)
    name = display(scene.position, one.action) if one.action else scene.say("someone")
    return scene.say("action_switch", mon=name)
