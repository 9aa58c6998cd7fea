"""Each number of an answer leads back to raw log lines, from which alone it is computed again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.agents.raid.demo_home import demo_nights, settings

from ruleplay.agents.raid.adapters.log_import import import_logs
from ruleplay.agents.raid.adapters.reports import Report, Reports, open_reports
from ruleplay.agents.raid.agent import AGENT
from ruleplay.agents.raid.domain.outcomes import Cell, Row, ToolOutcome
from ruleplay.agents.raid.state import ToolReturned
from ruleplay.agents.raid.tools.registry import run_tool
from ruleplay.foundation.agent import Given
from ruleplay.foundation.events import Json
from ruleplay.foundation.host import Host

QUESTIONS = (
    "Why did we wipe?",
    "Who died first on pull 3?",
    "Was the tank death on pull 3 burst or a gap in heals?",
    "Who took avoidable damage on pull 1?",
    "Which interrupts did we miss on pull 1?",
    "Who dispelled on pull 2?",
    "Who lacked flask, food or oil on pull 2?",
    "Missing enchants or gems on pull 1?",
    "Who was inactive on pull 2?",
    "Which cooldowns were unused on pull 2?",
    "When was Bloodlust on pull 2?",
    "Top damage on pull 2",
    "Why is {player}'s damage low on pull 2?",
    "{player} against {other} on pull 2",
    "How did {player} do on pull 1?",
    "How do we compare to last week?",
    "Healer mana on pull 2?",
    "Overheal on pull 1?",
    "Healing on pull 2",
    "Who took most damage on pull 3, damage taken",
    "Debuff uptimes on pull 2",
    "When were the adds killed on pull 1?",
    "Time lost on trash?",
    "Three fixes for the next pull",
    "Phases of pull 2",
    "Damage over time on pull 1",
    "Buffs of {player} on pull 2",
    "Rotation score of {player} on pull 2",
    "Resources of {player} on pull 2",
    "Cancelled casts of {player} on pull 2",
    "Dots of {player} on pull 2",
    "Gear of {player} against last week",
    "How close were the attempts on Magtheridon?",
    "Deaths on pull 3",
    "How long did pull 2 take?",
    "Summary of tonight",
)
RESTS_ON_NO_LINES = ("list_reports",)
CITED = re.compile(r"\[(r\d+)\]")
LABELS = re.compile(
    r"\[r\d+\]|\b[Pp]ulls?\s+\d+|\b[Rr]eport\s+\w+|\b[0-9a-f]{12}\b|\d\d:\d\d:\d\d|^\s*\d\.\s|"
    r"(?<=[A-Za-z])\d+|\d{4}-\d\d-\d\d|\b\d+ more(?= rows are in|\.\*\*)|"
    r"\d+ line ranges are shown as \d+"
)
NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
BY_PLACE = frozenset(("line", "role"))
"""Cells that another log cannot have the same: its own line numbers, and roles, which are inferred
from everything that somebody does in a report."""


@dataclass
class Evidence:
    """The raw lines that results cite, and the reports made of nothing else."""

    whole: Reports
    folder: Path
    made: dict[object, tuple[Reports, dict[str, str], dict[str, tuple[int, ...]]]] = field(
        default_factory=dict
    )

    def of(self, cited: Mapping[str, tuple[tuple[int, int], ...]]) -> object:
        """Import the cited lines, each report's as a log of its own; return what stands where."""
        key = tuple(sorted(cited.items()))
        if key not in self.made:
            home = self.folder / f"evidence-{len(self.made)}"
            home.mkdir(parents=True)
            codes, pulls = {}, {}
            for code, ranges in sorted(cited.items(), key=lambda one: self.began(one[0])):
                report = self.whole.open(code)
                path = home / f"{code}.txt"
                numbers = sorted({1, *(n for a, b in ranges for n in range(a, b + 1))})
                path.write_text("".join(f"{line}\n" for line in raw(report, numbers)), "utf-8")
                codes[code] = import_logs((path,), home).report
                pulls[code] = pulls_in(report, set(numbers))
            self.made[key] = (open_reports(home), codes, pulls)
        return self.made[key]

    def began(self, code: str) -> str:
        return self.whole.open(code).manifest.started_at or ""

    def again(self, returned: ToolReturned) -> ToolOutcome:
        """Run a result's tool with its arguments on its cited lines alone."""
        cited = {returned.report: returned.lines, **dict(returned.elsewhere)}
        reports, codes, pulls = self.of(cited)
        args: Json = {}
        for name, value in returned.args.items():
            if name == "fight_id":
                known = pulls[returned.report]
                value = str(known.index(int(str(value))) + 1)
            args[name] = codes.get(str(value), value) if isinstance(value, str) else value
        outcome = run_tool(reports, returned.tool, args)
        back = {new: old for old, new in codes.items()}
        rows = tuple(renamed(row, back, pulls, returned.report) for row in outcome.rows)
        return outcome.model_copy(update={"rows": rows})


