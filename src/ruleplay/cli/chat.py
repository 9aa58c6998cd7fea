"""The interactive chat: lines in, turns out."""

from __future__ import annotations

import asyncio
import sys
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from ruleplay.catalog import find_agent
from ruleplay.cli import output
from ruleplay.cli.following import follow
from ruleplay.cli.hosting import configured
from ruleplay.cli.inputs import open_head
from ruleplay.cli.screens import Lines, Page, Screen, Terminal
from ruleplay.cli.seats import Place
from ruleplay.errors import RuleplayError, UserError
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session, acting_seat, head_json
from ruleplay.records.events import Json
from ruleplay.records.given import Given
from ruleplay.records.turns import whole_reply

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from pathlib import Path

    from pydantic import JsonValue

    from ruleplay.records.turns import Turn
    from ruleplay.telling.citing import Span

HELP = """\
/undo          undo the last turn
/again         play the last turn again, with the same message and dice
/edit N TEXT   play turn N again with another message
/fork          continue in a copy of this session
/view          show the state as this seat sees it
!sources       print the record's lines that the last reply cites
/go            let the other seats play: up to your move, or one round if you only watch
/quit          leave, like Ctrl-D
//TEXT         send a message that begins with a slash
Ctrl-C cancels the running turn. A number picks one of the suggested replies."""


def talk(
    agent: str, session: str, seat: str, config: str, db: str, model: str, *, as_json: bool
) -> None:
    """Chat until the input ends."""
    settings = configured(db, model)
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    with ExitStack() as stack:
        runner = stack.enter_context(asyncio.Runner())
        host = runner.run(Host.open(settings, find_agent))
        stack.callback(lambda: runner.run(host.close()))
        head = runner.run(open_head(host, agent, session, config))
        seat = seat or find_agent(agent).public_seat or runner.run(acting_seat(host, head))
        screen: Screen = Lines() if as_json else Terminal() if terminal else Page()
        output.note(f"{head.title}, session {head.id}. /help lists the commands.")
        chat = Chat(runner, Session(host, head.id), seat, screen)
        chat.sit()
        stack.callback(chat.leave)
        lines = prompted(settings.home / "chat_history") if sys.stdin.isatty() else piped()
        for line in lines:
            if not chat.take(line):
                break


def prompted(history: Path) -> Iterator[str]:
    """Yield lines typed at a prompt; Ctrl-C starts a new line, Ctrl-D ends the input."""
    try:
        import readline
    except ImportError:
        readline = None  # type: ignore[assignment]  # not on Windows: no history or editing there
    if readline:
        with suppress(OSError):
            readline.read_history_file(history)
        readline.set_history_length(1_000)
    while True:
        try:
            yield input("> ")
        except EOFError:
            break
        except KeyboardInterrupt:
            output.note("\n/quit or Ctrl-D leaves")
    output.note("")
    if readline:
        with suppress(OSError):
            readline.write_history_file(history)


def piped() -> Iterator[str]:
    """Yield the lines of standard input."""
    for line in sys.stdin:
        yield line.removesuffix("\n")


