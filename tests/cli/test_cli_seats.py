"""Chats at a table of many seats: the others play in between, and a seat is left again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.commands import Run

TABLES = Path(__file__).parents[1] / "outside"


@pytest.fixture(autouse=True)
def circle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands find the circle of tellers as an installed agent."""
    import os

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((os.environ["PYTHONPATH"], str(TABLES))))


def test_the_others_play_up_to_ones_move(process: Run) -> None:
    done = process(
        "chat", "circle", "--seat", "ben", given="Mine begins at sea.\nAnd ends there.\n"
    )
    said = [line for line in done.out.splitlines() if line]
    assert done.code == 0, done.err
    assert said == [
        "Once upon a time, says ada.",
        "Mine begins at sea.",
        "Once upon a time, says cyd.",
        "Once upon a time, says ada.",
        "And ends there.",
        "Once upon a time, says cyd.",
        "Once upon a time, says ada.",
    ]


def test_the_seat_is_left_with_the_chat(process: Run) -> None:
    done = process("chat", "circle", "--seat", "ben", given="Mine.\n")
    session = done.err.split("session ")[1].split(".")[0]
    told = json.loads(process("session", "show", session, "--json").out)
    assert told["view"]["held"] == []


def test_who_only_watches_lets_a_round_be_played(process: Run) -> None:
    done = process("chat", "circle", given="/go\n")
    said = [line for line in done.out.splitlines() if line]
    assert said == [f"Once upon a time, says {who}." for who in ("ada", "ben", "cyd")]
