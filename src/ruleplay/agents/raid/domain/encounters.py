"""Tracks pulls, arena matches and keystone runs from the log's header lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ruleplay.agents.raid.domain.lines import text_of
from ruleplay.agents.raid.domain.reference.tables import battlegrounds, encounters

_MOST_ID, _MOST_SIZE = (1 << 32) - 1, (1 << 16) - 1

Kind = Literal["boss", "arena", "battleground"]
DIFFICULTIES = {
    **dict.fromkeys((1, 3, 4, 14), "normal"),
    **dict.fromkeys((2, 5, 6, 15), "heroic"),
    **dict.fromkeys((16, 23), "mythic"),
    **dict.fromkeys((7, 17), "LFR"),
}
"""Raiders' names for the difficulty ids of ENCOUNTER_START."""
HARDER = ("LFR", "normal", "heroic", "mythic")
"""The difficulties of a raid, the easiest first."""


def level_of(difficulty: object, keystone: object) -> str:
    """Name the difficulty as raiders do; for a keystone by its level, such as `+16`."""
    known = DIFFICULTIES.get(difficulty, "") if isinstance(difficulty, int) else ""
    return f"+{keystone}" if keystone else known


@dataclass(frozen=True)
class Pull:
    """A boss pull or a match between players; `end_line` is 0 while it is in progress.

    `winner` is the winning team of an arena match, `run` the keystone run that it belongs to.
    """

    fight: int
    encounter_id: int | None
    name: str
    start_line: int
    start_ms: int
    end_line: int = 0
    end_ms: int = 0
    kill: bool = False
    ended: str = "unfinished"
    difficulty: int | None = None
    size: int | None = None
    derived: bool = False
    kind: Kind = "boss"
    run: int | None = None
    winner: int | None = None
    instance: int | None = None


@dataclass(frozen=True)
class Run:
    """A keystone run; `timer_ms` comes from its end line, None until then."""

    run: int
    name: str
    instance: int | None
    level: int | None
    affixes: tuple[int, ...]
    start_line: int
    start_ms: int
    end_line: int = 0
    end_ms: int = 0
    completed: bool = False
    timer_ms: int | None = None


