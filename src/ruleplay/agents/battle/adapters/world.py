"""The battle agent's connections to the outside: set pools, dex texts, and the search."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import re
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import count
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep

from ruleplay.agents.battle.adapters.engine import (
    EXPLORATION,
    Effort,
    Step,
    choice_of,
    follow,
    is_tuned,
    probe,
    run,
    search,
    state,
)
from ruleplay.agents.battle.adapters.printed import descriptions, foreign_names, short_names
from ruleplay.agents.battle.adapters.set_pool import (
    FORMAT,
    empty_pool,
    load_pool,
    open_pool,
    pool_file,
)
from ruleplay.agents.battle.adapters.showdown_package import find_package
from ruleplay.agents.battle.domain.chances import as_chances
from ruleplay.agents.battle.domain.dex import to_id
from ruleplay.agents.battle.domain.items import is_item
from ruleplay.agents.battle.domain.lookahead import look_ahead
from ruleplay.agents.battle.domain.orders import Order
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Expected, Inference, SearchVerdict
from ruleplay.agents.battle.domain.sets import SetPool, opponent_sets
from ruleplay.agents.battle.domain.worlds import sample_worlds
from ruleplay.errors import Unavailable
from ruleplay.hearing.classifier import fold

WORKERS = max(1, min(4, os.cpu_count() or 2))
"""Processes that search; concurrent searches share them, and one search may use all idle ones."""
LONGEST = 4
"""Words of a name."""
GRACE_SECONDS = 10
"""A search is given up after ten times its budget plus this many seconds."""
LOOKAHEAD_COST = 40
"""Visits of the engine that take as long as one of the lookahead's."""
GUESSES_KEPT = 32
"""Positions whose guessed sets are kept."""
PLIES, LINE_VISITS = 3, 4_000
"""Turns of a continuation, and the visits of the search in each."""
LOG = logging.getLogger("ruleplay.battle")
PYTHON, ENGINE = "python", "poke-engine"
BROKE = "The search broke."
"""The summary of a search that failed, by which reviews recognise one."""


