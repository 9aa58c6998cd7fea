"""Each number of an answer leads back to raw log lines, from which alone it is computed again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.agents.raid.demo_home import demo_nights
from tests.samples import some
from tests.shared import shared_data

from ruleplay.agents.raid.adapters.log_import import import_logs
from ruleplay.agents.raid.adapters.nights import Nights
from ruleplay.agents.raid.adapters.reports import Report, Reports, open_reports
from ruleplay.agents.raid.agent import AGENT
from ruleplay.agents.raid.domain.tool_result import Cell, Row, ToolOutcome
from ruleplay.agents.raid.state import ToolReturned
from ruleplay.agents.raid.tools.registry import run_tool
from ruleplay.kernel.host import Host
from ruleplay.records.events import Json
from ruleplay.records.given import Given
from ruleplay.settings import Settings

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
    "How was the mana of {player} on pull 2",
    "Cancelled casts of {player} on pull 2",
    "Dots of {player} on pull 2",
    "Gear of {player} against last week",
    "How close were the attempts on Magtheridon?",
    "Deaths on pull 3",
    "How long did pull 2 take?",
    "Summary of tonight",
    "Pourquoi on a wipe au pull 3 ?",
    "Qui a pris des dégâts évitables au pull 1 ?",
    "Quelles interruptions avons-nous manquées au pull 1 ?",
    "À qui manquait-il flacon, nourriture ou huile au pull 2 ?",
    "Quels soigneurs étaient à court de mana au pull 2 ?",
    "Le tank est mort comment au pull 3 ?",
    "Trois choses à corriger après le pull 1",
    "Combien de temps perdu sur les trashs ?",
    "{player} contre {other} au pull 2",
    "Résumé de la soirée",
)
ON_A_LOG = tuple(one for one in QUESTIONS if "week" not in one)
"""Questions that one report can answer."""
RESTS_ON_NO_LINES = ("list_reports",)
CITED = re.compile(r"\[(r\d+)\]")
LABELS = re.compile(
    r"\[r\d+\]|\b[Pp]ulls?\s+\d+|\b([Rr]eport|[Rr]apport)\s+\w+|\b[0-9a-f]{12}\b|"
    r"\(\+\d+\)|\b\d{1,2}/\d{1,2}(?= \d\d:)|"
    r"\d\d:\d\d:\d\d|^\s*\d\.\s|(?<=[A-Za-z])\d+|\d{4}-\d\d-\d\d|"
    r"\b\d+ (more|autres)(?= rows are in| lignes sont dans|\.\*\*|;| ;)|"
    r"\d+ (line ranges are shown as|plages de lignes sont réunies en) \d+|tous les \d+"
)
NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
CLOCKS = re.compile(r"(?:(\d+):)?(\d+):(\d\d) \((\d+(?:\.\d+)?) s\)")
TIME = re.compile(r"(?<![\d:.])(?:(\d):)?(\d{1,2}):(\d\d)(?![\d:])")
"""A length, or a time within a pull; of a wall clock the hours are two digits."""
RANKS = re.compile(
    r"([\d,]+)(?: damage| dégâts)?(?:, (?:place |rang )?| \()(\d+)e? (?:of|sur) (\d+)\)?"
)
BY_PLACE = frozenset(("line", "role", "where", "best_fight"))
"""Cells that another log cannot have the same: its own lines and pulls, and roles, inferred
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
            if name == "fights":
                known = pulls[returned.report]
                value = ", ".join(
                    str(known.index(int(n)) + 1) for n in re.findall(r"\d+", str(value))
                )
            args[name] = codes.get(str(value), value) if isinstance(value, str) else value
        outcome = run_tool(reports, returned.tool, args)
        back = {new: old for old, new in codes.items()}
        rows = tuple(renamed(row, back, pulls, returned.report) for row in outcome.rows)
        return outcome.model_copy(update={"rows": rows})

    def durations(self, results: Iterable[ToolReturned]) -> set[float]:
        """Return how long the pulls are whose lines results cite, from these lines alone."""
        found: set[float] = set()
        for one in results:
            reports, codes, _ = self.of({one.report: one.lines, **dict(one.elsewhere)})
            for code in codes.values():
                sql = "SELECT (end_ms - start_ms) / 1000 FROM encounters"
                seconds = [float(row[0]) for row in reports.open(code).query(sql)[1]]
                found |= {round(n, 1) for n in seconds} | {float(round(n)) for n in seconds}
        return found


