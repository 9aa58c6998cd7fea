"""The conversation that a chat program sends, as exchanges of question and reply, and its hashes.

The program sends the whole conversation each time. A hash of its questions and replies identifies
the turn to continue. Character cards' greetings, system prompts, commands and undone exchanges are
left out.
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
"""Prefix of the answer to `!undo`: marks the exchange before it as undone."""
RENEWED = "✳"
"""Prefix of the answer to `!new`: everything before it is ignored."""
SEAT_CODE = re.compile(r"\bseat:([0-9a-f]{24}):([\w-]{43})(?![\w-])")
"""A session's id and a seat's token, as written in the chat for programs that send no chat id."""
COMMANDS = ("help", "leave", "new", "seat", "session", "sources", "undo")
_COMMAND = re.compile(rf"[!/]({'|'.join(COMMANDS)})(?:\s+(\S.*))?", re.DOTALL)
_REASONING = re.compile(r"<(details|think)\b[^<>]*>|</(details|think)>")
"""The tags around a model's reasoning, as programs insert it into replies."""

_TAGS = ("details", "think")


@dataclass(frozen=True, slots=True)
class Said:
    """One message of the conversation."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its reply, as the program sends them back."""

    asked: str
    replied: str


@dataclass(frozen=True, slots=True)
class Command:
    """A chat command and its argument."""

    name: str
    about: str = ""


@dataclass(frozen=True)
class History:
    """The relevant exchanges, and what is asked now: all unanswered messages, and the `last`.

    `renewed` counts the `!new` commands; `codes` are (session, seat token) pairs found in replies.
    """

    exchanges: tuple[Exchange, ...]
    asked: str
    last: str
    command: Command | None = None
    renewed: int = 0
    codes: tuple[tuple[str, str], ...] = ()


def read_history(messages: Sequence[Said]) -> History:
    """Extract the relevant part of a program's messages, the last of which must be the user's."""
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
        elif exchanges:  # a reply that continues the one before
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
    """Parse a command; None for a message to the agent."""
    found = _COMMAND.fullmatch(text.strip())
    return Command(found[1], (found[2] or "").strip()) if found else None


def normal(text: str) -> str:
    """Normalise a text: programs change white space, and put reasoning before replies."""
    return " ".join(unicodedata.normalize("NFC", _without_reasoning(text)).split())


def _without_reasoning(text: str) -> str:
    """Remove what is between reasoning tags; an opening tag without its end is kept."""
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
    """The hashes of a history, for one agent and one caller."""

    agent: str
    caller: str
    history: History

    @cached_property
    def _start(self) -> str:
        return digest("start", self.agent, self.caller, str(self.history.renewed))

    @cached_property
    def said(self) -> str:
        """The hash of all exchanges."""
        found = self._start
        for exchange in self.history.exchanges:
            found = self._after(found, exchange.asked, exchange.replied)
        return found

    @cached_property
    def asked(self) -> str:
        """The hash of all earlier questions, whatever the replies."""
        found = digest("asked", self._start)
        for exchange in self.history.exchanges:
            found = digest(found, normal(exchange.asked))
        return found

    @property
    def asked_now(self) -> str:
        """The hash of all questions including the current one."""
        return digest(self.asked, normal(self.history.asked))

    @property
    def last(self) -> str:
        """The hash of the last exchange alone."""
        exchange = self.history.exchanges[-1]
        return self._exchange(exchange.asked, exchange.replied)

    def answered(self, reply: str) -> tuple[str, ...]:
        """Return the hashes by which the next request, after this reply, can be found."""
        asked = self.history.asked
        return (self._after(self.said, asked, reply), self._exchange(asked, reply))

    def chat(self, chat: str) -> str:
        """Hash a chat's id."""
        return digest("chat", self.agent, self.caller, chat)

    def key(self, key: str) -> str:
        """Hash an idempotency key."""
        return digest("key", self.agent, self.caller, key)

    def _exchange(self, asked: str, reply: str) -> str:
        return digest("last", self.agent, self.caller, normal(asked), normal(reply))

    @staticmethod
    def _after(found: str, asked: str, reply: str) -> str:
        return digest(found, normal(asked), normal(reply))


def likeness(sent: str, reply: str) -> int:
    """Count the characters of a reply that a program sent back unchanged; 0 for another reply.

    A reply may come back truncated, if the user stopped it, or changed in the middle, if edited.
    """
    one, other = normal(sent), normal(reply)
    start = _shared(one, other)
    end = min(_shared(one[::-1], other[::-1]), min(len(one), len(other)) - start)
    half = min(len(one), len(other)) / 2
    return start + end if one and start + end >= half else 0


def _shared(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
