"""Describes sums: rankings, one player's value and place, comparisons, an ability's victims."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ruleplay.agents.raid.domain.overview import ENEMY, OURS, fold, words
from ruleplay.agents.raid.domain.persons import (
    asks_average,
    asks_share,
    calling_words,
    suffered_by_us,
)
from ruleplay.agents.raid.domain.subjects import asks_each, pull_words
from ruleplay.agents.raid.domain.tool_result import NO_ABSORBS, Cell, Row
from ruleplay.agents.raid.policy.faults import hazards, what_hit
from ruleplay.agents.raid.policy.sentences import LISTED, asked_number
from ruleplay.agents.raid.policy.shares import of_its_whole, part
from ruleplay.agents.raid.policy.singly import deeds, one_by_one, suffered
from ruleplay.agents.raid.policy.teller import (
    COLUMNS,
    RATES,
    SHARED,
    Reply,
    Teller,
    amount_of,
    first_then,
    of_tool,
    place_of,
    swallowed,
)
from ruleplay.agents.raid.view.tables import value_of

PAIR = 2
"""Number of players that are compared; more of them are ranked."""
NEXT = 3
"""How many places come next if the question does not say."""
ORDINAL = re.compile(r"\b(\d{1,2})(?:th|st|nd|rd|eme|e|er)\b")
RANGE = re.compile(r"\b\d{1,2} ?(?:-|to|through|a|bis) ?\d{1,2}\b")
"""Places from one to another: "4 to 6"."""
APART = 5
"""Maximum number of abilities named to explain a difference."""


def tally(teller: Teller) -> Reply:
    """Describe sums: a ranking, one's value and place, a comparison, or an ability's victims."""
    heard, question = teller.plan.heard, teller.plan.question
    column = COLUMNS.get(teller.plan.measure, "casts")
    what = teller.tongue.measure(teller.plan.measure)
    named = ", ".join(question.abilities)
    special = _special(teller, named)
    if not special and teller.plan.measure in ("dispels", "kills") and (done := suffered(teller)):
        return Reply(done, about=teller.players)
    if special:
        return special
    rows = [row for row in teller.rows if teller.role(row.get("name")) not in question.left_out]
    rows = [row for row in rows if not teller.is_other_side(row.get("name"), row)]
    if teller.plan.by not in ("player", "source", "target"):
        rows = [row for row in rows if teller.is_raids(row)]
    if question.only and teller.plan.by == "player":
        rows = [row for row in rows if teller.role(row.get("name")) in question.only]
    after = [row for row in rows if row.get("just_after")]
    rows = [row for row in rows if value_of(row, column) or row not in after]
    late = teller.say("just_after", list=_late(teller, after)) if after else ""
    if not rows and column == "absorbs" and _is_unshielded(teller):
        return Reply(f"{teller.where}. {teller.say('no_shields')}")
    if not rows:
        whose = ", ".join(filter(None, (teller.names(teller.players), named)))
        of = f" ({whose})" if whose else f" {teller.say('by_players')}"
        none = teller.say("none_of", where=teller.where, what=what, of=of)
        return Reply(f"{none} {late}".strip())
    if teller.shape == "missed" and teller.plan.by == "player" and not named:
        return Reply(_idle(teller, rows, column, what))
    if teller.plan.by == "pull" and heard.shape == "compare" and not asks_each(question.text):
        told = (f"{row['name']} {amount_of(teller, row, column)}" for row in rows)
        return Reply(teller.say("compare_pulls", what=what, list=", ".join(told)))
    if teller.plan.by == "pull":
        return _each_pull(teller, rows, column, what)
    lead = _lead(teller, rows, column, what)
    asked = teller.players if teller.plan.by == "player" else ()
    rows = [row for row in rows if row.get("name") in asked] or _in_order(teller, rows, column)
    first = _nth(teller, rows) or next(iter(rows), {})
    about = (str(first["name"]),) if first and teller.plan.by == "player" else ()
    tabled = len(rows) > 1 and teller.shape != "next" and not _is_split(teller, rows, column)
    shown = tuple(rows[: teller.listing]) if tabled else ()
    lead = " ".join(
        [
            lead,
            *filter(None, [late]),
            *_own_place(teller, rows, column, what, lead),
            *_idle_pulls(teller),
            *filter(None, [_one_by_one(teller, rows)]),
        ]
    )
    ranked = enumerate(_in_order(teller, rows, column), 1)
    places = [n for n, row in ranked if row in shown or teller.short(row["name"]) in lead]
    columns = ("name", *_shown(rows, column))
    led = (str(first["name"]),) if first and teller.plan.by == "ability" else ()
    return Reply(lead, shown, columns, about, led, places=max(places, default=0))


def _one_by_one(teller: Teller, rows: Sequence[Row]) -> str:
    """Tell each of few dispels or killing blows of those asked about."""
    if teller.plan.by != "player" or teller.plan.measure not in ("dispels", "kills"):
        return ""
    names = {*teller.players} or {str(row.get("name")) for row in rows}
    return one_by_one(teller, [row for row in deeds(teller) if row["name"] in names])


def _late(teller: Teller, rows: Sequence[Row]) -> str:
    """List what came just after the end, most first."""
    ranked = sorted(rows, key=lambda row: -value_of(row, "just_after"))
    return ", ".join(f"{teller.short(row['name'])} {row['just_after']}" for row in ranked)


def _each_pull(teller: Teller, rows: Sequence[Row], column: str, what: str) -> Reply:
    """List a sum pull by pull, in the night's order; asked for the most or least, by that."""
    own = {row.get("fight"): row for row in rows}
    pulls, rate = list(teller.pulls), RATES.get(column, "")
    by = rate if rate in words(teller.plan.question.text) else column
    if teller.shape in ("most", "least", "which"):
        low = _is_low(teller, column)
        pulls.sort(key=lambda one: value_of(own.get(one.fight, {}), by), reverse=not low)
    names = Counter(pull.name for pull in teller.pulls)
    lines = []
    for pull in pulls:
        name = pull.name if names[pull.name] == 1 else f"{pull.name}, pull {pull.fight}"
        value = amount_of(teller, own.get(pull.fight, {column: 0}), column)
        lines.append(f"{name}: {value}")
    of = ", ".join(["", *map(teller.short, teller.players), *teller.plan.question.abilities])
    lead = teller.say("by_pull", what=what, of=of)
    shields = [teller.say("no_shields")] if _is_unshielded(teller) else []
    return Reply("\n- ".join([lead[:1].upper() + lead[1:], *lines, *shields]), about=teller.players)


