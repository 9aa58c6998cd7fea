"""What rule-based answers work with: the battle, the question, and phrases in its language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.faceoff import (
    Faceoff,
    after_move,
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
from ruleplay.agents.battle.domain.unseen import Coming
from ruleplay.agents.battle.policy.course import Course
from ruleplay.agents.battle.state import DecisionTrace, State

SURELY = 0.98
"""At or above this probability an answer states something as certain."""
RARELY = 0.03
"""Below this probability an answer leaves something out."""

AFTERWARDS = frozenset({"damage", "survive", "matchup", "speed"})
"""Topics that may be asked of what is after a set-up move."""


@dataclass(frozen=True)
class Scene:
    """A question, the battle it is about, and the texts that the dex prints about things.

    `printed` maps "kind/id", such as "ability/intimidate", to a text; `coming` estimates what may
    still come in against ours, `course` has the battle's earlier turns.
    """

    state: State
    position: Position
    inference: Inference
    heard: Heard
    printed: Mapping[str, str] = field(default_factory=dict)
    coming: Sequence[Coming] = ()
    course: Course = field(default_factory=Course)

    def say(self, key: str, **values: object) -> str:
        """Fill in a phrase in the language of the question.

        Floats become percentages; orders and Pokémon become their names.
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
        """Phrase an order."""
        return order_said(self.heard.language, order, self.position)

    def mon(self, mon: Mon) -> str:
        """Look up the display name of a Pokémon."""
        return display(self.position, mon.ident)

    def about(self, pair: Faceoff) -> Scene:
        """Ask the same question about the two Pokémon of a pair."""
        return self.of(Thing("ours", pair.ours.ident), Thing("theirs", pair.theirs.ident))

    def of(self, *things: Thing) -> Scene:
        """Ask the same question about other things."""
        named = Named(tuple((thing,) for thing in things))
        return replace(self, heard=replace(self.heard, named=named))

    @cached_property
    def theirs(self) -> Mon | None:
        """The opposing Pokémon in question: named, mentioned before, or active."""
        return self._subject("theirs", self.position.theirs)

    @cached_property
    def ours(self) -> Mon | None:
        """Our Pokémon in question, found in the same way."""
        return self._subject("ours", self.position.ours)

    @property
    def subject(self) -> Mon | None:
        """The one Pokémon in question: the named one, else one of the side the question implies."""
        mine = options(self.heard.named, "ours") or self.heard.side == "ours"
        return self.ours if mine and not options(self.heard.named, "theirs") else self.theirs

    def _subject(self, kind: str, side: Side) -> Mon | None:
        """Find the Pokémon of a side that the question is about, the active one by default."""
        idents = [thing.id for thing in options(self.heard.named, kind)]
        spoken = self.state.spoken
        if not idents and spoken and self.follows:
            # "And if it terastallizes?" is about the same Pokémon as the question before.
            idents = [getattr(spoken, kind)]
        elif not idents and spoken and spoken.topic == "danger" and kind == "theirs":
            idents = [pairs[0].theirs.ident for pairs in self.by_danger[:1]]  # "who handles it?"
        named = next((mon for mon in side.team if mon.ident in idents), None)
        return named or side.active or next((mon for mon in side.team if not mon.fainted), None)

    @property
    def follows(self) -> bool:
        """Whether the question continues the one before, naming no Pokémon of its own."""
        named, spoken = self.heard.named, self.state.spoken
        return (
            self.heard.topic in ("tera", "crit") and not named.of("ours", "theirs") and bool(spoken)
        )

    @property
    def move(self) -> str:
        """The move in question, or that of the question it continues; "" for none."""
        moves = [one for one in options(self.heard.named, "move") if one.id != self.setup]
        if moves:
            return moves[0].id
        return self.state.spoken.move if self.state.spoken and self.follows else ""

    @property
    def setup(self) -> str:
        """The named set-up move after which the question is asked, "" for none."""
        moves = [one.id for one in options(self.heard.named, "move")]
        rising = [one for one in moves if dex.knows_move(one) and dex.move(one).rises]
        return rising[0] if rising and self.heard.topic in AFTERWARDS else ""

    @property
    def trace(self) -> DecisionTrace | None:
        """How the last decision was made."""
        return self.state.trace

    @cached_property
    def guess(self) -> Guess | None:
        """The sets that the opposing Pokémon in question may have."""
        return self.inference.guesses.get(self.theirs.ident) if self.theirs else None

    def pair(self, tera: str = "") -> Faceoff | None:
        """Play the two Pokémon in question against each other; None if either is missing."""
        if self.ours is None or self.theirs is None or self.guess is None:
            return None
        ours, theirs = self.ours, self.theirs
        if self.setup in ours.known_moves:
            ours = after_move(ours, self.setup)
        elif self.setup:
            theirs = after_move(theirs, self.setup)
        return face_off(self.position, ours, theirs, self.guess, tera, self.endured)

    def pairs(self) -> tuple[Faceoff, ...]:
        """Play each of ours against each of theirs, as far as they have not fainted."""
        guesses = self.inference.guesses
        return tuple(
            face_off(self.position, us, them, guesses[them.ident])
            for them in self.position.theirs.team
            for us in self.position.ours.team
            if them.ident in guesses and not (us.fainted or them.fainted)
        )

    @cached_property
    def by_danger(self) -> list[list[Faceoff]]:
        """Their Pokémon as lists of pairs with ours, the most dangerous first."""
        met: dict[str, list[Faceoff]] = {}
        for pair in self.pairs():
            met.setdefault(pair.theirs.ident, []).append(pair)
        return sorted(met.values(), key=lambda pairs: -sum(pair.loses for pair in pairs))

    @cached_property
    def with_own_tera(self) -> Faceoff | None:
        """The pair in question with ours terastallized; None if it cannot terastallize."""
        us, them, guess = self.ours, self.theirs, self.guess
        if us is None or them is None or guess is None or self.setup:
            return None
        if self.position.ours.tera_used:
            return None
        # Only the active Pokémon can terastallize this turn.
        if not us.active or not us.tera_type:
            return None
        return face_off(self.position, us, them, guess, own_tera=True)

    @property
    def endured(self) -> str:
        """The move in question if the question is whether ours survives it; "" otherwise.

        The move need not be one that theirs is known to have.
        """
        topic, spoken = self.heard.topic, self.state.spoken
        goes_on = topic == "tera" and spoken is not None and spoken.topic == "survive"
        mine = self.ours is not None and self.move in self.ours.known_moves
        theirs = self.guess is not None and self.move in dict(move_chances(self.guess))
        return self.move if (topic == "survive" or goes_on) and (theirs or not mine) else ""