@dataclass
class World:
    """One process's access to the outside; pools are loaded on demand."""

    home: Path
    _pools: dict[str, SetPool] = field(default_factory=dict)
    _guessed: dict[tuple[Position, str, str], Inference] = field(default_factory=dict)
    _searching: int = 0

    def sets(self, position: Position, battle_format: str) -> Inference:
        """Guess their sets; the last guesses are kept, since memory and messages ask again."""
        pool = self.pool(battle_format)
        key = (position, pool.format, pool.version)
        if key not in self._guessed:
            self._guessed[key] = opponent_sets(position, pool)
        while len(self._guessed) > GUESSES_KEPT:
            del self._guessed[next(iter(self._guessed))]
        return self._guessed[key]

    def pool(self, battle_format: str) -> SetPool:
        """Load a format's pool; without one it is empty, and sets come from the dex."""
        if battle_format in self._pools:
            return self._pools[battle_format]
        file = self.pool_file(battle_format)
        if file is None:  # clients may name any format, so missing ones are not cached
            return empty_pool(battle_format)
        return self._pools.setdefault(battle_format, read_pool(file, battle_format))

    def pool_file(self, battle_format: str) -> Path | None:
        """Find the file of a format's pool; None if there is none, or for an invalid name."""
        if not FORMAT.fullmatch(battle_format):
            return None
        package = find_package(self.home)
        file = pool_file(self.home, package, battle_format) if package else None
        return file.resolve() if file is not None and file.exists() else None

    def short_names(self, message: str) -> dict[str, str]:
        """Map words of a message to ids, by Showdown's aliases and French names."""
        package = find_package(self.home)
        known = {**foreign_names(), **(short_names(package) if package else {})}
        words = re.findall(r"[^\W_]+", fold(message))
        joined = {
            to_id("".join(words[at : at + size]))
            for at in range(len(words))
            for size in range(1, LONGEST + 1)
        }
        found = {word: known[word] for word in sorted(joined) if word in known}
        # "If it's scarfed" holds what "scarf" names.
        worn = {word: known.get(word.removesuffix("ed"), "") for word in words}
        items = {word: name for word, name in worn.items() if word not in found and is_item(name)}
        return found | items

    def printed(self, things: Sequence[str]) -> dict[str, str]:
        """Look up the dex texts of things by `kind/id`; empty without the package."""
        package = find_package(self.home)
        known = descriptions(package) if package else {}
        kinds = {"item": "items", "move": "moves", "ability": "abilities"}
        keys = {
            thing: f"{kinds.get(kind, kind)}/{name}"
            for thing in things
            for kind, _, name in [thing.partition("/")]
        }
        return {thing: known[key] for thing, key in keys.items() if key in known}

    async def prepare(self, battle_format: str) -> str:
        """Generate a format's pool if possible; otherwise returns the reason, or ""."""
        package = find_package(self.home)
        if package is None:
            return "no Showdown package: `ruleplay setup battle` installs it"
        try:
            self._pools[battle_format] = await open_pool(self.home, package, battle_format)
        except Unavailable as error:
            return str(error)
        return ""

    def engine(self, wanted: str, battle_format: str = "") -> str:
        """Choose the search: the engine if wanted and usable, Python otherwise.

        Unavailable if the engine was asked for by name but cannot be used, or not for this format.
        """
        if wanted == PYTHON:
            return PYTHON
        problem = format_problem(battle_format) or engine_problem()
        if problem and wanted == ENGINE:
            raise Unavailable(problem)
        return PYTHON if problem else ENGINE

    async def warm(self, battle_format: str, engine: str) -> None:
        """Start the worker processes, so that the first decision is as fast as the others."""
        workers, file = search_workers(), self.pool_file(battle_format)
        jobs = [workers.submit(_get_ready, file, battle_format, engine) for _ in range(WORKERS)]
        await asyncio.wait([asyncio.wrap_future(job) for job in jobs])

    async def search(
        self,
        position: Position,
        inference: Inference,
        budget: Budget,
        rng: Random,
        expected: Expected | None = None,
    ) -> SearchVerdict:
        """Search in worker processes, since either search would block the event loop.

        With what is `expected` of them, the engine's search takes it into account.
        A search that fails or does not end gives an empty result, and the workers are replaced.
        """
        engine = self.engine(budget.engine, budget.format)
        # A repeatable search must not depend on the machine's load, so its caller has to bound it.
        limit = None if budget.visits else GRACE_SECONDS + 10 * budget.milliseconds / 1000
        try:
            async with asyncio.timeout(limit):
                if engine == ENGINE:
                    found = await self._engine_search(position, inference, budget, rng, expected)
                else:
                    found = await self._look_ahead(position, inference, budget, rng)
                return as_chances(found, position)
        except (BrokenExecutor, TimeoutError) as error:
            why = str(error) or f"it took longer than {limit} s"
            LOG.warning("the search of %s broke: %s", position.battle, why)
            # Searches of other battles are in the same queue, so they are not cancelled.
            search_workers().shutdown(wait=False)
            search_workers.cache_clear()
            return SearchVerdict(engine=engine, lines=(), summary=BROKE)

    async def line(
        self, position: Position, inference: Inference, order: Order | None, budget: Budget
    ) -> tuple[Step, ...]:
        """Search for a continuation after an order (None: the best), of PLIES turns at most.

        It is empty without the engine, and repeatable if searches by visits are.
        """
        if self.engine(budget.engine, budget.format) != ENGINE or position.theirs.active is None:
            return ()
        rng = Random(f"line/{position.battle}/{position.request_id}/{position.turn}")
        (world,) = sample_worlds(position, inference, self.pool(budget.format), rng, 1)
        first = choice_of(position, order) if order else ""
        effort = Effort(0, LINE_VISITS, budget.exploration, rng.getrandbits(32))
        text = state(position, world).to_string()
        job = search_workers().submit(follow, text, first, PLIES, effort)
        found = await asyncio.wrap_future(job)
        return tuple(found)

    async def _engine_search(
        self,
        position: Position,
        inference: Inference,
        budget: Budget,
        rng: Random,
        expected: Expected | None,
    ) -> SearchVerdict:
        """Search with the engine, on as many workers as are idle."""
        pool, executor = self.pool(budget.format), search_workers()
        # The result depends on the number of workers, which must not depend on the load.
        idle = 1 if budget.visits else max(1, WORKERS - self._searching)
        workers = min(budget.workers, idle) if budget.workers else idle
        self._searching += workers
        try:
            return await asyncio.to_thread(
                search,
                position,
                inference,
                pool,
                budget.milliseconds,
                rng,
                executor,
                workers,
                budget.visits,
                budget.exploration,
                expected,
            )
        finally:
            self._searching -= workers

    async def _look_ahead(
        self, position: Position, inference: Inference, budget: Budget, rng: Random
    ) -> SearchVerdict:
        """Search with the lookahead, in one worker."""
        file, seconds = self.pool_file(budget.format), budget.milliseconds / 1000
        return await asyncio.get_running_loop().run_in_executor(
            search_workers(),
            _search_ahead,
            file,
            budget.format,
            position,
            inference,
            seconds,
            rng,
            budget.visits,
        )


