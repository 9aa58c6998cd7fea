"""How often damage ranges and guessed sets are right, in battles whose truth both players told.

Two baselines play each other on a local server. Each player's first request lists its true team, so
that every hit and every guess can be held against it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.battle.measures import battle_set_accuracy, truths
from pydantic import BaseModel, ConfigDict

from ruleplay.agents.battle.adapters.client import Client
from ruleplay.agents.battle.adapters.connection import Account, Connection
from ruleplay.agents.battle.adapters.contest import Contest
from ruleplay.agents.battle.adapters.opponents import BaselineChooser
from ruleplay.agents.battle.adapters.server import LocalServer
from ruleplay.agents.battle.adapters.set_pool import open_pool
from ruleplay.agents.battle.adapters.showdown_package import require_package
from ruleplay.agents.battle.domain.chronicle import Chronicle
from ruleplay.agents.battle.domain.evidence import Truth, inside
from ruleplay.settings import Settings

if TYPE_CHECKING:
    from ruleplay.agents.battle.domain.pool import SetPool
    from ruleplay.agents.battle.domain.position import Hit

FORMAT = "gen9randombattle"
BATTLES = 100
DISGUISES = frozenset({"imposter", "illusion"})
"""Abilities whose bearers are not who they seem: their hits have no known truth."""


class GuessReport(BaseModel):
    """Hits inside our ranges, and true sets (tera aside) in the top three after two moves."""

    model_config = ConfigDict(frozen=True)

    format: str
    battles: int
    hits: int
    hits_inside: int
    range_share: float
    sets: int
    sets_found: int
    set_share: float
    set_pool: str


class _Witness(BaselineChooser):
    """A baseline that keeps what its seat was told."""

    def __init__(self) -> None:
        super().__init__("heuristics")
        self.contest: Contest | None = None
        self.first: Mapping[str, object] | None = None

    async def choose(self, contest: Contest) -> str:
        """Choose as the baseline does."""
        self.contest, self.first = contest, self.first or contest.request
        return await super().choose(contest)


@dataclass
class Seen:
    """A battle as one seat saw it, with both true teams."""

    role: str
    lines: list[str]
    requests: dict[str, Mapping[str, object]]


async def bench_guesses(
    turns: int = BATTLES, on_progress: Callable[[int, int], None] = lambda done, total: None
) -> GuessReport:
    """Play `turns` battles, judge each hit and each opposing set (Unavailable without Node)."""
    home = Settings().home
    package = await asyncio.to_thread(require_package, home)
    pool = await open_pool(home, package, FORMAT)
    hits = inside_range = sets = found = 0
    async with LocalServer(package) as server:
        for number in range(turns):
            for seat in await _play(server.url):
                judged = _judge_hits(seat)
                hits, inside_range = hits + len(judged), inside_range + sum(judged)
                right, asked = battle_set_accuracy(pool, seat.lines, seat.role, seat.requests)
                sets, found = sets + asked, found + right
            on_progress(number + 1, turns)
    return GuessReport(
        format=FORMAT,
        battles=turns,
        hits=hits,
        hits_inside=inside_range,
        range_share=round(inside_range / max(1, hits), 4),
        sets=sets,
        sets_found=found,
        set_share=round(found / max(1, sets), 4),
        set_pool=_name(pool, package),
    )


def _name(pool: SetPool, package: Path) -> str:
    return f"{len(pool.species)} species, {package.name} {pool.version}"


async def _play(url: str) -> list[Seen]:
    """Play one battle and return it as each of the two saw it."""
    one, two = _Witness(), _Witness()
    async with (
        _client(url, one) as challenger,
        _client(url, two) as challenged,
        asyncio.TaskGroup() as both,
    ):
        both.create_task(challenged.accept(challenger.name))
        both.create_task(challenger.challenge(challenged.name))
    contests = [each.contest for each in (one, two) if each.contest]
    requests = {each.contest.role: each.first or {} for each in (one, two) if each.contest}
    return [Seen(contest.role, list(contest.log), requests) for contest in contests]


def _client(url: str, witness: _Witness) -> Client:
    connection = Connection(url, Account.guest("Witness"))
    return Client(connection, lambda: witness, format=FORMAT)


def _judge_hits(battle: Seen) -> list[bool]:
    """Say of each hit whether it lies in the range computed from both true sets."""
    chronicle = Chronicle()
    hits: list[Hit] = []
    for line in battle.lines:
        chronicle.take(line.split("|"))
        # The chronicle keeps the newest hits only, so they are collected as they come.
        hits += [hit for hit in chronicle.hits if hit not in hits[-len(chronicle.hits) :]]
    disguised = {mon.ident for mon in chronicle.mons.values() if mon.own_ability in DISGUISES}
    true: dict[str, Truth] = {}
    for request in battle.requests.values():
        true |= truths(request)
    judged = []
    for hit in hits:
        if {hit.by, hit.on} & disguised or not {hit.by, hit.on} <= true.keys():
            continue
        verdict = inside(hit, true[hit.by], true[hit.on])
        if verdict is not None:
            judged.append(verdict)
    return judged
