"""Describes deaths: who, when and of what; counts; mass deaths; and false deaths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from ruleplay.agents.raid.domain import french
from ruleplay.agents.raid.domain.overview import ENEMY, fold, words
from ruleplay.agents.raid.domain.persons import (
    asks_average,
    asks_of_pets,
    calling_words,
    roles_of,
    side_killed,
)
from ruleplay.agents.raid.domain.subjects import pull_words
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy.rows import ALL, HIT
from ruleplay.agents.raid.policy.teller import Reply, Teller, of_tool
from ruleplay.agents.raid.view.tables import ResultTable, value_of

FEW = 6
"""Up to this many deaths are listed individually beside the counts."""
EACH = 3
"""Number of first deaths up to which each is told."""
MOST = 12
"""Number of names from which only so few are listed."""
SAME_MOMENT, MANY = 0.35, 4
"""Deaths within this many seconds form one event, if there are at least so many."""


SEVERAL = 3
"""Number of deaths from which who died most often is counted."""
BLOWS = 6
"""Number of a death's last hits that are listed."""
WORSE = 1.5
"""How many times the killing blow an earlier hit has to be to be told first."""
PART = 0.25
"""Which part of the damage of the last seconds it has to be."""


def deaths(teller: Teller) -> Reply:
    """Describe who died, when and of what; over several pulls, how often and who first."""
    wide = of_tool(teller, "get_night_deaths")[1:]
    teller = replace(teller, sheets=[one for one in teller.sheets if one not in wide])
    rows = _meant(teller)
    extra = _feigns(teller, teller.sheets)
    if teller.shape == "feigned":
        return _feigned(teller, rows, extra)
    if not rows or _are_between(teller, rows):
        return _nobody(teller, wide, extra or _feigns(teller, wide))
    return (
        _first_deaths(teller, rows) if teller.shape == "first" else _all_deaths(teller, rows, extra)
    )


def _all_deaths(teller: Teller, rows: list[Row], extra: list[str]) -> Reply:
    """Tell the deaths asked about, and what led to them if few are or it is asked why."""
    rows = [row for row in rows if row["player"] not in teller.plan.told]
    if not rows:
        return _nobody_else(teller)
    unhurt = [n for n in teller.players if n not in {row["player"] for row in rows}]
    if unhurt and len(teller.players) > 1:
        alive = teller.names(unhurt)
        extra.append(teller.say("not_died", where=teller.where, name=alive))
    rows = [row for row in rows if not teller.players or row["player"] in teller.players]
    rows = _of_that_time(teller, rows)
    lead = _alone(teller, rows[0]) if len(rows) == 1 else _who_died(teller, rows)
    lives = bool(calling_words().lives.search(fold(teller.plan.question.text)))
    feigned = bool(extra) and _names_feign(teller, rows)
    lead = teller.answered(lead, not (lives or feigned), states=not teller.players)
    if asks_average(fold(teller.plan.question.text)):
        lead = f"{_average(teller, rows)} {lead}"
    if teller.shape in ("why", "whatif") or teller.players or len(teller.pulls) == 1:
        extra += [*_together(teller, rows)]
        if not any(row.get("ability") for row in rows):
            extra.append(teller.say("no_cause"))
        elif len(rows) > 8:
            extra.append(_causes(teller, rows))
    if teller.shape != "who":
        extra += last_hits(teller, [row.get("clock") for row in rows])
    killers = dict.fromkeys(str(row["ability"]) for row in rows if row.get("ability"))
    abilities = tuple(killers) if len(killers) == 1 else ()
    fight = rows[0].get("fight") if len(rows) == 1 else None
    found = fight if isinstance(fight, int) else None
    return Reply(" ".join([lead, *extra]), (), (), _most_dead(rows), abilities, found)


def _nobody_else(teller: Teller) -> Reply:
    """Deny that anybody died beside whom the answer before told of."""
    rows = _meant(teller)
    listed = "; ".join(death_told(teller, row) for row in rows[:FEW])
    told = teller.say("nobody_else", where=teller.where, list=listed)
    return Reply(teller.answered(told, False), about=_most_dead(rows))


def _feigns(teller: Teller, sheets: Sequence[ResultTable]) -> list[str]:
    """Tell the feigned deaths of those asked about."""
    rows = [row for sheet in sheets for row in sheet.rows if row.get("feigned_by")]
    rows = [row for row in rows if row["feigned_by"] in (teller.players or [row["feigned_by"]])]
    return [
        teller.say("feigned", name=teller.short(row["feigned_by"]), clocks=_joined(row))
        for row in rows
    ]


