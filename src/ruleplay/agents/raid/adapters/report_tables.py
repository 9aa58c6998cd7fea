"""Builds a report's small tables from the digest of its log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ruleplay.agents.raid.domain.adoption import Household
from ruleplay.agents.raid.domain.classes import find_calling
from ruleplay.agents.raid.domain.column_buffer import POLARS
from ruleplay.agents.raid.domain.columns import (
    ACTORS,
    AURAS,
    COMBATANTS,
    ENCOUNTERS,
    GEAR,
    RUNS,
    TableSchema,
)
from ruleplay.agents.raid.domain.guids import npc_id_of
from ruleplay.agents.raid.domain.pulls import judge_end, judge_match

if TYPE_CHECKING:
    import polars as pl

    from ruleplay.agents.raid.domain.digest import Digest
    from ruleplay.agents.raid.domain.encounters import Pull, Run
    from ruleplay.agents.raid.domain.facts import Facts

Cell = str | int | float | bool | None | list[int]
Examined = Sequence[tuple["Pull", "Facts"]]


def frame_of(table: TableSchema, rows: Iterable[Sequence[Cell]]) -> pl.DataFrame:
    """Build a frame with the table's schema from rows."""
    import polars as pl

    names, kinds = table.names, [POLARS[column.kind] for column in table.columns]
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    return pl.DataFrame(
        [
            _lists(name, values, kind) if kind == pl.List else pl.Series(name, values, kind)
            for name, values, kind in zip(names, columns, kinds, strict=True)
        ]
    )


def _lists(name: str, values: Sequence[Cell], kind: pl.DataType) -> pl.Series:
    """Build a column of lists, converting each distinct list once, since they recur."""
    import polars as pl

    keys = [tuple(value) for value in values if isinstance(value, list)]
    places = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    distinct = pl.Series(name, [list(key) for key in places], kind)
    return distinct.gather([places[key] for key in keys])


def actors_of(digest: Digest) -> pl.DataFrame:
    """Build the table of units; players have class, spec and role."""
    talents = _talents(digest)
    return frame_of(ACTORS, (_actor(digest, n, talents) for n in _numbers(digest)))


def _talents(digest: Digest) -> Mapping[int, tuple[int, Sequence[int], int]]:
    return {
        one.actor: (one.line, one.combatant.talents, one.combatant.spec_id)
        for one in digest.present
        if one.combatant.trees or one.combatant.spec_id
    }


def household_of(digest: Digest) -> Household:
    """Gather the players' classes and the friendly pets, with known owners."""
    roster, evidence, talents = digest.reader.roster, digest.evidence, _talents(digest)
    kinds = {actor: roster.kind(actor) for actor in _numbers(digest)}
    pets = [a for a, kind in kinds.items() if kind == "pet" and roster.is_friendly(a)]
    callings = {
        actor: find_calling(evidence.signs.get(actor), talents.get(actor), heals=False)
        for actor, kind in kinds.items()
        if kind == "player"
    }
    return Household(
        names={pet: roster.name(pet) for pet in pets},
        owners={pet: owner for pet in pets if (owner := roster.master(pet))},
        classes={actor: found.class_ for actor, found in callings.items() if found.class_},
        tamed=evidence.tamed,
    )


def _numbers(digest: Digest) -> range:
    return range(1, digest.reader.roster.count + 1)


def _actor(
    digest: Digest, actor: int, talents: Mapping[int, tuple[int, Sequence[int], int]]
) -> tuple[Cell, ...]:
    roster, evidence = digest.reader.roster, digest.evidence
    kind, guid = roster.kind(actor), roster.guids[actor]
    base = (actor, guid, roster.name(actor), kind, npc_id_of(guid), roster.master(actor) or None)
    if kind != "player":
        return (*base, None, None, None, None, None, roster.is_friendly(actor))
    size = min(len(evidence.healing), len(evidence.harm))
    heals = actor < size and bool(evidence.healing[actor] > evidence.harm[actor])
    found = find_calling(evidence.signs.get(actor), talents.get(actor), heals=heals)
    lines = (found.class_line, found.spec_line)
    return (*base, found.class_, found.spec, found.role, *lines, roster.is_friendly(actor))


def _row(table: TableSchema, *told: object, **known: Cell) -> list[Cell]:
    """Build a row from objects whose attributes are named like the columns; `known` overrides."""
    cells: list[Cell] = []
    for name in table.names:
        owner = next((one for one in told if hasattr(one, name)), None)
        cell = known[name] if name in known else getattr(owner, name)
        cells.append(list(cell) if isinstance(cell, tuple) else cell)
    return cells


def encounters_of(examined: Examined, last_ms: int) -> pl.DataFrame:
    """Build the table of pulls."""
    return frame_of(
        ENCOUNTERS,
        (
            _row(ENCOUNTERS, facts, pull, ended=_ended(pull, facts, last_ms))
            for pull, facts in examined
        ),
    )


def _ended(pull: Pull, facts: Facts, last_ms: int) -> str:
    if pull.kind != "boss":
        return judge_match(pull, *facts.sides)
    return judge_end(pull, facts.players, facts.deaths, last_ms)


def runs_of(runs: Sequence[Run]) -> pl.DataFrame:
    """Build the table of keystone runs."""
    return frame_of(RUNS, (_row(RUNS, one) for one in runs))


def combatants_of(digest: Digest) -> pl.DataFrame:
    """Build the table of players at the start of pulls."""
    return frame_of(
        COMBATANTS,
        (
            _row(COMBATANTS, one, one.combatant, **dict(zip(STATS, attributes, strict=True)))
            for one in digest.present
            for attributes in [one.combatant.attributes]
        ),
    )


STATS = ("strength", "agility", "stamina", "intellect", "spirit")
"""Attributes in the order of COMBATANT_INFO."""
ENCHANTS = ("enchant", "temporary_enchant", "on_use_enchant")
"""Columns for an item's enchantments, in the order of the item."""


def gear_of(digest: Digest) -> pl.DataFrame:
    """Build the table of items worn at the start of pulls."""
    return frame_of(
        GEAR,
        (
            _row(GEAR, one, item, **dict(zip(ENCHANTS, item.enchants, strict=True)))
            for one in digest.present
            for item in one.combatant.gear
        ),
    )


def auras_of(digest: Digest) -> pl.DataFrame:
    """Build the table of auras at the start of pulls."""
    find: Callable[[str], int] = digest.reader.roster.actor_of
    return frame_of(
        AURAS,
        (
            (one.fight, one.line, one.actor, max(find(caster), 0) or None, spell)
            for one in digest.present
            for caster, spell in one.combatant.auras
        ),
    )