def raw(report: Report, numbers: list[int]) -> Iterator[str]:
    """Yield raw lines by their numbers, read from the store a run at a time."""
    at = 0
    while at < len(numbers):
        end = at
        while end + 1 < len(numbers) and numbers[end + 1] == numbers[end] + 1 and end - at < 1900:
            end += 1
        yield from report.raw_lines(numbers[at], numbers[end])
        at = end + 1


def pulls_in(report: Report, numbers: set[int]) -> tuple[int, ...]:
    """Return the pulls whose first line is cited: they are pull 1, 2, … of the lines alone."""
    rows = report.query("SELECT fight, start_line FROM encounters ORDER BY fight")[1]
    return tuple(int(str(fight)) for fight, line in rows if line in numbers)


def renamed(
    row: Row, codes: Mapping[str, str], pulls: Mapping[str, tuple[int, ...]], focus: str
) -> Row:
    """Give a row's report, and the number of its pull, their names of the whole logs."""
    told: Row = {
        name: codes.get(cell, cell) if isinstance(cell, str) else cell for name, cell in row.items()
    }
    known = pulls[str(told.get("report") or focus)]
    for name in ("fight", "before_fight"):
        number = told.get(name)
        if isinstance(number, int):
            told[name] = known[number - 1]
    if match := re.fullmatch(r"pull (\d+)", str(told.get("before") or "")):
        told["before"] = f"pull {known[int(match[1]) - 1]}"
    return told


def values(cell: Cell) -> list[Cell]:
    return list(cell) if isinstance(cell, list) else [cell]


def comparable(rows: tuple[Row, ...]) -> list[Row]:
    return [{name: cell for name, cell in row.items() if name not in BY_PLACE} for row in rows]


def numbers_of(rows: tuple[Row, ...], outcome: ToolOutcome) -> set[float]:
    """Return every number that rows hold or add up to: cells, sums and counts of a column."""
    found = {float(len(rows)), float(outcome.seconds or 0)}
    sums: dict[object, float] = {}
    counts: dict[object, float] = {}
    for row in rows:
        subject = row.get("player") or row.get("ability")
        for name, cell in row.items():
            for value in values(cell):
                counts[name, value if isinstance(value, str) else None] = (
                    counts.get((name, value if isinstance(value, str) else None), 0) + 1
                )
                if isinstance(value, str):
                    found |= {float(n.replace(",", "")) for n in NUMBER.findall(value)}
                elif isinstance(value, int | float) and not isinstance(value, bool):
                    found |= {float(value), float(round(value, 1)), float(round(value))}
                    for key in {(name, None), (name, subject)}:
                        sums[key] = sums.get(key, 0.0) + value
    return found | {round(total, 1) for total in sums.values()} | set(counts.values())


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    home, _ = demo_nights()
    return Evidence(open_reports(home), tmp_path_factory.mktemp("evidence"))


def question(template: str) -> str:
    _, nights = demo_nights()
    night = nights.overview("", "").night
    assert night is not None
    mages = [night.plain(one.name) for one in night.members if one.class_name == "Mage"]
    return template.format(player=mages[0], other=mages[1])


async def asked(template: str, folder: Path) -> tuple[str, list[ToolReturned]]:
    host = await Host.open(settings(folder), lambda name: AGENT)
    try:
        head = await host.create(AGENT.name)
        turn = await host.start(head.id, Given(message=question(template)))
        events = [AGENT.codec.load(body) for body in turn.events]
        return turn.reply, [one for one in events if isinstance(one, ToolReturned)]
    finally:
        await host.close()


@pytest.mark.parametrize("template", QUESTIONS)
async def test_numbers_lead_back_to_raw_lines(
    template: str, tmp_path: Path, evidence: Evidence
) -> None:
    reply, results = await asked(template, tmp_path)
    known = {one.result: one for one in results}
    assert set(CITED.findall(reply)) <= known.keys()
    again: dict[str, ToolOutcome] = {}
    for ident in dict.fromkeys(CITED.findall(reply)):
        returned = known[ident]
        if returned.problem or returned.tool in RESTS_ON_NO_LINES:
            continue
        assert returned.lines, returned.tool
        again[ident] = evidence.again(returned)
        assert not again[ident].problem, (returned.tool, again[ident].problem)
        assert again[ident].seconds == returned.seconds
        assert comparable(again[ident].rows[: len(returned.rows)]) == comparable(returned.rows)
    assert again
    for line in reply.splitlines():
        spoken = [float(n.replace(",", "")) for n in NUMBER.findall(LABELS.sub(" ", line))]
        cited = [again[ident] for ident in CITED.findall(line) if ident in again]
        told = {n for one in cited for n in numbers_of(one.rows, one)}
        notes = " ".join(note for one in cited for note in one.notes)
        told |= {float(n.replace(",", "")) for n in NUMBER.findall(notes)}
        told |= {round(abs(a - b), 1) for a in told & set(spoken) for b in told & set(spoken)}
        assert set(spoken) <= told, (line, set(spoken) - told)