def _idle_pulls(teller: Teller) -> Iterator[str]:
    """Yield the pulls without any damage, if the damage of each was looked up."""
    sheets = [one for one in teller.others if one.arg("by") == "pull"]
    rows = [row for sheet in sheets for row in sheet.rows if not value_of(row, "total_damage")]
    if rows:
        yield teller.say("no_damage_on", list=", ".join(str(row["fight"]) for row in rows))


def _own_place(
    teller: Teller, rows: Sequence[Row], column: str, what: str, told: str
) -> Iterator[str]:
    """Yield the asker's own value and place in a ranking that does not come down to it."""
    ranked = [row for row in rows if row.get("name") in teller.plan.people]
    own = [row for row in ranked if row.get("name") == teller.plan.question.myself]
    for row in own if teller.plan.by == "player" and not teller.players else ():
        name = teller.short(row["name"])
        if name not in told:
            place = place_of(ranked, row, column)
            more = teller.say("place", rank=place, count=len(ranked))
            value = amount_of(teller, row, column)
            yield f"{teller.say('value', name=name, what=what, value=value, more=more)}."


def _lead(teller: Teller, rows: list[Row], column: str, what: str) -> str:
    """Compose the sentence of a sum: two compared, one with its place, or a ranking."""
    lead = ""
    if len(teller.players) > PAIR and teller.plan.by == "player" and teller.shape != "compare":
        own = [row for row in rows if row.get("name") in teller.players]
        lead = _ranked(teller, own, column, what) if own else ""
    elif len(teller.players) > 1 and teller.plan.by == "player":
        lead = _compared(teller, rows, column, what)
    elif teller.players and teller.plan.by == "player":
        lead = _of_one(teller, rows, column, what)
    lead = lead or _ranked(teller, rows, column, what)
    if asks_average(fold(teller.plan.question.text)):
        lead = f"{_average(teller, rows, column)} {lead}"
    if _is_unshielded(teller):
        return f"{lead} {teller.say('no_shields')}"
    return f"{lead} {teller.say('with_shields')}" if column == "healing" else lead


def _average(teller: Teller, rows: Sequence[Row], column: str) -> str:
    """Compose the average: over players or pulls, or per pull for one player."""
    own = [row for row in rows if row.get("name") in teller.players] or list(rows)
    total = sum(value_of(row, column) for row in own)
    many = teller.plan.by == "pull" or (len(own) == 1 and len(teller.pulls) > 1)
    count = len(teller.pulls) if many else len(own)
    rate = RATES.get(column, "")
    rates = sum(value_of(row, rate) for row in own) / max(count, 1) if rate and not many else 0
    mean = teller.tongue.number(round(total / max(count, 1), 1))
    return teller.say(
        "average",
        value=f"{mean} ({teller.tongue.number(round(rates))} {rate})" if rates else mean,
        total=teller.tongue.number(total),
        n=count,
        of=teller.say("of_pulls" if many else "of_players"),
    )


