"""Infers why a pull was a wipe, and what to change for the next one."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import OfFight
from ruleplay.agents.raid.domain.tool_result import Row, ToolOutcome
from ruleplay.agents.raid.tools.bloodlust import bloodlust
from ruleplay.agents.raid.tools.book import IN_PULL, Book, spread
from ruleplay.agents.raid.tools.casts import cooldown_rows
from ruleplay.agents.raid.tools.cells import number, texts
from ruleplay.agents.raid.tools.deaths import Death, read_deaths, verdict
from ruleplay.agents.raid.tools.library import open_pull
from ruleplay.agents.raid.tools.mechanics import (
    avoidable,
    by_spell,
    interruptible,
    read_casts,
    spells_of,
)
from ruleplay.agents.raid.tools.performance import activity
from ruleplay.agents.raid.tools.preparation import consumable_rows, known_consumables
from ruleplay.agents.raid.tools.pulls import PullRow

COLLAPSE_DEATHS = 3
COLLAPSE_SECONDS = 20
AT_ONCE, MANY = 1000, 4
"""Deaths within this many milliseconds are one event, if there are so many: no tank death."""
HEAD = 5
"""Number of deaths that start a collapse; later ones are its consequences."""
FIXES = 3
LOW_ACTIVITY = 70.0
"""Percent of activity below which a fix mentions it."""


LATE = 3_000
"""Milliseconds before a pull's end within which a debuff on much of the raid is told."""
MUCH = 1 / 3
"""Share of the players whom such a debuff must be on."""
_LATE_DEBUFFS = f"""
SELECT s.name, e.spell, count(DISTINCT e.target), min(e.ms), min(e.line), max(e.line)
FROM events e JOIN actors t ON t.id = e.target JOIN actors s ON s.id = e.source
WHERE {IN_PULL} AND e.event = 'SPELL_AURA_APPLIED' AND e.aura_type = 'DEBUFF' AND e.ms >= $since
    AND t.kind = 'player' AND s.kind = 'npc' GROUP BY ALL ORDER BY 3 DESC, 5
"""


@dataclass(frozen=True)
class Cause:
    """The inferred cause of a wipe: kind, description, time, and the player and ability."""

    kind: str
    says: str
    at: float
    line: int
    player: str | None = None
    ability: str | None = None
    amount: int | None = None


def get_wipe_cause(reports: Reports, args: OfFight) -> ToolOutcome:
    """Describe the chain of events that led to a wipe, starting with the inferred cause."""
    book, pull, _ = open_pull(reports, args)
    deaths = read_deaths(book, pull)
    lust, auras = ([], []) if pull.kill else bloodlust(book, pull)
    rows = [] if pull.kill else _chain(book, pull, deaths, lust)
    notes = [
        "The cause is inferred: what killed the first of the deaths with which the raid collapsed"
        f" ({COLLAPSE_DEATHS} deaths within {COLLAPSE_SECONDS} s), and what kind of death it was.",
        "Threat and positions of the boss are not read; the log names no killer.",
    ]
    if not pull.kill and pull.ended != "wipe":
        notes[0] = (
            f"This pull ended as {pull.ended}, by the number of deaths: no cause is inferred."
        )
    if pull.kill:
        notes = ["This pull was a kill; there is no wipe to explain."]
    lines = [(d.hits[0].line if d.hits else d.line, d.line) for d in deaths]
    late = [] if pull.kill else _late_debuffs(book, pull)
    rows[-1:-1] = [row for row, _ in late]
    lines += [seen for _, seen in late]
    return book.tell(rows, pull=pull, lines=[*lines, *spread(auras)] or None, notes=notes)


def _late_debuffs(book: Book, pull: PullRow) -> list[tuple[Row, tuple[int, int]]]:
    """List the enemies' debuffs that at least a third of the players got in the last seconds.

    Each comes with its first and last line.
    """
    found = book.ask(_LATE_DEBUFFS, pull.scope | {"since": pull.end_ms - LATE})
    return [
        (
            {
                "fight": pull.fight,
                "what": "debuff at the end",
                "at": pull.at(ms),
                "ability": ability,
                "killer": source,
                "amount": count,
                "says": f"put on {count} of {pull.players} players in the last {LATE // 1000} s",
                "line": first,
            },
            (first, last),
        )
        for source, ability, count, ms, first, last in found
        if count >= MUCH * pull.players
    ]


def _chain(book: Book, pull: PullRow, deaths: list[Death], lust: list[Row]) -> list[Row]:
    steps: list[Row] = [_step("cause", cause) for cause in find_cause(book, pull, deaths)]
    if deaths:
        steps.append(_death_step("first death", pull, deaths[0]))
    steps += [_death_step("tank death", pull, d) for d in deaths if d.player.role == "tank"]
    start = collapse(deaths)
    if start is not None:
        steps.append(_death_step("collapse begins", pull, deaths[start]))
    steps += [
        {"what": "Bloodlust", "at": one["at"], "player": one["player"], "ability": one["ability"]}
        for one in lust
    ]
    if not lust and book.logs_blows:
        steps.append({"what": "no Bloodlust", "at": None})
    steps.append(
        {
            "what": "end",
            "at": pull.seconds,
            "says": f"{len(deaths)} deaths",
            "amount": len(deaths),
            "boss_hp_percent": pull.boss_hp_percent,
        }
    )
    return [{"fight": pull.fight, **step} for step in steps]


