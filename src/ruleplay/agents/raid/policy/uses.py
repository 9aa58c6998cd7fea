"""Describes who did what when: first actions, casts, uptimes, gear, attendance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from statistics import fmean, median

from ruleplay.agents.raid.domain.overview import fold, spans_of
from ruleplay.agents.raid.domain.persons import asks_average, roles_of
from ruleplay.agents.raid.domain.reference.tables import spell_names
from ruleplay.agents.raid.domain.subjects import asks_each
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy.sums import tally
from ruleplay.agents.raid.policy.teller import (
    Reply,
    Teller,
    amount_of,
    of_tool,
    place_of,
)
from ruleplay.agents.raid.view.tables import value_of

MAIN = 0.15
"""Share of the boss's swings from which a player counts as one of its tanks."""
PAIR = 2
STRAY = 2
"""Number of boss swings up to which a player does not count as a tank."""
MANY = 2
"""Number of roles of one player from which the pulls of each are listed."""
LASTS = 50.0
"""Percent of a pull from which a buff counts as a lasting one."""
OVERLAP = 10.0
"""Seconds between two cooldowns that count as overlapping."""
PEAKS, STEP, BEFORE = 3, 5.0, 8.0
"""Number of damage peaks listed; their length in seconds; seconds that a use may precede one."""
FEW = 6
"""Number of uses over several pulls that are listed individually."""
TIMED = 14
"""The same on one pull, or if it is asked when they were."""
NEAR = 600
"""Duration in seconds of the debuff that blocks another Bloodlust."""


def opening(teller: Teller) -> Reply:
    """Describe the first actions of a pull."""
    if not teller.rows:
        return Reply(teller.none("casts"))
    firsts = {row.get("fight"): row for row in reversed(teller.rows)}
    if len(firsts) > 1:
        return _openings(teller, [firsts[fight] for fight in sorted(firsts, key=str)])
    first = teller.rows[0]
    told = [
        f"{teller.short(row['name'])} ({row['ability']}) {teller.tongue.time(value_of(row, 'at'))}"
        for row in teller.rows[1:5]
    ]
    text = teller.say(
        "opening" if told else "opening_alone",
        where=teller.where,
        name=teller.short(first["name"]),
        ability=first.get("ability"),
        target=teller.short(first.get("target")),
        at=teller.tongue.time(value_of(first, "at")),
        list=", ".join(told),
    )
    return Reply(f"{text} {teller.say('opening_rule')}", about=_first_person(teller, [first]))


def _openings(teller: Teller, rows: Sequence[Row]) -> Reply:
    """Describe who acted first on each of several pulls."""
    counts = Counter(teller.short(row["name"]) for row in rows)
    told = [
        f"{pull.name if (pull := teller.pull(row.get('fight'))) else row.get('boss')}:"
        f" {teller.short(row['name'])} ({row['ability']})"
        for row in rows
    ]
    asked = teller.short(teller.players[0]) if teller.players else counts.most_common(1)[0][0]
    given = {"name": asked, "n": counts[asked], "all": len(rows)}
    text = teller.say("openings", **given, list=teller.tongue.listed(told, 12))
    return Reply(f"{text} {teller.say('opening_rule')}", about=_first_person(teller, rows))


def _first_person(teller: Teller, rows: Sequence[Row]) -> tuple[str, ...]:
    return tuple(str(row["name"]) for row in rows if row["name"] in teller.plan.people)[:1]


def tanked(teller: Teller) -> Reply:
    """Describe who tanked: whom the boss swung at, misses included."""
    rows = sorted(teller.sheet.rows, key=_swings, reverse=True)
    struck = [row for row in rows if _swings(row) > STRAY]
    asked = [name for name in teller.players if name not in {row["name"] for row in struck}]
    others = [row for row in rows[:5] if row["name"] not in asked]
    told = ", ".join(
        f"{teller.short(row['name'])} ({teller.tongue.number(_swings(row))})"
        for row in others or rows[:5]
    )
    if asked and others:
        who = teller.names(asked)
        parts = [teller.say("not_tanked", where=teller.where, name=who, list=told)]
    elif struck:
        parts = _tanks(teller, rows)
    else:
        parts = [teller.say("tanked", where=teller.where, list=told or "–")]
    if len(teller.pulls) == 1 and len(rows) == 1:
        parts.append(teller.say("no_swap"))
    return Reply(" ".join([*parts, *_taunts(teller)]))


