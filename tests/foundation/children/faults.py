"""Plays turns whose system calls fail, or whose power does; prints one JSON object.

Usage: faults.py FOLDER FAULT RUNS SEED, with `calls.c` loaded and watching FOLDER.

FAULT is the name of an error (EIO, ENOSPC, EMFILE, ENOMEM) or `power`. Every run is a process that
plays two turns of a session, in which one call is hit: each once for every size of the
turns, or a few from everywhere. An odd error lasts until the turns are over, as a full disk does,
and an odd power failure leaves some of what was not synced. Then a whole process looks: which turns
stand, whether they replay, whether the rest can be sent again and played.
"""

from __future__ import annotations

import asyncio
import ctypes
import errno
import json
import os
import random
import signal
import sys
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[2] / "outside"))

from duel.table import Tables

from ruleplay.errors import RuleplayError
from ruleplay.kernel.replay import replay
from ruleplay.models.scripted import ScriptedModel
from ruleplay.records.given import Given

if TYPE_CHECKING:
    from ruleplay.kernel.host import Host

FOLDER, FAULT, RUNS, SEED = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
URL = f"sqlite+aiosqlite:///{FOLDER / 'ruleplay.db'}"
KEYS = ("second", "third")
SIZES = (20, 3_000, 7_900)
KINDS = {"EMFILE": "o", "ENOSPC": "w", "EIO": "orw", "ENOMEM": "orwm"}
"""Which calls an error can come from: opening, reading, writing, mapping."""
SECONDS = 60
TELL = os.memfd_create("told")
Told = dict[str, Any]
CALLS = ctypes.CDLL(None)


def arm(nth: int, *, lasting: bool, seed: int) -> None:
    """Let the nth call from here be hit; with 0 they are only counted."""
    if FAULT == "power":
        CALLS.calls_cut(ctypes.c_long(nth or 10**9), seed)
    else:
        wrong = getattr(errno, FAULT)
        CALLS.calls_arm(ctypes.c_long(nth), wrong, int(lasting), KINDS[FAULT].encode())


def model() -> ScriptedModel:
    """Return the model of one turn."""
    return ScriptedModel({"duel.stance": ['{"stance": "bold", "force": 2}'] * 9})


async def create(count: int) -> list[str]:
    """Create sessions with one committed turn each."""
    opened = Tables(URL, FOLDER)
    host = await opened.host(
        ScriptedModel({"duel.stance": ['{"stance": "wary", "force": 0}'] * count})
    )
    made = []
    for _ in range(count):
        duel = await opened.duel(host, roles=("duel.stance",))
        await duel.turn("the first", key="first")
        made.append(duel.id)
    await opened.close()
    return made


async def play(session: str, nth: int, *, lasting: bool = False, seed: int = 0, size: int) -> None:
    """Play the turns with a fault on the way, telling of each; then once more without one."""
    opened = Tables(URL, FOLDER)
    host = await opened.host(model())
    arm(nth, lasting=lasting, seed=seed)
    for key in KEYS:
        say(await tried(host, session, key, size))
    say({"calls": CALLS.calls_counted()})
    CALLS.calls_arm(ctypes.c_long(0), 0, 0, b"")
    for key in KEYS:
        say({"again": await tried(host, session, key, size)})
    await opened.close()


