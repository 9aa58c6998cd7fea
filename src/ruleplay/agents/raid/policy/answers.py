"""Composes answers without a model: headlines, tables and notes, with a citation per number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from ruleplay.agents.raid.domain import french
from ruleplay.agents.raid.domain.overview import Night, Overview
from ruleplay.agents.raid.domain.tool_result import NO_BLOWS
from ruleplay.agents.raid.domain.toolbox import BY_NAME
from ruleplay.agents.raid.policy.headlines import HEADLINES, split
from ruleplay.agents.raid.policy.layout import chosen_rows, derived
from ruleplay.agents.raid.policy.lookups import Plan, Planned
from ruleplay.agents.raid.policy.premises import HELP
from ruleplay.agents.raid.policy.replies import reply
from ruleplay.agents.raid.policy.sentences import Tongue
from ruleplay.agents.raid.state import Finding, ToolReturned
from ruleplay.agents.raid.view.tables import ResultTable
from ruleplay.telling.citing import Span, State

FULL = 2
"""Up to this many results are all shown in full; beyond it, only the first is."""
LONG, SHORT = 12, 5
"""Table rows in full and in brief."""
SAID_WHOLE = frozenset(("get_keystone_runs",))
"""Tools of whose single row the headline says everything."""
MOST_NOTES = 6
"""Maximum number of notes per answer."""
NOTES = 3
"""Maximum number of notes per result."""
FINDINGS = 400
"""Maximum number of values that an answer's event keeps."""


@dataclass(frozen=True)
class Answer:
    """A reply, the values it shows, and the results it is based on."""

    text: str
    findings: tuple[Finding, ...] = ()
    results: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    """Players that a pronoun in the next question may refer to."""
    abilities: tuple[str, ...] = ()
    """Abilities that "that" in the next question may refer to."""
    fight: int | None = None
    """The pull that turned out to be the one in question."""
    places: int = 0
    """How many places of a ranking it tells."""


@dataclass(frozen=True)
class Section:
    """One rendered result: its summary sentence, and its rows as tables."""

    lead: str
    rows: str
    findings: tuple[Finding, ...]
    result: str
    empty: bool = False


def compose(plan: Plan, overview: Overview, results: Sequence[ToolReturned]) -> Answer:
    """Compose the answer that the results allow, in the question's language.

    Without data, it says what to do.
    """
    if (plan.also or plan.left) and results:
        own = replace(plan, also=(), left=())
        every = [one for one in (own, *plan.also) if _has_rows(one, results)] or [own]
        told = [_alone(one, overview, results) for one in every]
        joined = _joined([*told, *map(Answer, plan.left)])
        return replace(joined, text=_located_once(joined.text, plan, overview.night))
    answer = _in_english(plan, overview, results)
    plain = not plan.question.french or plan.form or not plan.topics
    answer = answer if plain else replace(answer, text=french.render(answer.text))
    return _as_reading(plan, answer) if plan.read_as and results else answer


def _as_reading(plan: Plan, answer: Answer) -> Answer:
    """Shorten the answer to one reading of an unclear question to its headline, named by it."""
    tongue, parts = Tongue(plan.heard.language), answer.text.split("\n\n")
    lead = next((one for one in parts if one.startswith("**")), parts[0])
    lines = "\n".join(lead.splitlines()[:LONG]).replace("**", "")
    key = "if_meant" if plan.instead else "read_as"
    # What went wrong on a kill is told as an account of it.
    measure = "overview" if plan.form == "story" else plan.read_as
    what = tongue.say(key, what=tongue.measure(measure))
    motive = tongue.say("no_motive")
    before = f"{motive}\n\n" if motive in parts else ""
    return replace(answer, text=f"{before}**{what}** {lines}")


def spans_of(text: str, names: Mapping[str, str]) -> tuple[Span, ...]:
    """Split an answer into spans; citation tags become the results' names and are removed.

    `names` maps result ids to headings.
    """
    spans = []
    for line in text.splitlines(keepends=True):
        cites = tuple(dict.fromkeys(re.findall(r"\[(r\d+)\]", line)))
        shown = re.sub(r" ?\[r\d+\]", "", line)
        if line.startswith("| "):
            shown = re.sub(r"\|[^|]*\|(?=\n?$)", "|", shown)  # the column of tags
        lines = tuple(names[one] for one in cites if one in names)
        state: State = "vouched" if lines else "plain"
        spans.append(Span(text=shown, state=state, lines=lines, cites=cites))
    return tuple(spans)


def _alone(plan: Plan, overview: Overview, results: Sequence[ToolReturned]) -> Answer:
    """Answer one of a message's questions from the results of its own calls alone."""
    own = [one for one in results if any(_is_of(call, one) for call in plan.calls)]
    return compose(plan, overview, own)


