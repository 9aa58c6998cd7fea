"""How a chat shows its turns: on a terminal, as plain text, or as JSON lines."""

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
    """Where a chat shows itself."""

    def turn(self) -> AbstractContextManager[None]:
        """Be ready for a turn's items while the block runs."""

    def hear(self, item: Item) -> None:
        """Show one item of the running turn."""

    def show(self, turn: Turn, reply: str) -> None:
        """Show the reply of the committed turn, as its seat hears it."""

    def sources(self, spans: Sequence[Span]) -> None:
        """Show the record's lines that a reply rests on, numbered."""

    def offer(self, labels: Sequence[str]) -> None:
        """Show replies to choose from."""

    def moved(self, words: str, head: Json) -> None:
        """Say that the chat now stands elsewhere in the tree, or in another session."""

    def view(self, view: Json) -> None:
        """Show the state."""


class Page:
    """Plain text on standard output: the committed reply, once.

    What was written cannot be taken back, and a draft may still be repaired or replaced.
    """

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Nothing: the reply comes when the turn is over."""
        yield

    def hear(self, item: Item) -> None:
        """Nothing: drafts are for screens that can be written over."""

    def show(self, turn: Turn, reply: str) -> None:
        """Print the reply; what its plain text cannot show is told on standard error."""
        output.write(f"{output.printable(reply).strip()}\n")
        for remark in remarks(turn.spans):
            output.note(f"  {remark}")

    def sources(self, spans: Sequence[Span]) -> None:
        """Print the record's lines that a reply rests on."""
        lines = numbered(spans)
        output.write("\n".join(lines) + "\n" if lines else "The last reply cites no row.\n")

    def offer(self, labels: Sequence[str]) -> None:
        """Print the choices on standard error: they are no part of the reply."""
        for number, label in enumerate(labels, 1):
            output.note(f"  {number}  {label}")

    def moved(self, words: str, head: Json) -> None:
        """Say where the chat stands."""
        output.note(words)

    def view(self, view: Json) -> None:
        """Print the view, indented."""
        output.write(json.dumps(view, ensure_ascii=False, indent=2) + "\n")


class Terminal(Page):
    """Markdown on a terminal: laid out while it streams, replaced by the committed reply."""

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
        """Lay out the text so far."""
        from rich.markdown import Markdown

        if item.name == "text" and self._live:
            self._text += output.printable(str(item.body["text"]))
            self._live.update(Markdown(self._text, hyperlinks=False), refresh=True)

    def show(self, turn: Turn, reply: str) -> None:
        """Print the reply for good."""
        output.print_markdown(told_markdown(turn, reply))
        if turn.spans:
            output.note(LEGEND)


def screen_here() -> Page:
    """Return the screen that one reply is read on: a terminal, or whatever standard output is."""
    return Terminal() if sys.stdout.isatty() else Page()


class Lines:
    """One JSON object a line: the items of each turn, then the next turn's."""

    def turn(self) -> AbstractContextManager[None]:
        """Lines need nothing around a turn."""
        return nullcontext()

    def hear(self, item: Item) -> None:
        """Print the item."""
        where: Json = {"type": item.name, "turn": item.turn, "seq": item.seq}
        output.print_json({**where, "body": item.body})

    def show(self, turn: Turn, reply: str) -> None:
        """Nothing: the last item told everything."""

    def sources(self, spans: Sequence[Span]) -> None:
        """Print the lines."""
        output.print_json({"type": "sources", "body": [*lines_of(spans)]})

    def offer(self, labels: Sequence[str]) -> None:
        """Print the choices."""
        output.print_json({"type": "quick_replies", "body": [*labels]})

    def moved(self, words: str, head: Json) -> None:
        """Print where the chat stands."""
        output.print_json({"type": "session", "body": head})

    def view(self, view: Json) -> None:
        """Print the view."""
        output.print_json({"type": "view", "body": view})
