"""The general answer: one measure, asked in some shape, about players, abilities and pulls.

The number asked for comes first, in the question's language; rows follow as a short table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from ruleplay.agents.raid.domain.overview import Night, words
from ruleplay.agents.raid.domain.persons import calling_words
from ruleplay.agents.raid.domain.questions import OF_MATCHES
from ruleplay.agents.raid.domain.tool_result import NO_BLOWS, Row
from ruleplay.agents.raid.policy.advice import priorities
from ruleplay.agents.raid.policy.beside import KICKS, SINGLY
from ruleplay.agents.raid.policy.cards import idle, least_active, performance, standing
from ruleplay.agents.raid.policy.deaths import deaths, near_deaths
from ruleplay.agents.raid.policy.faults import avoidable, hazards, missed_casts, mistakes
from ruleplay.agents.raid.policy.lookups import Plan
from ruleplay.agents.raid.policy.rows import ALL
from ruleplay.agents.raid.policy.singly import deeds, one_by_one, suffered
from ruleplay.agents.raid.policy.spells import card
from ruleplay.agents.raid.policy.sums import both_sides, everywhere, tally
from ruleplay.agents.raid.policy.teller import (
    Reply,
    Teller,
    amount_of,
    first_then,
    of_tool,
)
from ruleplay.agents.raid.policy.tries import (
    FULL,
    MATCHES,
    are_short,
    badness,
    duration,
    extreme,
    health,
    late,
    pulls,
    summary,
    try_of,
)
from ruleplay.agents.raid.policy.uses import (
    buffs,
    casts_told,
    consumed,
    effects,
    gear,
    nature,
    opening,
    present,
    tanked,
    uptime,
)
from ruleplay.agents.raid.view.tables import ResultTable, value_of


def reply(plan: Plan, night: Night, sheets: Sequence[ResultTable]) -> Reply:
    """Compose the reply to a question that has a form."""
    others = [
        one for one in sheets if plan.measure and one.arg("measure") not in ("", plan.measure)
    ]
    if plan.form == "effects":
        others = [one for one in others if one.arg("measure") == "casts"]
    others = others if plan.form in _BESIDE_OTHERS else []
    apart = ("ability", "pull", "source", *(("cast",) if plan.measure in SINGLY else ()))
    others += [one for one in sheets if plan.by == "player" and one.arg("by") in apart]
    if plan.form == "part":
        others += [one for one in sheets if one.arg("by") == "player"]
    if plan.form == "tally":
        others += [one for one in sheets if one.returned.tool != "get_tally"]
    sheets = [one for one in sheets if one not in others]
    teller = Teller(plan, night, sheets, others)
    # What leads to an answer may be missing without the answer being so.
    asked = [one for one in sheets if one.returned.tool == sheets[0].returned.tool]
    problem = next((one.returned.problem for one in asked if one.returned.problem), "")
    if problem and not teller.rows:
        return Reply(re.sub(r"^[a-z]+_[a-z_]+: ", "", problem))
    blind = any(NO_BLOWS in sheet.returned.notes for sheet in sheets)
    if blind and plan.form not in _OF_DEATHS:
        return Reply(teller.say("no_blows", where=teller.where), alone=True)
    if plan.form == "tally" and len(sheets) > 1:
        return _by_log(teller)
    told = _FORMS[_kind_of(teller)](teller)
    if plan.form == "tally" and plan.heard.measure == "adds" and teller.others:
        # "Who did the adds hit" is easily parsed as "who hit the adds", so both are answered.
        told = replace(told, text=f"{told.text} {tally(teller.turned('taken')).text}")
    if plan.form == "tally" and plan.heard.measure == "rankings":
        told = replace(told, text=" ".join([told.text, *_among_others(teller)]))
    ends = ("kill", "wipe", *MATCHES)
    full = [one for one in teller.pulls if one.ended in ends or one.seconds >= FULL]
    if full or plan.form not in _OF_DEEDS or not teller.pulls:
        return told
    short = "; ".join(map(teller.tongue.pull, teller.pulls))
    way = "no_try" if short in told.text else "no_full_try"
    return replace(told, text=f"{told.text} {teller.say(way, list=short)}")


def _kind_of(teller: Teller) -> str:
    """Determine the form; for an ability that harmed nobody, its uses are described."""
    uses = (one for one in teller.others if one.arg("measure") == "casts")
    cast = teller.plan.question.abilities and any(row.get("clock") for s in uses for row in s.rows)
    own = [one for one in (*teller.sheets, *teller.others) if one.arg("ability")]
    hit = any(row.get("hits") for sheet in own for row in sheet.rows)
    return "casts" if teller.plan.form == "tally" and cast and not hit else teller.plan.form


_OF_DEEDS = frozenset(
    (
        *("tally", "part", "performance", "activity", "casts", "consumed", "uptime", "standing"),
        *("contrast", "effects"),
    )
)
"""Forms that describe what somebody did, which takes a pull of some length."""


def _among_others(teller: Teller) -> Iterator[str]:
    """Yield players' distance from the best of their spec, or how to import rankings."""
    rows = [row for sheet in of_tool(teller, "compare_to_top") for row in sheet.rows]
    ranked = [(row, rate) for row in rows for rate in ("dps", "hps") if row.get(f"top_{rate}")]
    for row, rate in ranked:
        values = (teller.tongue.number(round(value_of(row, one))) for one in (rate, f"top_{rate}"))
        gap = teller.tongue.percent(value_of(row, "gap_percent"))
        own, top = (f"{value} {rate}" for value in values)
        who = {"name": teller.short(row["player"]), "spec": f"{row['spec']} {row['class']}"}
        yield teller.say("to_top", **who, own=own, top=top, gap=gap)
    if not ranked:
        yield teller.say("no_parse")


