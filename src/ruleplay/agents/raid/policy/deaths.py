"""Describes deaths: who, when and of what; counts; mass deaths; and false deaths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ruleplay.agents.raid.domain import french
from ruleplay.agents.raid.domain.overview import fold, words
from ruleplay.agents.raid.domain.persons import asks_average, calling_words
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy.teller import Reply, Teller, of_tool
from ruleplay.agents.raid.view.tables import ResultTable, value_of

FEW = 6
"""Up to this many deaths are listed individually beside the counts."""
SAME_MOMENT, MANY = 0.35, 4
"""Deaths within this many seconds form one event, if there are at least so many."""


WORSE = 1.5
"""How many times the killing blow an earlier hit has to be to be told first."""
PART = 0.25
"""Which part of the damage of the last seconds it has to be."""


def deaths(teller: Teller) -> Reply:
    """Describe who died, when and of what; over several pulls, how often and who first."""
    wide = of_tool(teller, "get_night_deaths")[1:]
    teller = replace(teller, sheets=[one for one in teller.sheets if one not in wide])
    rows = _meant(teller)
    extra = [
        teller.say("feigned", name=teller.short(row["feigned_by"]), clocks=_joined(row))
        for row in teller.rows
        if row.get("feigned_by") and row["feigned_by"] in (teller.players or [row["feigned_by"]])
    ]
    if teller.shape == "feigned":
        return _feigned(teller, rows, extra)
    if not rows or _are_between(teller, rows):
        return _nobody(teller, wide, rows, extra)
    if teller.shape == "first":
        return _first_deaths(teller, rows)
    unhurt = [n for n in teller.players if n not in {row["player"] for row in rows}]
    if unhurt and len(teller.players) > 1:
        alive = teller.names(unhurt)
        extra.append(teller.say("not_died", where=teller.where, name=alive))
    rows = [row for row in rows if not teller.players or row["player"] in teller.players]
    lead = _who_died(teller, rows)
    if teller.shape in ("why", "whatif") and len(rows) == 1 and rows[0].get("ability"):
        worn = _worn_down(teller, rows[0]) if not teller.players and teller.shape == "why" else ""
        killed = f"{lead} {worn}" if worn else _killed(teller, rows[0])
        lead = " ".join([*_hopeless(teller, rows[0]), killed])
    lives = bool(calling_words().lives.search(fold(teller.plan.question.text)))
    lead = teller.answered(lead, not lives, states=not teller.players)
    if asks_average(fold(teller.plan.question.text)):
        lead = f"{_average(teller, rows)} {lead}"
    if teller.shape in ("why", "whatif") or teller.players or len(teller.pulls) == 1:
        extra += [*_together(teller, rows)]
        if not any(row.get("ability") for row in rows):
            extra.append(teller.say("no_cause"))
        elif len(rows) > 8:
            extra.append(_causes(rows))
    extra += [*last_hits(teller)]
    killers = dict.fromkeys(str(row["ability"]) for row in rows if row.get("ability"))
    abilities = tuple(killers) if len(killers) == 1 else ()
    fight = rows[0].get("fight") if len(rows) == 1 else None
    found = fight if isinstance(fight, int) else None
    return Reply(" ".join([lead, *extra]), (), (), _most_dead(rows), abilities, found)


def _who_died(teller: Teller, rows: Sequence[Row]) -> str:
    """List the deaths, or count them by player if there are many or that is asked."""
    if teller.shape == "count" and not teller.players and len(rows) > FEW:
        counts = Counter(teller.short(row["player"]) for row in rows).most_common()
        told = teller.tongue.listed((f"{name} {n}" for name, n in counts), 8)
        return teller.say("deaths", where=teller.where, n=len(rows), list=told)
    counting = (
        not teller.players
        and teller.shape in ("count", "most", "least", "list")
        and len(teller.pulls) != 1
    )
    each = "; ".join(death_told(teller, row) for row in rows)
    if counting or len(rows) > 8:
        return _death_counts(teller, rows) + (f": {each}." if len(rows) <= FEW else "")
    return teller.say("deaths", where=teller.where, n=len(rows), list=each)


def _feigned(teller: Teller, rows: Sequence[Row], feigned: Sequence[str]) -> Reply:
    """Tell the feigned deaths first, then the real ones."""
    told = " ".join(feigned) or teller.say("nobody_feigned", where=teller.where)
    real = "; ".join(death_told(teller, row) for row in rows[:FEW])
    more = teller.say("deaths", where=teller.where, n=len(rows), list=real) if rows else ""
    return Reply(f"{told} {more or _none_died(teller)}", about=_most_dead(rows))


def _nobody(
    teller: Teller, wide: Sequence[ResultTable], rows: Sequence[Row], extra: Sequence[str]
) -> Reply:
    """State that nobody died in the pulls in question, and who died outside of them."""
    said = {*words(teller.plan.question.text)}
    between = [row for sheet in wide for row in sheet.rows if row.get("at") is None]
    named = [r for r in between if r.get("where") and str(r["where"]).split()[0] in said]
    if named and not rows:  # "how did I die on the trash after her" is about no pull
        listed = "; ".join(death_told(teller, row) for row in named)
        return Reply(teller.say("listed", list=listed), about=_most_dead(named))
    told = [*_elsewhere(teller, [*wide, *teller.sheets])]
    return Reply(" ".join([_none_died(teller), *told, *extra]), about=_most_dead(rows))


NEAR = 35.0
"""Percent of health below which a player nearly died."""


def near_deaths(teller: Teller) -> Reply:
    """Name whose health got lowest and whether that was close to death."""
    rows = [row for row in teller.rows if not teller.players or row["player"] in teller.players]
    only = teller.plan.question.only
    rows = [row for row in rows if teller.role(row["player"]) in only] or rows
    if not rows:
        return Reply(teller.say("no_health_known", where=teller.where))
    died = [row for row in rows if row.get("died")]
    lived = [row for row in rows if row not in died]
    lead = [_low(teller, row) for row in (lived or died)[:1]]
    near = [row for row in lived if value_of(row, "lowest_health_percent") <= NEAR]
    text = teller.answered(" ".join(lead), bool(near or died))
    others = [_low(teller, row) for row in lived[1:] if not (teller.players or only)][: FEW - 1]
    parts = [teller.say("low", list=text, where=teller.where)]
    parts += [teller.say("low_too", list="; ".join(others))] if others else []
    names = ", ".join(dict.fromkeys(teller.short(row["player"]) for row in died))
    parts += [teller.say("low_died", name=names)] if died else []
    first = (lived or died)[0]
    fight = first["fight"] if isinstance(first.get("fight"), int) else None
    found = fight if isinstance(fight, int) and len(teller.plan.fights) == 1 else None
    return Reply(" ".join(parts), about=(str(first["player"]),), fight=found)


def _low(teller: Teller, row: Row) -> str:
    """Describe how low a player's health got, when, and after which hit."""
    pull = teller.pull(row.get("fight")) if len(teller.pulls) != 1 else None
    at = teller.tongue.time(value_of(row, "at"))
    return teller.say(
        "lowest",
        name=teller.short(row["player"]),
        value=teller.tongue.percent(value_of(row, "lowest_health_percent")),
        at=f"{at} ({pull.name}, pull {pull.fight})" if pull else at,
        ability=row["ability"],
        source=row["source"],
        amount=teller.tongue.number(value_of(row, "amount")),
    )


