"""Whose a pet is where no line tells: its class has one player who can have it.

A warlock's felhunter that was out before the log began is never summoned in it. Its spells tell
the class, or others of its name do whose owners are known. It is given to a player only where that
one alone fits in every pull in which it acts; else it stays nobody's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache

from ruleplay.agents.raid.domain.reference.tables import PetSpell, read_table

Pulls = Mapping[int, Collection[int]]
"""Who acts in each pull."""


@cache
def classes_of_pets() -> Mapping[str, str]:
    """Return the class whose pets alone have a spell, by its name."""
    return {one.name: one.class_ for one in read_table("pet_spells.csv", PetSpell)}


@dataclass(frozen=True)
class Household:
    """What is known of players and pets: names and owners of pets, classes of players.

    `tamed` are the classes that pets' own spells tell.
    """

    names: Mapping[int, str]
    owners: Mapping[int, int]
    classes: Mapping[int, str]
    tamed: Mapping[int, str]

    def adopt(self, pulls: Pulls) -> dict[int, int]:
        """Return the owners of those pets without one that one player alone can have."""
        found: dict[int, int] = {}
        for pet, name in self.names.items():
            if pet in self.owners:
                continue
            there = [acting for acting in pulls.values() if pet in acting]
            able = [self._able(pet, self._class(pet, name), acting) for acting in there]
            both = set.intersection(*able) if able else set()
            if len(both) == 1 and all(len(some) == 1 for some in able):
                found[pet] = both.pop()
        return found

    def _class(self, pet: int, name: str) -> str:
        if pet in self.tamed:
            return self.tamed[pet]
        alike = {
            self.classes.get(who, "") for one, who in self.owners.items() if self._is(one, name)
        }
        return alike.pop() if len(alike) == 1 else ""

    def _is(self, pet: int, name: str) -> bool:
        return self.names.get(pet) == name

    def _able(self, pet: int, class_: str, acting: Collection[int]) -> set[int]:
        """Return the players of a class in a pull who have no other such pet out."""
        mine = {who for who in acting if class_ and self.classes.get(who) == class_}
        if pet not in self.tamed:
            return mine
        return mine - {self.owners.get(other, 0) for other in acting if other in self.tamed}
