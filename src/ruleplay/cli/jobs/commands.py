"""`ruleplay jobs`: submit, list, show and cancel long jobs."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from ruleplay.cli import output
from ruleplay.cli.inputs import read_object
from ruleplay.cli.jobs.kinds import find_kind, job_offers
from ruleplay.cli.options import AsJson, Db

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from ruleplay.durable.jobs import Job, Jobs

app = typer.Typer(
    name="jobs", help="Long jobs, run by `ruleplay worker` and resumed after a crash."
)
app.info.no_args_is_help = True
Found = TypeVar("Found")
JobId = Annotated[str, typer.Argument(metavar="JOB", help="Job id, as `jobs list` shows.")]


@app.command()
def submit(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="Kind of job; `jobs kinds` lists them.")
    ],
    options: Annotated[
        str, typer.Option("--options", metavar="JSON", help='Options, such as {"battles": 50}.')
    ] = "{}",
    key: Annotated[
        str, typer.Option("--key", help="Idempotency key: the same key, the same job.")
    ] = "",
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """Submit a job, which a worker on the same database will run."""
    given = read_object("--options", options)
    _tell(db, lambda jobs: jobs.submit(find_kind(kind), given, key), as_json)


@app.command()
def kinds(as_json: AsJson = False) -> None:
    """List the kinds of jobs."""
    found = [(offer.name, offer.title) for offer in job_offers().values()]
    if as_json:
        output.print_json({"kinds": [{"name": name, "title": title} for name, title in found]})
    else:
        output.print_table(("kind", "does"), found)


@app.command("list")
def list_(db: Db = "", as_json: AsJson = False) -> None:
    """List the newest jobs."""
    found = asyncio.run(_with_jobs(db, lambda jobs: jobs.recent()))
    if as_json:
        output.print_json(
            {"jobs": [job.model_dump(mode="json", exclude={"result"}) for job in found]}
        )
        return
    rows = [(job.job, job.kind, job.status, _progress(job), job.worker) for job in found]
    output.print_table(("job", "kind", "status", "done", "worker"), rows)


@app.command()
def show(job: JobId, db: Db = "", as_json: AsJson = False) -> None:
    """Show a job and its result."""
    _tell(db, lambda jobs: jobs.show(job), as_json)


@app.command()
def cancel(job: JobId, db: Db = "", as_json: AsJson = False) -> None:
    """Cancel a job."""
    _tell(db, lambda jobs: jobs.cancel(job), as_json)


def _tell(db: str, ask: Callable[[Jobs], Awaitable[Job]], as_json: bool) -> None:
    job = asyncio.run(_with_jobs(db, ask))
    body = job.model_dump(mode="json")
    if as_json:
        output.print_json(body)
        return
    text = (job.result or {}).get("markdown")
    output.print_fields({**body, "result": None} if text else body)
    if isinstance(text, str):
        output.print_markdown(text)


def _progress(job: Job) -> str:
    return f"{job.done}/{job.parts}" if job.parts else "-"


async def _with_jobs(db: str, ask: Callable[[Jobs], Awaitable[Found]]) -> Found:
    async with _jobs(db) as jobs:
        return await ask(jobs)


@asynccontextmanager
async def _jobs(db: str) -> AsyncIterator[Jobs]:
    """Open the job queue of the configured database."""
    from ruleplay.cli.hosting import hosting
    from ruleplay.durable.extra import require_dbos

    require_dbos()
    from ruleplay.durable.desk import Desk
    from ruleplay.durable.jobs import Jobs

    async with hosting(db) as host:
        desk = await Desk.open(host.settings.database_url)
        try:
            yield Jobs(desk)
        finally:
            await desk.close()
