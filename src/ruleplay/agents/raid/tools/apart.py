"""The deeds that sums are made of, and what a sum leaves out."""

from __future__ import annotations

from dataclasses import dataclass

from ruleplay.agents.raid.domain.overview import fold
from ruleplay.agents.raid.tools.book import Book


@dataclass(frozen=True)
class Deed:
    """What one did to another with one ability in a pull."""

    fight: int
    source: str
    target: str
    ability: str
    amount: float
    over: float
    hits: int
    misses: int
    biggest: float
    ms: int
    """When: of sums, when the biggest of them came."""
    line: int
    crits: int = 0
    shielded: float = 0
    """The part of the amount that shields absorbed."""
    first: int = 0
    until: int = 0
    """When the first and the last of a sum's hits came."""
    by: str | None = None
    """The spell that interrupted or dispelled the ability, or the shield that swallowed it."""
    swallowed: int = 0
    """Hits that shields absorbed whole."""
    outcome: str = ""
    """How a try ended that did nothing: "failed", or the miss that the log tells."""
    whole: float | None = None
    """The size of a hit that a shield took part of: the biggest of those that it took whole."""
    health: float | None = None
    """The victim's health in percent after a single hit, where the log tells it."""


_SUMMONED = """
SELECT DISTINCT t.name FROM events e JOIN actors t ON t.id = e.target
WHERE e.event = 'SPELL_SUMMON' AND t.name IS NOT NULL AND list_contains($spells, lower(e.spell))
"""
PETS, ADDS = "pets", "adds"
"""What stands for everything that pets, guardians and totems did; for all enemies but bosses."""
_OWNED = "SELECT DISTINCT name FROM actors WHERE kind <> 'player' AND name IS NOT NULL"
BOSSES = "SELECT name FROM actors WHERE id IN (SELECT unnest(bosses) FROM encounters)"


@dataclass(frozen=True)
class Apart:
    """What a sum leaves out: folded names of abilities, pets and people, or all pets.

    With `bosses` it is all that was neither done to one of them nor by one.
    """

    names: frozenset[str] = frozenset()
    pets: bool = False
    bosses: frozenset[str] = frozenset()
    owned: frozenset[str] = frozenset()

    @classmethod
    def of(cls, text: str, book: Book) -> Apart:
        """Return what is named; with an ability that summons goes what it summoned."""
        said = [one.strip() for one in text.split(";") if one.strip()]
        spells = [one.lower() for one in said]
        summoned = [str(row[0]) for row in book.ask(_SUMMONED, {"spells": spells})]
        names = frozenset(fold(one) for one in (*said, *summoned))
        bosses = (fold(str(row[0])) for row in (book.ask(BOSSES) if ADDS in names else ()))
        owned = frozenset(fold(str(row[0])) for row in book.ask(_OWNED))
        return cls(names - {PETS, ADDS}, PETS in names, frozenset(bosses), owned)

    def has(self, one: Deed) -> bool:
        """Whether it is left out."""
        pet, _, spell = one.ability.partition(": ")
        if fold(pet) not in self.owned:  # "Shadow Word: Pain" is nobody's pet
            pet, spell = "", one.ability
        if pet and (self.pets or fold(pet) in self.names):
            return True
        target = fold(one.target)
        if self.bosses and not {target, fold(one.source)} & self.bosses:
            return True
        # One word stands for all creatures that have it in their names.
        bears = {word for part in target.split() for word in (part, part.removesuffix("s"))}
        own = {fold(spell), fold(one.ability), fold(one.source), target}
        return bool((own | bears) & self.names)