def _is_unshielded(teller: Teller) -> bool:
    return any(NO_ABSORBS in sheet.returned.notes for sheet in teller.sheets)


def _special(teller: Teller, named: str) -> Reply | None:
    """Compose answers that are no ranking: a single hit, an ability's victims, pets' share."""
    if teller.plan.form == "part":
        return part(teller)
    if teller.plan.measure == "kills" and teller.shape == "yesno":
        return _no_kill(teller)
    if teller.shape == "hit" and teller.plan.measure in ("damage", "taken", "healing"):
        return _biggest(teller)
    done = any(value_of(row, COLUMNS["damage"]) for row in teller.rows)
    took = any(sheet.rows for sheet in teller.others)
    if teller.plan.measure == "damage" and named and took and not done:
        # Nobody dealt damage with it, because it is the boss's ability.
        return tally(teller.turned("taken"))
    if teller.plan.measure != "taken" or not named or teller.plan.by == "pull":
        return None
    own = teller.turned("damage")
    if not teller.rows and own.rows:
        # Nobody was hit by it, because it is an ability of the players.
        return tally(own)
    return None if teller.players else _victims(teller, named)


def _no_kill(teller: Teller) -> Reply | None:
    """Deny that one's own side of a match killed anybody, if all killing blows were enemies'."""
    foes = {one.name for one in teller.night.members if one.foe}
    if teller.players or teller.side == ENEMY or {*(row.get("name") for row in teller.rows)} - foes:
        return None
    own = f"{teller.say('own_side')} " if foes else ""
    return Reply(teller.answered(f"{own}{teller.none('kills')}", False)) if foes else None


def _in_order(teller: Teller, rows: list[Row], column: str) -> list[Row]:
    """Order rows for the sentence: lowest first if asked for, named players first."""
    if _is_low(teller, column):
        people = [row for row in rows if row.get("name") in teller.plan.people]
        rows = people if teller.plan.by == "player" and people else rows
        fighting = [row for row in rows if teller.role(row.get("name")) == "damage"]
        rows = fighting if column == "total_damage" and fighting else rows
        return sorted(rows, key=lambda row: value_of(row, _key(teller, column)))
    if column == "damage_taken" and teller.plan.by == "player":
        # Pets are listed after players, whatever hit them.
        rows = sorted(rows, key=lambda row: row.get("name") not in teller.plan.people)
    if _key(teller, column) != column:
        rows = sorted(rows, key=lambda row: -value_of(row, _key(teller, column)))
    return sorted(rows, key=lambda row: row.get("name") not in teller.players)


def _is_low(teller: Teller, column: str) -> bool:
    """Whether the minimum is asked for; "worst" damage taken means the maximum."""
    low = teller.plan.question.lowest or teller.shape == "least"
    said = fold(teller.plan.question.text)
    suffered = column in ("damage_taken", "overheal")
    return low and not (suffered and calling_words().worst.search(said))


def _key(teller: Teller, column: str) -> str:
    """Choose the column to rank by: crits by rate, overhealing by percent if asked for shares."""
    share = column == "overheal" and asks_share(fold(teller.plan.question.text))
    return "crit_percent" if column == "crits" else "overheal_percent" if share else column


def _shown(rows: Sequence[Row], column: str) -> tuple[str, ...]:
    known: tuple[str, ...] = (
        column,
        *(("healing",) if column == "overheal" else ()),
        "dps",
        "hps",
        "overheal_percent",
        *(("crit_percent",) if column == "crits" else ()),
        "hits",
        "misses",
        "biggest_hit",
        "abilities",
    )
    if column == "killing_blows":
        return (column,)
    if column not in ("total_damage", "damage_taken"):
        known = tuple(one for one in known if one != "biggest_hit")
    return tuple(dict.fromkeys(one for one in known if any(row.get(one) for row in rows)))


_ENDS = ("most", "least")


