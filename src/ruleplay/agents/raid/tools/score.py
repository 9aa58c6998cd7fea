"""A performance score that discloses its components."""

from __future__ import annotations

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import OfFightPlayer
from ruleplay.agents.raid.domain.reference import tables
from ruleplay.agents.raid.domain.tool_result import Row, ToolOutcome
from ruleplay.agents.raid.tools.book import Book
from ruleplay.agents.raid.tools.casts import STARTED, cooldown_rows, dot_rows
from ruleplay.agents.raid.tools.cells import number
from ruleplay.agents.raid.tools.library import open_pull
from ruleplay.agents.raid.tools.performance import activity
from ruleplay.agents.raid.tools.pulls import PullRow

WEIGHTS = {"activity": 50, "cooldowns": 25, "dots on the boss": 15, "finished casts": 10}


def get_rotation_score(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """Score each player, with the measures it consists of, lowest score first."""
    book, pull, who = open_pull(reports, args)
    measured = measures(book, pull, who)
    rows: list[Row] = []
    for player, values in sorted(measured.items(), key=lambda one: _score(one[1])):
        rows.append({"player": player, "measure": "score", "score": _score(values)})
        rows += [
            {"player": player, "measure": name, "value": value, "weight": WEIGHTS[name]}
            for name, value in values.items()
        ]
    notes = (
        "Score of 100: the weighted mean of the measures that apply, each in percent: activity"
        " (50), damage and mana cooldowns used of those possible (25), uptime of own damage over"
        " time on the boss (15), casts finished of those started (10). The weights are ours; the"
        " order of spells is not judged.",
    )
    return book.tell(rows, pull=pull, notes=notes)


def _score(values: dict[str, float]) -> float:
    weight = sum(WEIGHTS[name] for name in values)
    return round(sum(WEIGHTS[name] * value for name, value in values.items()) / (weight or 1), 1)


def measures(book: Book, pull: PullRow, who: int = 0) -> dict[str, dict[str, float]]:
    """Compute each player's measures in percent."""
    found: dict[str, dict[str, float]] = {}
    for row in activity(book, pull):
        if not who or row["player_id"] == who:
            found[str(row["player"])] = {"activity": number(row["active_percent"])}
    parts = {
        "cooldowns": _cooldowns(book, pull, who),
        "dots on the boss": _dots(book, pull, who),
        "finished casts": _finished(book, pull, who),
    }
    for name, values in parts.items():
        for player, value in values.items():
            if player in found:
                found[player][name] = value
    return found


def _cooldowns(book: Book, pull: PullRow, who: int) -> dict[str, float]:
    rows = [r for r in cooldown_rows(book, pull, who)[0] if r["kind"] in ("damage", "mana")]
    return _share(rows, "uses", "possible_uses")


def _dots(book: Book, pull: PullRow, who: int) -> dict[str, float]:
    known = tables.dots()
    best: dict[tuple[str, str], float] = {}
    for row in dot_rows(book, pull, who):
        if row["boss"] and row["spell_id"] in known:
            key = (str(row["player"]), str(row["ability"]))
            best[key] = max(best.get(key, 0.0), number(row["uptime_percent"]))
    found: dict[str, list[float]] = {}
    for (player, _), value in best.items():
        found.setdefault(player, []).append(value)
    return {player: round(sum(values) / len(values), 1) for player, values in found.items()}


def _finished(book: Book, pull: PullRow, who: int) -> dict[str, float]:
    rows = book.rows(STARTED, pull.scope | {"player": who})
    for row in rows:
        row["succeeded"] = min(number(row["succeeded"]), number(row["started"]))
    return _share(rows, "succeeded", "started")


def _share(rows: list[Row], part: str, whole: str) -> dict[str, float]:
    sums: dict[str, tuple[float, float]] = {}
    for row in rows:
        done, of = sums.get(str(row["player"]), (0.0, 0.0))
        sums[str(row["player"])] = (done + number(row[part]), of + number(row[whole]))
    return {player: round(100 * done / of, 1) for player, (done, of) in sums.items() if of}