def sums_of(rows: tuple[Row, ...]) -> set[float]:
    """Return what each column adds up to."""
    sums: dict[str, float] = {}
    for row in rows:
        for name, cell in row.items():
            if isinstance(cell, int | float):
                sums[name] = sums.get(name, 0.0) + cell
    return {*sums.values()}


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
    seconds = float(outcome.seconds or 0)
    found = {float(len(rows)), seconds, round(seconds, 1), float(round(seconds))}
    sums: dict[object, float] = {}
    counts: dict[object, float] = {}
    for row in rows:
        subjects = [row[name] for name in ("player", "ability") if row.get(name)]
        for name, cell in row.items():
            for value in values(cell):
                counts[name, value if isinstance(value, str) else None] = (
                    counts.get((name, value if isinstance(value, str) else None), 0) + 1
                )
                if isinstance(value, str):
                    found |= {float(n.replace(",", "")) for n in NUMBER.findall(value)}
                elif isinstance(value, int | float) and not isinstance(value, bool):
                    found |= {float(value), float(round(value, 1)), float(round(value))}
                    for key in {(name, None), *((name, subject) for subject in subjects)}:
                        sums[key] = sums.get(key, 0.0) + value
    return found | {round(total, 1) for total in sums.values()} | set(counts.values())


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    home, _ = demo_nights()
    return Evidence(open_reports(home), tmp_path_factory.mktemp("evidence"))


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    """A home with one real log, of a raid with COMBATANT_INFO."""
    log, home = shared_data("raid") / "era_1.15.1_raid.txt", tmp_path_factory.mktemp("real")
    import_logs((log,), home)
    return Evidence(open_reports(home), tmp_path_factory.mktemp("real-evidence"))


def question(template: str, reports: Reports, code: str) -> str:
    """Ask about two players of a report, of one class where there are two, on pulls it has."""
    night = Nights(reports).overview(code, code).night
    assert night is not None
    members = [one for one in night.members if one.class_name == "Mage"]
    pair = members if len(members) > 1 else night.members
    one, other = (night.plain(member.name) for member in pair[:2])
    text = template.format(player=one, other=other)
    most = len(night.pulls)
    return re.sub(r"(?<=pull )\d+", lambda found: str(min(int(found[0]), most)), text)


async def asked(
    template: str, folder: Path, reports: Reports, code: str
) -> tuple[str, list[ToolReturned]]:
    db = f"sqlite+aiosqlite:///{folder / 'sessions.db'}"
    given = Settings.model_validate({"home": reports.home, "db": db, "model": "rules"})
    host = await Host.open(given, lambda name: AGENT)
    try:
        head = await host.create(AGENT.name)
        text = f"{question(template, reports, code)} ({code})"
        turn = await host.start(head.id, Given(message=text))
        events = [AGENT.codec.load(body) for body in turn.events]
        cited = (f"{s.text.rstrip()} {' '.join(f'[{c}]' for c in s.cites)}" for s in turn.spans)
        return "\n".join(cited), [one for one in events if isinstance(one, ToolReturned)]
    finally:
        await host.close()


@pytest.mark.parametrize("template", some(QUESTIONS, 12))
async def test_numbers_lead_back_to_raw_lines(
    template: str, tmp_path: Path, evidence: Evidence
) -> None:
    codes = sorted(evidence.whole.codes(), key=evidence.began, reverse=True)
    await lead_back(template, tmp_path, evidence, codes[QUESTIONS.index(template) % 2])


