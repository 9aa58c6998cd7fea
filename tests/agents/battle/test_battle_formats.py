"""Formats beyond generation 9's random battles: what plays them, and from what."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from tests.agents.battle.domain.test_chronicle import REQUEST, told

from ruleplay.agents.battle.adapters.contest import check_format
from ruleplay.agents.battle.adapters.set_pool import keep_usage, load_pool, pool_file
from ruleplay.agents.battle.adapters.usage import DRAWN, read_usage
from ruleplay.agents.battle.adapters.world import ENGINE, PYTHON, World, format_problem
from ruleplay.agents.battle.domain import dex, worlds
from ruleplay.agents.battle.domain.decision import decide
from ruleplay.agents.battle.domain.orders import TeamOrder
from ruleplay.agents.battle.domain.results import (
    Expected,
    MoveOptions,
    SwitchOptions,
    TeraAnalysis,
)
from ruleplay.agents.battle.domain.vantage import see
from ruleplay.errors import NotFound, Unavailable, UserError

PAGE = {
    "Moves": {"ironhead": 90.0, "kowtowcleave": 80.0, "suckerpunch": 70.0, "swordsdance": 60.0,
              "": 5.0, "nosuchmove": 9.0},
    "Items": {"leftovers": 3.0, "nothing": 1.0}, "Abilities": {"supremeoverlord": 1.0},
    "Spreads": {"Adamant:0/252/0/0/4/252": 3.0}, "Tera Types": {"dark": 1.0, "flying": 1.0},
}  # fmt: skip


@pytest.fixture
def usage(tmp_path: Path) -> Path:
    file = tmp_path / "gen9ou-1825.json"
    told_ = {"info": {"metagame": "gen9ou"}, "data": {"Kingambit": PAGE, "Nobody": PAGE}}
    file.write_text(json.dumps(told_))
    return file


def test_usage_statistics_are_sets(usage: Path, tmp_path: Path) -> None:
    keep_usage(tmp_path, "gen9ou", usage)
    package = tmp_path / "package"
    package.mkdir()
    (package / "package.json").write_text('{"version": "1"}')
    pool = load_pool(pool_file(tmp_path, package, "gen9ou"))
    assert pool.species == ("kingambit",)
    sets = pool.sets("kingambit")
    assert sum(each.count for each in sets) == DRAWN
    first = sets[0]
    assert set(first.moves) <= {"ironhead", "kowtowcleave", "suckerpunch", "swordsdance"}
    assert (first.level, first.nature, first.ability) == (100, "adamant", "supremeoverlord")
    assert (first.stats.atk, first.stats.spa) == (405, 140)
    assert {each.item for each in sets} == {"", "leftovers"}
    assert read_usage(usage, "gen9ou") == read_usage(usage, "gen9ou")


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"data": {}}', '{"data": {"Mew": 1}}'])
def test_what_is_no_usage_statistics_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "usage.json"
    file.write_text(text)
    with pytest.raises(UserError, match="--sets"):
        read_usage(file, "gen9ou")
    with pytest.raises(NotFound):
        read_usage(tmp_path / "none.json", "gen9ou")


def test_the_unseen_are_those_that_were_shown(usage: Path, tmp_path: Path) -> None:
    chronicle = told("|poke|p2|Corviknight, M|", "|poke|p2|Kingambit, F|")
    position = see(chronicle, "p1", REQUEST)
    assert position.theirs.preview == ("corviknight", "kingambit")
    content = read_usage(usage, "gen9ou")
    from ruleplay.agents.battle.domain.pool import SetPool

    rows = content["sets"]
    assert isinstance(rows, dict)
    drawn = worlds.unseen_ones(position, SetPool("gen9ou", "", rows), Random(1))
    assert [each.species for each in drawn] == ["kingambit"]


def test_who_leads_follows_what_was_shown() -> None:
    leads = tuple(TeamOrder(order=(n, *(m for m in (1, 2, 3) if m != n))) for n in (1, 2, 3))
    chronicle = told(*(f"|poke|p2|{name}|" for name in ("Heatran", "Magnezone", "Gholdengo")))
    asked = see(chronicle, "p1", REQUEST).model_copy(update={"legal": leads, "team_preview": True})
    none = Expected(predictions=(), summary="")
    empty = (
        MoveOptions(summary=""),
        SwitchOptions(summary=""),
        TeraAnalysis(our_tera_available=False, opponent_tera_available=False),
    )
    made = decide(asked, *empty, none)
    assert made.order == leads[0]
    assert "stands best" in made.scores[0].why
    blind = see(told(), "p1", REQUEST).model_copy(update={"legal": leads})
    assert decide(blind, *empty, none).scores[0].why == "the first leads"


def test_a_format_the_engine_cannot_search_says_so(home: Path) -> None:
    world = World(home)
    assert world.engine("auto", "gen4randombattle") == PYTHON
    with pytest.raises(Unavailable, match="generation 9, not for gen4randombattle"):
        world.engine(ENGINE, "gen4randombattle")
    assert not format_problem("gen9ou")
    assert check_format("gen3ou") == 3
    with pytest.raises(UserError, match="only single and double battles"):
        check_format("gen9multibattle")
    assert check_format("gen9vgc2025") == 9


@pytest.mark.parametrize(("name", "power"), [
    ("return102", 102), ("hiddenpowerground60", 60), ("earthquake", 100), ("return", 0),
])  # fmt: skip
def test_moves_of_older_requests_carry_their_power(name: str, power: int) -> None:
    assert dex.knows_move(name)
    assert dex.move(name).power == power
    assert not dex.knows_move("nosuchmove12")
