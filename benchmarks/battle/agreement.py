"""How often a decision of 200 ms is the one that a long search of the same engine takes.

The decision has the visits that 200 ms bring on one quiet core: a busy machine does not count.
Positions are from battles that two baselines play on a local server, a few of each battle. The
reference searches each of its worlds for 50,000 visits, from a fixed seed; `by_search` compares the
searches alone, `agreed` what is played. Many choices are worth the same, and between those the
seed decides: `seeds` says how often a second long search, of other worlds, plays what the first
does, which is as much as a short one can. What counts is `lost`: what both long searches together
say the played choices gave away, in chances of winning; `even` counts those that gave away no more
than a search can tell.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import perf_counter

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.battle.adapters.client import Client
from ruleplay.agents.battle.adapters.connection import Account, Connection
from ruleplay.agents.battle.adapters.contest import Contest
from ruleplay.agents.battle.adapters.opponents import BaselineChooser
from ruleplay.agents.battle.adapters.player import Witness
from ruleplay.agents.battle.adapters.server import LocalServer
from ruleplay.agents.battle.adapters.showdown_package import require_package
from ruleplay.agents.battle.adapters.world import Budget, World
from ruleplay.agents.battle.domain.memory import Memory
from ruleplay.agents.battle.domain.orders import Order
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Inference, SearchVerdict
from ruleplay.agents.battle.domain.sets import opponent_sets
from ruleplay.agents.battle.domain.standing import Standing
from ruleplay.agents.battle.policy.assessment import assess
from ruleplay.agents.battle.policy.obeying import CLOSE
from ruleplay.errors import Unavailable
from ruleplay.settings import Settings

FORMAT = "gen9randombattle"
POSITIONS, A_BATTLE = 300, 10
VISITS = 50_000
"""What 200 ms bring on one quiet core."""
REFERENCE = 12 * VISITS
"""Visits of the long search, over all its worlds."""
SECONDS = 3_900
"""No position is begun after this long."""


class AgreementReport(BaseModel):
    """What was compared; `ci95` and `lost95` are the bounds of `share` and of `lost`."""

    model_config = ConfigDict(frozen=True)

    format: str
    engine: str
    positions: int
    agreed: int
    share: float
    ci95: tuple[float, float]
    by_search: int
    seeds: int
    even: int
    lost: float
    lost95: tuple[float, float]
    visits: int
    reference_visits: int


async def bench_agreement(
    turns: int = POSITIONS, on_progress: Callable[[int, int], None] = lambda done, total: None
) -> AgreementReport:
    """Compare decisions in up to `turns` positions (Unavailable without the engine)."""
    world = World(Settings().home)
    if problem := await world.prepare(FORMAT):
        raise Unavailable(problem)
    engine = world.engine("poke-engine", FORMAT)
    await world.warm(FORMAT, engine)
    short = Budget(0, engine, FORMAT, workers=1, visits=VISITS)
    long = Budget(0, engine, FORMAT, workers=1, visits=REFERENCE)
    standing, by_search, seeds, began = Standing(), 0, 0, perf_counter()
    lost = list[float]()
    async for position in _positions(Settings().home):
        if len(lost) >= turns or perf_counter() - began > SECONDS:
            break
        inference = opponent_sets(position, world.pool(FORMAT))
        seed = f"{position.battle}/{position.request_id}"
        found = await world.search(position, inference, short, Random(f"{seed}/short"))
        reference = await world.search(position, inference, long, Random(seed))
        second = await world.search(position, inference, long, Random(f"{seed}/second"))
        chosen, wanted, other = (
            _chosen(position, inference, one) for one in (found, reference, second)
        )
        seeds += wanted == other
        standing = standing.after(chosen == wanted)
        by_search += found.lines[:1] != () and found.lines[0].order == reference.lines[0].order
        lost.append(_regret(chosen, reference, second))
        on_progress(len(lost), turns)
    low, high = standing.interval
    return AgreementReport(
        format=FORMAT,
        engine=engine,
        positions=standing.battles,
        agreed=standing.wins,
        share=round(standing.win_rate, 4),
        ci95=(round(low, 4), round(high, 4)),
        by_search=by_search,
        seeds=seeds,
        even=sum(each < CLOSE for each in lost),
        lost=round(fmean(lost or [0.0]), 4),
        lost95=_bounds(lost),
        visits=VISITS,
        reference_visits=REFERENCE,
    )


def _regret(chosen: Order, *verdicts: SearchVerdict) -> float:
    """Return what a choice gives away of the best one's chance, by the mean of several searches."""
    values = [{line.order: line.value for line in one.lines} for one in verdicts]
    shared = set.intersection(*map(set, values))
    means = {order: fmean(each[order] for each in values) for order in shared}
    return max(means.values()) - means[chosen] if chosen in means else 0.0


def _bounds(lost: Sequence[float]) -> tuple[float, float]:
    """Return between which bounds the mean lies, 19 times in 20."""
    if len(lost) < 2:
        return 0.0, 1.0
    mean, wide = fmean(lost), 1.96 * stdev(lost) / sqrt(len(lost))
    return round(max(0.0, mean - wide), 4), round(mean + wide, 4)


class _Watching(BaselineChooser):
    """A baseline that keeps the positions it was asked in."""

    def __init__(self) -> None:
        super().__init__("heuristics")
        self.positions: list[Position] = []
        self._witness = Witness()

    async def choose(self, contest: Contest) -> str:
        """Choose as the baseline does."""
        position = self._witness.position(contest)
        if len(position.legal) > 1 and not position.team_preview:
            self.positions.append(position)
        return await super().choose(contest)


async def _positions(home: Path) -> AsyncIterator[Position]:
    """Yield positions with something to choose, some of each battle."""
    rng = Random(1)
    async with LocalServer(await asyncio.to_thread(require_package, home)) as server:
        while True:
            watching = _Watching()
            async with (
                _client(server.url, watching) as us,
                _client(server.url, BaselineChooser("heuristics")) as them,
                asyncio.TaskGroup() as both,
            ):
                both.create_task(them.accept(us.name))
                both.create_task(us.challenge(them.name))
            found = watching.positions
            for position in rng.sample(found, min(A_BATTLE, len(found))):
                yield position


def _client(url: str, chooser: BaselineChooser) -> Client:
    return Client(Connection(url, Account.guest("Watching")), lambda: chooser, format=FORMAT)


def _chosen(position: Position, inference: Inference, verdict: SearchVerdict) -> Order:
    return assess(position, inference, Memory(), verdict).decision.order
