"""The one general answer: a measure, asked in a shape, of the players, abilities and pulls meant.

The asked number comes first, in the question's language; rows follow as a short table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from ruleplay.agents.raid.domain.outcomes import NO_BLOWS, Row
from ruleplay.agents.raid.domain.overview import Night, Pull, fold, short_name
from ruleplay.agents.raid.domain.persons import calling_words
from ruleplay.agents.raid.policy.plan import Plan
from ruleplay.agents.raid.policy.sentences import Tongue, asked_number
from ruleplay.agents.raid.view.tables import Sheet

COLUMNS = {
    "damage": "total_damage",
    "healing": "healing",
    "overheal": "overheal",
    "absorbs": "absorbs",
    "taken": "damage_taken",
    "interrupts": "interrupts",
    "dispels": "dispels",
    "kills": "killing_blows",
    "casts": "casts",
}
RATES = {"total_damage": "dps", "healing": "hps"}
TABLE = 8
SAME_MOMENT, MANY = 0.35, 4
"""Seconds within which deaths are one event, and how many make it one."""
OVERLAP = 10.0
"""Seconds between two cooldowns that overlap."""
CHANNEL = 2.5
"""Seconds between lines of one cast that goes on."""
NEAR = 600
"""Seconds that the debuff of Bloodlust lasts."""


@dataclass(frozen=True)
class Reply:
    """What is said, and the rows that go below it with their columns."""

    text: str
    rows: tuple[Row, ...] = ()
    columns: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    """Whom the next question may mean by a pronoun."""


@dataclass(frozen=True)
class Teller:
    """Everything that a reply is made from."""

    plan: Plan
    night: Night
    sheets: Sequence[Sheet]

    @property
    def tongue(self) -> Tongue:
        """The language of the question."""
        return Tongue(self.plan.heard.language)

    @property
    def sheet(self) -> Sheet:
        """The first result."""
        return self.sheets[0]

    @property
    def rows(self) -> list[Row]:
        """The rows of all results."""
        return [row for sheet in self.sheets for row in sheet.rows]

    @property
    def shape(self) -> str:
        """How it was asked."""
        return self.plan.heard.shape

    @property
    def players(self) -> tuple[str, ...]:
        """Who was named."""
        return self.plan.question.players

    @property
    def pulls(self) -> list[Pull]:
        """The pulls that are meant."""
        return [pull for pull in self.night.pulls if pull.fight in self.plan.fights]

    @property
    def where(self) -> str:
        """The pulls in words."""
        return self.tongue.where(self.pulls, self.night)

    def say(self, key: str, **given: object) -> str:
        """Return a sentence in the question's language."""
        return self.tongue.say(key, **given)

    def short(self, name: object) -> str:
        """Return a player's name without the realm, any other name as it is."""
        known = str(name) in self.plan.people or str(name) in self.players
        return short_name(str(name)) if known or str(name).count("-") > 1 else str(name)

    def role(self, name: object) -> str:
        """Return a player's role."""
        return self.plan.roles.get(str(name), "")

    def pull(self, fight: object) -> Pull | None:
        """Return a pull by its number."""
        return self.night.pull(fight) if isinstance(fight, int) else None


def reply(plan: Plan, night: Night, sheets: Sequence[Sheet]) -> Reply:
    """Return the reply to a question that has a form."""
    teller = Teller(plan, night, sheets)
    problem = next((s.returned.problem for s in sheets if s.returned.problem), "")
    if problem and not teller.rows:
        return Reply(problem)
    blind = any(NO_BLOWS in sheet.returned.notes for sheet in sheets)
    if blind and plan.form not in _OF_DEATHS:
        return Reply(teller.say("no_blows", where=teller.where))
    if plan.form == "tally" and len(sheets) > 1:
        return _by_log(teller)
    return _FORMS[plan.form](teller)


def _by_log(teller: Teller) -> Reply:
    """Tell sums of several logs of one night, each by itself."""
    parts = []
    for sheet in teller.sheets:
        if not sheet.rows or NO_BLOWS in sheet.returned.notes:
            continue
        own = Teller(teller.plan, teller.night, [sheet])
        title = teller.plan.titles.get(sheet.returned.report, sheet.returned.report)
        parts.append(_tally(own).text.replace(own.where, sheet.returned.pull or title, 1))
    return Reply(" ".join(parts))


_OF_DEATHS = frozenset(
    (
        *("deaths", "pulls", "health", "duration", "present", "priorities", "story"),
        *("contrast", "gaps"),
    )
)


def _value(row: Row, column: str) -> float:
    found = row.get(column)
    return float(found) if isinstance(found, int | float) else 0.0