def _has_rows(plan: Plan, results: Sequence[ToolReturned]) -> bool:
    """Whether there is anything to tell; of a reading that the log has nothing of, there is not."""
    if not plan.read_as or plan.form == "deaths":
        return True
    own = [one.rows for one in results if any(_is_of(call, one) for call in plan.calls[:1])]
    people = {*plan.question.players}
    cells = (row.values() for rows in own for row in rows)
    return any(own) and (not people or any(people & {*map(str, one)} for one in cells))


def _is_of(call: Planned, result: ToolReturned) -> bool:
    """Whether a result belongs to a call; the report in focus may have been added to its args."""
    rest = {name: value for name, value in result.args.items() if name != "report_code"}
    asked = {name: value for name, value in call.args.items() if name != "report_code"}
    return call.tool == result.tool and asked == rest


def _joined(answers: Sequence[Answer]) -> Answer:
    """Merge the answers to several questions; no sentence is said twice."""
    texts: list[str] = []
    for answer in answers:
        bare = re.sub(r" ?\[r\d+\]|\*", "", answer.text).strip(" .")
        if any(bare in text.replace("*", "") for text in texts):
            continue  # both questions are answered by the same
        said = [one.strip("* ") for one in re.split(r"(?<=[.!?])[ *]", answer.text)]
        again = [one for one in said if any(f" {one}" in text for text in texts)]
        texts.append(reduce(lambda text, one: text.replace(f" {one}", "", 1), again, answer.text))
    findings = tuple(one for answer in answers for one in answer.findings)
    return Answer(
        text="\n\n".join(texts),
        findings=findings[:FINDINGS],
        results=tuple(dict.fromkeys(one for answer in answers for one in answer.results)),
        about=next((answer.about for answer in answers if answer.about), ()),
        abilities=next((answer.abilities for answer in answers if answer.abilities), ()),
        places=answers[0].places,
    )


def _in_english(plan: Plan, overview: Overview, results: Sequence[ToolReturned]) -> Answer:
    night = overview.night
    if night is None:
        return Answer(NO_REPORT)
    if not results:
        told = plan.asks if plan.asks and not plan.calls else ()
        return Answer("\n\n".join(told or (*plan.asks, *_without_results(plan, night))))
    sheets = [ResultTable(one) for one in results]
    # A model may have requested other results than the form needs.
    planned = {call.tool for call in plan.calls}
    own = [sheet for sheet in sheets if sheet.returned.tool in planned]
    if plan.form and own:
        return _told(plan, night, own)
    brief = len(results) > FULL
    sections = _telling([_section(s, plan, brief=brief and n > 0) for n, s in enumerate(sheets)])
    rules = "\n".join(_notes(sheets)) if any(sheet.rows for sheet in sheets) else ""
    leads = [section.lead for section in sections]
    texts = [*plan.asks, *leads]
    # A question for a verdict refers to what was just shown; do not repeat the rows.
    texts += [] if plan.heard.verdict else [*(section.rows for section in sections), rules]
    findings = tuple(finding for section in sections for finding in section.findings)
    told = tuple(section.result for section in sections if section.findings)
    text = night.plain("\n\n".join(part for part in texts if part))
    return Answer(text, findings, told or tuple(one.result for one in results))


def _told(plan: Plan, night: Night, sheets: Sequence[ResultTable]) -> Answer:
    """Compose the form's answer: a sentence, followed by a few rows."""
    told = reply(plan, night, sheets)
    sheet = sheets[0]
    first, *rest = told.text.strip().splitlines()
    first = first[:1].upper() + first[1:]
    lines = "\n".join(f"{one} {_cites(one, sheets)}" for one in rest)
    lead = f"**{first}** {_cites(first, sheets)}"
    columns = [one for one in told.columns if any(row.get(one) for row in told.rows)]
    own = next((one for one in sheets if one.returned.tool == told.tool), sheet)
    table = "\n".join(own.table(told.rows, columns)) if told.rows else ""
    table = french.render(table) if plan.question.french else table
    parts = [*(() if told.alone else plan.asks), lead, lines, table]
    findings = tuple(one for sheet in sheets for one in _of_rows(sheet))
    text = _located_once("\n\n".join(part for part in parts if part), plan, night)
    text = night.plain(text)
    cited = tuple(one.returned.result for one in sheets)
    return Answer(
        text, findings[:FINDINGS], cited, told.about, told.abilities, told.fight, told.places
    )


def _located_once(text: str, plan: Plan, night: Night | None) -> str:
    """Drop a pull that ends a sentence if an earlier one already named it with its outcome."""
    tongue = Tongue(plan.heard.language)
    fights = {fight for one in (plan, *plan.also) for fight in one.fights}
    for pull in (one for one in (night.pulls if night else ()) if one.fight in fights):
        label = tongue.pull(pull)
        before, found, after = text.partition(label)
        text = before + found + after.replace(f" – {label}", "")
    return text


def _cites(line: str, sheets: Sequence[ResultTable]) -> str:
    """Cite the results that contain a number or name of this line; by default all with rows."""
    told = {re.sub(r"\D", "", one) for one in re.findall(r"\d[\d.,\u202f]*", line)}
    spoken = [one for one in sheets if any(str(row.get("name", "\0")) in line for row in one.rows)]
    found = [one for one in sheets if one in spoken or told & _numbers(one)]
    found = found or [one for one in sheets if one.rows]
    return " ".join(one.cite for one in found or sheets[:1])