def _killed(teller: Teller, row: Row) -> str:
    """Describe the killing blow; asked whether it was survivable, what that would have taken."""
    over, number = value_of(row, "overkill"), teller.tongue.number
    pull = teller.pull(row.get("fight"))
    key = "survive" if teller.shape == "whatif" and over > 0 else "killed_by"
    told = _worn_down(teller, row) if key == "killed_by" else ""
    died = teller.say(
        key,
        name=teller.short(row["player"]),
        ability=row["ability"],
        killer=row.get("killer"),
        amount=number(value_of(row, "amount")),
        left=number(value_of(row, "amount") - over),
        over=number(over),
        at=teller.tongue.time(value_of(row, "at")),
        where=teller.tongue.pull(pull) if pull else teller.where,
    )
    return f"{told} {teller.say('then')} {died}" if told else died


def _worn_down(teller: Teller, row: Row) -> str:
    """Name the biggest hit of the last seconds if the killing blow only finished what it began."""
    found = (one for one in teller.rows if one.get("last_hits") and one["player"] == row["player"])
    hit = next((one for one in found if one.get("clock") == row.get("clock")), {})
    biggest, number = value_of(hit, "biggest_hit"), teller.tongue.number
    least = max(WORSE * value_of(row, "amount"), PART * value_of(hit, "damage_taken"), 1)
    if biggest < least:
        return ""
    return teller.say(
        "worn_down",
        ability=hit["biggest_ability"],
        source=hit["biggest_from"],
        amount=number(biggest),
        gap=teller.tongue.time(round(value_of(row, "at") - value_of(hit, "biggest_at"), 1)),
        sum=number(value_of(hit, "damage_taken")),
        window=teller.tongue.time(value_of(hit, "window_seconds")),
        healing=number(value_of(hit, "healing")),
    )