def _ranked(teller: Teller, rows: list[Row], column: str, what: str) -> str:
    question = teller.plan.question
    low = _is_low(teller, column)
    of_people = teller.plan.by in ("player", "source", "target")
    total = sum(value_of(row, column) for row in teller.rows if of_people or teller.is_raids(row))
    rows = _in_order(teller, rows, column)
    sums = _sums_of_sides(rows, column) if _is_split(teller, rows, column) else {}
    if teller.plan.by == "ability" and calling_words().except_.search(fold(question.text)):
        rows = [row for row in rows if row["name"] != "Melee"] or rows
    most = asked_number(teller.plan.question.text) or (3 if teller.shape in _ENDS else 5)
    values = _values(teller, rows, column, sums or {None: total})
    whom = teller.names(teller.players) if teller.plan.by != "player" else ""
    most = 1 if teller.listing and len(rows) > 1 and not sums else most
    names = ", ".join((*question.abilities, *([whom] if whom else [])))
    where = f"{teller.where}, {names}" if names else teller.where
    told = [f"{teller.short(r['name'])} {value}" for r, value in zip(rows, values, strict=True)]
    way = "least" if low else "sole" if len(rows) == 1 and not teller.players else "most"
    keys = [f"{one}_{teller.plan.measure}" for one in (way, "least" if low else "most")]
    key = next((one for one in keys if teller.tongue.knows(one)), "")
    if teller.plan.by == "source" and suffered_by_us(fold(question.text)):
        key, names_ = "most_damage", [teller.short(row["name"]) for row in rows]
        return first_then(teller, key, [*zip(names_, values, strict=True)], most)
    if teller.plan.by == "player" and teller.players:
        # Leading among some players does not mean doing the most in the raid.
        listed = f"{what}: {teller.tongue.listed(told, max(most, LISTED))}"
        return teller.say("there", where=where, list=listed)
    if teller.plan.by != "player" or not key:
        key = "rank_low" if low else "rank"
        return teller.say(key, where=where, what=what, list=teller.tongue.listed(told, most))
    nth = _nth(teller, rows)
    if nth and len(_ordinals(teller.plan.question.text)) == 1:
        at = rows.index(nth)
        name = teller.short(nth["name"])
        return teller.say("nth", name=name, rank=at + 1, value=values[at], where=where)
    if teller.shape == "next" or (nth and len(_ordinals(teller.plan.question.text)) > 1):
        since, until = _places(teller.plan.question.text, teller.plan.shown)
        each = [f"{n}. {one}" for n, one in enumerate(told, 1)][since:until]
        return teller.say("there", where=where, list=f"{what}: {', '.join(each) or '–'}")
    named = [*zip((_whose(teller, row) for row in rows), values, strict=True)]
    ranked = column in (*RATES, "overheal", "damage_taken") and _key(teller, column) == column
    led = ranked and not low and len(rows) > 1
    gap = calling_words().gap.search(fold(question.text))
    if led and gap:
        more = _gap(teller, rows[0], rows[1], column)
        ahead = teller.say("lead_by", gap=more, name=named[1][0])
        named[0] = (named[0][0], f"{named[0][1]}{ahead}")
    lead = first_then(teller, key, named[:1] if most == 1 or sums else named, most)
    lead += _with_pets(teller, column)
    if sums:
        return f"{lead} {_by_side(teller, [*zip(rows, told, strict=True)], sums, most)}"
    summed = column in (*SHARED, "killing_blows", "interrupts", "dispels") and len(rows) > 1
    summed = summed and not (gap or teller.players or question.only)
    if summed and teller.shape in ("amount", "count"):
        return f"{teller.say('sum_of', what=what, n=teller.tongue.number(total))} {lead}"
    return lead


def _with_pets(teller: Teller, column: str) -> str:
    """Say that a ranking by damage counts pets in."""
    question = teller.plan.question
    narrowed = question.without or question.targets or question.abilities
    return f" {teller.say('with_pets')}" if column == "total_damage" and not narrowed else ""


def _is_split(teller: Teller, rows: Sequence[Row], column: str) -> bool:
    """Whether a ranking has both sides of a match, which are then told apart."""
    sides = {row.get("side") for row in rows}
    ranking = teller.plan.by == "player" and column != "crits" and teller.shape != "next"
    return ranking and {OURS, ENEMY} <= sides and not (teller.side or teller.players)


def _values(
    teller: Teller, rows: Sequence[Row], column: str, sums: Mapping[Cell, float]
) -> list[str]:
    """Format the values of a ranking; shares are of the sum of a side, or of the only sum."""
    if column in ("interrupts", "dispels"):
        return [f"{row[column]}{'' if None not in sums else _of_what(row, column)}" for row in rows]
    totals = (sums.get(row.get("side"), sums.get(None, 0)) for row in rows)
    return [
        amount_of(teller, row, column, total=total) for row, total in zip(rows, totals, strict=True)
    ]


def both_sides(teller: Teller, told: Sequence[tuple[Row, str]], column: str) -> str:
    """Tell both sides of a match if these rows are of both and neither is asked for; else ""."""
    rows = [row for row, _ in told]
    if not _is_split(teller, rows, column):
        return ""
    return _by_side(teller, told, _sums_of_sides(rows, column), LISTED)


