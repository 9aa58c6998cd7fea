"""Compares nights, players and specs."""

from __future__ import annotations

from collections import defaultdict
from statistics import median

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import OfEncounter, OfSpec, TwoPlayers, TwoReports
from ruleplay.agents.raid.domain.tool_result import Row, ToolOutcome
from ruleplay.agents.raid.tools.book import Book
from ruleplay.agents.raid.tools.cells import number
from ruleplay.agents.raid.tools.deeds import ACTIVE_RULE, DAMAGE_RULE, HEALING_RULE, totals
from ruleplay.agents.raid.tools.finding import of_pulls
from ruleplay.agents.raid.tools.library import fights_of, open_pull, open_two
from ruleplay.agents.raid.tools.performance import ABILITIES, activity
from ruleplay.agents.raid.tools.preparation import worn
from ruleplay.agents.raid.tools.progress import RATE_RULE, execution_rows, parses, same_spec
from ruleplay.agents.raid.tools.pulls import PullRow
from ruleplay.errors import NotFound


def compare_two_raids(reports: Reports, args: TwoReports) -> ToolOutcome:
    """Compare two reports boss by boss, then as a whole; `a` is the earlier one."""
    first, second = open_two(reports, args.report_a, args.report_b)
    sides = {"a": _sides(first), "b": _sides(second)}
    names = dict.fromkeys([*sides["a"], *sides["b"]])
    rows: list[Row] = []
    for name in names:
        row: Row = {"encounter": name, "report_a": first.code, "report_b": second.code}
        for side, found in sides.items():
            row |= {f"{key}_{side}": value for key, value in found.get(name, _none()).items()}
        rows.append(row)
    rows.sort(key=lambda row: row["encounter"] == ALL)
    notes = (
        f"a is {first.code}, b is {second.code}. Rates are those of the fastest kill, pets'"
        " damage included; without a kill there are none.",
    )
    spans = {book.code: [(p.first, p.last) for p in book.pulls] for book in (first, second)}
    return second.tell(rows, lines=spans.pop(second.code) or None, elsewhere=spans, notes=notes)


ALL = "(all)"


def _none() -> Row:
    return {
        "pulls": 0,
        "kills": 0,
        "wipes": 0,
        "deaths": 0,
        "fastest_kill_seconds": None,
        "dps": None,
        "hps": None,
    }


def _sides(book: Book) -> dict[str, Row]:
    rows = execution_rows(book, list(book.pulls))
    names = dict.fromkeys(str(row["encounter"]) for row in rows)
    found = {name: _side([row for row in rows if row["encounter"] == name]) for name in names}
    whole = _side(rows)
    whole |= {"fastest_kill_seconds": None, "dps": None, "hps": None}
    return {**found, ALL: whole} if rows else {}


def _side(rows: list[Row]) -> Row:
    kills = [row for row in rows if row["outcome"] == "kill"]
    fastest = min(kills, key=lambda row: number(row["seconds"]), default=None)
    return {
        "pulls": len(rows),
        "kills": len(kills),
        "wipes": sum(row["outcome"] == "wipe" for row in rows),
        "deaths": int(sum(number(row["deaths"]) for row in rows)),
        "fastest_kill_seconds": fastest["seconds"] if fastest else None,
        "dps": fastest["dps"] if fastest else None,
        "hps": fastest["hps"] if fastest else None,
    }


def compare_players(reports: Reports, args: TwoPlayers) -> ToolOutcome:
    """Compare two players' totals in a pull, then their abilities."""
    book, pull, _ = open_pull(reports, args)
    there = [player.id for player in book.taking_part(pull)]
    pair = [book.player(args.player_a, there), book.player(args.player_b, there)]
    sums = totals(book, [pull])
    active = {row["player_id"]: row for row in activity(book, pull)}
    levels = {row["name"]: row["item_level"] for row in worn(book, [pull])}
    rows: list[Row] = []
    details: list[Row] = []
    for player in pair:
        did = sums.get((pull.fight, player.id), {})
        abilities = book.rows(ABILITIES, pull.scope | {"player": player.id})
        details += abilities
        seconds = max(pull.seconds, 0.1)
        rows.append(
            {
                **player.told,
                "damage": did.get("damage", 0),
                "pet_damage": did.get("pet_damage", 0),
                "dps": round(did.get("total_damage", 0) / seconds, 1),
                "healing": did.get("healing", 0),
                "hps": round(did.get("total_healing", 0) / seconds, 1),
                "overheal": did.get("overheal", 0),
                "damage_taken": did.get("damage_taken", 0),
                "deaths": did.get("deaths", 0),
                "active_percent": active[player.id]["active_percent"],
                "casts": did.get("casts", 0),
                "crit_percent": _crits(abilities),
                "item_level": levels.get(player.name),
            }
        )
    kept = ("player", "ability", "damage", "healing", "hits", "casts", "crit_percent")
    # Both sides of an ability stand together, the widest differences first.
    gaps: dict[str, float] = defaultdict(float)
    for row in details:
        sign = 1 if row["player"] == pair[0].name else -1
        gaps[str(row["ability"])] += sign * (number(row["damage"]) + number(row["healing"]))
    details.sort(key=lambda row: (-abs(gaps[str(row["ability"])]), str(row["ability"])))
    rows += [{key: row[key] for key in kept} for row in details]
    notes = (
        DAMAGE_RULE,
        HEALING_RULE,
        RATE_RULE,
        ACTIVE_RULE + " Its percentage is of the time alive.",
        "Of gear only the average item level is compared; buffs and orders are not.",
    )
    return book.tell(rows, pull=pull, notes=notes)


