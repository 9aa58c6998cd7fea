"""`ruleplay worker`: runs the turns and jobs in a database's queues."""

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
"""Seconds that running turns and jobs get when a worker is stopped."""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(worker)


def worker(
    name: Annotated[
        str, typer.Option("--name", help="Stable name: by it work is resumed after a crash.")
    ],
    db: Db = "",
    model: Model = "",
    grace: Annotated[
        float, typer.Option(min=0, max=3_600, help="Seconds for running work at a shutdown.")
    ] = GRACE,
    as_json: AsJson = False,
) -> None:
    """Run turns and jobs from the database's queues until Ctrl-C or SIGTERM.

    Unfinished work then goes back to the queues. Running workers need different names.
    """
    from ruleplay.cli.hosting import configured
    from ruleplay.durable.extra import require_dbos

    require_dbos()
    os.umask(0o077)  # its files hold what people write: only the owner may read them
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
    host.models.guarded = True  # the turns come from servers' clients, who may name any model
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
