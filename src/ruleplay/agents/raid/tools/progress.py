"""Progress from pull to pull and from week to week."""

from __future__ import annotations

from statistics import median

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import (
    MyPerformance,
    OfEncounter,
    OfReport,
    Progression,
    Regressions,
    WipeProgression,
)
from ruleplay.agents.raid.domain.tool_result import Row, ToolOutcome
from ruleplay.agents.raid.tools.book import Book
from ruleplay.agents.raid.tools.cells import number
from ruleplay.agents.raid.tools.deaths import deaths_of, first_of
from ruleplay.agents.raid.tools.deeds import (
    ACTIVE_RULE,
    DAMAGE_RULE,
    HEALING_RULE,
    nobodys_pets,
    totals,
)
from ruleplay.agents.raid.tools.finding import of_pulls
from ruleplay.agents.raid.tools.library import fights_of, history, open_book, pull_row
from ruleplay.agents.raid.tools.names import find_name, fold
from ruleplay.agents.raid.tools.performance import activities
from ruleplay.agents.raid.tools.pulls import PullRow, of_boss
from ruleplay.errors import NotFound

RECENT_KILLS = 2
EARLIER_KILLS = 5
RATE_RULE = "Per second of the pull's whole duration; rates include pets."


def parses(book: Book, pulls: list[PullRow]) -> list[Row]:
    """List what each player did on each of these pulls, oldest pull first."""
    if not pulls:
        return []
    sums = totals(book, pulls)
    book.prepare(book.together(pulls))
    rows: list[Row] = []
    for pull in pulls:
        seconds = max(pull.seconds, 0.1)
        for player in book.taking_part(pull):
            did = sums.get((pull.fight, player.id), {})
            damage, healing = did.get("damage", 0), did.get("healing", 0)
            rows.append(
                {
                    "report": book.code,
                    "fight": pull.fight,
                    "encounter": pull.name,
                    "outcome": pull.ended,
                    **player.told,
                    "seconds": pull.seconds,
                    "damage": damage,
                    "pet_damage": did.get("pet_damage", 0),
                    "dps": round(did.get("total_damage", 0) / seconds, 1),
                    "healing": healing,
                    "hps": round(did.get("total_healing", 0) / seconds, 1),
                    "deaths": did.get("deaths", 0),
                    "active_percent": round(
                        min(100.0, 100 * did.get("active_seconds", 0.0) / seconds), 1
                    ),
                }
            )
    return rows


_PARSE_RULES = (
    DAMAGE_RULE,
    HEALING_RULE,
    RATE_RULE,
    ACTIVE_RULE + " Here its percentage is of the whole pull.",
)


def _of_player(
    reports: Reports, boss: str, name: str
) -> tuple[list[Row], list[tuple[Book, PullRow]]]:
    """Collect a player's parses on a boss, oldest first, and the pulls; NotFound suggests names."""
    found = fights_of(reports, boss)
    everyone: list[Row] = []
    for book, pulls in reversed(found):
        everyone += parses(book, pulls)
    player = find_name(name, dict.fromkeys(str(row["player"]) for row in everyone), "player")
    rows = [row for row in everyone if row["player"] == player]
    there = {(row["report"], row["fight"]) for row in rows}
    seen = [(b, p) for b, pulls in found for p in pulls if (b.code, p.fight) in there]
    return rows, seen


def get_my_performance(reports: Reports, args: MyPerformance) -> ToolOutcome:
    """List a player's history, or the best damage, healing and kill time per boss."""
    rows, seen = _of_player(reports, args.encounter_name, args.player_name)
    if args.bests_only:
        bosses = dict.fromkeys(row["encounter"] for row in rows)
        rows = [
            best for boss in bosses for best in _bests([r for r in rows if r["encounter"] == boss])
        ]
    return of_pulls(rows, seen, _PARSE_RULES)


