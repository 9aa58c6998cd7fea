"""The set pool: all complete sets that Showdown's generator made for a format, with frequencies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.position import Stats
from ruleplay.agents.battle.domain.results import JointSet

EVS, IVS = (85,) * 6, (31,) * 6
"""Effort and individual values of random battles' sets unless stated otherwise."""


@dataclass(frozen=True)
class PoolSet:
    """One set, how often the generator made it, and with which tera types."""

    species: str
    level: int
    item: str
    ability: str
    moves: tuple[str, ...]
    evs: tuple[int, ...]
    ivs: tuple[int, ...]
    role: str
    teras: tuple[tuple[str, int], ...]
    nature: str = ""

    @cached_property
    def count(self) -> int:
        """How often the generator made it."""
        return sum(count for _, count in self.teras)

    @cached_property
    def stats(self) -> Stats:
        """Its six stats."""
        return stats_of(self.species, self.level, self.evs, self.ivs, self.nature)

    @cached_property
    def joint(self) -> JointSet:
        """The set without frequencies, with its most common tera type."""
        return JointSet(
            species=self.species,
            level=self.level,
            item=self.item,
            ability=self.ability,
            moves=self.moves,
            tera=max(self.teras, key=lambda each: each[1])[0],
            stats=self.stats,
            role=self.role,
        )


@dataclass(frozen=True)
class SetPool:
    """All sets of a format by species, as rows of the generator's counts, parsed on demand.

    `teams` are whole generated teams: for each member the index of its species and of its set.
    """

    format: str
    version: str
    rows: Mapping[str, Sequence[Sequence[object]]]
    teams: Sequence[Sequence[int]] = field(default=(), repr=False)
    _made: dict[str, tuple[PoolSet, ...]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def species(self) -> tuple[str, ...]:
        """All species in the pool; the indices in `teams` refer to this order."""
        return tuple(self.rows)

    def key(self, species: str) -> str | None:
        """Find the pool's name for a species or forme; None if it has none."""
        if species in self.rows:
            return species
        base = dex.species(species).base
        if base in self.rows:
            return base
        # Some species are only in the pool as one of their formes.
        return next((name for name in self.rows if name.startswith(base)), None)

    def sets(self, species: str) -> tuple[PoolSet, ...]:
        """List a species' sets, most frequent first; empty for an unknown species."""
        found = self.key(species)
        if found is None:
            return ()
        if found not in self._made:
            made = sorted((_pool_set(found, row) for row in self.rows[found]), key=_by_count)
            self._made[found] = tuple(made)
        return self._made[found]

    def mates(self, team: int) -> list[tuple[str, int]]:
        """List a generated team's members, each as species and row number of its set."""
        numbers = self.teams[team]
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        return [(self.species[species], place) for species, place in pairs]

    def made_set(self, species: str, place: int) -> PoolSet:
        """Parse the set of a generated team's member."""
        return _pool_set(species, self.rows[species][place])

    def teams_with(self, species: str) -> frozenset[int]:
        """Find the generated teams that include a species."""
        found = self.key(species)
        return self._homes.get(found, frozenset()) if found else frozenset()

    @cached_property
    def _homes(self) -> dict[str, frozenset[int]]:
        homes: dict[str, set[int]] = {}
        for number, team in enumerate(self.teams):
            for at in team[::2]:
                homes.setdefault(self.species[at], set()).add(number)
        return {species: frozenset(numbers) for species, numbers in homes.items()}


def _by_count(each: PoolSet) -> tuple[int, tuple[str, ...]]:
    return -each.count, each.moves


def _pool_set(species: str, row: Sequence[object]) -> PoolSet:
    """Parse a row: level, item, ability, moves, EVs, IVs, role, tera types, perhaps a nature."""
    level, item, ability, moves, evs, ivs, role, teras, *more = row
    return PoolSet(
        species=species,
        level=int(str(level)),
        item=str(item),
        ability=str(ability),
        moves=tuple(str(each) for each in _listed(moves)),
        evs=tuple(int(str(each)) for each in _listed(evs)),
        ivs=tuple(int(str(each)) for each in _listed(ivs)),
        role=str(role),
        teras=tuple(sorted(teras.items())) if isinstance(teras, dict) else (),
        nature=str(more[0]) if more else "",
    )


def _listed(value: object) -> Iterable[object]:
    return value if isinstance(value, list | tuple) else ()


def stats_of(
    species: str, level: int, evs: Iterable[int], ivs: Iterable[int], nature: str = ""
) -> Stats:
    """Compute a species' stats at a level; an unknown species gets average base stats."""
    hp, *plain = dex.raw_stats(species, level, evs, ivs)
    bent = dex.natures()[nature] if nature else {}
    atk, def_, spa, spd, spe = (
        # Natures multiply by 1.1 or 0.9 and round down; the epsilon keeps 110.0 from becoming 109.
        int(value * bent.get(stat, 1.0) + 1e-9)
        for stat, value in zip(("atk", "def", "spa", "spd", "spe"), plain, strict=True)
    )
    return Stats.model_validate(
        {"hp": hp, "atk": atk, "def": def_, "spa": spa, "spd": spd, "spe": spe}
    )