def _by_log(teller: Teller) -> Reply:
    """Describe sums of several logs of one night, each separately."""
    parts = []
    for sheet in teller.sheets:
        if not sheet.rows or NO_BLOWS in sheet.returned.notes:
            continue
        own = Teller(teller.plan, teller.night, [sheet])
        title = teller.plan.titles.get(sheet.returned.report, sheet.returned.report)
        parts.append(tally(own).text.replace(own.where, sheet.returned.pull or title, 1))
    return Reply(" ".join(parts))


_OF_DEATHS = frozenset(
    (
        *("deaths", "pulls", "health", "duration", "present", "priorities", "story"),
        *("contrast", "gaps", "breaks", "mistakes", "extreme", "overview", "gear"),
    )
)


def _kicks(teller: Teller) -> Reply:
    """Describe who interrupted what, out of how many casts."""
    named = ", ".join(teller.plan.question.abilities)
    tallied = of_tool(teller, "get_tally")
    rows = tallied[0].rows if tallied else ()
    counted = [row for sheet in tallied[1:] for row in sheet.rows]
    casts = int(sum(value_of(row, "casts") for row in counted))
    times = teller.say("cast_times", n=casts) if casts else ""
    kicked = {row["name"] for row in rows}
    rows = tuple(row for row in rows if not teller.is_other_side(row["name"], row))
    if teller.players:
        rows = tuple(row for row in rows if row["name"] in teller.players)
    each = [
        (teller.short(row["name"]), f"{row['interrupts']} ({row.get('abilities')})") for row in rows
    ]
    if named:
        told = ", ".join(map(" ".join, each))
        own = {*teller.plan.question.abilities} <= KICKS
        key = "kick_none" if not rows else "kicked_with" if own else "kicked"
        return Reply(teller.say(key, where=teller.where, ability=named, list=told, casts=times))
    if told := suffered(teller):
        return Reply(told)
    what = teller.tongue.measure("interrupts")
    of = f" ({teller.names(teller.players)})" if teller.players and kicked else ""
    kicks = [(row, " ".join(one)) for row, one in zip(rows, each, strict=True)]
    if split := both_sides(teller, kicks, "interrupts") if not teller.players else "":
        lead = f"{teller.where}. {split}"
    elif rows:
        lead = first_then(teller, f"{'sole' if len(kicked) == 1 else 'most'}_interrupts", each)
    else:
        lead = teller.say("none_of" if of else "kicks_none", where=teller.where, what=what, of=of)
    parts = [lead, *filter(None, [one_by_one(teller, _those(teller, rows))])]
    denied = calling_words().denies & {*words(teller.plan.question.text)}
    wanted = bool(denied) or teller.shape == "least"
    if teller.shape in ("missed", "least") and wanted and rows and not teller.players:
        there = {one.name for one in teller.night.members if {*one.pulls} & {*teller.plan.fights}}
        people = [name for name in teller.plan.people if not there or name in there]
        idle = [name for name in people if name not in kicked and not teller.is_other_side(name)]
        parts.append(teller.say("kickless", list=", ".join(map(teller.short, idle)) or "–"))
    through = [*_went_through(teller)]
    missed = teller.shape == "missed" and through and not (teller.players or split)
    return Reply(" ".join([*through, *parts] if missed else [*parts, *through]))