def _bests(rows: list[Row]) -> list[Row]:
    kills = [row for row in rows if row["outcome"] == "kill"] or rows
    best = [
        {"best": "dps", **max(kills, key=lambda row: number(row["dps"]))},
        {"best": "hps", **max(kills, key=lambda row: number(row["hps"]))},
        {"best": "fastest", **min(kills, key=lambda row: number(row["seconds"]))},
    ]
    return [dict(row) for row in best]


def get_progression(reports: Reports, args: Progression) -> ToolOutcome:
    """List each pull of a boss that a character took part in, oldest first."""
    rows, seen = _of_player(reports, args.encounter_name, args.character_name)
    return of_pulls(rows, seen, _PARSE_RULES)


def get_wipe_progression(reports: Reports, args: WipeProgression) -> ToolOutcome:
    """List the attempts on a boss in one report, by default its most pulled boss."""
    book = open_book(reports, args.report_code)
    if not book.pulls:
        raise NotFound(f"report {book.code!r} has no pull of a boss")
    if args.encounter_name:
        pulls = of_boss(book.pulls, args.encounter_name)
    else:
        names = [pull.name for pull in book.pulls]
        pulls = of_boss(book.pulls, max(names, key=names.count))
    rows: list[Row] = []
    died = deaths_of(book, pulls)
    for attempt, pull in enumerate(pulls, 1):
        row = pull_row(book, pull) | {"attempt": attempt}
        rows.append(row | first_of(pull, died[pull.fight]))
    notes = (
        "Boss health is that of the healthiest boss, as last logged in the pull.",
        "What the first death died of is inferred.",
    )
    lines = [(pull.first, pull.last) for pull in pulls]
    return book.tell(rows, lines=lines, notes=notes)


def get_regressions(reports: Reports, args: Regressions) -> ToolOutcome:
    """Compare recent with earlier kills per player and boss, largest loss first."""
    kills: dict[tuple[str, str], list[Row]] = {}
    seen: list[tuple[Book, PullRow]] = []
    counted: dict[str, int] = {}
    for book in history(reports):
        killed: list[PullRow] = []
        for pull in reversed(book.pulls):
            counted[pull.name] = counted.get(pull.name, 0) + pull.kill
            if pull.kill and counted[pull.name] <= RECENT_KILLS + EARLIER_KILLS:
                killed.insert(0, pull)
        seen += [(book, pull) for pull in killed]
        for row in reversed(parses(book, killed)):
            kills.setdefault((str(row["player"]), str(row["encounter"])), []).append(row)
    if args.player_name:
        name = find_name(args.player_name, dict.fromkeys(key[0] for key in kills), "player")
        kills = {key: rows for key, rows in kills.items() if key[0] == name}
    rows = [row for row in (_regression(key, found) for key, found in kills.items()) if row]
    rows.sort(key=lambda row: number(row["change_percent"]))
    notes = [
        f"Medians of the last {RECENT_KILLS} kills of a boss against up to {EARLIER_KILLS} kills"
        " before; the change is of healing per second for healers, else of damage per second.",
        RATE_RULE,
    ]
    if not rows:
        notes.append(
            f"No boss was killed often enough: {RECENT_KILLS + 1} kills are needed, in the imported"
            " reports."
        )
    if not seen:
        return ToolOutcome(notes=tuple(notes))
    return of_pulls(rows, seen, tuple(notes))


def _regression(key: tuple[str, str], kills: list[Row]) -> Row | None:
    recent, earlier = kills[:RECENT_KILLS], kills[RECENT_KILLS : RECENT_KILLS + EARLIER_KILLS]
    if not earlier:
        return None
    measure = "hps" if kills[0]["role"] == "healer" else "dps"
    before, now = _median(earlier, measure), _median(recent, measure)
    return {
        "player": key[0],
        "encounter": key[1],
        "recent_dps": _median(recent, "dps"),
        "earlier_dps": _median(earlier, "dps"),
        "recent_hps": _median(recent, "hps"),
        "earlier_hps": _median(earlier, "hps"),
        "measure": measure,
        "change_percent": round(100 * (now - before) / before, 1) if before else None,
        "recent_kills": len(recent),
        "earlier_kills": len(earlier),
    }


