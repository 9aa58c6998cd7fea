"""The answer without a model: headlines, tables and notes, each number with its citation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ruleplay.agents.raid.domain.overview import Night, Overview
from ruleplay.agents.raid.policy.headlines import HEADLINES
from ruleplay.agents.raid.policy.layout import layout
from ruleplay.agents.raid.policy.plan import Plan
from ruleplay.agents.raid.policy.tables import Sheet
from ruleplay.agents.raid.state import Finding, ToolReturned

LONG, SHORT = 12, 6
"""Rows of a table when one result answers, and when several do."""
NOTES = 4
"""Notes of a result that an answer shows."""


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
    chosen = layout(sheet, plan.question)
    rows, columns = chosen.rows[:limit], chosen.columns
    parts = [*_headline(sheet, plan, chosen.rows)]
    if rows and columns:
        parts.append("\n".join(sheet.table(rows, columns)))
    if len(chosen.rows) > limit or returned.total > len(returned.rows):
        parts.append(f"{returned.total} rows in all; the rest is in {sheet.cite}.")
    if notes := list(_notes(sheet)):
        parts.append("\n".join(notes))
    shown = sheet.findings(rows, sheet.columns(columns) or columns)
    return Section("\n\n".join(parts), shown, returned.result)


def _headline(sheet: Sheet, plan: Plan, rows: Sequence[dict[str, object]]) -> Iterator[str]:
    """Yield what a result says first; a plain title where nothing better is known."""
    tell = HEADLINES.get(sheet.returned.tool)
    told = tell(sheet, plan.question) if tell else ""
    yield told or _title(sheet, rows)


def _title(sheet: Sheet, rows: Sequence[dict[str, object]]) -> str:
    name = sheet.returned.tool.removeprefix("get_").replace("_", " ").capitalize()
    where = f" – {sheet.returned.pull}" if sheet.returned.pull else ""
    if not rows:
        return f"**{name}**{where}: nothing of that kind is in the log. {sheet.cite}"
    return f"**{name}**{where} {sheet.cite}"


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
