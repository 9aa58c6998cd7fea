"""A whole night as a document: Markdown for terminals, or one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from ruleplay.agents.raid.domain.outcomes import Row, ToolOutcome
from ruleplay.agents.raid.domain.overview import Night, Pull
from ruleplay.agents.raid.state import ToolCalled, ToolReturned
from ruleplay.agents.raid.view import charts
from ruleplay.agents.raid.view.tables import Sheet, measured, seconds
from ruleplay.records.events import Json

RANKED = 25
"""Players in a ranking at most."""
TITLES = {
    "get_wipe_cause": "Why it was a wipe",
    "get_death_analysis": "Deaths",
    "get_avoidable_damage": "Avoidable damage",
    "get_missed_interrupts": "Interrupts",
    "get_next_pull_fixes": "Fixes for the next pull",
    "get_raid_execution": "The night, pull by pull",
    "get_consumable_check": "Consumables",
    "get_enchant_gem_check": "Enchants and gems",
    "get_trash_time": "Time on trash",
    "get_fight_details": "Everyone",
}
_STYLE = """
:root{color-scheme:light dark;--ink:#1d2330;--dim:#667085;--page:#fff;--card:#f6f7f9;--line:#d7dbe2;
--bar:#3b6fd4;--heal:#2f9e6e;--kill:#2f9e6e;--wipe:#d1495b}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ef;--dim:#98a2b3;--page:#14171d;--card:#1c2129;
--line:#333a46;--bar:#6c9bff;--heal:#4cc38a;--kill:#4cc38a;--wipe:#f0727f}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);margin:0 auto;
max-width:860px;padding:24px 16px 64px}
h1{font-size:26px;margin:0}h2{font-size:20px;margin:36px 0 4px}h3{font-size:16px;margin:20px 0 6px}
p.dim,td.dim{color:var(--dim);margin:2px 0 10px}table{border-collapse:collapse;width:100%;
font-variant-numeric:tabular-nums;font-size:13.5px}th,td{text-align:left;padding:4px 8px;
border-bottom:1px solid var(--line)}div.wide{overflow-x:auto}svg{width:100%;height:auto;
display:block;background:var(--card);border-radius:8px;margin:6px 0 12px}svg text{
font:12px system-ui,sans-serif;fill:var(--ink)}text.name{text-anchor:end}
text.value,text.tick{fill:var(--dim)}
.area{fill:var(--bar);opacity:.18}.line{fill:none;stroke:var(--bar);stroke-width:2}
.death{stroke:var(--wipe);stroke-width:2}.axis{stroke:var(--line)}.kill{fill:var(--kill)}
.wipe{fill:var(--wipe)}b.kill{color:var(--kill)}b.wipe{color:var(--wipe)}
"""


@dataclass(frozen=True)
class Page:
    """The results a night's document is made of: of the night, and of each pull by its number."""

    night: Night
    whole: Mapping[str, ToolOutcome] = field(default_factory=dict)
    pulls: Mapping[int, Mapping[str, ToolOutcome]] = field(default_factory=dict)


def markdown(page: Page) -> str:
    """Return the document as Markdown; numbers are cited by tool and line range."""
    parts = [f"# {page.night.title}", _facts(page.night)]
    parts += list(_sections(page.whole, "##"))
    for pull in page.night.pulls:
        parts.append(f"## {_headed(pull)}")
        parts += list(_sections(page.pulls.get(pull.fight, {}), "###"))
    return "\n\n".join(part for part in parts if part) + "\n"


def _sections(outcomes: Mapping[str, ToolOutcome], head: str) -> Iterator[str]:
    for tool, sheet in _sheets(outcomes):
        columns = sheet.columns()
        lines = sheet.table(sheet.rows[:RANKED], columns)
        table = "\n".join(line.replace(f" {sheet.cite} |", " |") for line in lines)
        yield f"{head} {TITLES.get(tool, tool)}\n\n{table}\n\n{_rests(sheet.returned)}"


def _sheets(outcomes: Mapping[str, ToolOutcome]) -> Iterator[tuple[str, Sheet]]:
    for tool, outcome in outcomes.items():
        if tool != "get_damage_timeline" and outcome.rows:
            called = ToolCalled(result="r0", tool=tool, args={})
            yield tool, Sheet(ToolReturned.of(called, outcome))


def _rests(returned: ToolReturned) -> str:
    """Say which log lines a table rests on."""
    shown = ", ".join(f"{first:,}–{last:,}" for first, last in returned.lines[:4])
    more = f" and {len(returned.lines) - 4} more ranges" if len(returned.lines) > 4 else ""
    return f"Log lines {shown}{more}." if shown else ""