def _median(rows: list[Row], column: str) -> float:
    return round(median(number(row[column]) for row in rows), 1)


def _made(book: Book, pulls: list[PullRow]) -> dict[int, tuple[int, int]]:
    """Sum the interrupts and dispels of pulls, including those by pets."""
    made: dict[int, tuple[int, int]] = {}
    for (fight, _), one in totals(book, pulls).items():
        before = made.get(fight, (0, 0))
        made[fight] = (before[0] + int(one["interrupts"]), before[1] + int(one["dispels"]))
    return made


def get_raid_execution(reports: Reports, args: OfReport) -> ToolOutcome:
    """Summarise a report pull by pull."""
    book = open_book(reports, args.report_code)
    rows = execution_rows(book, list(book.pulls))
    notes = (
        "Damage and healing are the sums over players, pets' damage included, also of pets of"
        " nobody known; activity is the mean of the players while alive.",
        "Overheal in percent of everything healed.",
    )
    return book.tell(rows, lines=[(p.first, p.last) for p in book.pulls] or None, notes=notes)


def execution_rows(book: Book, pulls: list[PullRow]) -> list[Row]:
    """Sum the raid's results for each pull."""
    if not pulls:
        return []
    sums = totals(book, pulls)
    book.prepare(pulls)
    made = _made(book, pulls)
    moved = activities(book, pulls)
    strays = nobodys_pets(book, pulls)
    rows: list[Row] = []
    for pull in pulls:
        there = {player.id for player in book.taking_part(pull)}
        did = [one for (fight, who), one in sums.items() if fight == pull.fight and who in there]
        damage = sum(one["total_damage"] for one in did)
        damage += sum(strays.get(pull.fight, {}).values())
        healing = sum(one["total_healing"] for one in did)
        overheal = sum(one["overheal"] for one in did)
        active = [number(row["active_percent"]) for row in moved[pull.fight]]
        seconds = max(pull.seconds, 0.1)
        interrupts, dispels = made.get(pull.fight, (0, 0))
        rows.append(
            pull_row(book, pull)
            | {
                "damage": damage,
                "dps": round(damage / seconds, 1),
                "healing": healing,
                "hps": round(healing / seconds, 1),
                "overheal_percent": round(100 * overheal / ((healing + overheal) or 1), 1),
                "deaths": sum(one["deaths"] for one in did),
                "interrupts": interrupts,
                "dispels": dispels,
                "active_percent": round(sum(active) / (len(active) or 1), 1),
            }
        )
    return rows


def get_deaths_and_mechanics(reports: Reports, args: OfEncounter) -> ToolOutcome:
    """List deaths, interrupts and dispels per pull of a boss, newest report first."""
    found = fights_of(reports, args.encounter_name)
    rows: list[Row] = []
    seen: list[tuple[Book, PullRow]] = []
    for book, pulls in found:
        made = _made(book, pulls)
        died = deaths_of(book, pulls)
        for pull in pulls:
            interrupts, dispels = made.get(pull.fight, (0, 0))
            counts: Row = {"interrupts": interrupts, "dispels": dispels}
            rows.append(pull_row(book, pull) | counts | first_of(pull, died[pull.fight]))
            seen.append((book, pull))
    return of_pulls(rows, seen, ("What the first death died of is inferred.",))


def same_spec(row: Row, class_name: str, spec_name: str) -> bool:
    """Whether a parse is of a class and spec; an empty spec matches any."""
    return fold(str(row["class"])) == fold(class_name) and (
        not spec_name or fold(str(row["spec"])) == fold(spec_name)
    )
