"""What commands print: data on standard output, everything else on standard error."""

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
"""Columns of tables that go to a file or a pipe, where nothing needs to be cut."""

TURN = ("session", "turn", "number", "reply", "asides", "spans", "events", "view", "calls")
"""What is printed of a turn, in this order."""


def printable(text: str) -> str:
    """Return text without control characters, which could take over the terminal."""
    return _CONTROL.sub("", text)


def write(text: str) -> None:
    """Write text to standard output at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def print_json(value: JsonValue) -> None:
    """Print one JSON value on one line of standard output."""
    write(json.dumps(value, ensure_ascii=False) + "\n")


def print_turn(turn: Mapping[str, JsonValue]) -> None:
    """Print a turn as one JSON object with the keys of `ruleplay turn --json`."""
    print_json({name: turn[name] for name in TURN})


def note(text: str) -> None:
    """Tell the user something that is not data, on standard error."""
    sys.stderr.write(printable(text) + "\n")
    sys.stderr.flush()


def console(*, stderr: bool = False) -> Console:
    """Return a Rich console that takes text as it is: no markup, no emoji codes.

    Rich itself honours NO_COLOR and leaves colours away where no terminal reads.
    """
    from rich.console import Console

    class Pipe(Console):
        """A console that leaves a closed pipe to the one place that deals with it."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    file = sys.stderr if stderr else sys.stdout
    width = None if file.isatty() else WIDE
    return Pipe(stderr=stderr, width=width, markup=False, emoji=False, highlight=False)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table on standard output; cells are shown as text, never cut."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(printable(cell) for cell in row))
    console().print(table)


def print_findings(rows: Sequence[Finding], as_json: bool) -> bool:
    """Print what works and what to do about the rest; tell whether something is broken."""
    broken = any(row.state == "broken" for row in rows)
    if as_json:
        print_json({"ok": not broken, "rows": [row.model_dump() for row in rows]})
    else:
        shown = [(row.name, row.state, row.detail, row.advice) for row in rows]
        print_table(("what", "state", "found", "what to do"), shown)
    return broken


def print_markdown(text: str) -> None:
    """Print Markdown: laid out on a terminal, as written elsewhere."""
    if not sys.stdout.isatty():
        write(printable(text).rstrip("\n") + "\n")
        return
    from rich.markdown import Markdown

    console().print(Markdown(printable(text), hyperlinks=False))


def print_coloured(text: str, colours: Mapping[str, str]) -> None:
    """Print text with words in colours of their own on a terminal, plain elsewhere."""
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
    """Print names and values, one a line; nested values as JSON."""
    for name, value in fields.items():
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        write(f"{name}: {printable(shown)}\n")


class Bar:
    """A progress bar on standard error, drawn only where a terminal reads; use it as `advance`.

    With `speed` what is done are bytes, and how many of them a second is shown.
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
        """Take the bar away."""
        self._progress.stop()

    def advance(self, done: int, total: int) -> None:
        """Show how much is done of how much."""
        self._progress.update(self._task, completed=done, total=total)

    def label(self, text: str) -> None:
        """Say something else beside the bar."""
        self._progress.update(self._task, description=printable(text))
