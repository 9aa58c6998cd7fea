"""`ruleplay raid`: import combat logs, run a tool, ask, and write a night's report."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.agents.raid.commands import setup
from ruleplay.cli import output
from ruleplay.cli.inputs import read_object, read_text
from ruleplay.cli.options import AsJson, Db, Model
from ruleplay.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ruleplay.agents.raid.adapters.log_import import ImportReport
    from ruleplay.agents.raid.adapters.reports import Reports
    from ruleplay.agents.raid.domain.tool_result import ToolOutcome
    from ruleplay.agents.raid.view.words import Words
    from ruleplay.records.events import Json

LINES = 2_000
"""Raw lines that one command prints at most."""

app = typer.Typer(name="raid", help="Combat logs: import them, ask about them.")
app.info.no_args_is_help = True
setup.add_to(app)

Lang = Annotated[str, typer.Option("--lang", metavar="L", help="en, fr or de.")]
ReportCode = Annotated[
    str, typer.Option("--report", metavar="R", help="Report to ask about; the newest otherwise.")
]


@app.command("import")
def import_(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Log, .gz or .zip.")],
    follow: Annotated[
        bool,
        typer.Option(
            "--follow", help="Go on while the log grows, telling each pull at its end; Ctrl-C ends."
        ),
    ] = False,
    webhook: Annotated[
        str, typer.Option("--webhook", metavar="URL", help="Where to post each pull as it ends.")
    ] = "",
    form: Annotated[
        str, typer.Option("--webhook-form", metavar="F", help="discord or json; by the address.")
    ] = "",
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Import combat logs as reports; the same log twice is one report.

    RULEPLAY_WEBHOOK_SECRET signs what is posted.
    """
    from ruleplay.agents.raid.adapters.log_import import import_logs

    if webhook and not follow:
        raise UserError("--webhook tells of pulls while they end: add --follow")
    if follow:
        _follow(files, webhook, form, _words(lang), as_json)
        return
    with output.Bar("importing", speed=True) as bar:
        done = import_logs(files, _home(), on_progress=bar.advance)
    body = done.model_dump(mode="json")
    if as_json:
        output.print_json(body)
        return
    for one in (*done.more, done):
        _print_import(one)


def _follow(files: list[Path], url: str, form: str, words: Words, as_json: bool) -> None:
    from contextlib import nullcontext

    from ruleplay.agents.raid.adapters import announcing
    from ruleplay.agents.raid.adapters.log_import import follow_log
    from ruleplay.agents.raid.commands.following import Ending

    if len(files) != 1:
        raise UserError(f"--follow takes one log, not {len(files)}")
    home, secret = _home(), os.environ.get("RULEPLAY_WEBHOOK_SECRET", "")
    ending = Ending(home)
    hook = announcing.Announcer(home, url, secret, form, words) if url else None

    def tell(report: ImportReport) -> None:
        output.note(f"{report.report}: {report.lines:,} lines, {len(report.encounters)} pulls")
        for pull in ending.of(report):
            if as_json:
                output.print_json(pull.model_dump(mode="json"))
            else:
                first = announcing.first_death(pull, words)
                head, name = announcing.headline(pull, words), words.say("hook.first")
                output.write(output.printable(f"{head} · {name}: {first}") + "\n")
            if hook:
                hook.tell(pull)

    with hook or nullcontext():
        follow_log(files[0], home, tell)


def _print_import(report: ImportReport) -> None:
    """Print what an import brought, and the lines that could not be read."""
    output.print_fields(
        report.model_dump(mode="json", exclude={"encounters", "unparsed_lines", "more", "parses"})
    )
    rows = [
        (str(p.fight), p.name, p.start, f"{p.seconds:g}", p.ended, str(p.players))
        for p in report.encounters
    ]
    if rows:
        output.print_table(("pull", "boss", "start", "seconds", "ended", "players"), rows)
    for line in report.unparsed_lines:
        output.note(f"line {line.line}: {line.reason}: {line.text[:120]}")


