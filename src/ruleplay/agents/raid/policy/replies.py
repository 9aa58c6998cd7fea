"""The one general answer: a measure, asked in a shape, of the players, abilities and pulls meant.

The asked number comes first, in the question's language; rows follow as a short table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ruleplay.agents.raid.domain.outcomes import NO_BLOWS
from ruleplay.agents.raid.domain.overview import Night
from ruleplay.agents.raid.policy.deaths import deaths
from ruleplay.agents.raid.policy.plan import Plan
from ruleplay.agents.raid.policy.sums import tally
from ruleplay.agents.raid.policy.teller import Reply, Teller, amount_of, place_of, value_of
from ruleplay.agents.raid.policy.tries import duration, health, pulls
from ruleplay.agents.raid.policy.uses import (
    casts_told,
    consumed,
    gear,
    opening,
    present,
    tanked,
    uptime,
)
from ruleplay.agents.raid.view.tables import Sheet


def reply(plan: Plan, night: Night, sheets: Sequence[Sheet]) -> Reply:
    """Return the reply to a question that has a form."""
    others = [one for one in sheets if plan.measure and _measure(one) not in ("", plan.measure)]
    others = others if plan.form in ("tally", "part") else []
    others += [one for one in sheets if plan.by == "player" and _by(one) == "ability"]
    sheets = [one for one in sheets if one not in others]
    teller = Teller(plan, night, sheets, others)
    problem = next((s.returned.problem for s in sheets if s.returned.problem), "")
    if problem and not teller.rows:
        return Reply(problem.removeprefix("get_tally: "))
    blind = any(NO_BLOWS in sheet.returned.notes for sheet in sheets)
    if blind and plan.form not in _OF_DEATHS:
        return Reply(teller.say("no_blows", where=teller.where))
    if plan.form == "tally" and len(sheets) > 1:
        return _by_log(teller)
    told = _FORMS[plan.form](teller)
    if plan.form == "tally" and plan.heard.measure == "rankings":
        return replace(told, text=f"{told.text} {teller.say('no_parse')}")
    return told


def _measure(sheet: Sheet) -> str:
    return str(sheet.returned.args.get("measure") or "")


def _by(sheet: Sheet) -> str:
    return str(sheet.returned.args.get("by") or "")


def _by_log(teller: Teller) -> Reply:
    """Tell sums of several logs of one night, each by itself."""
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
        *("contrast", "gaps"),
    )
)


def _kicks(teller: Teller) -> Reply:
    """Tell who interrupted what, and how many casts there were."""
    named = ", ".join(teller.plan.question.abilities)
    rows = teller.sheet.rows
    counted = [row for sheet in teller.sheets[1:] for row in sheet.rows]
    casts = int(sum(value_of(row, "casts") for row in counted))
    times = teller.say("cast_times", n=casts) if casts else ""
    if teller.players:
        rows = tuple(row for row in rows if row["name"] in teller.players)
    told = ", ".join(
        f"{teller.short(row['name'])} {row['interrupts']} ({row.get('abilities')})" for row in rows
    )
    if not named:
        key = "rank" if rows else "kicks_none"
        what = teller.tongue.measure("interrupts")
        if teller.players and not rows and teller.sheet.rows:
            of = f" ({', '.join(map(teller.short, teller.players))})"
            return Reply(teller.say("none_of", where=teller.where, what=what, of=of))
        return Reply(teller.say(key, where=teller.where, what=what, list=told))
    key = "kicked" if rows else "kick_none"
    return Reply(teller.say(key, where=teller.where, ability=named, list=told, casts=times))


def _performance(teller: Teller) -> Reply:
    """Tell what each of the players did, and the place in the raid."""
    rows = [row for row in teller.rows if row.get("player")]
    parts = []
    for row in (row for row in rows if row["player"] in teller.players):
        number = teller.tongue.number
        parts.append(
            teller.say(
                "done",
                where=teller.where,
                name=teller.short(row["player"]),
                role=teller.say(
                    f"role_{row.get('role') or teller.role(row['player']) or 'damage'}"
                ),
                damage=number(value_of(row, "total_damage")),
                place=place_of(rows, row, "total_damage"),
                count=len(rows),
                healing=number(value_of(row, "total_healing")),
                healed=place_of(rows, row, "total_healing"),
                taken=number(value_of(row, "damage_taken")),
                deaths=int(value_of(row, "deaths")),
            )
        )
    if not parts:
        what = teller.tongue.measure("casts")
        return Reply(teller.say("none_of", where=teller.where, what=what, of=""))
    return Reply(" ".join(parts), about=teller.players)


def _gaps(teller: Teller) -> Reply:
    """Tell the time before the later one of the bosses that were named."""
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


def _priorities(teller: Teller) -> Reply:
    """Tell what a night's pulls say of where to begin: bosses not won, and who dies first."""
    open_: dict[str, int] = {}
    won = {pull.name for pull in teller.pulls if pull.kill}
    for pull in teller.pulls:
        if pull.name not in won and pull.ended == "wipe":
            open_[pull.name] = open_.get(pull.name, 0) + 1
    counts: dict[str, int] = {}
    dead = [row for row in teller.rows if row.get("first_of_pull")]
    for row in dead:
        name = teller.short(row["player"])
        counts[name] = counts.get(name, 0) + 1
    bosses = sorted(open_.items(), key=lambda one: -one[1])
    people = sorted(counts.items(), key=lambda one: -one[1])
    parts = [teller.where + "."]
    if bosses:
        told = ", ".join(f"{name} {n}" for name, n in bosses[:4])
        parts.append(teller.say("most_wipes", list=told))
    if people:
        parts.append(teller.say("early", list=", ".join(f"{name} {n}" for name, n in people[:4])))
    if dead and not any(row.get("ability") for row in dead):
        parts.append(teller.say("no_cause"))
    return Reply(" ".join(parts))


def _story(teller: Teller) -> Reply:
    """Tell how a pull went that was no wipe."""
    pull = teller.pulls[-1] if teller.pulls else None
    left = pull.boss_hp if pull and not pull.kill else None
    health = ""
    if left:
        health = " " + teller.say("boss_left", hp=teller.tongue.percent(100 * left)).strip()
    told = deaths(teller)
    lead = ""
    if len(teller.pulls) > 1:
        lead = "; ".join(map(teller.tongue.pull, teller.pulls)) + ". "
    return replace(told, text=lead + told.text + health)


def _contrast(teller: Teller) -> Reply:
    """Tell pulls side by side: how they ended, who died first, the raid's damage."""
    dead = [row for row in teller.rows if row.get("where")]
    hits = {row.get("fight"): row for row in teller.rows if row.get("total_damage")}
    parts = []
    for pull in teller.pulls[-4:]:
        own = [row for row in dead if row.get("fight") == pull.fight]
        first = ""
        if own:
            name, at = teller.short(own[0]["player"]), teller.tongue.time(value_of(own[0], "at"))
            first = teller.say("first_was", name=name, at=at)
        damage = ""
        if pull.fight in hits:
            what = teller.tongue.measure("damage")
            damage = f", {what} {amount_of(teller, hits[pull.fight], 'total_damage')}"
        told = teller.tongue.pull(pull)
        parts.append(teller.say("contrast_one", pull=told, n=len(own), first=first, damage=damage))
    return Reply("; ".join(parts) + ".")


_FORMS: Mapping[str, Callable[[Teller], Reply]] = {
    "tally": tally,
    "part": tally,
    "deaths": deaths,
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
    "performance": _performance,
    "gaps": _gaps,
    "priorities": _priorities,
    "story": _story,
    "contrast": _contrast,
}
