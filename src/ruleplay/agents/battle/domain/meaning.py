"""Types for what people say: named things, acts (orders and wishes), and understood messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import Field

from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.wishes import Limit, Span

Plain = Literal["use", "switch", "another", "leave", "stay", "tera_now"]
Aimed = Literal["boost", "heal", "lay", "finish", "attack", "hardest"]
"""Orders by their purpose, without the name of a move."""
Standing = Literal["no_tera", "safer", "keep", "spend", "comment", "quiet", "forfeit", "free"]
Do = Literal[Plain, Aimed, Standing, "pick", "ask"]
OF_THIS_TURN = get_args(Literal[Plain, Aimed])
ORDERS = frozenset((*OF_THIS_TURN, *get_args(Standing)))
"""All acts that change how we play."""


@dataclass(frozen=True)
class Thing:
    """Something that has a name: its kind (see `policy.names.KINDS`) and its ident or id."""

    kind: str
    id: str


@dataclass(frozen=True)
class Named:
    """The names in a message, in order, each with everything it may stand for.

    `marked` is the message with the names replaced by marks such as `<mon>`.
    """

    names: tuple[tuple[Thing, ...], ...] = ()
    marked: str = ""

    @property
    def things(self) -> tuple[Thing, ...]:
        """What is named unambiguously."""
        return tuple(dict.fromkeys(name[0] for name in self.names if len(name) == 1))

    def of(self, *kinds: str) -> tuple[str, ...]:
        """List the idents or ids of the unambiguous things of these kinds."""
        return tuple(thing.id for thing in self.things if thing.kind in kinds)


class Act(Frozen):
    """One thing a person wants. `name` is what it is about, `number` the answer to "which".

    `span` is for how long, where they say so. `only` is a condition: that the move surely knocks
    out, that ours lives through this turn, that what the act before asks for was not so, or what
    nobody can wait for here; `when` names who of theirs has to stand there, `once` who of either
    side has to have fainted. `begin`, `until` and `unless` say what else it waits for, what ends it
    and what lifts it; `turns` for how many turns it holds, the first included. `said` quotes a
    condition of `only` "other". What is `doubted` they wonder about in the same breath.
    """

    do: Do
    name: str = Field(default="", max_length=80)
    tera: bool = False
    span: Span = ""
    only: Literal["", "kills", "lives", "otherwise", "other"] = ""
    when: str = Field(default="", max_length=80)
    once: str = Field(default="", max_length=80)
    begin: Limit | None = None
    until: Limit | None = None
    unless: Limit | None = None
    turns: int = Field(default=0, ge=0, le=100)
    said: str = Field(default="", max_length=200)
    doubted: bool = False
    number: int = Field(default=0, ge=0, le=9)

    @property
    def waits(self) -> bool:
        """Whether something has to happen before it applies."""
        return bool(self.when or self.once or self.begin) or self.span == "after"

    @property
    def limits(self) -> Mapping[str, Limit]:
        """The limits that begin, end and lift it, by field name."""
        found = {"begin": self.begin, "until": self.until, "unless": self.unless}
        return {key: limit for key, limit in found.items() if limit}

    @property
    def is_bound(self) -> bool:
        """Whether it states a condition or a time."""
        return self.waits or bool(self.only or self.span or self.limits or self.turns)

    @property
    def rules_out(self) -> bool:
        """Whether it rules something out for longer than a turn, or against one of theirs."""
        lasts = self.waits or self.limits or self.turns > 1 or self.span == "on"
        return self.do == "another" and bool(lasts)


class Reading(Frozen):
    """What a message means, as a model reads it: acts in their order, and what is asked about.

    `about` are the names of Pokémon, moves, items, abilities and types the question is about, as
    far as the message or the talk before it says.
    """

    acts: tuple[Act, ...] = Field(max_length=8)
    about: tuple[str, ...] = Field(default=(), max_length=24)
    language: str = Field(default="", max_length=12)


@dataclass(frozen=True)
class Heard:
    """An understood message: `topic` is its question, `choices` the candidates if that is unclear.

    `orders` are acts with the things they name; `also` are the questions of further clauses. `side`
    says whose Pokémon the question is about, "ours" or "theirs", or "" if it is open. `effect` is
    the kind of temporary effect whose duration is asked, `when` what happened in the turn that is
    asked about: "fell" or "tera". `asks` distinguishes a question from a
    remark, `supposes` a condition from both.
    """

    language: str
    named: Named
    topic: str = ""
    choices: tuple[str, ...] = ()
    orders: tuple[tuple[Act, Named], ...] = ()
    also: tuple[Heard, ...] = ()
    side: str = ""
    effect: str = ""
    when: str = ""
    asks: bool = False
    supposes: bool = False


def options(named: Named, *kinds: str) -> tuple[Thing, ...]:
    """List everything of some kinds that a message may name; unambiguous things come first."""
    found = [thing for name in named.names for thing in name if thing.kind in kinds]
    return tuple(dict.fromkeys(sorted(found, key=lambda thing: thing not in named.things)))
