"""The hostile model against the raid analyst: no guarantee breaks, replay is exact."""

from __future__ import annotations

import pytest

from ruleplay.adversary.fuzz import fuzz
from ruleplay.agents.raid.agent import AGENT, held
from ruleplay.agents.raid.state import Finding, ToolReturned


async def test_no_guarantee_breaks() -> None:
    report = await fuzz(AGENT, turns=20, seed=7)
    assert report.violations == []
    assert report.unsupported_sentences_shown == 0
    assert report.replay_identical
    # The model looks things up itself, or it would have no tables to lie about.
    assert len(report.classes) > 5


@pytest.mark.parametrize(
    ("metric", "value", "there"),
    [
        ("rank", 2, True),  # a prompt adds the place that a row has
        ("rank", 1, False),
        ("pause_seconds", 8.9, True),  # and takes lists apart
        ("pause_seconds", 9.8, False),
        ("started", "2026-11-19 20:00", True),  # and shortens times
        ("started", "2026-11-19 20:01", False),
    ],
)
def test_what_a_prompt_derives_from_a_result_is_held_by_it(
    metric: str, value: float | str, there: bool
) -> None:
    rows = (
        {"player": "Aria", "damage": 900, "pauses": ["3.1 s from 12 s"]},
        {
            "player": "Oda",
            "damage": 400,
            "pauses": ["8.9 s from 41.2 s"],
            "started": "2026-11-19T20:00:31",
        },
    )
    returned = ToolReturned(result="r1", tool="get_activity_report", args={}, rows=rows, total=2)
    finding = Finding(metric=metric, value=value, player="Oda", result="r1")
    assert held(returned, finding) is there
