"""The working state of an act of exploring: the party, its progress and what has happened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias, TypeVar

from ruleplay.agents.party.domain.adventure import Adventure
from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.exploration.progress import Expedition
from ruleplay.agents.party.domain.happenings.creatures import Happening
from ruleplay.agents.party.domain.happenings.exploration import Explored
from ruleplay.agents.party.domain.play import Play
from ruleplay.agents.party.domain.rulebook import Rulebook

DM: Final = "dm"
PARTY: Final = "party"
Happened: TypeAlias = Happening | Explored
Result = TypeVar("Result")


@dataclass
class Journey:
    """Collects what happens; every rule sees the state that the earlier happenings left."""

    expedition: Expedition
    adventure: Adventure
    cast: Cast
    rules: Rulebook
    spending: tuple[str, ...] | None = None
    done: list[Happened] = field(default_factory=list)

    def add(self, *happened: Happened) -> None:
        """Record happenings and apply them to the expedition or the cast."""
        for one in happened:
            if isinstance(one, Explored):
                self.expedition = self.expedition.apply(one)
            else:
                self.cast = self.cast.apply(one)
            self.done.append(one)

    def by_rules(self, act: Callable[[Play], Result]) -> Result:
        """Run `act` with the rules of play, add what happened, and return its result."""
        play = Play(self.cast, self.rules)
        result = act(play)
        self.add(*play.happened)
        return result

    @property
    def party(self) -> tuple[Creature, ...]:
        """Return the characters who are alive."""
        return self.cast.side(PARTY)

    @property
    def able(self) -> tuple[str, ...]:
        """Return the ids of the characters who can act."""
        return tuple(one.id for one in self.party if one.conscious)
