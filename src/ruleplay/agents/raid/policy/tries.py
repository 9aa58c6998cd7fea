"""Describes pulls: kills, wipes, tries, remaining boss health, durations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ruleplay.agents.raid.domain.moments import names_before
from ruleplay.agents.raid.domain.overview import PullSummary, fold
from ruleplay.agents.raid.domain.persons import asks_average, calling_words
from ruleplay.agents.raid.domain.questions import OF_MATCHES
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy.deaths import counts_of, most_dead
from ruleplay.agents.raid.policy.sentences import asked_number
from ruleplay.agents.raid.policy.teller import Reply, Teller, of_tool
from ruleplay.agents.raid.view.tables import value_of


def pulls(teller: Teller) -> Reply:
    """Describe the outcomes of the pulls in question, including other logs of the same night."""
    told = _pulls(teller)
    return replace(told, text=" ".join([_judged(teller, teller.pulls) + told.text, *late(teller)]))


def late(teller: Teller) -> Iterator[str]:
    """Yield what most of the raid got in the last seconds of pulls that were given up."""
    for sheet in of_tool(teller, "get_wipe_cause"):
        for row in sheet.rows:
            pull = teller.pull(row.get("fight"))
            if row.get("what") == "debuff at the end" and pull:
                yield teller.say(
                    "end_debuff",
                    time=teller.tongue.time(round(pull.seconds - value_of(row, "at"), 1)),
                    fight=pull.fight,
                    ability=row["ability"],
                    source=row["killer"],
                    n=row["amount"],
                    all=pull.players,
                )


def _pulls(teller: Teller) -> Reply:
    pulls = teller.pulls
    bosses = tuple(dict.fromkeys(pull.name for pull in pulls))
    kills = [pull for pull in pulls if pull.kill]
    wipes = [pull for pull in pulls if pull.ended == "wipe"]
    others = [row for sheet in teller.sheets[1:] for row in sheet.rows if row.get("pulls")]
    asked = asked_number(teller.plan.question.text)
    short = _given_up(pulls, asked)
    if short and len(bosses) == 1:
        told = ", ".join(try_of(teller, pull) for pull in short)
        left = [pull for pull in pulls if pull not in short]
        rest = f"{_counted(teller, bosses[0], left)} {_tried(teller, left)}." if left else ""
        return Reply(teller.say("reset_rule", list=told, n=len(short), rest=rest).strip())
    if teller.shape in ("list", "who", "which") and len(bosses) > 1 and teller.plan.heard.follows:
        counts: dict[str, int] = {}
        for pull in wipes or pulls:
            counts[pull.name] = counts.get(pull.name, 0) + 1
        told = ", ".join(f"{name} {n}" for name, n in counts.items())
        return Reply(teller.say("by_boss", list=told))
    if len(bosses) == 1 and not others:
        rows = _tabled(teller, _of_outcome(teller, pulls))
        columns = [one for one in TRY if one != "deaths" or pulls[-1].ended not in OF_MATCHES]
        told = _one_boss(teller, pulls, kills, tabled=bool(rows)) + _before_it(teller, pulls)
        return Reply(told, rows, tuple(columns))
    asks = teller.plan.question.kind == "wipe" and teller.shape in ("yesno", "count", "list")
    if asks and (wipes or not others):
        each = Counter(pull.name for pull in wipes)
        lead = teller.say(
            "wipes_on" if wipes else "no_wipe",
            list=", ".join(f"{one} {n}" for one, n in each.items()),
        )
        lead += f" {_counted(teller, _span(teller, pulls), pulls, others)}"
        return Reply(teller.answered(lead, bool(wipes), states=True))
    return Reply(_all_bosses(teller, pulls, others))


MATCHES = (*OF_MATCHES, "unfinished")
"""How matches end; boss pulls share the last only."""
TRY = ("fight", "day", "difficulty", "outcome", "seconds", "boss_hp_percent", "start", "deaths")
"""Columns of a table of tries."""
FEW = 2
"""Number of tries that a sentence lists; more are a table, where the language has one."""


def _of_outcome(teller: Teller, pulls: Sequence[PullSummary]) -> Sequence[PullSummary]:
    """Select the matches of the outcome asked for, if any: "which did we lose"."""
    asked = [pull for pull in pulls if pull.ended == teller.plan.question.kind]
    lists = pulls[-1].ended in OF_MATCHES and teller.shape in ("list", "which", "who", "when")
    return (asked if lists else ()) or pulls


def _tabled(teller: Teller, pulls: Sequence[PullSummary]) -> tuple[Row, ...]:
    """Rows of the tries for a table; none if there are few."""
    fights = {pull.fight for pull in pulls}
    rows = [row for row in teller.sheet.rows if row.get("fight") in fights and row.get("outcome")]
    several = len(pulls) > FEW and len(rows) == len(pulls)
    return tuple(rows) if several and teller.plan.heard.language in ("en", "fr") else ()


def _given_up(pulls: Sequence[PullSummary], seconds: int) -> list[PullSummary]:
    """Select abandoned pulls no more than about as long as was said (less than twice as long)."""
    ended = [pull for pull in pulls if pull.ended not in ("wipe", "kill")]
    said = any(round(pull.seconds) == seconds for pull in ended)
    return [pull for pull in ended if said and pull.seconds < 2 * seconds]


def _tried(teller: Teller, pulls: Sequence[PullSummary]) -> str:
    """List consecutive tries; of many, the first ones."""
    return teller.tongue.listed((try_of(teller, pull) for pull in pulls), 10)


def try_of(teller: Teller, pull: PullSummary) -> str:
    """Describe one try briefly: number, outcome, length, boss health, time."""
    end = teller.tongue.ending(pull)
    health = ""
    if not pull.kill and pull.boss_hp:
        health = f", {teller.tongue.percent(100 * pull.boss_hp)}"
    level = f"{teller.tongue.level(pull.difficulty)}, " if pull.difficulty else ""
    time = teller.tongue.time(pull.seconds)
    return f"{pull.fight} ({level}{end}, {time}{health}, {pull.day or pull.clock} {pull.clock})"


def _before_it(teller: Teller, pulls: Sequence[PullSummary]) -> str:
    """Tell the evening's other wipes before a boss: "how many wipes before Argus went down"."""
    question = teller.plan.question
    first = next((one for one in pulls if one.kill), pulls[0])
    if question.kind != "wipe" or not names_before(question.text):
        return ""
    when = (first.day, first.difficulty)
    before = [p for p in teller.night.pulls if (p.day, p.difficulty) == when and p.ended == "wipe"]
    each = Counter(p.name for p in before if p.fight < first.fight and p.name != first.name)
    told = ", ".join(f"{name} {n}" for name, n in each.items())
    return f" {teller.say('wipes_before', n=each.total(), list=told)}" if each else ""