def _tanks(teller: Teller, struck: Sequence[Row]) -> list[str]:
    """Name those who took a tank's share of the boss's swings, then whom else it struck."""
    every = sum(map(_swings, struck))
    mains = [row for row in struck if _swings(row) >= MAIN * every] or list(struck[:1])
    number, specs = teller.tongue.number, {m.name: m for m in teller.night.members}
    told = list[str]()
    for row in mains:
        member = specs.get(str(row["name"])) if len(teller.pulls) == 1 else None
        what = f"{member.spec} {member.class_name}".strip() if member else ""
        name = f"{teller.short(row['name'])} ({what})" if what else teller.short(row["name"])
        told.append(name)
    if len(mains) == 1:
        given = {"n": number(_swings(mains[0])), "all": number(every), "where": teller.where}
        parts = [teller.say("tank_was", name=told[0], **given)]
    else:
        each = [
            teller.say("tank_swings", name=name, n=number(_swings(row)))
            for name, row in zip(told, mains, strict=True)
        ]
        count = teller.say("two") if len(mains) == PAIR else len(mains)
        listed = teller.tongue.joined(each)
        parts = [teller.say("tanks", count=count, list=listed, where=teller.where)]
    others = [f"{teller.short(r['name'])} ({number(_swings(r))})" for r in struck[len(mains) :]]
    if others:
        parts.append(teller.say("tank_others", list=teller.tongue.listed(others)))
    return parts


def _swings(row: Row) -> float:
    return value_of(row, "hits") + value_of(row, "misses")


def _taunts(teller: Teller) -> Iterator[str]:
    """Yield who taunted when, if that was looked up."""
    for sheet in teller.sheets[1:2]:
        rows = [row for row in sheet.rows if row.get("name") in teller.plan.people]
        whom = len({row.get("target") for row in rows})
        told = (
            f"{row['ability']} – {_cast(teller, row)}"
            + (f" → {row['target']}" if row.get("target") and whom > 1 else "")
            for row in rows
        )
        yield teller.say("taunts" if rows else "no_taunts", list=teller.tongue.listed(told, 8))


def present(teller: Teller) -> Reply:
    """Describe who was present, what somebody plays, or who left between pulls or logs."""
    if teller.players:
        left = teller.plan.question.left_out
        rows = [row for row in teller.rows if row.get("name") in teller.players]
        rows = [row for row in rows if row.get("role") not in left]
        rows = list({row["name"]: row for row in reversed(rows)}.values())[::-1]
        told = (
            f"{teller.short(r['name'])}: {r.get('spec')} {r.get('class')}, {_roles(teller, r)}"
            for r in rows
        )
        text = "; ".join(told) + "." if rows else teller.say("whom", list="")
        text = " ".join([text, *_instead(teller, rows)])
        asked = roles_of(fold(teller.plan.question.text)) or [row.get("role") for row in rows]
        return Reply(teller.answered(text, any(row.get("role") in asked for row in rows)))
    groups = _groups(teller)
    if teller.shape == "who" and len(groups) > 1:
        (first, before), (second, after) = groups[0], groups[-1]
        gone, came = sorted(before - after), sorted(after - before)
        moves = []
        if gone:
            named = teller.names(gone)
            moves.append(teller.say("left", first=first, second=second, list=named))
        if came:
            named = teller.names(came)
            moves.append(teller.say("joined", first=first, second=second, list=named))
        return Reply(" ".join(moves) or teller.say("same_people", first=first, second=second))
    side = [row for row in teller.rows if not teller.is_other_side(row.get("name"), row)]
    roles = Counter(str(row.get("role")) for row in side)
    meant = [one for one in roles_of(fold(teller.plan.question.text)) if roles[one]]
    rows = [row for row in side if not meant or row.get("role") in meant]
    people = [f"{teller.short(r['name'])} ({r.get('spec')} {r.get('class')})" for r in rows]
    parts = [f"{teller.say(f'role_{one}')} {n}" for one, n in sorted(roles.items()) if not meant]
    named = "\n- ".join(["", *people]) if meant or teller.shape != "count" else ""
    counted = teller.say("role_" + meant[0]) if len(meant) == 1 else teller.say("of_players")
    text = teller.say("present", where=teller.where, n=f"{len(people)} {counted}")
    by_role = [f"{', '.join(parts)}."] if parts else []
    return Reply(" ".join([text, *by_role, *_changes(teller, groups)]) + named)


def _instead(teller: Teller, rows: Sequence[Row]) -> Iterator[str]:
    """Yield the pulls that a player missed, and who was present only then."""
    every = {pull.fight for pull in teller.pulls}
    missed = every - {*_fights(rows[0])} if len(rows) == 1 else set()
    if missed and len(teller.sheets) == 1:
        yield teller.say("was_not_on", name=teller.short(rows[0]["name"]), list=spans_of([*missed]))
        came = [row for row in teller.rows if {*_fights(row)} <= missed]
        if came:
            told = (f"{teller.short(r['name'])} ({r.get('spec')} {r.get('class')})" for r in came)
            yield teller.say("came_instead", list=teller.tongue.listed(told))


