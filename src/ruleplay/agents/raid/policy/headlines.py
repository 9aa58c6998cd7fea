"""Opening sentences of answers, per tool: a summary of the rows.

Every line that contains a number ends with its result's citation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from ruleplay.agents.raid.domain.overview import words
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy import evenings
from ruleplay.agents.raid.policy.lookups import Plan
from ruleplay.agents.raid.policy.rows import ALL
from ruleplay.agents.raid.view.tables import ResultTable, value_of

Headline = Callable[[ResultTable, Plan], str]
NAMED = 6
"""Maximum number of names in a sentence."""
SMALL = frozenset(("of", "the", "on", "and", "to"))
"""Words of debuff names that do not identify one."""


def where(sheet: ResultTable) -> str:
    """Begin a sentence with the pull that a result is about, its boss and outcome."""
    returned = sheet.returned
    if returned.fight is None:
        return "Over the report"
    boss, _, outcome = returned.pull.partition(f", pull {returned.fight} (")
    ended = outcome.partition(",")[0]
    # Cut the boss's title: its comma would end the phrase.
    told = f" ({boss.partition(',')[0]}: {ended})" if ended else ""
    return f"On pull {returned.fight}{told}"


def listed(names: Iterable[str]) -> str:
    """Join names into a list, at most NAMED of them."""
    kept = list(dict.fromkeys(names))
    more = f" and {len(kept) - NAMED} more" if len(kept) > NAMED else ""
    return ", ".join(kept[:NAMED]) + more


def unknown(sheet: ResultTable) -> str:
    """State that nothing was found, with the tool's own note on what it looked at."""
    about = next((n for n in sheet.returned.notes if not n.startswith("Pull ")), "")
    return f"{where(sheet)}, nothing of that kind is in the log. {about} {sheet.cite}"


def _deaths(sheet: ResultTable, plan: Plan) -> str:
    rows = sheet.rows
    if not rows:
        who = listed(plan.question.players)
        told = f"{who} did not die" if who else "nobody died"
        return f"{where(sheet)}, {told}. {sheet.cite}"
    first = rows[0]
    told = _death(sheet, first)
    if sheet.returned.args.get("player_name"):
        return "\n".join(
            f"**{where(sheet)}, {_death(sheet, row)}.** {sheet.cite}" for row in rows[:3]
        )
    count = f" {len(rows)} players died in all." if len(rows) > 1 else ""
    same = [str(row["player"]) for row in rows[1:] if row.get("at") == first.get("at")]
    count = f" At the same moment died {listed(same)}.{count}" if same else count
    return f"**{where(sheet)}, the first death was {told}.**{count} {sheet.cite}"


def _death(sheet: ResultTable, row: Row) -> str:
    by = f"killed by {row['ability']}" if row.get("ability") else "the log does not tell of what"
    of = f" of {row['killer']}" if row.get("killer") and row.get("ability") else ""
    name, hidden = sheet.who(row), " (inferred)" if row.get("ability") else ""
    verb = " died" if sheet.returned.args.get("player_name") else ""
    return f"{name}{verb} at {sheet.show('at', row.get('at'))}, {by}{of}{hidden}"


def _tank_deaths(sheet: ResultTable, plan: Plan) -> str:
    if not sheet.rows:
        return f"{where(sheet)}, no tank died. {sheet.cite}"
    lines = (
        f"- **{row['player']} died at {sheet.show('at', row.get('at'))}: {row.get('verdict')}"
        f" (inferred).** {sheet.show('damage_taken', row.get('damage_taken'))} damage in the last"
        f" {sheet.show('window_seconds', row.get('window_seconds'))}, the biggest hit"
        f" {sheet.show('biggest_hit', row.get('biggest_hit'))} by {row.get('biggest_ability')};"
        f" {sheet.show('healing', row.get('healing'))} healing, the last heal"
        f" {sheet.show('heal_gap_seconds', row.get('heal_gap_seconds'))} before. {sheet.cite}"
        for row in sheet.rows[:NAMED]
    )
    return "\n".join((f"{where(sheet)}, {len(sheet.rows)} tank deaths: {sheet.cite}", *lines))