@app.command("import-wcl")
def import_from_site(
    address: Annotated[
        str, typer.Argument(metavar="REPORT", help="Address of a report on the site, or its code.")
    ],
    site: Annotated[
        str, typer.Option("--site", metavar="S", help="www, classic, vanilla, sod, fresh.")
    ] = "",
    user_token: Annotated[
        str,
        typer.Option(envvar="WCL_USER_TOKEN", metavar="T", help="A user's, for private reports."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Bring a Warcraft Logs report and its rankings.

    Needs WCL_CLIENT_ID and WCL_CLIENT_SECRET of an API client of yours, or a user's token.
    """
    from ruleplay.agents.raid.adapters.warcraftlogs import import_report

    with output.Bar(f"importing {address}") as bar:
        done = import_report(
            address, _home(), site=site, user_token=user_token, on_progress=bar.advance
        )
    if as_json:
        output.print_json(done.model_dump(mode="json"))
        return
    _print_import(done)
    if done.fight:
        which = f"pull {done.pull}" if done.pull else "no boss"
        output.note(f"fight {done.fight} of the address is {which} here")


@app.command()
def reports(as_json: AsJson = False) -> None:
    """List the imported reports, the newest first."""
    outcome = _run("list_reports", {})
    if as_json:
        output.print_json({"reports": outcome.model_dump(mode="json")["rows"]})
    else:
        _print_rows(outcome)


@app.command()
def delete(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="Code of the report.")],
    as_json: AsJson = False,
) -> None:
    """Remove a report, with the raw lines it keeps; its log can be imported again."""
    gone = _reports().delete(report)
    if as_json:
        output.print_json({"deleted": gone.code, "file": gone.file, "lines": gone.lines})
    else:
        output.note(f"report {gone.code} of {gone.file} is removed ({gone.lines:,} lines)")


@app.command()
def tools(as_json: AsJson = False) -> None:
    """List the tools with their arguments."""
    from ruleplay.agents.raid.domain.toolbox import SPECS

    if as_json:
        found: list[Json] = [
            {
                "name": spec.name,
                "description": spec.description,
                "arguments": spec.arguments.model_json_schema(),
            }
            for spec in SPECS
        ]
        output.print_json({"tools": [*found]})
        return
    rows = [(s.name, ", ".join(s.arguments.model_fields), s.description) for s in SPECS]
    output.print_table(("tool", "arguments", "answers"), rows)


@app.command()
def tool(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Tool, as `raid tools` lists.")],
    args: Annotated[str, typer.Option("--args", metavar="JSON", help="Its arguments.")] = "{}",
    as_json: AsJson = False,
) -> None:
    """Run one tool and print its rows, with the log lines they rest on."""
    outcome = _run(name, read_object("--args", args))
    if outcome.problem:
        raise UserError(outcome.problem)
    if as_json:
        output.print_json(_outcome_json(outcome))
        return
    _print_rows(outcome)
    for note in outcome.notes:
        output.note(note)
    ranges = ", ".join(f"{first}-{last}" for first, last in outcome.lines)
    output.note(f"log lines of {outcome.report}: {ranges}" if ranges else "no log lines")


def _outcome_json(outcome: ToolOutcome) -> Json:
    body: Json = outcome.model_dump(mode="json", exclude={"problem"})
    return {"result": "r1", **body}


def _print_rows(outcome: ToolOutcome) -> None:
    from ruleplay.agents.raid.view.tables import shown

    columns = list(dict.fromkeys(name for row in outcome.rows for name in row))
    rows = [tuple(shown(row.get(name)) for name in columns) for row in outcome.rows]
    if columns:
        output.print_table(columns, rows)
    else:
        output.note("no rows")


@app.command()
def lines(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="Code of the report.")],
    which: Annotated[str, typer.Argument(metavar="FIRST-LAST", help="Line numbers, from 1.")],
    as_json: AsJson = False,
) -> None:
    """Print raw lines of a report's log."""
    first, last = _range(which)
    from ruleplay.agents.raid.tools.library import open_book

    found = open_book(_reports(), report).report.raw_lines(first, last)
    if as_json:
        output.print_json({"report": report, "first": first, "lines": [*found]})
        return
    for number, text in enumerate(found, first):
        output.write(output.printable(f"{number}: {text}") + "\n")


def _range(which: str) -> tuple[int, int]:
    first, _, last = which.replace("–", "-").partition("-")
    if not (first.isdecimal() and (last or first).isdecimal()):
        raise UserError(f"line numbers are written FIRST-LAST such as 120-140, not {which!r}")
    begin, end = int(first), int(last or first)
    if not 1 <= begin <= end < begin + LINES:
        raise UserError(f"{which!r}: from 1 on, at most {LINES:,} lines at a time")
    return begin, end


@app.command()
def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="- reads standard input.")],
    report: ReportCode = "",
    session: Annotated[
        str, typer.Option("--session", metavar="ID", help="Conversation to go on with.")
    ] = "",
    db: Db = "",
    model: Model = "",
    as_json: AsJson = False,
) -> None:
    """Ask about a raid; each number of the answer names the result it comes from."""
    asyncio.run(_ask(read_text(question), report, session, db, model, as_json))