def _sums_of_sides(rows: Sequence[Row], column: str) -> dict[Cell, float]:
    """Add up the rows of each side."""
    return {
        side: sum(value_of(row, column) for row in rows if row["side"] == side)
        for side in (OURS, ENEMY)
    }


def _by_side(
    teller: Teller, told: Sequence[tuple[Row, str]], sums: Mapping[Cell, float], most: int
) -> str:
    """Tell both sides of a match, each with its sum and its first ones."""
    ours, theirs = (
        teller.tongue.listed([words for row, words in told if row["side"] == side], most)
        for side in (OURS, ENEMY)
    )
    number = teller.tongue.number
    return teller.say(
        "by_side",
        ours=number(sums[OURS]),
        theirs=number(sums[ENEMY]),
        our_list=ours,
        their_list=theirs,
    )


def _whose(teller: Teller, row: Row) -> str:
    """Name a player; of the other side of a match, also that it was an enemy."""
    name = teller.short(row["name"])
    foe = row.get("side") == ENEMY and not teller.side
    return teller.say("an_enemy", name=name) if foe else name


def _places(text: str, shown: int) -> tuple[int, int]:
    """Find which places of a ranking come next: as many as said after those that were told.

    "After those two, the next three" says itself how many were told.
    """
    known = pull_words().numbers
    counts = (int(one) if one.isdecimal() else known.get(one, 0) for one in words(text))
    numbers = [one for one in counts if one]
    if places := sorted(_ordinals(text) or ({*numbers} if RANGE.search(fold(text)) else ())):
        return places[0] - 1, places[-1]
    since = numbers[0] if len(numbers) > 1 else shown
    return since, since + (numbers[-1] if numbers else NEXT)


def _ordinals(text: str) -> set[int]:
    """Collect the places that a text names: "second", "8th"."""
    known = pull_words().places
    places = {known[one] for one in words(text) if one in known}
    return places | {int(one) for one in ORDINAL.findall(fold(text))}


def _idle(teller: Teller, rows: Sequence[Row], column: str, what: str) -> str:
    """Name who did none of it on the pulls in question."""
    fights = {*teller.plan.fights}
    there = [one.name for one in teller.night.members if not one.pulls or fights & {*one.pulls}]
    did = {row.get("name") for row in rows if value_of(row, column)}
    idle = [name for name in there if name not in did]
    given = {"where": teller.where, "what": what, "n": len(idle), "all": len(there)}
    return teller.say("zero_of" if idle else "zero_none", list=teller.names(idle), **given)


def _nth(teller: Teller, rows: Sequence[Row]) -> Row | None:
    """Find the row of the place asked for, unless it is the first: "who was second"."""
    question = teller.plan.question
    gap = calling_words().gap.search(fold(question.text))
    asked = [] if gap else sorted(one for one in _ordinals(question.text) if one > 1)
    of_pulls = question.subject.fights or question.fights or teller.players
    ranked = asked and not of_pulls and teller.plan.by == "player" and asked[0] <= len(rows)
    return rows[asked[0] - 1] if ranked else None


def _of_one(teller: Teller, rows: list[Row], column: str, what: str) -> str:
    name = teller.players[0]
    ranked = [row for row in rows if not str(row["name"]).startswith("pet")]
    ranked.sort(key=lambda row: -value_of(row, _key(teller, column)))
    at = next((n for n, row in enumerate(ranked, 1) if row["name"] == name), 0)
    if not at:
        none = teller.none(teller.plan.measure, teller.short(name))
        did = ranked if column in ("dispels", "interrupts") else []
        each = (f"{teller.short(row['name'])} {row[column]}{_of_what(row, column)}" for row in did)
        rest = f" {teller.say('others_did', list=teller.tongue.listed(each))}" if did else ""
        return none + rest
    place = teller.say("place", rank=at, count=len(ranked))
    total = sum(value_of(row, column) for row in ranked)
    value = amount_of(teller, ranked[at - 1], column, total=total)
    value += _of_what(ranked[at - 1], column)
    if column == "healing":
        over = teller.tongue.percent(value_of(ranked[at - 1], "overheal_percent"))
        value += f", {teller.tongue.measure('overheal')} {over}"
    role = teller.role(name)
    label = teller.short(name)
    label += f" ({teller.say(f'role_{role}')})" if role in ("tank", "healer") else ""
    question = teller.plan.question
    whole = column == "total_damage" and not (question.without or question.targets)
    what = teller.say("all_damage") if whole else what
    told = teller.say("value", name=label, what=what, value=value, more=place)
    other = ranked[0] if at > 1 else next(iter(ranked[1:]), None)
    if other:
        ahead = f"{amount_of(teller, other, column)}{_of_what(other, column)}"
        rank, who = 1 if at > 1 else 2, teller.short(other["name"])
        told += teller.say("beside_one", rank=rank, name=who, value=ahead)
    told = teller.say("there", where=teller.place, list=told) + _by_ability(teller, name, column)
    told += of_its_whole(teller, ranked[at - 1], column)
    return told + _beside_you(teller, ranked, at - 1, column)


