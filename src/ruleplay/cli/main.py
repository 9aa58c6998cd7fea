"""The `ruleplay` command: registers the commands, and turns errors into messages and exit codes.

Exit codes:

    0    done
    1    a guarantee was broken (fuzz, replay)
    2    the input cannot be used
    3    there is no such session, turn, agent or part
    4    not now: not your turn, nothing to undo, a key used twice
    5    something is missing: an extra, a key, a database
    6    a model failed
    70   a defect in Ruleplay; RULEPLAY_DEBUG=1 shows where
    130  cancelled
    141  the reader of the output closed it
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from typing import Annotated

import typer
from typer.exceptions import TyperException

from ruleplay import __version__
from ruleplay.cli import (
    check,
    db,
    mcp,
    output,
    play,
    serve,
    session,
    setup,
    share,
    worker,
)
from ruleplay.cli.agents import AgentGroups, built
from ruleplay.cli.jobs import commands as jobs
from ruleplay.cli.scaffold import commands as scaffold
from ruleplay.errors import Conflict, ModelError, NotFound, Unavailable, UserError

GARBAGE = 300_000
"""Allocations before a garbage collection; a command's imports, which all stay, trigger many."""
INTERRUPTED = 130
DEFECT = 70
EXIT_CODES: tuple[tuple[type[BaseException], int], ...] = (
    (NotFound, 3),
    (Conflict, 4),
    (UserError, 2),
    (Unavailable, 5),
    (ModelError, 6),
    (TyperException, 2),
    (KeyboardInterrupt, INTERRUPTED),
    (asyncio.CancelledError, INTERRUPTED),
    (typer.Abort, INTERRUPTED),
    (BrokenPipeError, 141),
)
"""Error types and exit codes; the first match counts, so subclasses come first."""

app = typer.Typer(
    name="ruleplay",
    cls=AgentGroups,
    help="Turn-based LLM agents that play by the rules.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
play.add_to(app)
app.add_typer(session.app)
app.add_typer(share.app)
check.add_to(app)
scaffold.add_to(app)
serve.add_to(app)
worker.add_to(app)
mcp.add_to(app)
app.add_typer(jobs.app)
app.add_typer(db.app)
app.add_typer(setup.app)


def _print_version(wanted: bool) -> None:
    if wanted:
        output.write(f"ruleplay {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Host turn-based LLM agents: code holds the rules, the model holds the pen."""


def main() -> None:
    """Run the command line and exit."""
    gc.set_threshold(GARBAGE)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    # A shell starts background jobs (`ruleplay serve &`) with SIGINT ignored, and child processes
    # inherit that; restore it so that SIGINT still stops them.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    code = run(sys.argv[1:])
    # At its end Python would look through all modules for garbage, several times over: of a server
    # that takes longer than half a second.
    gc.freeze()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; errors become one line on standard error."""
    try:
        code = built(app)(arguments, prog_name="ruleplay", standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:  # Typer turns Ctrl-C into this exit code, without a word
            raise KeyboardInterrupt
    except (Exception, KeyboardInterrupt, asyncio.CancelledError) as error:
        # The process ends here, and its user should not have to read a traceback.
        if os.environ.get("RULEPLAY_DEBUG") == "1":
            raise
        return _tell(error, as_json="--json" in arguments)
    return code if isinstance(code, int) else 0


def _tell(error: BaseException, *, as_json: bool) -> int:
    while isinstance(error, BaseExceptionGroup):  # what ran side by side failed; the first says why
        error = error.exceptions[0]
    code = next((code for kind, code in EXIT_CODES if isinstance(error, kind)), DEFECT)
    if isinstance(error, BrokenPipeError):
        # Else Python's own flush at exit would fail again, and print a message.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return code
    kind, message = type(error).__name__, _message(error, code)
    if as_json:
        import json

        body = {"error": {"type": kind, "message": message}}
        sys.stderr.write(json.dumps(body, ensure_ascii=False) + "\n")
    else:
        output.note(f"error: {message}")
    return code


def _message(error: BaseException, code: int) -> str:
    if code == INTERRUPTED:
        return "cancelled"
    if code == DEFECT:
        first = str(error).partition("\n")[0][:300]
        return f"{type(error).__name__}: {first} (a defect; RULEPLAY_DEBUG=1 shows where)"
    text = error.format_message() if isinstance(error, TyperException) else str(error)
    return " ".join(text.split())


if __name__ == "__main__":
    main()