def _amount(teller: Teller, row: Row, column: str, *, total: float = 0) -> str:
    """Return a row's value with what belongs to it."""
    tongue = teller.tongue
    text = tongue.number(_value(row, column))
    extra = []
    if column in RATES and row.get(RATES[column]):
        extra.append(f"{tongue.number(round(_value(row, RATES[column])))} {RATES[column]}")
    if column == "overheal":
        extra.append(tongue.percent(_value(row, "overheal_percent")))
    if column == "damage_taken" and teller.plan.question.abilities and row.get("hits"):
        extra.append(tongue.say("hits", n=row["hits"]))
    if column == "damage_taken" and total and not teller.plan.question.abilities:
        extra.append(tongue.percent(100 * _value(row, column) / total))
    role = teller.role(row.get("name"))
    if column == "damage_taken" and role == "tank":
        extra.append("tank")
    return f"{text} ({', '.join(extra)})" if extra else text


def _tally(teller: Teller) -> Reply:
    """Tell sums: a rank, one's own value and place, a comparison, an ability's victims."""
    heard, question = teller.plan.heard, teller.plan.question
    column = COLUMNS.get(teller.plan.measure, "casts")
    what = teller.tongue.measure(teller.plan.measure)
    named = ", ".join(question.abilities)
    if teller.plan.measure == "taken" and heard.shape == "hit":
        return _biggest(teller)
    if teller.plan.measure == "taken" and named and not teller.players:
        return _victims(teller, named)
    rows = [row for row in teller.rows if teller.role(row.get("name")) not in question.left_out]
    if not rows:
        of = f" ({named})" if named else ""
        return Reply(teller.say("none_of", where=teller.where, what=what, of=of))
    lead = ""
    if teller.plan.by == "pull" and heard.shape == "compare":
        told = (f"{row['name']} {_amount(teller, row, column)}" for row in rows)
        return Reply(teller.say("compare_pulls", what=what, list=", ".join(told)))
    if len(teller.players) > 1 and teller.plan.by == "player":
        lead = _compared(teller, rows, column, what)
    elif teller.players and teller.plan.by == "player":
        lead = _of_one(teller, rows, column, what)
    if not lead:
        lead = _ranked(teller, rows, column, what)
    if (
        teller.plan.measure == "healing"
        and not any(
            sheet.returned.notes and "COMBATANT" in str(sheet.returned.notes)
            for sheet in teller.sheets
        )
        and teller.plan.old
    ):
        lead += " " + teller.say("no_shields")
    rows = _in_order(teller, rows, column)
    about = (str(rows[0]["name"]),) if rows and teller.plan.by == "player" else ()
    shown = tuple(rows[:TABLE]) if len(rows) > 1 else ()
    return Reply(lead, shown, ("name", *_shown(rows, column)), about)


def _in_order(teller: Teller, rows: list[Row], column: str) -> list[Row]:
    """Return rows in the order of the sentence: the least first, those who were named first."""
    if teller.plan.question.lowest or teller.shape == "least":
        fighting = [row for row in rows if teller.role(row.get("name")) == "damage"]
        rows = fighting if column == "total_damage" and fighting else rows
        return sorted(rows, key=lambda row: _value(row, column))
    return sorted(rows, key=lambda row: row.get("name") not in teller.players)


def _shown(rows: Sequence[Row], column: str) -> tuple[str, ...]:
    known = (column, "dps", "hps", "overheal_percent", "hits", "misses", "biggest_hit", "abilities")
    return tuple(dict.fromkeys(one for one in known if any(row.get(one) for row in rows)))


def _ranked(teller: Teller, rows: list[Row], column: str, what: str) -> str:
    question = teller.plan.question
    low = teller.plan.question.lowest or teller.shape == "least"
    rows = _in_order(teller, rows, column)
    if teller.plan.by == "ability" and calling_words().except_.search(fold(question.text)):
        rows = [row for row in rows if row["name"] != "Melee"] or rows
    total = sum(_value(row, column) for row in rows)
    most = asked_number(teller.plan.question.text) or 5
    if teller.shape in ("most", "least") and not asked_number(teller.plan.question.text):
        most = 3
    told = [f"{teller.short(r['name'])} {_amount(teller, r, column, total=total)}" for r in rows]
    if column in ("interrupts", "dispels"):
        told = [f"{teller.short(r['name'])} {r[column]} ({r.get('abilities')})" for r in rows]
    whom = ", ".join(map(teller.short, teller.players)) if teller.plan.by != "player" else ""
    key = "rank_low" if low else "rank"
    names = ", ".join((*teller.plan.question.abilities, *([whom] if whom else [])))
    where = f"{teller.where}, {names}" if names else teller.where
    return teller.say(key, where=where, what=what, list=teller.tongue.listed(told, most))


def _of_one(teller: Teller, rows: list[Row], column: str, what: str) -> str:
    name = teller.players[0]
    ranked = [row for row in rows if not str(row["name"]).startswith("pet")]
    at = next((n for n, row in enumerate(ranked, 1) if row["name"] == name), 0)
    if not at:
        of = f" ({teller.short(name)})"
        return teller.say("none_of", where=teller.where, what=what, of=of)
    place = teller.say("place", rank=at, count=len(ranked))
    value = _amount(teller, ranked[at - 1], column)
    role = teller.role(name)
    label = f"{teller.short(name)} ({role})" if role in ("tank", "healer") else teller.short(name)
    told = teller.say("value", name=label, what=what, value=value, more=place)
    first = ranked[0]
    if at > 1:
        told += f"; 1. {teller.short(first['name'])} {_amount(teller, first, column)}"
    return teller.say("each", where=teller.where, list=told)