def _changes(teller: Teller, groups: Sequence[tuple[str, set[str]]]) -> Iterator[str]:
    """Yield changes of attendance: group sizes, and who was not there throughout."""
    sizes = [len(names) for _, names in groups]
    part = [row for row in teller.rows if value_of(row, "pulls") < len(groups)]
    if part and len(teller.sheets) == 1:
        told = (f"{teller.short(row['name'])} ({spans_of(_fights(row))})" for row in part)
        at_once = f"{min(sizes)}–{max(sizes)}" if min(sizes) < max(sizes) else sizes[0]
        yield teller.say("came_and_went", n=at_once, list=", ".join(told))


def _roles(teller: Teller, row: Row) -> str:
    """List somebody's roles, with the bosses if there were several roles."""
    had: dict[str, list[str]] = {}
    played = row.get("roles")
    for fight, role in zip(_fights(row), played if isinstance(played, list) else (), strict=False):
        pull = teller.pull(fight)
        had.setdefault(str(role), []).append(pull.name if pull else str(fight))
    if len(had) < MANY:
        role = teller.say(f"role_{row.get('role') or 'damage'}")
        fights = _fights(row)
        return teller.say("pulls_on", role=role, n=row.get("pulls"), list=spans_of(fights))
    return "; ".join(
        f"{teller.say('role_' + role)} ({', '.join(bosses)})" for role, bosses in had.items()
    )


def _groups(teller: Teller) -> list[tuple[str, set[str]]]:
    """Group attendance by log in chronological order, or by pull if there is only one log."""
    if len(teller.sheets) > 1:
        found = []
        for sheet in teller.sheets:
            names = {str(row["name"]) for row in sheet.rows}
            title = sheet.returned.pull or sheet.returned.report
            found.append((teller.plan.titles.get(sheet.returned.report, title), names))
        return found
    fights = sorted({f for row in teller.rows for f in _fights(row)})
    return [
        (
            pull.name if (pull := teller.pull(fight)) else str(fight),
            {str(row["name"]) for row in teller.rows if fight in _fights(row)},
        )
        for fight in fights
    ]


def _fights(row: Row) -> list[int]:
    found = row.get("fights")
    return [one for one in found if isinstance(one, int)] if isinstance(found, list) else []


def gear(teller: Teller) -> Reply:
    """Describe item levels: one player's, or the highest or lowest."""
    rows = teller.rows
    if not rows:
        return Reply(teller.say("no_gear"))
    levels = [value_of(row, "item_level") for row in rows]
    middle = median(levels)
    mine = [row for row in rows if row["name"] in teller.players]
    if mine:
        told = []
        for row in mine:
            level = value_of(row, "item_level")
            verdict = teller.say("gear_low" if level < middle - 3 else "gear_ok")
            told.append(
                teller.say(
                    "gear_one",
                    name=teller.short(row["name"]),
                    value=teller.tongue.number(level),
                    rank=place_of(rows, row, "item_level"),
                    count=len(rows),
                    middle=teller.tongue.number(middle),
                    verdict=verdict,
                )
            )
        return Reply(" ".join(told))
    low = teller.shape == "least" or teller.plan.question.lowest
    rows = [*reversed(rows)] if low else rows
    about = (str(rows[0]["name"]),)
    told = [
        f"{teller.short(r['name'])} {teller.tongue.number(value_of(r, 'item_level'))}" for r in rows
    ]
    most = 24 if teller.shape == "list" else 5
    key = "gear_least" if low else "gear_high"
    text = teller.say(key, where=teller.where, list=teller.tongue.listed(told, most))
    return Reply(text, about=about)


def uptime(teller: Teller) -> Reply:
    """Describe how long an aura was up, on whom and by whom."""
    named = ", ".join(teller.plan.question.abilities)
    rows = [row for row in teller.rows if not teller.players or _mine(teller, row)]
    if not rows:
        of = f" ({teller.names(teller.players)})" if teller.players else ""
        casts = teller.turned("casts") if teller.others else None
        if casts and casts.sheets and casts.rows:
            return casts_told(casts)
        return Reply(teller.say("no_aura", where=teller.where, ability=f"{named}{of}"))
    abilities = dict.fromkeys(str(row["ability"]) for row in rows)
    parts = [_uptime_of(teller, one, [r for r in rows if r["ability"] == one]) for one in abilities]
    about = tuple(str(row["name"]) for row in rows) if len(rows) == 1 else ()
    return Reply("\n- ".join(parts), about=about)