def _of_that_time(teller: Teller, rows: list[Row]) -> list[Row]:
    """Pick the death that a question counts: "what got Oda the third time"."""
    said, places = words(teller.plan.question.text), pull_words().places
    at = next((places[one] for one in said if one in places), 0)
    counted = len(teller.players) == 1 == len(teller.pulls) and 0 < at <= len(rows)
    return [rows[at - 1]] if counted else rows


def _names_feign(teller: Teller, rows: Sequence[Row]) -> bool:
    """Whether a question names the time of a feigned death: "didn't he die at :36 already"."""
    said = {one for one in words(teller.plan.question.text) if one.isdecimal()}
    false = {part for row in teller.rows for part in re.split(r"\W+", _joined(row))}
    real = {part for row in rows for part in re.split(r"\W+", str(row.get("clock")))}
    return bool(said & (false - real))


def _alone(teller: Teller, row: Row) -> str:
    """Tell the only death; asked why, with its killing blow."""
    untold = row.get("at") is None or not row.get("ability")
    if teller.shape not in ("why", "whatif") or untold:
        return _who_died(teller, [row]) + _worn_down(teller, row)
    told = " ".join([*_hopeless(teller, row), killed(teller, row)])
    only = not (teller.players or teller.plan.heard.follows) and teller.shape == "why"
    return teller.say("only_death", name=teller.short(row["player"])) + told if only else told


def _who_died(teller: Teller, rows: Sequence[Row]) -> str:
    """List the deaths, or count them by player if there are many or that is asked."""
    again = len({row["player"] for row in rows}) < len(rows)
    ranked = again and len(rows) > SEVERAL and teller.shape in ("most", "least")
    counting = not teller.players and (
        ranked or (teller.shape in ("count", "most", "least", "list") and len(teller.pulls) != 1)
    )
    each = "; ".join(death_told(teller, row) for row in rows)
    if counting or len(rows) > 8:
        few = f" {teller.say('listed', list=each)}" if len(rows) <= FEW else ""
        return _death_counts(teller, rows) + few
    between = any(row.get("fight") is None for row in rows) and len(teller.pulls) > 1
    where = teller.say("and_between", where=teller.where) if between else teller.where
    return teller.say("deaths", where=where, n=len(rows), list=each)


def _feigned(teller: Teller, rows: Sequence[Row], feigned: Sequence[str]) -> Reply:
    """Tell the feigned deaths first, then the real ones."""
    told = " ".join(feigned) or teller.say("nobody_feigned", where=teller.where)
    real = "; ".join(death_told(teller, row) for row in rows[:FEW])
    more = teller.say("deaths", where=teller.where, n=len(rows), list=real) if rows else ""
    return Reply(f"{told} {more or _none_died(teller)}", about=_most_dead(rows))


def _nobody(teller: Teller, wide: Sequence[ResultTable], extra: Sequence[str]) -> Reply:
    """State that nobody died in the pulls in question, and who died outside of them."""
    said = {*words(teller.plan.question.text)}
    between = [row for sheet in wide for row in sheet.rows if row.get("at") is None]
    named = [r for r in between if r.get("where") and str(r["where"]).split()[0] in said]
    if named:  # "how did I die on the trash after her" is about no pull
        listed = "; ".join(death_told(teller, row) for row in named)
        return Reply(teller.say("listed", list=listed), about=_most_dead(named))
    elsewhere, question = [*_elsewhere(teller, [*wide, *teller.sheets])], teller.plan.question
    named_pull = question.bosses or question.fights or question.subject.fights or question.kind
    if elsewhere and teller.players and not named_pull:
        # "And did Oda really die" goes on about a pull only by the way.
        listed = elsewhere[0].partition(": ")[2].rstrip(".")
        text = teller.say("died_but", list=listed, where=teller.where)
        return Reply(" ".join([text, *extra]), about=teller.players)
    told = [*elsewhere, *_saves(teller)]
    return Reply(" ".join([_none_died(teller), *told, *extra]))


NEAR = 35.0
"""Percent of health below which a player nearly died."""


