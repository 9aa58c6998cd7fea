"""Dies in the middle of turns, then looks at what is left; prints one JSON object.

Usage: crash.py DATABASE_URL FOLDER MOST plain|durable

A turn runs in a forked process that kills itself, as `kill -9` would: right before each step of its
event loop, right before and after each write (see `mortal`), and at random moments; at all of these
points, or at MOST of the steps with all that surround the commit. Then a process of the same name
looks at the session: what the crash has left (`held`); what stands when the durable runner has gone
on by itself, if there is one (`before`); what stands when the client has sent its turn again with
the same key (`after`), and whether the next turn can be played.
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
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2] / "outside"))

from duel.table import Tables
from mortal import NEVER, MortalLoop, When, Writes

from ruleplay.kernel.replay import replay
from ruleplay.models.scripted import Rehearsal, ScriptedModel
from ruleplay.records.given import Given

if TYPE_CHECKING:
    from ruleplay.kernel.host import Host

URL, FOLDER, MOST, DURABLE = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
ROLES: tuple[str, ...] = ("duel.stance",)
"""Roles that a model speaks for."""
RANDOM_MOMENTS = min(12, MOST // 2)
RECOVERED_SECONDS = 180.0
if DURABLE == "durable":  # loaded once, before all the forks
    from ruleplay.durable.desk import Desk
    from ruleplay.durable.runner import WORK, Runner


class Point(NamedTuple):
    """Where a process dies: before a step, or around a write."""

    name: str
    step: int = NEVER
    write: int = NEVER
    when: When = "before"


def forked(work: Callable[[], Coroutine[None, None, object]], step: int = NEVER) -> int:
    """Run `work` in a process of its own whose result goes into a file; return its process id."""
    child = os.fork()
    if child:
        return child
    MortalLoop.last = step
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


def model() -> Rehearsal:
    """Return the model of one turn."""
    return ScriptedModel({"duel.stance": [['{"stance": "bold",', ' "force": 2}']]})


def first_model(count: int) -> Rehearsal:
    """Return the model of the first turns of so many sessions."""
    return ScriptedModel(['{"stance": "wary", "force": 0}'] * count)


async def create(count: int) -> list[str]:
    """Create sessions with one committed turn each."""
    opened = tables()
    host = await opened.host()
    host.models.stand_ins["scripted"] = first_model(count)
    made = []
    for _ in range(count):
        duel = await opened.duel(host, roles=ROLES)
        await duel.turn("the first", key="first")
        made.append(duel.id)
    await opened.close()
    return made


async def play(
    session: str, point: Point | None = None, started: int | None = None
) -> tuple[int, int]:
    """Play the turn that is to be interrupted; return its steps and writes."""
    opened = tables()
    writes = Writes(point.write, point.when) if point else Writes()
    host = await opened.host(model())
    if DURABLE == "durable":
        host.runner = await Runner.open(host, session)  # a worker of the session's own name
    loop = asyncio.get_running_loop()
    assert isinstance(loop, MortalLoop)
    if started is not None:
        os.write(started, b"!")
    loop.steps = 0
    writes.begin()
    await host.start(session, Given(message="the second"), key="second")
    steps, loop.steps = loop.steps, -NEVER
    counted = writes.end()
    if started is not None:
        await asyncio.Event().wait()  # to be killed, be it after the turn
    await opened.close()
    return steps, counted


async def keys(host: Host, session: str) -> list[str | None]:
    """Return the keys of the session's turns."""
    head, _ = await host.store.read(session)
    return [turn.key for turn in await host.store.lineage(head.head)]


async def recovered(session: str) -> None:
    """Wait until no handed-in turn of a session is waiting or running."""
    desk = await Desk.open(URL)
    until = time.monotonic() + RECOVERED_SECONDS
    while True:
        found = await desk.recent(WORK, 10)
        own = [work for work in found if work.given.get("session") == session]
        if all(work.status in ("done", "failed", "cancelled") for work in own):
            break
        if time.monotonic() > until:
            sys.exit(f"the turn of {session} was not gone on with: {own}")
        await asyncio.sleep(0.02)
    await desk.close()