def _facts(night: Night) -> str:
    kills = sum(pull.kill for pull in night.pulls)
    parts = [f"report {night.code}", night.started, night.zone, f"{len(night.members)} players"]
    pulls = f"{len(night.pulls)} pulls, {kills} kills"
    return " · ".join(part for part in (*parts, pulls) if part)


def _headed(pull: Pull) -> str:
    left = (
        ""
        if pull.boss_hp is None or pull.kill
        else f", {measured(round(100 * pull.boss_hp, 1), '%')} left"
    )
    return f"Pull {pull.fight}: {pull.name} – {pull.ended} after {seconds(pull.seconds)}{left}"


def html(page: Page) -> str:
    """Return the document as one HTML file: no script, no other host."""
    night = page.night
    stretches = [
        charts.Stretch(p.start_s, p.start_s + p.seconds, _headed(p), p.kill) for p in night.pulls
    ]
    parts = [
        f"<h1>{escape(night.title)}</h1>",
        f'<p class="dim">{escape(_facts(night))}</p>',
        charts.night(stretches, "The pulls of the night"),
        *_tables(page.whole, "h2"),
    ]
    for pull in night.pulls:
        parts += _pull(pull, page.pulls.get(pull.fight, {}))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src'
        " 'unsafe-inline'\">"
        f"<title>{escape(night.title)}</title><style>{_STYLE}</style></head><body>\n"
        + "\n".join(part for part in parts if part)
        + "\n</body></html>\n"
    )


def _pull(pull: Pull, outcomes: Mapping[str, ToolOutcome]) -> list[str]:
    ended = "kill" if pull.kill else "wipe"
    head = escape(_headed(pull)).replace(
        f"– {pull.ended}", f'– <b class="{ended}">{pull.ended}</b>', 1
    )
    everyone = outcomes.get("get_fight_details", ToolOutcome()).rows
    return [
        f'<h2 id="pull-{pull.fight}">{head}</h2>',
        _over_time(pull, outcomes),
        _ranking(everyone, "damage", "Damage", "var(--bar)"),
        _ranking(everyone, "healing", "Effective healing", "var(--heal)"),
        *_tables(
            {tool: out for tool, out in outcomes.items() if tool != "get_fight_details"}, "h3"
        ),
    ]


def _over_time(pull: Pull, outcomes: Mapping[str, ToolOutcome]) -> str:
    steps = outcomes.get("get_damage_timeline", ToolOutcome()).rows
    deaths = outcomes.get("get_death_analysis", ToolOutcome()).rows
    points = [(_number(row, "at"), _number(row, "damage")) for row in steps]
    marks = [(_number(row, "at"), str(row.get("player") or "someone")) for row in deaths]
    return charts.line(points, marks, f"Damage over time on pull {pull.fight}, with deaths")


def _ranking(rows: Sequence[Row], column: str, title: str, colour: str) -> str:
    ranked = sorted(rows, key=lambda row: -_number(row, column))[:RANKED]
    entries = [
        charts.Bar(str(row.get("player") or ""), _number(row, column), _shown(row, column), colour)
        for row in ranked
        if _number(row, column) > 0
    ]
    drawn = charts.bars(entries, title)
    return f"<h3>{title}</h3>{drawn}" if drawn else ""


def _tables(outcomes: Mapping[str, ToolOutcome], head: str) -> Iterable[str]:
    for tool, sheet in _sheets(outcomes):
        columns = sheet.columns()
        heads = "".join(f"<th>{escape(sheet.label(name))}</th>" for name in columns)
        body = "".join(
            "<tr>"
            + "".join(f"<td>{escape(sheet.show(n, row.get(n)))}</td>" for n in columns)
            + "</tr>"
            for row in sheet.rows[:RANKED]
        )
        yield (
            f"<{head}>{escape(TITLES.get(tool, tool))}</{head}>"
            f'<div class="wide"><table><tr>{heads}</tr>{body}</table></div>'
            f'<p class="dim">{escape(_rests(sheet.returned))}</p>'
        )


def _number(row: Row, column: str) -> float:
    value = row.get(column)
    return float(value) if isinstance(value, int | float) else 0.0


def _shown(row: Row, column: str) -> str:
    value = row.get(column)
    return measured(value, "") if isinstance(value, int | float) else "–"


def as_json(page: Page) -> Json:
    """Return what the document is made of, as JSON."""
    return {
        "night": page.night.model_dump(mode="json"),
        "results": {tool: out.model_dump(mode="json") for tool, out in page.whole.items()},
        "pulls": {
            str(fight): {tool: out.model_dump(mode="json") for tool, out in outcomes.items()}
            for fight, outcomes in page.pulls.items()
        },
    }
