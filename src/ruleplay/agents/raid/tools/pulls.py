"""The pulls of a report, and the resolution of texts that refer to them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleplay.agents.raid.adapters.reports import TRASH, WHOLE
from ruleplay.agents.raid.domain.encounters import level_of
from ruleplay.agents.raid.tools.floors import read_floors
from ruleplay.agents.raid.tools.names import find_name, fold
from ruleplay.errors import NotFound, UserError

if TYPE_CHECKING:
    from ruleplay.agents.raid.tools.book import Book

BETWEEN = "between"
"""What the time outside all pulls is called, beside "trash"."""
_TRASH, _ALL = {BETWEEN, "trash"}, {"everything", "all", "log", "night"}
_AROUND = re.compile(r"(?:trash|between) (before|after) (?:pull )?(\d{1,5})")
_RUN = re.compile(r"(?:keystone )?run (\d{1,4})")
_FLOOR = re.compile(r"floors? (\d{1,4})(?: ?(?:-|to) ?(\d{1,4}))?")
NO_PULL = (
    "the log has no pull: it holds no boss fight and no match; in a pull's place stands"
    " 'everything' or, of Torghast, 'floor 2' or 'floors 1-3'"
)
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
    left_out_ms: int = 0
    """Time between its start and end that is not part of it: of trash, the pulls."""

    @property
    def is_stretch(self) -> bool:
        """Whether it is no pull but trash, a whole run, or everything; see `find_stretch`."""
        return self.fight <= 0

    @property
    def seconds(self) -> float:
        """Its duration."""
        return round((self.end_ms - self.start_ms - self.left_out_ms) / 1000, 1)

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
        if self.is_stretch:
            return self.name
        return f"{self.name}, pull {self.fight} ({self.ended}, {self.seconds:g} s)"

    @property
    def said(self) -> str:
        """A note that describes the pull to readers."""
        if self.is_stretch:
            return (
                f"{self.name[:1].upper()}{self.name[1:]}: {self.seconds:g} s, pauses among them;"
                " rates and times are of all that."
            )
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


_SPAN = "SELECT min(ms), max(ms) FROM events WHERE line BETWEEN $first AND $last"
_RUNS = "SELECT name, level, start_line, end_line FROM runs WHERE run = $run"


def find_stretch(book: Book, wanted: str) -> PullRow | None:
    """Find what is no pull: trash, trash around a pull, a keystone run, a floor, or everything.

    It stands in for a pull in the tools, so that they answer of it too; None if a text means none.
    NotFound, if there is no such pull or run.
    """
    said = " ".join(fold(wanted).split())
    last = book.report.lines
    if said in _ALL:
        return _stretch(book, "the whole log, with trash", WHOLE, 1, last)
    if said in _TRASH:
        return _stretch(book, "between the pulls", TRASH, 1, last)
    if found := _RUN.fullmatch(said):
        rows = book.ask(_RUNS, {"run": int(found[1])})
        if not rows:
            raise NotFound(f"report {book.code!r} has no keystone run {found[1]}")
        name, level, first, until = rows[0]
        return _stretch(book, f"{name} +{level}, run {found[1]}, with trash", WHOLE, first, until)
    if found := _FLOOR.fullmatch(said):
        return _floors(book, int(found[1]), int(found[2] or found[1]))
    if not (found := _AROUND.fullmatch(said)):
        return None
    after = found[1] == "after"
    pull = _numbered(book.pulls, int(found[2]), book.code)
    place = book.pulls.index(pull) + after
    first = book.pulls[place - 1].last + 1 if place else 1
    until = book.pulls[place].first - 1 if place < len(book.pulls) else last
    return _stretch(book, f"trash {found[1]} pull {pull.fight} ({pull.name})", TRASH, first, until)


def _floors(book: Book, first: int, last: int) -> PullRow:
    """Find a floor, or several with what lies between; NotFound lists those there are."""
    known = read_floors(book)
    floors = [one for one in known if first <= one.number <= last]
    if not floors:
        there = ", ".join(f"floor {one.number}" for one in known)
        raise NotFound(f"report {book.code!r} has no floor {first}; there are {there}")
    name = f"floor {first} ({floors[0].place})" if first == last else f"floors {first} to {last}"
    return _stretch(book, name, WHOLE, floors[0].first, floors[-1].last)


def _stretch(book: Book, name: str, number: int, first: int, last: int) -> PullRow:
    begin, end = book.ask(_SPAN, {"first": first, "last": max(first, last)})[0]
    inside = [one for one in book.pulls if number == TRASH and first <= one.first <= last]
    return PullRow(
        number,
        None,
        name,
        first,
        last,
        begin or 0,
        end or begin or 0,
        kill=False,
        ended="",
        derived=False,
        boss_hp=None,
        players=0,
        bosses=(),
        left_out_ms=sum(one.end_ms - one.start_ms for one in inside),
    )


def find_pull(pulls: Sequence[PullRow], wanted: str, report: str) -> PullRow:
    """Find the pull that a text means; NotFound lists the existing ones.

    A number; 'last', 'last wipe', 'last kill'; a boss's name; or both: 'last wipe on Gruul'.
    Without a number the last match is taken, or the first one if the text says 'first'.
    """
    if not pulls:
        raise UserError(NO_PULL)
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
        raise UserError(NO_PULL)
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
