"""Pulls from what bosses and players do, where a log has no lines for them; how pulls ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from ruleplay.agents.raid.domain.encounters import Pull
from ruleplay.agents.raid.domain.reference.tables import Boss, bosses, encounters

_WIPE_SHARE = 0.5
"""A pull that was no kill is a wipe when so many of its players died, else the boss was reset."""


@cache
def npcs_of(encounter_id: int | None, *, checked: bool) -> frozenset[int]:
    """Return an encounter's creatures: its bosses where they were `checked`, else adds as well."""
    table = bosses() if checked else encounters()
    found = table.get(encounter_id or 0)
    return frozenset(found.npcs) if found else frozenset()


@cache
def bosses_by_npc() -> Mapping[int, Boss]:
    """Return the encounter of each boss by npc id."""
    return {npc: boss for boss in bosses().values() for npc in boss.npcs}


_PAUSE = 60_000
"""Milliseconds without a blow between players that end a match."""


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


def derive_matches(duels: Sequence[tuple[int, int]], begun: Sequence[int]) -> list[Pull]:
    """Find matches in when players fought hostile players: a pause, or a log begun anew, ends one.

    `duels` and `begun` are lines in order, the first with their milliseconds.
    """
    found: list[Pull] = []
    cuts = deque(begun)
    for line, ms in duels:
        cut = False
        while cuts and cuts[0] < line:
            cut = bool(cuts.popleft())
        if cut or not found or ms - found[-1].end_ms > _PAUSE:
            fight = len(found) + 1
            found.append(Pull(fight, None, "Arena", line, ms, kind="arena", derived=True))
        found[-1] = replace(found[-1], end_line=line, end_ms=ms, ended="over")
    return found


def judge_end(pull: Pull, players: int, deaths: int, last_ms: int) -> str:
    """Say how a pull that was no kill ended: wipe, reset or unfinished.

    The log tells wipes from resets by nothing but deaths: a wipe is one in which at least half of
    the players died. A derived pull with which the log ends is unfinished.
    """
    if pull.kill or pull.ended == "unfinished":
        return pull.ended
    if deaths >= max(1, players * _WIPE_SHARE):
        return "wipe"
    if pull.derived and last_ms - pull.end_ms < bosses_by_name()[pull.name].quiet * 1000:
        return "unfinished"
    return "reset"


@dataclass(frozen=True)
class Side:
    """One side of a match: how many players, how many of them died, its team where known."""

    players: int
    deaths: int
    team: int | None = None


def judge_match(pull: Pull, ours: Side, theirs: Side) -> str:
    """Say how a match ended for the one who logged: won, lost, or over where nothing tells.

    The end line names the winning team; without one the side lost that alone has deaths, or that
    died whole.
    """
    if pull.winner is not None and ours.team is not None:
        return "won" if pull.winner == ours.team else "lost"
    if pull.kind != "arena":
        return "over"
    fallen = [bool(side.players) and side.deaths >= side.players for side in (ours, theirs)]
    hurt = [side.deaths > 0 for side in (ours, theirs)]
    for lost in (fallen, hurt):
        if lost[0] != lost[1]:
            return "lost" if lost[0] else "won"
    return "over"


@cache
def bosses_by_name() -> Mapping[str, Boss]:
    """Return the encounters of the table by name."""
    return {boss.name: boss for boss in bosses_by_npc().values()}
