"""How hard the shipped fights are for a hero who has just set out: hard, and never hopeless."""

from __future__ import annotations

import pytest
from benchmarks.saga.fights import FightFigures, fight_figures
from tests.samples import sample

from ruleplay.agents.saga.adapters.library import open_book

FINALES = ("captain", "troll", "reckoning")


@pytest.fixture(scope="module", params=["greenway-lamp", "grey-debt"])
def figures(request: pytest.FixtureRequest) -> list[FightFigures]:
    return fight_figures(open_book(request.param), seeds=sample(100, 200))


def test_a_fresh_hero_lives_through_most_fights_and_not_through_all(
    figures: list[FightFigures],
) -> None:
    assert len(figures) >= 3
    for one in figures:
        most = 85 if one.encounter in FINALES else 95
        assert 40 <= one.bold_survived <= most, one
        assert one.won + one.fled + one.died == pytest.approx(100, abs=0.2), one


def test_running_saves_lives(figures: list[FightFigures]) -> None:
    for one in figures:
        assert one.fled > 0, one
        assert one.survived >= one.bold_survived + (4 if one.encounter in FINALES else 0), one
