"""The hostile model against the raid analyst: no guarantee breaks, replay is exact."""

from __future__ import annotations

from ruleplay.adversary.fuzz import fuzz
from ruleplay.agents.raid.agent import AGENT


async def test_no_guarantee_breaks() -> None:
    report = await fuzz(AGENT, turns=20, seed=7)
    assert report.violations == []
    assert report.unsupported_sentences_shown == 0
    assert report.replay_identical
