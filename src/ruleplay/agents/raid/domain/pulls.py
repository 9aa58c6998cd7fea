"""Derives pulls from what bosses and players do if a log lacks them; judges how pulls end."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from math import inf

from ruleplay.agents.raid.domain.encounters import Pull
from ruleplay.agents.raid.domain.reference.tables import Boss, bosses, encounters

_WIPE_SHARE = 0.5
"""Share of dead players from which a lost pull is a wipe; below it the boss was reset."""


@cache
def npcs_of(encounter_id: int | None, *, checked: bool) -> frozenset[int]:
    """Npc ids of an encounter: its bosses if `checked`, else all its creatures, adds included."""
    table = bosses() if checked else encounters()
    found = table.get(encounter_id or 0)
    return frozenset(found.npcs) if found else frozenset()


@cache
def bosses_by_npc() -> Mapping[int, Boss]:
    """Map npc ids to the boss encounter they belong to."""
    return {npc: boss for boss in bosses().values() for npc in boss.npcs}


_PAUSE = 60_000
"""Milliseconds without fighting between players that end a derived match."""
_FALL = 2_000
"""Milliseconds within which the log tells of a death that the last blow of a pull dealt."""


@dataclass(frozen=True)
class Sighting:
    """An observation of a boss: it acted, was acted on, or died."""

    line: int
    ms: int
    npc: int
    actor: int
    fights: bool
    """Whether an attack by or on the boss hit or missed; only that starts a pull."""
    died: bool


@dataclass
class _Hunt:
    """A derived pull in progress."""

    boss: Boss
    first: Sighting
    last: Sighting
    met: dict[int, int]
    dead: set[int]

    def is_won(self) -> bool:
        """Whether every unit whose death ends the encounter, as far as it was seen, is dead."""
        if self.boss.kill:
            return any(self.met[actor] in self.boss.kill for actor in self.dead)
        return bool(self.dead) and self.dead >= set(self.met)


def derive_pulls(sightings: Sequence[Sighting]) -> list[Pull]:
    """Derive pulls from sightings: from the first attack until the boss's death, or silence."""
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
            # A unit that was already killed starts no new pull.
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
    """Derive matches from fights between hostile players; a pause or a restarted log ends one.

    `duels` are (line, ms) in order; `begun` are the lines at which the client (re)started logging.
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


def with_last_deaths(
    pulls: Sequence[Pull], deaths: Sequence[tuple[int, int]], begun: Sequence[int]
) -> list[Pull]:
    """Extend derived pulls by the deaths that ended them, which are told after the last blow.

    `deaths` are (line, ms) of players in order. What a boss's death ended, or a new pull or a
    restarted log follows, is over.
    """
    found: list[Pull] = []
    for pull, then in zip_longest(pulls, pulls[1:]):
        cuts = [one for one in begun if one > pull.end_line]
        until = min([*cuts[:1], *([then.start_line] if then else [])], default=inf)
        last = [
            (line, ms)
            for line, ms in deaths
            if pull.end_line < line < until and ms - pull.end_ms <= _FALL and not pull.kill
        ]
        line, ms = last[-1] if last else (pull.end_line, pull.end_ms)
        found.append(replace(pull, end_line=line, end_ms=ms))
    return found


def judge_end(pull: Pull, players: int, deaths: int, last_ms: int) -> str:
    """Decide how a pull without a kill ended: wipe, reset or unfinished.

    A log distinguishes wipes from resets by deaths alone, so a wipe is a pull in which at least
    half of the players died. A derived pull still going on when the log ends is unfinished.
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
    """One side of a match: number of players, how many died, and its team if known."""

    players: int
    deaths: int
    team: int | None = None


def judge_match(pull: Pull, ours: Side, theirs: Side) -> str:
    """Decide how a match ended for the logging player: won, lost, or over if unknown.

    The end line names the winning team. Without it, a side lost if it alone died completely, or
    else if it alone had deaths.
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
    """Map boss names to the encounters of the table."""
    return {boss.name: boss for boss in bosses_by_npc().values()}