def _one_boss(
    teller: Teller,
    pulls: Sequence[PullSummary],
    kills: Sequence[PullSummary],
    *,
    tabled: bool = False,
) -> str:
    if tabled and not (teller.shape == "when" and kills):
        return _in_short(teller, pulls, kills)
    if teller.shape == "when" and kills:
        return " ".join(_killed_on(teller, pull) for pull in kills[:4])
    boss, listed = pulls[0].name, _tried(teller, _of_outcome(teller, pulls))
    groups = {(pull.difficulty, pull.day) for pull in pulls}
    last = pulls[-1]
    if last.ended in OF_MATCHES:
        return (
            _one_match(teller, last)
            if len(pulls) == 1
            else f"{_counted(teller, boss, pulls)} {listed}."
        )
    if not kills and last.ended not in ("wipe", "reset"):
        time = teller.tongue.time(last.seconds)
        told = teller.say("log_ends", boss=boss, fight=last.fight, time=time)
        return told if len(pulls) == 1 else f"{told} {_counted(teller, boss, pulls)} {listed}."
    if teller.shape == "count":
        return f"{_counted(teller, boss, pulls)} {listed}."
    if not kills:
        wipes = sum(pull.ended == "wipe" for pull in pulls)
        told = teller.say("not_killed", boss=boss, n=len(pulls), list=listed)
        if are_short(pulls) and of_tool(teller, "get_wipe_cause"):
            return f"{teller.say('neither_wipe')}{boss}: {listed}."
        short = [pull for pull in pulls if pull.ended not in ("wipe", "kill")]
        return (
            told
            if teller.shape == "yesno" or not wipes
            else (f"{_counted(teller, boss, pulls)} {told}" if not short or wipes else told)
        )
    if len(groups) > 1 and len(kills) > 1:
        told = teller.say(
            "killed_each", boss=boss, list=", ".join(try_of(teller, p) for p in kills)
        )
        return f"{told} {_counted(teller, boss, pulls)}"
    first = kills[0]
    at, time = pulls.index(first) + 1, teller.tongue.time(first.seconds)
    # "Was it a wipe" is not answered by yes.
    key = "fell_on" if teller.plan.question.kind == "wipe" else "killed"
    yes = teller.say(key, boss=boss, n=at, all=len(pulls), fight=first.fight, time=time)
    if teller.shape in ("count", "list", "which", "amount") or len(pulls) > 1:
        fell = teller.say("tries", boss=boss, n=at, list=listed)
        lead = [yes] if teller.shape == "yesno" else []
        return " ".join([*lead, fell, _counted(teller, boss, pulls)])
    return yes


