"""No text of a client keeps a regular expression busy: it would hold up everything else."""

from __future__ import annotations

import multiprocessing
import signal
from multiprocessing.connection import Connection
from time import process_time

from tests.attacks import Found, attacks, patterns, run
from tests.samples import some

BOUND = 1.0
"""Seconds of work for one text of the largest size."""
STUCK = 2.0
"""Seconds of work after which a pattern is given up, and the process that tries it with it."""

DONE = -1.0


def test_no_pattern_takes_long_over_what_clients_may_send() -> None:
    found = patterns()
    assert len(found) > 100
    slow = _slow(some(found, len(found) // 3))
    assert not slow, "\n".join(slow)


def test_a_careless_pattern_is_found() -> None:
    careless = Found(r"<script[^>]*class=x[^>]*>", 0, ("search",), "here", 16_000)
    assert _slow([careless], STUCK / 8)


def _slow(found: list[Found], stuck: float = STUCK) -> list[str]:
    """Return the patterns that took too long, each tried in a process that can be killed."""
    context, slow, at = multiprocessing.get_context("spawn"), [], 0
    while at < len(found):
        here, there = context.Pipe(duplex=False)
        child = context.Process(target=_try, args=(found[at:], there, stuck), daemon=True)
        child.start()
        there.close()
        try:
            while at < len(found):
                seconds = here.recv()
                if seconds > BOUND:
                    slow.append(f"{found[at].place}: {seconds:.1f} s: {found[at].pattern}")
                if seconds > BOUND or seconds < 0:
                    at += 1
        except EOFError:  # the process was ended in the midst of a pattern
            slow.append(f"{found[at].place}: over {stuck} s: {found[at].pattern}")
            at += 1
        finally:
            child.kill()
            child.join()
            here.close()
    return slow


def _try(found: list[Found], told: Connection, stuck: float) -> None:
    for one in found:
        for text in attacks(one):
            # Counts work, not time: an engine that is stuck hears of no other end.
            signal.setitimer(signal.ITIMER_PROF, stuck)
            began = process_time()
            run(one, text)
            told.send(seconds := process_time() - began)
            if seconds > BOUND:
                break
        else:
            told.send(DONE)
