"""The output of commands: data on standard output, everything else on standard error."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pydantic import JsonValue
    from rich.console import Console

    from ruleplay.system.finding import Finding

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
WIDE = 160
"""Columns of tables that are not printed to a terminal; Rich would assume 80."""

TURN = ("session", "turn", "number", "reply", "asides", "spans", "events", "view", "calls")
"""The fields of a turn that are printed, in this order."""


def printable(text: str) -> str:
    """Remove control characters: escape sequences in messages could control the terminal."""
    return _CONTROL.sub("", text)


def write(text: str) -> None:
    """Write text to standard output without buffering."""
    sys.stdout.write(text)
    sys.stdout.flush()


def print_json(value: JsonValue) -> None:
    """Print one JSON value on one line of standard output."""
    write(json.dumps(value, ensure_ascii=False) + "\n")


def print_turn(turn: Mapping[str, JsonValue]) -> None:
    """Print a turn as one JSON object with the keys of `ruleplay turn --json`."""
    print_json({name: turn[name] for name in TURN})


def note(text: str) -> None:
    """Print a message that is not data on standard error."""
    sys.stderr.write(printable(text) + "\n")
    sys.stderr.flush()


def console(*, stderr: bool = False) -> Console:
    """Make a Rich console that prints text literally, without markup or emoji codes.

    Rich itself honours NO_COLOR, and uses no colours if the output is not a terminal.
    """
    from rich.console import Console

    class Pipe(Console):
        """A console that leaves a closed pipe to `main`; Rich would exit by itself."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    file = sys.stderr if stderr else sys.stdout
    width = None if file.isatty() else WIDE
    return Pipe(stderr=stderr, width=width, markup=False, emoji=False, highlight=False)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table on standard output; long cells are wrapped, never truncated."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(printable(cell) for cell in row))
    console().print(table)


def print_findings(rows: Sequence[Finding], as_json: bool) -> bool:
    """Print findings with advice; returns whether something is broken."""
    broken = any(row.state == "broken" for row in rows)
    if as_json:
        print_json({"ok": not broken, "rows": [row.model_dump() for row in rows]})
    else:
        shown = [(row.name, row.state, row.detail, row.advice) for row in rows]
        print_table(("what", "state", "found", "what to do"), shown)
    return broken


def print_markdown(text: str) -> None:
    """Print Markdown, rendered if standard output is a terminal."""
    if not sys.stdout.isatty():
        write(printable(text).rstrip("\n") + "\n")
        return
    from rich.markdown import Markdown

    console().print(Markdown(printable(text), hyperlinks=False))


def print_coloured(text: str, colours: Mapping[str, str]) -> None:
    """Print text with some words coloured (word → colour) if standard output is a terminal."""
    if not sys.stdout.isatty():
        write(printable(text).rstrip("\n") + "\n")
        return
    from rich.text import Text

    shown = Text(printable(text))
    for word, colour in colours.items():
        shown.highlight_words([word], style=colour)
    for line in shown.split("\n"):
        if line.plain.startswith("› "):
            line.stylize("dim")
        console().print(line)


def print_fields(fields: Mapping[str, JsonValue]) -> None:
    """Print one `name: value` per line; nested values as JSON."""
    for name, value in fields.items():
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        write(f"{name}: {printable(shown)}\n")


class Bar:
    """A progress bar on standard error, shown only on a terminal; update it by `advance`.

    With `speed` the units are bytes, and bytes per second are shown.
    """

    def __init__(self, label: str, total: int | None = None, *, speed: bool = False) -> None:
        from rich.progress import (
            BarColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%"),
            *((TransferSpeedColumn(),) if speed else ()),
            TimeRemainingColumn(),
            console=console(stderr=True),
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        self._task = self._progress.add_task(label, total=total)

    def __enter__(self) -> Bar:
        """Show the bar."""
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the bar."""
        self._progress.stop()

    def advance(self, done: int, total: int) -> None:
        """Update the progress."""
        self._progress.update(self._task, completed=done, total=total)

    def label(self, text: str) -> None:
        """Change the label."""
        self._progress.update(self._task, description=printable(text))