def _compared(teller: Teller, rows: list[Row], column: str, what: str) -> str:
    mine = [row for row in rows if row["name"] in teller.players]
    if len(mine) < 2:
        return _of_one(teller, rows, column, what) if mine else ""
    told = [f"{teller.short(r['name'])}: {what} {_amount(teller, r, column)}" for r in mine]
    first, second = mine[0], mine[1]
    gap = _value(first, column) - _value(second, column)
    share = 100 * gap / max(_value(second, column), 1)
    return teller.say(
        "compare",
        where=teller.where,
        first=teller.short(first["name"]),
        second=teller.short(second["name"]),
        gap=f"{teller.tongue.number(gap)} ({teller.tongue.percent(share)})",
        list=", ".join(told),
    )


def _victims(teller: Teller, named: str) -> Reply:
    rows = teller.rows
    hits = int(sum(_value(row, "hits") for row in rows))
    if not rows:
        return Reply(teller.say("ability_none", where=teller.where, ability=named))
    total = sum(_value(row, "damage_taken") for row in rows)
    missed = int(sum(_value(row, "misses") for row in rows))
    by_hits = sorted(rows, key=lambda row: -_value(row, "hits"))
    told = [
        f"{teller.short(r['name'])} {_amount(teller, r, 'damage_taken')}"
        for r in (by_hits if teller.shape in ("who", "count") else rows)
    ]
    text = teller.say(
        "ability",
        where=teller.where,
        ability=named,
        what=teller.tongue.measure("taken"),
        value=teller.tongue.number(total),
        n=hits,
        missed=f" ({teller.say('missed', n=missed)})" if missed else "",
        list=teller.tongue.listed(told, 8),
    )
    return Reply(text, about=(str(by_hits[0]["name"]),))


def _biggest(teller: Teller) -> Reply:
    rows = [row for row in teller.rows if row.get("biggest_hit")]
    if not rows:
        what = teller.tongue.measure("taken")
        return Reply(teller.say("none_of", where=teller.where, what=what, of=""))
    top = max(rows, key=lambda row: _value(row, "biggest_hit"))
    text = teller.say(
        "biggest",
        where=teller.where,
        value=teller.tongue.number(_value(top, "biggest_hit")),
        ability=top.get("biggest_by"),
        name=teller.short(top.get("biggest_on")),
        source=str(top.get("sources")).partition(",")[0],
    )
    return Reply(text)


# Deaths


def _deaths(teller: Teller) -> Reply:
    """Tell who died, when and of what; over several pulls how often, and who first."""
    rows = [row for row in teller.rows if row.get("where")]
    if teller.players:
        rows = [row for row in rows if row["player"] in teller.players]
    false = [row for row in teller.rows if row.get("feigned_by")]
    creatures = [row for row in teller.rows if row.get("creature")]
    extra = [
        teller.say("feigned", name=row["feigned_by"], n=row["count"], clocks=_joined(row))
        for row in false
        if not teller.players or row["feigned_by"] in teller.players
    ]
    names = ", ".join(map(teller.short, teller.players))
    if not rows:
        key = "not_died" if names else "nobody_died"
        text = [teller.say(key, where=teller.where, name=names), *extra]
        if creatures and not names and teller.plan.heard.measure == "deaths":
            told = ", ".join(f"{row['creature']} {row['count']}" for row in creatures)
            text.append(teller.say("creatures", list=told))
        return Reply(" ".join(text))
    if teller.shape == "first":
        return _first_deaths(teller, rows)
    unhurt = [n for n in teller.players if n not in {row["player"] for row in rows}]
    if unhurt and len(teller.players) > 1:
        names = ", ".join(map(teller.short, unhurt))
        extra.append(teller.say("not_died", where=teller.where, name=names))
    rows = [row for row in rows if not teller.players or row["player"] in teller.players]
    counting = teller.shape in ("count", "most", "least", "list") and len(teller.pulls) != 1
    if counting or len(rows) > 8:
        lead = _death_counts(teller, rows)
    else:
        told = [_death(teller, row) for row in rows]
        lead = teller.say("deaths", where=teller.where, n=len(rows), list="; ".join(told))
    if teller.shape == "why" or len(teller.pulls) == 1:
        extra += [*_together(teller, rows)]
        if not any(row.get("ability") for row in rows):
            extra.append(teller.say("no_cause"))
        elif len(rows) > 8:
            extra.append(_causes(rows))
    extra += [*_last_hits(teller)]
    return Reply(" ".join([lead, *extra]), about=_most_dead(rows))


def _most_dead(rows: Sequence[Row]) -> tuple[str, ...]:
    names = [str(row["player"]) for row in rows]
    return (max(dict.fromkeys(names), key=names.count),)