def _avoidable(sheet: ResultTable, plan: Plan) -> str:
    if not sheet.rows:
        return unknown(sheet)
    told = [f"{who} {total:,}" for who, total in totals(sheet, "damage_taken")[:NAMED]]
    if any(row.get("advice") for row in sheet.rows):
        return f"**{where(sheet)}, avoidable damage was taken by {', '.join(told)}.** {sheet.cite}"
    sums = Counter[str]()
    for row in (row for row in sheet.rows if row.get("spell_id")):
        sums[str(row["ability"])] += int(value_of(row, "damage_taken"))
    abilities = ", ".join(f"{name} {total:,}" for name, total in sums.most_common(NAMED))
    return (
        f"**{where(sheet)}, damage that was perhaps avoidable (inferred: it hit few) was taken by"
        f" {', '.join(told)}; it came from {abilities}.** {sheet.cite}"
    )


def totals(sheet: ResultTable, column: str) -> list[tuple[str, float]]:
    """Sum a column per subject, largest first; totals computed by the tool take precedence."""
    sums: dict[str, float] = {}
    whole = [row for row in sheet.rows if ALL in (row.get("ability"), row.get("aura"))]
    for row in whole or sheet.rows:
        if sheet.who(row):
            sums[sheet.who(row)] = sums.get(sheet.who(row), 0) + int(value_of(row, column))
    return sorted(sums.items(), key=lambda one: -one[1])


def _consumables(sheet: ResultTable, plan: Plan) -> str:
    if not sheet.rows:
        return ""
    lines = []
    for what in ("flask", "food", "oil"):
        without = [str(row["player"]) for row in sheet.rows if what in _cells(row.get("missing"))]
        told = f"{len(without)} without {what}: {', '.join(without)}" if without else ""
        lines += [f"- **{told}** {sheet.cite}"] if told else []
    everyone = f"{where(sheet)}, nobody is known to lack flask, food or oil. {sheet.cite}"
    return "\n".join([f"{where(sheet)}, at the pull:", *lines]) if lines else everyone


def _cells(cell: object) -> list[str]:
    return [str(one) for one in cell] if isinstance(cell, list) else []


def _enchants(sheet: ResultTable, plan: Plan) -> str:
    if any("not in the log" in note for note in sheet.returned.notes):
        of = f" of {listed(plan.question.players)}" if plan.question.players else ""
        return f"Not known: gear, enchants and gems{of} are not in this log. {sheet.cite}"
    if not sheet.rows:
        return f"{where(sheet)}, no missing enchant or gem is known. {sheet.cite}"
    lines = []
    for what in ("enchant", "gem"):
        slots: dict[str, list[str]] = {}
        for row in sheet.rows:
            if row.get("missing") == what:
                slots.setdefault(str(row["player"]), []).append(str(row.get("slot")))
        told = "; ".join(f"{who} ({', '.join(found)})" for who, found in slots.items())
        lines += [f"- **Missing {what}s:** {told}. {sheet.cite}"] if told else []
    return "\n".join((f"{where(sheet)}: {sheet.cite}", *lines))


def _cooldowns(sheet: ResultTable, plan: Plan) -> str:
    never = [f"{r['player']} ({r.get('cooldown')})" for r in sheet.rows if not value_of(r, "uses")]
    if not sheet.rows:
        return f"{where(sheet)}, no cooldown of the reference table is known of them. {sheet.cite}"
    told = f"never used: {listed(never)}" if never else "every known cooldown was used"
    return f"**{where(sheet)}, {told}.** {sheet.cite}"


def _mana(sheet: ResultTable, plan: Plan) -> str:
    if not sheet.rows and any("advanced lines" in note for note in sheet.returned.notes):
        return (
            f"**Not known: nobody's mana is in this log, it has no advanced lines.** {sheet.cite}"
        )
    rows = sorted(sheet.rows, key=lambda row: value_of(row, "lowest_percent"))
    told = listed(
        f"{row['player']} {sheet.show('lowest_percent', row.get('lowest_percent'))} at"
        f" {sheet.show('lowest_at', row.get('lowest_at'))}"
        for row in rows[:4]
    )
    return f"**{where(sheet)}, lowest mana: {told}.** {sheet.cite}" if told else ""


def _debuffs(sheet: ResultTable, plan: Plan) -> str:
    said = set(words(plan.question.text))
    named = [row for row in sheet.rows if said & {*words(str(row.get("debuff"))[:40])} - SMALL]
    if named:
        return "\n".join(
            f"**{where(sheet)}, {row['debuff']} on {row.get('target')}:"
            f" {sheet.show('uptime_seconds', row.get('uptime_seconds'))}"
            f" ({sheet.show('uptime_percent', row.get('uptime_percent'))}), by"
            f" {listed(_cells(row.get('players')))}.** {sheet.cite}"
            for row in named[:NAMED]
        )
    told = listed(
        f"{row.get('debuff')} {sheet.show('uptime_percent', row.get('uptime_percent'))}"
        for row in sheet.rows
    )
    return f"**{where(sheet)}, debuff uptimes: {told}.** {sheet.cite}" if told else ""