class Chat:
    """One chat: turns lines into turns or chat commands."""

    def __init__(self, runner: asyncio.Runner, session: Session, seat: str, screen: Screen) -> None:
        self._runner, self._session, self._seat, self._screen = runner, session, seat, screen
        self._offered: list[Given] = []
        self._spans: tuple[Span, ...] = ()
        self._sat = False
        self._commands: dict[str, Callable[[str], None]] = {
            "/undo": self._undo,
            "/again": self._again,
            "/edit": self._edit,
            "/fork": self._fork,
            "/view": self._view,
            "/go": lambda _: self._go(),
            "/help": lambda _: output.note(HELP),
        }

    def take(self, line: str) -> bool:
        """Handle a line; False to leave. Errors are printed, and the chat continues."""
        word, _, rest = line.strip().partition(" ")
        if word in ("/quit", "/exit"):
            return False
        if line.strip() == "!sources":
            self._screen.sources(self._spans)
        elif line.startswith("/") and not line.startswith("//"):
            self._attempt(lambda: self._command(word, rest.strip()))
        elif line.strip():
            said = self._given(line.removeprefix("/") if line[:2] == "//" else line)
            self._attempt(lambda: self._say(said))
        return True

    @property
    def _place(self) -> Place:
        return Place(self._session.host, self._session.id, self._seat, self._screen)

    def sit(self) -> None:
        """Take the seat if seats are guarded, and play the others' moves up to its own."""
        self._sat = self._runner.run(self._place.sit())
        self._attempt(self._pass_on)
        self.offer()

    def leave(self) -> None:
        """Leave the seat if this chat has taken it."""
        if self._sat:
            self._runner.run(self._place.leave())

    def _go(self) -> None:
        self._runner.run(self._place.wait())
        self.offer()

    def _pass_on(self) -> None:
        """Play the others' moves if this seat takes turns with them."""
        if self._runner.run(self._place.acts()):
            self._runner.run(self._place.wait())

    def _attempt(self, act: Callable[[], object]) -> None:
        """Run an action, printing its errors."""
        try:
            act()
        except RuleplayError as error:
            output.note(f"error: {error}")
        except KeyboardInterrupt:
            output.note("\ncancelled; nothing of this turn was stored")

    def offer(self) -> None:
        """Show the view's suggested replies, numbered."""
        view = self._runner.run(self._session.view(self._seat))
        choices = quick_replies(view)
        self._offered = [given for _, given in choices]
        if choices:
            self._screen.offer([label for label, _ in choices])

    def _given(self, line: str) -> Given:
        text = line.strip()
        if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= len(self._offered):
            return self._offered[int(text) - 1]
        return Given(message=line)

    def _command(self, word: str, rest: str) -> None:
        if word not in self._commands:
            raise UserError(f"no command {word!r}; /help lists them, // says a leading slash")
        self._commands[word](rest)

    def _say(self, given: Given) -> None:
        async def start() -> asyncio.Task[Turn]:
            return self._session.host.start(self._session.id, given, seat=self._seat)

        self._play(start())
        self._pass_on()
        self.offer()

    def _play(self, starting: Coroutine[None, None, asyncio.Task[Turn]]) -> None:
        async def run() -> Turn:
            host, session = self._session.host, self._session.id
            return await follow(host, session, await starting, self._seat, self._screen.hear)

        with self._screen.turn():
            turn = self._runner.run(run())
        self._screen.show(turn, whole_reply(turn, self._seat))
        self._spans = turn.spans

    def _undo(self, _: str) -> None:
        head = self._runner.run(self._session.undo())
        self._screen.moved(f"back at turn {head.number}", head_json(head))
        self.offer()

    def _again(self, _: str) -> None:
        self._play(self._session.host.regenerate(self._session.id))
        self.offer()

    def _edit(self, rest: str) -> None:
        number, _, text = rest.partition(" ")
        if not (number.isascii() and number.isdigit() and text.strip()):
            raise UserError("write /edit NUMBER NEW MESSAGE")
        self._play(self._session.host.edit(self._session.id, int(number[:9]), text.strip()))
        self.offer()

    def _fork(self, _: str) -> None:
        self._session = self._runner.run(self._session.fork())
        head = self._runner.run(self._session.head())
        self._screen.moved(f"now in session {head.id}", head_json(head))

    def _view(self, _: str) -> None:
        self._screen.view(self._runner.run(self._session.view(self._seat)))


def quick_replies(view: Json) -> list[tuple[str, Given]]:
    """Return the labels and inputs of a view's `quick_replies`.

    An entry is the message itself, or an object with a `label` and a `message` or an `action`.
    """
    offered = view.get("quick_replies")
    return (
        [choice for entry in offered if (choice := _choice(entry))]
        if isinstance(offered, list)
        else []
    )


def _choice(entry: JsonValue) -> tuple[str, Given] | None:
    if isinstance(entry, str):
        return entry, Given(message=entry)
    if not isinstance(entry, dict):
        return None
    label, action = str(entry.get("label") or entry.get("message") or ""), entry.get("action")
    if isinstance(action, dict):
        return label, Given(action=action)
    return (label, Given(message=str(entry.get("message") or label))) if label else None
