"""Reviews a battle in a separate process, which blocks nobody and can be killed at any time.

Logs come from strangers, and processing one takes as long as its sender likes. So the number of
choices, the search and the time are limited, and the client may leave.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from ruleplay.agents.battle.adapters.replays import read_replay
from ruleplay.agents.battle.adapters.review import Review, review_replay
from ruleplay.agents.battle.adapters.review_store import keep_review, kept_review, review_id
from ruleplay.agents.battle.adapters.world import World, end_with
from ruleplay.errors import NotFound, RuleplayError, Unavailable, UserError

SECONDS = 120
"""Time limit of a review, including the start of its process."""
MOST_VISITS = 8_000_000
"""Visits of all choices together; the more choices, the fewer for each."""


@dataclass(frozen=True)
class Asked:
    """A review's parameters."""

    home: Path
    file: Path
    player: str
    search_ms: int
    turns: tuple[int, int] = (0, 0)


async def kept_or_made(asked: Asked) -> Review:
    """Load the review of a replay file, or make and store it."""
    ident = await asyncio.to_thread(
        review_id, asked.file, asked.player, asked.search_ms, asked.turns
    )
    with suppress(NotFound):
        return await asyncio.to_thread(kept_review, asked.home, ident)
    made = (await review_file(asked)).model_copy(update={"id": ident})
    await asyncio.to_thread(keep_review, asked.home, made)
    return made


async def review_file(asked: Asked) -> Review:
    """Review a replay file in a process; cancelling kills it.

    NotFound and UserError say what is wrong with the file, or that it takes too long.
    """
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(asked, there), daemon=False)
    await asyncio.to_thread(child.start)
    # Otherwise the pipe would stay open when the child ends, and its end go unnoticed.
    there.close()
    try:
        async with asyncio.timeout(SECONDS):
            told = await _answered(here)
    except TimeoutError as error:
        raise UserError(f"the review took more than {SECONDS} s; is this a battle?") from error
    finally:
        child.kill()
        # Even a cancelled review must not leave its process behind.
        await asyncio.shield(asyncio.to_thread(_reap, child, here))
    if isinstance(told, RuleplayError):
        raise told
    if not isinstance(told, Review):
        raise Unavailable("the review ended without a result; its process was ended")
    return told


async def _answered(here: Connection) -> Review | RuleplayError | None:
    """Wait for a process's answer without occupying a thread; None if it ended without one."""
    loop, came = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(here.fileno(), came.set)
    try:
        await came.wait()
    finally:
        loop.remove_reader(here.fileno())
    try:
        told: Review | RuleplayError = await asyncio.to_thread(here.recv)
    except (EOFError, OSError):
        return None
    return told


def _reap(child: BaseProcess, here: Connection) -> None:
    child.join()
    here.close()


def _answer(asked: Asked, told: Connection) -> None:
    """Review in the child process, which ignores Ctrl-C: the parent kills it when it stops."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with(os.getppid())
    try:
        found: Review | RuleplayError = asyncio.run(_reviewed(asked))
    except RuleplayError as error:
        found = error
    told.send(found)


async def _reviewed(asked: Asked) -> Review:
    replay = read_replay(asked.file)
    return await review_replay(
        replay,
        asked.player,
        World(asked.home),
        search_ms=asked.search_ms,
        engine="auto",
        turns=asked.turns,
        most_visits=MOST_VISITS,
    )
