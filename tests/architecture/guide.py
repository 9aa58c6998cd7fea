"""Reading a guide: the blocks, commands and paths that a Markdown page names."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

SHELLS = frozenset({"console", "sh", "bash", "shell"})
_FENCE = re.compile(
    r"^(?P<fence>`{3,})(?P<kind>\w*)[^\n]*\n(?P<body>.*?)^(?P=fence)\s*$", re.M | re.S
)
_PATH = re.compile(
    r"(?<![\w/.~$-])((?:\.ci|src|tests|docs|benchmarks|requirements|web)/[\w./-]*[\w/]"
    r"|(?:Makefile|README|CHANGELOG|CONTRIBUTING|LICENSE|pyproject)(?:\.md|\.toml)?)(?![\w/*<-])"
)
_LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
_EDGE = re.compile(r"^(\S+) (?:-- (?P<solid>.+?) -->|-\. (?P<dotted>.+?) \.->|-->|-\.->) (\S+?);?$")


@dataclass(frozen=True)
class Block:
    """A fenced block, and the last line of text before it."""

    kind: str
    body: str
    before: str


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a page in order."""
    return [
        Block(found["kind"], found["body"], _last_line(text[: found.start()]))
        for found in _FENCE.finditer(text)
    ]


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "")


def commands(text: str) -> Iterator[list[str]]:
    """Yield the words of every `ruleplay` command in a page's shell blocks."""
    for block in blocks(text):
        if block.kind in SHELLS:
            for line in block.body.replace("\\\n", " ").splitlines():
                yield from _ruleplay(line.removeprefix("$ "))


def _ruleplay(line: str) -> Iterator[list[str]]:
    for part in re.split(r"\s(?:\|\|?|&&)\s", line):
        try:
            words = shlex.split(part, comments=True)
        except ValueError:  # output of a command, not a command
            continue
        while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
            del words[0]
        if words and words[0].rsplit("/", 1)[-1] == "ruleplay":
            redirected = next((n for n, word in enumerate(words) if word.startswith(">")), None)
            yield words[1:redirected]


def transcripts(text: str) -> list[tuple[list[str], list[str]]]:
    """Return the `$ ruleplay` commands of console blocks that show output, with the lines shown."""
    shown: list[tuple[list[str], list[str]]] = []
    for block in blocks(text):
        if block.kind == "console":
            for part in re.split(r"^\$ ", block.body.replace("\\\n", " "), flags=re.M)[1:]:
                first, *output = part.rstrip().splitlines()
                if output:
                    shown += [(words, output) for words in _ruleplay(first)]
    return shown


def paths(text: str) -> set[str]:
    """Return the project's own paths that a page names outside its blocks, links left out."""
    return {found.group(1) for found in _PATH.finditer(_FENCE.sub("", text))}


def links(text: str) -> set[str]:
    """Return the targets of a page's links to other files, relative to the page."""
    return set(_LINK.findall(_FENCE.sub("", text)))


def edges(mermaid: str) -> list[tuple[str, str, str, str]]:
    """Return a drawing's edges, sorted: from, kind, label, to; styling and layout don't count."""
    found: list[tuple[str, str, str, str]] = []
    for line in mermaid.splitlines():
        edge = _EDGE.match(" ".join(line.replace("&nbsp;", " ").split()))
        if edge:
            label = (edge["solid"] or edge["dotted"] or "").strip()
            kind = "dotted" if re.search(r"-\. | -\.->", edge[0]) else "solid"
            found.append((edge[1], kind, label, edge[4]))
    return sorted(found)
