"""The pulls of a report, and the resolution of texts that refer to them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleplay.agents.raid.domain.encounters import level_of
from ruleplay.agents.raid.tools.names import find_name, fold
from ruleplay.errors import NotFound

if TYPE_CHECKING:
    from ruleplay.agents.raid.tools.book import Book

BETWEEN = "between"
"""The `fights` value for the time outside all pulls."""
NO_PULL = "the log has no pull: it holds no boss fight and no match"
_FILLER = {"the", "on", "of", "at", "against", "my", "our", "pull", "fight", "try", "attempt"}
_OUTCOMES = {"wipe": False, "wipes": False, "kill": True, "kills": True}
_LAST = {"last", "latest", "newest", "final", "recent", "previous"}


@dataclass(frozen=True)
class PullRow:
    """A pull: number, boss, lines and times (milliseconds since the report's first line)."""

    fight: int
    encounter_id: int | None
    name: str
    first: int
    last: int
    start_ms: int
    end_ms: int
    kill: bool
    ended: str
    derived: bool
    boss_hp: float | None
    players: int
    bosses: tuple[int, ...]
    difficulty: str = ""

    @property
    def seconds(self) -> float:
        """Its duration."""
        return round((self.end_ms - self.start_ms) / 1000, 1)

    @property
    def scope(self) -> dict[str, object]:
        """The parameters that restrict a query to the pull."""
        return {
            "first": self.first,
            "last": self.last,
            "fight": self.fight,
            "start": self.start_ms,
            "end": self.end_ms,
            "seconds": max(self.seconds, 0.1),
            "bosses": list(self.bosses),
        }

    @property
    def boss_hp_percent(self) -> float | None:
        """The boss's remaining health in percent."""
        return None if self.boss_hp is None else round(100 * self.boss_hp, 1)

    @property
    def label(self) -> str:
        """A short description of the pull."""
        return f"{self.name}, pull {self.fight} ({self.ended}, {self.seconds:g} s)"

    @property
    def said(self) -> str:
        """A note that describes the pull to readers."""
        found = " The log names no encounters; found from boss activity." if self.derived else ""
        return f"Pull {self.fight}: {self.name}, {self.ended} after {self.seconds:g} s.{found}"

    def at(self, ms: float) -> float:
        """Convert a time of the report to seconds of the pull."""
        return round((ms - self.start_ms) / 1000, 1)


def read_pulls(book: Book) -> tuple[PullRow, ...]:
    """Read a report's pulls in order."""
    found = book.ask(
        "SELECT fight, encounter_id, name, start_line, end_line, start_ms, end_ms, kill, ended,"
        " derived, boss_hp, players, bosses, difficulty,"
        " (SELECT level FROM runs WHERE runs.run = encounters.run) FROM encounters ORDER BY fight"
    )
    return tuple(
        PullRow(*(*row[:12], tuple(row[12] or ()), level_of(row[13], row[14]))) for row in found
    )


def find_pull(pulls: Sequence[PullRow], wanted: str, report: str) -> PullRow:
    """Find the pull that a text means; NotFound lists the existing ones.

    A number; 'last', 'last wipe', 'last kill'; a boss's name; or both: 'last wipe on Gruul'.
    Without a number the last match is taken, or the first one if the text says 'first'.
    """
    if not pulls:
        raise NotFound(NO_PULL)
    words = re.findall(r"[^\s#,.:]+", fold(wanted))
    numbers = [int(word) for word in words if word.isdecimal() and len(word) < 6]
    if numbers:
        return _numbered(pulls, numbers[0], report)
    fitting = list(pulls)
    kinds = {_OUTCOMES[word] for word in words if word in _OUTCOMES}
    if len(kinds) == 1:
        kill = kinds.pop()
        fitting = [pull for pull in fitting if pull.kill == kill]
        if not fitting:
            what = "kill" if kill else "wipe"
            raise NotFound(f"report {report!r} has no {what}; its pulls are {listed(pulls)}")
    rest = [w for w in words if w not in _FILLER | _LAST | {"first"} and w not in _OUTCOMES]
    if rest:
        fitting = of_boss(fitting, " ".join(rest))
    return fitting[0] if "first" in words else fitting[-1]


def find_pulls(pulls: Sequence[PullRow], wanted: str, report: str) -> list[PullRow]:
    """Parse numbers and ranges ("3, 5-8"), a boss, or nothing for all pulls; raises NotFound."""
    if not pulls:
        raise NotFound(NO_PULL)
    numbers: set[int] = set()
    for first, last in re.findall(r"(\d{1,5})(?: *- *(\d{1,5}))?", wanted):
        numbers |= {one.fight for one in pulls if int(first) <= one.fight <= int(last or first)}
    if re.search(r"\d", wanted) and not numbers:
        raise NotFound(f"report {report!r} has no pulls {wanted!r}; it has {len(pulls)}")
    if numbers:
        return [pull for pull in pulls if pull.fight in numbers]
    return of_boss(pulls, wanted) if wanted else list(pulls)


def of_boss(pulls: Sequence[PullRow], wanted: str) -> list[PullRow]:
    """Select the pulls of one boss; NotFound suggests the existing bosses."""
    name = find_name(wanted, dict.fromkeys(pull.name for pull in pulls), "boss")
    return [pull for pull in pulls if pull.name == name]


def _numbered(pulls: Sequence[PullRow], number: int, report: str) -> PullRow:
    for pull in pulls:
        if pull.fight == number:
            return pull
    raise NotFound(f"report {report!r} has no pull {number}; its pulls are {listed(pulls)}")


def listed(pulls: Sequence[PullRow]) -> str:
    """List pulls in words, at most the last twelve."""
    shown = [f"{pull.fight} {pull.name} ({pull.ended})" for pull in pulls[-12:]]
    return ", ".join(([f"… of {len(pulls)}"] if len(pulls) > 12 else []) + shown)