def _last_hits(teller: Teller) -> Iterator[str]:
    """Yield the hits before the deaths, where those were looked up."""
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
    counts: dict[str, int] = {}
    for row in rows:
        if row.get("ability"):
            counts[str(row["ability"])] = counts.get(str(row["ability"]), 0) + 1
    ranked = sorted(counts.items(), key=lambda one: -one[1])[:5]
    return ", ".join(f"{name} {count}" for name, count in ranked) + "."


def _death(teller: Teller, row: Row) -> str:
    of = ""
    if row.get("ability"):
        amount = teller.tongue.number(_value(row, "amount"))
        of = teller.say("died_of", ability=row["ability"], killer=row.get("killer"), amount=amount)
    if row.get("revived_by"):
        of += f" ({teller.say('revived', by=row['revived_by'])})"
    name = teller.short(row["player"])
    if row.get("at") is None:
        return teller.say(
            "died_outside", name=name, clock=row.get("clock"), place=row["where"], of=of
        )
    at = teller.tongue.time(_value(row, "at"))
    if len(teller.pulls) != 1:
        boss = str(row["where"]).partition(", pull")[0]
        at = f"{at} ({boss}, {row.get('clock')})"
    return teller.say("died_at", name=name, at=at, of=of)


def _death_counts(teller: Teller, rows: Sequence[Row]) -> str:
    counts: dict[str, int] = {}
    for row in rows:
        name = teller.short(row["player"])
        counts[name] = counts.get(name, 0) + 1
    ranked = sorted(counts.items(), key=lambda one: -one[1])
    told = teller.tongue.listed(
        (f"{name} {count}" for name, count in ranked), 8 if len(ranked) < 12 else 6
    )
    firsts = sum(bool(row.get("first_of_pull")) for row in rows)
    lead = teller.say("counts", where=teller.where, list=told)
    if teller.players:
        first = teller.say("first_counts", where=teller.short(teller.players[0]), list=str(firsts))
        return f"{lead} {first}"
    begun = _death(teller, rows[0]) if len(teller.pulls) == 1 else ""
    return f"{lead} ({len(rows)}; 1. {begun})" if begun else f"{lead} ({len(rows)})"


def _first_deaths(teller: Teller, rows: Sequence[Row]) -> Reply:
    first = [row for row in rows if row.get("first_of_pull")]
    if len(teller.pulls) == 1:
        told = _death(teller, rows[0])
        return Reply(teller.say("first_counts", where=teller.where, list=told))
    counts: dict[str, int] = {}
    for row in first:
        counts[teller.short(row["player"])] = counts.get(teller.short(row["player"]), 0) + 1
    ranked = sorted(counts.items(), key=lambda one: -one[1])
    told = teller.tongue.listed(f"{name} {count}" for name, count in ranked)
    text = teller.say("first_counts", where=teller.where, list=told or "0")
    return Reply(text, about=_most_dead(first) if first else ())


def _together(teller: Teller, rows: Sequence[Row]) -> Iterator[str]:
    """Yield deaths that came all at once."""
    timed = [row for row in rows if row.get("at") is not None]
    best: list[Row] = []
    for row in timed:
        near = [o for o in timed if 0 <= _value(o, "at") - _value(row, "at") <= SAME_MOMENT]
        best = max(best, near, key=len)
    if len(best) >= MANY:
        names = [teller.short(row["player"]) for row in best]
        at = teller.tongue.time(_value(best[0], "at"))
        yield teller.say("together", n=len(best), at=at, list=teller.tongue.listed(names, 10))


# Pulls


def _pulls(teller: Teller) -> Reply:
    """Tell kills, wipes and tries of the pulls that are meant, and of the same night's logs."""
    pulls = teller.pulls
    bosses = tuple(dict.fromkeys(pull.name for pull in pulls))
    kills = [pull for pull in pulls if pull.kill]
    wipes = [pull for pull in pulls if pull.ended == "wipe"]
    others = [row for sheet in teller.sheets[1:] for row in sheet.rows if row.get("pulls")]
    asked = asked_number(teller.plan.question.text)
    short = [p for p in pulls if p.ended not in ("wipe", "kill") and round(p.seconds) == asked]
    if short and len(bosses) == 1:
        told = ", ".join(_try(teller, pull) for pull in short)
        return Reply(teller.say("reset_rule", list=told, w=len(wipes)))
    if teller.shape in ("list", "who", "which") and len(bosses) > 1 and teller.plan.heard.follows:
        counts: dict[str, int] = {}
        for pull in wipes or pulls:
            counts[pull.name] = counts.get(pull.name, 0) + 1
        told = ", ".join(f"{name} {n}" for name, n in counts.items())
        return Reply(teller.say("by_boss", list=told))
    if len(bosses) == 1 and not others:
        return Reply(_one_boss(teller, pulls, kills))
    return Reply(_all_bosses(teller, pulls, others))


def _try(teller: Teller, pull: Pull) -> str:
    end = teller.say(pull.ended if teller.tongue.knows(pull.ended) else "unfinished")
    health = ""
    if not pull.kill and pull.boss_hp:
        health = f", {teller.tongue.percent(100 * pull.boss_hp)}"
    level = f"{pull.difficulty}, " if pull.difficulty else ""
    time = teller.tongue.time(pull.seconds)
    return f"{pull.fight} ({level}{end}, {time}{health}, {pull.day or pull.clock} {pull.clock})"


