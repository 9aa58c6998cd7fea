"""What a battle reaches outside: names in other words, and searches that break."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ruleplay.agents.battle.adapters.review import _assessed
from ruleplay.agents.battle.adapters.world import BROKE, PYTHON, Budget, World
from ruleplay.agents.battle.domain.position import Position, Side
from ruleplay.agents.battle.domain.results import Inference, SearchVerdict
from ruleplay.errors import Unavailable

NOWHERE = Position(battle="b", format="gen9ou", ours=Side(), theirs=Side(), legal=())


@pytest.mark.parametrize(
    ("words", "name"),
    [("tu fais séisme ?", "earthquake"), ("vas-y Draco-Météore", "dracometeor"),
     ("sors dracaufeu", "charizard"), ("piège de roc posé", "stealthrock")],
)  # fmt: skip
def test_names_are_known_in_french(tmp_path: Path, words: str, name: str) -> None:
    assert name in World(tmp_path).short_names(words).values()


class Broken(World):
    async def _look_ahead(self, *asked: object) -> SearchVerdict:
        raise TimeoutError


async def test_a_broken_search_says_why_and_makes_no_review(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    world = Broken(tmp_path)
    found = await world.search(NOWHERE, Inference(), Budget(5, PYTHON, "gen9ou"), Random(1))
    assert (found.lines, found.summary) == ((), BROKE)
    assert "took longer" in caplog.text
    with pytest.raises(Unavailable, match="turn 0 broke"):
        await _assessed(NOWHERE, Inference(), world, Budget(0, PYTHON, "gen9ou", visits=99), 0)
