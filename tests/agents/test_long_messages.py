"""Messages as long as they may be, dear to read: each is a turn, and none keeps others waiting."""

from __future__ import annotations

import random
from time import thread_time
from typing import TYPE_CHECKING

import pytest

from ruleplay.catalog import find_agent
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

LONG = 8_000
SECONDS = 1.0
"""Processor time of the event loop that a turn may take: what others wait for it."""
QUOTING = ("Brom says: \u201c", 'I say "yes" ', "<said>", '"', "@dm ", "I attack the orc and ")
NUMBERS = ("3d6+", "@dm ", "0.0.0.0 ", "ß")


def mixed(*pieces: str) -> str:
    """Return a long mixture of pieces, the same in every run."""
    rng = random.Random(1)
    return "".join(rng.choice(pieces) for _ in range(LONG))[:LONG].strip()


async def longest(home: Path, agent: str, *texts: str) -> float:
    """Play texts in one session; return the most that the event loop worked for one of them."""
    host = await Host.open(Settings(home=home, db="", model="rules", models={}), find_agent)
    took = []
    try:
        session = Session(host, (await host.create(agent)).id)
        for text in texts:
            began = thread_time()
            await session.turn(text)
            took.append(thread_time() - began)
    finally:
        await host.close()
    return max(took)


@pytest.mark.parametrize("agent", ["saga", "party"])
async def test_quotations_without_end_are_a_turn_like_any_other(agent: str, tmp_path: Path) -> None:
    long = [(piece * LONG)[:LONG].strip() for piece in QUOTING]
    said = 'I turn to Brom and tell him "no" ' + "of all that I have ever seen in my life " * 10
    assert await longest(tmp_path, agent, *long, said) < SECONDS


async def test_numbers_without_end_hold_nobody_up(tmp_path: Path) -> None:
    machines = (" WDT780SAEM1 # " * LONG)[:LONG].strip()
    assert await longest(tmp_path, "parts", machines, mixed(*NUMBERS)) < SECONDS