def _one_boss(teller: Teller, pulls: Sequence[Pull], kills: Sequence[Pull]) -> str:
    boss, tries = pulls[0].name, [_try(teller, pull) for pull in pulls]
    listed = teller.tongue.listed(tries, 10)
    groups = {(pull.difficulty, pull.day) for pull in pulls}
    if not kills:
        wipes = sum(pull.ended == "wipe" for pull in pulls)
        told = teller.say("not_killed", boss=boss, n=len(pulls), list=listed)
        short = [pull for pull in pulls if pull.ended not in ("wipe", "kill")]
        return (
            told
            if teller.shape == "yesno" or not wipes
            else (f"{_summary(teller, boss, pulls)} {told}" if not short or wipes else told)
        )
    if len(groups) > 1 and len(kills) > 1:
        told = teller.say("killed_each", boss=boss, list=", ".join(_try(teller, p) for p in kills))
        return f"{told} {_summary(teller, boss, pulls)}"
    first = kills[0]
    at = pulls.index(first) + 1
    if teller.shape in ("count", "list", "which", "amount") or len(pulls) > 1:
        yes = teller.say(
            "killed",
            boss=boss,
            n=at,
            all=len(pulls),
            fight=first.fight,
            time=teller.tongue.time(first.seconds),
            deaths="",
        )
        return (
            f"{yes if teller.shape == 'yesno' else ''} ".lstrip()
            + teller.say("tries", boss=boss, n=at, list=listed)
            + f" {_summary(teller, boss, pulls)}"
        )
    return teller.say(
        "killed",
        boss=boss,
        n=at,
        all=len(pulls),
        fight=first.fight,
        time=teller.tongue.time(first.seconds),
        deaths="",
    )


def _summary(teller: Teller, who: str, pulls: Sequence[Pull]) -> str:
    kills = sum(pull.kill for pull in pulls)
    wipes = sum(pull.ended == "wipe" for pull in pulls)
    resets = len(pulls) - kills - wipes
    open_ = sum(pull.ended not in ("kill", "wipe", "reset") for pull in pulls)
    told = teller.say("resets", n=resets - open_) if resets - open_ else ""
    told += teller.say("unfinished_n", n=open_) if open_ else ""
    return teller.say("pulls", who=who, n=len(pulls), k=kills, w=wipes, r=told)


def _all_bosses(teller: Teller, pulls: Sequence[Pull], others: Sequence[Row]) -> str:
    counts = {
        "pulls": len(pulls),
        "kills": sum(pull.kill for pull in pulls),
        "wipes": sum(pull.ended == "wipe" for pull in pulls),
    }
    for row in others:
        if row.get("encounter") == "(all)":
            for name in counts:
                counts[name] += int(_value(row, name))
    rest = counts["pulls"] - counts["kills"] - counts["wipes"]
    open_ = sum(pull.ended not in ("kill", "wipe", "reset") for pull in pulls)
    told = teller.say("resets", n=rest - open_) if rest - open_ else ""
    told += teller.say("unfinished_n", n=open_) if open_ else ""
    levels = {pull.difficulty for pull in pulls if pull.difficulty}
    days = {pull.day for pull in pulls if pull.day}
    who = " ".join([*(levels if len(levels) == 1 else ()), *(days if len(days) == 1 else ())])
    lead = teller.say(
        "pulls",
        who=who or teller.night.title,
        n=counts["pulls"],
        k=counts["kills"],
        w=counts["wipes"],
        r=told,
    )
    groups: dict[tuple[str, str], list[Pull]] = {}
    for pull in pulls:
        groups.setdefault((pull.name, pull.difficulty), []).append(pull)
    lines = []
    for (name, level), some in groups.items():
        ends: dict[str, int] = {}
        for pull in sorted(some, key=lambda pull: not pull.kill):
            end = pull.ended if teller.tongue.knows(pull.ended) else "unfinished"
            ends[end] = ends.get(end, 0) + 1
        parts = [f"{count} {teller.say(end)}" for end, count in ends.items()]
        lines.append(f"{name}{f' ({level})' if level else ''}: {', '.join(parts)}")
    for row in others:
        if row.get("encounter") not in ("(all)", None) and row.get("pulls"):
            parts = [
                f"{int(_value(row, f'{one}s'))} {teller.say(one)}"
                for one in ("kill", "wipe", "reset")
                if row.get(f"{one}s")
            ]
            lines.append(f"{row['encounter']}: {', '.join(parts)}")
    return f"{lead} {'; '.join(lines[:24])}."


