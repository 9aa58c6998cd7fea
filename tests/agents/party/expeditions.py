"""Parties on their way: the ready characters in an adventure, and short ways to move them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from random import Random

from tests.agents.party.small import SMALL

from ruleplay.agents.party.adapters.adventure_source import read_adventure
from ruleplay.agents.party.adapters.character_source import READY, party_of
from ruleplay.agents.party.adapters.library import shipped_adventures
from ruleplay.agents.party.adapters.srd_source import shipped_rules
from ruleplay.agents.party.domain.adventure import Adventure
from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.exploration.acts import (
    Exploration,
    Option,
    Venture,
    dm_options,
    options,
)
from ruleplay.agents.party.domain.exploration.draft import DM, Happened
from ruleplay.agents.party.domain.exploration.progress import Expedition
from ruleplay.agents.party.domain.exploration.rules import explore
from ruleplay.agents.party.domain.happenings.exploration import Explored
from ruleplay.agents.party.domain.intents import Refusal


@cache
def story(key: str) -> Adventure:
    """Return a shipped adventure, or the small one of the tests."""
    if key == "small":
        return read_adventure(SMALL, "small.md", shipped_rules())
    return shipped_adventures()[key].adventure


@cache
def ready(names: tuple[str, ...] = READY, level: int = 1) -> Cast:
    """Return ready characters as a cast."""
    return Cast(
        creatures=tuple(one.creature for one in party_of(names, shipped_rules(), level)),
    )


@dataclass
class Trip:
    """A party on its way; what happened is kept in order."""

    key: str
    names: tuple[str, ...] = READY
    level: int = 1
    seed: str = "1"
    now: Expedition = field(init=False)
    cast: Cast = field(init=False)
    told: list[Happened] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.now = Expedition(adventure=self.key)
        self.cast = ready(self.names, self.level).model_copy(update={"dice_seed": self.seed})

    @property
    def story(self) -> Adventure:
        return story(self.key)

    def do(
        self, who: str, act: Venture, target: str = "", topic: str = ""
    ) -> tuple[Happened, ...] | Refusal:
        """Let somebody venture something, and take over what came of it."""
        does = Exploration(act=act, target=target, topic=topic)
        came = explore(self.now, self.story, self.cast, shipped_rules(), who, does)
        if not isinstance(came, Refusal):
            self.take(came)
        return came

    def take(self, came: tuple[Happened, ...]) -> None:
        """Take over what happened."""
        for one in came:
            if isinstance(one, Explored):
                self.now = self.now.apply(one)
            else:
                self.cast = self.cast.apply(one)
        self.told += came

    def begin(self) -> Trip:
        """Set out."""
        self.do(DM, "begin")
        return self

    def offered(self, who: str) -> tuple[Option, ...]:
        """Return what somebody could do next."""
        if who == DM:
            return dm_options(self.now, self.story, self.names)
        return options(self.now, self.story, who)

    def wander(self, chance: Random, acts: int = 400) -> None:
        """Let everyone do one of the most sensible things in turn, until a fight or the end."""
        for act in range(acts):
            if self.now.ending or self.cast.fight:
                return
            who = (DM, *self.names)[act % (len(self.names) + 1)]
            offered = self.offered(who)
            if offered:
                best = [one for one in offered if one.weight == offered[0].weight]
                does = chance.choice(best).does
                self.do(who, does.act, does.target, does.topic)
