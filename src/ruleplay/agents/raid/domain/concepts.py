"""What a question is about by the meaning of its words, where no known wording is found.

A question is spelled out (abbreviations, near misses of known words), its words are taken as
concepts, and the topic that most of them ask for is the one that is meant. The words are in
`concepts.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

_WORD = re.compile(r"[\w']+")
_SHORTEST = 6
"""Letters of a word from which on it may be a misspelled one."""
_NEAR = 0.82
"""How much of a misspelled word has to be right, as `difflib` measures it."""
_BOUND = re.compile(r"^y(?= (did|do|does|are|is|were|was)\b)")
"""A "y" that asks why; in French it is a word of its own."""


@dataclass(frozen=True)
class Concepts:
    """The table: abbreviations, the pattern of each concept, which concepts ask which topic."""

    short: dict[str, str]
    says: dict[str, re.Pattern[str]]
    stems: dict[str, list[str]]
    """Known words by their first letter."""
    asks: tuple[tuple[str, frozenset[str]], ...]


@cache
def concepts() -> Concepts:
    """Return the table."""
    text = files("ruleplay.agents.raid.domain").joinpath("concepts.toml").read_text("utf-8")
    told = tomllib.loads(text)
    words = [word for listed in told["concepts"].values() for word in listed]
    stems: dict[str, list[str]] = {}
    for word in sorted({word.rstrip("*") for word in words if " " not in word}):
        if len(word) >= _SHORTEST - 1:
            stems.setdefault(word[0], []).append(word)
    asks = [(topic, frozenset(one.split())) for topic, ways in told["asks"].items() for one in ways]
    return Concepts(
        short=told["short"],
        says={name: _pattern(listed) for name, listed in told["concepts"].items()},
        stems=stems,
        asks=tuple(asks),
    )


def _pattern(listed: list[str]) -> re.Pattern[str]:
    spelled = (re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", " +") for word in listed)
    return re.compile(rf"(?<![\w'])(?:{'|'.join(spelled)})(?!\w)")


def spelled_out(said: str) -> str:
    """Return a folded question with its abbreviations written out."""
    short = concepts().short
    said = _BOUND.sub("why", said)
    return _WORD.sub(lambda word: short.get(word[0], word[0]), said)


def corrected(said: str) -> str:
    """Return a folded question in which near misses of known words are those words."""
    known = concepts()

    def correct(found: re.Match[str]) -> str:
        word = found[0]
        if len(word) < _SHORTEST or any(says.fullmatch(word) for says in known.says.values()):
            return word
        near = get_close_matches(word, known.stems.get(word[0], ()), 1, _NEAR)
        return near[0] if near else word

    return _WORD.sub(correct, said)


def topic_of(said: str, able: Callable[[str], bool]) -> str:
    """Return the topic that the concepts of a folded question ask for, "" for none.

    `able` tells whether the question has what a topic needs.
    """
    known = concepts()
    there = {name for name, says in known.says.items() if says.search(said)}
    fitting = [(topic, asked) for topic, asked in known.asks if asked <= there and able(topic)]
    return max(fitting, key=lambda one: len(one[1]), default=("", frozenset[str]()))[0]


def is_vague(found: Collection[str]) -> bool:
    """Tell whether topics say so little that the concepts are to be looked at."""
    return not found or _VAGUE.issuperset(found)


_VAGUE = frozenset(
    (
        *("abilities", "buffs", "damage", "death_of", "deaths", "gear", "healing", "help"),
        *("interrupts", "overview", "performance", "progress", "rankings", "reports", "taken"),
        "length",
    )
)
"""Topics of words that stand in many questions."""