def _health(teller: Teller) -> Reply:
    tried = [pull for pull in teller.pulls if not pull.kill] or teller.pulls
    told = ", ".join(_try(teller, pull) for pull in tried[-10:])
    known = [pull for pull in tried if pull.boss_hp is not None and pull.boss_hp < 1]
    boss = tried[-1].name if tried else ""
    kills = [pull for pull in teller.pulls if pull.kill]
    if kills and len(teller.pulls) == len(kills):
        return _pulls(teller)
    if known:
        best = min(known, key=lambda pull: pull.boss_hp or 1)
        left = teller.tongue.percent(100 * (best.boss_hp or 0))
        time = teller.tongue.time(best.seconds)
        return Reply(
            teller.say("health", boss=boss, fight=best.fight, hp=left, time=time, list=told + ".")
        )
    best = max(tried, key=lambda pull: pull.seconds)
    time = teller.tongue.time(best.seconds)
    return Reply(teller.say("no_health", boss=boss, fight=best.fight, time=time, list=told + "."))


def _duration(teller: Teller) -> Reply:
    pulls = teller.pulls
    if teller.shape == "most":
        pulls = sorted(pulls, key=lambda pull: -pull.seconds)
    if teller.shape == "least":
        pulls = sorted([p for p in pulls if p.kill] or pulls, key=lambda pull: pull.seconds)
    told = [f"{teller.tongue.pull(pull)} ({pull.day} {pull.clock})" for pull in pulls]
    return Reply(f"{teller.tongue.listed(told)}.")


# Who did what at which time


def _opening(teller: Teller) -> Reply:
    if not teller.rows:
        what = teller.tongue.measure("casts")
        return Reply(teller.say("none_of", where=teller.where, what=what, of=""))
    first = teller.rows[0]
    told = [
        f"{teller.short(row['name'])} ({row['ability']}) {teller.tongue.time(_value(row, 'at'))}"
        for row in teller.rows[1:5]
    ]
    text = teller.say(
        "opening",
        where=teller.where,
        name=teller.short(first["name"]),
        ability=first.get("ability"),
        target=teller.short(first.get("target")),
        at=teller.tongue.time(_value(first, "at")),
        list=", ".join(told),
    )
    return Reply(text)


def _tanked(teller: Teller) -> Reply:
    told = ", ".join(
        f"{teller.short(row['name'])} ({teller.tongue.number(_value(row, 'hits'))})"
        for row in teller.rows[:5]
    )
    names = {row["name"] for row in teller.rows if _value(row, "hits") > 2}
    asked = [name for name in teller.players if name not in names]
    if asked and teller.rows:
        who = ", ".join(map(teller.short, asked))
        return Reply(teller.say("not_tanked", where=teller.where, name=who, list=told))
    return Reply(teller.say("tanked", where=teller.where, list=told or "–"))


def _present(teller: Teller) -> Reply:
    """Tell who was there, what somebody plays, or who left between pulls or logs."""
    if teller.players:
        rows = [row for row in teller.rows if row.get("name") in teller.players]
        told = (
            f"{teller.short(r['name'])}: {r.get('spec')} {r.get('class')}, {r.get('role')},"
            f" {r.get('pulls')} pulls"
            for r in rows
        )
        return Reply("; ".join(told) + "." if rows else teller.say("whom", list=""))
    groups = _groups(teller)
    if teller.shape == "who" and len(groups) > 1:
        (first, before), (second, after) = groups[0], groups[-1]
        gone, came = sorted(before - after), sorted(after - before)
        told = []
        if gone:
            named = ", ".join(map(teller.short, gone))
            told.append(teller.say("left", first=first, second=second, list=named))
        if came:
            named = ", ".join(map(teller.short, came))
            told.append(teller.say("joined", first=first, second=second, list=named))
        return Reply(" ".join(told) or teller.say("same_people", first=first, second=second))
    people = [
        f"{teller.short(row['name'])} ({row.get('spec')} {row.get('class')})" for row in teller.rows
    ]
    roles: dict[str, int] = {}
    for row in teller.rows:
        roles[str(row.get("role"))] = roles.get(str(row.get("role")), 0) + 1
    counts = ", ".join(f"{name} {n}" for name, n in sorted(roles.items()))
    told = f"{counts}: {teller.tongue.listed(people, 40)}"
    return Reply(teller.say("present", where=teller.where, n=len(people), list=told))


def _groups(teller: Teller) -> list[tuple[str, set[str]]]:
    """Return who was there by log in order of time, or by pull where there is one log."""
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


