"""What an agent offers to other programs' models over MCP: read-only tools, and prompts.

A tool answers with JSON and its sources. A tool with a `template` also serves as a resource for
addresses of that form.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from ruleplay.records.events import Json

if TYPE_CHECKING:
    from typing import Any

SCHEME = "ruleplay://"


class Source(BaseModel, frozen=True):
    """Where an answer can be looked up: an address that some tool's template fits."""

    uri: str
    title: str


class Answer(BaseModel, frozen=True):
    """What a tool answers; `problem` tells why it cannot, and what to ask instead."""

    content: Json = Field(default_factory=dict)
    sources: tuple[Source, ...] = ()
    problem: str = ""


@dataclass(frozen=True)
class Tool:
    """A read-only tool. `run` gets the agent's world and the arguments, in a thread; it may raise.

    A tool that is not `common` is listed only on request.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    run: Callable[[Any, Any], Answer]
    common: bool = True
    template: str = ""


@dataclass(frozen=True)
class Starter:
    """A prompt that users can choose in their program; `text` has its arguments in braces."""

    name: str
    description: str
    text: str
    arguments: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Toolbox:
    """An agent's tools and prompts."""

    tools: tuple[Tool, ...] = ()
    starters: tuple[Starter, ...] = ()

    def reads(self, uri: str) -> tuple[Tool, dict[str, str]] | None:
        """Find the tool whose template matches an address, with its arguments; None without one."""
        for tool in self.tools:
            if tool.template and (found := _pattern(tool.template).fullmatch(uri)):
                return tool, found.groupdict()
        return None


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    texts = (re.escape(p) if n % 2 == 0 else rf"(?P<{p}>[^/]+?)" for n, p in enumerate(parts))
    return re.compile("".join(texts))
