"""Which tools answer which topic, and where each looks when nothing is said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Look = Literal["wipe", "last", "night", "boss", "reports"]
"""What a topic is about by itself: the last wipe, the last pull, the night, a boss, all reports."""


@dataclass(frozen=True)
class Workflow:
    """The tools of a topic, in the order in which their results are told."""

    tools: tuple[str, ...]
    look: Look = "last"


WORKFLOWS: dict[str, Workflow] = {
    "wipe": Workflow(
        (
            "get_wipe_cause",
            "get_death_analysis",
            "get_avoidable_damage",
            "get_next_pull_fixes",
        ),
        "wipe",
    ),
    "timer": Workflow(("get_keystone_runs",), "night"),
    "tank_death": Workflow(("get_tank_death_anatomy",), "wipe"),
    "consumables": Workflow(("get_consumable_check",)),
    "enchants": Workflow(("get_enchant_gem_check",)),
    "cooldowns": Workflow(("get_cooldown_efficiency",)),
    "week": Workflow(("compare_two_raids",), "reports"),
    "history": Workflow(("get_my_performance",), "reports"),
    "progression": Workflow(("get_progression", "get_regressions"), "reports"),
    "gear": Workflow(("get_gear_changes",), "reports"),
    "mana": Workflow(("get_healer_mana",)),
    "debuffs": Workflow(("get_debuff_uptimes",)),
    "adds": Workflow(("get_add_deaths",)),
    "fixes": Workflow(("get_next_pull_fixes",), "wipe"),
    "abilities": Workflow(("get_ability_breakdown",)),
    "rotation": Workflow(("get_rotation_score",)),
    "phases": Workflow(("get_phase_analysis",)),
}
"""What is answered by tools of its own, beside the general answer."""

NIGHTLY = {"wipe": "get_wipe_causes"}
"""The tool that tells a topic of several pulls at once."""

PER_PLAYER = frozenset(
    (
        "get_ability_breakdown",
        "get_consumable_check",
        "get_cooldown_efficiency",
        "get_debuff_uptimes",
        "get_death_analysis",
        "get_enchant_gem_check",
        "get_healer_mana",
        "get_rotation_score",
        "get_tank_death_anatomy",
        "get_avoidable_damage",
        "get_missed_interrupts",
        "get_phase_analysis",
        "get_night_deaths",
    )
)
"""Tools that tell of one player when a question names one, of everyone otherwise."""
