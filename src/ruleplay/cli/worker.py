"""`ruleplay worker`: do the turns and jobs that wait in a database's queues."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.cli import output
from ruleplay.cli.options import AsJson, Db, Model

if TYPE_CHECKING:
    from ruleplay.settings import Settings

GRACE = 20
"""Seconds that running turns and jobs get when a worker is told to stop."""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(worker)


def worker(
    name: Annotated[
        str, typer.Option("--name", help="Name that stays: after a crash it goes on with its work.")
    ],
    db: Db = "",
    model: Model = "",
    grace: Annotated[
        float, typer.Option(min=0, max=3_600, help="Seconds for what runs when it is stopped.")
    ] = GRACE,
    as_json: AsJson = False,
) -> None:
    """Take turns and jobs from the database's queues until Ctrl-C or SIGTERM.

    What is not done by then goes back to the queues. No two running workers may have one name.
    """
    from ruleplay.cli.hosting import configured
    from ruleplay.durable.extra import require_dbos

    require_dbos()
    os.umask(0o077)  # what a worker writes holds what people say
    asyncio.run(_work(name, configured(db, model), grace, as_json))


async def _work(name: str, settings: Settings, grace: float, as_json: bool) -> None:
    from ruleplay.catalog import find_agent
    from ruleplay.cli.jobs.kinds import find_kind
    from ruleplay.durable.jobs import JOBS, WORK, JobWorker
    from ruleplay.durable.runner import Runner
    from ruleplay.kernel.host import Host

    told = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    host = await Host.open(settings, find_agent)
    host.models.guarded = True  # servers hand in what their clients ask for
    try:
        jobs = JobWorker(find_kind, settings)
        host.runner = await Runner.open(host, name, (JOBS,), {WORK: jobs.perform})
        if as_json:
            output.print_json({"worker": name, "pid": os.getpid()})
        else:
            output.write(f"worker {name} takes turns and jobs\n")
        await told.wait()
    finally:
        await host.close(grace)