def _beside_you(teller: Teller, ranked: Sequence[Row], at: int, column: str) -> str:
    """Say how far somebody is ahead of the asker, or behind, if who asks is known."""
    me = teller.plan.question.myself
    mine = next((n for n, row in enumerate(ranked) if row["name"] == me), at)
    if mine == at or column not in RATES:
        return ""
    ahead, behind = ranked[min(at, mine)], ranked[max(at, mine)]
    return " " + teller.say(
        "lead_of_you" if at < mine else "lead_of_them",
        name=teller.short(ranked[at]["name"]),
        gap=_gap(teller, ahead, behind, column),
        own=teller.tongue.number(value_of(ranked[mine], column)),
        rank=mine + 1,
    )


def _of_what(row: Row, column: str) -> str:
    """Describe what somebody's interrupts or dispels were of."""
    return f" ({row.get('abilities')})" if column in ("interrupts", "dispels") else ""


def _by_ability(teller: Teller, name: str, column: str) -> str:
    """Break one player's sum down by ability, if that was looked up."""
    parts = [""]
    ways = (("source", "from_whom"), ("ability", "made_of"))
    for by, key in ways if not teller.plan.question.abilities else ():
        for sheet in of_tool(teller, "get_tally"):
            if sheet.arg("by") == by and sheet.arg("player_name") == name and sheet.rows:
                told = (
                    f"{r['name']} {teller.tongue.number(value_of(r, column))}" for r in sheet.rows
                )
                parts.append(teller.say(key, list=teller.tongue.listed(told, APART)))
    return " ".join(parts)


def _compared(teller: Teller, rows: list[Row], column: str, what: str) -> str:
    mine = [row for row in rows if row["name"] in teller.players]
    if not mine:
        return teller.none(teller.plan.measure, teller.names(teller.players))
    # Players with a value of zero have no row.
    done = {row["name"] for row in mine}
    mine += [{"name": name, column: 0} for name in teller.players if name not in done]
    told = [f"{teller.short(row['name'])} {amount_of(teller, row, column)}" for row in mine]
    first, second = mine[0], mine[1]
    if column == "overheal":
        most = max(mine, key=lambda row: value_of(row, "overheal_percent"))
        given = {"where": teller.place, "first": teller.short(most["name"])}
        given |= {"list": ", ".join(told), "most": teller.short(first["name"])}
        if most is not first or asks_share(fold(teller.plan.question.text)):
            names = [str(row["name"]) for row in (first, second)]
            return teller.say("more_over_share", **given) + apart(teller, names, column)
    told_gap = teller.say(
        # Having taken or wasted more does not mean being ahead.
        {"damage_taken": "more_taken", "overheal": "more_over"}.get(column, "compare"),
        where=teller.place,
        first=teller.short(first["name"]),
        second=teller.short(second["name"]),
        gap=_gap(teller, first, second, column),
        what=what,
        list=", ".join(told),
        sum=teller.tongue.number(sum(value_of(row, column) for row in mine)),
    )
    parts = [told_gap + apart(teller, [str(first["name"]), str(second["name"])], column)]
    return " ".join([*parts, *(hazards(teller) if column == "damage_taken" else ())])


def _gap(teller: Teller, first: Row, second: Row, column: str) -> str:
    gap = value_of(first, column) - value_of(second, column)
    told, least = teller.tongue.number(gap), value_of(second, column)
    return f"{told} ({teller.tongue.percent(100 * gap / least)})" if least else told