def as_shares(scene: Scene, shares: Sequence[tuple[str, float]], most: int) -> str:
    """List the likeliest names with their chances; certain ones stand without a number."""
    told = [one for one in shares if one[1] >= RARELY][:most] or list(shares[:1])
    return ", ".join(
        name if chance >= SURELY else scene.say("share", name=name, chance=chance)
        for name, chance in told
    )


def teras(scene: Scene, mon: Mon, guess: Guess) -> list[tuple[str, float]]:
    """List the names of the types theirs may terastallize into, with their chances."""
    kinds = tera_chances(mon, guess)
    return [(type_name(scene.heard.language, kind), chance) for kind, chance in kinds]


def roughly(scene: Scene) -> Iterable[str]:
    """Warn where the sets of theirs are a guess, or come from usage statistics."""
    if scene.guess and scene.theirs and not scene.guess.from_pool:
        yield scene.say("guessed", mon=scene.theirs)
    elif scene.guess and "random" not in scene.position.format:
        yield scene.say("usage")


def upper(text: str) -> str:
    """Capitalise the first letter."""
    return text[:1].upper() + text[1:]


def and_listed(scene: Scene, parts: Iterable[str]) -> str:
    """Join parts into one enumeration."""
    return listed(scene.heard.language, parts)


def defence(scene: Scene, name: str, types: tuple[str, ...]) -> str:
    """Say what a combination of types is weak to, resists and is immune to; `name` has it."""
    weak, strong, none = (types_said(scene, kinds) for kinds in defences(types))
    return scene.say("explain_defence", name=name, weak=weak, strong=strong, none=none)


def types_said(scene: Scene, kinds: Sequence[str]) -> str:
    """List types in words; a phrase for "nothing" if there are none."""
    names = [type_name(scene.heard.language, kind) for kind in kinds]
    return and_listed(scene, names) if names else scene.say("nothing")


def action(scene: Scene, one: Candidate) -> str:
    """Phrase something the opponent may do."""
    if one.kind == "move":
        return move_name(one.action)
    name = display(scene.position, one.action) if one.action else scene.say("someone")
    return scene.say("action_switch", mon=name)