def _those(teller: Teller, rows: Sequence[Row]) -> list[Row]:
    """Select the single interrupts by those whose sums are told."""
    names = {row["name"] for row in rows}
    return [row for row in deeds(teller) if row["name"] in names]


def _went_through(teller: Teller) -> Iterator[str]:
    """Yield the casts that were not interrupted: interruptible ones, and unknown ones."""
    rows = missed_casts(teller)
    missed, unknown = Counter[str](), Counter[str]()
    for row in rows:
        missed[str(row["ability"])] += int(value_of(row, "missed"))
        unknown[str(row["ability"])] += int(value_of(row, "casts")) if row.get("kind") else 0
    through = [f"{name} {n}" for name, n in missed.most_common() if n]
    known = any("missed" in row for row in rows)
    if through or known:
        yield teller.say("went_through" if through else "none_through", list=", ".join(through))
    others = [f"{name} {n}" for name, n in unknown.most_common() if n]
    if others:
        yield teller.say("others_cast", list=teller.tongue.listed(others))
    elif rows == [] and of_tool(teller, "get_missed_interrupts"):
        yield teller.say("nothing_cast")


def _gaps(teller: Teller) -> Reply:
    """Describe the time before the later of the named bosses."""
    bosses = teller.plan.question.bosses
    rows = [row for row in teller.rows if row.get("encounter") in bosses[-1:]]
    told = [
        teller.say(
            "gap",
            boss=row["encounter"],
            fight=row.get("before_fight"),
            time=teller.tongue.time(value_of(row, "seconds")),
            fight_time=teller.tongue.time(value_of(row, "combat_seconds")),
        )
        for row in rows[:4]
    ]
    return Reply(" ".join(told) or "–")


def _story(teller: Teller) -> Reply:
    """Describe the course of a pull that was no wipe."""
    pull = teller.pulls[-1] if teller.pulls else None
    known = replace(teller, sheets=of_tool(teller, "get_night_deaths"))
    left = pull.boss_hp if pull and not pull.kill else None
    health = ""
    if left:
        health = " " + teller.say("boss_left", hp=teller.tongue.percent(100 * left)).strip()
    told = deaths(known)
    died = any(row.get("where") for row in known.rows)
    spoilt = hazards(teller, AHEAD) if died or teller.plan.heard.measure == "advice" else ()
    given_up = teller.plan.heard.measure == "cause" and are_short(teller.pulls)
    given_up = given_up and not any(
        one.ended in ("unfinished", *OF_MATCHES) for one in teller.pulls
    )
    lines = tuple(spoilt) if given_up else (*_ahead(teller), *spoilt, *least_active(teller))
    lead = f"{pulls(teller).text} " if len(teller.pulls) > 1 else ""
    if given_up and pull:
        tries = ", ".join(try_of(teller, one) for one in teller.pulls)
        one = len(teller.pulls) == 1
        time = teller.tongue.time(pull.seconds)
        key = "given_up_one" if one else "given_up"
        lead = f"{teller.say(key, boss=pull.name, list=tries, time=time)} "
        lines = (*_what_happened(teller), *lines)
    elif teller.plan.heard.measure == "cause" and pull and pull.ended == "reset":
        health += f" {teller.say('no_motive')}"
    ends = "".join(f" {one}" for one in late(teller)) if len(teller.pulls) == 1 else ""
    return replace(told, text="\n- ".join((f"{lead}{told.text}{health}{ends}", *lines)))


def _what_happened(teller: Teller) -> Iterator[str]:
    """Yield that nobody did damage, if so, and what hit the raid most."""
    sums = {sheet.arg("measure"): sheet.rows for sheet in of_tool(teller, "get_tally")}
    idle = not any(value_of(row, "total_damage") for row in sums.get("damage", ()))
    if idle and not teller.night.blind:
        yield teller.say("no_damage_done")
    hits = sums.get("taken", ())[:AHEAD]
    told = [f"{r['name']} {teller.tongue.number(value_of(r, 'damage_taken'))}" for r in hits]
    if told:
        yield teller.say("hit_raid_most", list=", ".join(told))


def _ahead(teller: Teller) -> Iterator[str]:
    """Yield who did the most damage, if that was looked up."""
    sheets = [one for one in of_tool(teller, "get_tally") if one.arg("measure") == "damage"]
    rows = [row for sheet in sheets for row in sheet.rows][:AHEAD]
    told = [f"{teller.short(row['name'])} {amount_of(teller, row, 'total_damage')}" for row in rows]
    if told:
        what = teller.tongue.measure("damage")
        yield teller.say("ahead_are", what=what, list=", ".join(told))


AHEAD = 3
"""Number of top players named."""