def _one_match(teller: Teller, pull: PullSummary) -> str:
    told = teller.say(f"match_{pull.ended}", list=teller.tongue.pull(pull))
    return told + _rule(teller, [pull])


def _in_short(teller: Teller, pulls: Sequence[PullSummary], kills: Sequence[PullSummary]) -> str:
    """Say whether and on which try the boss of these pulls fell; a table lists them."""
    boss, last, counted = pulls[0].name, pulls[-1], _counted(teller, pulls[0].name, pulls)
    if last.ended in OF_MATCHES:
        return counted
    if not kills and last.ended not in ("wipe", "reset"):
        time = teller.tongue.time(last.seconds)
        return f"{teller.say('log_ends', boss=boss, fight=last.fight, time=time)} {counted}"
    if not kills:
        told = teller.say("not_killed_in", boss=boss, n=len(pulls))
        asked = teller.shape == "yesno"
        return (
            teller.answered(told, False, states=True)
            if asked
            else f"{counted} {teller.say('not_fallen')}"
        )
    time = teller.tongue.time(kills[0].seconds)
    at = {"n": pulls.index(kills[0]) + 1, "all": len(pulls)}
    if teller.shape == "yesno" and teller.plan.question.kind != "wipe":
        yes = teller.say("killed", boss=boss, **at, fight=kills[0].fight, time=time)
        return f"{yes} {counted}"
    return f"{counted} {teller.say('fell_on', **at, fight=kills[0].fight, time=time)}"


def _ended_at(pull: PullSummary) -> str:
    """Compute the wall clock time of a pull's end."""
    hours, minutes, seconds = map(int, pull.clock.split(":"))
    at = (3600 * hours + 60 * minutes + seconds + round(pull.seconds)) % 86_400
    return f"{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}"


def _killed_on(teller: Teller, pull: PullSummary) -> str:
    level = f" ({teller.tongue.level(pull.difficulty)})" if pull.difficulty else ""
    return teller.say(
        "killed_on",
        boss=f"{pull.name}{level}",
        day=pull.day or "–",
        clock=_ended_at(pull),
        fight=pull.fight,
        time=teller.tongue.time(pull.seconds),
    )