def _hopeless(teller: Teller, row: Row) -> Iterator[str]:
    """Yield that no heal could have helped, if the blow exceeded the player's full health."""
    hit = next((one for one in teller.rows if one.get("health_percent")), {})
    amount, over = value_of(row, "amount"), value_of(row, "overkill")
    # Full health is estimated from the last hit's logged health before the blow.
    full = 100 * (amount - over) / (value_of(hit, "health_percent") or 100)
    if teller.shape == "whatif" and hit and 0 < 1.01 * full < amount:
        yield teller.say("hopeless", full=teller.tongue.number(float(round(full, -2))))


def _none_died(teller: Teller) -> str:
    """State that nobody died, or none of those named; mention creatures that did."""
    names = teller.names(teller.players)
    key = "not_died" if names else "nobody_died"
    lives = bool(calling_words().lives.search(fold(teller.plan.question.text)))
    told = teller.answered(teller.say(key, where=teller.where, name=names), lives, states=True)
    creatures = [f"{r['creature']} {r['count']}" for r in teller.rows if r.get("creature")]
    if creatures and not names and teller.plan.heard.measure == "deaths":
        told += f" {teller.say('creatures', list=', '.join(creatures))}"
    return told


def _are_between(teller: Teller, rows: Sequence[Row]) -> bool:
    """Whether all deaths of a night happened between its pulls."""
    several = len(teller.pulls) > 1 and teller.shape != "first"
    return several and all(row.get("at") is None for row in rows)


def _elsewhere(teller: Teller, wide: Sequence[ResultTable]) -> Iterator[str]:
    """Yield deaths of the whole night if there were none in the pulls in question."""
    rows = [row for sheet in wide for row in sheet.rows if row.get("where")]
    rows = [row for row in rows if _is_meant(teller, row["player"])]
    if rows:
        told = "; ".join(death_told(teller, row) for row in rows[:FEW])
        yield teller.say("died_elsewhere", list=told)


def _average(teller: Teller, rows: Sequence[Row]) -> str:
    """State the average number of deaths per pull."""
    count = max(len(teller.pulls), 1)
    mean = teller.tongue.number(round(len(rows) / count, 1))
    return teller.say("average", value=mean, total=len(rows), n=count, of=teller.say("of_pulls"))


def _is_meant(teller: Teller, player: object) -> bool:
    only = teller.plan.question.only
    named = player in (teller.players or (player,)) and not teller.is_other_side(player)
    return named and (not only or teller.role(player) in only)


def _most_dead(rows: Sequence[Row]) -> tuple[str, ...]:
    names = [str(row["player"]) for row in rows]
    return (max(dict.fromkeys(names), key=names.count),) if names else ()


def last_hits(teller: Teller) -> Iterator[str]:
    """Yield the hits preceding the deaths, if they were looked up."""
    found = [row for row in teller.rows if row.get("last_hits")]
    for row in found[:2]:
        hits = row["last_hits"]
        if isinstance(hits, list):
            name = f"{teller.short(row['player'])}: " if len(found) > 1 else ""
            yield teller.say("last_hits", list=name + "; ".join(map(str, hits[-6:])))


def _joined(row: Row) -> str:
    clocks = row.get("clocks")
    return ", ".join(map(str, clocks)) if isinstance(clocks, list) else ""


def _causes(rows: Sequence[Row]) -> str:
    counts = Counter(str(row["ability"]) for row in rows if row.get("ability"))
    return ", ".join(f"{name} {count}" for name, count in counts.most_common(5)) + "."