def _breaks(teller: Teller) -> Reply:
    """Describe the time between pulls: in total, the longest break, the longest idle time."""
    rows = [row for row in teller.rows if row.get("before") != ALL]
    whole = next((row for row in teller.rows if row.get("before") == ALL), {})
    between = [row for row in rows if row.get("encounter")][1:]
    time = teller.tongue.time
    parts = []
    for key, column in (("longest_break", "seconds"), ("idlest_break", "idle_seconds")):
        row = max(between, key=lambda one: value_of(one, column), default={})
        if row and value_of(row, column):
            fight_time = time(value_of(row, "combat_seconds"))
            told = {"boss": row["encounter"], "time": time(value_of(row, column))}
            parts.append(teller.say(key, **told, fight_time=fight_time))
    all_ = {name: time(value_of(whole, f"{name}seconds")) for name in ("", "combat_", "idle_")}
    parts.append(teller.say("outside", all=all_[""], combat=all_["combat_"], idle=all_["idle_"]))
    columns = ("encounter", "start", "seconds", "combat_seconds", "idle_seconds", "deaths")
    return Reply(" ".join(parts), tuple(rows[: teller.listing]), columns)


def _contrast(teller: Teller) -> Reply:
    """Compare pulls: how they ended, who died first, the raid's damage."""
    dead = [row for row in teller.rows if row.get("where")]
    ran = {row.get("fight"): row for row in teller.rows if "active_percent" in row}
    parts = []
    for pull in teller.pulls[-4:]:
        own = [row for row in dead if row.get("fight") == pull.fight]
        first = ""
        if own:
            name, at = teller.short(own[0]["player"]), teller.tongue.time(value_of(own[0], "at"))
            first = teller.say("first_was", name=name, at=at)
        row, damage = ran.get(pull.fight), ""
        if row and not teller.night.blind:
            active = teller.tongue.percent(value_of(row, "active_percent"))
            damage = f", {teller.tongue.number(round(value_of(row, 'dps')))} dps"
            damage += f", {teller.say('raid_active', value=active)}"
        left = f", boss {teller.tongue.percent(100 * pull.boss_hp)}" if pull.boss_hp else ""
        told = teller.tongue.pull(pull) + ("" if pull.kill else left)
        parts.append(teller.say("contrast_one", pull=told, n=len(own), first=first, damage=damage))
    text = "; ".join(parts) + "."
    if len(teller.pulls) == 1:
        text = f"{teller.say('nothing_beside', boss=teller.pulls[0].name)} {text}"
    rows = [
        dict(ran[p.fight]) | {"name": f"pull {p.fight}"} for p in teller.pulls if p.fight in ran
    ]
    compared = [ran[pull.fight] for pull in teller.pulls[-4:] if pull.fight in ran]
    full = any(pull.kill or pull.seconds >= FULL for pull in teller.pulls)
    if len(compared) > 1 and teller.shape == "compare" and full:
        best = teller.pull(min(compared, key=badness).get("fight"))
        names = {pull.name for pull in teller.pulls[-4:]}
        number = f", pull {best.fight}" if best and len(names) == 1 else ""
        text = f"{teller.say('cleaner', pull=f'{best.name}{number}' if best else '')} {text}"
    columns = ("name", "outcome", "seconds", "boss_hp_percent", "damage", "healing", "deaths")
    shown = tuple(rows[-teller.listing :]) if teller.listing and len(rows) > 1 else ()
    return Reply(text, shown, (*columns, "active_percent"), tool="get_raid_execution")


_BESIDE_OTHERS = frozenset(("tally", "part", "casts", "uptime", "effects"))
"""Forms for which results of other measures were looked up as well."""
_FORMS: Mapping[str, Callable[[Teller], Reply]] = {
    "tally": tally,
    "part": tally,
    "everywhere": everywhere,
    "deaths": deaths,
    "near_deaths": near_deaths,
    "pulls": pulls,
    "health": health,
    "duration": duration,
    "opening": opening,
    "tanking": tanked,
    "present": present,
    "gear": gear,
    "uptime": uptime,
    "casts": casts_told,
    "consumed": consumed,
    "kicks": _kicks,
    "performance": performance,
    "avoidable": avoidable,
    "mistakes": mistakes,
    "extreme": extreme,
    "overview": summary,
    "gaps": _gaps,
    "breaks": _breaks,
    "effects": effects,
    "nature": nature,
    "spell": card,
    "buffs": buffs,
    "activity": idle,
    "standing": standing,
    "priorities": priorities,
    "story": _story,
    "contrast": _contrast,
}