def difference(
    teller: Teller, names: Sequence[str], rows: Sequence[Row], column: str, measure: str
) -> str:
    """State which of two players is ahead, by how much, and through which abilities."""
    first, second = (next(row for row in rows if row["player"] == name) for name in names)
    told = teller.say(
        "ahead",
        what=teller.tongue.measure(measure),
        first=teller.short(names[0]),
        second=teller.short(names[1]),
        gap=_gap(teller, first, second, column),
        own=teller.tongue.number(value_of(first, column)),
        other=teller.tongue.number(value_of(second, column)),
    )
    seconds = [value_of(row, "seconds") for row in (first, second)]
    if all(seconds) and abs(seconds[0] - seconds[1]) > 1:
        # Totals over different durations are not comparable; rates on different pulls only roughly.
        pairs = zip((first, second), seconds, names, strict=True)
        rates = [(value_of(row, column) / time, time, name) for row, time, name in pairs]
        best = max(rates)
        told = (
            teller.say(
                "by_rate",
                first=teller.short(best[2]),
                what=teller.tongue.measure(measure),
                list=", ".join(
                    f"{teller.short(name)} {teller.tongue.number(round(rate))}/s"
                    f" ({teller.tongue.time(time)})"
                    for rate, time, name in sorted(rates, reverse=True)
                ),
            )
            + " "
            + told
        )
    return told


def apart(teller: Teller, names: Sequence[str], column: str) -> str:
    """State which abilities make the difference between two players."""
    sums: list[dict[str, float]] = [
        {str(row["name"]): value_of(row, column) for row in sheet.rows}
        for name in names
        for sheet in of_tool(teller, "get_tally")
        if sheet.returned.args.get("player_name") == name
    ]
    if len(sums) != len(names):
        return ""
    first, second = sums
    gaps = sorted({*first, *second}, key=lambda one: -abs(first.get(one, 0) - second.get(one, 0)))
    number = teller.tongue.number
    told = [f"{one} {number(first.get(one, 0))} / {number(second.get(one, 0))}" for one in gaps]
    return " " + teller.say("apart", list=teller.tongue.listed(told, APART))


def _victims(teller: Teller, named: str) -> Reply:
    """Describe whom an ability hit and whom most often; damage to pets is stated separately."""
    column = COLUMNS["taken"]
    out = teller.plan.question.left_out
    struck = [row for row in teller.rows if row.get("hits") or row.get("misses")]
    struck = [row for row in struck if teller.role(row["name"]) not in out] or struck
    people = [row for row in struck if row["name"] in teller.plan.people]
    pets = [row for row in struck if row not in people]
    if not struck:
        none = teller.say("ability_none", where=teller.where, ability=named)
        return Reply(" ".join([none, *what_hit(teller)]))
    rows, low = people or pets, _is_low(teller, column)
    counted = calling_words().struck.search(fold(teller.plan.question.text))
    often = bool(counted) or teller.shape != "most"
    hurt = sorted((row for row in rows if row.get("hits")), key=_hits, reverse=True) or rows
    if low or not often:
        hurt = sorted(hurt, key=lambda row: value_of(row, column), reverse=not low)
    most = max(rows, key=lambda row: value_of(row, column))
    parts, table = [_spared(teller, named, hurt)] if low else [], tuple[Row, ...]()
    first = hurt[0]
    if len(hurt) == 1 or low or teller.shape not in ("who", "most", "count"):
        names = [f"{teller.short(row['name'])} {amount_of(teller, row, column)}" for row in hurt]
        listed = ", ".join(names)
        parts.append(teller.say("struck", ability=named, list=listed, where=teller.where))
    else:
        given = {"name": teller.short(first["name"]), "value": amount_of(teller, first, column)}
        key = "struck_most" if often else "struck_hardest"
        parts.append(teller.say(key, ability=named, where=teller.where, **given))
        if value_of(most, column) > value_of(first, column):
            worst = {"name": teller.short(most["name"]), "value": amount_of(teller, most, column)}
            parts.append(teller.say("struck_worst", **worst))
        rest = [one for one in hurt if one not in (first, most)]
        names = [f"{teller.short(row['name'])} {amount_of(teller, row, column)}" for row in rest]
        table = tuple(hurt[: teller.listing]) if len(names) > LISTED else ()
        told = teller.tongue.listed(names, PAIR if table else LISTED)
        parts += [teller.say("struck_too", list=told)] if names else []
    hits = int(sum(map(_hits, rows)))
    total = sum(value_of(row, column) for row in rows)
    number = teller.tongue.number
    if people and len(hurt) > 1:
        whole: Row = {
            n: sum(value_of(row, n) for row in rows) for n in ("absorbed", "absorbed_hits")
        }
        hurting = hits - int(value_of(whole, "absorbed_hits"))
        each, worst_hit = total / max(hurting, 1), max(value_of(row, "biggest_hit") for row in rows)
        amounts = {"value": number(total), "each": number(round(each)), "most": number(worst_hit)}
        shields = f" ({', '.join(swallowed(teller, whole))})" if hurting < hits else ""
        parts.append(teller.say("struck_all", n=hits, **amounts).removesuffix(".") + f"{shields}.")
    if people and (sum_ := sum(value_of(row, column) for row in pets)):
        parts.append(teller.say("struck_pets", n=len(pets), value=number(sum_)))
    parts += [] if people else [teller.say("no_player_hit")]
    columns = ("name", column, "hits", "misses", "biggest_hit")
    text = " ".join(part for part in parts if part)
    return Reply(text, table, columns if table else (), about=(str(first["name"]),))