def _counted(
    teller: Teller, who: str, pulls: Sequence[PullSummary], others: Sequence[Row] = ()
) -> str:
    """Count the pulls by outcome, including those of other logs."""
    counts = {
        "pulls": len(pulls),
        "kills": sum(pull.kill for pull in pulls),
        "wipes": sum(pull.ended == "wipe" for pull in pulls),
    }
    for row in others:
        if row.get("encounter") == "(all)":
            for name in counts:
                counts[name] += int(value_of(row, name))
    n, k, w = counts.values()
    if pulls and pulls[-1].ended in OF_MATCHES:
        return _matches(teller, who, pulls)
    open_ = sum(pull.ended not in ("kill", "wipe", "reset") for pull in pulls)
    told = teller.say("resets", n=n - k - w - open_) if n - k - w - open_ else ""
    told += teller.say("unfinished_n", n=open_) if open_ else ""
    return teller.say("pulls", who=who, n=n, k=k, w=w, r=told)


def _matches(teller: Teller, who: str, pulls: Sequence[PullSummary]) -> str:
    """Count matches by outcome, and say how it is known."""
    ends = Counter(pull.ended for pull in pulls)
    told = teller.tongue.joined([teller.say(f"n_{e}", n=ends[e]) for e in MATCHES if ends[e]])
    return teller.say("matches", who=who, n=len(pulls), list=told) + _rule(teller, pulls)


def _rule(teller: Teller, pulls: Sequence[PullSummary]) -> str:
    """Say that outcomes follow from deaths, if the log does not state the winners."""
    stated = any(member.team is not None for member in teller.night.members)
    judged = not stated and any(pull.ended in ("won", "lost") for pull in pulls)
    return f" {teller.say('by_deaths')}" if judged else ""


def _span(teller: Teller, pulls: Sequence[PullSummary]) -> str:
    """Name some pulls by difficulty and day, or the whole night by its title and days."""
    days = list(dict.fromkeys(pull.day for pull in pulls if pull.day))
    levels = {teller.tongue.level(pull.difficulty) for pull in pulls if pull.difficulty}
    one = [*(levels if len(levels) == 1 else ())]
    if len(days) > 1:
        span = teller.say("days", first=days[0], last=days[-1])
        return teller.say("log_of", title=" ".join(one) or teller.night.zone, days=span).strip(", ")
    if len(pulls) == len(teller.night.pulls) and teller.night.zone:
        one.insert(0, teller.night.zone)
    return " ".join([*one, *days]) or teller.night.title


def _all_bosses(teller: Teller, pulls: Sequence[PullSummary], others: Sequence[Row]) -> str:
    lead = _counted(teller, _span(teller, pulls), pulls, others)
    groups: dict[tuple[str, str], list[PullSummary]] = {}
    for pull in pulls:
        groups.setdefault((pull.name, pull.difficulty), []).append(pull)
    lines = []
    if teller.shape == "most":  # "which bosses cost us most"
        several = {key: some for key, some in groups.items() if len(some) > 1} or groups
        groups = dict(sorted(several.items(), key=lambda one: -len(one[1])))
    for (name, level), some in groups.items():
        ends: dict[str, int] = {}
        for pull in sorted(some, key=lambda pull: not pull.kill):
            end = teller.tongue.ending_key(pull)
            ends[end] = ends.get(end, 0) + 1
        parts = [_some(teller, count, end) for end, count in ends.items()]
        kills = [pull for pull in some if pull.kill]
        time = f" ({teller.tongue.time(kills[0].seconds)})" if len(kills) == 1 else ""
        level = teller.tongue.level(level)
        lines.append(f"{name}{f' ({level})' if level else ''}: {', '.join(parts)}{time}")
    for row in others:
        if row.get("encounter") not in ("(all)", None) and row.get("pulls"):
            parts = [
                _some(teller, int(value_of(row, f"{one}s")), f"ended_{one}")
                for one in ("kill", "wipe", "reset")
                if row.get(f"{one}s")
            ]
            lines.append(f"{row['encounter']}: {', '.join(parts)}")
    return "\n- ".join((lead, *lines[:24]))


