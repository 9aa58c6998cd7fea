"""Summarises a pull: who took part, which units were its bosses, how much health was left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from ruleplay.agents.raid.domain import guids
from ruleplay.agents.raid.domain.encounters import Pull
from ruleplay.agents.raid.domain.guids import npc_id_of
from ruleplay.agents.raid.domain.pulls import Side, npcs_of
from ruleplay.agents.raid.domain.roster import Roster

COLUMNS = (
    *("line", "event", "source", "target", "source_flags", "target_flags"),
    *("info", "hp", "hp_max", "counts"),
)
"""The event columns that `examine` needs."""

_NO_SIDES = (Side(0, 0), Side(0, 0))


@dataclass(frozen=True)
class Facts:
    """Facts of a pull. `bosses` are actors; `boss_hp` is 0..1, None if the log has no boss health.

    For a match, `players` and `deaths` cover both teams, and `sides` are (ours, theirs).
    """

    bosses: tuple[int, ...]
    boss_hp: float | None
    players: int
    deaths: int
    sides: tuple[Side, Side] = _NO_SIDES


def examine(pull: Pull, events: pl.DataFrame, roster: Roster, listed: Sequence[int]) -> Facts:
    """Examine a pull's events; `listed` are the players of its COMBATANT_INFO lines."""
    match = pull.kind != "boss"
    players = set(listed) or {
        actor
        for actor in _acting(events)
        if roster.kind(actor) == "player" and (match or roster.is_friendly(actor))
    }
    true = events.filter((pl.col("event") == "UNIT_DIED") & pl.col("counts"))
    died = true["target"].drop_nulls().to_list()
    bosses = () if match else _bosses(pull, events, roster)
    return Facts(
        bosses=bosses,
        boss_hp=None if match else _health(bosses, events, set(died), pull),
        players=len(players),
        deaths=sum(actor in players for actor in died),
        sides=_sides(players, died, events) if match else _NO_SIDES,
    )


def _sides(players: set[int], died: Sequence[int], events: pl.DataFrame) -> tuple[Side, Side]:
    """Divide a match's players by the flags of its own lines: opponents may be allies in another.

    An ally that an opponent controls is hostile for a while, so one friendly line decides.
    """
    ours: set[int] = set()
    for unit in ("source", "target"):
        friendly = (pl.col(f"{unit}_flags").fill_null(0) & guids.FRIENDLY) > 0
        ours |= {*events.filter(friendly)[unit].drop_nulls().unique().to_list()}
    sides = (ours & players, players - ours)
    first, second = (Side(len(side), len(side & set(died))) for side in sides)
    return first, second


def _acting(events: pl.DataFrame) -> list[int]:
    told = pl.col("event").cast(pl.String)
    acting = events.filter(~told.str.starts_with("SPELL_AURA"))["source"].unique()
    return acting.drop_nulls().to_list()


def _bosses(pull: Pull, events: pl.DataFrame, roster: Roster) -> tuple[int, ...]:
    """Pick the encounter's npcs, else units with its name, else the npc with the most health."""
    met = pl.concat([events["source"], events["target"]]).unique().drop_nulls().sort().to_list()
    npcs = [actor for actor in met if roster.kind(actor) == "npc"]
    ids = {actor: npc_id_of(roster.guids[actor]) or 0 for actor in npcs}
    checked = npcs_of(pull.encounter_id, checked=True)
    listed = checked or npcs_of(pull.encounter_id, checked=False)
    members = [
        actor
        for actor in npcs
        if ids[actor] in listed or (not checked and roster.name(actor) == pull.name)
    ]
    members = members or [actor for actor in npcs if roster.name(actor) == pull.name]
    if members:
        return tuple(members)
    grown = events.filter(pl.col("info").is_in(npcs)).sort("hp_max", descending=True)
    return (int(grown["info"][0]),) if grown.height else ()


def _health(
    bosses: Sequence[int], events: pl.DataFrame, died: set[int], pull: Pull
) -> float | None:
    if pull.kill:
        return 0.0
    seen = events.filter(pl.col("info").is_in(list(bosses)) & (pl.col("hp_max") > 0))
    last = seen.group_by("info").agg((pl.col("hp") / pl.col("hp_max")).last().alias("left"))
    left = {int(actor): float(part) for actor, part in last.iter_rows()}
    # A boss's last health sample precedes its death and is therefore above zero.
    left |= {actor: 0.0 for actor in bosses if actor in died and actor in left}
    return max(left.values(), default=None)