def _adds(sheet: ResultTable, plan: Plan) -> str:
    adds = [row for row in sheet.rows if row.get("add")]
    died = [row for row in adds if row.get("at") is not None]
    if not adds:
        return f"{where(sheet)}, no adds are in the log. {sheet.cite}"
    told = listed(f"{row['add']} at {sheet.show('at', row.get('at'))}" for row in died)
    alive = len(adds) - len(died)
    left = f"; {alive} did not die" if alive else ""
    return f"**{where(sheet)}, adds killed: {told or 'none'}{left}.** {sheet.cite}"


def _fixes(sheet: ResultTable, plan: Plan) -> str:
    if not sheet.rows:
        return f"{where(sheet)}, nothing stands out that should change. {sheet.cite}"
    lines = [
        f"{row.get('rank')}. **{row.get('fix')}** – {row.get('evidence')}. {sheet.cite}"
        for row in sheet.rows
    ]
    return "\n".join([f"**For the next pull**, by what pull {sheet.returned.fight} shows:", *lines])


def _wipe(sheet: ResultTable, plan: Plan) -> str:
    end = next((row for row in sheet.rows if row.get("what") == "end"), None)
    if end is None:
        return ""
    left = sheet.show("boss_hp_percent", end.get("boss_hp_percent"))
    ended = "reset" if f"{sheet.returned.fight} (reset" in sheet.returned.pull else "wipe"
    boss = sheet.returned.pull.partition(",")[0]
    lines = [
        f"**Pull {sheet.returned.fight} was a {ended} on {boss} after"
        f" {sheet.show('at', end.get('at'))}, with"
        f" {end.get('amount')} deaths"
        + (f" and the boss at {left}" if end.get("boss_hp_percent") is not None else "")
        + f".** {sheet.cite}"
    ]
    lines += [
        f"**Cause (inferred): {row.get('says')},"
        f" at {sheet.show('at', row.get('at'))}.** {sheet.cite}"
        for row in sheet.rows
        if row.get("what") == "cause"
    ]
    return "\n".join(lines)


def _week(sheet: ResultTable, plan: Plan) -> str:
    whole = next((row for row in sheet.rows if row.get("encounter") == ALL), None)
    if whole is None:
        return ""
    told = ", ".join(
        f"{name} {sheet.show(f'{name}_a', whole.get(f'{name}_a'))} → {whole.get(f'{name}_b')}"
        for name in ("pulls", "kills", "wipes", "deaths")
    )
    codes = f"{whole.get('report_a')} → {whole.get('report_b')}"
    lines = [f"**From report {codes}: {told}.** {sheet.cite}"]
    lines += [
        f"- {row['encounter']}: fastest kill"
        f" {sheet.show('fastest_kill_seconds_a', row.get('fastest_kill_seconds_a'))} →"
        f" {sheet.show('fastest_kill_seconds_b', row.get('fastest_kill_seconds_b'))},"
        f" damage per second {sheet.show('dps_a', row.get('dps_a'))} →"
        f" {sheet.show('dps_b', row.get('dps_b'))}. {sheet.cite}"
        for row in sheet.rows
        if row.get("fastest_kill_seconds_a") and row.get("fastest_kill_seconds_b")
    ]
    return "\n".join(lines)


HEADLINES: dict[str, Headline] = {
    "get_death_analysis": _deaths,
    "get_tank_death_anatomy": _tank_deaths,
    "get_avoidable_damage": _avoidable,
    "get_consumable_check": _consumables,
    "get_enchant_gem_check": _enchants,
    "get_cooldown_efficiency": _cooldowns,
    "get_healer_mana": _mana,
    "get_debuff_uptimes": _debuffs,
    "get_add_deaths": _adds,
    "get_next_pull_fixes": _fixes,
    "get_wipe_cause": _wipe,
    "compare_two_raids": _week,
    "get_keystone_runs": evenings.runs,
    "get_wipe_causes": evenings.causes,
}
"""Opening sentences by tool; tools without an entry begin with their title."""


def split(rows: Sequence[Row]) -> Iterator[tuple[Row, ...]]:
    """Split rows into runs with the same columns, each of which becomes a table."""
    run: list[Row] = []
    for row in rows:
        if run and row.keys() != run[0].keys():
            yield tuple(run)
            run = []
        run.append(row)
    if run:
        yield tuple(run)