def near_deaths(teller: Teller) -> Reply:
    """Name whose health got lowest and whether that was close to death."""
    known = [row for row in teller.rows if "lowest_health_percent" in row]
    rows = [row for row in known if not teller.players or row["player"] in teller.players]
    question = teller.plan.question
    roles = question.only or roles_of(fold(question.text))
    meant = [row for row in rows if teller.role(row["player"]) in roles]
    rows, one = meant or rows, bool(teller.players or meant)
    if not rows:
        return Reply(teller.say("no_health_known", where=teller.where))
    died = [row for row in rows if row.get("died")]
    lived = [row for row in rows if row not in died]
    near = [row for row in lived if value_of(row, "lowest_health_percent") <= NEAR]
    parts = _near(teller, lived, near) if lived and not one else [_lowest(teller, lived or died)]
    names = ", ".join(dict.fromkeys(teller.short(row["player"]) for row in died))
    parts += [teller.say("low_died", name=names)] if died else []
    first = (lived or died)[0]
    fight = first["fight"] if isinstance(first.get("fight"), int) else None
    found = fight if isinstance(fight, int) and len(teller.plan.fights) == 1 else None
    parts += _saves(teller)
    return Reply(" ".join(parts), about=(str(first["player"]),), fight=found)


def _lowest(teller: Teller, rows: Sequence[Row]) -> str:
    """Tell the lowest health of those asked about, and on a yes-or-no question if it was near."""
    low = value_of(rows[0], "lowest_health_percent") <= NEAR or bool(rows[0].get("died"))
    text = teller.answered(_low(teller, rows[0]), low)
    return teller.say("low", list=text, where=teller.where)


def _near(teller: Teller, lived: Sequence[Row], near: Sequence[Row]) -> list[str]:
    """Tell who of the raid came close to death and lived, and who was the next lowest."""
    told = "; ".join(_low(teller, row) for row in (near or lived)[:FEW])
    only = len(near) == 1 and len(lived) > 1
    key = "near_one" if only else "near_n" if near else "near_none"
    text = teller.say(key, n=len(near), list=told, where=teller.where)
    # What a tank survives is no sign that people were nearly lost.
    others = [row for row in near if teller.role(row["player"]) != "tank"]
    parts = [text if near and not others else teller.answered(text, bool(near))]
    after = lived[len(near) : len(near) + 1] if near else []
    return parts + [teller.say("low_too", list=_low(teller, row)) for row in after]


def _low(teller: Teller, row: Row) -> str:
    """Describe how low a player's health got, when, and after which hit."""
    pull = teller.pull(row.get("fight")) if len(teller.pulls) != 1 else None
    at = teller.tongue.time(value_of(row, "at"))
    at = at if teller.night.pulls else str(row.get("clock") or at)
    return teller.say(
        "lowest",
        name=teller.short(row["player"]),
        value=teller.tongue.percent(value_of(row, "lowest_health_percent")),
        at=f"{at} ({pull.name}, pull {pull.fight})" if pull else at,
        ability=row["ability"],
        source=row["source"],
        amount=teller.tongue.number(value_of(row, "amount")),
    )