def _uptime_of(teller: Teller, ability: str, rows: Sequence[Row]) -> str:
    """Describe one aura's uptime: on bosses if it was on any, else on whoever had it."""
    if ability in spell_names()["holds"]:
        mine = [row for row in rows if row["name"] in teller.plan.people]
        told = [held(teller, own) for own in by_person(mine)]
        listed = teller.tongue.listed(told, 8) or "–"
        return teller.say("held", where=teller.where, ability=ability, list=listed)
    on_boss = [row for row in rows if str(row["name"]) in str(row.get("boss"))]
    people = [row for row in rows if row["name"] in teller.plan.people]
    if people and not on_boss and not teller.players and teller.shape in ("yesno", "missed"):
        return _had(teller, ability, people)
    seen: dict[str, list[Row]] = {}
    for row in on_boss or people or rows:
        seen.setdefault(str(row["name"]), []).append(row)
    whole = sum(pull.seconds for pull in teller.pulls)
    told = []
    for target, own in seen.items():
        seconds = sum(value_of(row, "uptime_seconds") for row in own)
        there = {row.get("fight") for row in own}
        lasted = sum(pull.seconds for pull in teller.pulls if pull.fight in there)
        share = teller.tongue.percent(100 * seconds / ((lasted if on_boss else whole) or 1))
        cast = (c for row in own for c in str(row.get("casters") or "").split(", "))
        by = dict.fromkeys(filter(None, cast))  # nobody, of what the surroundings do
        value = f"{teller.tongue.number(seconds)} s"
        value = f"{share}, {value}" if whole else value  # without pulls there is no time it is of
        given = {"target": teller.short(target), "value": value, "casters": teller.names(by)}
        told.append(teller.say("up_on" if {*by} - {target} else "up_own", **given))
    listed = teller.tongue.listed(told, 10)
    each = teller.say("uptime", where=teller.where, ability=ability, list=listed)
    few = people and not on_boss and 0 < len(_lacking(teller, people)) <= len(seen)
    return f"{_had(teller, ability, people)} {each}" if few and not teller.players else each


def by_person(rows: Sequence[Row]) -> list[list[Row]]:
    """Group rows by whose they are, in the order of the first."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(str(row["name"]), []).append(row)
    return [*found.values()]


def _lacking(teller: Teller, rows: Sequence[Row]) -> list[str]:
    """List who was there and has no row."""
    had = {row["name"] for row in rows}
    fights = {pull.fight for pull in teller.pulls}
    there = [m.name for m in teller.night.members if not m.pulls or fights & {*m.pulls}]
    seen = [one for one in teller.others if one.arg("measure") == "present"]
    present = {row["name"] for sheet in seen for row in sheet.rows}
    there = [name for name in there if name in present or not present]
    return [name for name in there if name not in had]


def _had(teller: Teller, ability: str, rows: Sequence[Row]) -> str:
    """Say whether everyone there had an aura, and on whom it was not seen."""
    had, lacking = len({row["name"] for row in rows}), _lacking(teller, rows)
    given = {"ability": ability, "n": had, "all": had + len(lacking), "where": teller.where}
    key = "not_all_had" if lacking else "everyone_had"
    told = teller.say(key, **given, lacking=teller.tongue.joined([*map(teller.short, lacking)]))
    return teller.answered(told, not lacking)


def held(teller: Teller, rows: Sequence[Row]) -> str:
    """Describe how long somebody had an aura: from when, or how often if more than once."""
    times = int(sum(value_of(row, "applications") for row in rows))
    time = teller.tongue.time(sum(value_of(row, "uptime_seconds") for row in rows))
    name, row = teller.short(rows[0]["name"]), rows[0]
    if times > 1 or len(rows) > 1:
        return teller.say("had_times", name=name, time=time, n=max(times, len(rows)))
    if row.get("at") is None or row.get("fight") is None:
        return f"{name} {time}"
    at = teller.tongue.time(value_of(row, "at"))
    where = f", {row['boss']}" if len(teller.pulls) > 1 else ""
    return teller.say("held_on", name=name, time=time, at=at) + where


def _mine(teller: Teller, row: Row) -> bool:
    return row.get("name") in teller.players or any(
        name in str(row.get("casters")) for name in teller.players
    )


def casts_told(teller: Teller) -> Reply:
    """Describe when abilities were used, by whom and where; else one player's casts."""
    named = ", ".join(teller.plan.question.abilities) or teller.tongue.either(
        teller.plan.wanted[:2]
    )
    whole = not teller.night.pulls
    inside = [r for r in teller.rows if whole or r.get("fight") in teller.plan.fights]
    between = [row for row in inside if {row["name"], row.get("target")} <= {*teller.players}]
    if teller.players:
        given = [row for row in inside if row["name"] in teller.players]
        inside = between or given or [r for r in inside if r.get("target") in teller.players]
    foes = teller.shape in ("when", "count", "list", "which") and teller.plan.question.abilities
    inside = inside if foes else _of_people(teller, inside) or inside
    abilities = list(dict.fromkeys(str(row["ability"]) for row in inside))
    beside = teller.shape not in ("who", "most", "least", "list", "count")
    if len(abilities) > 1 and len(teller.plan.question.abilities) > 1 and beside:
        return _overlap(teller, inside)
    whom = teller.shape in ("who", "most", "least") and not _of_people(teller, inside)
    whom = whom or not inside
    if whom and any(row.get("hits") for sheet in teller.others for row in sheet.rows):
        # Nobody used it, because it is an enemy's ability: answer about those it hit.
        return tally(teller.turned("taken"))
    borne = [one for one in teller.others if one.returned.args.get("measure") == "uptime"]
    if not inside and any(sheet.rows for sheet in borne):
        lasted = uptime(replace(teller, sheets=borne, others=()))
        rows = [row for sheet in borne for row in sheet.rows]
        seen = not teller.players or any(_mine(teller, row) for row in rows)
        return replace(lasted, text=teller.answered(lasted.text, seen))
    if not inside:
        who = f" ({teller.names(teller.players)})" if teller.players else ""
        text = teller.say("no_cast", where=teller.where, ability=f"{named or '–'}{who}")
        if teller.plan.measure_asked == "cooldowns" and not teller.plan.question.abilities:
            # Those that are looked for are of all classes.
            text = teller.none("cooldowns", teller.names(teller.players))
        text += outside_uses(teller)
        before = " ".join(earlier_use(teller))
        if before and teller.shape == "why":
            return Reply(f"{text} {before} {teller.say('no_motive')}")
        return Reply(f"{teller.answered(text, False)} {before}".strip())
    outside = "" if whole else outside_uses(teller)
    kicks = "".join(f" {one}" for one in _interrupted(teller, inside))
    many = len(abilities) > 1
    several = len(teller.pulls) > 1 and (not many or bool(teller.players))
    unused = unused_on(teller, inside, many=many) if several else ""
    peaks = "".join(f" {one}" for one in _peaks(teller, inside))
    uses = uses_of(teller, inside, abilities)
    # Whether an interrupt was well used, what it interrupted tells, not that it was used.
    each = asks_each(teller.plan.question.text) or teller.shape == "everywhere"
    everywhere = not (unused and each)
    besides = besides_told(teller, inside)
    # "Did we forget it on any" is not answered by yes where it was used on some.
    open_ = besides or (unused and not each)
    uses = uses + kicks if kicks else uses if open_ else teller.answered(uses, everywhere)
    text = f"{uses}{besides}{elsewhere_told(teller)}{outside}{unused}{peaks}"
    if not many and len(teller.pulls) > 1 and len(inside) <= FEW and _are_given(teller, inside):
        text = "\n- ".join((text, *(_cast(teller, row) for row in inside)))
    return Reply(text, about=tuple(dict.fromkeys(str(row["name"]) for row in inside))[:MANY])