def _step(what: str, cause: Cause) -> Row:
    told: Row = asdict(cause)
    line = told.pop("line")
    return {"what": what, **told, "inferred": True, "line": line}


def _death_step(what: str, pull: PullRow, death: Death) -> Row:
    blow = death.killing
    return {
        "what": what,
        "at": pull.at(death.ms),
        "player": death.player.name,
        "role": death.player.role,
        "ability": blow.ability if blow else None,
        "killer": blow.source if blow else None,
        "amount": blow.amount if blow else None,
        "line": death.line,
    }


def collapse(deaths: list[Death]) -> int | None:
    """Find the index of the first death of the last run of deaths; None without a run.

    In a run, each death follows within COLLAPSE_SECONDS; it has at least COLLAPSE_DEATHS deaths.
    """
    start = len(deaths) - 1
    while start > 0 and deaths[start].ms - deaths[start - 1].ms <= COLLAPSE_SECONDS * 1000:
        start -= 1
    return start if len(deaths) - start >= COLLAPSE_DEATHS else None


def find_cause(book: Book, pull: PullRow, deaths: list[Death]) -> list[Cause]:
    """Infer the causes of a wipe; empty if the log shows none."""
    if not deaths:
        return []
    if pull.ended != "wipe":
        return []
    start = collapse(deaths) or 0
    run = deaths[start:]
    head, first = run[:HEAD], run[0]
    at_once = sum(death.ms - first.ms <= AT_ONCE for death in run)
    if first.player.role == "tank" and at_once < MANY:
        return [_tank_cause(pull, first, len(run) - 1)]
    if cause := _spell_cause(book, pull, head):
        return [cause]
    if at_once >= MANY:
        says = f"{at_once} deaths within a second, {first.player.name} first"
        return [_of(first, "deaths in a row", says, pull)]
    tanks = [death for death in head if death.player.role == "tank"]
    if tanks:
        return [_tank_cause(pull, tanks[0], len(run) - 1 - run.index(tanks[0]))]
    if len(run) < COLLAPSE_DEATHS:
        return []
    says = f"{len(run)} deaths in a row, {first.player.name} first"
    return [_of(first, "deaths in a row", says, pull)]


def _tank_cause(pull: PullRow, death: Death, more: int) -> Cause:
    says = f"the tank {death.player.name} died ({verdict(death)}), followed by {more} more deaths"
    return _of(death, "tank death", says, pull)


def _spell_cause(book: Book, pull: PullRow, head: list[Death]) -> Cause | None:
    """Find the avoidable or interruptible spell that caused most of the first deaths."""
    blows = [death.killing for death in head if death.killing and death.killing.spell_id]
    common = Counter(blow.spell_id for blow in blows).most_common(1)
    if not common or 2 * common[0][1] < len(head):
        return None
    spell_id, count = common[0]
    ability = next(blow.ability for blow in blows if blow.spell_id == spell_id)
    at, line = pull.at(head[0].ms), head[0].line
    known = spells_of(pull, "avoidable")
    if spell_id in known:
        says = f"{count} of the first {len(head)} deaths by {ability}: {known[spell_id].detail}"
        return Cause("avoidable damage", says, at, line, None, ability, count)
    casts = read_casts(book, pull, interruptible(book, pull))
    through = [c for c in casts if c.outcome == "went through" and c.spell_id == spell_id]
    if not through:
        return None
    says = f"{ability} went through {len(through)} times and killed {count}"
    return Cause("missed interrupts", says, at, line, None, ability, len(through))


def _of(death: Death, kind: str, says: str, pull: PullRow) -> Cause:
    blow = death.killing
    return Cause(
        kind,
        says,
        pull.at(death.ms),
        death.line,
        death.player.name,
        blow.ability if blow else None,
        blow.amount if blow else None,
    )


@dataclass(frozen=True)
class Fix:
    """A suggested change with its evidence; `weight` determines the order."""

    weight: float
    fix: str
    evidence: str
    measure: str
    value: float
    player: str | None = None
    ability: str | None = None


def get_next_pull_fixes(reports: Reports, args: OfFight) -> ToolOutcome:
    """Suggest the three most worthwhile changes for the next pull."""
    book, pull, _ = open_pull(reports, args)
    found = sorted(_fixes(book, pull), key=lambda fix: -fix.weight)[:FIXES]
    rows: list[Row] = [
        {"rank": place, **asdict(fix), "inferred": True} for place, fix in enumerate(found, 1)
    ]
    for row in rows:
        del row["weight"]
    notes = [
        "Ordered by what cost most in this pull: the cause of the wipe, missed interrupts,"
        " avoidable damage, preparation, cooldowns, activity. The order is a judgement.",
    ]
    if not rows:
        notes.append("Nothing in this pull's lines stands out.")
    return book.tell(rows, pull=pull, notes=notes)


