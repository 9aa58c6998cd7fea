"""Tells a spell's whole story: its uses, on whom it was, whom it hit, what it did and stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ruleplay.agents.raid.domain.reference.tables import spell_names
from ruleplay.agents.raid.domain.subjects import asks_each
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy.sums import tally
from ruleplay.agents.raid.policy.teller import Reply, Teller
from ruleplay.agents.raid.policy.uses import (
    besides_told,
    by_person,
    earlier_use,
    elsewhere_told,
    held,
    outside_uses,
    unused_on,
    uses_of,
)
from ruleplay.agents.raid.view.tables import ResultTable, value_of

LISTED = 8
"""Number of players or pulls listed in one line."""
LIKELY = 0.5
"""Confidence in what of a spell is asked from which little else is told of it."""
PEOPLE = 2
"""Number of its users that a pronoun in the next question may refer to."""
LINES = 3
"""Number of lines told of a spell."""


def card(teller: Teller) -> Reply:
    """Tell the story of the spells asked about: first what was asked for, then the rest."""
    heard = teller.plan.heard
    plain = replace(teller, plan=replace(teller.plan, heard=replace(heard, shape="")))
    told = {name: line for name, tell in _PARTS.items() if (line := tell(plain))}
    if not told:
        return Reply(_nowhere(teller))
    # What an enemy does to the raid comes before that it was cast.
    enemys = _is_enemys(teller)
    first = _LEADS.get(heard.measure, "")
    first = "struck" if first == "used" and enemys and teller.shape not in _OF_USES else first
    order = [one for one in (first, *(_HARM if enemys else ()), *_PARTS) if one in told]
    likely = first in told and any(one.sure >= LIKELY for one in heard.guesses[:1])
    order = [order[0], "stopped"] if likely else [one for one in order if _adds(teller, one, order)]
    lines = [told[one] for one in dict.fromkeys(order) if one in told][:LINES]
    lines[0] = _PARTS[order[0]](teller)
    if teller.shape == "why":
        lines.append(teller.say("no_motive"))
    return Reply("\n- ".join(lines), about=_about(teller, order[0]))


def _about(teller: Teller, first: str) -> tuple[str, ...]:
    """Name the players of whom the first part tells: whom it hit hardest, who used it."""
    rows = _rows(teller, "taken", "player")[:1] if first == "struck" else _uses_in(teller)
    people = dict.fromkeys(str(row["name"]) for row in rows)
    return tuple(name for name in people if name in teller.plan.people)[:PEOPLE]


def _adds(teller: Teller, part: str, order: Sequence[str]) -> bool:
    """Whether a part tells more than the first: who has an aura is not told with its uses."""
    given = {row.get("target") for row in _uses_in(teller)}
    bearers = {row["name"] for row in _rows(teller, "uptime") if value_of(row, "uptime_seconds")}
    return part != "borne" or order[0] == part or not bearers <= given | {None}


def _sheets(teller: Teller, measure: str, by: str = "") -> list[ResultTable]:
    every = (*teller.sheets, *teller.others)
    own = [one for one in every if one.arg("measure") == measure]
    return [one for one in own if not by or one.arg("by") == by]


def _rows(teller: Teller, measure: str, by: str = "") -> list[Row]:
    return [row for sheet in _sheets(teller, measure, by) for row in sheet.rows]


def _named(teller: Teller) -> str:
    return ", ".join(teller.plan.question.abilities)


def _is_inside(teller: Teller, row: Row) -> bool:
    return not teller.night.pulls or row.get("fight") in teller.plan.fights


def _is_of(teller: Teller, row: Row) -> bool:
    """Whether a row is by or on those asked about, if anybody is."""
    people = {*teller.players}
    who = {row.get("name"), row.get("target"), *str(row.get("casters") or "").split(", ")}
    return not people or bool(people & who)


def _uses_in(teller: Teller) -> list[Row]:
    rows = [row for row in _rows(teller, "casts") if _is_inside(teller, row)]
    return [row for row in rows if _is_of(teller, row)] or rows


def _is_enemys(teller: Teller) -> bool:
    """Whether nobody of the raid used it."""
    users = {row["name"] for row in _rows(teller, "casts")}
    return not users & {*teller.plan.people}


def _used(teller: Teller) -> str:
    """Tell who used it when, and on which of several pulls not."""
    rows = _uses_in(teller)
    teller = replace(teller, sheets=_sheets(teller, "casts"), others=())
    if not rows:
        return _not_used(teller) if teller.rows and not _is_enemys(teller) else ""
    mine = any(_is_of(teller, row) for row in rows)
    abilities = tuple(dict.fromkeys(str(row["ability"]) for row in rows))
    text = uses_of(teller, rows, abilities)
    unused = unused_on(teller, rows, many=False) if len(teller.pulls) > 1 else ""
    each = asks_each(teller.plan.question.text) or teller.shape == "everywhere"
    each = bool(unused) and each
    outside = outside_uses(teller) if teller.night.pulls else ""
    besides = besides_told(teller, rows) if mine else ""
    text = text if besides else teller.answered(text, mine and not each)
    return f"{text}{besides}{elsewhere_told(teller)}{outside}{unused}"


def _not_used(teller: Teller) -> str:
    """Tell that it was not used there, when it last was, and where else it was."""
    where = teller.say("no_cast", where=teller.where, ability=_named(teller))
    before = " ".join(earlier_use(teller))
    rows = [row for row in _rows(teller, "casts") if not _is_inside(teller, row)]
    rows = [row for row in rows if _is_of(teller, row)] or rows
    wide = replace(teller.plan, fights=tuple(pull.fight for pull in teller.night.pulls))
    whole = replace(teller, plan=wide)
    there = [row for row in rows if row.get("fight")]
    told = uses_of(whole, there, [_named(teller)]) if there else ""
    off = outside_uses(teller)
    return " ".join(filter(None, (teller.answered(where, False), before, told, off.strip())))


def _borne(teller: Teller) -> str:
    """Tell on whom it was as an aura, how long and from when."""
    rows = [row for row in _rows(teller, "uptime") if value_of(row, "uptime_seconds")]
    inside = [row for row in rows if _is_inside(teller, row)]
    if not inside and (not rows or _rows(teller, "casts")):
        return ""
    rows = [row for row in inside or rows if _is_of(teller, row)] or inside or rows
    # What its users have of it themselves, that they used it tells already.
    users = {row["name"] for row in _rows(teller, "casts")}
    rows = [row for row in rows if row["name"] not in users] if users else rows
    if not rows:
        return ""
    people = [row for row in rows if row["name"] in teller.plan.people]
    rows = people if len(people) > len(rows) / 2 else rows
    each = by_person(sorted(rows, key=lambda row: -value_of(row, "uptime_seconds")))
    fights = {row.get("fight") for row in rows}
    pulls = [pull for pull in teller.night.pulls if pull.fight in fights]
    where = teller.where if inside else teller.tongue.where(pulls)
    given = {"ability": _named(teller), "where": where, "n": len(each)}
    if len(each) > LISTED and _rows(teller, "casts"):
        longest = teller.tongue.time(value_of(rows[0], "uptime_seconds"))
        return teller.say("spell_on_many", **given, time=longest)
    return teller.say(
        "spell_on", **given, list=teller.tongue.listed([held(teller, own) for own in each], LISTED)
    )


def _struck(teller: Teller) -> str:
    """Tell whom it hit how hard; else on which other pulls it hit anybody."""
    sheets = _sheets(teller, "taken", "player")
    if any(row.get("hits") for sheet in sheets for row in sheet.rows):
        plan = replace(teller.plan, measure="taken", by="player")
        return tally(replace(teller, plan=plan, sheets=sheets, others=())).text
    there = [row for row in _rows(teller, "taken", "pull") if row.get("hits")]
    pulls = ", ".join(f"{row['name']}: {row['hits']}" for row in there[:LISTED])
    given = {"ability": _named(teller), "where": teller.where, "list": pulls}
    return teller.say("spell_hit_else", **given) if pulls else ""


def _did(teller: Teller) -> str:
    """Tell how much it healed, or hurt enemies."""
    told = []
    for measure, column in (("healing", "healing"), ("damage", "total_damage")):
        for row in (one for one in _rows(teller, measure) if value_of(one, column)):
            extra = [teller.say("hits", n=row.get("hits"))]
            if column == "healing":
                over = teller.tongue.percent(value_of(row, "overheal_percent"))
                extra.append(f"{teller.tongue.measure('overheal')} {over}")
            value, what = (
                teller.tongue.number(value_of(row, column)),
                teller.tongue.measure(measure),
            )
            told.append(f"{teller.short(row['name'])}: {what} {value} ({', '.join(extra)})")
    listed = teller.tongue.listed(told, LISTED)
    return (
        teller.say("each", where=f"{_named(teller)} – {teller.where}", list=listed) if told else ""
    )


def _stopped(teller: Teller) -> str:
    """Tell what it interrupted or dispelled, and what it could not dispel."""
    told = [
        _stop(teller, row, measure) + _in_vain(teller, row, measure)
        for measure in ("interrupts", "dispels")
        for row in _rows(teller, measure)
        if _is_of(teller, row)
    ]
    failed = [
        f"{row['aura']} ({teller.short(row['targets'])})"
        for sheet in (*teller.sheets, *teller.others)
        if sheet.returned.tool == "get_dispel_report"
        for row in sheet.rows
        if row.get("outcome") == "failed" and row.get("with") in teller.plan.question.abilities
    ]
    if failed:
        told.append(teller.say("spell_failed", list=teller.tongue.listed(dict.fromkeys(failed))))
    return " ".join(told)


def _stop(teller: Teller, row: Row, measure: str) -> str:
    """Tell what somebody stopped with a spell, or how often they stopped it."""
    what = str(row.get("abilities"))
    was = any(name in what for name in teller.plan.question.abilities)
    key = {"interrupts": "kicked", "dispels": "dispelled"}[measure]
    key = f"spell_was_{key}" if was else f"spell_{key}"
    return teller.say(key, name=teller.short(row["name"]), n=row[measure], list=what)


def _in_vain(teller: Teller, row: Row, measure: str) -> str:
    """Tell how many uses of an interrupt interrupted nothing."""
    own = [one for one in _uses_in(teller) if one.get("name") == row["name"]]
    nothing = len(own) - int(value_of(row, "interrupts")) if measure == "interrupts" else 0
    return f" {teller.say('spell_in_vain', n=nothing, all=len(own))}" if nothing > 0 else ""


def _nowhere(teller: Teller) -> str:
    """Tell that the log has nothing of a spell."""
    lusts = {*teller.plan.question.abilities} & {*spell_names()["lust"]}
    said = teller.tongue.measure("lust") if len(lusts) > 1 else _named(teller)
    return teller.answered(teller.say("no_cast", where=teller.where, ability=said), False)


_OF_USES = ("when", "count", "list", "which", "amount")
"""Shapes by which an enemy's uses are asked for, not whom it hit."""
_HARM = ("struck", "borne")
_PARTS: Mapping[str, Callable[[Teller], str]] = {
    "used": _used,
    "stopped": _stopped,
    "borne": _borne,
    "struck": _struck,
    "did": _did,
}
"""What there is to tell of a spell, in the order in which it is told."""
_LEADS: Mapping[str, str] = {
    "casts": "used",
    "lust": "used",
    "cooldowns": "used",
    "auras": "borne",
    "duration": "borne",
    "taken": "struck",
    "avoidable": "struck",
    "damage": "did",
    "healing": "did",
    "interrupts": "stopped",
    "dispels": "stopped",
}
"""Measure asked for -> what of a spell's story comes first."""
