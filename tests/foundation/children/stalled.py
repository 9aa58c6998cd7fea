"""Kills processes while their turns wait for a slow model, then looks; prints one JSON object.

Usage: stalled.py DATABASE_URL FOLDER KILLS plain|durable SECONDS

A turn asks three models, two at once and then one, and each takes a while: a kill at some moment
falls between what the journal has kept and what is to come. Every call is noted in a file. Once the
last model was asked, what the others said had been kept: neither may be asked again.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import crash
from crash import DURABLE, FOLDER, MOST, create, finished, forked, looked_at

from ruleplay.models.scripted import Asked, Rehearsal, Reply

SECONDS = float(sys.argv[5])
PAUSE = 0.05
"""Seconds that a model takes to begin, and again to end."""
ONCE_ASKED, PATIENCE = 0.85, 10.0
"""The share of kills that wait for a model to be asked, and how long they do."""
BATCH = 20
"""Sessions that are made at once, and kills after which the count so far is told."""
ASKED = FOLDER / "asked"
ROLES = ("duel.stance", "duel.omen", "duel.narrator")
SAYS = {
    "duel.stance": '{"stance": "bold", "force": 2}',
    "duel.omen": '{"sign": "raven"}',
    "duel.narrator": "A bold look.",
}


class SlowModel(Rehearsal):
    """Notes each call, and takes its time."""

    pause: float = PAUSE

    def reply(self, asked: Asked) -> Reply:
        """Return what the role says."""
        with ASKED.open("a") as noted:
            noted.write(f"{asked.role}\n")
        said = SAYS[asked.role]
        return Reply((self.pause, said[:5], self.pause, said[5:]))


def asked() -> Counter[str]:
    """Return how often each role was asked since last time."""
    found = Counter(ASKED.read_text().split()) if ASKED.exists() else Counter()
    ASKED.unlink(missing_ok=True)
    return found


def kept(before: Counter[str]) -> set[str]:
    """Return the roles whose answers had been kept: those that had to be there for a later one."""
    return {"duel.stance", "duel.omen"} if before["duel.narrator"] else set()


def wrong(
    name: str, seen: dict[str, object], before: Counter[str], after: Counter[str]
) -> list[str]:
    """Return what is wrong with a session after a kill."""
    held, stands = seen["held"], seen["after"]
    found = []
    if held not in (["first"], ["first", "second"]) or stands != ["first", "second"]:
        found.append(f"{name}: held {held}, afterwards {stands}")
    if (seen["stored"], seen["answer"], seen["next"], seen["replays"]) != (2, 2, 3, True):
        found.append(f"{name}: {seen}")
    # The turn after it asks each role once; what is asked besides belongs to the one that died.
    again = after - Counter(ROLES)
    if DURABLE == "durable":
        found += [f"{name}: {role} was asked again" for role in kept(before) if again[role]]
    if held == ["first", "second"] and again:
        found.append(f"{name}: asked {dict(again)} for a turn that stood")
    return found


def kill(session: str, rng: random.Random) -> int:
    """Kill a process in its turn, mostly while models are asked; return its exit status."""
    receive, send = os.pipe()
    child = forked(lambda: crash.play(session, started=send))
    os.read(receive, 1)
    if rng.random() < ONCE_ASKED:
        give_up = time.monotonic() + PATIENCE
        while not ASKED.exists() and time.monotonic() < give_up:
            time.sleep(PAUSE / 10)
    time.sleep(rng.uniform(0, 6 * PAUSE))
    os.kill(child, signal.SIGKILL)
    os.close(receive)
    os.close(send)
    return os.waitpid(child, 0)[1]


def told_ids(made: object) -> list[object]:
    """Return the sessions that another process has made."""
    assert isinstance(made, list)
    return made


def main() -> None:
    """Kill, look, print, until the time is up."""
    rng, until = random.Random(7), time.monotonic() + SECONDS
    crash.ROLES, crash.model = ROLES, SlowModel
    crash.first_model = lambda count: SlowModel(pause=0.0)
    made: list[str] = []
    problems: list[str] = []
    stages: Counter[str] = Counter()
    told: dict[str, object] = {}
    for number in range(MOST):
        if not made:
            count = min(BATCH, MOST - number)
            made.extend(map(str, told_ids(finished(forked(lambda n=count: create(n))))))
            asked()  # those of the first turns
        session = made.pop()
        if time.monotonic() > until:
            break
        status = kill(session, rng)
        before = asked()
        [seen] = looked_at([session], {session: session}).values()
        assert isinstance(seen, dict)
        problems += wrong(f"{number}", seen, before, asked())
        committed = len(seen["held"]) == 2
        waiting = "narrator asked" if before["duel.narrator"] else "first models asked"
        stages["committed" if committed else waiting if before else "nothing asked"] += 1
        if status != signal.SIGKILL:
            problems.append(f"{number}: ended with {status}")
        told = {"kills": stages.total(), "killed_when": stages, "wrong": problems}
        if not stages.total() % BATCH:
            sys.stderr.write(f"{json.dumps(told)}\n")
    sys.stdout.write(json.dumps(told))
    sys.stdout.flush()
    os._exit(0)


main()