def besides_told(teller: Teller, told: Sequence[Row]) -> str:
    """Describe on whom else it was used, if it was used on those asked about."""
    rows = [
        row for row in _of_people(teller, teller.rows) if row.get("fight") in teller.plan.fights
    ]
    asked = {row.get("target") for row in told} & {*teller.players} - {row["name"] for row in told}
    others = [row for row in rows if row not in told]
    return (
        f" {teller.say('used_besides', list=_givers(teller, others))}" if asked and others else ""
    )


def elsewhere_told(teller: Teller) -> str:
    """Tell the uses on other pulls, if no pull was named and they are few: "who presses it"."""
    question, fights = teller.plan.question, teller.plan.fights
    named = question.bosses or question.fights or question.subject.fights or question.kind
    rows = [row for row in _of_people(teller, teller.rows) if row.get("fight")]
    rows = [row for row in rows if row["fight"] not in fights and _is_asked(teller, row)]
    if named or len(fights) != 1 or not 0 < len(rows) <= FEW:
        return ""
    every = tuple(pull.fight for pull in teller.night.pulls)
    whole = replace(teller, plan=replace(teller.plan, fights=every))
    told = ", ".join(_cast(whole, row) for row in rows)
    return f" {teller.say('used_elsewhere', list=told)}"


def _is_asked(teller: Teller, row: Row) -> bool:
    """Whether a use is by or on those asked about, if anybody is."""
    return not teller.players or bool({row["name"], row.get("target")} & {*teller.players})


