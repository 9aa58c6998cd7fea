"""Infers the owner of a pet that the log never links to a player.

A warlock's felhunter that was already out when logging began is never summoned in the log. Its
class comes from its spells, or from pets of the same name whose owners are known. The pet is
assigned to a player only if, in every pull where it acts, that player alone could own it;
otherwise it stays without an owner.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache

from ruleplay.agents.raid.domain.reference.tables import PetSpell, read_table

Pulls = Mapping[int, Collection[int]]
"""Pull number -> the actors that act in it."""


@cache
def classes_of_pets() -> Mapping[str, str]:
    """Class by spell name, for spells that only that class's pets have."""
    return {one.name: one.class_ for one in read_table("pet_spells.csv", PetSpell)}


@dataclass(frozen=True)
class Household:
    """What is known of pets (names, owners) and of players (classes).

    `tamed` gives the class of pets whose own spells reveal it.
    """

    names: Mapping[int, str]
    owners: Mapping[int, int]
    classes: Mapping[int, str]
    tamed: Mapping[int, str]

    def adopt(self, pulls: Pulls) -> dict[int, int]:
        """Return an owner for each unowned pet that only one player can own."""
        found: dict[int, int] = {}
        for pet, name in self.names.items():
            if pet in self.owners:
                continue
            there = [acting for acting in pulls.values() if pet in acting]
            able = [self._able(pet, self._class(pet, name), acting) for acting in there]
            both = set.intersection(*able) if able else set()
            # Stricter than the intersection alone: one pull with two candidates leaves it open.
            if len(both) == 1 and all(len(some) == 1 for some in able):
                found[pet] = both.pop()
        return found

    def _class(self, pet: int, name: str) -> str:
        if pet in self.tamed:
            return self.tamed[pet]
        # Else the class of the owners of known pets of this name, provided that they agree.
        alike = {
            self.classes.get(who, "") for one, who in self.owners.items() if self._is(one, name)
        }
        return alike.pop() if len(alike) == 1 else ""

    def _is(self, pet: int, name: str) -> bool:
        return self.names.get(pet) == name

    def _able(self, pet: int, class_: str, acting: Collection[int]) -> set[int]:
        """Players of this class in a pull who have no other pet of their own out."""
        mine = {who for who in acting if class_ and self.classes.get(who) == class_}
        if pet not in self.tamed:
            return mine
        return mine - {self.owners.get(other, 0) for other in acting if other in self.tamed}