@dataclass(frozen=True)
class Budget:
    """The resources of a search, and the format it is for."""

    milliseconds: int
    engine: str
    format: str
    workers: int = 0
    """Maximum number of processes; 0 for all that are idle."""
    visits: int = 0
    """Number of visits to make instead of searching for a time, which is repeatable."""
    exploration: float = EXPLORATION

    @property
    def repeatable(self) -> bool:
        """Whether the engine gives the same result each time."""
        return bool(self.visits) and (self.engine == PYTHON or is_tuned())


def format_problem(battle_format: str) -> str:
    """Say why the engine cannot play a format; "" if it can or none is named."""
    if not battle_format or battle_format.startswith("gen9"):
        return ""
    return (
        f"poke-engine is built for generation 9, not for {battle_format}; "
        "the built-in lookahead plays it"
    )


@cache
def engine_problem() -> str:
    """Say why the engine cannot be used; "" if it can."""
    try:
        probe()
    except Unavailable as error:
        return str(error)
    return ""


@cache
def search_workers() -> Executor:
    """Return the worker processes, started on first use; they end with this process.

    They are spawned, because a forked child would keep our servers' pipes open, and thus the
    servers running. A process that was itself spawned for one job searches in threads instead, so
    that it leaves nothing behind.
    """
    if multiprocessing.parent_process() is not None:
        return ThreadPoolExecutor(max_workers=WORKERS)
    return ProcessPoolExecutor(
        max_workers=WORKERS,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=end_with,
        initargs=(os.getpid(),),
    )


@lru_cache(maxsize=8)
def read_pool(file: Path | None, battle_format: str) -> SetPool:
    """Load a pool once per process; without a file it is empty."""
    return load_pool(file) if file is not None else empty_pool(battle_format)


def _get_ready(file: Path | None, battle_format: str, engine: str) -> None:
    """Load in a worker what its searches need."""
    if engine == ENGINE:
        run([], Effort(1))
    else:
        read_pool(file, battle_format)


def _search_ahead(
    file: Path | None,
    battle_format: str,
    position: Position,
    inference: Inference,
    seconds: float,
    rng: Random,
    visits: int = 0,
) -> SearchVerdict:
    """Run the lookahead in a worker, which reads the pool itself: it is too big to be sent."""
    pool = read_pool(file, battle_format)
    if not visits:
        return look_ahead(position, inference, pool, seconds, rng)
    ticks = count()  # counts visits: the lookahead reads the clock once each
    return look_ahead(position, inference, pool, visits // LOOKAHEAD_COST, rng, lambda: next(ticks))


def end_with(parent: int) -> None:
    """Exit when the parent does, which a worker waiting for work would not notice."""

    def watch() -> None:
        while os.getppid() == parent:
            sleep(1)
        os._exit(0)

    Thread(target=watch, daemon=True).start()