def _crits(abilities: list[Row]) -> float:
    hits = sum(number(row["hits"]) for row in abilities)
    crits = sum(number(row["hits"]) * number(row["crit_percent"]) / 100 for row in abilities)
    return round(100 * crits / hits, 1) if hits else 0.0


def _kills(
    reports: Reports, boss: str
) -> tuple[list[Row], list[tuple[Book, PullRow]], list[PullRow]]:
    """Collect the parses of all kills of a boss, the kills, and all its pulls."""
    rows: list[Row] = []
    kills: list[tuple[Book, PullRow]] = []
    pulls: list[PullRow] = []
    for book, found in fights_of(reports, boss):
        killed = [pull for pull in found if pull.kill]
        rows += parses(book, killed)
        kills += [(book, pull) for pull in killed]
        pulls += found
    return rows, kills, pulls


def get_spec_leaderboard(reports: Reports, args: OfEncounter) -> ToolOutcome:
    """Rank specs by their best damage per second in imported kills."""
    parsed, kills, _ = _kills(reports, args.encounter_name)
    if not kills:
        return ToolOutcome(notes=("No kill of this boss is imported.",))
    grouped: dict[tuple[str, str], list[Row]] = {}
    for row in parsed:
        if row["role"] != "healer":
            grouped.setdefault((str(row["class"]), str(row["spec"])), []).append(row)
    rows = [_spec_row(key, found) for key, found in grouped.items()]
    rows.sort(key=lambda row: -number(row["best_dps"]))
    return of_pulls(rows, kills, ("Imported kills only; healers are left out.", RATE_RULE))


def _spec_row(key: tuple[str, str], rows: list[Row]) -> Row:
    best = max(rows, key=lambda row: number(row["dps"]))
    return {
        "class": key[0],
        "spec": key[1] or "unknown",
        "best_dps": best["dps"],
        "best_player": best["player"],
        "best_report": best["report"],
        "best_fight": best["fight"],
        "median_dps": round(median(number(row["dps"]) for row in rows), 1),
        "players": len({row["player"] for row in rows}),
        "count": len(rows),
        "active_percent": round(median(number(row["active_percent"]) for row in rows), 1),
    }


def get_encounter_benchmarks(reports: Reports, args: OfEncounter) -> ToolOutcome:
    """Describe what kills of a boss look like in the imported reports."""
    parsed, kills, pulls = _kills(reports, args.encounter_name)
    times = [pull.seconds for _, pull in kills]
    damage = [
        sum(number(row["damage"]) for row in parsed if _same(row, book, pull)) / (pull.seconds or 1)
        for book, pull in kills
    ]
    deaths = [
        sum(number(row["deaths"]) for row in parsed if _same(row, book, pull))
        for book, pull in kills
    ]
    row: Row = {
        "encounter": pulls[0].name if args.encounter_name else ALL,
        "pulls": len(pulls),
        "kills": len(kills),
        "wipes": sum(pull.ended == "wipe" for pull in pulls),
        "fastest_kill_seconds": min(times, default=None),
        "median_kill_seconds": round(median(times), 1) if times else None,
        "best_dps": round(max(damage), 1) if damage else None,
        "median_dps": round(median(damage), 1) if damage else None,
        "deaths": median(deaths) if deaths else None,
    }
    notes = (
        "Imported reports only: no public rankings are in this. Damage is the raid's without pets;"
        " deaths: the median of the kills.",
    )
    if not kills:
        return ToolOutcome(rows=(row,), notes=(*notes, "No kill is imported."))
    return of_pulls([row], kills, notes)


def _same(row: Row, book: Book, pull: PullRow) -> bool:
    return row["report"] == book.code and row["fight"] == pull.fight


def get_spec_benchmark(reports: Reports, args: OfSpec) -> ToolOutcome:
    """Describe a spec's performance in imported kills of a boss."""
    parsed, kills, _ = _kills(reports, args.encounter_name)
    rows = [row for row in parsed if same_spec(row, args.class_name, args.spec_name)]
    if not rows:
        there = sorted({f"{row['class']} {row['spec']}".strip() for row in parsed})
        what = f"{args.spec_name} {args.class_name}".strip()
        raise NotFound(f"no {what!r} in imported kills; there are {', '.join(there) or 'none'}")
    row = _spec_row((str(rows[0]["class"]), args.spec_name or "(all)"), rows)
    return of_pulls(
        [row], kills, ("Imported kills only: no public rankings are in this.", RATE_RULE)
    )