def _gear(teller: Teller) -> Reply:
    rows = teller.rows
    if not rows:
        return Reply(teller.say("no_gear"))
    levels = [_value(row, "item_level") for row in rows]
    middle = median(levels)
    mine = [(n, row) for n, row in enumerate(rows, 1) if row["name"] in teller.players]
    if mine:
        told = []
        for rank, row in mine:
            level = _value(row, "item_level")
            verdict = teller.say("gear_low" if level < middle - 3 else "gear_ok")
            told.append(
                teller.say(
                    "gear_one",
                    name=teller.short(row["name"]),
                    value=teller.tongue.number(level),
                    rank=rank,
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
        f"{teller.short(r['name'])} {teller.tongue.number(_value(r, 'item_level'))}" for r in rows
    ]
    most = 24 if teller.shape == "list" else 5
    key = "gear_least" if low else "gear_high"
    text = teller.say(key, where=teller.where, list=teller.tongue.listed(told, most))
    return Reply(text, about=about)


def _uptime(teller: Teller) -> Reply:
    named = ", ".join(teller.plan.question.abilities)
    rows = [row for row in teller.rows if not teller.players or _mine(teller, row)] or teller.rows
    foes = [r for r in rows if r.get("name") not in teller.plan.roles]
    rows = foes or rows
    if not rows:
        return Reply(teller.say("no_aura", where=teller.where, ability=named))
    told = []
    for row in rows:
        value = f"{teller.tongue.percent(_value(row, 'uptime_percent'))},"
        value += f" {teller.tongue.number(_value(row, 'uptime_seconds'))} s"
        casters = ", ".join(map(teller.short, str(row.get("casters")).split(", ")))
        told.append(
            teller.say("up_on", target=teller.short(row["name"]), value=value, casters=casters)
        )
    ability = ", ".join(dict.fromkeys(str(row["ability"]) for row in rows))
    listed = teller.tongue.listed(told, 8)
    return Reply(teller.say("uptime", where=teller.where, ability=ability, list=listed))


def _mine(teller: Teller, row: Row) -> bool:
    return row.get("name") in teller.players or any(
        name in str(row.get("casters")) for name in teller.players
    )


def _casts(teller: Teller) -> Reply:
    """Tell when abilities were used, by whom and where; of one player without an ability, what."""
    named = ", ".join(teller.plan.question.abilities) or ", ".join(teller.plan.wanted[:2])
    inside = [row for row in teller.rows if row.get("fight") in teller.plan.fights]
    if teller.players:
        inside = [row for row in inside if row["name"] in teller.players]
    inside = _once(inside if teller.plan.question.abilities else _of_people(teller, inside))
    abilities = list(dict.fromkeys(str(row["ability"]) for row in inside))
    if len(abilities) > 1 and len(teller.plan.question.abilities) > 1:
        return _overlap(teller, inside)
    if not inside:
        text = teller.say("no_cast", where=teller.where, ability=named or "–")
        return Reply(" ".join([text, *_earlier(teller)]))
    told = [_cast(teller, row) for row in inside]
    many = len(abilities) > 1 or not teller.plan.question.abilities
    if len(inside) > 14:
        counts: dict[str, int] = {}
        for row in inside:
            key = (
                f"{row['ability']} – {teller.short(row['name'])}"
                if many
                else teller.short(row["name"])
            )
            counts[key] = counts.get(key, 0) + 1
        ranked = sorted(counts.items(), key=lambda one: -one[1])
        told = [f"{name} {n}" for name, n in ranked]
    elif many:
        told = [f"{row['ability']} – {one}" for row, one in zip(inside, told, strict=True)]
    lead = teller.say("each", where=teller.where, list="")[:-2].rstrip()
    count = f"{named if not many else ''} {len(inside)}×".strip()
    unused = _unused(teller, inside) if len(teller.pulls) > 1 and not many else ""
    return Reply(f"{lead} {count}: {teller.tongue.listed(told, 16)}.{unused}")


def _of_people(teller: Teller, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.get("name") in teller.plan.people]


def _once(rows: Sequence[Row]) -> list[Row]:
    """Return casts without the repeated lines of one that goes on."""
    kept: list[Row] = []
    last: dict[tuple[object, object, object], float] = {}
    for row in rows:
        key = (row.get("name"), row.get("ability"), row.get("fight"))
        at = _value(row, "at")
        if key not in last or at - last[key] > CHANNEL:
            kept.append(row)
        last[key] = at
    return kept


def _unused(teller: Teller, rows: Sequence[Row]) -> str:
    used = {row.get("fight") for row in rows}
    rest = [pull.name for pull in teller.pulls if pull.fight not in used]
    return (
        f" {teller.say('no_cast', where=', '.join(rest[:8]), ability=rows[0]['ability'])}"
        if rest
        else ""
    )


def _cast(teller: Teller, row: Row) -> str:
    at = teller.tongue.time(_value(row, "at"))
    boss = f" {row['boss']}" if len(teller.pulls) > 1 else ""
    return f"{teller.short(row['name'])}{boss} {at} ({row.get('clock')})"


def _overlap(teller: Teller, rows: Sequence[Row]) -> Reply:
    pairs = [
        (abs(_value(a, "at") - _value(b, "at")), a, b)
        for a, b in combinations(rows, 2)
        if a["ability"] != b["ability"] and a.get("fight") == b.get("fight")
    ]
    if not pairs:
        return Reply(f"{teller.where}: {', '.join(_cast(teller, row) for row in rows[:6])}.")
    gap, one, two = min(pairs, key=lambda pair: pair[0])
    told = ", ".join(f"{row['ability']} – {_cast(teller, row)}" for row in (one, two))
    key = "overlap" if gap <= OVERLAP else "no_overlap"
    text = teller.say(key, list=told, gap=teller.tongue.time(gap))
    return Reply(f"{teller.where}. {text}")


def _earlier(teller: Teller) -> Iterator[str]:
    """Yield the use before the pulls that are meant, where its debuff may have been left."""
    first = teller.pulls[0] if teller.pulls else None
    if first is None or teller.plan.measure_asked != "lust":
        return
    earlier = [
        r for r in teller.rows if isinstance(r.get("fight"), int) and r["fight"] < first.fight
    ]
    if not earlier:
        return
    last = earlier[-1]
    pull = teller.pull(last.get("fight"))
    gap = first.start_s - (pull.start_s + _value(last, "at")) if pull else NEAR + 1
    if 0 < gap < NEAR:
        yield teller.say(
            "before",
            clock=last.get("clock"),
            boss=last.get("boss"),
            name=teller.short(last["name"]),
            gap=teller.tongue.time(gap),
            debuff="Exhaustion / Sated (10 min)",
        )


def _consumed(teller: Teller) -> Reply:
    asked = teller.plan.wanted[0] if teller.plan.wanted else ""
    seen: dict[str, list[str]] = {}
    for row in teller.rows:
        at = f" {teller.tongue.time(_value(row, 'at'))}" if row.get("at") is not None else ""
        seen.setdefault(teller.short(row["name"]), []).append(f"{row['ability']}{at}")
    if not seen:
        return Reply(teller.say("consumed_none", what=asked))
    everyone = [teller.short(name) for name in teller.plan.people]
    none = [name for name in everyone if name not in seen]
    told = "; ".join(
        f"{n} ({', '.join(dict.fromkeys(found))})" for n, found in list(seen.items())[:14]
    )
    return Reply(teller.say("consumed", list=told, none=teller.tongue.listed(none, 12) or "–"))


def _kicks(teller: Teller) -> Reply:
    """Tell who interrupted what, and how many casts there were."""
    named = ", ".join(teller.plan.question.abilities)
    rows = teller.sheet.rows
    counted = [row for sheet in teller.sheets[1:] for row in sheet.rows]
    casts = int(sum(_value(row, "casts") for row in counted))
    times = teller.say("cast_times", n=casts) if casts else ""
    if teller.players:
        rows = tuple(row for row in rows if row["name"] in teller.players)
    told = ", ".join(
        f"{teller.short(row['name'])} {row['interrupts']} ({row.get('abilities')})" for row in rows
    )
    if not named:
        key = "rank" if rows else "kicks_none"
        what = teller.tongue.measure("interrupts")
        return Reply(teller.say(key, where=teller.where, what=what, list=told))
    key = "kicked" if rows else "kick_none"
    return Reply(teller.say(key, where=teller.where, ability=named, list=told, casts=times))


def _performance(teller: Teller) -> Reply:
    """Tell what each of the players did, and the place in the raid."""
    rows = [row for row in teller.rows if row.get("player")]
    healers = sorted(rows, key=lambda row: -_value(row, "total_healing"))
    hitters = sorted(rows, key=lambda row: -_value(row, "total_damage"))
    parts = []
    for row in (row for row in rows if row["player"] in teller.players):
        number = teller.tongue.number
        parts.append(
            teller.say(
                "done",
                where=teller.where,
                name=teller.short(row["player"]),
                role=row.get("role") or teller.role(row["player"]),
                damage=number(_value(row, "total_damage")),
                place=hitters.index(row) + 1,
                count=len(rows),
                healing=number(_value(row, "total_healing")),
                healed=healers.index(row) + 1,
                taken=number(_value(row, "damage_taken")),
                deaths=int(_value(row, "deaths")),
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
            time=teller.tongue.time(_value(row, "seconds")),
            fight_time=teller.tongue.time(_value(row, "combat_seconds")),
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
    return Reply(_deaths(teller).text + health)


def _contrast(teller: Teller) -> Reply:
    """Tell pulls side by side: how they ended, who died first, the raid's damage."""
    dead = [row for row in teller.rows if row.get("where")]
    hits = {row.get("fight"): row for row in teller.rows if row.get("total_damage")}
    parts = []
    for pull in teller.pulls[-4:]:
        own = [row for row in dead if row.get("fight") == pull.fight]
        first = ""
        if own:
            name, at = teller.short(own[0]["player"]), teller.tongue.time(_value(own[0], "at"))
            first = teller.say("first_was", name=name, at=at)
        damage = ""
        if pull.fight in hits:
            what = teller.tongue.measure("damage")
            damage = f", {what} {_amount(teller, hits[pull.fight], 'total_damage')}"
        told = teller.tongue.pull(pull)
        parts.append(teller.say("contrast_one", pull=told, n=len(own), first=first, damage=damage))
    return Reply("; ".join(parts) + ".")


_FORMS: Mapping[str, Callable[[Teller], Reply]] = {
    "tally": _tally,
    "deaths": _deaths,
    "pulls": _pulls,
    "health": _health,
    "duration": _duration,
    "opening": _opening,
    "tanking": _tanked,
    "present": _present,
    "gear": _gear,
    "uptime": _uptime,
    "casts": _casts,
    "consumed": _consumed,
    "kicks": _kicks,
    "performance": _performance,
    "gaps": _gaps,
    "priorities": _priorities,
    "story": _story,
    "contrast": _contrast,
}