def uses_of(teller: Teller, rows: Sequence[Row], abilities: Sequence[str]) -> str:
    """Describe how often, when and by whom abilities were used; of many uses, counts by player."""
    told = [_cast(teller, row) for row in rows]
    many, pulls = len(abilities) > 1, {row.get("fight") for row in rows}
    if len(rows) > (
        TIMED if len(teller.pulls) == 1 or teller.shape == "when" else FEW + (not teller.pulls)
    ):
        told = [_givers(teller, rows)]
        if many:
            counts = Counter(f"{row['ability']} – {teller.short(row['name'])}" for row in rows)
            told = [f"{name} {n}" for name, n in counts.most_common()]
    elif many:
        told = [f"{row['ability']} – {one}" for row, one in zip(rows, told, strict=True)]
    elif len(teller.pulls) > 1 and _are_given(teller, rows):
        told = [_givers(teller, rows)]
    given: dict[str, object] = {
        "where": teller.where,
        "ability": ", ".join(abilities),
        "n": len(rows),
        "list": teller.tongue.listed(told, 16),
    }
    if many:
        return teller.say("cooldowns_used", **given)
    apart = _between(teller, rows)
    if len(rows) == 1 and len(teller.pulls) < PAIR:
        return teller.say("used_once", **given)
    if len(rows) == len(pulls) == len(told) and len(teller.pulls) > 1:
        return teller.say("used_on", **given, all=len(teller.pulls))
    return f"{teller.say('used', **given)}{apart}"


def _between(teller: Teller, rows: Sequence[Row]) -> str:
    """Tell how far apart the uses by one enemy were on a pull, or anybody's if that is asked."""
    by = {row["name"] for row in rows}
    asked = asks_average(fold(teller.plan.question.text))
    theirs = len(by) == 1 and not by & {*teller.plan.people}
    times = sorted(value_of(row, "at") for row in rows if row.get("at") is not None)
    gaps = [round(two - one, 1) for one, two in pairwise(times)]
    if len(teller.pulls) != 1 or len(gaps) < PAIR or len(by) > 1 or not (asked or theirs):
        return ""
    time = teller.tongue.time
    given = {"least": time(min(gaps)), "most": time(max(gaps)), "mean": time(round(fmean(gaps), 1))}
    return f" {teller.say('between_uses', median=time(round(median(gaps), 1)), **given)}"


def outside_uses(teller: Teller) -> str:
    """Describe uses outside all pulls, if that was looked up."""
    rows = [row for row in teller.rows if row.get("before_pull") and _is_asked(teller, row)]
    rows = _of_people(teller, rows)
    if not rows:
        return ""
    told = [f"{teller.short(r['name'])}{_given(teller, r)} ({r['clock']})" for r in rows]
    listed = teller.tongue.listed(told, FEW) if len(told) <= FEW else _givers(teller, rows)
    return f" {teller.say('off_pulls', n=len(rows), list=listed)}"


def _interrupted(teller: Teller, uses: Sequence[Row]) -> Iterator[str]:
    """Yield what the uses of an interrupt interrupted, if that was looked up."""
    for sheet in (one for one in teller.others if one.arg("measure") == "interrupts"):
        users = {row["name"] for row in uses}
        rows = [row for row in sheet.rows if row["name"] in users]
        count = int(sum(value_of(row, "interrupts") for row in rows))
        what = "; ".join(str(row.get("abilities")) for row in rows)
        yield teller.say("kicks_of" if count else "kicks_of_none", n=count, list=what)


def _givers(teller: Teller, rows: Sequence[Row]) -> str:
    """Count uses by player, with the target if used on others."""
    counts = Counter(
        f"{teller.short(row['name'])}{_given(teller, row)}" for row in rows
    ).most_common()
    return ", ".join(f"{name} {n}" for name, n in counts)


def _are_given(teller: Teller, rows: Sequence[Row]) -> bool:
    """Whether something was used on others, so that the target matters most."""
    return any(_given(teller, row) for row in rows)


def _given(teller: Teller, row: Row) -> str:
    target = row.get("target")
    to_other = target in teller.plan.people and target != row["name"]
    return f" → {teller.short(target)}" if to_other else ""


def _peaks(teller: Teller, uses: Sequence[Row]) -> Iterator[str]:
    """Yield the peaks of damage taken on a pull, with the cooldowns used around them."""
    steps = [row for sheet in of_tool(teller, "get_damage_timeline") for row in sheet.rows]
    most = sorted(steps, key=lambda row: -value_of(row, "damage_taken"))[:PEAKS]
    told = []
    for row in sorted(most, key=lambda row: value_of(row, "at")):
        at = value_of(row, "at")
        near = [one for one in uses if -BEFORE <= value_of(one, "at") - at <= STEP]
        names = ", ".join(
            f"{one['ability']} {teller.tongue.time(value_of(one, 'at'))}" for one in near
        )
        amount = teller.tongue.number(value_of(row, "damage_taken"))
        within = names or teller.say("no_cooldown_then")
        told.append(teller.say("peak", at=teller.tongue.time(at), value=amount, within=within))
    if told:
        yield teller.say("peaks", list="; ".join(told))


def _of_people(teller: Teller, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.get("name") in teller.plan.people]


