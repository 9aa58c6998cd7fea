"""What chat programs do with a history, at random: its turn is found, or none is, and told so."""

from __future__ import annotations

from pathlib import Path

from benchmarks.histories import DOES, play

STEPS = 250
"""`python -m benchmarks.histories` takes two thousand."""


async def test_whatever_programs_do_their_turns_are_found(tmp_path: Path) -> None:
    program = await play(STEPS, 20, tmp_path)
    assert program.wrong == []
    assert set(DOES) <= set(program.seen), program.seen
    unsure = program.seen["ambiguous"] + program.seen["ambiguous with an id"]
    assert unsure < STEPS / 50, program.seen