def _place(teller: Teller, row: Row) -> str:
    where = str(row["where"])
    return french.sentence(where) if teller.tongue.language == "fr" else where


def death_told(teller: Teller, row: Row) -> str:
    """Describe a death: who, when, of what."""
    of = ""
    if row.get("ability"):
        amount = teller.tongue.number(value_of(row, "amount"))
        of = teller.say("died_of", ability=row["ability"], killer=row.get("killer"), amount=amount)
    if row.get("revived_by"):
        of += f" ({teller.say('revived', by=row['revived_by'])})"
    name = teller.short(row["player"])
    if row.get("at") is None:
        return teller.say(
            "died_outside", name=name, clock=row.get("clock"), place=_place(teller, row), of=of
        )
    at = teller.tongue.time(value_of(row, "at"))
    elsewhere = row.get("fight") not in teller.plan.fights
    if elsewhere or len(teller.pulls) != 1:
        place = str(row["where"]).partition(" (" if elsewhere else ", pull")[0]
        at = f"{at} ({place}, {row.get('clock')})"
    return teller.say("died_at", name=name, at=at, of=of)


def _death_counts(teller: Teller, rows: Sequence[Row]) -> str:
    by_boss = teller.shape == "which" and len(teller.pulls) != 1
    bosses = (str(row["where"]).partition(", pull")[0] for row in rows)
    people = (teller.short(row["player"]) for row in rows)
    ranked = Counter(bosses if by_boss else people).most_common()
    told = teller.tongue.listed(
        (f"{name} {count}" for name, count in ranked), 8 if len(ranked) < 12 else 6
    )
    outside = any(row.get("at") is None for row in rows)
    where = teller.say("and_between", where=teller.where) if outside else teller.where
    lead = teller.say("counts_boss" if by_boss else "counts", where=where, list=told)
    begun = death_told(teller, rows[0]) if len(teller.pulls) == 1 else ""
    if teller.players:
        return lead
    return f"{lead} ({len(rows)}; 1. {begun})" if begun else f"{lead} ({len(rows)})"


def _first_deaths(teller: Teller, rows: Sequence[Row]) -> Reply:
    first = [row for row in rows if row.get("first_of_pull")]
    if len(teller.pulls) == 1 or not first:  # no deaths in pulls: use those between them
        told = death_told(teller, rows[0])
        text = teller.say("first_counts", where=teller.where, list=told)
        return Reply(text, about=(str(rows[0]["player"]),))
    counts = Counter(teller.short(row["player"]) for row in first)
    told = teller.tongue.listed(f"{name} {count}" for name, count in counts.most_common())
    text = teller.say("first_counts", where=teller.where, list=told)
    return Reply(text, about=_most_dead(first))


def _meant(teller: Teller) -> list[Row]:
    """Select the deaths asked about."""
    rows = [row for row in teller.rows if row.get("where") and _is_meant(teller, row["player"])]
    later = calling_words().afterwards.search(fold(teller.plan.question.text))
    return _after_the_first(rows) if later else rows


def _after_the_first(rows: Sequence[Row]) -> list[Row]:
    """Leave out a group that died at once and who died before, or else the first death."""
    group = _at_once(rows) or list(rows[:1])
    since = max((value_of(row, "at") for row in group), default=0)
    return [row for row in rows if value_of(row, "at") > since] or list(rows)


def _at_once(rows: Sequence[Row]) -> list[Row]:
    """Find the largest group of simultaneous deaths of one pull; empty if none is large."""
    timed = [row for row in rows if row.get("at") is not None]
    best: list[Row] = []
    for row in timed:
        near = [o for o in timed if 0 <= value_of(o, "at") - value_of(row, "at") <= SAME_MOMENT]
        best = max(best, near, key=len)
    return best if len(best) >= MANY else []


def _together(teller: Teller, rows: Sequence[Row]) -> Iterator[str]:
    """Yield the largest group of simultaneous deaths."""
    if best := _at_once(rows):
        names = [teller.short(row["player"]) for row in best]
        at = teller.tongue.time(value_of(best[0], "at"))
        yield teller.say("together", n=len(best), at=at, list=teller.tongue.listed(names, 10))