def unused_on(teller: Teller, rows: Sequence[Row], *, many: bool) -> str:
    """Name the pulls on which none of these uses was."""
    used = {row.get("fight") for row in rows}
    named = Counter(pull.name for pull in teller.pulls)
    rest = [
        pull.name if named[pull.name] == 1 else f"{pull.name} ({pull.fight})"
        for pull in teller.pulls
        if pull.fight not in used
    ]
    if many:
        listed = ", ".join(rest[:8]) or "–"
        return f" {teller.say('no_norm_uses', list=listed)}"
    return f" {teller.say('not_on', list=', '.join(dict.fromkeys(rest)))}" if rest else ""


def _cast(teller: Teller, row: Row) -> str:
    bosses = {pull.name for pull in teller.pulls}
    boss = row["boss"] if len(bosses) > 1 else f"pull {row.get('fight')}"
    return teller.say(
        "cast_clock"
        if row.get("at") is None
        else "cast_on"
        if len(teller.pulls) > 1
        else "cast_at",
        name=f"{teller.short(row['name'])}{_given(teller, row)}",
        boss=boss,
        at=teller.tongue.time(value_of(row, "at")),
        clock=row.get("clock"),
    )


def _overlap(teller: Teller, rows: Sequence[Row]) -> Reply:
    told = [f"{row['ability']} – {_cast(teller, row)}" for row in rows]
    every = teller.say("listed", list=teller.tongue.listed(told, 12))
    pairs = [
        (abs(value_of(a, "at") - value_of(b, "at")), a, b)
        for a, b in combinations(rows, 2)
        if a["ability"] != b["ability"] and a.get("fight") == b.get("fight")
    ]
    gap, one, two = min(pairs, key=lambda pair: pair[0], default=(OVERLAP + 1, {}, {}))
    if not pairs or (teller.shape == "when" and gap > OVERLAP):
        return Reply(f"{teller.where}: {every}")
    key = "overlap" if gap <= OVERLAP else "no_overlap"
    nearest = f"{one['ability']}, {two['ability']}"
    text = teller.say(key, list=nearest, gap=teller.tongue.time(gap))
    return Reply(f"{teller.where}. {text} {every}")


def effects(teller: Teller) -> Reply:
    """Describe how much healing and damage each of some abilities did."""
    told = []
    for column, measure in (("healing", "healing"), ("total_damage", "damage")):
        for row in (row for row in teller.rows if value_of(row, column)):
            what = teller.tongue.measure(measure)
            value = teller.tongue.number(value_of(row, column))
            extra = [teller.say("hits", n=row.get("hits"))]
            if column == "healing":
                over = teller.tongue.percent(value_of(row, "overheal_percent"))
                extra.append(f"{teller.tongue.measure('overheal')} {over}")
            by = f" ({teller.short(row['sources'])})" if row.get("sources") else ""
            told.append(f"{row['name']}{by}: {what} {value} ({', '.join(extra)})")
    if not told:
        # Something that neither heals nor hits may still have been used.
        return casts_told(teller.turned("casts"))
    return Reply(teller.say("each", where=teller.where, list="; ".join(told)))


def nature(teller: Teller) -> Reply:
    """Describe what a log shows about an ability: its caster, targets and durations."""
    rows = [row for row in teller.rows if row.get("hits")]
    casters = dict.fromkeys(str(row["name"]) for row in teller.rows if row.get("casts"))
    casters |= dict.fromkeys(str(row.get("sources")) for row in rows)
    lasting = [row for row in teller.rows if row.get("uptime_seconds")]
    casters |= dict.fromkeys(str(row.get("casters")) for row in lasting if row.get("casters"))
    named = ", ".join(teller.plan.question.abilities)
    told = teller.tongue.listed(map(teller.short, casters), 4) or "–"
    parts = [teller.say("nature", where=teller.where, ability=named, list=told)]
    if rows:
        hit = [f"{teller.short(r['name'])} {amount_of(teller, r, 'damage_taken')}" for r in rows]
        parts.append(teller.say("nature_hit", list=teller.tongue.listed(hit)))
    if lasting:
        on = dict.fromkeys(teller.short(row["name"]) for row in lasting)
        parts.append(teller.say("nature_on", n=len(on), list=teller.tongue.listed(on)))
    return Reply(" ".join([*parts, teller.say("nature_unknown")]))


def _own_first(row: Row) -> tuple[bool, bool, float]:
    """Sort key for buffs: lasting ones first, among them the player's own."""
    up = value_of(row, "uptime_percent")
    return up < LASTS, row.get("casters") != [row["player"]], -up


