"""Dies in the middle of turns, then looks at what is left; prints one JSON object.

Usage: crash.py DATABASE_URL FOLDER MOST

A turn runs in a forked process whose event loop counts its steps and kills the process, as `kill
-9` would, right before step N: once for every N, or for at most MOST of them spread over the turn,
with all that surround the commit. On SQLite, whose commit runs in a thread, the process also dies
right before and after the driver's commit; and everywhere at random moments. Then every session is
opened again, its turn sent again with the same key, and the outcome printed.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "outside"))

import aiosqlite
from duel.table import Tables

from ruleplay.foundation.agent import Given
from ruleplay.foundation.llm.rehearsal import ScriptedModel
from ruleplay.foundation.replay import replay

URL, FOLDER, MOST = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
RANDOM_MOMENTS = 12
NEVER = 1_000_000_000


def die() -> None:
    """End this process as `kill -9` would."""
    os.kill(os.getpid(), signal.SIGKILL)


class MortalLoop(asyncio.SelectorEventLoop):
    """An event loop that counts its steps, and dies before one of them."""

    last = NEVER

    def __init__(self) -> None:
        super().__init__()
        self.steps = -NEVER

    def step(self, callback: Callable[..., object], *args: object) -> None:
        """Count a step, then take it."""
        self.steps += 1
        if self.steps == self.last:
            die()
        callback(*args)

    def call_soon(self, callback, *args, context=None):  # type: ignore[no-untyped-def, override]
        """Schedule a counted step."""
        return super().call_soon(self.step, callback, *args, context=context)

    def call_soon_threadsafe(self, callback, *args, context=None):  # type: ignore[no-untyped-def, override]
        """Schedule a counted step from another thread."""
        return super().call_soon_threadsafe(self.step, callback, *args, context=context)


def forked(work: Callable[[], Coroutine[None, None, object]], last: int = NEVER) -> int:
    """Run `work` in a process of its own whose result goes into a file; return its process id."""
    child = os.fork()
    if child:
        return child
    MortalLoop.last = last
    with asyncio.Runner(loop_factory=MortalLoop) as runner:
        result = runner.run(work())
    (FOLDER / "result").write_text(json.dumps(result))
    os._exit(0)


def finished(child: int) -> object:
    """Wait for a forked process that must not die, and return its result."""
    _, status = os.waitpid(child, 0)
    if status:
        sys.exit(f"a process that should have lived ended with status {status}")
    return json.loads((FOLDER / "result").read_text())


def tables() -> Tables:
    """Return where duels are played; a model speaks, so that its call is among the steps."""
    return Tables(URL, FOLDER)


def model() -> ScriptedModel:
    """Return the model of one turn."""
    return ScriptedModel({"duel.stance": [['{"stance": "bold",', ' "force": 2}']]})


async def create(count: int) -> list[str]:
    """Create sessions with one committed turn each."""
    opened = tables()
    host = await opened.host()
    host.models.stand_ins["scripted"] = ScriptedModel(['{"stance": "wary", "force": 0}'] * count)
    made = []
    for _ in range(count):
        duel = await opened.duel(host, roles=("duel.stance",))
        await duel.turn("the first", key="first")
        made.append(duel.id)
    await opened.close()
    return made


async def play(session: str, started: int | None = None, commit: str = "") -> int:
    """Play the turn that is to be interrupted; return its steps."""
    opened = tables()
    host = await opened.host(model())
    if commit:
        die_at_commit(commit)
    loop = asyncio.get_running_loop()
    assert isinstance(loop, MortalLoop)
    if started is not None:
        os.write(started, b"!")
    loop.steps = 0
    await host.start(session, Given(message="the second"), key="second")
    steps, loop.steps = loop.steps, -NEVER
    await opened.close()
    return steps


def die_at_commit(when: str) -> None:
    """Make the SQLite driver's next commit the last thing this process does, or does not."""

    async def commit(connection: aiosqlite.Connection) -> None:
        def in_thread() -> None:
            if when == "after":
                connection._conn.commit()
            die()

        await connection._execute(in_thread)  # type: ignore[no-untyped-call]  # its own queue

    aiosqlite.Connection.commit = commit  # type: ignore[method-assign, assignment]  # only in a forked process


async def look(sessions: dict[str, str]) -> dict[str, dict[str, object]]:
    """Open every session, send its turn again with its key, and tell how it stands."""
    opened = tables()
    host = await opened.host()
    found: dict[str, dict[str, object]] = {}
    for point, session in sessions.items():
        host.models.stand_ins["scripted"] = model()
        before, _ = await host.store.read(session)
        held = [turn.key for turn in await host.store.lineage(before.head)]
        turn = await host.start(session, Given(message="the second"), key="second")
        after, _ = await host.store.read(session)
        found[point] = {
            "before": held,
            "number": before.number,
            "after": [turn.key for turn in await host.store.lineage(after.head)],
            "answer": turn.number,
            "stored": len(await host.store.branches(session)),
            "replays": (await replay(host, session)).identical,
        }
    await opened.close()
    return found


def points(steps: int) -> list[int]:
    """Choose steps of the turn: all, or the last third whole and others spread over the rest."""
    every = list(range(1, steps + 1))
    if len(every) <= MOST:
        return every
    tail = every[-min(len(every) // 3, MOST * 2 // 3) :]
    head = every[: -len(tail)]
    stride = -(-len(head) // (MOST - len(tail)))
    return head[::stride] + tail


def kill_at_random(session: str, delay: float) -> int:
    """Kill a turn from outside, `delay` seconds after it began; return its exit status."""
    receive, send = os.pipe()
    child = forked(lambda: play(session, send))
    os.read(receive, 1)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    os.close(receive)
    os.close(send)
    return os.waitpid(child, 0)[1]


def main() -> None:
    """Kill, look, print."""
    rng = random.Random(1)
    # A first turn in this process loads all that a turn needs; its threads end with its loop.
    with asyncio.Runner(loop_factory=MortalLoop) as runner:
        warm, trial = runner.run(create(2))
        runner.run(play(warm))
    steps = finished(forked(lambda: play(trial)))
    assert isinstance(steps, int)
    at = points(steps)
    commits = ["before", "after"] if URL.startswith("sqlite") else []
    moments = [f"random {n}" for n in range(RANDOM_MOMENTS)]
    names = [*(f"step {n}" for n in at), *(f"commit {when}" for when in commits), *moments]
    made = finished(forked(lambda: create(len(names))))
    assert isinstance(made, list)
    sessions = dict(zip(names, made, strict=True))
    died: dict[str, int] = {}
    for n in at:
        child = forked(lambda: play(sessions[f"step {n}"]), last=n)  # noqa: B023  # runs at once
        died[f"step {n}"] = os.waitpid(child, 0)[1]
    for when in commits:
        child = forked(lambda: play(sessions[f"commit {when}"], commit=when))  # noqa: B023
        died[f"commit {when}"] = os.waitpid(child, 0)[1]
    for moment in moments:
        kill_at_random(sessions[moment], rng.uniform(0, 0.03))
    found = finished(forked(lambda: look(sessions)))
    sys.stdout.write(json.dumps({"steps": steps, "died": died, "found": found}))


if __name__ == "__main__":
    main()