@pytest.mark.parametrize("template", some(ON_A_LOG, 13))
async def test_numbers_lead_back_to_lines_of_a_real_log(
    template: str, tmp_path: Path, real: Evidence
) -> None:
    await lead_back(template, tmp_path, real, real.whole.codes()[0])


def plain(text: str) -> str:
    """Return a line with its numbers as the English write them."""
    if "\u202f" in text or re.search(r"\d,\d(?!\d\d)", text):
        return re.sub(r"(?<=\d),(?=\d)", ".", text.replace("\u202f", ""))
    return text


def is_clock(found: re.Match[str]) -> bool:
    """Tell whether a clock says the seconds that stand behind it."""
    return abs(seconds_of(found) - float(found[4])) <= 0.5


def as_seconds(found: re.Match[str], told: Iterable[float]) -> str:
    """Return the number that a clock rounds to its second, else the seconds it says."""
    said = seconds_of(found)
    near = min(told, key=lambda number: abs(number - said), default=said)
    return str(near if abs(near - said) <= 0.5 else said)


def seconds_of(found: re.Match[str]) -> int:
    """Return the seconds of a clock in its first three groups."""
    hours, minutes, seconds = (int(found[n] or 0) for n in (1, 2, 3))
    return hours * 3600 + minutes * 60 + seconds


def is_rank(found: re.Match[str], cited: list[ToolOutcome]) -> bool:
    """Tell whether somebody's place is right: so many have more of something, of so many in all."""
    value, place, most = (int(found[n].replace(",", "")) for n in (1, 2, 3))
    return any(
        len(one.rows) == most
        and any(row.get(name) == value for row in one.rows)
        and sum(float(str(row.get(name))) > value for row in one.rows) == place - 1
        for one in cited
        for name in ("damage", "healing", "total_damage", "total_healing", "item_level")
        if all(name in row for row in one.rows)
    )


def bare(line: str, cited: list[ToolOutcome], told: Iterable[float]) -> str:
    """Return a line without labels and right places, its clocks as the seconds that are told."""
    line = RANKS.sub(lambda found: found[1] if is_rank(found, cited) else found[0], line)
    line = CLOCKS.sub(lambda found: found[4] if is_clock(found) else found[0], line)
    line = TIME.sub(lambda found: as_seconds(found, told), line)
    return LABELS.sub(" ", line)


def test_a_clock_is_the_number_that_it_rounds_and_no_other() -> None:
    told = {330.4, 82.6, 7261.0}
    assert NUMBER.findall(bare("5:30, then 1:23 and 2:01:01, at 19:55:04", [], told)) == [
        *("330.4", "82.6", "7261.0")
    ]
    for wrong in ("5:29", "5:31", "1:22", "2:01:02"):
        assert {float(n) for n in NUMBER.findall(bare(wrong, [], told))} - told, wrong


async def lead_back(template: str, folder: Path, evidence: Evidence, code: str) -> None:
    """Ask, import the cited lines alone, run the same tools on them, and compare every number."""
    reply, results = await asked(template, folder, evidence.whole, code)
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
    absent = re.search(r"is not in (report|this log)|n'est pas dans (le rapport|ce journal)", reply)
    assert again or any(one.problem for one in results) or absent
    for line in reply.splitlines():
        cited = [again[ident] for ident in CITED.findall(line) if ident in again]
        told = {n for one in cited for n in numbers_of(one.rows, one)}
        notes = " ".join(note for one in cited for note in one.notes)
        told |= {float(n.replace(",", "")) for n in NUMBER.findall(notes)}
        told |= evidence.durations(known[ident] for ident in CITED.findall(line) if ident in again)
        said = bare(plain(line), cited, told)
        spoken = [float(n.replace(",", "")) for n in NUMBER.findall(said)]
        here = told & set(spoken)
        told |= {round(abs(a - b), 1) for a in here for b in here} | {
            a + b for a in here for b in here
        }
        wholes = {total for one in cited for total in sums_of(one.rows)} | here
        told |= {round(100 * a / b, 1) for a in told & set(spoken) for b in wholes if b}
        assert set(spoken) <= told, (line, set(spoken) - told)
