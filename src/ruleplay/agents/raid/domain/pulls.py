"""Pulls: from ENCOUNTER lines, or from what a boss does where a log has none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from ruleplay.agents.raid.domain.lines import text_of
from ruleplay.agents.raid.domain.reference.tables import Boss, bosses

_WIPE_SHARE = 0.5
"""A derived pull is a wipe when so many of its players died, else the boss was reset."""


@dataclass(frozen=True)
class Pull:
    """A pull by its lines; `end_line` 0 while it goes on."""

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


class Encounters:
    """Pulls as ENCOUNTER_START and ENCOUNTER_END tell them."""

    def __init__(self) -> None:
        self.pulls: list[Pull] = []

    @property
    def current(self) -> Pull | None:
        """The pull that goes on."""
        last = self.pulls[-1] if self.pulls else None
        return last if last and not last.end_line else None

    def start(self, line: int, ms: int, fields: Sequence[bytes]) -> None:
        """Begin a pull: id, name, difficulty, group size, instance; one that goes on ends."""
        if self.current:
            self._end(line - 1, ms, kill=False, ended="unfinished")
        number, name = _int(fields, 0), text_of(fields[1]) if len(fields) > 1 else ""
        size, difficulty = _int(fields, 3), _int(fields, 2)
        fight = len(self.pulls) + 1
        found = Pull(fight, number, name, line, ms, difficulty=difficulty, size=size)
        self.pulls.append(found)

    def end(self, line: int, ms: int, fields: Sequence[bytes]) -> None:
        """End the pull: …, success (0 or 1); an end without a start is no pull."""
        kill = _int(fields, 4) == 1
        if self.current:
            self._end(line, ms, kill=kill, ended="kill" if kill else "wipe")

    def _end(self, line: int, ms: int, *, kill: bool, ended: str) -> None:
        self.pulls[-1] = replace(self.pulls[-1], end_line=line, end_ms=ms, kill=kill, ended=ended)

    def so_far(self, line: int, ms: int) -> list[Pull]:
        """Return the pulls, the one that goes on as if the log's last line ended it."""
        return [p if p.end_line else replace(p, end_line=line, end_ms=ms) for p in self.pulls]


def _int(fields: Sequence[bytes], at: int) -> int | None:
    return int(fields[at]) if at < len(fields) and fields[at].isdigit() else None


@cache
def bosses_by_npc() -> Mapping[int, Boss]:
    """Return the encounter of each boss by npc id."""
    return {npc: boss for boss in bosses().values() for npc in boss.npcs}


@dataclass(frozen=True)
class Sighting:
    """A boss acted, was acted on or died."""

    line: int
    ms: int
    npc: int
    actor: int
    fights: bool
    """A blow was struck or missed, by it or at it: what opens a pull."""
    died: bool


@dataclass
class _Hunt:
    """A derived pull in the making."""

    boss: Boss
    first: Sighting
    last: Sighting
    met: dict[int, int]
    dead: set[int]

    def is_won(self) -> bool:
        """Tell whether all whose death ends the encounter are dead, as far as they were met."""
        if self.boss.kill:
            return any(self.met[actor] in self.boss.kill for actor in self.dead)
        return bool(self.dead) and self.dead >= set(self.met)


def derive_pulls(sightings: Sequence[Sighting]) -> list[Pull]:
    """Find pulls in what bosses did: from the first blow to death, or to silence."""
    pulls: list[Pull] = []
    hunt: _Hunt | None = None
    won: dict[int, int] = {}
    for one in sightings:
        boss = bosses_by_npc()[one.npc]
        over = hunt and (boss is not hunt.boss or one.ms - hunt.last.ms > hunt.boss.quiet * 1000)
        if hunt and over:
            pulls.append(_as_pull(hunt, len(pulls) + 1))
            hunt = None
        if hunt is None:
            fresh = one.fights and one.actor not in won
            if not fresh:
                continue
            hunt = _Hunt(boss, one, one, {}, set())
        hunt.last = one
        hunt.met[one.actor] = one.npc
        if one.died:
            hunt.dead.add(one.actor)
            if hunt.is_won():
                won.update(dict.fromkeys(hunt.met, one.line))
                pulls.append(_as_pull(hunt, len(pulls) + 1))
                hunt = None
    return [*pulls, _as_pull(hunt, len(pulls) + 1)] if hunt else pulls


def _as_pull(hunt: _Hunt, fight: int) -> Pull:
    kill = hunt.is_won()
    return Pull(
        fight,
        hunt.boss.encounter_id,
        hunt.boss.name,
        hunt.first.line,
        hunt.first.ms,
        hunt.last.line,
        hunt.last.ms,
        kill,
        "kill" if kill else "wipe",
        derived=True,
    )


def judge_end(pull: Pull, players: int, deaths: int, last_ms: int) -> str:
    """Say how a pull that was no kill ended: wipe, reset or unfinished.

    A derived pull with which the log ends is unfinished; else it is a wipe when at least half of
    the players died. An ENCOUNTER_END without success is a wipe unless nobody died.
    """
    if pull.kill or pull.ended == "unfinished":
        return pull.ended
    if not pull.derived:
        return "wipe" if deaths else "reset"
    quiet = bosses_by_name()[pull.name].quiet
    if deaths >= max(1, players * _WIPE_SHARE):
        return "wipe"
    return "unfinished" if last_ms - pull.end_ms < quiet * 1000 else "reset"


@cache
def bosses_by_name() -> Mapping[str, Boss]:
    """Return the encounters of the table by name."""
    return {boss.name: boss for boss in bosses_by_npc().values()}
