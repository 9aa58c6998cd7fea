"""The tools by name: what each answers, which arguments it takes, what its numbers mean."""

from __future__ import annotations

from dataclasses import dataclass

from ruleplay.agents.raid.domain import arguments as args
from ruleplay.agents.raid.domain.metrics import metrics, sided
from ruleplay.agents.raid.domain.outcomes import Metric


@dataclass(frozen=True)
class ToolSpec:
    """A tool as models and planners know it."""

    name: str
    description: str
    arguments: type[args.Arguments]
    metrics: tuple[Metric, ...] = ()


_PARSE = metrics("seconds damage pet_damage dps healing hps deaths active_percent")
_PULL = metrics("seconds boss_hp_percent players deaths", subject="")

FINDING = (
    ToolSpec(
        "list_reports",
        "The imported reports, newest first.",
        args.NoArguments,
        metrics("pulls kills wipes players seconds", subject="report"),
    ),
    ToolSpec(
        "list_pulls",
        "Every pull: boss, outcome, start, duration, boss health.",
        args.OfReport,
        _PULL,
    ),
    ToolSpec(
        "get_roster",
        "Players with class, spec, role, pulls.",
        args.OfReport,
        metrics("pulls deaths"),
    ),
    ToolSpec(
        "search_fights",
        "Pulls of a boss in every report.",
        args.OfEncounter,
        _PULL,
    ),
    ToolSpec(
        "resolve_my_fights",
        "The newest pulls, of one boss or of all.",
        args.ResolvedFights,
        _PULL,
    ),
)
TALLY = ToolSpec(
    "get_tally",
    "Sums over any pulls. measure: damage, healing, overheal, absorbs, crits, taken, interrupts,"
    " dispels, casts, kills, uptime, gear, opening, tanking, present, consumed. by: player, ability, source,"
    " target, pull, cast.",
    args.Tallied,
    metrics(
        "total_damage healing overheal overheal_percent absorbs damage_taken interrupts dispels"
        " casts killing_blows uptime_seconds uptime_percent item_level hits misses biggest_hit"
        " biggest_at dps hps seconds at pulls crits crit_percent",
        subject="name",
    ),
)
EVENING = (
    TALLY,
    ToolSpec(
        "get_night_totals",
        "Pulls, kills, wipes, time, deaths by boss and in all.",
        args.OfPulls,
        metrics(
            "pulls kills wipes resets seconds wiped_seconds longest_seconds deaths",
            subject="encounter",
        ),
    ),
    ToolSpec(
        "get_night_deaths",
        "Deaths of the report (trash too) or of some pulls.",
        args.OfParts,
        metrics("at amount overkill damage_taken") + metrics("count", subject=""),
    ),
    ToolSpec(
        "get_night_players",
        "Each player's damage, healing, deaths, interrupts in all.",
        args.OfPulls,
        metrics(
            "pulls total_damage total_healing overheal damage_taken deaths interrupts dispels casts"
            " seconds"
        ),
    ),
    ToolSpec(
        "get_wipe_causes",
        "What each wipe of the report or of some pulls is put down to.",
        args.OfPulls,
        metrics("seconds boss_hp_percent deaths at first_death_at", subject=""),
    ),
    ToolSpec(
        "get_keystone_runs",
        "Mythic+ runs of a report: time, completed or not, wipes.",
        args.OfReport,
        metrics("seconds wipes", subject="name"),
    ),
)
PERFORMANCE = (
    ToolSpec(
        "get_fight_details",
        "Everyone in one pull: damage, healing, damage taken, deaths.",
        args.OfFight,
        metrics(
            "damage pet_damage total_damage overkill healing overheal absorbs pet_healing"
            " total_healing heal_absorbed friendly_fire damage_taken deaths killing_blows"
            " interrupts dispels active_seconds casts dps hps"
        ),
    ),
    ToolSpec(
        "get_ability_breakdown",
        "Damage and healing by ability: hits, casts, crits.",
        args.OfFightPlayer,
        metrics(
            "damage healing overkill hits casts misses crit_percent damage_percent healing_percent",
            aspect="ability",
        ),
    ),
    ToolSpec(
        "get_overheal_analysis",
        "Healing and overheal by healer and spell.",
        args.OfFightPlayer,
        metrics("healing overheal overheal_percent hits", aspect="ability"),
    ),
    ToolSpec(
        "get_damage_taken",
        "Damage taken by player and ability.",
        args.OfFightPlayer,
        metrics("damage_taken hits absorbed biggest_hit", aspect="ability"),
    ),
    ToolSpec(
        "get_damage_timeline",
        "Damage, healing, damage taken and deaths over time.",
        args.Timeline,
        metrics("at damage dps healing damage_taken deaths"),
    ),
    ToolSpec(
        "get_activity_report",
        "Active time, casts, longest pause.",
        args.OfFightPlayer,
        metrics(
            "active_seconds alive_seconds active_percent casts longest_gap_seconds longest_gap_at"
        ),
    ),
    ToolSpec(
        "get_rotation_score",
        "A score of play, with its parts.",
        args.OfFightPlayer,
        metrics("score") + metrics("value weight", aspect="measure"),
    ),
)
DEATHS = (
    ToolSpec(
        "get_death_analysis",
        "Each death in order: what killed (inferred), the last seconds.",
        args.OfFightPlayer,
        metrics(
            "at amount overkill damage_taken healing window_seconds heal_gap_seconds health_percent"
        ),
    ),
    ToolSpec(
        "get_tank_death_anatomy",
        "Deaths of tanks: burst or a gap in heals.",
        args.OfFightPlayer,
        metrics(
            "at damage_taken biggest_hit biggest_hit_percent hits healing heal_gap_seconds"
            " window_seconds"
        ),
    ),
    ToolSpec(
        "get_wipe_cause",
        "Why a pull was a wipe: the chain of events.",
        args.OfFight,
        metrics("at amount boss_hp_percent"),
    ),
    ToolSpec(
        "get_next_pull_fixes",
        "Three fixes for the next pull, with evidence.",
        args.OfFight,
        metrics("rank value"),
    ),
    ToolSpec(
        "get_add_deaths",
        "When each add appeared and died.",
        args.OfFight,
        metrics("at start lifetime_seconds", subject="add"),
    ),
)
MECHANICS = (
    ToolSpec(
        "get_deaths_and_mechanics",
        "Deaths, interrupts and dispels per pull of a boss.",
        args.OfEncounter,
        metrics(
            "seconds boss_hp_percent players deaths interrupts dispels first_death_at", subject=""
        ),
    ),
    ToolSpec(
        "get_avoidable_damage",
        "Avoidable damage by player and ability.",
        args.OfFightPlayer,
        metrics("damage_taken hits deaths", aspect="ability"),
    ),
    ToolSpec(
        "get_missed_interrupts",
        "Interruptible casts: stopped by whom, or went through.",
        args.OfFightPlayer,
        metrics("casts interrupted missed", subject="ability")
        + metrics("interrupts", aspect="ability"),
    ),
    ToolSpec(
        "get_dispel_report",
        "Dispels by player and aura; how long debuffs stayed.",
        args.OfFightPlayer,
        metrics("dispels", aspect="aura")
        + metrics("applied removed average_seconds longest_seconds", subject="aura"),
    ),
    ToolSpec(
        "get_bloodlust_timing",
        "When Bloodlust or Heroism was cast.",
        args.OfFight,
        metrics("at affected boss_hp_percent"),
    ),
    ToolSpec(
        "get_phase_analysis",
        "Phases of a boss: duration, damage, healing, deaths.",
        args.OfFightPlayer,
        metrics("start seconds damage dps healing hps damage_taken deaths", aspect="phase"),
    ),
    ToolSpec(
        "get_trash_time",
        "Time lost on trash.",
        args.OfReport,
        metrics("seconds combat_seconds idle_seconds deaths", subject=""),
    ),
)
CASTS = (
    ToolSpec(
        "get_buff_analysis",
        "Uptime of buffs on players.",
        args.OfFightPlayer,
        metrics("uptime_seconds uptime_percent applications", aspect="buff"),
    ),
    ToolSpec(
        "get_debuff_uptimes",
        "Uptime of debuffs on the boss or a target, and by whom.",
        args.DebuffUptimes,
        metrics(
            "uptime_seconds uptime_percent applications stacks", subject="debuff", aspect="target"
        ),
    ),
    ToolSpec(
        "get_cooldown_efficiency",
        "Cooldowns used, against possible uses.",
        args.OfFightPlayer,
        metrics(
            "uses possible_uses unused efficiency_percent first_use cooldown_seconds",
            aspect="cooldown",
        ),
    ),
    ToolSpec(
        "get_cancelled_casts",
        "Casts started and not finished.",
        args.OfFightPlayer,
        metrics("started finished cancelled cancelled_percent", aspect="ability"),
    ),
    ToolSpec(
        "get_dot_management",
        "Damage over time by target: uptime, refreshes, ticks.",
        args.OfFightPlayer,
        metrics(
            "uptime_seconds uptime_percent applications refreshes ticks damage", aspect="ability"
        ),
    ),
    ToolSpec(
        "get_resource_usage",
        "Mana, rage or energy: gained, drained, lowest.",
        args.OfFightPlayer,
        metrics("gained wasted count", aspect="ability")
        + metrics("start_percent end_percent lowest_percent lowest_at low_seconds drained"),
    ),
    ToolSpec(
        "get_healer_mana",
        "Mana of the healers: start, end, lowest.",
        args.OfFightPlayer,
        metrics("start_percent end_percent lowest_percent lowest_at low_seconds gained"),
    ),
)
PREPARATION = (
    ToolSpec(
        "get_consumable_check",
        "Flask, elixirs, food, oil, potions: who had or lacked what.",
        args.OfFightPlayer,
        metrics("potions"),
    ),
    ToolSpec(
        "get_enchant_gem_check",
        "Missing enchants and gems by player and slot.",
        args.OfFightPlayer,
        metrics("count") + metrics("item_level gems", aspect="slot"),
    ),
    ToolSpec(
        "get_gear_changes",
        "What a player wears differently in two reports.",
        args.GearChanges,
        metrics("old_item_level new_item_level item_level_change", aspect="slot"),
    ),
)
PROGRESS = (
    ToolSpec(
        "get_my_performance",
        "A player's history on a boss or all of them, or personal bests.",
        args.MyPerformance,
        _PARSE,
    ),
    ToolSpec(
        "get_progression",
        "A character's pulls on a boss over time.",
        args.Progression,
        _PARSE,
    ),
    ToolSpec(
        "get_wipe_progression",
        "Attempts on a boss: health left, duration, first death.",
        args.WipeProgression,
        metrics("seconds boss_hp_percent players deaths first_death_at", subject=""),
    ),
    ToolSpec(
        "get_regressions",
        "Who did worse: last two kills against five before.",
        args.Regressions,
        metrics(
            "recent_dps earlier_dps recent_hps earlier_hps change_percent recent_kills"
            " earlier_kills",
            aspect="encounter",
        ),
    ),
    ToolSpec(
        "get_raid_execution",
        "The report pull by pull: raid damage, healing, deaths.",
        args.OfReport,
        metrics(
            "seconds boss_hp_percent players damage dps healing hps overheal_percent deaths"
            " interrupts dispels active_percent",
            subject="",
        ),
    ),
)
COMPARISON = (
    ToolSpec(
        "compare_two_raids",
        "Two reports side by side, boss by boss.",
        args.TwoReports,
        sided("pulls kills wipes deaths fastest_kill_seconds dps hps"),
    ),
    ToolSpec(
        "compare_players",
        "Two players in one pull, ability by ability.",
        args.TwoPlayers,
        metrics(
            "damage pet_damage dps healing hps overheal damage_taken deaths active_percent casts"
            " hits crit_percent",
            aspect="ability",
        ),
    ),
    ToolSpec(
        "get_spec_leaderboard",
        "Specs by damage per second on a boss.",
        args.OfEncounter,
        metrics("best_dps median_dps players count active_percent", subject="spec"),
    ),
    ToolSpec(
        "get_encounter_benchmarks",
        "Targets of a boss from imported kills.",
        args.OfEncounter,
        metrics(
            "pulls kills wipes fastest_kill_seconds median_kill_seconds best_dps median_dps deaths",
            subject="encounter",
        ),
    ),
    ToolSpec(
        "get_spec_benchmark",
        "Targets of a spec on a boss from imported kills.",
        args.OfSpec,
        metrics("best_dps median_dps players active_percent count", subject="spec"),
    ),
    ToolSpec(
        "get_top_rankings",
        "The ranked top ten of a spec on a boss.",
        args.OfSpec,
        metrics("rank dps hps seconds"),
    ),
    ToolSpec(
        "compare_to_top",
        "A player against the top ten of the spec on a boss.",
        args.ComparedToTop,
        metrics("dps hps top_dps top_hps best_dps best_hps gap_percent"),
    ),
    ToolSpec(
        "compare_raid_to_top",
        "The raid's kill times against the fastest ranked kills.",
        args.OfReport,
        metrics("seconds top_seconds gap_seconds", subject="encounter"),
    ),
)

SPECS = (
    *FINDING,
    *EVENING,
    *PERFORMANCE,
    *DEATHS,
    *MECHANICS,
    *CASTS,
    *PREPARATION,
    *PROGRESS,
    *COMPARISON,
)
"""Every tool, in the order in which prompts and help list them."""

BY_NAME = {spec.name: spec for spec in SPECS}
