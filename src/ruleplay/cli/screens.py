"""The outputs of a chat: a terminal with Markdown, plain text, or JSON lines."""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Protocol

from ruleplay.cli import output
from ruleplay.cli.sources import LEGEND, numbered, remarks, told_markdown
from ruleplay.telling.footnotes import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.live import Live

    from ruleplay.records.events import Json
    from ruleplay.records.stream import Item
    from ruleplay.records.turns import Turn
    from ruleplay.telling.citing import Span


class Screen(Protocol):
    """An output of a chat."""

    def turn(self) -> AbstractContextManager[None]:
        """Show a turn's items while the block runs."""

    def hear(self, item: Item) -> None:
        """Show one item of the running turn."""

    def show(self, turn: Turn, reply: str) -> None:
        """Show the reply of the committed turn, with the asides for its seat."""

    def sources(self, spans: Sequence[Span]) -> None:
        """Show the record's lines that a reply cites, numbered."""

    def offer(self, labels: Sequence[str]) -> None:
        """Show replies to choose from."""

    def moved(self, words: str, head: Json) -> None:
        """Report that the chat has moved in the tree, or to another session."""

    def view(self, view: Json) -> None:
        """Show the state."""


class Page:
    """Plain text on standard output: the committed reply only.

    Streamed text may still be repaired or replaced, and what was printed cannot be taken back.
    """

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Do nothing; the reply is printed at the end."""
        yield

    def hear(self, item: Item) -> None:
        """Ignore the item."""

    def show(self, turn: Turn, reply: str) -> None:
        """Print the reply, and remarks on its parts on standard error."""
        output.write(f"{output.printable(reply).strip()}\n")
        for remark in remarks(turn.spans):
            output.note(f"  {remark}")

    def sources(self, spans: Sequence[Span]) -> None:
        """Print the record's lines that a reply cites."""
        lines = numbered(spans)
        output.write("\n".join(lines) + "\n" if lines else "The last reply cites no row.\n")

    def offer(self, labels: Sequence[str]) -> None:
        """Print the choices on standard error, as they are not part of the reply."""
        for number, label in enumerate(labels, 1):
            output.note(f"  {number}  {label}")

    def moved(self, words: str, head: Json) -> None:
        """Print the new position."""
        output.note(words)

    def view(self, view: Json) -> None:
        """Print the view, indented."""
        output.write(json.dumps(view, ensure_ascii=False, indent=2) + "\n")


class Terminal(Page):
    """Markdown on a terminal, rendered while it streams and replaced by the committed reply."""

    def __init__(self) -> None:
        super().__init__()
        self._live: Live | None = None
        self._text = ""

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Keep a live area open."""
        from rich.live import Live

        self._text = ""
        with Live(
            console=output.console(), transient=True, auto_refresh=False, vertical_overflow="crop"
        ) as live:
            self._live = live
            yield
        self._live = None

    def hear(self, item: Item) -> None:
        """Render the text so far."""
        from rich.markdown import Markdown

        if item.name == "text" and self._live:
            self._text += output.printable(str(item.body["text"]))
            self._live.update(Markdown(self._text, hyperlinks=False), refresh=True)

    def show(self, turn: Turn, reply: str) -> None:
        """Print the committed reply."""
        output.print_markdown(told_markdown(turn, reply))
        if turn.spans:
            output.note(LEGEND)


def screen_here() -> Page:
    """Choose the output by whether standard output is a terminal."""
    return Terminal() if sys.stdout.isatty() else Page()


class Lines:
    """JSON lines, one for each item of a turn."""

    def turn(self) -> AbstractContextManager[None]:
        """Do nothing around a turn."""
        return nullcontext()

    def hear(self, item: Item) -> None:
        """Print the item."""
        where: Json = {"type": item.name, "turn": item.turn, "seq": item.seq}
        output.print_json({**where, "body": item.body})

    def show(self, turn: Turn, reply: str) -> None:
        """Do nothing; the turn's last item has the reply."""

    def sources(self, spans: Sequence[Span]) -> None:
        """Print the lines."""
        output.print_json({"type": "sources", "body": [*lines_of(spans)]})

    def offer(self, labels: Sequence[str]) -> None:
        """Print the choices."""
        output.print_json({"type": "quick_replies", "body": [*labels]})

    def moved(self, words: str, head: Json) -> None:
        """Print the new position."""
        output.print_json({"type": "session", "body": head})

    def view(self, view: Json) -> None:
        """Print the view."""
        output.print_json({"type": "view", "body": view})