def buffs(teller: Teller) -> Reply:
    """Describe a player's buffs, those from before the pull too, and the usual ones missing."""
    name = teller.players[0]
    mine = {str(row["buff"]): row for row in teller.rows if row.get("player") == name}
    others: dict[str, set[str]] = {}
    for row in teller.rows:
        foreign = row.get("casters") != [row["player"]]
        if foreign and value_of(row, "uptime_percent") > LASTS:
            others.setdefault(str(row["buff"]), set()).add(str(row["player"]))
    there = len({row["player"] for row in teller.rows})
    lacking = [buff for buff, who in others.items() if len(who) > there / 2 and buff not in mine]
    had = [
        f"{buff} {teller.tongue.percent(value_of(row, 'uptime_percent'))}"
        for buff, row in sorted(mine.items(), key=lambda one: _own_first(one[1]))
    ]
    given = {"where": teller.where, "name": teller.short(name)}
    parts = [teller.say("buffs_on", **given, list=teller.tongue.listed(had, 20) or "–")]
    parts.append(teller.say("buffs_lacking" if lacking else "buffs_all", list=", ".join(lacking)))
    return Reply(" ".join([*parts, teller.say("buffs_hidden")]), about=(name,))


def earlier_use(teller: Teller) -> Iterator[str]:
    """Yield the use before the pulls in question, whose debuff may still have been active."""
    first = teller.pulls[0] if teller.pulls else None
    lusts = {*(teller.plan.question.abilities or teller.plan.wanted)} <= {*spell_names()["lust"]}
    if first is None or not lusts:
        return
    earlier = [r for r in teller.rows if value_of(r, "fight") < first.fight]
    if not earlier:
        return
    last = earlier[-1]
    pull = teller.pull(last.get("fight"))
    gap = first.start_s - (pull.start_s + value_of(last, "at")) if pull else NEAR + 1
    if 0 < gap < NEAR:
        yield teller.say(
            "before",
            clock=last.get("clock"),
            boss=last.get("boss"),
            name=teller.short(last["name"]),
            gap=teller.tongue.time(gap),
            debuff="Exhaustion / Sated (10 min)",
        )


def consumed(teller: Teller) -> Reply:
    """Describe who consumed what, and for whom nothing was seen."""
    there = [sheet for sheet in teller.sheets if sheet.arg("measure") == "present"]
    names = tuple(str(row["name"]) for sheet in there for row in sheet.rows) or teller.plan.people
    sheets = [sheet for sheet in teller.sheets if sheet not in there]
    teller = replace(teller, sheets=sheets, plan=replace(teller.plan, people=names))
    if len(teller.sheets) > 1:
        kinds = [replace(teller, sheets=[sheet]) for sheet in teller.sheets]
        names = ("measure_flasks", "measure_food")
        told_ = [
            f"{teller.say(n)}: {consumed(one).text}" for n, one in zip(names, kinds, strict=False)
        ]
        return Reply(" ".join(told_))
    kind = str(teller.sheet.returned.args.get("ability") or "").partition(";")[0]
    asked = teller.tongue.measure({"potion": "consumables", "flask": "flasks"}.get(kind, "food"))
    asked = kind if kind in spell_names()["potion"][1:] else asked
    rows = [row for row in teller.rows if not teller.players or row["name"] in teller.players]
    seen: dict[str, dict[str, int]] = {}
    for row in rows:
        found = seen.setdefault(teller.short(row["name"]), {})
        found[str(row["ability"])] = found.get(str(row["ability"]), 0) + 1
    if not seen:
        return Reply(teller.answered(teller.say("consumed_none", what=asked), False))
    everyone = [teller.short(name) for name in teller.players or teller.plan.people]
    none = [name for name in everyone if name not in seen]
    timed = len(seen) == 1 or teller.shape == "when"
    own = {name: [row for row in rows if teller.short(row["name"]) == name] for name in seen}
    told_of = {name: _times(own[name]) if timed else _counts(seen[name]) for name in seen}
    listed = "; ".join(f"{name} ({told})" for name, told in list(told_of.items())[:14])
    missed = ", ".join(none) or "–"
    if teller.shape in ("missed", "least"):
        return Reply(teller.say("without_it", n=len(none), what=asked, none=missed, list=listed))
    given = {"n": len(seen), "all": len(everyone), "what": asked, "list": listed, "none": missed}
    told = teller.say("consumed", **given)
    # For a whole raid where some did, the answer is neither yes nor no.
    single = len(teller.players) == 1 or not none
    return Reply(teller.answered(told, True) if single else told)


def _times(rows: Sequence[Row]) -> str:
    """Tell what one player consumed by the clock; what was taken before the log, without."""
    clocks: dict[str, list[str]] = {}
    for row in rows:
        clocks.setdefault(str(row["ability"]), []).append(str(row.get("clock") or ""))
    return ", ".join(f"{name} {', '.join(filter(None, at))}".strip() for name, at in clocks.items())


def _counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {n}×" if n > 1 else name for name, n in found.items())
