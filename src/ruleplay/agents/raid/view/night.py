"""Renders a whole night as a document: Markdown, or a self-contained HTML file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from ruleplay.agents.raid.domain.overview import Night, PullSummary
from ruleplay.agents.raid.domain.tool_result import Row, ToolOutcome
from ruleplay.agents.raid.state import ToolCalled, ToolReturned
from ruleplay.agents.raid.view import charts
from ruleplay.agents.raid.view.tables import ResultTable, value_of
from ruleplay.agents.raid.view.words import Words
from ruleplay.kernel.sharing import document
from ruleplay.records.events import Json

ENGLISH = Words()
RANKED = 25
"""Maximum number of players in a ranking."""
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
    """A night's document: results for the night, and for each pull by number."""

    night: Night
    whole: Mapping[str, ToolOutcome] = field(default_factory=dict)
    pulls: Mapping[int, Mapping[str, ToolOutcome]] = field(default_factory=dict)


def markdown(page: Page, words: Words = ENGLISH) -> str:
    """Render the document as Markdown; numbers cite their tool and line ranges."""
    parts = [f"# {page.night.title}", _facts(page.night, words)]
    parts += list(_sections(page.whole, "##", words))
    for pull in page.night.pulls:
        parts.append(f"## {_headed(pull, words)}")
        parts += list(_sections(page.pulls.get(pull.fight, {}), "###", words))
    return "\n\n".join(part for part in parts if part) + "\n"


def _sections(outcomes: Mapping[str, ToolOutcome], head: str, words: Words) -> Iterator[str]:
    for table in _told(outcomes, words):
        lines = [
            "| " + " | ".join(cell.replace("|", "/").replace("\n", " ") for cell in row) + " |"
            for row in (table.heads, ["---"] * len(table.heads), *table.rows)
        ]
        yield "\n\n".join((f"{head} {table.title}", "\n".join(lines), table.rests))


@dataclass(frozen=True)
class _Table:
    """A result prepared for display."""

    title: str
    heads: list[str]
    rows: list[list[str]]
    rests: str


def _told(outcomes: Mapping[str, ToolOutcome], words: Words) -> Iterator[_Table]:
    for tool, outcome in outcomes.items():
        if tool == "get_damage_timeline" or not outcome.rows:
            continue
        called = ToolCalled(result="r0", tool=tool, args={})
        said = outcome.model_copy(update={"rows": tuple(map(words.row, outcome.rows))})
        sheet = ResultTable(ToolReturned.of(called, said))
        columns = sheet.columns()
        yield _Table(
            words.known(f"title.{tool}", tool),
            [words.column(name, sheet.label(name)) for name in columns],
            [
                [words.cell(n, row.get(n), sheet.show(n, row.get(n))) for n in columns]
                for row in sheet.rows[:RANKED]
            ],
            _rests(sheet.returned, words),
        )


def _rests(returned: ToolReturned, words: Words) -> str:
    """State the log lines that a table is based on."""
    number = words.number
    shown = ", ".join(f"{number(first)}–{number(last)}" for first, last in returned.lines[:4])
    left = len(returned.lines) - 4
    more = words.say("rests.more" if left > 1 else "rests.one", n=left) if left > 0 else ""
    return words.say("rests", shown=shown, more=more) if shown else ""


def _facts(night: Night, words: Words) -> str:
    kills = sum(pull.kill for pull in night.pulls)
    parts = (
        words.say("facts.report", code=night.code),
        night.started,
        night.zone,
        words.say("facts.players", n=len(night.members)),
        words.say("facts.pulls", pulls=len(night.pulls), kills=kills),
    )
    return " · ".join(part for part in parts if part)


def _headed(pull: PullSummary, words: Words, ended: str = "") -> str:
    left = ""
    if pull.boss_hp is not None and not pull.kill:
        left = words.say("left", share=words.number(round(100 * pull.boss_hp, 1), "%"))
    return words.say(
        "headed",
        fight=pull.fight,
        name=pull.name,
        ended=ended or words.ended(pull.ended),
        time=words.seconds(pull.seconds),
        left=left,
    )


def html(page: Page, words: Words = ENGLISH) -> str:
    """Render the document as one HTML file, without scripts or external resources."""
    night = page.night
    stretches = [
        charts.Stretch(p.start_s, p.start_s + p.seconds, _headed(p, words), p.kill)
        for p in night.pulls
    ]
    parts = [
        f"<h1>{escape(night.title)}</h1>",
        f'<p class="dim">{escape(_facts(night, words))}</p>',
        charts.night(stretches, words.say("chart.night")),
        *_tables(page.whole, "h2", words),
    ]
    for pull in night.pulls:
        parts += _pull(pull, page.pulls.get(pull.fight, {}), words)
    return document(words.language, night.title, _STYLE, "\n".join(filter(None, parts)))


def _pull(pull: PullSummary, outcomes: Mapping[str, ToolOutcome], words: Words) -> list[str]:
    kind, mark = "kill" if pull.kill else "wipe", "\0"
    ended = f'<b class="{kind}">{escape(words.ended(pull.ended))}</b>'
    head = escape(_headed(pull, words, mark)).replace(mark, ended, 1)
    everyone = outcomes.get("get_fight_details", ToolOutcome()).rows
    others = {tool: out for tool, out in outcomes.items() if tool != "get_fight_details"}
    return [
        f'<h2 id="pull-{pull.fight}">{head}</h2>',
        _over_time(pull, outcomes, words),
        _ranking(everyone, "damage", "var(--bar)", words),
        _ranking(everyone, "healing", "var(--heal)", words),
        *_tables(others, "h3", words),
    ]


def _over_time(pull: PullSummary, outcomes: Mapping[str, ToolOutcome], words: Words) -> str:
    steps = outcomes.get("get_damage_timeline", ToolOutcome()).rows
    deaths = outcomes.get("get_death_analysis", ToolOutcome()).rows
    points = [(value_of(row, "at"), value_of(row, "damage")) for row in steps]
    marks = [(value_of(row, "at"), words.died(row)) for row in deaths]
    top = words.number(round(max((value for _, value in points), default=0)))
    return charts.line(points, marks, words.say("chart.damage", fight=pull.fight), top)


def _ranking(rows: Sequence[Row], column: str, colour: str, words: Words) -> str:
    ranked = sorted(rows, key=lambda row: -value_of(row, column))[:RANKED]
    entries = [
        charts.Bar(str(row.get("player") or ""), value, words.number(round(value)), colour)
        for row in ranked
        if (value := value_of(row, column)) > 0
    ]
    title = words.say(f"ranking.{column}")
    drawn = charts.bars(entries, title)
    return f"<h3>{title}</h3>{drawn}" if drawn else ""


def _tables(outcomes: Mapping[str, ToolOutcome], head: str, words: Words) -> Iterable[str]:
    for table in _told(outcomes, words):
        heads = "".join(f"<th>{escape(name)}</th>" for name in table.heads)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in table.rows
        )
        yield (
            f"<{head}>{escape(table.title)}</{head}>"
            f'<div class="wide"><table><tr>{heads}</tr>{body}</table></div>'
            f'<p class="dim">{escape(table.rests)}</p>'
        )


def as_json(page: Page) -> Json:
    """Convert the document's contents to JSON."""
    return {
        "night": page.night.model_dump(mode="json"),
        "results": {tool: out.model_dump(mode="json") for tool, out in page.whole.items()},
        "pulls": {
            str(fight): {tool: out.model_dump(mode="json") for tool, out in outcomes.items()}
            for fight, outcomes in page.pulls.items()
        },
    }