async def tried(host: Host, session: str, key: str, size: int) -> Told:
    """Return that a turn was acknowledged, or the error that its sender hears."""
    try:
        await asyncio.wait_for(
            host.start(session, Given(message=key * (size // 10)), key=key), SECONDS
        )
    except RuleplayError as error:
        return {"key": key, "error": type(error).__name__, "text": str(error)}
    except BaseException as error:  # noqa: BLE001  # this is what is looked for
        return {"key": key, "error": type(error).__name__, "text": str(error), "unclear": True}
    return {"key": key, "held": True}


def say(what: Told) -> None:
    """Tell the parent, at once and for good."""
    os.write(TELL, json.dumps(what).encode() + b"\n")


def heard(work: Coroutine[None, None, object]) -> tuple[int, list[Told]]:
    """Run `work` in a process of its own; return how that ended, and all it told."""
    child = os.fork()
    if not child:
        signal.alarm(SECONDS * 5)  # whatever happens, it ends
        code = 1
        try:
            result = asyncio.run(work)
            if result is not None:
                say({"result": result})
            code = 0
        finally:
            os._exit(code)
    work.close()
    status = os.waitpid(child, 0)[1]
    os.lseek(TELL, 0, os.SEEK_SET)
    said = os.read(TELL, 10**7).splitlines()
    os.ftruncate(TELL, 0)
    os.lseek(TELL, 0, os.SEEK_SET)
    return status, [json.loads(line) for line in said]


async def look(session: str, size: int) -> Told:
    """Tell which turns stand, then play on."""
    opened = Tables(URL, FOLDER)
    host = await opened.host(model())
    held = await keys(host, session)
    again = [await tried(host, session, key, size) for key in (*KEYS, "fourth")]
    after = await keys(host, session)
    stored = len(await host.store.branches(session))
    same = (await replay(host, session)).identical
    await opened.close()
    return {"held": held, "again": again, "after": after, "branches": stored, "replays": same}


async def keys(host: Host, session: str) -> list[str | None]:
    """Return the keys of the session's turns."""
    head, _ = await host.store.read(session)
    return [turn.key for turn in await host.store.lineage(head.head)]


def problems(status: int, said: list[Told], seen: Told) -> list[str]:
    """Return what is wrong with a run."""
    again = [one["again"] for one in said if "again" in one]
    acknowledged = [one["key"] for one in (*said, *again) if one.get("held")]
    cut = FAULT == "power" and status == signal.SIGKILL
    wrong = [f"acknowledged and lost: {key}" for key in acknowledged if key not in seen["held"]]
    wrong += [f"unclear: {one}" for one in said if one.get("unclear")]
    wrong += [f"not well again: {one}" for one in again if not one.get("held")]
    # Who sends the first turn again after the second has come through gets them in that order.
    if sorted(seen["after"]) != sorted({"first", *KEYS, "fourth"}) or not seen["replays"]:
        wrong.append(f"stands afterwards: {seen}")
    if status and not cut:
        wrong.append(f"ended with status {status}")
    return wrong


def points(spans: dict[int, int], rng: random.Random) -> list[tuple[int, int, bool]]:
    """Return size, call and kind of fault of each run: all in turn, or a few from everywhere."""
    every = [
        (size, n, odd) for size in SIZES for odd in (False, True) for n in range(1, spans[size] + 1)
    ]
    if len(every) > RUNS:
        return sorted(rng.sample(every, RUNS))
    return (every * (RUNS // len(every) + 1))[:RUNS]


def main() -> None:
    """Hit, look, print."""
    rng = random.Random(SEED)
    asyncio.run(create(1))  # loads all that a turn needs
    _, made = heard(create(RUNS + len(SIZES)))
    sessions: list[str] = made[0]["result"]
    spans = {}
    for size in SIZES:
        _, said = heard(play(sessions.pop(), 0, size=size))
        spans[size] = next(one["calls"] for one in said if "calls" in one)
    errors, wrong = Counter[str](), {}
    acknowledged = ended = 0
    at = points(spans, rng)
    for session, (size, nth, odd) in zip(sessions, at, strict=True):
        seed = rng.randrange(1, 10**6) if odd else 0
        status, said = heard(play(session, nth, lasting=odd, seed=seed, size=size))
        _, seen = heard(look(session, size))
        bad = problems(status, said, seen[-1]["result"]) if seen else ["cannot be read"]
        if bad:
            wrong[f"size {size}, call {nth}, odd {odd}"] = bad
        ended += status == signal.SIGKILL
        acknowledged += sum(bool(one.get("held")) for one in said)
        errors.update(f"{one['error']}: {one['text']}" for one in said if "error" in one)
    told = {
        "runs": len(at),
        "calls": spans,
        "power_failures": ended,
        "turns_acknowledged": acknowledged,
        "errors": errors,
        "wrong": wrong,
    }
    sys.stdout.write(json.dumps(told))


main()
