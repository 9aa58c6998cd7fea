"""What a chat program sends, as the exchanges that led to a turn, and their hashes.

The program sends all that was said each time. What counts of it is what people asked and what was
replied: a hash of that is the address of a turn. Greetings of character cards, instructions and
exchanges about commands are no part of it; taken-back exchanges neither.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ruleplay.storage.histories import digest

Role = Literal["user", "assistant"]
UNDONE = "↩"
"""How the answer to an undo that was done begins; the exchange before it then counts no more."""
RENEWED = "✳"
"""How the answer to a new session begins; nothing before it counts any more."""
SEAT_CODE = re.compile(r"\bseat:([0-9a-f]{24}):([\w-]{43})(?![\w-])")
"""A session and the token of a seat there, as an answer tells them to programs without chat ids."""
COMMANDS = ("help", "leave", "new", "seat", "session", "sources", "undo")
_COMMAND = re.compile(rf"[!/]({'|'.join(COMMANDS)})(?:\s+(\S.*))?", re.DOTALL)
_REASONING = re.compile(r"<(details|think)\b[^<>]*>|</(details|think)>")
"""A tag that begins or ends what a program shows of a model's reasoning."""

_TAGS = ("details", "think")


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a program's history."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """What was asked, and what was replied, as the program sends it back."""

    asked: str
    replied: str


@dataclass(frozen=True, slots=True)
class Command:
    """A word to the server itself, which is no turn."""

    name: str
    about: str = ""


@dataclass(frozen=True)
class History:
    """The exchanges that count, and what is asked now.

    `renewed` counts how often a new session was asked for; `codes` are the seats' tokens that were
    told on the way, with their sessions.
    """

    exchanges: tuple[Exchange, ...]
    asked: str
    last: str
    command: Command | None = None
    renewed: int = 0
    codes: tuple[tuple[str, str], ...] = ()


def read_history(messages: Sequence[Said]) -> History:
    """Return what counts of a program's messages; the last one is to be the person's."""
    exchanges: list[Exchange] = []
    open_: list[str] = []
    command: Command | None = None
    renewed = 0
    for message in messages:
        if message.role == "user":
            command = read_command(message.text)
            if command is None:
                open_.append(message.text)
        elif command:
            if message.text.startswith(RENEWED):
                exchanges, open_, renewed = [], [], renewed + 1
            elif message.text.startswith(UNDONE) and exchanges:
                exchanges.pop()
        elif open_:
            exchanges.append(Exchange("\n\n".join(open_), message.text))
            open_ = []
        elif exchanges:  # one reply in two messages
            before = exchanges.pop()
            exchanges.append(Exchange(before.asked, f"{before.replied}\n\n{message.text}"))
    return History(
        exchanges=tuple(exchanges),
        asked="\n\n".join(open_),
        last=messages[-1].text if messages else "",
        command=command,
        renewed=renewed,
        codes=_codes(messages),
    )


def _codes(messages: Iterable[Said]) -> tuple[tuple[str, str], ...]:
    said = (message.text for message in messages if message.role == "assistant")
    return tuple((m[1], m[2]) for text in said for m in SEAT_CODE.finditer(text))


def read_command(text: str) -> Command | None:
    """Return the command that a message is; None when it is meant for the agent."""
    found = _COMMAND.fullmatch(text.strip())
    return Command(found[1], (found[2] or "").strip()) if found else None


def normal(text: str) -> str:
    """Return a text as programs leave it alone: they trim it, and show reasoning before it."""
    return " ".join(unicodedata.normalize("NFC", _without_reasoning(text)).split())


def _without_reasoning(text: str) -> str:
    """Return a text without what stands between tags of reasoning; a tag without its end stays."""
    kept: list[str] = []
    since, opened = 0, -1
    tags = [*_REASONING.finditer(text)]
    ends = {
        name: max((n for n, one in enumerate(tags) if one[2] == name), default=-1) for name in _TAGS
    }
    for at, one in enumerate(tags):
        if opened < 0 and one[1] and at < ends[one[1]]:
            opened = at
        elif opened >= 0 and one[2] == tags[opened][1]:
            kept += (text[since : tags[opened].start()], " ")
            since, opened = one.end(), -1
    return "".join((*kept, text[since:]))


@dataclass(frozen=True)
class Address:
    """The hashes of a history, for one agent and whoever calls."""

    agent: str
    caller: str
    history: History

    @cached_property
    def _start(self) -> str:
        return digest("start", self.agent, self.caller, str(self.history.renewed))

    @cached_property
    def said(self) -> str:
        """All that was said before, word for word."""
        found = self._start
        for exchange in self.history.exchanges:
            found = self._after(found, exchange.asked, exchange.replied)
        return found

    @cached_property
    def asked(self) -> str:
        """All that people asked before, whatever was replied."""
        found = digest("asked", self._start)
        for exchange in self.history.exchanges:
            found = digest(found, normal(exchange.asked))
        return found

    @property
    def asked_now(self) -> str:
        """All that people asked, this time too."""
        return digest(self.asked, normal(self.history.asked))

    @property
    def last(self) -> str:
        """The last exchange alone."""
        exchange = self.history.exchanges[-1]
        return self._exchange(exchange.asked, exchange.replied)

    def answered(self, reply: str) -> tuple[str, ...]:
        """Return the hashes that the next request may come with, after this reply."""
        asked = self.history.asked
        return (self._after(self.said, asked, reply), self._exchange(asked, reply))

    def chat(self, chat: str) -> str:
        """Return the hash of a chat's id."""
        return digest("chat", self.agent, self.caller, chat)

    def key(self, key: str) -> str:
        """Return the hash of an idempotency key."""
        return digest("key", self.agent, self.caller, key)

    def _exchange(self, asked: str, reply: str) -> str:
        return digest("last", self.agent, self.caller, normal(asked), normal(reply))

    @staticmethod
    def _after(found: str, asked: str, reply: str) -> str:
        return digest(found, normal(asked), normal(reply))


def likeness(sent: str, reply: str) -> int:
    """Return how much of a reply a program sent back, in characters; 0 when it is another one.

    Replies come back cut off, where a person stopped them, or changed, where one edited them.
    """
    one, other = normal(sent), normal(reply)
    start = _shared(one, other)
    end = min(_shared(one[::-1], other[::-1]), min(len(one), len(other)) - start)
    half = min(len(one), len(other)) / 2
    return start + end if one and start + end >= half else 0


def _shared(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