def _some(teller: Teller, count: int, end: str) -> str:
    """Format a count of outcomes: "2 kills", "unknown outcome", "2 × unknown outcome"."""
    told = teller.say(end)
    if " " in told:
        return told if count == 1 else f"{count} × {told}"
    return f"{count} {told}{'s' if count > 1 else ''}"


def health(teller: Teller) -> Reply:
    """Describe how low the boss got, or else which try lasted longest; of several, the last."""
    tried = [pull for pull in teller.pulls if not pull.kill] or teller.pulls
    boss = tried[-1].name if tried else ""
    tried = [pull for pull in tried if pull.name == boss]
    told = ", ".join(try_of(teller, pull) for pull in tried[-10:])
    known = [pull for pull in tried if pull.boss_hp is not None and pull.boss_hp < 1]
    others = [p for p in teller.night.pulls if p.name == boss and p not in tried and p.boss_hp]
    if len(tried) == 1 and tried[0].boss_hp is not None and others:
        return Reply(_against(teller, tried[0], others[-1]))
    if all(pull.kill for pull in teller.pulls):
        return pulls(teller)
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


def _against(teller: Teller, pull: PullSummary, other: PullSummary) -> str:
    """Compare how low the boss got on two tries."""
    left, before = pull.boss_hp or 0, other.boss_hp or 0
    verdict = "alike" if abs(left - before) < 0.001 else "better" if left < before else "worse"
    return teller.say(
        "tries_apart",
        boss=pull.name,
        first=teller.tongue.percent(100 * left),
        fight=pull.fight,
        other=other.fight,
        second=teller.tongue.percent(100 * before),
        verdict=teller.say(verdict),
    )


def duration(teller: Teller) -> Reply:
    """Describe how long pulls took, and when they were."""
    question = teller.plan.question
    tried = [pull for pull in teller.pulls if not question.kind or pull.ended == question.kind]
    pulls = tried or teller.pulls
    told = [f"{teller.tongue.pull(pull)} ({pull.day} {pull.clock})" for pull in pulls]
    if asks_average(fold(question.text)) and pulls:
        whole = sum(pull.seconds for pull in pulls)
        mean, of = teller.tongue.time(whole / len(pulls)), teller.say("of_pulls")
        total = teller.tongue.time(whole)
        lead = teller.say("average", value=mean, total=total, n=len(pulls), of=of)
        return Reply(f"{lead} {teller.tongue.listed(told)}.")
    if (
        teller.plan.heard.night
        and teller.shape != "list"
        and not question.bosses
        and len(pulls) > 1
    ):
        first, last = pulls[0], pulls[-1]
        time = teller.tongue.time(last.start_s + last.seconds - first.start_s)
        given = {"since": first.clock, "until": _ended_at(last), "time": time, "n": len(pulls)}
        told = [teller.say("night_lasted", **given)]
    if len(pulls) == 1:
        extreme_ = len(teller.night.pulls) > 1 and teller.shape in ("most", "least")
        return Reply(_lasted(teller, pulls[0], teller.shape if extreme_ else "lasted"))
    return Reply(f"{_judged(teller, pulls)}{teller.tongue.listed(told)}.")


def _lasted(teller: Teller, pull: PullSummary, key: str) -> str:
    """Describe a pull's duration: of one pull, or of the longest or shortest."""
    level = f" ({teller.tongue.level(pull.difficulty)})" if pull.difficulty else ""
    end = teller.tongue.ending(pull)
    time, clock = teller.tongue.time(pull.seconds), f"{pull.day} {pull.clock}".strip()
    boss = f"{pull.name}{level}"
    key = "cut" if key == "lasted" and pull.ended == "unfinished" else key
    people = teller.say("of_people", n=pull.players) if pull.players else ""
    given = {"boss": boss, "n": pull.fight, "end": end, "time": time, "clock": clock}
    told = teller.say(f"{key}_one", **given, people=people)
    return f"{_judged(teller, [pull])}{told}"