async def _ask(
    question: str, report: str, session: str, db: str, model: str, as_json: bool
) -> None:
    import json

    from ruleplay.cli.following import follow
    from ruleplay.cli.hosting import hosting
    from ruleplay.cli.inputs import open_head
    from ruleplay.cli.screens import screen_here
    from ruleplay.kernel.session import played_json
    from ruleplay.records.given import Given, check_given

    given = Given(message=question)
    check_given(given)
    config = json.dumps({"report": report}) if report else ""
    async with hosting(db, model) as host:
        head = await open_head(host, "raid", session, config)
        task = host.start(head.id, given)
        if as_json:
            played = await follow(host, head.id, task, "raider", lambda _: None)
            output.print_turn(await played_json(host, played, "raider"))
            return
        screen = screen_here()
        with screen.turn():
            played = await follow(host, head.id, task, "raider", screen.hear)
        screen.show(played, played.reply)
        output.note(f"session {head.id}")


@app.command()
def report(
    code: Annotated[str, typer.Argument(metavar="[REPORT]", help="The newest otherwise.")] = "",
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write one HTML file instead.")
    ] = None,
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Write a whole night's report: pulls, rankings, deaths, preparation, charts."""
    from ruleplay.agents.raid.tools.night import gather_night
    from ruleplay.agents.raid.view import night

    words = _words(lang)

    with output.Bar("reading the night") as bar:
        page = gather_night(_reports(), code, on_progress=bar.advance)
    if html is not None:
        html.write_text(night.html(page, words), encoding="utf-8")
        output.note(f"written to {html}")
    if as_json:
        output.print_json(night.as_json(page) | {"html": str(html) if html else None})
    elif html is None:
        output.print_markdown(night.markdown(page, words))


def _words(lang: str) -> Words:
    from ruleplay.agents.raid.view.words import LANGUAGES, Words

    if lang not in LANGUAGES:
        raise UserError(f"reports are written in {', '.join(LANGUAGES)}, not in {lang!r}")
    return Words(lang)


def _run(name: str, args: Mapping[str, object]) -> ToolOutcome:
    from ruleplay.agents.raid.tools.registry import run_tool

    return run_tool(_reports(), name, args)


def _home() -> Path:
    from ruleplay.cli.hosting import configured

    return configured().home


def _reports() -> Reports:
    """Open the imported reports; the demo's are made where there are none."""
    from ruleplay.agents.raid.adapters.nights import open_nights

    return open_nights(_home()).reports
