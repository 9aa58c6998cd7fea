"""The turn benchmark measures what it says; what the figures must be is judged by long runs."""

from __future__ import annotations

import sys

import pytest
from benchmarks.turn import BLOCK as WHOLE
from benchmarks.turn import Clock, bench_turn
from benchmarks.yardstick import TEXT

from ruleplay.errors import UserError

BLOCK = 40


@pytest.fixture
def blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the median of fewer turns: what is tested is what is measured, not how exactly."""
    monkeypatch.setattr("benchmarks.turn.BLOCK", BLOCK)


async def test_a_short_run_measures_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.turn.PEER_TURNS", 120)
    told: list[tuple[int, int]] = []
    found = await bench_turn(2 * WHOLE, lambda done, turns: told.append((done, turns)))
    assert told == [(WHOLE, 2 * WHOLE), (2 * WHOLE, 2 * WHOLE)]
    assert (found.turns, found.peer_turns, len(found.blocks_ms)) == (200, 120, 2)
    assert found.ratio == pytest.approx(found.turn_last_ms / found.turn_1_ms, rel=0.05)
    assert 0.5 < found.vs_plain < 5  # little is left between the two; a busy machine turns it round
    assert found.vs_langgraph_sqlite_saver is not None
    assert found.vs_langgraph_sqlite_saver > 1
    # Two texts of 500 characters, twice (input and reply as such, and as lines), and little else.
    assert 4 * len(TEXT) < found.bytes_per_turn < 12 * len(TEXT)
    assert found.bytes_per_turn_last_half == pytest.approx(found.bytes_per_turn_first_half, rel=0.1)
    assert found.notes == ()


async def test_without_the_peer_its_figure_is_missing_and_named(
    blocks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "langgraph.checkpoint.sqlite.aio", None)
    found = await bench_turn(2 * BLOCK)
    assert (found.vs_langgraph_sqlite_saver, found.peer_ms, found.peer_turns) == (None, None, 0)
    assert found.notes == ("no peer: langgraph.checkpoint.sqlite.aio is not installed",)


async def test_too_few_turns_are_refused() -> None:
    with pytest.raises(UserError, match="at least 200"):
        await bench_turn(100)


def test_a_block_is_the_median_of_its_turns() -> None:
    clock = Clock()
    clock.ms = [1.0] * 150 + [3.0] * 150
    assert clock.blocks() == (1.0, 2.0, 3.0)
    assert clock.block(100) == 1.0