def everywhere(teller: Teller) -> Reply:
    """Say who led a sum on each pull, and whether that was always the one asked about."""
    column, number = COLUMNS[teller.plan.measure], teller.tongue.number
    each = {sheet.arg("fights"): sheet.rows for sheet in teller.sheets if sheet.rows}
    ranks = [(pull, each.get(str(pull.fight), ())) for pull in teller.pulls]
    ranks = [(pull, rows) for pull, rows in ranks if rows]
    who = next(iter(teller.players), "")
    if len(ranks) < 2 or len(teller.players) > 1:
        return tally(teller)
    led, told = list[str](), list[str]()
    for pull, rows in ranks:
        first, own = rows[0], next((row for row in rows if row["name"] == who), {})
        if who and first["name"] == who:
            led.append(pull.name)
            continue
        given = {"boss": pull.name, "first": teller.short(first["name"])}
        given |= {"value": number(value_of(first, column)), "name": teller.short(who)}
        rank = place_of(rows, own, column)
        amounts = {"own": number(value_of(own, column)), "rank": rank, "count": len(rows)}
        told.append(teller.say("ahead_one" if own else "ahead_only", **given, **amounts))
    what, all_ = teller.tongue.measure(teller.plan.measure), "; ".join(told)
    if not who:
        parts = [teller.say("first_each", what=what, list=all_)]
    else:
        answer = teller.say("no" if told else "yes")
        names = f" ({', '.join(led)})" if led and told else ""
        counts = {"n": len(led), "all": len(ranks), "list": names}
        parts = [answer + teller.say("first_on", name=teller.short(who), what=what, **counts)]
        parts += [teller.say("ahead_on", list=all_)] if told else []
    sums = [
        f"{place_of(teller.sheet.rows, row, column)}. {teller.short(row['name'])}"
        f" {number(value_of(row, column))}"
        for place, row in enumerate(teller.sheet.rows)
        if place < 2 or row["name"] == who
    ]
    parts.append(teller.say("in_all", list=", ".join(sums)))
    return Reply(" ".join(parts), about=(who,) if who else ())


def _hits(row: Row) -> float:
    return value_of(row, "hits")


def _spared(teller: Teller, named: str, hit: Sequence[Row]) -> str:
    """State who was not hit, if everybody of the night was present."""
    names = {row["name"] for row in hit}
    safe = [teller.short(one) for one in teller.plan.people if one not in names]
    there = all(pull.players >= len(teller.plan.people) for pull in teller.pulls)
    return teller.say("spared", ability=named, list=", ".join(safe)) if safe and there else ""


def _biggest(teller: Teller) -> Reply:
    """Describe the largest single hit, and the largest in the other direction."""
    told: list[str] = []
    about: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()
    other = "damage" if teller.plan.measure == "taken" else "taken"
    for own in (teller, *([teller.turned(other)] if teller.others else [])):
        rows = [row for row in own.rows if row.get("biggest_hit")]
        rows = [row for row in rows if not own.players or row["name"] in own.players] or (
            rows if own.plan.by != "player" else []
        )
        if not rows:
            continue
        top = max(rows, key=lambda row: value_of(row, "biggest_hit"))
        told.append(_hit(own, top))
        mine = "biggest_on" if own.plan.measure == "taken" else "biggest_from"
        about = about or (str(top[mine]),)
        abilities = abilities or (str(top["biggest_by"]),)
    if not told:
        return Reply(teller.none(teller.plan.measure))
    return Reply(" ".join(told), about=about, abilities=abilities)


def _hit(teller: Teller, row: Row) -> str:
    pull = teller.pull(row.get("best_fight"))
    several = len(teller.pulls) != 1
    return teller.say(
        {"damage": "biggest_done", "healing": "biggest_heal"}.get(teller.plan.measure, "biggest"),
        where=", ".join((teller.where, *map(teller.short, teller.players))),
        value=teller.tongue.number(value_of(row, "biggest_hit")),
        ability=row.get("biggest_by"),
        name=teller.short(row.get("biggest_on")),
        source=teller.short(row.get("biggest_from")),
        at=(f" – {teller.tongue.pull(pull)}" if several and pull else "")
        + (f", {teller.tongue.time(value_of(row, 'biggest_at'))}" if pull else ""),
    )