def _fixes(book: Book, pull: PullRow) -> list[Fix]:
    deaths = read_deaths(book, pull)
    fixes = [] if pull.kill else _cause_fixes(find_cause(book, pull, deaths))
    if not book.logs_blows:
        return fixes
    return [
        *fixes,
        *_interrupt_fixes(book, pull),
        *_avoidable_fixes(book, pull),
        *_preparation_fixes(book, pull),
        *_cooldown_fixes(book, pull),
        *_activity_fixes(book, pull),
        *_lust_fixes(book, pull),
    ]


def _cause_fixes(causes: list[Cause]) -> list[Fix]:
    advice = {
        "tank death": "Keep the tank up: a healer fixed on the tank and a defensive cooldown",
        "avoidable damage": "Move out in time",
        "missed interrupts": "Give each cast an interrupter and a second one",
        "deaths in a row": "Survive the first death's moment: spread heals, use healthstones",
    }
    return [
        Fix(
            100,
            advice[cause.kind],
            f"{cause.says}, at {cause.at:g} s",
            "amount",
            float(cause.amount or 0),
            cause.player,
            cause.ability,
        )
        for cause in causes
    ]


def _interrupt_fixes(book: Book, pull: PullRow) -> list[Fix]:
    known = interruptible(book, pull)
    rows = by_spell(pull, read_casts(book, pull, known), known)
    return [
        Fix(
            60 + number(row["missed"]),
            f"Interrupt {row['ability']} of {row['caster']}",
            f"{row['missed']} of {row['casts']} casts went through",
            "missed",
            number(row["missed"]),
            None,
            str(row["ability"]),
        )
        for row in rows
        if number(row["missed"])
    ][:1]


def _avoidable_fixes(book: Book, pull: PullRow) -> list[Fix]:
    rows = avoidable(book, pull)
    if not rows:
        return []
    spells = Counter[str]()
    for row in rows:
        spells[str(row["ability"])] += int(number(row["damage_taken"]))
    ability, total = spells.most_common(1)[0]
    worst = max(
        (row for row in rows if row["ability"] == ability), key=lambda r: number(r["damage_taken"])
    )
    taken = int(number(worst["damage_taken"]))
    return [
        Fix(
            50 + 10 * sum(number(row["deaths"]) for row in rows),
            f"{ability}: {worst['advice']}",
            f"the raid took {total:,} from it, {worst['player']} the most with {taken:,}",
            "damage_taken",
            taken,
            str(worst["player"]),
            ability,
        )
    ]


def _preparation_fixes(book: Book, pull: PullRow) -> list[Fix]:
    rows = [
        row for row in consumable_rows(book, pull, known_consumables(book))[0] if row["missing"]
    ]
    if not rows:
        return []
    told = [f"{row['player']} ({', '.join(texts(row['missing']))})" for row in rows]
    return [
        Fix(
            30,
            "Come with flask, food and weapon oil",
            f"{len(rows)} players lacked something: {'; '.join(told[:6])}",
            "players",
            float(len(rows)),
        )
    ]


def _cooldown_fixes(book: Book, pull: PullRow) -> list[Fix]:
    rows = cooldown_rows(book, pull)[0]
    idle = [r for r in rows if r["kind"] == "damage" and not r["uses"]]
    if not idle or pull.seconds < 60:
        return []
    told = [f"{row['player']} ({row['cooldown']})" for row in idle]
    return [
        Fix(
            25,
            "Use damage cooldowns once at least",
            f"{len(idle)} stayed unused: {'; '.join(told[:6])}",
            "unused",
            float(len(idle)),
        )
    ]


def _activity_fixes(book: Book, pull: PullRow) -> list[Fix]:
    rows = [
        row
        for row in activity(book, pull)
        if row["role"] == "damage" and number(row["active_percent"]) < LOW_ACTIVITY
    ]
    if not rows:
        return []
    worst = min(rows, key=lambda row: number(row["active_percent"]))
    return [
        Fix(
            20,
            "Keep casting",
            f"{worst['player']} was active {worst['active_percent']}% of the time alive",
            "active_percent",
            number(worst["active_percent"]),
            str(worst["player"]),
        )
    ]


def _lust_fixes(book: Book, pull: PullRow) -> list[Fix]:
    if bloodlust(book, pull)[0] or pull.seconds < 60 or not book.has_lists(pull):
        return []  # clients without Bloodlust of shamans cannot lack it
    shamans = [p.name for p in book.taking_part(pull) if p.class_ == "Shaman"]
    if not shamans:
        return []
    says = f"not cast in {pull.seconds:g} s; shamans: {', '.join(shamans)}"
    return [Fix(40, "Cast Bloodlust or Heroism", says, "casts", 0.0)]
