"""The answer without a model: headlines, tables and notes, each number with its citation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ruleplay.agents.raid.domain.overview import Night, Overview
from ruleplay.agents.raid.policy.headlines import HEADLINES, split
from ruleplay.agents.raid.policy.layout import COLUMNS, EXTRA, TABLELESS, chosen_rows, derived
from ruleplay.agents.raid.policy.plan import Plan
from ruleplay.agents.raid.state import Finding, ToolReturned
from ruleplay.agents.raid.view.tables import Sheet

LONG, SHORT = 12, 6
"""Rows of a table when one result answers, and when several do."""
NOTES = 3
"""Notes of a result that an answer shows."""
FINDINGS = 400
"""Values of a result that an answer's event keeps."""


@dataclass(frozen=True)
class Answer:
    """A reply, the values it shows, and the results it rests on."""

    text: str
    findings: tuple[Finding, ...] = ()
    results: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """One result, told."""

    text: str
    findings: tuple[Finding, ...]
    result: str


def compose(plan: Plan, overview: Overview, results: Sequence[ToolReturned]) -> Answer:
    """Return the answer that the results allow; says what to do where there is no data."""
    if overview.night is None:
        return Answer(NO_REPORT)
    if not results:
        return Answer("\n\n".join((*plan.asks, *_without_results(plan, overview.night))))
    rows = LONG if len(results) < 3 else SHORT
    sections = [_section(Sheet(one), plan, rows) for one in results]
    texts = [*plan.asks, *(section.text for section in sections if section.text)]
    findings = tuple(finding for section in sections for finding in section.findings)
    told = tuple(section.result for section in sections if section.findings)
    return Answer("\n\n".join(texts), findings, told or tuple(one.result for one in results))


def _section(sheet: Sheet, plan: Plan, limit: int) -> Section:
    returned = sheet.returned
    if returned.problem:
        return Section(f"{_sentence(returned.problem)} {sheet.cite}", (), returned.result)
    rows = chosen_rows(sheet, plan)
    sheet = Sheet(returned.model_copy(update={"rows": rows}))
    parts = [_headline(sheet, plan)]
    findings: list[Finding] = [*derived(sheet)]
    for run in split(rows):
        part = Sheet(returned.model_copy(update={"rows": run}))
        columns = part.columns(COLUMNS.get(returned.tool, ()))
        if returned.tool not in TABLELESS:
            parts.append("\n".join(part.table(run[:limit], columns)))
        findings += part.findings(run, [*columns, *EXTRA.get(returned.tool, ())])
        if len(run) > limit:
            parts.append(f"{len(run) - limit} more rows are in {sheet.cite}.")
    parts.append("\n".join(_notes(sheet)))
    return Section(
        "\n\n".join(part for part in parts if part), tuple(findings[:FINDINGS]), returned.result
    )


def _headline(sheet: Sheet, plan: Plan) -> str:
    """Return what a result says first; a plain title where nothing better is known."""
    tell = HEADLINES.get(sheet.returned.tool)
    return (tell(sheet, plan) if tell else "") or _title(sheet)


def _title(sheet: Sheet) -> str:
    name = sheet.returned.tool.removeprefix("get_").replace("_", " ").capitalize()
    where = f" – {sheet.returned.pull}" if sheet.returned.pull else ""
    none = "" if sheet.rows else ": nothing of that kind is in the log."
    return f"**{name}**{where}{none} {sheet.cite}"


def _notes(sheet: Sheet) -> Iterator[str]:
    for note in sheet.returned.notes[:NOTES]:
        yield f"- {_sentence(note)} {sheet.cite}"


def _sentence(text: str) -> str:
    text = text.strip()
    told = text[:1].upper() + text[1:]
    return told if told.endswith((".", "!", "?")) else f"{told}."


def _without_results(plan: Plan, night: Night) -> Iterator[str]:
    """Say what can be asked, when nothing that was asked could be looked up."""
    if plan.topics and plan.topics != ("help",):
        yield "That cannot be looked up without more detail: name a player, a boss or a pull."
    bosses = ", ".join(night.bosses) or "none"
    yield f"Report {night.code} is at hand. Bosses: {bosses}."
    yield HELP


NO_REPORT = """No combat log has been imported yet, so there is nothing to look up.

1. In the game, `/combatlog` starts logging; the file is `Logs/WoWCombatLog.txt`.
2. Import it: `ruleplay raid import WoWCombatLog.txt` (also .gz or .zip; `--follow` while you raid).
3. Ask again: "Why did we wipe?", "Who took avoidable damage?", "Who lacked a flask?"."""

HELP = """Ask for example:

- Why did we wipe? Who died first, and to what?
- Who took avoidable damage? Which interrupts were missed?
- Who lacked a flask or food? Who misses enchants?
- Why is a player's damage low? One player against another?
- When was Bloodlust? What should we fix on the next pull?"""
