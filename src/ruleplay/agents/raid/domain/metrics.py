"""What the numeric columns of the tools' rows say: one name and unit per column."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files

from ruleplay.agents.raid.domain.outcomes import Metric

_PLAIN = {
    "damage": ("damage done", "damage"),
    "pet_damage": ("damage done by pets", "damage"),
    "total_damage": ("damage done with pets", "damage"),
    "total_healing": ("healing done with pets", "healing"),
    "pet_healing": ("healing done by pets", "healing"),
    "absorbs": ("damage absorbed by shields cast", "healing"),
    "heal_absorbed": ("healing that debuffs absorbed", "healing"),
    "friendly_fire": ("damage to oneself and the own side", "damage"),
    "killing_blows": ("killing blows", ""),
    "overkill": ("overkill", "damage"),
    "damage_taken": ("damage taken", "damage"),
    "healing": ("effective healing", "healing"),
    "overheal": ("overhealing", "healing"),
    "absorbed": ("damage absorbed", "damage"),
    "deaths": ("deaths", ""),
    "active_seconds": ("active time", "s"),
    "alive_seconds": ("time alive", "s"),
    "seconds": ("duration", "s"),
    "combat_seconds": ("time in combat", "s"),
    "idle_seconds": ("time out of combat", "s"),
    "at": ("time into the pull", "s"),
    "start": ("start in the pull", "s"),
    "end": ("end in the pull", "s"),
    "first_use": ("first use", "s"),
    "first_death_at": ("time of the first death", "s"),
    "longest_gap_seconds": ("longest pause", "s"),
    "biggest_at": ("when the biggest hit came", "s"),
    "longest_gap_at": ("start of the longest pause", "s"),
    "uptime_seconds": ("uptime", "s"),
    "lifetime_seconds": ("time alive", "s"),
    "cooldown_seconds": ("length of the cooldown", "s"),
    "dps": ("damage per second", "damage/s"),
    "hps": ("healing per second", "healing/s"),
    "pulls": ("pulls", ""),
    "kills": ("kills", ""),
    "wipes": ("wipes", ""),
    "resets": ("resets", ""),
    "wiped_seconds": ("time in pulls not won", "s"),
    "players": ("players", ""),
    "boss_hp_percent": ("boss health", "%"),
    "casts": ("casts", ""),
    "hits": ("hits", ""),
    "crits": ("critical hits", ""),
    "misses": ("misses", ""),
    "ticks": ("ticks", ""),
    "applications": ("applications", ""),
    "refreshes": ("refreshes", ""),
    "stacks": ("most stacks", ""),
    "crit_percent": ("critical hits", "%"),
    "damage_percent": ("share of the damage", "%"),
    "healing_percent": ("share of the healing", "%"),
    "overheal_percent": ("overhealing", "%"),
    "uptime_percent": ("uptime", "%"),
    "active_percent": ("activity", "%"),
    "cancelled_percent": ("cancelled casts", "%"),
    "cancelled": ("cancelled casts", ""),
    "finished": ("finished casts", ""),
    "started": ("started casts", ""),
    "uses": ("uses", ""),
    "possible_uses": ("possible uses", ""),
    "unused": ("unused cooldowns", ""),
    "efficiency_percent": ("cooldowns used", "%"),
    "interrupts": ("interrupts", ""),
    "interrupted": ("interrupted casts", ""),
    "missed": ("missed interrupts", ""),
    "dispels": ("dispels", ""),
    "applied": ("times applied", ""),
    "removed": ("times dispelled", ""),
    "average_seconds": ("average duration", "s"),
    "longest_seconds": ("longest duration", "s"),
    "potions": ("potions used", ""),
    "affected": ("players affected", ""),
    "amount": ("amount", ""),
    "biggest_hit": ("biggest hit", "damage"),
    "biggest_hit_percent": ("biggest hit", "% of health"),
    "window_seconds": ("window looked at", "s"),
    "heal_gap_seconds": ("time without a heal", "s"),
    "health_percent": ("health before the killing blow", "%"),
    "start_percent": ("mana at the start", "%"),
    "end_percent": ("mana at the end", "%"),
    "lowest_percent": ("lowest mana", "%"),
    "lowest_at": ("time of the lowest mana", "s"),
    "low_seconds": ("time under 10% mana", "s"),
    "gained": ("power gained", "power"),
    "spent": ("power spent", "power"),
    "drained": ("power drained", "power"),
    "wasted": ("power wasted", "power"),
    "rank": ("rank", ""),
    "value": ("value", ""),
    "score": ("score", "of 100"),
    "weight": ("weight in the score", "%"),
    "count": ("count", ""),
    "item_level": ("item level", ""),
    "old_item_level": ("old item level", ""),
    "new_item_level": ("new item level", ""),
    "item_level_change": ("change of item level", ""),
    "gems": ("gems", ""),
    "best_dps": ("best damage per second", "damage/s"),
    "best_hps": ("best healing per second", "healing/s"),
    "median_dps": ("median damage per second", "damage/s"),
    "recent_dps": ("damage per second of the last kills", "damage/s"),
    "earlier_dps": ("damage per second of earlier kills", "damage/s"),
    "recent_hps": ("healing per second of the last kills", "healing/s"),
    "earlier_hps": ("healing per second of earlier kills", "healing/s"),
    "change_percent": ("change", "%"),
    "recent_kills": ("last kills compared", ""),
    "earlier_kills": ("earlier kills compared", ""),
    "top_dps": ("damage per second of the top ten", "damage/s"),
    "top_hps": ("healing per second of the top ten", "healing/s"),
    "gap_percent": ("gap", "%"),
    "fastest_kill_seconds": ("fastest kill", "s"),
    "median_kill_seconds": ("median kill", "s"),
    "top_seconds": ("fastest ranked kill", "s"),
    "gap_seconds": ("gap in time", "s"),
}
_PER = {
    "dps": "second of the pull",
    "hps": "second of the pull",
    "uptime_percent": "time of the pull",
    "active_percent": "time alive in the pull",
    "damage_percent": "the player's damage",
    "healing_percent": "the player's healing",
    "overheal_percent": "all healing, overheal included",
    "crit_percent": "hits",
    "cancelled_percent": "started casts",
    "efficiency_percent": "possible uses",
}


def metrics(columns: str, *, subject: str = "player", aspect: str = "") -> tuple[Metric, ...]:
    """Return what the named columns say of a subject; KeyError for a column that has no meaning."""
    return tuple(
        Metric(
            column=column,
            name=_PLAIN[column][0],
            unit=_PLAIN[column][1],
            subject=subject,
            aspect=aspect,
            per=_PER.get(column, ""),
        )
        for column in columns.split()
    )


def sided(columns: str, sides: str = "a b") -> tuple[Metric, ...]:
    """Return the columns once per report compared, such as `kills_a` and `kills_b`."""
    return tuple(
        replace(metric, column=f"{metric.column}_{side}", name=f"{metric.name} ({side})")
        for metric in metrics(columns, subject="encounter")
        for side in sides.split()
    )


@cache
def stems() -> Mapping[str, tuple[str, ...]]:
    """Return how people speak of each column: the beginnings of words, English and French."""
    text = files("ruleplay.agents.raid.domain").joinpath("measures.toml").read_text("utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for entry in tomllib.loads(text).values():
        for column in entry["columns"]:
            found[column] = (*found.get(column, ()), *entry["stems"])
    return found
