"""Public rankings that were imported; without them, the raid's own history."""

from __future__ import annotations

from statistics import median

from ruleplay.agents.raid.adapters.rankings import read_rankings
from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import ComparedToTop, OfReport, OfSpec
from ruleplay.agents.raid.domain.rankings import BossRankings, Ranking
from ruleplay.agents.raid.domain.reference import tables
from ruleplay.agents.raid.domain.tool_result import Row, ToolOutcome
from ruleplay.agents.raid.tools.cells import number
from ruleplay.agents.raid.tools.library import fights_of, open_book
from ruleplay.agents.raid.tools.names import find_name, fold
from ruleplay.agents.raid.tools.progress import parses, same_spec
from ruleplay.errors import NotFound

TOP = 10
NO_RANKINGS = (
    "No rankings are imported, so nothing can be said about other guilds. Import them with:"
    " ruleplay raid import-wcl CODE (it needs a Warcraft Logs client id and secret)."
)
LOCAL = "These rows are of the imported reports only, not of public rankings."


def _of_boss(reports: Reports, boss: str) -> list[Ranking]:
    """Select the ranked players of a boss, by part of its localised or English name."""
    asked = fold(boss)
    ids = {one.encounter_id for one in tables.bosses().values() if asked in fold(one.name)}
    found: list[Ranking] = []
    for one in read_rankings(reports.home):
        if one.encounter_id in ids or asked in fold(one.encounter):
            found += one.players
    return found


def _metric(class_name: str, spec_name: str) -> str:
    """Choose the metric by which a spec is ranked: healing for healers, else damage."""
    for one in tables.specs():
        if fold(one.class_) == fold(class_name) and fold(one.spec) == fold(spec_name):
            return "hps" if one.role == "healer" else "dps"
    return "dps"


def _of_spec(ranked: list[Ranking], class_name: str, spec_name: str) -> list[Ranking]:
    """Select a class and spec by its metric, best first; an empty spec matches any."""
    metric = _metric(class_name, spec_name)
    fits = [
        one
        for one in ranked
        if fold(one.class_name) == fold(class_name)
        and fold(one.metric) == metric
        and (not spec_name or fold(one.spec) == fold(spec_name))
    ]
    return sorted(fits, key=lambda one: -one.value)[:TOP]


def get_top_rankings(reports: Reports, args: OfSpec) -> ToolOutcome:
    """List the top ten of a spec on a boss, or the best of the raid's own kills."""
    top = _of_spec(_of_boss(reports, args.encounter_name), args.class_name, args.spec_name)
    if not top:
        return _local_top(reports, args)
    rows: list[Row] = [
        {
            "rank": place,
            "player": one.player,
            "class": one.class_name,
            "spec": one.spec,
            _metric(args.class_name, args.spec_name): one.value,
            "seconds": one.seconds,
            "report": one.report,
        }
        for place, one in enumerate(top, 1)
    ]
    return ToolOutcome(rows=tuple(rows), query="imported rankings", notes=(_source(top),))


def _source(ranked: list[Ranking]) -> str:
    metrics = ", ".join(sorted({one.metric for one in ranked}))
    return f"Rankings ({metrics}) as imported from Warcraft Logs."


def _local_top(reports: Reports, args: OfSpec) -> ToolOutcome:
    parsed: list[Row] = []
    for book, pulls in fights_of(reports, args.encounter_name):
        parsed += parses(book, [pull for pull in pulls if pull.kill])
    found = [row for row in parsed if same_spec(row, args.class_name, args.spec_name)]
    metric = _metric(args.class_name, args.spec_name)
    found.sort(key=lambda row: -number(row[metric]))
    kept = ("player", "class", "spec", metric, "seconds", "report", "fight")
    rows = tuple(
        {"rank": place, **{key: row[key] for key in kept}}
        for place, row in enumerate(found[:TOP], 1)
    )
    return ToolOutcome(rows=rows, query="own kills", notes=(NO_RANKINGS, LOCAL))


def compare_to_top(reports: Reports, args: ComparedToTop) -> ToolOutcome:
    """Compare a player's best kill with the median of the same spec's top ten."""
    parsed: list[Row] = []
    for book, pulls in fights_of(reports, args.encounter_name):
        parsed += parses(book, [pull for pull in pulls if pull.kill])
    if not parsed:
        raise NotFound(f"no kill of {args.encounter_name!r} is imported")
    name = find_name(
        args.player_name, dict.fromkeys(str(row["player"]) for row in parsed), "player"
    )
    mine = [row for row in parsed if row["player"] == name]
    latest = mine[-1]
    class_name = args.class_name or str(latest["class"])
    spec_name = args.spec_name or str(latest["spec"])
    metric = _metric(class_name, spec_name)
    same = [row for row in mine if same_spec(row, class_name, spec_name)] or mine
    best = max(same, key=lambda row: number(row[metric]))
    top = _of_spec(_of_boss(reports, args.encounter_name), class_name, spec_name)
    row: Row = {key: best[key] for key in ("player", "class", "spec", metric, "report", "fight")}
    if not top:
        peers = [row for row in parsed if same_spec(row, class_name, spec_name)] or same
        own = max(number(one[metric]) for one in peers)
        row |= {f"best_{metric}": own, "gap_percent": _gap(number(best[metric]), own)}
        note = "The gap is to the best of the same spec in the imported kills."
        return ToolOutcome(rows=(row,), query="own kills", notes=(NO_RANKINGS, LOCAL, note))
    middle = round(median(one.value for one in top), 1)
    row |= {f"top_{metric}": middle, "gap_percent": _gap(number(best[metric]), middle)}
    note = f"The median of the top {len(top)} {spec_name} {class_name}."
    return ToolOutcome(rows=(row,), query="imported rankings", notes=(_source(top), note))


def _gap(value: float, top: float) -> float | None:
    return round(100 * (top - value) / top, 1) if top else None


def compare_raid_to_top(reports: Reports, args: OfReport) -> ToolOutcome:
    """Compare the report's kill times with the fastest ranked kill of each boss."""
    book = open_book(reports, args.report_code)
    kills = [pull for pull in book.pulls if pull.kill]
    ranked = {one.encounter_id: one for one in read_rankings(reports.home)}
    rows: list[Row] = []
    for pull in kills:
        fastest = _fastest(ranked.get(pull.encounter_id or 0))
        rows.append(
            {
                "encounter": pull.name,
                "fight": pull.fight,
                "seconds": pull.seconds,
                "top_seconds": fastest,
                "gap_seconds": None if fastest is None else round(pull.seconds - fastest, 1),
            }
        )
    notes = [] if ranked else [NO_RANKINGS]
    if not kills:
        notes.append("The report has no kill.")
    return book.tell(rows, lines=[(p.first, p.last) for p in kills] or None, notes=notes)


def _fastest(boss: BossRankings | None) -> float | None:
    """Find a boss's fastest ranked kill in seconds, by raid, else among players' kills."""
    if boss is None:
        return None
    times = [one.seconds for one in boss.raids] or [one.seconds for one in boss.players]
    return min((time for time in times if time > 0), default=None)