class Encounters:
    """Consumes the lines that start and end pulls, matches and runs."""

    def __init__(self) -> None:
        self.pulls: list[Pull] = []
        self.runs: list[Run] = []
        self._instance: int | None = None
        self._entered = False

    @property
    def current(self) -> Pull | None:
        """The pull in progress."""
        last = self.pulls[-1] if self.pulls else None
        return last if last and not last.end_line else None

    @property
    def _run(self) -> Run | None:
        last = self.runs[-1] if self.runs else None
        return last if last and not last.end_line else None

    def take(self, event: str, line: int, ms: int, fields: Sequence[bytes]) -> None:
        """Process a header line's fields after the event name; other events are ignored."""
        known = {
            "ENCOUNTER_START": self._start,
            "ENCOUNTER_END": self._finish,
            "ZONE_CHANGE": self._enter,
            "COMBAT_LOG_VERSION": self._restart,
            "ARENA_MATCH_START": self._start_match,
            "ARENA_MATCH_END": self._end_match,
            "CHALLENGE_MODE_START": self._start_run,
            "CHALLENGE_MODE_END": self._end_run,
        }.get(event)
        if known:
            known(line, ms, fields)

    def _start(self, line: int, ms: int, fields: Sequence[bytes]) -> None:
        """ENCOUNTER_START: id, name, difficulty, group size, instance. Ends a pull in progress."""
        if self.current:
            self._end(line - 1, ms, kill=False, ended="unfinished")
        self.pulls.append(
            Pull(
                len(self.pulls) + 1,
                _int(fields, 0),
                _text(fields, 1),
                line,
                ms,
                difficulty=_int(fields, 2, _MOST_SIZE),
                size=_int(fields, 3, _MOST_SIZE),
                run=self._run.run if self._run else None,
                instance=_int(fields, 4),
            )
        )

    def _finish(self, line: int, ms: int, fields: Sequence[bytes]) -> None:
        """ENCOUNTER_END: …, success (0 or 1). Ignored without a matching start."""
        kill = _int(fields, 4) == 1
        if self.current and self.current.kind == "boss":
            self._end(line, ms, kill=kill, ended="kill" if kill else "wipe")

    def _restart(self, line: int, ms: int, fields: Sequence[bytes]) -> None:
        """End a pull in progress: logging was restarted, so its end line will never come."""
        del fields
        current = self.current
        if current and current.kind == "boss" and current.start_line < line:
            self._end(line - 1, ms, kill=False, ended="unfinished")

    def _end(self, line: int, ms: int, *, kill: bool, ended: str) -> None:
        self.pulls[-1] = replace(self.pulls[-1], end_line=line, end_ms=ms, kill=kill, ended=ended)

    def _enter(self, line: int, ms: int, fields: Sequence[bytes]) -> None:
        """ZONE_CHANGE: entering a battleground or arena begins a match, leaving it ends one."""
        instance = _int(fields, 0)
        current = self.current
        if instance == self._instance:
            if current and self._entered and ms < current.start_ms:
                self.pulls[-1] = replace(current, start_ms=ms)
            return
        self._instance = instance
        if self.current and self.current.kind != "boss":
            self._end(line - 1, ms, kill=False, ended="over")
        ground = battlegrounds().get(instance or 0)
        if ground and not self.current:
            self._begin_match(line, ms, ground.kind, ground.name, instance)
            self._entered = True

    def _start_match(self, line: int, ms: int, fields: Sequence[bytes]) -> None:
        """ARENA_MATCH_START: instance, season, type, rated. Each Solo Shuffle round has its own."""
        instance, current = _int(fields, 0), self.current
        ground = battlegrounds().get(instance or 0)
        name = " ".join(filter(None, (ground.name if ground else "Arena", _text(fields, 2))))
        if current and self._entered:
            self.pulls.pop()  # The map was entered a moment ago; the match begins only now.
        elif current:
            self._end(line - 1, ms, kill=False, ended="over")
        self._begin_match(line, ms, "arena", name, instance)

    def _begin_match(self, line: int, ms: int, kind: Kind, name: str, instance: int | None) -> None:
        self._entered = False
        fight = len(self.pulls) + 1
        self.pulls.append(Pull(fight, None, name, line, ms, kind=kind, instance=instance))

    def _end_match(self, line: int, ms: int, fields: Sequence[bytes]) -> None:
        """ARENA_MATCH_END: winning team, seconds, ratings."""
        if self.current and self.current.kind == "arena":
            self._end(line, ms, kill=False, ended="over")
            self.pulls[-1] = replace(self.pulls[-1], winner=_int(fields, 0, 1))

    def _start_run(self, line: int, ms: int, fields: Sequence[bytes]) -> None:
        """CHALLENGE_MODE_START: zone, instance, challenge, level, [affixes]."""
        affixes = fields[4].strip(b"[]").split(b",") if len(fields) > 4 else []
        found = [number for one in affixes if (number := _int([one], 0)) is not None]
        level = _int(fields, 3, _MOST_SIZE)
        run = len(self.runs) + 1
        self._abandon(line - 1, ms)
        self.runs.append(Run(run, _text(fields, 0), _int(fields, 1), level, tuple(found), line, ms))

    def _abandon(self, line: int, ms: int) -> None:
        if self._run:
            self.runs[-1] = replace(self.runs[-1], end_line=line, end_ms=ms)

    def _end_run(self, line: int, ms: int, fields: Sequence[bytes]) -> None:
        """CHALLENGE_MODE_END: instance, success, level, ms. An all-zero one precedes each start."""
        if not any(_int(fields, at) for at in (1, 2, 3)):
            return
        if not self._run and not self._begun_before(ms, fields):
            return
        self._abandon(line, ms)
        self.runs[-1] = replace(
            self.runs[-1], completed=_int(fields, 1) == 1, timer_ms=_int(fields, 3)
        )

    def _begun_before(self, ms: int, fields: Sequence[bytes]) -> bool:
        """Reconstruct a run whose start line is missing, from its duration and the pulls in it."""
        level, start = _int(fields, 2, _MOST_SIZE), ms - (_int(fields, 3) or 0)
        instance = _int(fields, 0)
        inside = [p for p in self.pulls if p.run is None and p.start_ms >= start]
        if not level or not inside:
            return False
        known = encounters().get(inside[0].encounter_id or 0)
        name = known.instance if known else f"instance {instance}"
        run = len(self.runs) + 1
        at = inside[0].start_line
        self.runs.append(Run(run, name, instance, level, (), at, max(0, start)))
        self.pulls = [replace(p, run=run) if p in inside else p for p in self.pulls]
        return True

    def so_far(self, line: int, ms: int) -> list[Pull]:
        """List the pulls so far; one in progress is closed at the log's last line."""
        found = [p if p.end_line else replace(p, end_line=line, end_ms=ms) for p in self.pulls]
        return [p for p in found if p.kind == "boss" or p.end_line > p.start_line]

    def runs_so_far(self, line: int, ms: int) -> list[Run]:
        """List the runs so far; one in progress is closed at the log's last line."""
        return [r if r.end_line else replace(r, end_line=line, end_ms=ms) for r in self.runs]


def _text(fields: Sequence[bytes], at: int) -> str:
    return text_of(fields[at]) if at < len(fields) else ""


def _int(fields: Sequence[bytes], at: int, most: int = _MOST_ID) -> int | None:
    if at >= len(fields) or len(fields[at]) > 10 or not fields[at].isdigit():
        return None
    found = int(fields[at])
    return found if found <= most else None
