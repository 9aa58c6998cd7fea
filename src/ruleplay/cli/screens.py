"""How a chat shows its turns: on a terminal, as plain text, or as JSON lines."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Protocol

from ruleplay.cli import output
from ruleplay.cli.following import Streamed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.live import Live

    from ruleplay.foundation.events import Json
    from ruleplay.foundation.stream import Item


class Screen(Protocol):
    """Where a chat shows itself."""

    def turn(self) -> AbstractContextManager[None]:
        """Be ready for a turn's items while the block runs."""

    def hear(self, item: Item) -> None:
        """Show one item of the running turn."""

    def show(self, reply: str) -> None:
        """Show the reply of the committed turn."""

    def offer(self, labels: Sequence[str]) -> None:
        """Show replies to choose from."""

    def moved(self, words: str, head: Json) -> None:
        """Say that the chat now stands elsewhere in the tree, or in another session."""

    def view(self, view: Json) -> None:
        """Show the state."""


class Page:
    """Plain text on standard output, as it streams in."""

    def __init__(self) -> None:
        self._streamed = Streamed(output.write)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Start a reply; one that breaks off ends its line."""
        self._streamed = Streamed(output.write)
        try:
            yield
        except BaseException:
            self._streamed.break_off()
            raise

    def hear(self, item: Item) -> None:
        """Write the item's text."""
        self._streamed.hear(item)

    def show(self, reply: str) -> None:
        """Complete the reply."""
        self._streamed.finish(reply)

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

    def show(self, reply: str) -> None:
        """Print the reply for good."""
        output.print_markdown(reply)


class Lines:
    """One JSON object a line: the items of each turn, then the next turn's."""

    def turn(self) -> AbstractContextManager[None]:
        """Lines need nothing around a turn."""
        return nullcontext()

    def hear(self, item: Item) -> None:
        """Print the item."""
        where: Json = {"type": item.name, "turn": item.turn, "seq": item.seq}
        output.print_json({**where, "body": item.body})

    def show(self, reply: str) -> None:
        """Nothing: the last item told everything."""

    def offer(self, labels: Sequence[str]) -> None:
        """Print the choices."""
        output.print_json({"type": "quick_replies", "body": [*labels]})

    def moved(self, words: str, head: Json) -> None:
        """Print where the chat stands."""
        output.print_json({"type": "session", "body": head})

    def view(self, view: Json) -> None:
        """Print the view."""
        output.print_json({"type": "view", "body": view})
