"""Parses the parts of messages in Showdown's battle protocol (its `SIM-PROTOCOL.md`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ruleplay.agents.battle.domain.dex import to_id

Line = Sequence[str]
"""One message, split at its bars: ("", "move", "p1a: Great Tusk", "Earthquake", …)."""

WEATHERS = {"snow": "snowscape", "hail": "hail"}
"""Older names of weathers, by their current ids."""


@dataclass(frozen=True, slots=True)
class Tags:
    """The bracketed parts at a message's end: the effect's source, its originator, and flags."""

    source: str = ""
    of: str = ""
    words: frozenset[str] = frozenset()

    @property
    def source_id(self) -> str:
        """The source without its kind: `leftovers` for `[from] item: Leftovers`."""
        return effect_id(self.source)


def tags(parts: Sequence[str]) -> Tags:
    """Parse the bracketed parts of a message."""
    source = of = ""
    words: set[str] = set()
    for part in parts:
        if part.startswith("[from]"):
            source = part[6:].strip()
        elif part.startswith("[of]"):
            of = ident(part[4:].strip())
        elif part.startswith("["):
            words.add(part[1:].split("]")[0])
    return Tags(source, of, frozenset(words))


def ident(text: str) -> str:
    """Strip the position on the field: `p1: Great Tusk` for `p1a: Great Tusk`."""
    return text[:2] + text[3:] if len(text) > 3 and text[2] in "abc" and text[3] == ":" else text


def effect_id(text: str) -> str:
    """Strip an effect's kind: `substitute` for `move: Substitute`."""
    for kind in ("move:", "item:", "ability:", "condition:"):
        if text.startswith(kind):
            return to_id(text[len(kind) :])
    return to_id(text)


def weather_id(text: str) -> str:
    """Normalise a weather's id; "" for no weather."""
    found = to_id(text)
    return "" if found == "none" else WEATHERS.get(found, found)


@dataclass(frozen=True, slots=True)
class Details:
    """The second part of a switch message: species id, level, gender and tera type."""

    species: str
    level: int = 100
    gender: str = ""
    tera: str = ""


def details(text: str) -> Details:
    """Parse `Great Tusk, L77, tera:Ground`."""
    head, *rest = text.split(", ")
    # Showdown omits a level of 100.
    level, gender, tera = 100, "", ""
    for part in rest:
        if part in {"M", "F"}:
            gender = part
        elif part.startswith("tera:"):
            tera = part[5:].lower()
        elif part.startswith("L") and part[1:].isdigit():
            level = int(part[1:])
    return Details(to_id(head.replace("-*", "")), level, gender, tera)


@dataclass(frozen=True, slots=True)
class Condition:
    """Health and status: `now` out of `whole`, in points or percent."""

    now: int
    whole: int
    status: str = ""

    @property
    def share(self) -> float:
        """Health as a fraction."""
        return self.now / self.whole if self.whole else 0.0


def condition(text: str) -> Condition:
    """Parse `61/100 brn`, `0 fnt` or `253/301`; ValueError for anything else."""
    health, _, status = text.strip().partition(" ")
    if status == "fnt" or health == "0":
        return Condition(0, 100, "fnt")
    now, _, whole = health.partition("/")
    # A trailing letter is the colour of the health bar in Showdown's "pixels" format.
    whole = whole.rstrip("yg")
    return Condition(int(now), int(whole or 100), status)