def killed(teller: Teller, row: Row) -> str:
    """Describe the killing blow; asked whether it was survivable, what that would have taken."""
    over, number = value_of(row, "overkill"), teller.tongue.number
    pull = teller.pull(row.get("fight"))
    key = "survive" if teller.shape == "whatif" and over > 0 else "killed_by"
    told = teller.say(
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
    return told + _worn_down(teller, row)


def _worn_down(teller: Teller, row: Row) -> str:
    """Tell what a killing blow only finished: a bigger hit before it, or many of one ability."""
    found = (one for one in teller.rows if one.get("last_hits") and one["player"] == row["player"])
    hit = next((one for one in found if one.get("clock") == row.get("clock")), {})
    number, time = teller.tongue.number, teller.tongue.time
    taken, biggest = value_of(hit, "damage_taken"), value_of(hit, "biggest_hit")
    given = {
        "sum": number(taken),
        "healing": number(value_of(hit, "healing")),
        "window": time(value_of(hit, "window_seconds")),
    }
    least = max(WORSE * value_of(row, "amount"), PART * taken, 1)
    if biggest >= least:
        at = round(value_of(row, "at") - value_of(hit, "biggest_at"), 1)
        given |= {"amount": number(biggest), "gap": time(at)}
        return teller.say(
            "worn_down", ability=hit["biggest_ability"], source=hit["biggest_from"], **given
        )
    blows: dict[tuple[str, str], list[int]] = {}
    for name, amount in _blows(hit):
        blows.setdefault(name, []).append(amount)
    (ability, source), own = max(blows.items(), key=lambda one: sum(one[1]), default=(("", ""), []))
    if len(own) > 1 and sum(own) >= least:
        given |= {"amount": number(sum(own)), "n": str(len(own))}
        return teller.say("worn_by", ability=ability, source=source, **given)
    return teller.say("in_window", **given) if taken and teller.shape == "whatif" else ""


def _blows(row: Row) -> Iterator[tuple[tuple[str, str], int]]:
    """Yield ability, source and amount of each of a death's last hits."""
    told = row.get("last_hits")
    for one in told if isinstance(told, list) else ():
        found = HIT.fullmatch(str(one))
        if found and found[4] == "-":
            yield (found[3], found[2]), int(found[5])


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
    side = side_killed(fold(teller.plan.question.text))
    key = "not_died" if names else f"none_of_{side}_died" if side else "nobody_died"
    lives = bool(calling_words().lives.search(fold(teller.plan.question.text)))
    told = teller.say(key, where=teller.where, name=names)
    if teller.plan.form != "story":  # "was it clean" is not denied by "nobody died"
        told = teller.answered(told, lives, states=True)
    creatures = [f"{r['creature']} {r['count']}" for r in teller.rows if r.get("creature")]
    if creatures and not names and asks_of_pets(teller.plan.question.text):
        told += f" {teller.say('creatures', list=', '.join(creatures))}"
    return told


def _are_between(teller: Teller, rows: Sequence[Row]) -> bool:
    """Whether deaths on bosses are asked about, and all were between the pulls."""
    said = words(teller.plan.question.text)
    of_bosses = any(word in ("boss", "bosses") for word in said) and teller.shape != "first"
    return of_bosses and len(teller.pulls) > 1 and all(row.get("at") is None for row in rows)


def _saves(teller: Teller) -> Iterator[str]:
    """Yield the blows that would have killed, had a talent or cooldown not taken them."""
    rows = [row for one in of_tool(teller, "get_lowest_health") for row in one.rows]
    for row in rows:
        if row.get("saved_by") and row["player"] in (teller.players or (row["player"],)):
            yield teller.say(
                "saved",
                name=teller.short(row["player"]),
                by=row["saved_by"],
                at=teller.tongue.time(value_of(row, "at")),
                ability=row["ability"],
                source=row["source"],
                amount=teller.tongue.number(value_of(row, "absorbed")),
            )


def _elsewhere(teller: Teller, wide: Sequence[ResultTable]) -> Iterator[str]:
    """Yield deaths of the whole night if there were none in the pulls in question."""
    rows = [row for sheet in wide for row in sheet.rows if row.get("where")]
    rows = [row for row in rows if _is_meant(teller, row)]
    if rows:
        told = dict.fromkeys(death_told(teller, row) for row in rows)
        yield teller.say("died_elsewhere", list="; ".join([*told][:FEW]))


def _average(teller: Teller, rows: Sequence[Row]) -> str:
    """State the average number of deaths per pull."""
    count = max(len(teller.pulls), 1)
    mean = teller.tongue.number(round(len(rows) / count, 1))
    return teller.say("average", value=mean, total=len(rows), n=count, of=teller.say("of_pulls"))


def _is_meant(teller: Teller, row: Row) -> bool:
    only, player = teller.plan.question.only, row["player"]
    named = player in (teller.players or (player,)) and not teller.is_other_side(player, row)
    return named and (not only or teller.role(player) in only)


def _most_dead(rows: Sequence[Row]) -> tuple[str, ...]:
    names = [str(row["player"]) for row in rows]
    return (max(dict.fromkeys(names), key=names.count),) if names else ()


def last_hits(teller: Teller, clocks: Collection[object] = ()) -> Iterator[str]:
    """Yield the hits preceding the deaths, or those at these times, if they were looked up."""
    found = [row for row in teller.rows if row.get("last_hits")]
    found = [row for row in found if row.get("clock") in clocks] if clocks else found
    for row in found[:2]:
        hits = row["last_hits"]
        if isinstance(hits, list):
            name = f"{teller.short(row['player'])}: " if len(found) > 1 else ""
            told = (_blow(teller, str(hit)) for hit in hits[-BLOWS:])
            yield teller.say("last_hits", list=name + "; ".join(told))


def _blow(teller: Teller, told: str) -> str:
    """Put a line of a death's last hits into words: `-3.0 s Source: Ability -1195`."""
    found = HIT.fullmatch(told)
    if not found:
        return told
    gap, source, ability, sign, amount = found.groups()
    number = teller.tongue.number(int(amount))
    given = {"source": source, "ability": ability, "amount": number}
    last = not float(gap) and sign == "-"
    key = "blow_heal" if sign == "+" else "blow_end" if last else "blow"
    return teller.say(key, gap=teller.tongue.time(abs(float(gap))), **given)


def _joined(row: Row) -> str:
    clocks = row.get("clocks")
    return ", ".join(map(str, clocks)) if isinstance(clocks, list) else ""


def _causes(teller: Teller, rows: Sequence[Row]) -> str:
    counts = Counter(str(row["ability"]) for row in rows if row.get("ability"))
    return teller.say("killers", list=", ".join(f"{one} {n}" for one, n in counts.most_common(5)))


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
    foe = row.get("side") == ENEMY and not (teller.side or teller.players)
    name = teller.say("an_enemy", name=name) if foe else name
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


@dataclass(frozen=True)
class Counts:
    """Deaths in all, outside the pulls, by player, by boss, and first deaths by player."""

    n: int
    outside: int
    people: Counter[str]
    bosses: Counter[str]
    first: Counter[str]


def counts_of(teller: Teller, rows: Sequence[Row]) -> Counts:
    """Count deaths; of very many by the result's own counts, as it does not keep all rows."""
    told = [row for row in teller.rows if row.get("deaths") is not None and "where" not in row]
    whole = next((row for row in told if row.get("player") == ALL), None)
    only = teller.plan.question.only
    if whole is None or teller.players or only:
        people = Counter(str(row["player"]) for row in rows)
        return Counts(
            len(rows),
            sum(row.get("fight") is None for row in rows),
            people,
            Counter(str(row["where"]).partition(", pull")[0] for row in rows),
            Counter(str(row["player"]) for row in rows if row.get("first_of_pull")),
        )
    by_player = [row for row in told if row.get("player") not in (ALL, None)]
    return Counts(
        int(value_of(whole, "deaths")),
        int(value_of(whole, "outside")),
        Counter({str(row["player"]): int(value_of(row, "deaths")) for row in by_player}),
        Counter(
            {str(r["encounter"]): int(value_of(r, "deaths")) for r in told if r.get("encounter")}
        ),
        +Counter({str(row["player"]): int(value_of(row, "first_deaths")) for row in by_player}),
    )


def most_dead(teller: Teller, counts: Counts, of: Counter[str]) -> str:
    """List deaths by player or boss, most first; of very many, not everybody is known."""
    most = FEW + 2 if len(of) < MOST else FEW
    named = (f"{teller.short(name)} {n}" for name, n in of.most_common())
    if of.total() == counts.n:
        return teller.tongue.listed(named, most)
    return ", ".join(list(named)[:most]) + teller.say("and_others")


def _death_counts(teller: Teller, rows: Sequence[Row]) -> str:
    by_boss = teller.shape == "which" and len(teller.pulls) != 1
    counts = counts_of(teller, rows)
    told = most_dead(teller, counts, counts.bosses if by_boss else counts.people)
    where = teller.say("and_between", where=teller.where) if counts.outside else teller.where
    key = "counts_boss" if by_boss else "counts"
    lead = teller.say(key, n=counts.n, where=where, list=told)
    if teller.players or len(teller.pulls) != 1:
        return lead
    return f"{lead} {teller.say('counts_first', first=death_told(teller, rows[0]))}"


def _first_deaths(teller: Teller, rows: Sequence[Row]) -> Reply:
    first = [row for row in rows if row.get("first_of_pull")]
    if teller.players and len(teller.pulls) > 1:
        return _first_of_each(teller)
    if len(teller.pulls) == 1 or not first:  # no deaths in pulls: use those between them
        told = death_told(teller, rows[0])
        text = teller.say("first_counts", where=teller.where, list=told)
        return Reply(text, about=(str(rows[0]["player"]),))
    if len(first) <= EACH:
        told = "; ".join(death_told(teller, row) for row in first)
        text = teller.say("first_counts", where=teller.where, list=told)
        return Reply(text, about=_most_dead(first))
    counts = counts_of(teller, rows).first.most_common()
    told = teller.tongue.listed(f"{teller.short(name)} {count}" for name, count in counts)
    text = teller.say("first_counts", where=teller.where, list=told)
    return Reply(text, about=tuple(name for name, _ in counts[:1]))


def _first_of_each(teller: Teller) -> Reply:
    """Tell on how many pulls somebody named was the first to die, and who was on which."""
    first = [row for row in teller.rows if row.get("where") and row.get("first_of_pull")]
    own = [row for row in first if row["player"] in teller.players]
    told = teller.tongue.listed((death_told(teller, row) for row in first), BLOWS)
    given = {"name": teller.names(teller.players), "n": len(own), "all": len(first), "list": told}
    return Reply(teller.say("first_to_die_on", **given), about=teller.players)


def _meant(teller: Teller) -> list[Row]:
    """Select the deaths asked about."""
    rows = [row for row in teller.rows if row.get("where") and _is_meant(teller, row)]
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