def _numbers(sheet: ResultTable) -> frozenset[str]:
    """Collect the digits of a result's larger numbers, as answers print them."""
    cells = (cell for row in sheet.rows for cell in row.values())
    # Small numbers occur in every result and would prove nothing.
    longer = [cell for cell in cells if isinstance(cell, int | float) and abs(cell) >= LONG]
    return frozenset(str(form) for cell in longer for form in (round(cell), round(10 * cell)))


def _of_rows(sheet: ResultTable) -> tuple[Finding, ...]:
    """Collect the values of a result's first rows."""
    rows = sheet.rows[:LONG]
    return sheet.findings(rows, list(dict.fromkeys(name for row in rows for name in row)))


def _telling(sections: Sequence[Section]) -> list[Section]:
    """Drop empty results if there are others with content."""
    full = [one for one in sections if one.lead and not one.empty]
    return full or list(sections[:1])


def _section(sheet: ResultTable, plan: Plan, *, brief: bool) -> Section:
    """Render one result: its headline and, unless brief, its rows."""
    returned, spec = sheet.returned, BY_NAME[sheet.returned.tool]
    if returned.problem:
        told = f"{_sentence(re.sub(r'^[a-z]+_[a-z_]+: ', '', returned.problem))} {sheet.cite}"
        return Section(told, "", (), returned.result, empty=True)
    if NO_BLOWS in returned.notes and "deaths" not in spec.marks:
        where = f" ({returned.pull})" if returned.pull else ""
        told = f"**{NO_BLOWS}**{where} {sheet.cite}"
        return Section(told, "", (), returned.result, empty=True)
    rows = chosen_rows(sheet, plan)
    sheet = ResultTable(returned.model_copy(update={"rows": rows}))
    parts: list[str] = []
    findings: list[Finding] = [*derived(sheet)]
    whole = "whole" in spec.marks
    for run in [rows] if whole and rows else split(rows):
        part = ResultTable(returned.model_copy(update={"rows": run}))
        columns = part.columns(spec.shows)
        findings += part.findings(run, [*columns, *spec.leads])
        said = len(rows) == 1 and returned.tool in SAID_WHOLE
        if "lead" in spec.marks or said or (brief and returned.tool in HEADLINES):
            continue
        limit = SHORT if brief else LONG
        parts.append("\n".join(part.table(run[:limit], columns)))
        if len(run) > limit:
            parts.append(f"{len(run) - limit} more rows are in the result. {sheet.cite}")
    lead, told = _headline(sheet, plan), "\n\n".join(part for part in parts if part)
    empty = not rows and "empty" in spec.marks
    return Section(lead, told, tuple(findings[:FINDINGS]), returned.result, empty)


def _headline(sheet: ResultTable, plan: Plan) -> str:
    """Get the summary sentence of a result, or a plain title."""
    tell = HEADLINES.get(sheet.returned.tool)
    told = tell(sheet, plan) if tell else ""
    return told or _title(sheet)


def _title(sheet: ResultTable) -> str:
    name = sheet.returned.tool.removeprefix("get_").replace("_", " ").capitalize()
    where = f" – {sheet.returned.pull}" if sheet.returned.pull else ""
    none = "" if sheet.rows else ": nothing of that kind is in the log."
    return f"**{name}**{where}{none} {sheet.cite}"


def _notes(sheets: Sequence[ResultTable]) -> Iterator[str]:
    """Yield the notes on how numbers are computed, each once, except those naming the pull."""
    said: set[str] = set()
    for sheet in sheets:
        notes = [note for note in sheet.returned.notes if not note.startswith("Pull ")]
        for note in notes[: NOTES if len(sheets) < FULL else 1]:
            if note not in said and len(said) < MOST_NOTES:
                yield f"- {_sentence(note)} {sheet.cite}"
            said.add(note)


def _sentence(text: str) -> str:
    text = text.strip()
    told = text[:1].upper() + text[1:]
    return told if told.endswith((".", "!", "?")) else f"{told}."


def _without_results(plan: Plan, night: Night) -> Iterator[str]:
    """Explain what can be asked if nothing could be looked up."""
    if plan.topics and plan.topics != ("help",):
        yield "That cannot be looked up without more detail: name a player, a boss or a pull."
    bosses = ", ".join(night.bosses) or "none"
    yield f"Report {night.code} is at hand. Bosses: {bosses}."
    yield HELP


NO_REPORT = """No combat log has been imported yet, so there is nothing to look up.

1. In the game, `/combatlog` starts logging; the file is `Logs/WoWCombatLog.txt`.
2. Import it: `ruleplay raid import WoWCombatLog.txt` (also .gz or .zip; `--follow` while you raid).
3. Ask again: "Why did we wipe?", "Who took avoidable damage?", "Who lacked a flask?"."""