async def look(sessions: list[str]) -> list[dict[str, object]]:
    """Look at sessions after the crash; those of a durable runner one by one, each by its name."""
    opened = tables()
    host = await opened.host(model())
    found = []
    for session in sessions:
        held = await keys(host, session)
        if DURABLE == "durable":
            host.runner = await Runner.open(host, session)
            await recovered(session)
        found.append(await sent_again(host, session, held))
    await opened.close()
    return found


async def sent_again(host: Host, session: str, held: list[str | None]) -> dict[str, object]:
    """Send a session's turn again with its key, play the next, and tell how it stands."""
    host.models.stand_ins["scripted"] = model()
    before = await keys(host, session)
    number = (await host.store.read(session))[0].number
    turn = await host.start(session, Given(message="the second"), key="second")
    after, stored = await keys(host, session), len(await host.store.branches(session))
    host.models.stand_ins["scripted"] = model()
    following = await host.start(session, Given(message="the third"), key="third")
    return {
        "held": held,
        "before": before,
        "number": number,
        "after": after,
        "answer": turn.number,
        "stored": stored,
        "next": following.number,
        "replays": (await replay(host, session)).identical,
    }


def points(steps: int, writes: int) -> list[Point]:
    """Choose points of the turn: all, or MOST of the steps and of both sides of the writes."""
    every = list(range(1, steps + 1))
    if len(every) > MOST:
        tail = every[-min(len(every) // 3, MOST * 2 // 3) :]
        head = every[: -len(tail)]
        every = head[:: -(-len(head) // (MOST - len(tail)))] + tail
    around = [(n, when) for n in range(1, writes + 1) for when in ("before", "after")]
    around = around[:: -(-len(around) // MOST)]
    return [
        *(Point(f"step {n}", step=n) for n in every),
        *(Point(f"write {n} {when}", write=n, when=when) for n, when in around),
    ]


def kill_at(session: str, point: Point) -> int:
    """Let a process die at a point of its turn; return its exit status."""
    child = forked(lambda: play(session, point), point.step)
    return os.waitpid(child, 0)[1]


def kill_at_random(session: str, delay: float) -> int:
    """Kill a process from outside, `delay` seconds after its turn began; return its exit status."""
    receive, send = os.pipe()
    child = forked(lambda: play(session, started=send))
    os.read(receive, 1)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    os.close(receive)
    os.close(send)
    return os.waitpid(child, 0)[1]


def looked_at(names: list[str], sessions: dict[str, str]) -> dict[str, object]:
    """Return how the sessions of some points stand, seen from a process of its own."""
    looked = finished(forked(lambda: look([sessions[name] for name in names])))
    assert isinstance(looked, list)
    return dict(zip(names, looked, strict=True))


def main() -> None:
    """Kill, look, print."""
    rng = random.Random(1)
    # A first turn in this process loads all that a turn needs; its threads end with its loop.
    with asyncio.Runner(loop_factory=MortalLoop) as runner:
        warm, trial = runner.run(create(2))
        if DURABLE == "plain":
            runner.run(play(warm))
    began = time.monotonic()
    trials = finished(forked(lambda: play(trial)))
    took = time.monotonic() - began
    assert isinstance(trials, list)
    at = points(*trials)
    moments = [f"random {n}" for n in range(RANDOM_MOMENTS)]
    made = finished(forked(lambda: create(len(at) + len(moments))))
    assert isinstance(made, list)
    sessions = dict(zip([*(point.name for point in at), *moments], made, strict=True))
    died: dict[str, int] = {}
    found: dict[str, object] = {}
    latest = 0.03 if DURABLE == "plain" else took / 2
    for name, session in sessions.items():
        if name in moments:
            died[name] = kill_at_random(session, rng.uniform(0, latest))
        else:
            died[name] = kill_at(session, next(point for point in at if point.name == name))
        if DURABLE == "durable":  # at once: the next process would take the turn that waits
            found |= looked_at([name], sessions)
    if DURABLE == "plain":
        found = looked_at(list(sessions), sessions)
    told = {"steps": trials[0], "writes": trials[1], "died": died, "found": found}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