def _judged(teller: Teller, pulls: Sequence[PullSummary]) -> str:
    """If asked, judge whether pulls were short: none was a full try, or there is no norm."""
    if not teller.plan.heard.verdict:
        return ""
    return teller.say("short_tries" if are_short(pulls) else "no_norm") + " "


def are_short(pulls: Sequence[PullSummary]) -> bool:
    """Whether none of these pulls was a full try or a kill."""
    return all(pull.seconds < FULL and not pull.kill for pull in pulls)


FULL = 60
"""Seconds from which an abandoned pull says something about its players."""


def extreme(teller: Teller) -> Reply:
    """Find the worst or best pull by its outcome, deaths and the raid's activity.

    A pull cut off by the end of the log counts as neither.
    """
    found = [row for sheet in of_tool(teller, "get_raid_execution") for row in sheet.rows]
    rows = [row for row in found if row.get("outcome") in ("kill", "wipe", "reset")]
    tried = [row for row in rows if row["outcome"] != "reset"] or rows
    if not tried:
        return Reply(
            teller.say("none_of", where=teller.where, what=teller.say("ended_kill"), of="")
        )
    question = teller.plan.question
    named = calling_words().best.search(fold(question.text))
    best = not question.lowest and bool(teller.shape == "most" or named)
    row = (min if best else max)(tried, key=badness)
    fight = int(value_of(row, "fight"))
    pull = teller.pull(fight)
    kind = "deaths" if teller.night.blind else "pull"
    told = teller.say(
        f"{'best' if best else 'worst'}_{kind}",
        pull=teller.tongue.pull(pull) if pull else row["encounter"],
        deaths=int(value_of(row, "deaths")),
        active=teller.tongue.percent(value_of(row, "active_percent")),
        dps=teller.tongue.number(round(value_of(row, "dps"))),
    )
    clean = not any(value_of(one, "deaths") or one["outcome"] != "kill" for one in tried)
    left_out = [one for one in found if one not in tried]
    parts = [*([teller.say("all_clean", n=len(tried))] if clean else []), told]
    parts += [teller.say("by_what")] if len(tried) > 1 else []
    if left_out:
        counts = Counter(str(one["encounter"]) for one in left_out)
        names = ", ".join(f"{name} ({n})" if n > 1 else name for name, n in counts.items())
        parts.append(teller.say("not_ranked", list=names))
    return Reply(" ".join(parts), fight=fight)


def badness(row: Row) -> tuple[bool, float, float, float]:
    """Sort key for how badly a pull went: outcome, deaths, boss health, activity."""
    health = value_of(row, "boss_hp_percent")
    return (
        row.get("outcome") != "kill",
        value_of(row, "deaths"),
        health,
        -value_of(row, "active_percent"),
    )


def summary(teller: Teller) -> Reply:
    """Summarise a night: the pulls, deaths, the slowest and fastest kill."""
    pulls_ = teller.pulls
    lines = [_counted(teller, _span(teller, pulls_), pulls_)]
    won = [pull for pull in pulls_ if pull.kill]
    if won:
        told = (f"{pull.name} {teller.tongue.time(pull.seconds)}" for pull in won)
        lines.append(teller.say("bosses_killed", list=teller.tongue.listed(told, 12)))
    names = {pull.name for pull in won}
    lost = dict.fromkeys(pull for pull in pulls_ if pull.name not in names)
    last = {pull.name: pull for pull in lost}
    if last:
        told = (teller.tongue.pull(pull) for pull in last.values())
        lines.append(teller.say("bosses_left", list="; ".join(told)))
    dead = [row for row in teller.rows if row.get("where")]
    counts = counts_of(teller, dead)
    people = most_dead(teller, counts, counts.people)
    key = "night_deaths_apart" if counts.outside else "night_deaths"
    died = teller.say(key, n=counts.n, outside=counts.outside, list=people)
    lines.append(died if dead else teller.say("nobody_died_here"))
    return Reply(" ".join(lines))
